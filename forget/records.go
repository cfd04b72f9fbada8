package forget

import (
	"context"
	"errors"
	"slices"

	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/markdown"
	"github.com/reverie-memory/reverie/vault"
)

// Tombstones are a kind of record themselves: a reason may tell what is purged.
func Tombstones(v *vault.Vault) Kind {
	return Kind{
		Name:  "tombstone",
		Owns:  Files(vault.StateDir+"/tombstone*", Data+vault.TombstoneCopy, Data+vault.TombstoneMarks),
		Purge: func(ctx context.Context, p *Purge) error { return v.EraseReasons(ctx, p.Tells) },
	}
}

// Records are the facts, drawers and diaries of daily files. Facts and drawers are found in the files: what is new, consumed by a dream
// or hidden by a tombstone is no row of the index.
func Records(v *vault.Vault) Kind {
	d := daily{v}
	return Kind{
		Name: "log, drawer or diary",
		Owns: func(file string) bool { return vault.IsDaily(vault.Path(file)) || vault.Path(file) == vault.TornPath },
		Find: d.find, Purge: d.purge, Restore: d.restore,
	}
}

type daily struct{ v *vault.Vault }

func ofFact(p vault.Path, f *vault.Fact) Target {
	return Target{ID: f.ID, File: p, Text: f.Text, Fact: f, Wing: f.Section.Wing, From: f.Section.Drawer}
}

// OfDrawer is a drawer as a target.
func OfDrawer(p vault.Path, w *vault.Drawer) Target {
	t := Target{ID: w.ID, File: p, Text: w.Text, Drawer: w, From: w.ID}
	if w.WingBy != vault.ByRule {
		t.Wing = w.Wing
	}
	return t
}

func (d daily) find(ctx context.Context, s *Search) error {
	for _, step := range []func(context.Context, *Search) error{
		d.findDrawers, d.findFacts,
		d.findFacts, // those that quote a drawer of which a fact goes, and stand before that fact
		d.findDrawers, d.findEntries,
	} {
		if err := step(ctx, s); err != nil {
			return err
		}
	}
	if !s.missing() {
		return nil
	}
	s.closely = true
	defer func() { s.closely = false }()
	return d.findDrawers(ctx, s)
}

func (d daily) findDrawers(ctx context.Context, s *Search) error {
	return d.v.EachDrawer(ctx, s.mayHold("drawer"), func(p vault.Path, w *vault.Drawer) {
		named := s.Names(w.ID, w.ChatID, w.Text, w.Speaker)
		_, wanted := s.drawers[w.ID]
		s.met[w.ID] = s.met[w.ID] || wanted
		if (named || wanted) && s.Add(OfDrawer(p, w)) && named {
			s.want(w.ID, true)
		}
	})
}

// findEntries finds entries of diaries. Lines that people wrote there are found as lines of pages are.
func (d daily) findEntries(ctx context.Context, s *Search) error {
	return d.v.EachEntry(ctx, s.mayHold("entry"), func(p vault.Path, f *vault.Fact) {
		if !f.Hand && s.Names(f.ID, f.Section.ChatID, f.Text, f.Category) {
			s.Add(ofFact(p, f))
		}
	})
}

func (d daily) findFacts(ctx context.Context, s *Search) error {
	return d.v.EachFact(ctx, s.mayHold("fact"), func(p vault.Path, f *vault.Fact) {
		from := f.Section.Drawer
		goes := from != "" && (s.drawers[from] || s.ids[from])
		quotes := slices.ContainsFunc(f.Section.From()[1:], func(id string) bool {
			_, wanted := s.drawers[id] // which sentence of it the fact has is not known
			return wanted || s.ids[id]
		})
		named := s.Names(f.ID, f.Section.ChatID, f.Text, f.Section.Speaker, f.Category) || s.cited[markdown.Source{Day: f.Day, ID: f.ID}]
		if !named && !goes && !quotes {
			return
		}
		if s.Add(ofFact(p, f)) && (named || goes) && from != "" && !s.drawers[from] {
			s.want(from, false)
		}
	})
}

// purge is not cut off in the middle: half of the records do not lead to the others when the purge is asked for again.
func (d daily) purge(ctx context.Context, p *Purge) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	changed, err := d.v.Purge(context.WithoutCancel(ctx), slice.Map(p.Targets, func(t Target) string { return t.ID }))
	if len(changed) == 0 || err != nil {
		return err
	}
	return p.room.follow(ctx, changed...) // lines moved; the rows are gone already
}

func (d daily) restore(ctx context.Context, r *Restoring) error {
	add := func(p vault.Path, f *vault.Fact) { r.Add(ofFact(p, f)) }
	if err := errors.Join(d.v.EachFact(ctx, nil, add), d.v.EachEntry(ctx, nil, add)); err != nil {
		return err
	}
	return d.v.EachDrawer(ctx, nil, func(p vault.Path, w *vault.Drawer) {
		r.Add(OfDrawer(p, w))
	})
}
