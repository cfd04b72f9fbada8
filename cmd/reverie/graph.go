package main

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/operations"
)

func (a *app) graphCmd() *cobra.Command {
	c := &cobra.Command{
		Use: "graph", Short: "Ask the knowledge graph: who relates to what, since when and until when",
		Args: cobra.NoArgs, RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	c.AddCommand(a.graphQueryCmd(), a.graphAskCmd(), a.graphTimelineCmd(), a.graphPathCmd(), a.graphAddCmd(), a.graphEndCmd(),
		a.graphStatsCmd())
	return c
}

func (a *app) printTriples(list []api.Triple) {
	if len(list) == 0 {
		a.print("nothing is known about that\n")
	}
	for _, t := range list {
		when := "undated"
		if t.ValidFrom != "" {
			when = "since " + t.ValidFrom
		} else if t.Said != "" {
			when = "said " + t.Said
		}
		if t.ValidTo != "" {
			when = cmp.Or(t.ValidFrom, "…") + " until before " + t.ValidTo
		}
		if len(t.Replaced) > 0 {
			when += "; before: " + strings.Join(t.Replaced, ", ")
		}
		if len(t.Against) > 0 {
			when += "; contradicts " + strings.Join(t.Against, ", ")
		}
		if t.Origin != "" {
			when += "; " + t.Origin
		}
		if t.EndedBy != "" {
			when += "; ended by: " + t.EndedBy
		}
		a.print("%s  %s — %s — %s  (%s)\n", t.TripleID, oneLine(t.Subject, 100), oneLine(strings.ReplaceAll(t.Predicate, "_", " "), 100),
			oneLine(t.Object, 100), oneLine(when, 300))
	}
}

func (a *app) printGraph(r api.GraphResult) {
	if len(r.Ambiguous) > 0 {
		a.print("several may be meant:\n")
		for _, e := range r.Ambiguous {
			a.print("  %s\n", oneLine(e.Name, 200))
		}
	}
	if r.Guess && r.Entity != nil {
		a.print("nothing has the name; the closest is %s:\n", oneLine(r.Entity.Name, 200))
	}
	if r.More {
		a.print("the newest %d, see --limit:\n", len(r.Triples))
	}
	if len(r.Triples) > 0 || len(r.Ambiguous) == 0 {
		a.printTriples(r.Triples)
	}
}

func (a *app) graphQueryCmd() *cobra.Command {
	var q api.GraphQuery
	c := &cobra.Command{
		Use: "query ENTITY", Short: "Show the triples of somebody or something",
		Example: "  reverie graph query \"Marek's sister Anna\" --as-of 2024-05-01",
	}
	verb(a, c, operations.GraphQuery, &q, a.printGraph, &q.Entity)
	f := c.Flags()
	f.StringVar(&q.AsOf, "as-of", "", "only what held on that day, YYYY-MM-DD")
	f.StringVar(&q.AsOfBy, "as-of-by", "", "the graph as it stood that day: of what had been said by then, or filed")
	f.StringVar(&q.Direction, "direction", "both", "both, outgoing or incoming")
	f.StringVar(&q.Predicate, "predicate", "", "only this one, in any wording")
	f.IntVar(&q.Limit, "limit", 200, "how many, the newest ones")
	a.projectFlag(c, &q.Project)
	return c
}

func (a *app) graphAskCmd() *cobra.Command {
	var q api.GraphQuestion
	c := &cobra.Command{
		Use: "ask QUESTION", Short: "Ask in plain words",
		Example: `  reverie graph ask "What did we use before PostgreSQL?"`,
	}
	verb(a, c, operations.GraphAsk, &q, func(r api.GraphTriples) { a.printTriples(r.Triples) }, &q.Question)
	thenFlags(c, (*api.Then)(&q.ThenAsked))
	a.projectFlag(c, &q.Project)
	return c
}

func (a *app) graphTimelineCmd() *cobra.Command {
	var q api.GraphTimeline
	c := &cobra.Command{Use: "timeline [ENTITY]", Short: "List triples by their first day", Args: cobra.MaximumNArgs(1)}
	verb(a, c, operations.GraphTimeline, &q, a.printGraph, &q.Entity)
	thenFlags(c, &q.Then)
	c.Flags().IntVar(&q.Limit, "limit", 200, "how many, the newest ones")
	a.projectFlag(c, &q.Project)
	return c
}

func (a *app) graphPathCmd() *cobra.Command {
	var q api.GraphPath
	c := &cobra.Command{Use: "path FROM TO", Short: "Find the shortest way between two"}
	verb(a, c, operations.GraphPath, &q, a.printGraph, &q.From, &q.To)
	c.Flags().StringVar(&q.AsOf, "as-of", "", "over what held on that day, YYYY-MM-DD")
	c.Flags().StringVar(&q.AsOfBy, "as-of-by", "", "the graph as it stood that day: of what had been said by then, or filed")
	a.projectFlag(c, &q.Project)
	return c
}

// thenFlags adds the flags for the graph as it stood.
func thenFlags(c *cobra.Command, t *api.Then) {
	c.Flags().StringVar(&t.AsOf, "as-of", "", "the graph as it stood when that day ended, YYYY-MM-DD")
	c.Flags().StringVar(&t.AsOfBy, "as-of-by", "", "what is later: what was said later (default), or filed")
}

func (a *app) graphAddCmd() *cobra.Command {
	var t api.GraphAdd
	c := &cobra.Command{
		Use: "add SUBJECT PREDICATE OBJECT", Short: "Assert that something holds",
		Example: "  reverie graph add Alice \"works at\" Acme --from 2026-01-01",
	}
	verb(a, c, operations.GraphAdd, &t, func(r api.GraphAdded) { a.print("%s\n", r.TripleID) }, &t.Subject, &t.Predicate, &t.Object)
	c.Flags().StringVar(&t.ValidFrom, "from", "", "first day on which it holds, YYYY-MM-DD")
	a.projectFlag(c, &t.Project)
	return c
}

func (a *app) graphEndCmd() *cobra.Command {
	var t api.GraphInvalidate
	c := &cobra.Command{Use: "end SUBJECT PREDICATE OBJECT", Short: "Say that something no longer holds"}
	verb(a, c, operations.GraphInvalidate, &t, func(r api.GraphEnded) { a.print("ended: %d\n", r.Ended) }, &t.Subject, &t.Predicate, &t.Object)
	c.Flags().StringVar(&t.Ended, "on", "", "first day on which it no longer holds, YYYY-MM-DD; today where it is not given")
	a.projectFlag(c, &t.Project)
	return c
}

func (a *app) graphStatsCmd() *cobra.Command {
	c := &cobra.Command{Use: "stats", Short: "Count entities and triples"}
	var q api.GraphCount
	thenFlags(c, &q.Then)
	return verb(a, c, operations.GraphStats, &q, func(s api.GraphStats) {
		a.print("%d entities, %d triples: %d hold, %d ended\n", s.Entities, s.Triples, s.CurrentFacts, s.ExpiredFacts)
		for _, p := range byCount(s.RelationshipTypes) {
			a.print("%7d  %s\n", s.RelationshipTypes[p], oneLine(p, 100))
		}
	})
}

// byCount are the keys with the highest counts first.
func byCount(counts map[string]int) []string {
	return slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(counts[b]-counts[a], strings.Compare(a, b))
	})
}
