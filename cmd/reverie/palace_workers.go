package main

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/operations"
	"github.com/reverie-memory/reverie/palace/worker"
)

func (a *app) palaceRunCmd() *cobra.Command {
	c := &cobra.Command{
		Use: "run process|enrich|maintain|centroids", Short: "Have one of the palace's workers work now",
		Args: cobra.MatchAll(cobra.ExactArgs(1), cobra.OnlyValidArgs), ValidArgs: worker.Names,
	}
	return a.jobVerb(c, func(ctx context.Context, m memory, args []string) (api.Job, error) {
		return operations.PalaceRun.Ask(ctx, m, api.PalaceRun{Worker: args[0]})
	}, func(job api.Job) { a.print("%s %s: %s\n", job.ID, job.State, count(job.Done, "drawer")) })
}

func (a *app) palaceStatsCmd() *cobra.Command {
	c := &cobra.Command{Use: "stats", Short: "Count drawers by state and tier, and tell when the workers ran"}
	return verb(a, c, operations.PalaceWorkers, &api.Nothing{}, func(s api.PalaceWorkers) {
		for _, counts := range []map[string]int{s.States, s.Tiers} {
			for _, name := range slices.Sorted(maps.Keys(counts)) {
				a.printCount("", name, counts[name])
			}
		}
		a.printCount("", "archived", s.Archived)
		for _, n := range s.Sizes {
			more := ""
			if n.Count > n.Usual {
				more = fmt.Sprintf(" (more than the usual %d, which stops nothing)", n.Usual)
			}
			a.printCount("", n.Of+more, n.Count)
		}
		for _, w := range s.Workers {
			a.printWorker(w)
		}
	})
}

func (a *app) printWorker(w api.PalaceWorker) {
	last := "never ran"
	if w.Last != "" {
		last = "ran " + when(w.Last) + ", " + count(w.Done, "drawer")
	}
	switch {
	case w.Running:
		last += "; runs now"
	case w.Idle != "":
		last += "; idle: " + w.Idle
	case w.Next != "":
		last += "; next " + when(w.Next)
	}
	a.print("%-10s %s\n", w.Name, last)
	if w.Note != "" {
		a.print("%-10s %s\n", "", oneLine(w.Note, 500))
	}
	if w.Failures > 0 {
		a.print("%-10s failed %s in a row: %s\n", "", count(w.Failures, "time"), oneLine(w.Error, 500))
	}
}
