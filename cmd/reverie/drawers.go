package main

import (
	"cmp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/operations"
)

func (a *app) drawersCmd() *cobra.Command {
	var q api.DrawerQuery
	c := &cobra.Command{Use: "drawers", Short: "List drawers, those that were said last first"}
	verb(a, c, operations.ListDrawers, &q, func(r api.DrawerPage) {
		for _, d := range r.Drawers {
			a.print("%s  %s  %s\n    %s\n", d.ID, d.Date, drawerPlace(d), oneLine(d.Text, 200))
		}
		if r.Next != "" {
			a.print("More: --cursor %s\n", r.Next)
		}
	})
	f := c.Flags()
	f.StringVar(&q.Wing, "wing", "", "only this wing")
	f.StringVar(&q.Room, "room", "", "only this room")
	f.StringVar(&q.Hall, "hall", "", "only this hall")
	f.StringVar(&q.Agent, "agent", "", "only those that this agent filed")
	f.StringVar(&q.ChatID, "chat", "", "only this conversation")
	f.StringVar(&q.Type, "type", "", "only this type of memory: decision, preference, milestone, problem, emotional, fact or task")
	f.StringVar(&q.State, "state", "", "only this state: raw, processed, merged or failed")
	f.StringVar(&q.Tier, "tier", "", "only those of which this decided the type: heuristic, centroid or llm")
	f.StringVar(&q.SourceFile, "source", "", "only those that were filed by hand as taken from there")
	f.StringVar(&q.AddedBy, "added-by", "", "only those that were filed by hand by whoever that names")
	f.Float64Var(&q.Importance, "importance", 0, "only those that matter so much now, of 5")
	f.BoolVar(&q.Archived, "archived", false, "those that are put away, instead of the others")
	f.StringVar(&q.Since, "since", "", "filed on that day or later")
	f.IntVarP(&q.Limit, "number", "n", 50, "at most so many")
	f.StringVar(&q.Cursor, "cursor", "", "the page behind this place")
	return c
}

func drawerPlace(d api.DrawerRef) string {
	parts := []string{d.MemoryType, d.State, oneLine(strings.Join([]string{d.Wing, d.Room, d.Hall}, "/"), 200)}
	if d.Archived {
		parts = append(parts, "put away: "+oneLine(d.Reason, 200))
	}
	return strings.Join(parts, "  ")
}

func (a *app) drawerCmd() *cobra.Command {
	var in api.DrawerID
	c := &cobra.Command{Use: "drawer ID", Short: "Tell all that is known of a drawer"}
	return verb(a, c, operations.ShowDrawer, &in, func(d api.Drawer) {
		a.print("%s  %s\n%s\n\n", d.ID, drawerPlace(d.DrawerRef), d.Text)
		a.print("said %s, filed %s, in %s\n", d.Date, d.FiledAt, placeOf(d.File, d.Line))
		a.print("importance %.2f, read %d times, rows %d, names %d, triples %d, tries in vain %d\n",
			d.Importance, d.AccessCount, d.Chunks, d.EntityCount, d.TripleCount, d.RetryCount)
		for _, f := range []struct{ name, value string }{
			{"by", d.AddedBy},
			{"agent", d.Agent},
			{"speaker", d.Speaker},
			{"origin", d.Origin},
			{"platform", d.Platform},
			{"conversation", d.ChatID},
			{"turn", d.Turn},
			{"ref", d.Ref},
			{"from", d.SourceFile},
			{"place chosen by", d.WingBy},
			{"tier", d.Tier},
			{"last read", d.LastAccess},
			{"summary", d.Summary},
			{"names", strings.Join(d.Entities, ", ")},
			{"merged into", d.ClusterID},
			{"superseded by", d.SupersededBy},
			{"as found by", d.Evidence},
			{"put away", d.ArchivedAt},
			{"summed up in", d.ConsolidatedInto},
		} {
			if f.value != "" {
				a.print("%s %s\n", f.name, oneLine(f.value, 500))
			}
		}
	}, &in.ID)
}

func (a *app) moveCmd() *cobra.Command {
	var q api.MoveDrawers
	var wing, room, hall string
	c := &cobra.Command{
		Use:   "move (DRAWER... | --chat ID) [--wing W] [--room R] [--hall H]",
		Short: "Move drawers elsewhere, with what was taken from them",
		PreRunE: func(cmd *cobra.Command, args []string) error {
			q.IDs = args
			for name, to := range map[string]struct {
				given string
				field **string
			}{"wing": {wing, &q.Wing}, "room": {room, &q.Room}, "hall": {hall, &q.Hall}} {
				if cmd.Flags().Changed(name) {
					*to.field = &to.given
				}
			}
			return nil
		},
		Args: cobra.ArbitraryArgs,
	}
	verb(a, c, operations.MoveDrawers, &q, a.printChanged("moved"))
	c.Flags().StringVar(&q.ChatID, "chat", "", "all drawers of this conversation")
	c.Flags().StringVar(&wing, "wing", "", `the wing; "" for none`)
	c.Flags().StringVar(&room, "room", "", `the room; "" for none`)
	c.Flags().StringVar(&hall, "hall", "", `the hall; "" for none`)
	return c
}

func (a *app) printChanged(what string) func(api.DrawersChanged) {
	return func(r api.DrawersChanged) { a.print("%s: %d\n", what, r.Drawers) }
}

func (a *app) archiveCmd() *cobra.Command {
	var q api.ArchiveDrawers
	c := &cobra.Command{
		Use: "archive DRAWER...", Short: "Put drawers away, so that searches find them no more", Args: cobra.MinimumNArgs(1),
		PreRunE: rest(&q.IDs),
	}
	verb(a, c, operations.ArchiveDrawers, &q, a.printChanged("put away"))
	c.Flags().StringVar(&q.Reason, "reason", "", "why")
	return c
}

func (a *app) restoreCmd() *cobra.Command {
	var q api.RestoreDrawers
	c := &cobra.Command{
		Use: "restore DRAWER...", Short: "Bring drawers back that were put away", Args: cobra.MinimumNArgs(1), PreRunE: rest(&q.IDs),
	}
	return verb(a, c, operations.RestoreDrawers, &q, a.printChanged("brought back"))
}

func (a *app) compactCmd() *cobra.Command {
	var q api.Compact
	var threshold float64
	var age int
	var flags map[string]string
	c := &cobra.Command{
		Use:   "compact [evaluate | execute | restore ID...]",
		Short: "Put drawers away that newer ones tell, behind a summary, or bring them back",
		Long: `Compact plans which drawers to put away: those that a newer drawer ends or repeats, that are hardly read, and were not for long.
evaluate, which is the default, only says so; execute does it; restore brings back all drawers behind a summary, or one drawer.`,
		ValidArgs: []string{api.CompactEvaluate, api.CompactExecute, api.CompactRestore},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				q.Mode, q.IDs = args[0], args[1:]
			}
			q.Flags = flagValues(flags)
			if cmd.Flags().Changed("threshold") {
				q.Threshold = &threshold
			}
			if cmd.Flags().Changed("age-days") {
				q.AgeDays = &age
			}
			return do(cmd.Context(), a, operations.Compact, q, a.printCompacted)
		},
	}
	c.Flags().Float64Var(&threshold, "threshold", 0, "those whose score is below it; default: compaction.threshold")
	c.Flags().IntVar(&age, "age-days", 0, "and that were not read for longer; default: compaction.age_days")
	c.Flags().StringToStringVar(&flags, "flag", nil, "set this flag of a phase, as NAME=VALUE")
	c.Flags().BoolVar(&q.DryRun, "dry-run", false, "tell what would be done, and write nothing")
	c.Flags().BoolVar(&q.CandidateTrace, "trace", false, "with --json: each batch that was scored")
	return c
}

func (a *app) printCompacted(r api.Compacted) {
	for _, c := range r.Candidates {
		a.print("%s  %-11s  %s\n", c.DrawerID, c.Action, oneLine(c.Reason, 200))
	}
	switch p := r.Pagination; {
	case r.Mode == api.CompactRestore && r.DryRun:
		a.print("would be brought back: %d\n", len(r.Restored))
	case r.Mode == api.CompactRestore:
		a.print("brought back: %d\n", len(r.Restored))
	case r.Mode == api.CompactExecute && !r.DryRun:
		a.print("put away: %d of %d drawers, new summaries: %d\n", r.Archived, p.Total, r.WouldCreateSummaries)
	default:
		a.print("would be put away: %d of %d drawers, new summaries: %d\n", r.WouldArchive, p.Total, r.WouldCreateSummaries)
	}
	if r.Pagination != nil && r.Pagination.ScanDepthReached {
		a.print("There are more drawers; the next execute goes on behind these.\n")
	}
	for _, s := range r.Archives {
		a.print("%s  since %s in the place of %s\n", cmp.Or(s.SummaryID, "(forgotten)"), s.At, strings.Join(s.Drawers, " "))
	}
}

func (a *app) partCmd() *cobra.Command {
	var q api.PartDrawers
	c := &cobra.Command{
		Use: "part DRAWER...", Short: "Part drawers from those that they were merged into or superseded by", Args: cobra.MinimumNArgs(1),
		PreRunE: rest(&q.IDs),
	}
	return verb(a, c, operations.PartDrawers, &q, a.printChanged("parted"))
}

func (a *app) addDrawerCmd() *cobra.Command {
	var q api.NewDrawer
	c := &cobra.Command{Use: "add --wing W --room R TEXT", Short: "File a text word for word"}
	verb(a, c, operations.AddDrawer, &q, func(r api.DrawerAdded) {
		a.print("%s  %s, importance %.2f", r.DrawerID, r.MemoryType, r.Importance)
		if r.Duplicate {
			a.print(", as it was filed before")
		}
		a.print("\n")
	}, &q.Content)
	f := c.Flags()
	f.StringVar(&q.Wing, "wing", "", "the wing")
	f.StringVar(&q.Room, "room", "", "the room")
	f.StringVar(&q.Hall, "hall", "", "the hall")
	f.StringVar(&q.SourceFile, "source", "", "where the text is from")
	f.StringVar(&q.AddedBy, "added-by", "", "who files it")
	return c
}

func (a *app) deleteDrawerCmd() *cobra.Command {
	var in api.DeleteDrawer
	c := &cobra.Command{Use: "delete DRAWER", Short: "Forget a drawer, with the facts that were taken from it"}
	return verb(a, c, operations.DeleteDrawer, &in, func(r api.DrawerDeleted) {
		a.print("forgotten: %d. %s\n", r.Forgotten, r.Note)
	}, &in.DrawerID)
}
