package operations

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/config"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/palace/worker"
	"github.com/reverie-memory/reverie/reads"
	"github.com/reverie-memory/reverie/recall"
)

// keep keeps a question with its answer, both as they were admitted: without secrets.
func (m Memory) keep(s api.Search, q recall.Query, res recall.Result, view *catalog.View, fingerprint string) {
	s.Profile, s.Flags = q.Profile, q.Flags
	asked, err := json.Marshal(s)
	if err != nil {
		return // flags are JSON values: admit would have refused others
	}
	p := reads.Packet{
		Receipt: res.Receipt, Time: m.Vault.Now().UTC(), Query: s.Query, Asked: asked, Found: []reads.Found{}, Weak: res.Weak,
		Engine: res.Trace.Engine, Generation: res.Trace.Generation, Fingerprint: fingerprint, Guard: res.Trace.ModelGuard, Degraded: res.Degraded,
	}
	for _, h := range res.Hits {
		p.Found = append(p.Found, reads.Found{
			ID: h.Row.ID, Text: recall.QueryHash(h.Row.Text), Also: h.Also, Score: h.Score, Parts: h.Breakdown, Events: h.Events,
		})
	}
	p.Wings = map[string]int{}
	for _, at := range m.Index.Reader().Places(catalog.Filter{View: view}) {
		p.Wings[at.Wing] += at.Drawers
	}
	m.Reads.Keep(p)
}

// keepPlan keeps what a compaction of a project planned, as the answer to its receipt.
func (m Memory) keepPlan(receipt, project string, p *worker.Plan) error {
	asked, err := json.Marshal(api.Search{Wing: project})
	if err != nil || !m.Reads.Replays() {
		return err
	}
	state := pagination(p)
	packet := reads.Packet{
		Receipt: receipt, Time: m.Vault.Now().UTC(), Asked: asked, Found: []reads.Found{},
		Plan:  &reads.Plan{Groups: [][]string{}, Summaries: p.Summaries()},
		Pages: &reads.Pages{Total: state.Total, Batches: state.BatchesProcessed, LastOffset: state.LastOffset, Deep: state.ScanDepthReached},
	}
	for _, c := range p.Candidates {
		packet.Candidates = append(packet.Candidates, reads.Superseded{ID: c.Drawer, By: c.SupersededBy, LTP: c.LTP})
	}
	for _, g := range p.Groups {
		packet.Plan.Groups = append(packet.Plan.Groups, g.Drawers)
	}
	m.Reads.Keep(packet)
	return nil
}

// whyPlanned tells what became of the candidates of a compaction.
func (m Memory) whyPlanned(ctx context.Context, p *reads.Packet) (api.Replay, error) {
	out := api.Replay{
		Receipt: p.Receipt, At: p.Time.Format(time.RFC3339), Same: true, Hits: []api.ReplayHit{},
		Plan: &api.ReplayPlan{Groups: p.Plan.Groups, SummaryCount: p.Plan.Summaries},
		Pagination: &api.PaginationState{
			Total: p.Pages.Total, BatchesProcessed: p.Pages.Batches, LastOffset: p.Pages.LastOffset, ScanDepthReached: p.Pages.Deep,
		},
	}
	rows, err := m.remain(ctx, slice.Map(p.Candidates, func(c reads.Superseded) string { return c.ID }))
	if err != nil {
		return api.Replay{}, err
	}
	for i, c := range p.Candidates {
		hit := api.ReplayHit{ID: c.ID, Rank: i + 1, Score: c.LTP}
		if m.become(ctx, &hit, rows); hit.Change == "" && !m.Drawers.State().Archived(c.ID) {
			hit.Change = "it is not put away"
		}
		out.Same = out.Same && hit.Change == ""
		out.Hits = append(out.Hits, hit)
	}
	return out, nil
}

// Why tells what was answered. Where the question was kept it is asked again, which leaves no trace.
func (m Memory) Why(ctx context.Context, q api.ReceiptID) (api.Replay, error) {
	view, err := m.Searches.Of(q.Agent, q.Wing)
	if err != nil {
		return api.Replay{}, err
	}
	packet, record, err := m.Reads.Of(ctx, q.ID)
	if err != nil {
		return api.Replay{}, err
	}
	missing := fmt.Errorf("receipt %q: %w", q.ID, api.NotFound)
	switch {
	case packet == nil && record == nil:
		return api.Replay{}, missing
	case packet == nil:
		rows, err := m.remain(ctx, record.Rows)
		if err != nil {
			return api.Replay{}, err
		}
		out := api.Replay{Receipt: q.ID, At: record.Time.UTC().Format(time.RFC3339), Hits: []api.ReplayHit{}}
		for i, id := range record.Rows {
			if r, ok := rows[id]; ok && !view.Sees(&r) {
				return api.Replay{}, missing // whoever asked saw more
			}
			hit := api.ReplayHit{ID: id, Rank: i + 1}
			m.become(ctx, &hit, rows)
			out.Hits = append(out.Hits, hit)
		}
		return out, nil
	}
	var asked api.Search
	if err := json.Unmarshal(packet.Asked, &asked); err != nil {
		return api.Replay{}, fmt.Errorf("reading what was asked: %w", err)
	}
	of := asked.Wing
	if asked.Filters != nil {
		of = cmp.Or(of, asked.Filters.Wing)
	}
	if view.Isolated.Around(of) != view.Isolated.Around(q.Wing) {
		return api.Replay{}, missing // one project may not know what another asked
	}
	if packet.Plan != nil {
		return m.whyPlanned(ctx, packet)
	}
	if packet.Kind != "" {
		return m.retold(ctx, q, view, packet)
	}
	asked.Agent, asked.DryRun, asked.Explain = q.Agent, true, true
	now, err := m.ask(ctx, asked, config.Recall{}, func() time.Time { return packet.Time }) // "yesterday" is the day before that
	if recall.Unaskable(err) {
		return m.unaskable(ctx, view, packet, err)
	}
	if err != nil {
		return api.Replay{}, fmt.Errorf("asking again: %w", err)
	}
	return m.replayed(ctx, view, packet, now)
}

// replayed tells how what is found now differs from what was found.
func (m Memory) replayed(ctx context.Context, view catalog.View, p *reads.Packet, now recall.Result) (api.Replay, error) {
	stones, err := m.Vault.Tombstones()
	if err != nil {
		return api.Replay{}, err
	}
	rows, err := m.remain(ctx, p.IDs())
	if err != nil {
		return api.Replay{}, err
	}
	out := api.Replay{
		Receipt: p.Receipt, At: p.Time.Format(time.RFC3339), Replayed: true, Query: stones.Visible(p.Query), Same: len(p.Found) == len(now.Hits),
		Hits: []api.ReplayHit{}, ModelGuard: p.Guard, Degraded: p.Degraded, Wings: p.Wings,
	}
	known := map[string]bool{}
	for i, f := range p.Found {
		known[f.ID] = true
		hit := api.ReplayHit{ID: f.ID, Rank: i + 1, Score: f.Score, Parts: f.Parts}
		at := slices.IndexFunc(now.Hits, func(h recall.Hit) bool { return h.Row.ID == f.ID || slices.Contains(h.Also, f.ID) })
		if at < 0 {
			if r, ok := rows[f.ID]; ok && !view.Sees(&r) {
				hit.Change = outOfSight
			} else if m.become(ctx, &hit, rows); hit.Change == "" {
				hit.Change = "other memories answer better now"
			}
		} else {
			h := &now.Hits[at]
			known[h.Row.ID] = true
			hit.RankNow, hit.ScoreNow, hit.Text = at+1, h.Score, h.Row.Text
			if h.Row.ID == f.ID {
				hit.Shifts = shifts(f.Parts, h.Breakdown)
			}
			switch {
			case h.Row.ID != f.ID:
				hit.Change = "it is told by " + h.Row.ID + " now"
			case recall.QueryHash(h.Row.Text) != f.Text:
				hit.Change = "its text changed"
			case at != i:
				hit.Change = fmt.Sprintf("it is number %d now", at+1)
			}
		}
		out.Same = out.Same && hit.Change == ""
		out.Hits = append(out.Hits, hit)
	}
	for i, h := range now.Hits {
		if known[h.Row.ID] {
			continue
		}
		change := "it was not among the hits"
		if filed := h.Row.FiledAt(); !filed.IsZero() && filed.After(p.Time) {
			change = "it was filed since"
		}
		out.New = append(out.New, api.ReplayHit{ID: h.Row.ID, Text: h.Row.Text, RankNow: i + 1, ScoreNow: h.Score, Change: change})
		out.Same = false
	}
	if now.Trace.Engine != p.Engine {
		out.Changes = append(out.Changes, fmt.Sprintf("the vectors are kept by another engine: %s, now %s", p.Engine, now.Trace.Engine))
	}
	out.Changes = append(out.Changes, m.since(p, now.Degraded)...)
	return out, nil
}

// shifts are the parts of a score that are not what they were, and by how much.
func shifts(then, now map[string]float64) map[string]float64 {
	var out map[string]float64
	all := maps.Clone(now)
	for name := range then {
		all[name] += 0
	}
	for name := range all {
		if by := now[name] - then[name]; math.Abs(by) > 1e-6 {
			if out == nil {
				out = map[string]float64{}
			}
			out[name] = by
		}
	}
	return out
}

// unaskable tells of a question that cannot be asked any more as it was, because of err, what became of what it found.
func (m Memory) unaskable(ctx context.Context, view catalog.View, p *reads.Packet, err error) (api.Replay, error) {
	stones, terr := m.Vault.Tombstones()
	if terr != nil {
		return api.Replay{}, terr
	}
	out := api.Replay{
		Receipt: p.Receipt, At: p.Time.Format(time.RFC3339), Query: stones.Visible(p.Query), Hits: []api.ReplayHit{}, ModelGuard: p.Guard,
		Degraded: p.Degraded, Wings: p.Wings, Changes: []string{"it cannot be asked again as it was: " + err.Error()},
	}
	rows, err := m.remain(ctx, p.IDs())
	if err != nil {
		return api.Replay{}, err
	}
	for i, f := range p.Found {
		hit := api.ReplayHit{ID: f.ID, Rank: i + 1, Score: f.Score, Parts: f.Parts}
		if r, ok := rows[f.ID]; ok && !view.Sees(&r) {
			hit.Change = outOfSight
		} else {
			m.become(ctx, &hit, rows)
		}
		out.Hits = append(out.Hits, hit)
	}
	return out, nil
}

// outOfSight is what became of a hit that whoever asks now may not see.
const outOfSight = "it may not be seen from here"

// remain are the rows with these ids that are in the index, or in logs and drawers.
func (m Memory) remain(ctx context.Context, ids []string) (map[string]catalog.Row, error) {
	m.Follower.Settle(ctx)
	found, err := m.Index.Reader().RowsByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	rows, left := map[string]catalog.Row{}, map[string]bool{}
	for _, r := range found {
		rows[r.ID] = r
	}
	for _, id := range ids {
		left[id] = rows[id].ID == ""
	}
	if found, err = m.dayRows(ctx, left); err != nil {
		return nil, err
	}
	for _, r := range found {
		rows[r.ID] = r
	}
	return rows, nil
}

// become tells what became of a hit that is not found any more, or may not be.
func (m Memory) become(ctx context.Context, hit *api.ReplayHit, rows map[string]catalog.Row) {
	row, ok := rows[hit.ID]
	if !ok {
		hit.Change = "it is not remembered any more: it was forgotten, deleted or reworded"
		return
	}
	hit.Text = row.Text
	if row.Source == catalog.ArchiveLog {
		if run, err := m.Consolidation.RunOf(ctx, hit.ID); err == nil {
			hit.Change = "a dream took it to a page: " + run
		}
	}
}
