package workspace

import (
	"context"
	"fmt"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/vault"
)

// Unforget takes tombstones back: what they hid and no purge took is shown again, and facts that had been filed on pages are pending
// once more.
func (w *Workspace) Unforget(ctx context.Context, u api.Unforget) (api.UnforgetResult, error) {
	res := api.UnforgetResult{Restored: []api.Forgotten{}}
	u, _, err := admit(w, u)
	if err != nil {
		return res, err
	}
	given := 0
	for _, set := range []bool{len(u.IDs) > 0, u.ChatID != "", u.Lost} {
		if set {
			given++
		}
	}
	if given != 1 {
		return res, api.Refuse("ids", "name exactly one of ids, chat_id and lost")
	}
	before, err := w.vault.Tombstones()
	if err != nil {
		return res, err
	}
	if res.Lifted, err = w.lift(ctx, u); err != nil {
		return res, err
	}
	if res.Lifted == 0 && len(u.IDs) > 0 {
		return res, fmt.Errorf("nothing of this was forgotten: %w", api.NotFound)
	}
	if err := w.intake.Reload(); err != nil {
		return res, err
	}
	after, err := w.vault.Tombstones()
	if err != nil {
		return res, err
	}
	known, err := w.vault.Accounted()
	if err != nil {
		return res, err
	}
	back := func(text string) bool { return before.Cut(text) != after.Cut(text) }
	pending := map[page.Source]bool{}
	err = w.eachDay(vault.ArchiveDir, vault.LogPath, func(p vault.Path, data []byte) error {
		for _, f := range vault.ParseLog(p, data).Facts {
			if !back(f.Text) {
				continue
			}
			res.Restored = append(res.Restored, api.Forgotten{ID: f.ID, SourceFile: string(p), Text: f.Text})
			if _, filed := known.FindOn(f.Day, f.ID); filed {
				pending[page.Source{Day: f.Day, ID: f.ID}] = true
			}
		}
		return ctx.Err()
	})
	if err != nil {
		return res, err
	}
	err = w.eachDay(vault.DrawerDir, vault.DrawerPath, func(p vault.Path, data []byte) error {
		for _, d := range vault.ParseDrawers(p, data).Drawers {
			if back(d.Text) {
				res.Restored = append(res.Restored, api.Forgotten{ID: d.ID, SourceFile: string(p), Text: d.Text})
			}
		}
		return ctx.Err()
	})
	if err != nil {
		return res, err
	}
	if len(pending) > 0 {
		if err := w.dreams.runner.Revive(ctx, pending); err != nil {
			return res, err
		}
	}
	if _, err := w.index.Sync(ctx); err != nil {
		return res, fmt.Errorf("taken back in the vault, but the index did not follow: %w", err)
	}
	return res, nil
}

// lift takes back the tombstones that the request names, and returns how many.
func (w *Workspace) lift(ctx context.Context, u api.Unforget) (n int, err error) {
	if u.Lost {
		return w.vault.GiveUpLost(ctx)
	}
	targets, err := w.find(ctx, api.Forget{IDs: u.IDs, ChatID: u.ChatID}, true, nil)
	if err != nil {
		return 0, err
	}
	var texts []string
	for _, s := range stones(targets, "", "", "") {
		texts = append(texts, s.Text)
	}
	if n, err = w.vault.Unforget(ctx, "", texts); err != nil {
		return n, err
	}
	for _, id := range u.IDs {
		more, err := w.vault.Unforget(ctx, id, nil)
		if n += more; err != nil {
			return n, err
		}
	}
	return n, nil
}

// Forgettings lists what was forgotten.
func (w *Workspace) Forgettings(context.Context) (api.Forgettings, error) {
	t, err := w.vault.Tombstones()
	if err != nil {
		return api.Forgettings{}, err
	}
	out := api.Forgettings{Forgettings: []api.Forgetting{}, Lost: t.Lost()}
	for _, f := range t.Forgettings() {
		out.Forgettings = append(out.Forgettings, api.Forgetting(f))
	}
	return out, nil
}
