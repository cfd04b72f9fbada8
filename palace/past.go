package palace

import (
	"context"
	"slices"
	"time"

	"github.com/reverie-memory/reverie/graph"
	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/palace/drawers"
	"github.com/reverie-memory/reverie/palace/findings"
	"github.com/reverie-memory/reverie/vault"
)

// A past is what an export tells of what happened, where it comes from, to drawers and the graph, and of what was found out there, as far
// as that is new here.
type past struct {
	drawers []drawers.Event
	graph   []graph.Event
	found   []findings.Finding
}

func (p past) len() int { return len(p.drawers) + len(p.graph) + len(p.found) }

// past sifts what a part tells of that: what was forgotten, and what rests on messages or facts that are not kept, is left out. Its events
// name the import.
func (in *Intake) past(im Import, s *sifted) (p past, err error) {
	tomb := in.tombstones()
	gone := func(texts ...string) bool {
		return slices.ContainsFunc(texts, func(text string) bool { return tomb.Visible(text) != text })
	}
	stored := slice.Set(s.again)
	for _, d := range slices.Concat(s.fresh, s.told) {
		stored[d.ID] = true
	}
	for _, m := range im.Messages {
		for _, e := range m.Events {
			e.Import = im.Source.ID
			if stored[m.ID] && !gone(e.Reason, e.Evidence, textOf(e.Wing), textOf(e.Room), textOf(e.Hall)) {
				p.drawers = append(p.drawers, e)
			}
		}
	}
	for _, e := range im.Assertions {
		e.Import = im.Source.ID
		if !s.skipped[e.Source] && !gone(e.Text(), e.Subject, e.Object, e.Was) {
			p.graph = append(p.graph, e)
		}
	}
	said := saidOf(im.Facts, slices.Concat(s.fresh, s.told, s.known))
	for _, f := range im.Findings {
		if s.skipped[f.ID] || f.Tells(func(text string) bool { return gone(text) }) {
			continue
		}
		if f.At, f.Said = f.At.UTC().Truncate(time.Second), nil; len(f.Triples) > 0 {
			f.Said = said[f.ID]
		}
		f.Import = im.Source.ID
		key := f.Key()
		_, known, err := in.opt.Findings.OfID(f.ID, func(k findings.Finding) bool { return k.Key() == key })
		if err != nil {
			return p, err
		}
		if known {
			s.again = append(s.again, key)
		} else {
			p.found = append(p.found, f)
		}
	}
	var again, more []string
	if in.opt.Drawers == nil {
		p.drawers = nil
	} else if p.drawers, again, err = in.opt.Drawers.Fresh(p.drawers); err != nil {
		return p, err
	}
	if in.opt.Graph == nil {
		p.graph = nil
	} else if p.graph, more, err = in.opt.Graph.Fresh(p.graph); err != nil {
		return p, err
	}
	s.again = slices.Concat(s.again, again, more)
	return p, nil
}

// saidOf tells who said the facts and drawers of a part, by their ids. What an export says of that beside a finding does not count: whoever
// imports it may have said whose words it holds.
func saidOf(facts []ImportedFact, drawers []vault.Drawer) map[string]*findings.Said {
	out := map[string]*findings.Said{}
	for _, f := range facts {
		out[f.Fact.ID] = findings.SaidBy(&f.Section)
	}
	for _, d := range drawers {
		out[d.ID] = findings.SaidIn(&d)
	}
	return out
}

func textOf(name *string) string {
	if name == nil {
		return ""
	}
	return *name
}

// writePast writes what past found. The caller holds writing.
func (in *Intake) writePast(ctx context.Context, p past, res *ImportReceipt) error {
	if len(p.drawers) > 0 {
		if err := in.opt.Drawers.Write(ctx, p.drawers...); err != nil {
			return err
		}
		in.opt.Notify(drawers.File)
	}
	if len(p.graph) > 0 {
		if err := in.opt.Graph.Write(ctx, p.graph...); err != nil {
			return err
		}
	}
	if len(p.found) > 0 {
		if err := in.opt.Findings.Append(ctx, p.found...); err != nil {
			return err
		}
	}
	res.Events += len(p.drawers) + len(p.graph)
	return nil
}

// withdraw takes the events and findings back that go: with their drawer or the one that it was held against, with what they rest on, or
// with the import that alone told them.
func (in *Intake) withdraw(u *undoing) error {
	brought := func(by string, id func() string) bool {
		if by == "" || !u.gone[by] {
			return false
		}
		event := id()
		return (by == u.source || u.mine[event]) && !u.others[event]
	}
	err := in.opt.Findings.Drop(func(f findings.Finding) bool { return u.drawers[f.ID] || u.facts[f.ID] || brought(f.Import, f.Key) })
	if err != nil {
		return err
	}
	if in.opt.Drawers != nil {
		err = in.opt.Drawers.Withdraw(func(e drawers.Event) bool {
			return u.drawers[e.Drawer] || u.drawers[e.Into] || brought(e.Import, e.ID)
		})
		if err != nil {
			return err
		}
	}
	if in.opt.Graph == nil {
		return nil
	}
	return in.opt.Graph.Withdraw(func(e graph.Event) bool {
		return u.drawers[e.Source] || u.facts[e.Source] || brought(e.Import, e.ID)
	})
}
