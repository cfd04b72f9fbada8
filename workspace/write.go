package workspace

import (
	"context"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/vault"
)

// Remember files a turn; see [palace.Intake.Remember]. A retry that waits for the index gets the facts that the first try found.
func (w *Workspace) Remember(ctx context.Context, t api.Turn) (api.TurnResult, error) {
	t, redactions, err := admit(w, t)
	if err != nil {
		return api.TurnResult{Drawers: []string{}, Degraded: []string{}}, err
	}
	res, err := w.intake.Remember(ctx, t)
	if res.Status == api.Accepted {
		res.Redactions = redactions
	}
	if err != nil || res.Status != api.Duplicate || t.Wait != "indexed" {
		return res, err
	}
	if err := w.WaitReady(ctx); err != nil {
		return res, err
	}
	rows, err := w.sameDrawers(ctx, res.Drawers)
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

// WriteFacts writes facts into the daily logs; see [palace.Intake.WriteFacts].
func (w *Workspace) WriteFacts(ctx context.Context, f api.Facts) (api.FactsResult, error) {
	f, redactions, err := admit(w, f)
	if err != nil {
		return api.FactsResult{Facts: []api.FactRef{}, Degraded: []string{}}, err
	}
	res, err := w.intake.WriteFacts(ctx, f)
	res.Redactions = redactions
	return res, err
}

// sameDrawers reads every row that shares a drawer with one of the rows named.
func (w *Workspace) sameDrawers(ctx context.Context, ids []string) ([]catalog.Row, error) {
	r, release := w.index.Reader().Pin()
	defer release()
	keys, err := r.KeysByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	var kin []catalog.Key
	seen := map[int32]bool{0: true} // 0 is no drawer
	for _, m := range r.Metas(keys) {
		if !seen[m.Drawer] {
			seen[m.Drawer] = true
			kin = append(kin, r.DrawerKeys(m.Drawer)...)
		}
	}
	return r.Rows(ctx, kin)
}
