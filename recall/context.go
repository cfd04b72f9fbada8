package recall

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/trust"
)

// A ContextRequest asks for a block of memory to put before a conversation.
type ContextRequest struct {
	Query            string // "" for no search
	Wing, Room, Hall string
	Profile          string         // of the search; "" is DefaultProfile
	Flags            map[string]any // of the profile
	K                int            // rows of the search; 0 is DefaultFound
	Budget           int            // characters of the whole text; 0 is DefaultBudget
	DryRun           bool           // leaves no record in the Sink
	AsOf             AsOf           // what came later does not exist

	// Known gives lines of the knowledge graph that bear on the query of whose memory it is, "" when unknown; they stand before what was
	// found. Nil: none are told.
	Known func(owner string) []trust.Said

	// Core blocks, as they are in the vault.
	Persona, User, Memory string
}

// A ContextResult is a block of memory. Text is fenced as data and not longer than the budget. But for the receipt it depends on the
// request and on what is remembered alone.
type ContextResult struct {
	Composed
	Receipt  string
	Degraded []string
}

// Context gathers what a conversation should know and composes it.
func (s *Searcher) Context(ctx context.Context, req ContextRequest) (ContextResult, error) {
	m := Material{Persona: req.Persona, User: req.User, Memory: req.Memory, Budget: req.Budget}
	s, warnings, err := s.at(ctx, req.AsOf)
	if err != nil {
		return ContextResult{}, err
	}
	var degraded []string
	if strings.TrimSpace(req.Query) != "" {
		var in catalog.Filter
		if req.Room != "" || req.Hall != "" { // a wing alone says where the question is asked, and not where its answer stands
			in = catalog.Filter{Wing: req.Wing, Room: req.Room, Hall: req.Hall}
		}
		res, err := s.Search(ctx, Query{
			Text: req.Query, Profile: req.Profile, Flags: req.Flags, K: min(cmp.Or(req.K, DefaultFound), MaxFound), Filter: in, DryRun: true,
		})
		if err != nil {
			return ContextResult{}, err
		}
		for _, h := range res.Hits {
			m.Found = append(m.Found, h.Row)
		}
		warnings, degraded = append(warnings, res.Warnings...), res.Degraded
	} else if s.Degraded != nil {
		degraded = s.Degraded()
	}
	owner := s.Owner()
	if req.Known != nil {
		for _, k := range req.Known(owner) {
			if trust.Bar(k, trust.Context) == "" {
				m.Known = append(m.Known, "- "+oneLine(k.Text))
			}
		}
	}
	m.Admit = func(r *catalog.Row) bool { return s.unasked(r, owner) }
	if m.Essential, err = s.essential(ctx, req.Wing); err != nil {
		return ContextResult{}, fmt.Errorf("choosing what is essential: %w", err)
	}
	if place := (catalog.Filter{Wing: req.Wing, Room: req.Room, Hall: req.Hall, Standing: true}); req.Wing+req.Room+req.Hall != "" {
		m.Demanded, err = s.Index.List(ctx, place, 4*demandRows, 0)
		if err != nil {
			return ContextResult{}, fmt.Errorf("listing wing and room: %w", err)
		}
	}
	out := ContextResult{Composed: m.Compose(), Receipt: NewReceipt(), Degraded: degraded}
	out.Warnings = append(out.Warnings, warnings...)
	if s.Sink != nil && !req.DryRun {
		s.Sink.Record(Record{
			Time: s.now().UTC(), QueryHash: QueryHash(req.Query), Receipt: out.Receipt, Rows: slices.Concat([]string{}, out.Rows["L3"]),
			Shown: slices.Concat(out.Rows["L1"], out.Rows["L2"]), Snippet: clip(oneLine(out.Layers["L3"]), 120),
		})
	}
	return out, nil
}

// Owner is whose memory this is, "" when that is not clear, judged from everything that is known and not from what one request is about.
func (s *Searcher) Owner() string {
	var said trust.Votes
	for speaker, n := range s.Index.Speakers(standing) {
		said.Count(speaker, n)
	}
	return said.Owner()
}

// unasked says whether a row may be told to who did not ask for it. What stands on a page without a source may have been pasted there.
func (s *Searcher) unasked(r *catalog.Row, owner string) bool {
	return trust.Bar(trust.Said{
		Text: r.Text, Origin: r.Origin, Speaker: r.Speaker, Owner: owner, Loose: r.Source == catalog.Notebook && len(r.Cites) == 0,
	}, trust.Context) == ""
}
