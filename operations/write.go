package operations

import (
	"context"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/extract"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/palace"
	"github.com/reverie-memory/reverie/vault"
)

// Remember files a turn; see [palace.Intake.Remember]. A retry that waits for the index gets the facts that the first try found.
func (m Memory) Remember(ctx context.Context, t api.Turn) (api.TurnResult, error) {
	t, redactions, err := admit(m, t)
	if err != nil {
		return api.TurnResult{}, err
	}
	turn := palace.Turn{
		ChatID: t.ChatID, Platform: t.Platform, Agent: t.Agent, Wing: t.Wing, Room: t.Room, Hall: t.Hall, TurnID: t.TurnID,
		Indexed: t.Wait == indexed,
		Origin:  vault.Origin(t.Origin),
	}
	for _, msg := range t.Messages {
		turn.Messages = append(turn.Messages, palace.Message(msg))
	}
	r, err := m.Intake.Remember(ctx, turn)
	res := api.TurnResult{TurnID: r.TurnID, Status: r.Status, Reason: r.Reason, Drawers: list(r.Drawers), Degraded: list(r.Degraded)}
	for _, f := range r.Facts {
		res.Facts = append(res.Facts, api.Fact{
			ID: f.ID, Content: f.Text, Category: f.Category, Tags: list(f.Tags),
			SourceFile: string(vault.LogPath(f.Day)), Line: f.Line, Date: string(f.Day),
		})
	}
	if res.Status == api.Accepted {
		res.Redactions = redactions
	}
	if err != nil || res.Status != api.Duplicate || !turn.Indexed {
		if res.Status == api.Accepted && !turn.Indexed {
			m.Index.Pace(ctx)
		}
		return res, err
	}
	if err := m.Follower.WaitReady(ctx); err != nil {
		return res, err
	}
	rows, err := m.sameDrawers(ctx, res.Drawers)
	if err != nil {
		return res, err
	}
	for _, r := range rows {
		if r.Source == catalog.ArchiveLog {
			res.Facts = append(res.Facts, api.Fact{
				ID: r.ID, Content: r.Text, Category: r.Category, Tags: list(r.Tags),
				SourceFile: string(r.File), Line: r.Line, Date: string(vault.DayOf(r.At)),
			})
		}
	}
	return res, nil
}

// indexed is what a request waits for that wants to find at once what it wrote.
const indexed = "indexed"

// WriteFacts writes facts into the daily logs; see [palace.Intake.WriteFacts].
func (m Memory) WriteFacts(ctx context.Context, f api.Facts) (api.FactsResult, error) {
	f, redactions, err := admit(m, f)
	if err != nil {
		return api.FactsResult{}, err
	}
	req := palace.Facts{ChatID: f.ChatID, Agent: f.Agent, Wing: f.Wing, Room: f.Room, Hall: f.Hall, Indexed: f.Wait == indexed}
	for _, fact := range f.Facts {
		given := palace.NewFact{Content: fact.Content, Category: fact.Category, Tags: fact.Tags, At: fact.At, Ref: fact.Ref}
		for _, t := range fact.Triples {
			given.Triples = append(given.Triples, extract.Triple(t))
		}
		req.Facts = append(req.Facts, given)
	}
	r, err := m.Intake.WriteFacts(ctx, req)
	res := api.FactsResult{Facts: []api.FactRef{}, Redactions: redactions, Degraded: list(r.Degraded)}
	for _, fact := range r.Facts {
		res.Facts = append(res.Facts, api.FactRef{
			ID: fact.ID, Content: fact.Text, SourceFile: string(vault.LogPath(fact.Day)), Line: fact.Line,
		})
	}
	for _, refused := range r.Refused {
		res.Refused = append(res.Refused, api.RefusedFact(refused))
	}
	return res, err
}

// sameDrawers reads every row that shares a drawer with one of the rows named.
func (m Memory) sameDrawers(ctx context.Context, ids []string) ([]catalog.Row, error) {
	r, release := m.Index.Reader().Pin()
	defer release()
	keys, err := r.KeysByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	var kin []catalog.Key
	seen := map[int32]bool{0: true} // 0 is no drawer
	for _, meta := range r.Metas(keys) {
		if !seen[meta.Drawer] {
			seen[meta.Drawer] = true
			kin = append(kin, r.DrawerKeys(meta.Drawer)...)
		}
	}
	return r.Rows(ctx, kin)
}
