package program_test

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/reverie-memory/reverie/llm/llmtest"
	"github.com/reverie-memory/reverie/llm/program"
)

func TestMain(m *testing.M) {
	llmtest.Perform()
	goleak.VerifyTestMain(m)
}

func scripted(t *testing.T, a llmtest.Act) (program.Program, *llmtest.Program) {
	s := llmtest.NewProgram(t, a)
	return program.Program{Args: s.Command(), Dir: t.TempDir(), Env: os.Environ(), Timeout: time.Minute, Output: 1 << 20}, s
}

func TestInputAndOutput(t *testing.T) {
	p, s := scripted(t, llmtest.Act{Out: "the answer\n", Err: "thinking…"})
	p.Env = []string{"GREETING=hello", "SYSTEMROOT=" + os.Getenv("SYSTEMROOT")}
	input := strings.Repeat("a long prompt\n", 100_000) // more than a pipe holds
	got, err := p.Run(context.Background(), input)
	if err != nil || got != "the answer\n" {
		t.Fatalf("%q, %v", got, err)
	}
	r := s.Runs()[0]
	if r.Input != input {
		t.Errorf("the program read %d bytes of %d", len(r.Input), len(input))
	}
	want, _ := filepath.EvalSymlinks(p.Dir)
	if dir, _ := filepath.EvalSymlinks(r.Dir); dir != want {
		t.Errorf("it ran in %s, not in %s", dir, want)
	}
	if env := strings.Join(r.Env, " "); !strings.Contains(env, "GREETING=hello") || strings.Contains(env, "PATH=") {
		t.Errorf("its environment was %s", env)
	}
}

func TestProgramsThatFail(t *testing.T) {
	many := strings.Repeat("x", 10_000)
	for _, tt := range []struct {
		name string
		act  llmtest.Act
		want error
		says string
	}{
		{"exit code", llmtest.Act{Exit: 1, Err: "progress\n  not logged\nin  "}, nil, "exit status 1: progress not logged in"},
		{"says why on standard output", llmtest.Act{Exit: 7, Out: "usage limit reached"}, nil, "exit status 7: usage limit reached"},
		{"says nothing", llmtest.Act{Exit: 3}, nil, "exit status 3"},
		{"says a lot", llmtest.Act{Exit: 1, Err: many + " the end"}, nil, "x the end"},
		{"half an answer", llmtest.Act{Out: `{"facts":[`, Exit: 9}, nil, `exit status 9: {"facts":[`},
		{"huge answer", llmtest.Act{Flood: true}, program.ErrTooMuch, "more than 1048576 bytes"},
		{"huge answer, and no end of it", llmtest.Act{Out: many + many + strings.Repeat(many, 200), Hang: true}, program.ErrTooMuch, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, _ := scripted(t, tt.act)
			got, err := p.Run(context.Background(), "prompt")
			if err == nil || got != "" || !strings.Contains(err.Error(), tt.says) || len(err.Error()) > 400 {
				t.Fatalf("%q, %v; want %q", got, err, tt.says)
			}
			if tt.want != nil && !errors.Is(err, tt.want) {
				t.Errorf("%v is not %v", err, tt.want)
			}
			var exit *program.ExitError
			if tt.want == nil && !errors.As(err, &exit) {
				t.Errorf("%v is no ExitError", err)
			}
		})
	}
}

// A program that reads nothing, or not all, is no error: what counts is its answer.
func TestProgramThatIgnoresItsInput(t *testing.T) {
	p, _ := scripted(t, llmtest.Act{Deaf: true, Out: "42"})
	got, err := p.Run(context.Background(), strings.Repeat("prompt ", 1<<20))
	if err != nil || got != "42" {
		t.Fatalf("%q, %v", got, err)
	}
}

func TestHungProgramIsStopped(t *testing.T) {
	p, _ := scripted(t, llmtest.Act{Out: "half of it", Hang: true})
	p.Timeout = 50 * time.Millisecond
	got, err := p.Run(context.Background(), "prompt")
	if !errors.Is(err, program.ErrTimeout) || got != "" {
		t.Fatalf("%q, %v", got, err)
	}
}

// listen returns an address, and a function that waits for a process to connect and one that waits for its end.
func listen(t *testing.T) (addr string, connected, gone func()) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	var c net.Conn
	connected = func() {
		t.Helper()
		if c, err = l.Accept(); err != nil {
			t.Fatal(err)
		}
	}
	gone = func() {
		t.Helper()
		defer c.Close()
		if err := c.SetReadDeadline(time.Now().Add(20 * time.Second)); err != nil {
			t.Fatal(err)
		}
		var late net.Error
		if _, err := io.Copy(io.Discard, c); errors.As(err, &late) && late.Timeout() {
			t.Error("the process is still there")
		}
	}
	return l.Addr().String(), connected, gone
}

func TestCancelEndsTheProgramAndItsChildren(t *testing.T) {
	leader, leaderIsThere, leaderIsGone := listen(t)
	child, childIsThere, childIsGone := listen(t)
	p, _ := scripted(t, llmtest.Act{Dial: leader, Hang: true, Child: &llmtest.Act{Dial: child, Hang: true}})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() {
		_, err := p.Run(ctx, "prompt")
		done <- err
	}()
	childIsThere()
	leaderIsThere()
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	leaderIsGone()
	childIsGone()
}

// The answer counts when the program ends, whatever a process that it left behind does with the open pipe; and that one is ended.
func TestChildThatKeepsTheOutputOpen(t *testing.T) {
	child, childIsThere, childIsGone := listen(t)
	p, _ := scripted(t, llmtest.Act{Out: "the answer", Child: &llmtest.Act{Dial: child, Hang: true}})
	got, err := p.Run(context.Background(), "prompt")
	if err != nil || got != "the answer" {
		t.Fatalf("%q, %v", got, err)
	}
	childIsThere()
	childIsGone()
}

func TestProgramsThatAreNotThere(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	for name, says := range map[string]string{
		"no-such-program":                          "there is no no-such-program in PATH",
		filepath.Join(t.TempDir(), "nothing-here"): "nothing-here",
		filepath.Join("bin", "claude"):             "neither a plain name nor an absolute path",
		t.TempDir():                                "not started", // a folder
	} {
		_, err := program.Program{Args: []string{name}, Timeout: time.Minute}.Run(context.Background(), "")
		if !errors.Is(err, program.ErrNotStarted) || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	p, _ := scripted(t, llmtest.Act{})
	p.Dir = filepath.Join(p.Dir, "gone")
	if _, err := p.Run(context.Background(), ""); !errors.Is(err, program.ErrNotStarted) {
		t.Errorf("without its folder: %v", err)
	}
}

func TestCancelledBeforeItsStart(t *testing.T) {
	p, s := scripted(t, llmtest.Act{})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := p.Run(ctx, ""); !errors.Is(err, context.Canceled) || len(s.Runs()) != 0 {
		t.Errorf("%v after %d calls", err, len(s.Runs()))
	}
}
