package operations

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/dream"
	"github.com/reverie-memory/reverie/graph"
	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/recall"
	"github.com/reverie-memory/reverie/vault"
)

// A past is the vault as it stood at a time, as far as that can be told: pages from the copies that dreams keep and from the days on which
// people wrote their lines, facts from the logs, but for those that a dream had put on pages by then. What was forgotten since is in none
// of it.
type past struct {
	Memory
	as    recall.AsOf
	since dream.Past
	notes []string
	laid  *recall.Past // what everybody may see; nil until it is asked for
}

// past tells a search what a caller may see of it.
func (m Memory) past(view catalog.View) func(context.Context, recall.AsOf) (recall.Past, error) {
	return func(ctx context.Context, as recall.AsOf) (recall.Past, error) {
		then, err := m.pastAt(ctx, as)
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

// needsAsOf refuses a clock by which nothing is looked back.
func needsAsOf(by string, looksBack bool) error {
	if by != "" && !looksBack {
		return api.Refuse("as_of_by", "says nothing without as_of")
	}
	return nil
}

func (m Memory) pastAt(ctx context.Context, as recall.AsOf) (*past, error) {
	since, err := m.Consolidation.Past(ctx, as.Time)
	return &past{Memory: m, as: as, since: since}, err
}

// filed says whether what was filed later is left out, whenever it was said.
func (t *past) filed() bool { return t.as.By == recall.ByFiled }

// read is a page or core file as it stood; nil where there was none, or nobody can tell any more, which is noted.
func (t *past) read(p vault.Path) ([]byte, error) {
	if was, ok := t.since.Pages[p]; ok {
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
		return t.younger(p, data, true)
	}
	data, err := t.Vault.ReadFile(p)
	if err != nil {
		if gone(err) {
			err = nil
		}
		return nil, err
	}
	info, err := t.Vault.Stat(p)
	return t.younger(p, data, err != nil || info.ModTime.After(t.as.Time) || t.filed())
}

// younger is a file with empty lines for those that a person wrote later, and nil where nothing is left. A line of which nobody knows how
// old it is counts from when a dream first saw it: with seen, or else from ever, since the file has not changed since.
func (t *past) younger(p vault.Path, data []byte, seen bool) ([]byte, error) {
	if data == nil {
		return nil, nil
	}
	later, all, err := t.Consolidation.Since(p, data, vault.DayOf(t.as.Time), seen)
	switch {
	case err != nil || len(later) == 0:
		return data, err
	case all:
		return nil, nil
	}
	lines := bytes.SplitAfter(data, []byte("\n"))
	for n := range later {
		lines[n-1] = []byte("\n") // the others keep their numbers
	}
	return bytes.Join(lines, nil), nil
}

// rows are what the index lacks of the vault as it stood, and what it has of later, as far as a caller may see it.
func (t *past) rows(ctx context.Context, view catalog.View) (recall.Past, error) {
	all, err := t.all(ctx)
	if err != nil {
		return recall.Past{}, err
	}
	out := *all
	out.Rows = slices.DeleteFunc(slices.Clone(all.Rows), func(r catalog.Row) bool { return !view.Sees(&r) || !view.Finds(&r) })
	if view.Isolated.Around(view.Wing) != "" { // else they name pages that it does not see
		out.Notes = nil
	}
	return out, nil
}

// all is rows for who sees everything.
func (t *past) all(ctx context.Context) (*recall.Past, error) {
	if t.laid == nil {
		out, err := t.lay(ctx)
		if err != nil {
			return nil, err
		}
		out.Notes = short(t.notes)
		t.laid = &out
	}
	return t.laid, nil
}

// mostNotes is how many files are named that are left out.
const mostNotes = 5

// short is the first notes, and how many more there are.
func short(notes []string) []string {
	if left := len(notes) - mostNotes; left > 1 {
		notes = append(notes[:mostNotes:mostNotes], fmt.Sprintf("%d more files are left out for such reasons", left))
	}
	return notes
}

func (t *past) lay(ctx context.Context) (out recall.Past, err error) {
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
	if err := t.facts(ctx, &out, env); err != nil {
		return out, err
	}
	return out, t.drawers(&out)
}

// changed are the pages and core files that may have stood otherwise.
func (t *past) changed(ctx context.Context) (files []vault.Path, err error) {
	pages := indexer.PageSource(t.Vault.Layout())
	is := func(p vault.Path) bool { return pages.Match(p) || indexer.CoreSource().Match(p) }
	for p := range t.since.Pages {
		if is(p) {
			files = append(files, p)
		}
	}
	day := vault.DayOf(t.as.Time)
	_, err = t.Vault.Walk(ctx, func(p vault.Path, info vault.FileInfo) error {
		if _, ok := t.since.Pages[p]; !ok && is(p) && (info.ModTime.After(t.as.Time) || t.Consolidation.Younger(p, info, day)) {
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

// facts adds those that dreams took to pages since, as far as they derive from no drawer: nothing in the index tells them as they were
// told. By when things were filed, lines that people wrote into logs later are left out.
func (t *past) facts(ctx context.Context, out *recall.Past, env indexer.Env) error {
	before, err := t.Vault.AccountedBut(t.since.Runs)
	if err != nil {
		return err
	}
	unseen := func(string) bool { return false }
	if t.filed() {
		if unseen, err = t.Consolidation.Unseen(t.as.Time); err != nil {
			return err
		}
	} else if len(t.since.Runs) == 0 {
		return nil
	}
	days, err := t.Vault.Days(vault.ArchiveDir)
	if err != nil {
		return err
	}
	for _, day := range days {
		if err := ctx.Err(); err != nil {
			return err
		}
		if day > vault.DayOf(t.as.Time) {
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
		then := map[string]bool{} // ids of facts that a dream took since
		log := vault.ParseLog(p, data)
		for i := range log.Facts {
			f := &log.Facts[i]
			switch {
			case f.Hand && unseen(f.ID):
				out.Gone = append(out.Gone, f.ID)
			case f.Section.Drawer == "" && env.Dropped(f) && !before.Covers(f):
				then[f.ID] = true
			}
		}
		if len(then) == 0 {
			continue
		}
		all := env
		all.Consumed = nil
		rows, _ := indexer.Rows([]indexer.Source{indexer.LogSource()}, p, data, all)
		for _, r := range rows {
			if then[r.ID] {
				out.Rows = append(out.Rows, r)
			}
		}
	}
	return nil
}

// drawers adds which drawers were put away, or brought back, since.
func (t *past) drawers(out *recall.Past) error {
	now := t.Drawers.State()
	then, err := t.Drawers.Before(t.as.Time)
	if err != nil {
		return err
	}
	for id := range now {
		switch was := then.Archived(id); {
		case now.Archived(id) && !was:
			out.Back = append(out.Back, id)
		case was && !now.Archived(id):
			out.Away = append(out.Away, id)
		}
	}
	return nil
}

// graph is the graph as a project would have seen it: of what had been said, or filed, by then.
func (t *past) graph(ctx context.Context, project string) (*graph.Graph, error) {
	all, err := t.all(ctx)
	if err != nil {
		return nil, err
	}
	gone := slice.Set(all.Gone)
	late, brought := map[string]bool{}, map[string]time.Time{}
	if t.filed() {
		if late, err = t.late(ctx); err != nil {
			return nil, err
		}
		sources, err := t.Vault.Sources("")
		if err != nil {
			return nil, err
		}
		for _, s := range sources {
			brought[s.ID] = s.At
		}
	}
	return t.Graph.Past(project, func(e *graph.Event, drawer string) bool {
		if gone[e.Source] || e.At.After(t.as.Time) {
			return false
		}
		filed := e.Filed
		if filed.IsZero() {
			filed = brought[e.Import]
		}
		return !t.filed() || !filed.After(t.as.Time) && !late[drawer]
	})
}

// late are the drawers that were said by then and filed later.
func (t *past) late(ctx context.Context) (map[string]bool, error) {
	r, release := t.Index.Reader().Pin()
	defer release()
	end := t.as.Time.Truncate(time.Second).Add(time.Second)
	keys := r.Heaviest(catalog.Filter{Source: []catalog.SourceType{catalog.DrawerText}, To: end, Filed: end}, r.Len(), nil)
	ids, err := r.IDs(ctx, keys)
	late := make(map[string]bool, len(ids))
	for _, id := range ids {
		id, _, _ = strings.Cut(id, ".") // a piece of it
		late[id] = true
	}
	return late, err
}
