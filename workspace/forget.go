package workspace

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/vault"
)

// remainingRows is how many rows are looked at for one text that was forgotten.
const remainingRows = 50

// Forget leaves tombstones for what the request names and for what tells the same, and with purge takes the bytes out.
func (w *Workspace) Forget(ctx context.Context, f api.Forget) (api.ForgetResult, error) {
	res := api.ForgetResult{Forgotten: []api.Forgotten{}, Remaining: []api.Forgotten{}}
	f, _, err := admit(w, f)
	if err != nil {
		return res, err
	}
	targets, err := w.find(ctx, f, f.Purge, nil)
	if err != nil {
		return res, err
	}
	for _, id := range f.IDs {
		if !slices.ContainsFunc(targets, func(t target) bool { return strings.HasPrefix(id, t.id) }) {
			res.Unknown = append(res.Unknown, id)
		}
	}
	if len(targets) == 0 && len(f.IDs) > 0 {
		return res, fmt.Errorf("ids %s: %w", strings.Join(f.IDs, ", "), api.NotFound)
	}
	if f.DryRun || len(targets) == 0 && !f.Purge {
		res.Forgotten, res.Verified = shown(targets), len(targets) == 0 // nothing was there to be found
		return res, nil
	}
	if len(targets) > 0 {
		if targets, err = w.bury(ctx, targets, f); err != nil {
			return res, edited(err)
		}
	}
	res.Forgotten = shown(targets)
	switch {
	case f.Purge:
		res.Remaining, err = w.purge(ctx, targets, f)
	default:
		if res.Remaining, err = w.remaining(ctx, targets); err == nil && (len(res.Remaining) > 0 || w.onPages(targets)) {
			res.Remaining, err = w.unmention(ctx, targets)
		}
	}
	res.Verified = err == nil && len(res.Remaining) == 0
	return res, edited(err)
}

// edited tells a person what to do where an editor was in the way to the end.
func edited(err error) error {
	if errors.Is(err, vault.ErrChanged) {
		return &api.Error{
			Code: api.Conflict, Detail: "what you named is hidden, but a file that tells it is being edited", Err: err, Hint: "ask again when it is saved",
		}
	}
	return err
}

func shown(targets []target) []api.Forgotten {
	out := []api.Forgotten{}
	for _, t := range targets {
		out = append(out, api.Forgotten{ID: t.id, SourceFile: string(t.file), Text: t.text})
	}
	return out
}

// looks bounds how often it is looked again for what was written while it was being forgotten.
const looks = 3

// bury writes the tombstones, waits until the index has followed, and returns all targets: some may have been written meanwhile.
func (w *Workspace) bury(ctx context.Context, targets []target, f api.Forget) ([]target, error) {
	id, scope := vault.NewID('g'), "ids"
	switch {
	case f.Query != "":
		scope = "query"
	case f.ChatID != "":
		scope = "chat"
	}
	have := map[place]bool{}
	paths := []vault.Path{vault.TombstonesPath}
	fresh := targets
	for range looks {
		var texts []string
		for _, t := range fresh {
			have[t.place()] = true
			texts = append(texts, t.text)
			if !slices.Contains(paths, t.file) {
				paths = append(paths, t.file)
			}
		}
		reason := f.Reason
		if told(texts, f.Query)(reason) { // a reason is kept for good
			reason = ""
		}
		if err := w.vault.Forget(ctx, stones(fresh, id, reason, scope)); err != nil {
			return targets, fmt.Errorf("write tombstones: %w", err)
		}
		if err := w.intake.Reload(); err != nil {
			return targets, err
		}
		again, err := w.find(ctx, f, f.Purge, copies(targets, f.Purge))
		if err != nil {
			return targets, err
		}
		if fresh = slices.DeleteFunc(again, func(t target) bool { return have[t.place()] }); len(fresh) == 0 {
			break
		}
		targets = append(targets, fresh...)
	}
	if f.Purge {
		paths = paths[:1] // the rest may have to wait for a dream
	}
	if _, err := w.index.Sync(ctx, paths...); err != nil {
		return targets, fmt.Errorf("forgotten in the vault, but the index did not follow: %w", err)
	}
	return targets, nil
}

// copies are the texts of which a purge takes every copy. Short ones, such as a greeting, are others' as well.
func copies(targets []target, purge bool) map[string]bool {
	out := map[string]bool{}
	for _, t := range targets {
		if purge && distinct(t.text) {
			out[lexis.Fold(t.text)] = true
		}
	}
	return out
}

// distinct says whether a text says enough to be one thing wherever it stands.
func distinct(text string) bool {
	n := len(lexis.Terms(text))
	return n > 2 || n == 2 && len(text) >= 20
}

// onPages says whether a dream filed one of the targets: MEMORY.md may tell it in words that no tombstone knows.
func (w *Workspace) onPages(targets []target) bool {
	known, err := w.vault.Accounted()
	if err != nil {
		w.log.Warn("the ledgers cannot be read", "err", err)
		return true
	}
	return slices.ContainsFunc(targets, func(t target) bool { return t.page || known.Has(t.id) })
}

// unmention takes off the pages at once what tells a target there, in whatever words. While a dream runs, that one will.
func (w *Workspace) unmention(ctx context.Context, targets []target) ([]api.Forgotten, error) {
	if _, running := w.dreams.runner.Running(); !running {
		changed, err := w.dreams.runner.Unmention(ctx)
		if err != nil {
			return nil, fmt.Errorf("forgotten, but still on pages: %w", err)
		}
		if len(changed) == 0 { // no path would mean all of them
			return w.remaining(ctx, targets)
		}
		if _, err := w.index.Sync(ctx, changed...); err != nil {
			return nil, fmt.Errorf("forgotten in the vault, but the index did not follow: %w", err)
		}
	}
	return w.remaining(ctx, targets)
}

// remaining searches for the forgotten texts and lists every row that still tells one of them.
func (w *Workspace) remaining(ctx context.Context, targets []target) ([]api.Forgotten, error) {
	out := []api.Forgotten{}
	seen := map[string]bool{}
	r := w.index.Reader()
	for _, t := range targets {
		text := lexis.Fold(t.text)
		found, err := r.Lexical(ctx, oneQuery(t.text), remainingRows, nil)
		if err != nil {
			return nil, err
		}
		var keys []catalog.Key
		for _, s := range found {
			keys = append(keys, s.Key)
		}
		rows, err := r.Rows(ctx, keys)
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			if !seen[row.ID] && strings.Contains(lexis.Fold(row.Text), text) {
				seen[row.ID] = true
				out = append(out, api.Forgotten{ID: row.ID, SourceFile: string(row.File), Text: row.Text})
			}
		}
	}
	return out, nil
}

// oneQuery keeps a long text from becoming a query of thousands of terms.
func oneQuery(text string) string {
	const limit = 500
	if len(text) > limit {
		return strings.ToValidUTF8(text[:limit], "")
	}
	return text
}

// edits bounds how often a change is tried because an editor saves the file at the same time.
const edits = 5

// whileEdited tries again what failed because somebody saved the file meanwhile.
func whileEdited(ctx context.Context, change func() error) error {
	err := change()
	for n := range edits {
		if !errors.Is(err, vault.ErrChanged) {
			return err
		}
		select {
		case <-time.After(10 * time.Millisecond << n):
			err = change()
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return err
}
