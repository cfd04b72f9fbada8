package program

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Errors of runs that gave no answer.
var (
	ErrNotStarted = errors.New("the program was not started")
	ErrTimeout    = errors.New("the program took too long and was stopped")
	ErrTooMuch    = errors.New("the program printed too much and was stopped")
)

// An ExitError says that the program ended by itself, and not well.
type ExitError struct {
	Status string // such as "exit status 1" or "signal: killed"
	Itself bool   // it ended by itself: nobody killed it. Always on Windows
	Said   string // the end of what it printed on standard error, or else on standard output
}

func (e *ExitError) Error() string {
	if e.Said == "" {
		return "the program ended with " + e.Status
	}
	return "the program ended with " + e.Status + ": " + e.Said
}

// A Program is what to run. No shell is involved.
type Program struct {
	Args    []string // the program, by name or absolute path, and its arguments
	Dir     string   // its working folder
	Env     []string // its whole environment
	Timeout time.Duration
	Output  int // most bytes of an answer
}

// lingering is how long the pipes of a program that has ended are waited for. The pipes stay open where a process that it started keeps
// them.
const lingering = 2 * time.Second

// Run gives the program input on standard input and returns what it printed on standard output. When Run returns, the program and
// the processes that it started are gone; on Unix all but those that made themselves a session of their own.
func (p Program) Run(ctx context.Context, input string) (string, error) {
	path, err := Find(p.Args[0])
	if err != nil {
		return "", err
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	ctx, cancel := context.WithTimeoutCause(ctx, p.Timeout, fmt.Errorf("%w (%s)", ErrTimeout, p.Timeout))
	defer cancel()
	out := &output{left: p.Output, over: func() { stop(fmt.Errorf("%w (more than %d bytes)", ErrTooMuch, p.Output)) }}
	said := &tail{}
	cmd := exec.Command(path, p.Args[1:]...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = p.Dir, p.Env, lingering
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(input), out, said
	if err := run(ctx, cmd); err != nil {
		return "", because(ctx, err, said, out)
	}
	return out.text.String(), nil
}

// run starts the command in a group of processes of its own, waits, and ends the group: at the latest when ctx does.
func run(ctx context.Context, cmd *exec.Cmd) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	g, err := newGroup(cmd)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrNotStarted, err)
	}
	defer g.end()
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("%w: %w", ErrNotStarted, err)
	}
	if err := g.add(cmd.Process); err != nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		return fmt.Errorf("%w: %w", ErrNotStarted, err)
	}
	defer context.AfterFunc(ctx, g.end)()
	if err := cmd.Wait(); !errors.Is(err, exec.ErrWaitDelay) { // which is a process of its own that kept the pipe open
		return err
	}
	return nil
}

// because says why a run failed: our own limits before the signal by which they were kept.
func because(ctx context.Context, err error, said *tail, out *output) error {
	var exit *exec.ExitError
	switch cause := context.Cause(ctx); {
	case errors.Is(err, ErrNotStarted):
		return err
	case cause != nil:
		return cause
	case errors.As(err, &exit):
		words := last(string(said.kept))
		if words == "" {
			words = last(out.text.String())
		}
		return &ExitError{exit.ProcessState.String(), exit.Exited(), words}
	}
	return err
}

// Find looks a program up as Run does. Relative paths are refused: what they name depends on where the daemon was started.
func Find(name string) (string, error) {
	if filepath.Base(name) != name && !filepath.IsAbs(name) {
		return "", fmt.Errorf("%w: %q is neither a plain name nor an absolute path", ErrNotStarted, name)
	}
	path, err := exec.LookPath(name)
	switch {
	case err == nil:
		return path, nil
	case errors.Is(err, exec.ErrNotFound) && !filepath.IsAbs(name):
		return "", fmt.Errorf("%w: there is no %s in PATH (%s)", ErrNotStarted, name, os.Getenv("PATH"))
	}
	return "", fmt.Errorf("%w: %w", ErrNotStarted, err)
}

// An output keeps what is printed, up to a limit.
type output struct {
	text strings.Builder
	left int
	over func()
}

func (o *output) Write(b []byte) (int, error) {
	if len(b) > o.left {
		o.over()
		return 0, io.ErrShortWrite
	}
	o.left -= len(b)
	return o.text.Write(b)
}

// tailSize is how much of the standard error is kept.
const tailSize = 4096

// A tail keeps the end of what is printed.
type tail struct{ kept []byte }

func (t *tail) Write(b []byte) (int, error) {
	t.kept = append(t.kept, b[max(0, len(b)-tailSize):]...)
	t.kept = t.kept[max(0, len(t.kept)-tailSize):]
	return len(b), nil
}

// lastWords is the most bytes of a program's words in an error.
const lastWords = 300

// last is the end of a text, in one line.
func last(text string) string {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text[max(0, len(text)-tailSize):], "")), " ")
	if len(text) > lastWords {
		text = "…" + strings.ToValidUTF8(text[len(text)-lastWords:], "")
	}
	return text
}
