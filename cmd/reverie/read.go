package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/operations"
	"github.com/reverie-memory/reverie/trust"
	"github.com/reverie-memory/reverie/vault"
)

func (a *app) searchCmd() *cobra.Command {
	req := api.Search{Filters: &api.Filters{}}
	var from, to, asOf string
	var strict bool
	var flags map[string]string
	c := &cobra.Command{
		Use:     "search QUESTION...",
		Short:   "Find what is known about a question",
		Example: `  reverie search "where does Alice live" -k 5`,
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			req.Query, req.Flags = strings.Join(args, " "), flagValues(flags)
			if req.K < 1 {
				return usageError("-k %d: want at least 1", req.K) // the request would take it for the default
			}
			for _, d := range []struct {
				name, text string
				into       **api.Moment
			}{{"--from", from, &req.Filters.From}, {"--to", to, &req.Filters.To}, {"--as-of", asOf, &req.AsOf}} {
				var err error
				if *d.into, err = parseMoment(d.name, d.text); err != nil {
					return err
				}
			}
			return do(cmd.Context(), a, operations.Search, req, a.printHits, func(r api.SearchResult) error {
				if strict && len(r.Degraded) > 0 {
					return &codeError{exitIncomplete, fmt.Errorf("degraded: %s", strings.Join(r.Degraded, "; "))}
				}
				return nil
			})
		},
	}
	f := c.Flags()
	f.IntVarP(&req.K, "k", "k", 10, "how many hits")
	f.StringSliceVar(&req.Filters.SourceType, "source", nil, "archive_log, notebook, core_file, drawer, closet or diary")
	f.StringVar(&req.Agent, "agent", "", "who asks; an agent sees its own diary")
	f.StringVar(&req.Filters.Wing, "wing", "", "only this wing")
	f.StringVar(&req.Filters.Room, "room", "", "only this room")
	f.StringVar(&req.Filters.Hall, "hall", "", "only this hall")
	f.StringVar(&req.Filters.Category, "category", "", "only this category")
	f.StringSliceVar(&req.Filters.Tags, "tag", nil, "only with this tag")
	f.StringVar(&req.Filters.Speaker, "speaker", "", "only what this person said")
	f.StringVar(&from, "from", "", "not before this day or time")
	f.StringVar(&to, "to", "", "before this day or time")
	f.StringVar(&req.Filters.ChatID, "chat", "", "only this conversation")
	f.StringVar(&asOf, "as-of", "", "answer as the memory stood at this time, or when this day ended")
	f.StringVar(&req.AsOfBy, "as-of-by", "", "said: leave out what was said later (default); filed: and what was only filed later")
	f.BoolVar(&req.Explain, "explain", false, "show what each score is made of")
	f.StringVar(&req.Profile, "profile", "", "rank by this profile of recall (default: recall.profile of the settings)")
	f.StringToStringVar(&flags, "flag", nil, "set this flag of the profile for this search, as NAME=VALUE")
	f.BoolVar(&req.CandidateTrace, "trace", false, "list every row that was considered, and why it is no hit")
	f.BoolVar(&req.DryRun, "dry-run", false, "leave no trace in the recall log")
	f.BoolVar(&strict, "strict", false, "exit with 5 when the answer is degraded")
	a.projectFlag(c, &req.Filters.Wing)
	return c
}

// parseMoment reads a flag; nil where it was not given.
func parseMoment(flag, text string) (*api.Moment, error) {
	if text == "" {
		return nil, nil
	}
	var m api.Moment
	if err := m.UnmarshalText([]byte(text)); err != nil {
		return nil, usageError("%s: %v", flag, err)
	}
	return &m, nil
}

func (a *app) printHits(r api.SearchResult) {
	if len(r.Hits) == 0 {
		a.print("nothing is known about that\n")
		if r.Weak > 0 {
			a.print("to see what is nearest to it, add --flag min_score=0\n")
		}
	}
	for i, h := range r.Hits {
		a.print("%2d. %s\n", i+1, oneLine(h.Text, 200))
		weak := ""
		if h.Weak {
			weak = "weak"
		}
		a.printWhere(h.Row, h.MatchedVia, fmt.Sprintf("%.2f", h.Score), weak)
		for _, name := range slices.Sorted(maps.Keys(h.ScoreBreakdown)) {
			a.print("      %-20s %.4f\n", name, h.ScoreBreakdown[name])
		}
	}
	for _, c := range r.Trace.Candidates {
		a.print("considered %3d. %s · %.3f · %s\n", c.Rank, c.ID, c.Score, cmp.Or(oneLine(c.Dropped, 200), "a hit"))
	}
	a.warnings(r.Warnings)
	a.warn(r.Degraded)
}

func (a *app) warnings(list []string) {
	for _, w := range list {
		fmt.Fprintf(a.err, "warning: %s\n", w)
	}
}

// printWhere tells where a row stands, when, whose words they are, and what else there is to tell.
func (a *app) printWhere(r api.Row, more ...string) {
	day, _, _ := strings.Cut(r.Date, "T")
	a.print("    %s", placeOf(r.SourceFile, r.Line))
	for _, part := range append([]string{day, trust.Label(vault.Origin(r.Origin)), r.Speaker}, more...) {
		if part != "" {
			a.print(" · %s", oneLine(part, 200))
		}
	}
	a.print("\n")
}

func (a *app) showCmd() *cobra.Command {
	var id api.RowID
	c := &cobra.Command{Use: "show ID", Short: "Show one thing that is remembered, by its id"}
	verb(a, c, operations.Row, &id, func(r api.Row) {
		a.print("%s\n", oneLine(r.Text, 10000))
		a.printWhere(r)
	}, &id.ID)
	c.Flags().StringVar(&id.Agent, "agent", "", "who asks; an agent sees its own diary")
	c.Flags().StringVar(&id.Wing, "wing", "", "project that asks; an isolated one sees its own memory")
	return c
}

func (a *app) whyCmd() *cobra.Command {
	var id api.ReceiptID
	c := &cobra.Command{Use: "why RECEIPT", Short: "Tell how an answer came about, and what changed since"}
	verb(a, c, operations.Why, &id, a.printReplay, &id.ID)
	c.Flags().StringVar(&id.Agent, "agent", "", "who asks; an agent sees its own diary")
	c.Flags().StringVar(&id.Wing, "wing", "", "project that asks; an isolated one sees its own memory")
	return c
}

func (a *app) printReplay(r api.Replay) {
	a.print("%s", r.At)
	if r.Query != "" {
		a.print(": %s", oneLine(r.Query, 200))
	}
	a.print("\n")
	for _, h := range r.Hits {
		a.print("%2d. %s %s\n", h.Rank, h.ID, oneLine(h.Text, 160))
		if h.Change != "" {
			a.print("      %s\n", h.Change)
		}
		all := maps.Clone(h.Shifts)
		if all == nil {
			all = map[string]float64{}
		}
		maps.Copy(all, h.Parts)
		for _, name := range slices.Sorted(maps.Keys(all)) {
			a.print("      %-20s %.4f", name, h.Parts[name])
			if by, ok := h.Shifts[name]; ok {
				a.print(", now %.4f", h.Parts[name]+by)
			}
			a.print("\n")
		}
	}
	for _, h := range r.New {
		a.print("now %d. %s %s\n      %s\n", h.RankNow, h.ID, oneLine(h.Text, 160), h.Change)
	}
	switch {
	case !r.Replayed && len(r.Changes) == 0:
		a.print("the question was not kept: only what it found is known (set replay.enabled to keep questions)\n")
	case r.Same:
		a.print("asked again, it finds the same\n")
	}
	for _, c := range append(r.Changes, r.Degraded...) {
		a.print("%s\n", c)
	}
}

func (a *app) contextCmd() *cobra.Command {
	var req api.Context
	var asOf string
	c := &cobra.Command{
		Use:   "context [QUESTION...]",
		Short: "Print a block of memory to put before a conversation",
		Args:  cobra.ArbitraryArgs,
		PreRunE: func(_ *cobra.Command, args []string) (err error) {
			req.Query = strings.Join(args, " ")
			req.AsOf, err = parseMoment("--as-of", asOf)
			return err
		},
	}
	verb(a, c, operations.Context, &req, func(r api.ContextResult) {
		a.print("%s\n", r.Text)
		a.warnings(r.Warnings)
		a.warn(r.Degraded)
	})
	c.Flags().StringVar(&req.Wing, "wing", "", "wing")
	c.Flags().StringVar(&req.Room, "room", "", "room")
	c.Flags().StringVar(&req.Hall, "hall", "", "hall")
	c.Flags().StringVar(&req.Agent, "agent", "", "agent")
	c.Flags().IntVarP(&req.K, "k", "k", 0, "how many rows the question may find (default 5)")
	c.Flags().IntVar(&req.Budget, "budget", 0, "characters (default 14000)")
	c.Flags().StringVar(&asOf, "as-of", "", "the block as it would have been at this time, or when this day ended")
	c.Flags().StringVar(&req.AsOfBy, "as-of-by", "", "said: leave out what was said later (default); filed: and what was only filed later")
	c.Flags().BoolVar(&req.DryRun, "dry-run", false, "leave no trace in the recall log")
	a.projectFlag(c, &req.Wing)
	return c
}

func (a *app) sessionContextCmd() *cobra.Command {
	var req api.SessionContext
	var used float64
	c := &cobra.Command{
		Use:   "session-context",
		Short: "Tell what to keep and what may go when an assistant's context is shortened",
		PreRunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("context-used") {
				req.ContextUsed = &used
			}
			return nil
		},
	}
	verb(a, c, operations.SessionContext, &req, func(r api.SessionContextResult) {
		if !r.Due {
			a.print("Nothing to do below %v of the context.\n", r.Trigger)
			return
		}
		switch {
		case r.Text != "":
			a.print("%s\n", r.Text)
		case r.WouldArchive == 0:
			a.print("The memory has nothing of these days that must be kept in mind, and nothing to put away.\n")
		}
		if r.WouldArchive > 0 {
			a.print("%s that newer ones tell may be put away: reverie palace compact\n", count(r.WouldArchive, "drawer"))
		}
		a.warn(r.Degraded)
	})
	c.Flags().Float64Var(&used, "context-used", 0, "the share of the context that is used, 0 to 1; default: it is shortened now")
	c.Flags().StringVar(&req.Wing, "wing", "", "leave out what belongs to other wings")
	c.Flags().StringVar(&req.Agent, "agent", "", "agent")
	c.Flags().BoolVar(&req.DryRun, "dry-run", false, "leave no trace in the recall log")
	a.projectFlag(c, &req.Wing)
	return c
}

func (a *app) pageCmd() *cobra.Command {
	var req api.PageQuery
	c := &cobra.Command{
		Use: "page PATH", Short: "Show a page or a core block as assistants read it, of now or as it stood",
		Example: "  reverie page 2_Wiki/Concepts/Tea.md\n  reverie page memory/MEMORY.md --as-of 2026-05-01",
	}
	verb(a, c, operations.Page, &req, func(r api.PageText) {
		a.print("%s\n", strings.TrimRight(r.Text, "\n"))
		if r.Clipped {
			a.warn([]string{"the page is longer than what is shown"})
		}
		a.warn(r.Warnings)
	}, &req.Path)
	c.Flags().StringVar(&req.AsOf, "as-of", "", "as it stood then: a day, or an RFC 3339 time")
	c.Flags().StringVar(&req.AsOfBy, "as-of-by", "", "filed: lines of yours count from when Reverie first saw them; said (default)")
	a.projectFlag(c, &req.Wing)
	return c
}

func (a *app) briefCmd() *cobra.Command {
	var req api.Brief
	c := &cobra.Command{
		Use:   "brief",
		Short: "Tell what is new since the last visit, and what is open",
		Long: "Tell what is new since the last visit of --agent, which questions and tasks are open, and what dreams did, " +
			"in at most 800 tokens.\n" +
			"Asking is a visit; --peek looks without one.",
	}
	verb(a, c, operations.Brief, &req, func(r api.BriefResult) {
		a.print("%s\n", r.Text)
		a.warn(r.Degraded)
	})
	c.Flags().StringVar(&req.Agent, "agent", "", "who visits")
	c.Flags().StringVar(&req.Wing, "wing", "", "leave out what belongs to other wings")
	c.Flags().BoolVar(&req.Peek, "peek", false, "do not count as a visit")
	a.projectFlag(c, &req.Wing)
	return c
}
