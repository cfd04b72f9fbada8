package main

import (
	"io/fs"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/config"
	"github.com/reverie-memory/reverie/hosts"
)

// What setup writes for programs to run are verbs and hosts that this program knows.
func TestSetupWritesWhatTheVerbsKnow(t *testing.T) {
	env := hosts.Env{
		OS: runtime.GOOS, Home: t.TempDir(), Getenv: func(string) string { return "" },
		Look: func(string) (string, error) { return "", fs.ErrNotExist },
	}
	hook := regexp.MustCompile(`(?:hook|"hook",) "?([a-z-]+)"?,? "?--host"?,? "?([a-z-]+)`)
	found := 0
	for _, h := range hosts.All {
		for _, f := range h.Files(env) {
			e, err := f.Add(hosts.Launch{Binary: "/bin/reverie", OS: runtime.GOOS})
			if err != nil {
				t.Fatal(err)
			}
			calls := hook.FindAllStringSubmatch(string(e.After), -1)
			if strings.Contains(string(e.After), "--host") != (len(calls) > 0) {
				t.Errorf("%s has hooks that this test does not read:\n%s", f.Path, e.After)
			}
			for _, call := range calls {
				found++
				if !slices.Contains(hookEvents, call[1]) || !slices.Contains(config.CaptureHosts, call[2]) {
					t.Errorf("%s runs %s", f.Path, call[0])
				}
			}
		}
	}
	if found < 3*len(config.CaptureHosts) {
		t.Errorf("only %d hooks are written", found)
	}
}

// The path that a package manager keeps is written, not what it leads to today.
func TestTheLinkOnThePathLasts(t *testing.T) {
	dir := t.TempDir()
	real, link := dir+"/reverie-1.2", dir+"/bin/reverie-1.2"
	if err := os.WriteFile(real, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(dir+"/bin", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, link); err != nil || runtime.GOOS == "windows" {
		t.Skip("no links, or programs that need an extension: ", err)
	}
	t.Setenv("PATH", dir+"/bin")
	if got := lasting(real); got != link {
		t.Errorf("%s is written as %s", real, got)
	}
	t.Setenv("PATH", dir)
	if got := lasting(link); got != real {
		t.Errorf("%s is written as %s", link, got)
	}
	t.Setenv("PATH", "/nowhere")
	if got := lasting(real); got != real {
		t.Errorf("%s is written as %s", real, got)
	}
}
