package operations

import (
	"context"
	"time"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/indexer/catalog"
)

// mostSuperseded is how many drawers SessionContext lists that others tell.
const mostSuperseded = 20

// SessionContext tells what to keep and what may go when an assistant's context is shortened. SessionContext changes nothing.
func (m Memory) SessionContext(ctx context.Context, q api.SessionContext) (api.SessionContextResult, error) {
	trigger := m.Options.Config.Compaction.Trigger
	out := api.SessionContextResult{
		Due: q.ContextUsed == nil || *q.ContextUsed >= trigger, Trigger: trigger, Pinned: []api.PinnedMemory{},
		Superseded: []api.SupersededDrawer{}, Candidates: []api.CompactionCandidate{}, Degraded: []string{},
	}
	q, _, err := admit(m, q)
	if err != nil || !out.Due {
		return out, err
	}
	view, err := m.Searches.Of(q.Agent, q.Wing)
	if err != nil {
		return out, err
	}
	if err := m.session(ctx, view, q, m.Options.Now, &out); err != nil {
		return out, err
	}
	if !q.DryRun {
		m.keepTold(ctx, q, "", sessionTold(out))
	}
	if q.TextOnly {
		return out, nil
	}
	how := m.Workers.Compaction()
	p, err := m.Workers.Told(ctx, view, how)
	if err != nil {
		return out, err
	}
	var all api.Compacted
	planned(&all, &p, how, false)
	out.WouldArchive, out.WouldCreateSummaries = all.WouldArchive, all.WouldCreateSummaries
	out.Candidates = append(out.Candidates, all.Candidates...)
	for _, s := range p.Superseded[:min(len(p.Superseded), mostSuperseded)] {
		out.Superseded = append(out.Superseded, api.SupersededDrawer{DrawerID: s.Drawer, SupersededBy: s.SupersededBy})
	}
	return out, nil
}

// session tells what to keep of what somebody sees, by this clock.
func (m Memory) session(
	ctx context.Context, view catalog.View, q api.SessionContext, now func() time.Time, out *api.SessionContextResult,
) error {
	if late := m.Follower.Settle(ctx); late != "" {
		out.Degraded = append(out.Degraded, late)
	}
	r, release := m.Searches.Searcher("", view)
	defer release()
	r.Now = now
	pins, text, receipt, err := r.Session(ctx, q.Wing, q.DryRun)
	if err != nil {
		return err
	}
	out.Text, out.Receipt = text, receipt
	for _, p := range pins {
		out.Pinned = append(out.Pinned, api.PinnedMemory{ID: p.Row.ID, Text: p.Row.Text, LTPBoost: cents(p.Boost), Score: cents(p.Score)})
	}
	return nil
}
