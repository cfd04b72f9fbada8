package workspace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/palace"
	"github.com/reverie-memory/reverie/recall"
	"github.com/reverie-memory/reverie/vault"
)

// forgetCandidates is how many hits a query may name for forgetting.
const forgetCandidates = 50

// Forget leaves tombstones for what the request names and for what tells the same: a fact takes the
// drawer with it that it was extracted from, a drawer takes its facts.
func (w *Workspace) Forget(ctx context.Context, f api.Forget) (api.ForgetResult, error) {
	res := api.ForgetResult{Forgotten: []api.Forgotten{}, Remaining: []api.Forgotten{}}
	f, _, err := admit(w, f)
	if err != nil {
		return res, err
	}
	named, notFound := w.named(ctx, f)
	if notFound != nil && !errors.Is(notFound, api.ErrNotFound) {
		return res, notFound
	}
	consumed, err := w.consumed(f, named)
	if err != nil {
		return res, err
	}
	rows, whole, err := w.lineage(ctx, named, consumed)
	if err != nil {
		return res, err
	}
	targets, err := w.targets(rows, whole, consumed)
	if err != nil {
		return res, err
	}
	hidden, err := w.hidden(f, targets)
	if err != nil {
		return res, err
	}
	if targets = append(targets, hidden...); len(targets) == 0 && notFound != nil {
		return res, notFound
	}
	for _, t := range targets {
		res.Forgotten = append(res.Forgotten, api.Forgotten{ID: t.id, SourceFile: string(t.file), Text: t.text})
	}
	for _, id := range f.IDs {
		if !slices.ContainsFunc(targets, func(t target) bool { return t.id == id || slices.Contains(t.rows, id) }) {
			res.Unknown = append(res.Unknown, id)
		}
	}
	if len(targets) == 0 {
		res.Verified = true // nothing was there to be found
		return res, nil
	}
	if f.DryRun {
		return res, nil
	}
	if err := w.bury(ctx, targets, f); err != nil {
		return res, err
	}
	if res.Remaining, err = w.remaining(ctx, targets); err == nil && !f.Purge && (len(res.Remaining) > 0 || w.onPages(targets)) {
		res.Remaining, err = w.unmention(ctx, targets)
	}
	res.Verified = err == nil && len(res.Remaining) == 0
	return res, err
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

// A target is a whole fact, drawer or page chunk that is to be forgotten.
type target struct {
	id   string
	rows []string // what the index knows it by
	file vault.Path
	text string
	page bool // from a page, a core file or a diary, which hold no records
}

// A place names one target: a line copied into another file keeps its id, and may tell something else there.
type place struct {
	file vault.Path
	id   string
}

func (t *target) place() place { return place{t.file, t.id} }

// named finds the rows that the request names.
func (w *Workspace) named(ctx context.Context, f api.Forget) ([]catalog.Row, error) {
	given := 0
	for _, set := range []bool{len(f.IDs) > 0, f.Query != "", f.ChatID != ""} {
		if set {
			given++
		}
	}
	if given != 1 {
		return nil, &palace.InvalidError{Field: "ids", Reason: "name exactly one of ids, query and chat_id"}
	}
	switch {
	case f.Query != "":
		return w.answering(ctx, f.Query)
	case f.ChatID != "":
		// A statement on a page may rest on other conversations as well: its facts are named one by one.
		return w.listAll(ctx, catalog.Filter{Chat: f.ChatID, Source: []catalog.SourceType{catalog.ArchiveLog, catalog.DrawerText, catalog.Diary}})
	}
	rows, err := w.index.Reader().RowsByID(ctx, f.IDs)
	if err == nil && len(rows) == 0 {
		err = fmt.Errorf("ids %s: %w", strings.Join(f.IDs, ", "), api.ErrNotFound)
	}
	return rows, err
}

// answering finds the rows that hold every word of the query that carries meaning. Being merely
// similar is not enough to be forgotten.
func (w *Workspace) answering(ctx context.Context, q string) ([]catalog.Row, error) {
	r, release := w.searcher(w.settle(ctx))
	defer release()
	res, err := r.Search(ctx, recall.Query{Text: q, K: forgetCandidates, DryRun: true})
	if err != nil {
		return nil, err
	}
	want := lexis.Terms(q)
	var out []catalog.Row
	for _, h := range res.Hits {
		have := lexis.Terms(h.Row.Context + " " + h.Row.Text)
		if len(want) > 0 && !slices.ContainsFunc(want, func(t string) bool { return !slices.Contains(have, t) }) {
			out = append(out, h.Row)
		}
	}
	return out, nil
}

// lineage adds what tells the same as the rows: for a fact the drawer it came from, for a drawer its
// other chunks and its facts. whole are the drawers that were named themselves.
func (w *Workspace) lineage(ctx context.Context, rows []catalog.Row, consumed []vault.Fact) (all []catalog.Row, whole map[string]bool, err error) {
	whole = map[string]bool{}
	var ids []string
	for _, f := range consumed {
		if f.Section.Drawer != "" {
			ids = append(ids, f.Section.Drawer) // which is the id of its first row
		}
	}
	for _, r := range rows {
		ids = append(ids, r.ID)
		if r.Source == catalog.DrawerText {
			whole[r.Drawer] = true
		}
	}
	kin, err := w.sameDrawers(ctx, ids)
	if err != nil {
		return nil, nil, err
	}
	for _, r := range kin {
		if r.Source == catalog.DrawerText || r.Source == catalog.ArchiveLog && whole[r.Drawer] {
			rows = append(rows, r)
		}
	}
	return rows, whole, nil
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

// targets reads whole texts from the files: a row may be only a chunk of its drawer, and a fact that a dream has
// consumed or that is new is no row.
func (w *Workspace) targets(rows []catalog.Row, whole map[string]bool, consumed []vault.Fact) ([]target, error) {
	var out []target
	seen := map[place]int{}
	add := func(t target) (fresh bool) {
		i, dup := seen[t.place()]
		if dup {
			out[i].rows = append(out[i].rows, t.rows...)
			return false
		}
		seen[t.place()] = len(out)
		out = append(out, t)
		return true
	}
	files := map[vault.Path]map[string]string{}
	facts := map[vault.Day]map[string][]vault.Fact{}
	for _, r := range rows {
		t := target{id: r.ID, rows: []string{r.ID}, file: r.File, text: r.Text}
		t.page = r.Source == catalog.Notebook || r.Source == catalog.CoreFile || r.Source == catalog.Diary
		if r.Source == catalog.DrawerText {
			if files[r.File] == nil {
				data, err := w.vault.ReadFile(r.File)
				if err != nil {
					return nil, err
				}
				files[r.File] = map[string]string{}
				for _, d := range vault.ParseDrawers(r.File, data).Drawers {
					files[r.File][d.ID] = d.Text
				}
			}
			t.id = r.Drawer
			if text, ok := files[r.File][r.Drawer]; ok {
				t.text = text
			}
		}
		if !add(t) || r.Source != catalog.DrawerText || !whole[r.Drawer] {
			continue
		}
		day := vault.DayOf(r.At)
		if facts[day] == nil {
			var err error
			if facts[day], err = w.factsOf(day); err != nil {
				return nil, err
			}
		}
		for _, f := range facts[day][r.Drawer] {
			add(factTarget(f))
		}
	}
	for _, f := range consumed {
		add(factTarget(f))
	}
	return out, nil
}

func factTarget(f vault.Fact) target {
	return target{id: f.ID, rows: []string{f.ID}, file: vault.LogPath(f.Day), text: f.Text}
}

// factsOf reads the facts of a day by the drawer that they came from.
func (w *Workspace) factsOf(day vault.Day) (map[string][]vault.Fact, error) {
	p := vault.LogPath(day)
	out := map[string][]vault.Fact{}
	data, err := w.vault.ReadFile(p)
	if errors.Is(err, fs.ErrNotExist) {
		return out, nil
	}
	if err != nil {
		return nil, err
	}
	for _, f := range vault.ParseLog(p, data).Facts {
		out[f.Section.Drawer] = append(out[f.Section.Drawer], f)
	}
	return out, nil
}

// bury writes the tombstones, takes the bytes out where asked, and waits until the index has followed.
func (w *Workspace) bury(ctx context.Context, targets []target, f api.Forget) error {
	var stones []vault.Tombstone
	var ids, recalled []string
	paths := []vault.Path{tombstonesPath}
	for _, t := range targets {
		stones = append(stones, vault.Tombstone{Text: t.text, Reason: f.Reason, Scope: "workspace"})
		ids, recalled = append(ids, t.id), append(recalled, t.rows...)
		if !slices.Contains(paths, t.file) {
			paths = append(paths, t.file)
		}
	}
	if err := w.vault.Forget(ctx, stones); err != nil {
		return fmt.Errorf("write tombstones: %w", err)
	}
	if err := w.intake.Reload(); err != nil {
		return err
	}
	if f.Purge {
		if _, err := w.index.Sync(ctx, tombstonesPath); err != nil { // the rest may have to wait for a dream
			return fmt.Errorf("forgotten in the vault, but the index did not follow: %w", err)
		}
		changed, err := w.purge(ctx, ids, targets)
		if err != nil {
			return err
		}
		paths = append(paths, changed...)
		if err := w.recalls.Erase(ctx, recalled); err != nil {
			return fmt.Errorf("take the recall log's records out: %w", err)
		}
	}
	if _, err := w.index.Sync(ctx, paths...); err != nil {
		return fmt.Errorf("forgotten in the vault, but the index did not follow: %w", err)
	}
	if f.Purge {
		return w.index.Scrub(ctx)
	}
	return nil
}

// purge takes the bytes out of the files and returns those of the vault's that changed. The pages go first: what a statement rests
// on is read in the logs.
func (w *Workspace) purge(ctx context.Context, ids []string, targets []target) ([]vault.Path, error) {
	changed, err := w.dreams.runner.Unmention(ctx)
	if err != nil {
		return changed, fmt.Errorf("take it off the pages: %w", err)
	}
	files, err := w.vault.Purge(ctx, ids)
	if changed = append(changed, files...); err != nil {
		return changed, fmt.Errorf("take the bytes out: %w", err)
	}
	if files, err = w.purgePages(targets); err != nil {
		return changed, err
	}
	var texts []string
	for _, t := range targets {
		texts = append(texts, t.text)
	}
	changed = append(append(changed, files...), "index.md", "memory/MEMORY.md") // made anew from what is left on the pages
	return changed, w.dreams.purge(ctx, texts)
}

// purgePages takes forgotten lines out of pages. Only a list item or a paragraph of one line goes; what spans
// lines is a person's to cut, and is listed as remaining where the tombstone does not hide it.
func (w *Workspace) purgePages(targets []target) ([]vault.Path, error) {
	byFile := map[vault.Path][]string{}
	for _, t := range targets {
		if t.page {
			byFile[t.file] = append(byFile[t.file], t.rows...)
		}
	}
	var changed []vault.Path
	for p, ids := range byFile {
		data, err := w.vault.ReadFile(p)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return changed, err
		}
		cut := linesOf(p, data, ids)
		lines := bytes.SplitAfter(data, []byte("\n"))
		var kept []byte
		for i, l := range lines {
			if !slices.Contains(cut, i+1) || !standsAlone(lines, i) {
				kept = append(kept, l...)
			}
		}
		if len(kept) == len(data) {
			continue
		}
		if err := w.vault.Replace(p, kept, vault.HashOf(data)); err != nil {
			return changed, fmt.Errorf("take a line out of %s: %w", p, err)
		}
		changed = append(changed, p)
	}
	return changed, nil
}

// linesOf tells on which lines of data the rows stand. The index may have seen an older state of the file.
func linesOf(p vault.Path, data []byte, ids []string) (lines []int) {
	for _, s := range indexer.DefaultSources() {
		if !s.Match(p) {
			continue
		}
		rows, _ := s.Rows(p, data, indexer.Env{})
		for _, r := range rows {
			if slices.Contains(ids, r.ID) {
				lines = append(lines, r.Line)
			}
		}
		break
	}
	return lines
}

// standsAlone tells whether a line's block ends with it: the next line is blank or begins another block.
func standsAlone(lines [][]byte, i int) bool {
	if i+1 >= len(lines) {
		return true
	}
	next := bytes.TrimRight(lines[i+1], "\r\n")
	return len(bytes.TrimSpace(next)) == 0 || bytes.ContainsAny(next[:1], "-*+#>|")
}

// remaining searches for the forgotten texts and lists every row that still tells one of them.
func (w *Workspace) remaining(ctx context.Context, targets []target) ([]api.Forgotten, error) {
	out := []api.Forgotten{}
	seen := map[string]bool{}
	r := w.index.Reader()
	for _, t := range targets {
		text := lexis.Fold(t.text)
		found, err := r.Lexical(ctx, oneQuery(t.text), forgetCandidates, nil)
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
