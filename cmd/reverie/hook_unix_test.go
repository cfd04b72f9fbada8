//go:build !windows

package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// group is a process group: what its members leave behind is in it as well.
type group struct{ id int }

func newGroup() *group { return &group{} }

func (g *group) join(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pgid: g.id} }

func (g *group) started(c *exec.Cmd) {
	if g.id == 0 {
		g.id = c.Process.Pid
	}
}

func (g *group) left() bool { return !errors.Is(syscall.Kill(-g.id, 0), syscall.ESRCH) }

// A daemon that hangs costs a hook its answer, and nothing else.
func TestAHookBesideAHungDaemon(t *testing.T) {
	env, dir := hookHome(t)
	program := func(stdin string, args ...string) string {
		t.Helper()
		c := exec.Command(os.Args[0], args...)
		c.Env, c.Stdin = env, strings.NewReader(stdin)
		out, err := c.Output()
		if err != nil {
			t.Fatalf("%q: %v", args, err)
		}
		return string(out)
	}
	program("", "init")
	program("", "remember", "--speaker", "Alice", "I moved to Berlin.")
	d, err := readDaemon(filepath.Dir(filepath.Dir(dir)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Kill(d.PID, syscall.SIGKILL) })
	if err := syscall.Kill(d.PID, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	const session = `{"session_id":"s1","transcript_path":"/none","cwd":"/","hook_event_name":"SessionStart"}`
	if out := program(session, "hook", "session-start"); out != "" {
		t.Errorf("a hung daemon has answered %q", out)
	}
	if data, err := os.ReadFile(filepath.Join(dir, "events.jsonl")); err != nil || !strings.Contains(string(data), `"session":"s1"`) {
		t.Errorf("the event was not noted: %q, %v", data, err)
	}
}

// BenchmarkHook times hooks as whole processes, with the daemon down, up and hung.
func BenchmarkHook(b *testing.B) {
	env, dir := hookHome(b)
	program := func(stdin string, args ...string) {
		c := exec.Command(os.Args[0], args...)
		c.Env, c.Stdin = env, strings.NewReader(stdin)
		if _, err := c.Output(); err != nil {
			b.Fatalf("%q: %v", args, err)
		}
	}
	measure := func(state string) {
		for _, event := range hookEvents {
			b.Run(state+"/"+event, func(b *testing.B) {
				var took []float64
				for b.Loop() {
					began := time.Now()
					program(`{"session_id":"s1","transcript_path":"/none","cwd":"/","hook_event_name":"Any"}`, "hook", event)
					took = append(took, time.Since(began).Seconds()*1000)
				}
				slices.Sort(took)
				b.ReportMetric(took[len(took)/2], "p50-ms")
				b.ReportMetric(took[len(took)*99/100], "p99-ms")
			})
		}
	}
	program("", "init")
	measure("down")
	program("", "remember", "--speaker", "Alice", "I moved to Berlin.")
	measure("up")
	d, err := readDaemon(filepath.Dir(filepath.Dir(dir)))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = syscall.Kill(d.PID, syscall.SIGKILL) })
	if err := syscall.Kill(d.PID, syscall.SIGSTOP); err != nil {
		b.Fatal(err)
	}
	measure("hung")
}
