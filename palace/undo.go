package palace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/reverie-memory/reverie/palace/drawers"
	"github.com/reverie-memory/reverie/vault"
)

// Unimported is what taking an import back took.
type Unimported struct {
	Facts map[string]bool // by their ids
	Files []vault.Path    // that changed
}

// Unimport takes the drawers that an import alone told out of their files, and the facts that came with them or out of them. A drawer or
// fact stays while another import that was not taken back, or anybody who speaks, has told it too. Doing it twice is doing it once, and
// what was cut off is finished by doing it again. Pages that dreams wrote of them stay as they are. found is called with what goes, before
// any of it does; an error of it ends the undo.
func (in *Intake) Unimport(ctx context.Context, source string, found func(vault.Taken) error) (res Unimported, err error) {
	if source == "" {
		return res, errors.New("no import is named")
	}
	in.writing.Lock()
	written := sync.OnceFunc(in.writing.Unlock)
	defer written()
	u, err := in.undoing(source)
	if err != nil {
		return res, err
	}
	if err := in.look(ctx, u); err != nil {
		return res, err
	}
	res.Facts = u.facts
	if err := found(vault.Taken{Messages: len(u.drawers), Facts: len(u.facts), Kept: len(u.kept)}); err != nil {
		return res, err
	}
	in.mu.Lock()
	for d := range u.went {
		in.went[d] = true
	}
	delete(in.undone, source)
	in.mu.Unlock()
	// What tells their words goes before what says so, and what is found by the drawers before them.
	summaries, err := in.dropSummaries(ctx, u)
	if err != nil {
		return res, err
	}
	err = in.dropRecords(func(id string) bool { return u.drawers[id] || u.bare[id] })
	if err == nil {
		err = in.withdraw(u)
	}
	if err != nil {
		return res, err
	}
	ids := slices.AppendSeq(slices.Collect(maps.Keys(u.drawers)), maps.Keys(u.facts))
	if res.Files, err = in.opt.Vault.Purge(context.WithoutCancel(ctx), ids); err != nil {
		return res, fmt.Errorf("take the import back: %w", err)
	}
	res.Files = append(res.Files, summaries...)
	var bare []vault.Drawer
	for id := range u.bare {
		bare = append(bare, u.kept[id])
	}
	for _, j := range turnsOf(bare) { // their facts are taken out of them anew
		in.postpone(j)
	}
	if err := in.untell(source); err != nil {
		return res, err
	}
	written() // the index may take long; whoever tells what went looks at the files, and stores it
	return res, in.opt.Sync(context.WithoutCancel(ctx), append(res.Files, drawers.File)...)
}

// dropSummaries takes the drawers out that sum up what goes, as their words tell it. What else they summed up comes back with the events
// that put it away.
func (in *Intake) dropSummaries(ctx context.Context, u *undoing) ([]vault.Path, error) {
	if in.opt.Drawers == nil {
		return nil, nil
	}
	gone := map[string]bool{}
	for id, k := range in.opt.Drawers.Known() {
		for _, s := range k.In {
			gone[s] = gone[s] || u.drawers[id]
		}
	}
	maps.DeleteFunc(gone, func(_ string, goes bool) bool { return !goes })
	maps.Copy(u.drawers, gone)
	files, err := in.opt.Vault.Purge(context.WithoutCancel(ctx), slices.Collect(maps.Keys(gone)))
	if err != nil {
		return files, fmt.Errorf("take the summaries of an import back: %w", err)
	}
	return files, nil
}

// Count counts what files have of imports: messages, and facts that came with them or were taken out of them.
func (in *Intake) Count(ctx context.Context, sources map[string]bool) (messages, facts map[string]int, err error) {
	messages, facts = map[string]int{}, map[string]int{}
	of := map[string]string{} // the imports of drawers
	err = in.opt.Vault.EachDrawer(ctx, nil, func(_ vault.Path, d *vault.Drawer) {
		if sources[d.Source] {
			of[d.ID] = d.Source
			messages[d.Source]++
		}
	})
	if err != nil {
		return nil, nil, err
	}
	count := func(_ vault.Path, f *vault.Fact) { facts[cmp.Or(f.Section.Source, of[f.Section.Drawer])]++ }
	return messages, facts, errors.Join(in.opt.Vault.EachFact(ctx, nil, count), in.opt.Vault.EachEntry(ctx, nil, count))
}

// Disown takes the record of an import away that told nothing but what others had told. What it told counts as told by its twin, an import
// of the same file.
func (in *Intake) Disown(source, twin string) error {
	in.writing.Lock()
	defer in.writing.Unlock()
	if err := in.retell(source, twin); err != nil {
		return err
	}
	in.mu.Lock()
	delete(in.imports, source)
	in.mu.Unlock()
	return in.opt.Vault.DropSource(source)
}

// brought names a drawer and the import that brought it.
type brought struct{ source, drawer string }

// An undoing is what of an import goes, and what stays.
type undoing struct {
	source  string
	gone    map[string]bool // imports that were taken back, with this one
	mine    map[string]bool // ids that the import told when they were stored
	others  map[string]bool // ids that others told so, and stand for
	drawers map[string]bool // that go
	went    map[brought]bool
	facts   map[string]bool // that go
	kept    map[string]vault.Drawer
	bare    map[string]bool // kept drawers that lose their facts
}

// undoing reads who told what.
func (in *Intake) undoing(source string) (*undoing, error) {
	u := &undoing{
		source: source, gone: map[string]bool{source: true}, mine: map[string]bool{}, others: map[string]bool{},
		went: map[brought]bool{}, drawers: map[string]bool{}, facts: map[string]bool{}, kept: map[string]vault.Drawer{}, bare: map[string]bool{},
	}
	all, err := in.opt.Vault.Sources(vault.SourceImport)
	if err != nil {
		return nil, err
	}
	for _, s := range all {
		u.gone[s.ID] = u.gone[s.ID] || s.Undoing || s.Undone != nil
	}
	return u, in.eachTold(func(l toldLine) {
		for _, id := range l.IDs {
			u.mine[id] = u.mine[id] || l.By == source
			u.others[id] = u.others[id] || !u.gone[l.By]
		}
	})
}

// look finds what goes. An undo that was cut off may have taken facts and records of kept drawers already: those without either have
// their facts taken anew as well.
func (in *Intake) look(ctx context.Context, u *undoing) error {
	v := in.opt.Vault
	done, err := in.Extracted()
	if err != nil {
		return err
	}
	err = v.EachDrawer(ctx, nil, func(_ vault.Path, d *vault.Drawer) {
		switch {
		case u.others[d.ID] || !u.gone[d.Source]:
			if d.Source == u.source {
				u.kept[d.ID] = vault.Drawer{ID: d.ID, At: d.At, ChatID: d.ChatID, Turn: d.Turn, Source: d.Source}
			}
		case d.Source == u.source || u.mine[d.ID]:
			u.drawers[d.ID], u.went[brought{d.Source, d.ID}] = true, true
		}
	})
	if err != nil {
		return err
	}
	has := map[string]bool{}
	look := func(_ vault.Path, f *vault.Fact) {
		_, stays := u.kept[f.Section.Drawer]
		if u.goes(f) {
			u.facts[f.ID] = true
			if stays {
				u.bare[f.Section.Drawer] = true
			}
		} else if stays {
			has[f.Section.Drawer] = true
		}
	}
	err = errors.Join(v.EachFact(ctx, nil, look), v.EachEntry(ctx, nil, look))
	in.mu.Lock()
	model, resumed := in.imports[u.source], in.undone[u.source]
	in.mu.Unlock()
	for id, d := range u.kept {
		if d.Turn != "" && !done(id) && (resumed || !model) { // a model may be at it
			u.bare[id] = true
		}
	}
	maps.DeleteFunc(u.bare, func(id string, _ bool) bool { return has[id] })
	return err
}

// goes says whether a fact goes: one that was taken out of a drawer with it, one that came with an import when nobody else told it.
func (u *undoing) goes(f *vault.Fact) bool {
	switch s := f.Section.Source; {
	case u.others[f.ID]:
		return false
	case s == "":
		return u.hasDrawer(f)
	default:
		return u.gone[s] && (s == u.source || u.mine[f.ID] || u.hasDrawer(f))
	}
}

// hasDrawer says whether a fact has words of a drawer that goes.
func (u *undoing) hasDrawer(f *vault.Fact) bool {
	return slices.ContainsFunc(f.Section.From(), func(id string) bool { return u.drawers[id] })
}

// takenBack says whether a drawer goes, or went, with its import.
func (in *Intake) takenBack(d *vault.Drawer) bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.undone[d.Source] || in.went[brought{d.Source, d.ID}]
}
