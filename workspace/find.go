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
	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/vault"
)

// A target is a whole fact, drawer or page chunk that is to be forgotten.
type target struct {
	id     string
	file   vault.Path
	text   string
	page   bool          // from a page, a core file or a diary, which hold no records
	fact   *vault.Fact   // one of the three
	drawer *vault.Drawer // or none
}

// A place names one target: a line copied into another file keeps its id, and may tell something else there.
type place struct {
	file vault.Path
	id   string
}

func (t *target) place() place { return place{t.file, t.id} }

// A finder finds what a request to forget names, and what tells the same: a fact takes the drawer along that it was extracted
// from, a drawer its facts, a statement on a page the facts that it rests on. Facts and drawers are read in the files: what is
// new, consumed by a dream or hidden by a tombstone is no row of the index.
type finder struct {
	w       *Workspace
	ids     map[string]bool
	chat    string
	terms   []string
	same    map[string]bool      // texts of which every copy is wanted, folded
	cited   map[page.Source]bool // facts that named statements rest on
	drawers map[string]bool      // drawers that are wanted whole
	hidden  *vault.Tombstones    // what these know is left out; nil: nothing is
	seen    map[place]bool
	out     []target
}

// find gives the targets of a request. With hidden also those that were forgotten before.
func (w *Workspace) find(ctx context.Context, f api.Forget, hidden bool, same map[string]bool) ([]target, error) {
	given := 0
	for _, set := range []bool{len(f.IDs) > 0, f.Query != "", f.ChatID != ""} {
		if set {
			given++
		}
	}
	if given != 1 {
		return nil, api.Refuse("ids", "name exactly one of ids, query and chat_id")
	}
	fd := &finder{
		w: w, ids: map[string]bool{}, chat: spaced(f.ChatID), terms: lexis.Terms(f.Query), same: same,
		cited: map[page.Source]bool{}, drawers: map[string]bool{}, seen: map[place]bool{},
	}
	for _, id := range f.IDs {
		fd.ids[id] = true
		fd.ids[id[:strings.IndexAny(id+".", ".~")]] = true // a row of a drawer in pieces, or of a line that was copied
	}
	if !hidden {
		var err error
		if fd.hidden, err = w.vault.Tombstones(); err != nil {
			return nil, err
		}
	}
	for _, step := range []func(context.Context) error{fd.pages, fd.findDrawers, fd.findFacts, fd.findDrawers} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	return fd.out, nil
}

// spaced is a chat id as the files hold it.
func spaced(id string) string { return strings.Join(strings.Fields(id), " ") }

func (fd *finder) add(t target) bool {
	if fd.seen[t.place()] {
		return false
	}
	if _, gone := fd.hidden.Match(t.text); gone {
		return false
	}
	fd.seen[t.place()] = true
	fd.out = append(fd.out, t)
	return true
}

// answers says whether the texts hold every word of the query that carries meaning. Being merely similar is not enough to be
// forgotten.
func (fd *finder) answers(texts ...string) bool {
	if len(fd.terms) == 0 {
		return false
	}
	have := lexis.Terms(strings.Join(texts, " "))
	return !slices.ContainsFunc(fd.terms, func(t string) bool { return !slices.Contains(have, t) })
}

// mayHold says whether a file is worth reading closely.
func (fd *finder) mayHold(data []byte) bool {
	if len(fd.terms) > 0 || len(fd.same) > 0 || len(fd.ids)+len(fd.drawers)+len(fd.cited) > 32 {
		return true
	}
	for _, set := range []map[string]bool{fd.ids, fd.drawers} {
		for id := range set {
			if bytes.Contains(data, []byte(id)) {
				return true
			}
		}
	}
	for s := range fd.cited {
		if bytes.Contains(data, []byte(s.ID)) {
			return true
		}
	}
	word, _, _ := strings.Cut(fd.chat, " ")
	return word != "" && bytes.Contains(data, []byte(word)) || strings.ContainsAny(fd.chat, "\\—^#")
}

// pages takes the rows of pages, core files and diaries that are named, and notes what they rest on. A conversation names none: a
// statement may rest on others as well.
func (fd *finder) pages(ctx context.Context) error {
	r, release := fd.w.index.Reader().Pin()
	defer release()
	var rows []catalog.Row
	var err error
	switch {
	case len(fd.ids) > 0:
		ids := make([]string, 0, len(fd.ids))
		for id := range fd.ids {
			ids = append(ids, id)
		}
		slices.Sort(ids)
		rows, err = r.RowsByID(ctx, ids)
	case len(fd.terms) > 0:
		found, ferr := r.Lexical(ctx, strings.Join(fd.terms, " "), max(r.Len(), 1), nil)
		if ferr != nil {
			return ferr
		}
		keys := make([]catalog.Key, len(found))
		for i, s := range found {
			keys[i] = s.Key
		}
		rows, err = r.Rows(ctx, keys)
	}
	if err != nil {
		return err
	}
	for _, row := range rows {
		if row.Source == catalog.ArchiveLog || row.Source == catalog.DrawerText || len(fd.terms) > 0 && !fd.answers(row.Context, row.Text) {
			continue
		}
		fd.add(target{id: row.ID, file: row.File, text: row.Text, page: true})
		if err := fd.cites(row); err != nil {
			return err
		}
	}
	return nil
}

// cites notes the facts that the statement of a row rests on.
func (fd *finder) cites(row catalog.Row) error {
	data, err := fd.w.vault.ReadFile(row.File)
	if errors.Is(err, fs.ErrNotExist) || row.Source == catalog.Diary {
		return nil
	}
	if err != nil {
		return err
	}
	for _, st := range page.Parse(row.File, data).Statements() {
		if st.Line == row.Line {
			for _, s := range st.Sources {
				fd.cited[s] = true
			}
		}
	}
	return nil
}

func (fd *finder) findDrawers(ctx context.Context) error {
	return fd.w.eachDay(vault.DrawerDir, vault.DrawerPath, func(p vault.Path, data []byte) error {
		if err := ctx.Err(); err != nil || !fd.mayHold(data) {
			return err
		}
		for _, d := range vault.ParseDrawers(p, data).Drawers {
			named := fd.ids[d.ID] || fd.chat != "" && spaced(d.ChatID) == fd.chat || fd.answers(d.Speaker, d.Text) || fd.same[lexis.Fold(d.Text)]
			if _, wanted := fd.drawers[d.ID]; !named && !wanted {
				continue
			}
			if fd.add(target{id: d.ID, file: p, text: d.Text, drawer: &d}) && named {
				fd.drawers[d.ID] = true
			}
		}
		return nil
	})
}

func (fd *finder) findFacts(ctx context.Context) error {
	return fd.w.eachDay(vault.ArchiveDir, vault.LogPath, func(p vault.Path, data []byte) error {
		if err := ctx.Err(); err != nil || !fd.mayHold(data) {
			return err
		}
		for _, f := range vault.ParseLog(p, data).Facts {
			s := &f.Section
			named := fd.ids[f.ID] || fd.cited[page.Source{Day: f.Day, ID: f.ID}] || fd.chat != "" && spaced(s.ChatID) == fd.chat ||
				fd.answers(s.Speaker, f.Category, f.Text) || fd.same[lexis.Fold(f.Text)]
			if !named && !fd.drawers[s.Drawer] && !fd.ids[s.Drawer] || s.Drawer == "" && !named {
				continue
			}
			if fd.add(target{id: f.ID, file: p, text: f.Text, fact: &f}) && s.Drawer != "" && !fd.drawers[s.Drawer] {
				fd.drawers[s.Drawer] = false // wanted, but not for its other facts
			}
		}
		return nil
	})
}

// eachDay reads the daily files of a folder, one after the other.
func (w *Workspace) eachDay(dir vault.Path, path func(vault.Day) vault.Path, fn func(vault.Path, []byte) error) error {
	days, err := w.vault.Days(dir)
	if err != nil {
		return err
	}
	for _, day := range days {
		data, err := w.vault.ReadFile(path(day))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		if err := fn(path(day), data); err != nil {
			return fmt.Errorf("reading %s: %w", path(day), err)
		}
	}
	return nil
}

// stones are the tombstones of targets: their texts, and of a drawer also the sentences that tell a fact, so that these do not
// come back in another message.
func stones(targets []target, id, reason, scope string) []vault.Tombstone {
	var out []vault.Tombstone
	seen := map[string]bool{}
	add := func(text string) {
		if !seen[text] {
			seen[text] = true
			out = append(out, vault.Tombstone{Text: text, Reason: reason, Scope: scope, ID: id})
		}
	}
	facts := map[string][]*vault.Fact{}
	for _, t := range targets {
		add(t.text)
		if t.fact != nil {
			facts[t.fact.Section.Drawer] = append(facts[t.fact.Section.Drawer], t.fact)
		}
	}
	for _, t := range targets {
		if t.drawer == nil || len(facts[t.id]) == 0 {
			continue
		}
		spans := lexis.Sentences(t.text)
		for _, s := range spans {
			if sentence := t.text[s.Start:s.End]; len(spans) > 1 && slices.ContainsFunc(facts[t.id], func(f *vault.Fact) bool { return tellsFact(sentence, f) }) {
				add(sentence)
			}
		}
	}
	return out
}

// tellsFact says whether a sentence has all words of a fact but its speaker's name.
func tellsFact(sentence string, f *vault.Fact) bool {
	have, name := lexis.Terms(sentence), lexis.Terms(f.Section.Speaker)
	want := slices.DeleteFunc(lexis.Terms(f.Text), func(t string) bool { return slices.Contains(name, t) })
	return len(want) > 1 && !slices.ContainsFunc(want, func(t string) bool { return !slices.Contains(have, t) })
}
