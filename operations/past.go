package operations

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"time"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/dream"
	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/recall"
	"github.com/reverie-memory/reverie/vault"
)

// A past is the vault as it stood at a time, as far as that can be told: pages from the copies that dreams keep and from the days on which
// people wrote their lines, facts from the logs, whether or not a dream took them to a page. What was forgotten since is in none of it.
type past struct {
	Memory
	at    time.Time
	pages map[vault.Path]dream.PastPage
	notes []string
}

// past tells a search what a caller may see of it.
func (m Memory) past(view catalog.View) func(context.Context, time.Time) (recall.Past, error) {
	return func(ctx context.Context, at time.Time) (recall.Past, error) {
		then, err := m.pastAt(ctx, at)
		if err != nil {
			return recall.Past{}, err
		}
		return then.rows(ctx, view)
	}
}

func asOf(at *api.Moment, by string) recall.AsOf {
	if at == nil {
		return recall.AsOf{}
	}
	return recall.AsOf{Time: at.Last(), By: recall.Clock(by)}
}

func (m Memory) pastAt(ctx context.Context, at time.Time) (*past, error) {
	pages, err := m.Consolidation.Past(ctx, at)
	return &past{Memory: m, at: at, pages: pages}, err
}

// read is a page or core file as it stood; nil where there was none, or nobody can tell any more, which is noted.
func (t *past) read(p vault.Path) ([]byte, error) {
	if was, ok := t.pages[p]; ok {
		var data []byte
		var err error
		if was.Text != nil {
			data, err = was.Text()
		}
		if was.Lost || errors.Is(err, fs.ErrNotExist) { // a purge may have taken it
			t.notes = append(t.notes, fmt.Sprintf("%s is left out: the copies of run %s, which changed it, are gone", p, was.Run))
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		return t.younger(p, data)
	}
	data, err := t.Vault.ReadFile(p)
	if err != nil {
		if gone(err) {
			err = nil
		}
		return nil, err
	}
	return t.younger(p, data)
}

// younger is a file with empty lines for those that a person wrote later.
func (t *past) younger(p vault.Path, data []byte) ([]byte, error) {
	if data == nil {
		return nil, nil
	}
	later, err := t.Consolidation.Since(p, data, vault.DayOf(t.at))
	if err != nil || len(later) == 0 {
		return data, err
	}
	lines := bytes.SplitAfter(data, []byte("\n"))
	for n := range later {
		lines[n-1] = []byte("\n") // the others keep their numbers
	}
	return bytes.Join(lines, nil), nil
}

// rows are what the index lacks of the vault as it stood, and what it has of later, as far as a caller may see it.
func (t *past) rows(ctx context.Context, view catalog.View) (out recall.Past, err error) {
	stones, err := t.Vault.Tombstones()
	if err != nil || stones.Lost() > 0 { // then the index shows nothing either
		return out, err
	}
	accounted, err := t.Vault.Accounted()
	if err != nil {
		return out, err
	}
	watermark, _, err := t.Vault.Watermark()
	if err != nil {
		return out, err
	}
	env := indexer.Env{Visible: stones.Visible, Moved: t.Drawers.State(), Consumed: accounted.FindOn, Watermark: watermark}
	files, err := t.changed(ctx)
	if err != nil {
		return out, err
	}
	for _, p := range files {
		now, err := t.Vault.ReadFile(p)
		if err != nil && !gone(err) {
			return out, err
		}
		then, err := t.read(p)
		if err != nil {
			return out, err
		}
		t.differ(&out, p, then, now, env)
	}
	if err := t.taken(ctx, &out, watermark, env); err != nil {
		return out, err
	}
	out.Rows = slices.DeleteFunc(out.Rows, func(r catalog.Row) bool { return !view.Sees(&r) || !view.Finds(&r) })
	if view.Isolated.Around(view.Wing) == "" { // else they name pages that it does not see
		out.Notes = t.notes
	}
	return out, nil
}

// changed are the pages and core files that may have stood otherwise.
func (t *past) changed(ctx context.Context) (files []vault.Path, err error) {
	pages := indexer.PageSource(t.Vault.Layout())
	is := func(p vault.Path) bool { return pages.Match(p) || indexer.CoreSource().Match(p) }
	for p := range t.pages {
		if is(p) {
			files = append(files, p)
		}
	}
	_, err = t.Vault.Walk(ctx, func(p vault.Path, info vault.FileInfo) error {
		if _, ok := t.pages[p]; !ok && is(p) && info.ModTime.After(t.at) {
			files = append(files, p)
		}
		return nil
	})
	slices.Sort(files)
	return files, err
}

// differ adds how the rows of two states of a file differ.
func (t *past) differ(out *recall.Past, p vault.Path, then, now []byte, env indexer.Env) {
	if bytes.Equal(then, now) {
		return
	}
	sources := []indexer.Source{indexer.PageSource(t.Vault.Layout()), indexer.CoreSource()}
	rows := func(data []byte) []indexer.Row {
		if data == nil {
			return nil
		}
		rows, _ := indexer.Rows(sources, p, data, env)
		return rows
	}
	was := map[string]indexer.Row{}
	for _, r := range rows(then) {
		was[r.ID] = r
	}
	for _, r := range rows(now) {
		if old, ok := was[r.ID]; ok && old.Text == r.Text && old.Context == r.Context {
			delete(was, r.ID)
		} else {
			out.Gone = append(out.Gone, r.ID)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(was)) {
		out.Rows = append(out.Rows, was[id])
	}
}

// taken adds the facts that dreams took to pages and that derive from no drawer: nothing in the index tells them as they were told.
func (t *past) taken(ctx context.Context, out *recall.Past, watermark vault.Day, env indexer.Env) error {
	days, err := t.Vault.Days(vault.ArchiveDir)
	if err != nil {
		return err
	}
	all := env
	all.Consumed = nil
	for _, day := range days {
		if err := ctx.Err(); err != nil {
			return err
		}
		if day > watermark || day > vault.DayOf(t.at) {
			continue
		}
		p := vault.LogPath(day)
		data, err := t.Vault.ReadFile(p)
		if gone(err) {
			continue
		}
		if err != nil {
			return err
		}
		there := map[string]bool{}
		rows, _ := indexer.Rows([]indexer.Source{indexer.LogSource()}, p, data, env)
		for _, r := range rows {
			there[r.ID] = true
		}
		rows, _ = indexer.Rows([]indexer.Source{indexer.LogSource()}, p, data, all)
		for _, r := range rows {
			if r.Drawer == "" && !there[r.ID] {
				out.Rows = append(out.Rows, r)
			}
		}
	}
	return nil
}
