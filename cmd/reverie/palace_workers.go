package main

import (
	"cmp"
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
		a.printStanding(s.States, s.Tiers, s.Archived)
		a.printSizes(s.Sizes)
		for _, w := range s.Workers {
			a.printWorker(w)
		}
	})
}

func (a *app) palaceStatusCmd() *cobra.Command {
	c := &cobra.Command{Use: "status", Short: "Count drawers by wing, room, hall, state and tier, beside what is usual"}
	return verb(a, c, operations.PalaceStatus, &api.Asker{}, func(s api.PalaceStatus) {
		a.printCount("", "drawers", s.TotalDrawers)
		for _, w := range s.Wings {
			a.printCount("", "wing "+cmp.Or(w.Wing, unnamed), w.Count)
		}
		for _, r := range s.Rooms {
			a.printCount("", "room "+cmp.Or(r.Room, unnamed), r.Count)
		}
		for _, h := range s.Halls {
			a.printCount("", "hall "+cmp.Or(h.Hall, unnamed), h.Count)
		}
		a.print("Of the whole palace:\n")
		a.printStanding(s.States, s.Tiers, s.Archived)
		a.printSizes(s.Sizes)
	})
}

func (a *app) printStanding(states, tiers map[string]int, archived int) {
	for _, counts := range []map[string]int{states, tiers} {
		for _, name := range slices.Sorted(maps.Keys(counts)) {
			a.printCount("", name, counts[name])
		}
	}
	a.printCount("", "archived", archived)
}

func (a *app) printSizes(sizes []api.PalaceSize) {
	for _, n := range sizes {
		beside := fmt.Sprintf("%s (usual: up to %d)", n.Of, n.Usual)
		if n.Count > n.Usual {
			beside = fmt.Sprintf("%s (more than the usual %d, which stops nothing)", n.Of, n.Usual)
		}
		a.printCount("", beside, n.Count)
	}
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
