package main

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/op"
)

// ask has one operation done by the workspace and lets go of it.
func ask[I, O any](ctx context.Context, a *app, o *op.Op[I, O], in I) (out O, err error) {
	m, done, err := a.memory(ctx)
	if err != nil {
		return out, err
	}
	out, err = o.Ask(ctx, m, in)
	return out, errors.Join(err, done())
}

// do has one operation done and prints its answer, with show where no JSON is asked for. Then the verdicts may find the answer wanting.
func do[I, O any](ctx context.Context, a *app, o *op.Op[I, O], in I, show func(O), verdicts ...func(O) error) error {
	out, err := ask(ctx, a, o, in)
	if hint := missing[o.About().Name]; api.CodeOf(err) == api.NotFound && hintOf(err) == "" && hint != "" {
		return &hintError{err, hint}
	}
	if err != nil {
		return err
	}
	if err := a.tell(out, func() { show(out) }); err != nil {
		return err
	}
	for _, verdict := range verdicts {
		if err := verdict(out); err != nil {
			return err
		}
	}
	return nil
}

// missing say, by operations, what to do where what was named is not there.
var missing = map[string]string{
	"row":          foundBySearch,
	"forget":       foundBySearch,
	"why":          "`reverie search --json` tells the receipt of an answer; of one that is too old nothing is kept",
	"unforget":     "`reverie forget --list` shows what was forgotten, with its ids",
	"page":         "name it by its path in the vault, such as 3_Personal/Alice.md; `reverie search` shows the paths of what it finds",
	"dream":        "`reverie dream log` lists the runs",
	"dreamUndo":    "`reverie dream log` lists the runs",
	"showDrawer":   drawersAreListed,
	"deleteDrawer": drawersAreListed,
	"moveDrawers":  drawersAreListed,
}

const (
	foundBySearch    = "`reverie search --json` tells the ids; what was forgotten is gone, and `reverie forget --list` shows it"
	drawersAreListed = "`reverie palace drawers` lists the drawers with their ids; what was forgotten is gone"
)

// verb makes c the command of one operation: what is typed behind it goes into words, PreRunE and flags fill the rest of in, and show
// prints the answer.
func verb[I, O any](a *app, c *cobra.Command, o *op.Op[I, O], in *I, show func(O), words ...*string) *cobra.Command {
	switch {
	case c.Args != nil:
	case len(words) == 0:
		c.Args = cobra.NoArgs
	default:
		c.Args = cobra.ExactArgs(len(words))
	}
	c.RunE = func(cmd *cobra.Command, args []string) error {
		for i := range min(len(words), len(args)) {
			if *words[i] = args[i]; strings.TrimSpace(args[i]) == "" {
				return usageError("%s must not be empty", strings.Trim(strings.Fields(c.Use)[1+i], "[]."))
			}
		}
		return do(cmd.Context(), a, o, *in, show)
	}
	return c
}

// jobVerb makes c a command that begins a job and follows it to its end, or with --no-wait shows it as it began.
func (a *app) jobVerb(
	c *cobra.Command, begin func(ctx context.Context, m memory, args []string) (api.Job, error), show func(api.Job),
) *cobra.Command {
	var noWait bool
	c.Flags().BoolVar(&noWait, "no-wait", false, "start the job and return")
	c.RunE = func(cmd *cobra.Command, args []string) error {
		mem, done, err := a.memory(cmd.Context())
		if err != nil {
			return err
		}
		defer done()
		job, err := begin(cmd.Context(), mem, args)
		if err == nil && (!noWait || a.flag.noDaemon) {
			job, err = a.follow(cmd.Context(), mem, job)
		}
		if err != nil {
			return err
		}
		return a.tell(job, func() { show(job) })
	}
	return c
}

// rest is a PreRunE that takes all that is typed behind a verb.
func rest(into *[]string) func(*cobra.Command, []string) error {
	return func(_ *cobra.Command, args []string) error {
		*into = args
		return nil
	}
}
