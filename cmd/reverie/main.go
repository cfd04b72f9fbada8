package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/hosts"
	"github.com/reverie-memory/reverie/mine"
	"github.com/reverie-memory/reverie/server"
	"github.com/reverie-memory/reverie/vault"
)

// version is set by the linker for releases.
var version = "0.1.0-dev"

// Exit codes, as docs/http-api.md and the help list them.
const (
	exitOK          = 0
	exitFailed      = 1
	exitUsage       = 2
	exitNotFound    = 3
	exitInUse       = 4
	exitIncomplete  = 5
	exitInterrupted = 130
)

// exitTitles name the codes in JSON.
var exitTitles = map[int]string{
	exitFailed: "failed", exitUsage: "usage", exitNotFound: "not found", exitInUse: "in use", exitIncomplete: "incomplete",
	exitInterrupted: "interrupted",
}

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// run is the whole program but for the process around it, so that tests can run it too.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if asHook(args, stdin, stdout) {
		return exitOK
	}
	if len(args) == 1 && args[0] == mine.PDFVerb { // asked by the program itself
		return mine.PDFText(stdin, stdout)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	out := &answer{w: stdout}
	a := &app{out: out, err: stderr}
	root := a.root()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(out)
	root.SetErr(stderr)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil && out.err != nil {
		err = fmt.Errorf("write the answer: %w", out.err)
	}
	code := exitCode(ctx, err)
	if err != nil {
		a.flag.json = a.flag.json || slices.Contains(args, "--json") // a wrong flag ends the reading of flags
		a.explain(err, code, cmd)
	}
	return code
}

// answer is standard output; it remembers that something could not be written, which most printing has no place to say.
type answer struct {
	w   io.Writer
	err error
}

func (o *answer) Write(p []byte) (int, error) {
	n, err := o.w.Write(p)
	o.err = cmp.Or(o.err, err)
	return n, err
}

// codeError carries the exit code that a verb has chosen.
type codeError struct {
	code int
	err  error
}

func (e *codeError) Error() string { return e.err.Error() }
func (e *codeError) Unwrap() error { return e.err }

func usageError(format string, args ...any) error {
	return &codeError{exitUsage, fmt.Errorf(format, args...)}
}

// hintError carries what a person can do about an error.
type hintError struct {
	err  error
	hint string
}

func (e *hintError) Error() string { return e.err.Error() }
func (e *hintError) Unwrap() error { return e.err }

// exitCode is the one place where an error becomes an exit code.
func exitCode(ctx context.Context, err error) int {
	var (
		coded *codeError
		held  *vault.HeldError
	)
	switch code := api.CodeOf(err); {
	case err == nil:
		return exitOK
	case errors.As(err, &coded):
		return coded.code
	case errors.As(err, &held):
		return exitInUse
	case code == api.NotFound:
		return exitNotFound
	case code == api.Invalid:
		return exitUsage
	case errors.Is(err, context.Canceled) && ctx.Err() != nil:
		return exitInterrupted
	}
	return exitFailed
}

// failure is an error as --json prints it on standard error: a problem of the HTTP API, with the exit code.
type failure struct {
	server.Problem
	Status   int `json:"status,omitempty"` // where the daemon has answered
	ExitCode int `json:"exit_code"`
}

// typed is an error of what was typed behind a verb as a person knows it: by the names of what cannot be taken, without where that stands
// in a request, and with where to read what can.
func typed(err error, code int, cmd *cobra.Command) error {
	var told *api.Error
	if errors.As(err, &told) && told.Code == api.Invalid && len(told.Fields) > 0 && strings.HasPrefix(told.Detail, "validation failed") {
		var said []string
		for _, f := range told.Fields {
			name := f.Location[strings.LastIndexAny(f.Location, ".")+1:]
			said = append(said, strings.TrimPrefix(name+": "+f.Message, ": "))
		}
		err = &codeError{code, errors.New(strings.Join(said, "; "))}
	}
	if code == exitUsage && hintOf(err) == "" {
		err = &hintError{err, fmt.Sprintf("`%s --help` tells what to type", cmd.CommandPath())}
	}
	return err
}

// explain says what failed and what to do about it: for a person, or as JSON where that was asked for.
func (a *app) explain(err error, code int, cmd *cobra.Command) {
	if a.flag.json {
		f := failure{server.Problem{Type: "about:blank", Title: exitTitles[code], Detail: err.Error(), Hint: hintOf(err)}, 0, code}
		var told *api.Error
		if errors.As(err, &told) {
			f.Errors = told.Fields
		}
		var p *server.Problem
		if errors.As(err, &p) {
			f.Title, f.Status = p.Title, p.Status
		}
		_ = json.NewEncoder(a.err).Encode(f)
		return
	}
	err = typed(err, code, cmd)
	fmt.Fprintf(a.err, "reverie: %v\n", err)
	if hint := hintOf(err); hint != "" {
		fmt.Fprintf(a.err, "hint: %s\n", hint)
	}
}

func hintOf(err error) string {
	var (
		told *api.Error
		file *vault.Error
		held *vault.HeldError
		own  *hintError
		host *hosts.Error
	)
	switch {
	case errors.As(err, &own):
		return own.hint
	case errors.As(err, &host):
		return host.Hint
	case errors.As(err, &told):
		return told.Hint
	case errors.As(err, &held) && held.DataDir != "":
		return "two vaults never share a data folder: leave out --data-dir, or name another one"
	case errors.As(err, &held):
		return "stop that daemon with `reverie stop`, or leave out --no-daemon to talk to it"
	case errors.As(err, &file):
		return file.Hint
	}
	return vault.Advice(err)
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "reverie",
		Short: "Long-term memory for AI assistants, over a folder of Markdown that you own",
		Long: `Reverie keeps what you tell your assistants: every turn verbatim, the facts in daily logs,
all of it in a folder of Markdown that opens in Obsidian. A daemon keeps a search index equal to the files.

Exit codes: 0 done, 1 failed, 2 usage, 3 not found, 4 the vault is in use by another daemon,
5 index incomplete or degraded (where the verb was asked to be strict), 130 interrupted.`,
		Version:       version,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			msg := fmt.Sprintf("unknown command %q", args[0])
			if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
				msg += fmt.Sprintf("; did you mean %s?", near[0])
			}
			return errors.New(msg)
		},
		RunE:                       func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		SuggestionsMinimumDistance: 2,
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return &codeError{exitUsage, err} })
	a.flags(root)
	root.AddCommand(
		a.initCmd(), a.setupCmd(), a.vaultsCmd(), a.modelCmd(), a.serveCmd(), a.stopCmd(), a.statusCmd(), a.doctorCmd(),
		a.rememberCmd(), a.factCmd(), a.factsCmd(), a.searchCmd(), a.showCmd(), a.contextCmd(),
		a.briefCmd(), a.sessionContextCmd(), a.whyCmd(), a.forgetCmd(), a.unforgetCmd(), a.projectCmd(), a.diaryCmd(), a.coreCmd(),
		a.importCmd(), a.exportCmd(),
		a.mcpCmd(), a.palaceCmd(), a.graphCmd(), a.dreamCmd(), a.lintCmd(), a.pageCmd(), a.reindexCmd(), a.verifyCmd(), a.usageCmd(),
		a.configCmd(),
		a.versionCmd(), a.hookCmd(),
		a.mineCmd(), a.benchCmd(),
	)
	usageArgs(root)
	a.offer(root)
	return root
}

// usageArgs gives wrong arguments the exit code for wrong usage, in all verbs.
func usageArgs(c *cobra.Command) {
	for _, sub := range c.Commands() {
		usageArgs(sub)
	}
	if check := c.Args; check != nil {
		c.Args = func(cmd *cobra.Command, args []string) error {
			if err := check(cmd, args); err != nil {
				return &codeError{exitUsage, err}
			}
			return nil
		}
	}
}
