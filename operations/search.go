package operations

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/config"
	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/recall"
	"github.com/reverie-memory/reverie/vault"
)

// search finds what Search shows.
func (m Memory) search(ctx context.Context, s api.Search) (recall.Result, error) {
	s, _, err := admit(m, s)
	if err != nil {
		return recall.Result{}, err
	}
	if err := needsAsOf(s.AsOfBy, s.AsOf != nil); err != nil {
		return recall.Result{}, err
	}
	if s.Filters != nil && slices.Contains(s.Filters.SourceType, string(catalog.Closet)) {
		return recall.Result{}, &api.Error{
			Code: api.Invalid, Detail: "filters.source_type: closets point to drawers and are no hits themselves",
			Hint: "ask for drawer: what a closet found has matched_via closet and the line in closet_preview",
		}
	}
	return m.ask(ctx, s, m.Options.Config.Recall, m.Options.Now)
}

// ask is search for a request that was admitted, with these defaults, by this clock.
func (m Memory) ask(ctx context.Context, s api.Search, defaults config.Recall, now func() time.Time) (recall.Result, error) {
	q := query(s, defaults)
	keeps := m.Reads.Replays() && !s.DryRun
	q.Explain = q.Explain || keeps
	view, err := m.Searches.Of(s.Agent, cmp.Or(s.Wing, q.Filter.Wing))
	if err != nil {
		return recall.Result{}, err
	}
	r, release := m.Searches.Searcher(m.Follower.Settle(ctx), view)
	defer release()
	r.Past, r.Now = m.past(view), now
	res, err := r.Search(ctx, q)
	if err == nil && keeps {
		m.keep(s, q, res, &view, r.Index.Info().Fingerprint)
	}
	return res, err
}

// Search answers a question.
func (m Memory) Search(ctx context.Context, s api.Search) (api.SearchResult, error) {
	res, err := m.search(ctx, s)
	if err != nil {
		return api.SearchResult{}, err
	}
	out := api.SearchResult{
		Hits: make([]api.Hit, len(res.Hits)), Weak: res.Weak, Receipt: res.Receipt, Trace: trace(res.Trace),
		Degraded: uniq(res.Degraded), Warnings: uniq(res.Warnings),
	}
	for i, h := range res.Hits {
		if out.Hits[i] = m.hit(h); !s.Explain {
			out.Hits[i].ScoreBreakdown = nil
			continue
		}
		for _, e := range h.Events {
			out.Hits[i].ScoreEvents = append(out.Hits[i].ScoreEvents, api.ScoreEvent{
				Phase: e.Phase, Part: e.Part, Delta: e.Delta, Score: e.Score, Reason: e.Reason,
			})
		}
	}
	return out, nil
}

func query(s api.Search, defaults config.Recall) recall.Query {
	q := recall.Query{
		Text: s.Query, K: s.K, Agent: vault.AgentName(s.Agent), Profile: cmp.Or(s.Profile, defaults.Profile), Flags: map[string]any{},
		Explain: s.Explain, CandidateTrace: s.CandidateTrace, DryRun: s.DryRun,
	}
	if q.Profile == defaults.Profile { // the settings' flags are those of their profile
		maps.Copy(q.Flags, defaults.Flags)
	}
	maps.Copy(q.Flags, s.Flags)
	q.AsOf = asOf(s.AsOf, s.AsOfBy)
	if f := s.Filters; f != nil {
		q.Filter = catalog.Filter{
			Wing: f.Wing, Room: f.Room, Hall: f.Hall, Category: f.Category, Tags: f.Tags, Speaker: f.Speaker,
			Chat: f.ChatID,
		}
		for _, t := range f.SourceType {
			q.Filter.Source = append(q.Filter.Source, catalog.SourceType(t))
		}
		if f.From != nil {
			q.Filter.From = f.From.First()
		}
		if f.To != nil {
			q.Filter.To = f.To.First()
		}
	}
	return q
}

func (m Memory) hit(h recall.Hit) api.Hit {
	return api.Hit{
		Row: m.row(h.Row, h.Refs), Score: h.Score, Relevance: math.Round(h.Relevance*1000) / 1000, Weak: h.Weak, MatchedVia: h.Via,
		ClosetPreview: h.Preview,
		Unsourced:     h.Row.Source == catalog.Notebook && len(h.Row.Cites) == 0, Also: h.Also,
		ScoreBreakdown: h.Breakdown, SupersededBy: h.SupersededBy,
	}
}

func (m Memory) row(r catalog.Row, refs []string) api.Row {
	out := api.Row{
		ID: r.ID, Text: r.Text, SourceType: string(r.Source), SourceFile: m.Mining.Where(r.File), Line: r.Line, Refs: list(refs),
		Speaker:  r.Speaker,
		Category: r.Category, Tags: list(r.Tags), Wing: r.Wing, Room: r.Room, Hall: r.Hall, ChatID: r.Chat, Origin: string(r.Origin),
	}
	if !r.At.IsZero() {
		out.Date = r.At.UTC().Format(time.RFC3339)
	}
	return out
}

// Row gives one row by its id, as the index has it or, where a dream took it to a page or it is not indexed yet, as the logs, drawers and
// diaries do. What was forgotten, and what the caller may not see, is not found.
func (m Memory) Row(ctx context.Context, q api.RowID) (api.Row, error) {
	view, err := m.Searches.Of(q.Agent, q.Wing)
	if err != nil {
		return api.Row{}, err
	}
	m.Follower.Settle(ctx)
	rows, err := m.Index.Reader().RowsByID(ctx, []string{q.ID})
	if err == nil && len(rows) == 0 {
		rows, err = m.dayRows(ctx, map[string]bool{q.ID: true})
	}
	rows = slices.DeleteFunc(rows, func(r catalog.Row) bool { return !view.Sees(&r) })
	if err == nil && len(rows) == 0 {
		err = fmt.Errorf("memory %q: %w", q.ID, api.NotFound)
	}
	if err != nil {
		return api.Row{}, err
	}
	return m.row(rows[0], rows[0].Refs), nil
}

// dayRows are the rows with these ids that logs and drawers give, whatever dreams took of them.
func (m Memory) dayRows(ctx context.Context, ids map[string]bool) (found []catalog.Row, err error) {
	stones, err := m.Vault.Tombstones()
	if err != nil || stones.Lost() > 0 {
		return nil, err
	}
	look := func(p vault.Path, data []byte) error {
		rows, _ := indexer.Rows(indexer.DefaultSources(m.Vault.Layout()), p, data, indexer.Env{
			Visible: stones.Visible, Moved: m.Drawers.State(),
		})
		found = append(found, slices.DeleteFunc(rows, func(r catalog.Row) bool { return !ids[r.ID] })...)
		return nil
	}
	err = errors.Join(m.Vault.EachDay(ctx, vault.ArchiveDir, look), m.Vault.EachDay(ctx, vault.DrawerDir, look))
	return found, err
}

func trace(t recall.Trace) api.Trace {
	out := api.Trace{
		Profile: t.Profile, Engine: t.Engine, Generation: t.Generation, PhasesApplied: list(t.Phases), PhaseTimingMS: t.TimingMS,
		PhasesSkipped: list(t.Skipped), PhaseDetail: t.Detail, ModelGuard: t.ModelGuard, CandidatesIn: t.In, CandidatesOut: t.Out,
		ElapsedMS: t.TimingMS["total"],
	}
	if len(t.Candidates) > 0 {
		out.Candidates = make([]api.Candidate, 0, len(t.Candidates))
	}
	for _, c := range t.Candidates {
		out.Candidates = append(out.Candidates, api.Candidate{
			ID: c.ID, Lexical: c.Lexical, Vector: c.Vector, Score: c.Score, Rank: c.Rank, Dropped: c.Dropped, ScoreBreakdown: c.Breakdown,
			DroppedAt: c.Drop.At, WingSaturation: c.Drop.Saturation, OriginalMMRScore: c.Drop.Original, PenalizedScore: c.Drop.Penalized,
			ScoreAtDrop: c.Drop.Parts,
		})
	}
	return out
}

// list makes an empty list of a nil one, so that JSON shows [] and never null.
func list(s []string) []string {
	if s == nil {
		return []string{}
	}
	return s
}

// uniq drops repeated reasons, keeping their order.
func uniq(s []string) []string {
	out := []string{}
	seen := map[string]bool{}
	for _, x := range s {
		if !seen[x] {
			seen[x] = true
			out = append(out, x)
		}
	}
	return out
}
