package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/config"
	"github.com/reverie-memory/reverie/operations"
)

func (a *app) statusCmd() *cobra.Command {
	c := &cobra.Command{Use: "status", Short: "Describe the workspace: rows, engine, what is pending, what is degraded"}
	return verb(a, c, operations.Status, &api.Nothing{}, a.printStatus)
}

func (a *app) printStatus(s api.Status) {
	row := func(name, format string, args ...any) { a.print("%-12s %s\n", name, fmt.Sprintf(format, args...)) }
	row("vault", "%s (workspace %s)", s.Vault, s.Workspace)
	row("engine", "%s", strings.TrimSuffix(s.Engine+". "+s.EngineNote, ". "))
	row("embedder", "%s, %d dimensions", s.Embedder.Name, s.Embedder.Dim)
	row("extractor", "%s", s.Extractor)
	if m := s.Model; m != nil {
		row("model", "%s, %d of %d tokens today", m.Name, m.Today, m.Daily)
		if m.Program != "" {
			row("", "runs %s", m.Program)
		}
		if m.Problem != "" {
			row("", "%s", oneLine(m.Problem, 500))
		}
	}
	total := 0
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(s.Rows)) {
		total += s.Rows[k]
		parts = append(parts, fmt.Sprintf("%s %d", k, s.Rows[k]))
	}
	row("rows", "%d (%s)", total, strings.Join(parts, ", "))
	row("palace", "%d drawers, %d wings, %d rooms", s.Drawers, s.Wings, s.Rooms)
	row("index", "generation %d, %.1f MB, %d fragments, %d files to read, %d vectors to come",
		s.Index.Generation, float64(s.Index.Bytes)/1e6, s.Index.Fragments, s.Index.StaleFiles, s.Index.Pending)
	row("intake", "%d queued, %d deferred, %d resting, %d failed", s.Intake.Queued, s.Intake.Deferred, s.Intake.Resting, s.Intake.Failed)
	row("dream", "%s pending, %d of today, consolidated up to %s", count(s.FactsPending, "fact"), s.Dream.FactsToday,
		cmp.Or(s.Watermark, "no day yet"))
	if s.FactsAside > 0 {
		row("", "%s of isolated projects stay in their logs", count(s.FactsAside, "fact"))
	}
	if r := s.Dream.Running; r != nil {
		row("", "running: %s, %d of %d %s", r.Phase, r.Done, r.Total, r.Unit)
	} else if h := s.Dream.Steps; h != nil {
		row("", "%s is dreaming step by step, until %s or its next step", oneLine(h.Agent, 100), when(h.Until))
	}
	if r := s.Dream.LastReport; r != nil {
		row("", "last run %s of %s: %s", r.RunID, when(r.Started), r.Status)
	}
	for _, g := range s.Dream.Gate {
		row("", "%s", g)
	}
	for _, h := range s.Capture {
		since := "not set up, none is read"
		if h.Since != "" {
			since = "captured since " + when(h.Since)
		}
		row("capture", "%s: %s, %s", h.Host, count(h.Files, "transcript"), since)
		for _, p := range h.Problems {
			row("", "%s", p)
		}
	}
	for _, p := range s.Problems {
		row("kept as is", "%s: %s", placeOf(p.File, p.Line), oneLine(p.Reason, 500))
	}
	for _, d := range s.Degraded {
		row("degraded", "%s", d)
	}
}

func (a *app) reindexCmd() *cobra.Command {
	req := api.Reindex{ClearExisting: true}
	c := &cobra.Command{Use: "reindex", Short: "Rebuild the index from the files, serving the old one meanwhile", Args: cobra.NoArgs}
	c.Flags().BoolVar(&req.ClearExisting, "clear-existing", true, "rebuild everything; false looks only at what changed")
	return a.jobVerb(c, func(ctx context.Context, m memory, _ []string) (api.Job, error) {
		ref, err := operations.Reindex.Ask(ctx, m, req) // does not wait: asking for the job shows its progress
		if err != nil {
			return api.Job{}, err
		}
		return operations.Job.Ask(ctx, m, api.ByID{ID: ref.JobID})
	}, func(job api.Job) {
		if job.State == "done" && job.Total == 0 {
			a.print("%s done: no file had changed\n", job.ID)
			return
		}
		a.print("%s %s: %d of %d %s\n", job.ID, job.State, job.Done, job.Total, job.Unit)
	})
}

// follow shows a job's progress until it ends.
func (a *app) follow(ctx context.Context, mem memory, job api.Job) (api.Job, error) {
	bar := a.progress(job.Kind)
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		bar.set(job.Done, job.Total)
		switch job.State {
		case "done":
			bar.finish()
			return job, nil
		case "failed":
			bar.finish()
			return job, errors.New(job.Error)
		}
		select {
		case <-ctx.Done():
			return job, ctx.Err()
		case <-tick.C:
		}
		var err error
		if job, err = operations.Job.Ask(ctx, mem, api.ByID{ID: job.ID}); err != nil {
			return job, err
		}
	}
}

func (a *app) verifyCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "verify",
		Short: "Prove that the index equals a rebuild from the files",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return do(cmd.Context(), a, operations.Verify, api.Nothing{}, func(r api.VerifyResult) {
				a.print("rows %d, missing %d, stale %d\n", r.Rows, r.Missing, r.Stale)
				for _, d := range r.Details {
					a.print("  %s\n", d)
				}
			}, func(r api.VerifyResult) error {
				if !r.OK {
					return &codeError{exitIncomplete, errors.New("the index differs from the files; `reverie reindex` makes it anew")}
				}
				return nil
			})
		},
	}
}

func (a *app) usageCmd() *cobra.Command {
	c := &cobra.Command{Use: "usage", Short: "Tell what models cost, by day, purpose and model"}
	return verb(a, c, operations.Usage, &api.Nothing{}, func(u api.Usage) {
		a.print("today %d of %d tokens; the ledger is %s in the vault\n", u.Today, u.Daily, u.Ledger)
		for _, d := range u.Days {
			a.print("%s  %-10s %-30s %6d calls %10d in %10d out\n", d.Day, d.Purpose, d.Provider+"/"+d.Model, d.Calls, d.Input, d.Output)
		}
	})
}

func (a *app) configCmd() *cobra.Command {
	show := func(*cobra.Command, []string) error {
		cfg, err := a.settings()
		if err != nil {
			return err
		}
		return a.tell(cfg.Map(), func() { a.print("%s", cfg.String()) })
	}
	c := &cobra.Command{
		Use: "config", Short: "Show the settings in force, or a commented file of the defaults", Args: cobra.NoArgs,
		RunE: show,
	}
	c.AddCommand(
		&cobra.Command{Use: "show", Short: "Print the settings in force, secrets masked", Args: cobra.NoArgs, RunE: show},
		&cobra.Command{
			Use: "default", Short: "Print a commented settings file with all defaults", Args: cobra.NoArgs,
			RunE: func(*cobra.Command, []string) error {
				if ok, err := a.emit(config.Default().Map()); ok {
					return err
				}
				return config.WriteDefault(a.out)
			},
		},
	)
	return c
}

func (a *app) versionCmd() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return a.tell(map[string]string{
				"version": version, "go": runtime.Version(),
				"platform": runtime.GOOS + "/" + runtime.GOARCH,
			}, func() { a.print("reverie %s (%s, %s/%s)\n", version, runtime.Version(), runtime.GOOS, runtime.GOARCH) })
		},
	}
}
