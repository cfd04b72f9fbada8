package llm

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/llm/program"
)

// InsideEnv is set for every program that is asked as a model, so that what it starts knows that Reverie did: hooks of ours then do
// nothing.
const InsideEnv = "REVERIE_INSIDE"

// modelInCommand is replaced by the model's name in the arguments of a command.
const modelInCommand = "{model}"

// answerLimit is the most bytes of a program's answer.
const answerLimit = 4 << 20

// A command asks a program on this machine: the prompt goes to its standard input, the answer is what it prints.
type command struct {
	options ChatOptions
	args    []string
	slots   chan string // folders to run in, one for each call at the same time
}

func newCommand(o ChatOptions) (*command, error) {
	if len(o.Command) == 0 || o.Dir == "" {
		return nil, errors.New("provider command needs a program and a folder to run it in")
	}
	if o.Timeout <= 0 {
		o.Timeout = defaultTimeout
	}
	c := &command{options: o, slots: make(chan string, max(1, o.Parallel))}
	for _, arg := range o.Command {
		c.args = append(c.args, strings.ReplaceAll(arg, modelInCommand, o.Model))
	}
	for i := range cap(c.slots) {
		c.slots <- filepath.Join(o.Dir, strconv.Itoa(i+1))
	}
	return c, nil
}

// Name is the model's, or else the program's.
func (c *command) Name() string {
	name := c.options.Model
	if name == "" {
		base := filepath.Base(c.args[0])
		name = strings.TrimSuffix(base, filepath.Ext(base))
	}
	return ProviderCommand + "/" + name
}

// Complete implements [Chat]. The program cannot be told a limit of tokens.
func (c *command) Complete(ctx context.Context, req Request) (Answer, error) {
	a, err := c.ask(ctx, req)
	if err != nil {
		return a, fmt.Errorf("asking %s: %w", c.Name(), err)
	}
	return a, nil
}

func (c *command) ask(ctx context.Context, req Request) (Answer, error) {
	select {
	case dir := <-c.slots:
		defer func() { c.slots <- dir }()
		if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o700)); err != nil {
			return Answer{}, fmt.Errorf("%w: make an empty folder for it: %w", program.ErrNotStarted, err)
		}
		out, err := program.Program{
			Args: c.args, Dir: dir, Env: environment(os.Environ(), c.options.Env), Timeout: c.options.Timeout, Output: answerLimit,
		}.Run(ctx, prompt(req))
		if err != nil {
			return Answer{}, shown(err)
		}
		return commandAnswer(out, req.Schema != nil)
	case <-ctx.Done():
		return Answer{}, fmt.Errorf("%w: waiting for an earlier call: %w", program.ErrNotStarted, ctx.Err())
	}
}

// shown cleans a program's own words before they get into logs and answers.
func shown(err error) error {
	var exit *program.ExitError
	if errors.As(err, &exit) {
		exit.Said = complaint([]byte(exit.Said))
	}
	return err
}

// prompt is the whole request as one text.
func prompt(req Request) string {
	parts := []string{clean(req.System)}
	if req.Schema != nil {
		parts = append(parts, schemaWords+string(req.Schema))
	}
	return strings.TrimSpace(strings.Join(append(parts, clean(req.Prompt)), "\n\n")) + "\n"
}

// commandAnswer reads what a program printed.
func commandAnswer(out string, asJSON bool) (Answer, error) {
	a, err := unwrap(out)
	switch {
	case err != nil:
		return a, err
	case strings.TrimSpace(a.Text) == "":
		return a, ErrEmptyAnswer
	case asJSON:
		text, err := onlyJSON(a.Text)
		if err != nil {
			return a, err
		}
		a.Text = text
	}
	return a, nil
}

// handed are the environment variables that a program gets without being named in the settings: what it needs to run, to find its
// own files, and to get through a proxy. None of them is a key. A name that ends in * stands for all that begin so.
var handed = []string{
	"PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "LC_*", "TERM", "TZ", "TMPDIR", "XDG_*",
	"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS",
	"CLAUDE_CONFIG_DIR", "CODEX_HOME", "OLLAMA_HOST",
	// Windows
	"PATHEXT", "COMSPEC", "SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "TEMP", "TMP", "USERNAME", "USERPROFILE", "HOMEDRIVE", "HOMEPATH",
	"APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES", "PROGRAMFILES(X86)", "PROGRAMW6432", "COMMONPROGRAMFILES", "OS",
	"PROCESSOR_ARCHITECTURE", "NUMBER_OF_PROCESSORS",
}

// environment is what of env a program gets. Names are compared without regard to case for proxies and on Windows, where they have none.
func environment(env, more []string) []string {
	var out []string
	for _, entry := range env {
		name, _, _ := strings.Cut(entry, "=")
		upper := strings.ToUpper(name)
		if runtime.GOOS == "windows" || strings.HasSuffix(name, "_proxy") {
			name = upper
		}
		given := slices.ContainsFunc(more, func(m string) bool { return m == name || runtime.GOOS == "windows" && strings.ToUpper(m) == name })
		if !strings.HasPrefix(upper, "REVERIE_") && (given || slices.ContainsFunc(handed, func(h string) bool { return names(h, name) })) {
			out = append(out, entry)
		}
	}
	return append(out, InsideEnv+"=1")
}

func names(pattern, name string) bool {
	if start, ok := strings.CutSuffix(pattern, "*"); ok {
		return strings.HasPrefix(name, start)
	}
	return pattern == name
}

// defaultTimeout limits one call where nothing else is said.
const defaultTimeout = 120 * time.Second
