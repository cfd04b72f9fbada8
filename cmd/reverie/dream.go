package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/operations"
)

func (a *app) dreamCmd() *cobra.Command {
	var why bool
	var req api.Consolidate
	c := &cobra.Command{
		Use:   "dream",
		Short: "Consolidate the daily logs into wiki pages, and look at how that went",
		Long: `A dream reads the daily logs of past days and makes wiki pages of them. It accounts for every fact, and can be taken back.
Dreams begin by themselves when enough has gathered; "reverie dream run" does not wait for that.
Without a verb, it tells what a dream would do now and why.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if req.DryRun || req.Estimate {
				return a.consolidate(cmd.Context(), req)
			}
			return a.why(cmd.Context())
		},
	}
	c.Flags().BoolVar(&why, "why", false, "tell whether a dream would begin now, and why (the same as no verb)")
	runFlags(c, &req)
	c.AddCommand(a.dreamRunCmd(), a.dreamLogCmd(), a.dreamShowCmd(), a.dreamUndoCmd(), a.dreamCancelCmd())
	return c
}

func runFlags(c *cobra.Command, req *api.Consolidate) {
	c.Flags().BoolVar(&req.DryRun, "dry-run", false, "only plan: print the report and a diff, change nothing")
	c.Flags().BoolVar(&req.Estimate, "estimate", false, "only tell what a model would cost at most")
}

func (a *app) dreamRunCmd() *cobra.Command {
	var req api.Consolidate
	c := &cobra.Command{
		Use:   "run",
		Short: "Dream now, whatever time has passed and however few facts there are",
		Long: `Run consolidates the next batch of past days (UTC). Ctrl-C stops it without harm: what was planned is gone on with by the next run.
It exits with 1 when another dream is running, or when the run was rolled back because facts were found less well than before.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.consolidate(cmd.Context(), req) },
	}
	runFlags(c, &req)
	return c
}

func (a *app) consolidate(ctx context.Context, req api.Consolidate) error {
	if req.DryRun && req.Estimate {
		return usageError("--dry-run and --estimate: want one of them")
	}
	m, done, err := a.memory(ctx)
	if err != nil {
		return err
	}
	stop := a.watchDream(ctx, m)
	r, err := operations.Consolidate.Ask(ctx, m, req)
	stop()
	if ctx.Err() != nil && err != nil {
		err = fmt.Errorf("stopped; nothing is lost, the next run goes on: %w", ctx.Err())
	}
	var st api.Status
	if err == nil && r.Status == "nothing_pending" {
		st, err = operations.Status.Ask(ctx, m, api.Nothing{}) // tells what it waits for
	}
	if err = errors.Join(err, done()); err != nil {
		return err
	}
	err = a.tell(r, func() {
		switch {
		case req.Estimate:
			a.printEstimate(r)
		case r.Status == "nothing_pending":
			a.printNothing(st)
		default:
			a.printReport(r)
		}
	})
	if err == nil && r.Status == "rolled_back" {
		err = &codeError{exitFailed, errors.New("the dream was rolled back: facts were found less well than before")}
	}
	return err
}

// watchDream shows on a terminal how far the dream is, until stop.
func (a *app) watchDream(ctx context.Context, m memory) (stop func()) {
	bar := a.progress("dream")
	if bar.bar == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	events := m.Events(ctx)
	go func() {
		defer close(ended)
		for e := range events {
			if e.Kind == "dream" && e.Job != nil {
				bar.bar.Describe("dream: " + e.Job.Phase)
				bar.set(e.Job.Done, e.Job.Total)
			}
		}
	}()
	return func() {
		cancel()
		<-ended
		bar.finish()
	}
}

func (a *app) why(ctx context.Context) error {
	s, err := ask(ctx, a, operations.Status, api.Nothing{})
	if err != nil {
		return err
	}
	return a.tell(s.Dream, func() { a.printWhy(s) })
}

func (a *app) dreamLogCmd() *cobra.Command {
	p := api.Page{Limit: 20}
	c := &cobra.Command{
		Use:   "log",
		Short: "List the dreams, the newest first",
		PreRunE: func(*cobra.Command, []string) error {
			if p.Limit < 1 || p.Limit > 1000 || p.Offset < 0 {
				return usageError("--limit is 1 to 1000, --offset at least 0")
			}
			return nil
		},
	}
	verb(a, c, operations.Dreams, &p, func(r api.DreamRuns) { a.printRuns(r, p.Offset) })
	c.Flags().IntVarP(&p.Limit, "limit", "n", p.Limit, "how many")
	c.Flags().IntVar(&p.Offset, "offset", 0, "how many of the newest to leave out")
	return c
}

func (a *app) dreamShowCmd() *cobra.Command {
	q := api.DreamQuery{ID: api.Latest, LongPage: api.LongPage{Limit: 10000}}
	c := &cobra.Command{
		Use:   "show [RUN]",
		Short: "Tell what a dream changed and what became of each fact (default: the newest)",
		Args:  cobra.MaximumNArgs(1), ValidArgsFunction: a.completeRuns,
	}
	verb(a, c, operations.Dream, &q, func(d api.DreamDetail) { a.printDream(d, q) }, &q.ID)
	c.Flags().StringVar(&q.Fact, "fact", "", "only what became of the fact with this id (without RUN: in the newest dream that read it)")
	return c
}

func (a *app) dreamUndoCmd() *cobra.Command {
	run := api.DreamRun{ID: api.Latest}
	c := &cobra.Command{
		Use:   "undo [RUN]",
		Short: "Take a dream back (default: the newest); what you edited since stays",
		Args:  cobra.MaximumNArgs(1), ValidArgsFunction: a.completeRuns,
	}
	return verb(a, c, operations.DreamUndo, &run, a.printUndo, &run.ID)
}

func (a *app) dreamCancelCmd() *cobra.Command {
	c := &cobra.Command{Use: "cancel", Short: "Stop the dream that runs; nothing is lost"}
	return verb(a, c, operations.DreamCancel, &api.Nothing{}, func(r api.DreamCancelled) {
		a.print("Stopped dream %s. Nothing is lost; the next one goes on from there.\n", r.RunID)
	})
}

// lintAll is the most findings that are asked for at once.
const lintAll = 10000

func (a *app) lintCmd() *cobra.Command {
	var strict bool
	c := &cobra.Command{
		Use:   "lint",
		Short: "Look for what is wrong with the wiki: dead links, lost sources, old conflicts; changes nothing",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return do(cmd.Context(), a, operations.Lint, api.LongPage{Limit: lintAll}, a.printLint, func(r api.LintResult) error {
				if strict && r.Total > 0 {
					return &codeError{exitIncomplete, fmt.Errorf("%s in the wiki", count(r.Total, "finding"))}
				}
				return nil
			})
		},
	}
	c.Flags().BoolVar(&strict, "strict", false, "exit with 5 when anything is found")
	return c
}
