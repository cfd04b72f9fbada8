package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/capture"
	"github.com/reverie-memory/reverie/spool"
)

// hookHome makes a vault of its own and returns the environment of programs that use it, with the spool's folder.
func hookHome(t testing.TB) (env []string, spoolDir string) {
	t.Helper()
	home := t.TempDir()
	vault := filepath.Join(home, "vault")
	if err := os.Mkdir(vault, 0o700); err != nil {
		t.Fatal(err)
	}
	data := filepath.Join(home, "data")
	env = append(os.Environ(), asDaemon+"=1", "GORACE="+raceOptions(), "HOME="+home, "USERPROFILE="+home,
		"XDG_CONFIG_HOME="+filepath.Join(home, "c"),
		"XDG_DATA_HOME="+filepath.Join(home, "d"), "REVERIE_VAULT="+vault, "REVERIE_DATA_DIR="+data, "REVERIE_ADDR=127.0.0.1:0")
	return env, capture.SpoolDir(filepath.Join(data, "default"))
}

// Hooks that all run at the same time lose nothing, say nothing, and end.
func TestManyHooksAtOnce(t *testing.T) {
	n := 1000
	if testing.Short() {
		n = 60
	}
	env, dir := hookHome(t)
	var running []*exec.Cmd
	var said bytes.Buffer
	group := newGroup()
	for i := range n {
		c := exec.Command(os.Args[0], "hook", "stop", "--host", "claude-code")
		c.Env, c.Stdout, c.Stderr = env, nil, nil
		c.Stdin = prefilled(t, fmt.Sprintf(`{"session_id":"s%d","transcript_path":"/none","cwd":"/","hook_event_name":"Stop"}`, i))
		group.join(c)
		if i == 0 {
			c.Stdout, c.Stderr = &said, &said
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		group.started(c)
		running = append(running, c)
	}
	for _, c := range running {
		if err := c.Wait(); err != nil {
			t.Error(err)
		}
	}
	list, err := spool.Take(dir)
	sessions := map[string]bool{}
	for _, e := range list {
		sessions[e.Session] = true
	}
	if err != nil || len(sessions) != n || said.Len() > 0 {
		t.Errorf("%d hooks left %d events, and said %q: %v", n, len(sessions), said.String(), err)
	}
	if left := group.left(); left {
		t.Error("a process was left behind")
	}
}

// prefilled is a pipe that the text is in already: the host has its thousand hooks to start, and whatever it sent afterwards would come
// late.
func prefilled(t *testing.T, text string) *os.File {
	t.Helper()
	r, w, err := os.Pipe()
	if err == nil {
		t.Cleanup(func() { _ = r.Close() })
		_, err = w.WriteString(text)
		err = errors.Join(err, w.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A host that opens a pipe and sends nothing, or sends and does not close it, is not waited for.
func TestAHookEndsWithoutItsInput(t *testing.T) {
	env, dir := hookHome(t)
	for input, events := range map[string]int{"": 0, `{"session_id":"s1","hook_event_name":"Stop"}`: 1} {
		c := exec.Command(os.Args[0], "hook", "stop")
		c.Env = env
		in, err := c.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(in, input); err != nil {
			t.Fatal(err)
		}
		if state, err := c.Process.Wait(); err != nil || state.ExitCode() != 0 { // Cmd.Wait would close the pipe
			t.Errorf("with %q: %v, %v", input, state, err)
		}
		_ = in.Close()
		if list, err := spool.Take(dir); err != nil || len(list) != events {
			t.Errorf("with %q there are %d events: %v", input, len(list), err)
		}
		if err := spool.Done(dir); err != nil {
			t.Fatal(err)
		}
	}
}

// A spool that cannot be written is not the host's trouble.
func TestAHookEndsWithoutItsDisk(t *testing.T) {
	env, dir := hookHome(t)
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(dir, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(os.Args[0], "hook", "stop")
	c.Env, c.Stdin = env, strings.NewReader(`{"session_id":"s1"}`)
	if out, err := c.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%q, %v", out, err)
	}
}
