package dream

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"github.com/reverie-memory/reverie/dream/claim"
	"github.com/reverie-memory/reverie/dream/navigate"
	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/dream/route"
	"github.com/reverie-memory/reverie/vault"
)

// forgotten takes off all pages what was forgotten since the last run. What a person wrote themselves, without a source, stays:
// it is hidden from answers, and theirs to delete.
func (p *planner) forgotten(ctx context.Context) error {
	logs := newLogCache(p.r.o.Vault)
	for _, name := range p.pageNames() {
		if err := ctx.Err(); err != nil {
			return err
		}
		hits, err := p.mentions(name, logs)
		if err != nil {
			return err
		}
		if err := p.takeOff(name, hits, forgot); err != nil {
			return err
		}
	}
	return p.forgottenItems(logs)
}

// pageNames are all pages that facts may stand on, in order.
func (p *planner) pageNames() []vault.Path {
	names := slices.Concat(slices.Collect(maps.Values(p.groupPages))...)
	names = slices.DeleteFunc(names, func(name vault.Path) bool {
		e, _ := p.router.Dir.Get(name)
		return e.Foreign && !e.Filed
	})
	slices.Sort(names)
	return names
}

// current is a page as the run will leave it, as far as it is planned.
func (p *planner) current(name vault.Path) (*draft, error) {
	if group, ok := p.open[groupKey(name)]; ok {
		if d := group.draft(name); d != nil {
			return d, nil
		}
	}
	return p.load(name)
}

// A mention is a statement that tells something forgotten, or a text that stands in none.
type mention struct {
	id      string
	section string
	left    []vault.Fact // on which it rests as well, and which were not forgotten
	text    string       // what they tell together, where that is all that it says; else each has a line of its own
}

// mentions are those of a page.
func (p *planner) mentions(name vault.Path, logs *logCache) ([]mention, error) {
	d, err := p.current(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if errors.Is(err, vault.ErrClosed) {
		return nil, err
	}
	if err != nil {
		p.cannotForget(fmt.Sprintf("%s cannot be read: if it holds something forgotten, that is still there", name))
		return nil, nil
	}
	told := func(text string, src []page.Source) (whole, gone bool, left []vault.Fact, err error) {
		_, whole = p.tombs.Match(text)
		gone, left, err = p.isForgotten(text, src, logs)
		return whole || gone && p.ours(d, text), gone, left, err
	}
	var out, loose []mention
	at := map[string]bool{} // lines
	for _, l := range d.doc.Loose() {
		whole, _, left, err := told(l.Text, l.Sources)
		if err != nil {
			return nil, err
		}
		if whole { // what else cites a source is a person's
			loose = append(loose, mention{id: l.ID, left: left})
			at[l.Raw] = true
		}
	}
	for _, st := range d.doc.Statements() {
		text, src := st.Told()
		whole, gone, left, err := told(text, src)
		if err != nil {
			return nil, err
		}
		lines := st.Lines()
		if !whole && len(lines) > 1 && slices.ContainsFunc(lines, func(l string) bool { return at[l] }) {
			continue // one of the lines is ours, and goes by itself
		}
		if whole && (len(src) > 0 || p.ours(d, text)) || gone && len(src) > 0 {
			out = append(out, mention{id: st.ID, section: st.Section, left: left})
		}
	}
	return append(out, loose...), nil
}

// isForgotten says whether the text was forgotten, or all that it rests on, or so much that the rest does not carry it. left are
// the facts of that rest.
func (p *planner) isForgotten(text string, src []page.Source, logs *logCache) (gone bool, left []vault.Fact, err error) {
	_, told := p.tombs.Match(text)
	var texts []string
	lost := false
	for _, s := range src {
		f, ok, err := logs.fact(s)
		if err != nil {
			return false, nil, err
		}
		if ok {
			if _, dead := p.tombs.Match(f.Text); !dead {
				left, texts = append(left, f), append(texts, f.Text)
				continue
			}
		} else if _, consumed := p.known.FindOn(s.Day, s.ID); !consumed || p.asks(s) {
			continue // a link that was never one of ours, or a line that a person took out and was asked about
		}
		lost = true
	}
	if told || !lost {
		return told, left, nil
	}
	ok, _ := claim.Supports(texts, text)
	return len(left) == 0 || !ok, left, nil
}

// cannotForget leaves it to the next run to look again.
func (p *planner) cannotForget(note string) {
	p.mentioned = true
	p.notes = append(p.notes, note)
}

// Why a statement is taken off a page.
const (
	forgot  = "forgotten"
	revised = "its line in the log was changed"
)

// takeOff takes statements off a page.
func (p *planner) takeOff(name vault.Path, hits []mention, why string) error {
	if len(hits) == 0 {
		return nil
	}
	group, err := p.groupOf(name)
	if err != nil {
		return err
	}
	d := group.draft(name)
	if d == nil {
		return nil
	}
	if d.closed != "" {
		p.cannotForget(fmt.Sprintf("%s holds something forgotten, but %s", d.path, d.closed))
		return nil
	}
	for _, m := range slices.Backward(hits) { // the rank of equal lines is part of their ids
		st, ok := d.doc.Find(m.id)
		if !ok && !slices.ContainsFunc(d.doc.Loose(), func(l page.Statement) bool { return l.ID == m.id }) {
			continue // it went with another
		}
		_, err := d.do(&Op{Kind: RemoveLine, Target: m.id, By: byPerson, Reason: why})
		if errors.Is(err, errTarget) && why == revised {
			p.notes = append(p.notes, fmt.Sprintf("%s still says what a line of the log no longer says: %q", d.path, clipped(st.Text)))
			continue
		}
		if errors.Is(err, errTarget) {
			p.cannotForget(fmt.Sprintf("%s holds something forgotten in a place where it cannot be taken out", d.path))
			continue
		}
		if err != nil {
			return err
		}
		if why == forgot {
			p.counts.Forgotten++
		}
		if ok && st.Callout {
			p.forgetOption(d, st)
		}
		if err := p.tellRest(group, d, m); err != nil {
			return err
		}
	}
	for i := range p.conflict { // now that all that was forgotten is out: what is left becomes a statement
		if c := &p.conflict[i]; c.Page == d.path && !c.done && len(c.Options) < 2 && (!c.Gone || len(c.Options) == 0) {
			p.dissolve(d, c)
		}
	}
	p.reindex(group, d)
	return nil
}

// tellRest gives the facts that a forgotten statement told as well a line each, unless another names them.
func (p *planner) tellRest(group *pageGroup, d *draft, m mention) error {
	if m.text != "" {
		op := &Op{Kind: AddStatement, Section: m.section, Text: p.router.Link(m.text, d.path), By: byRules}
		for i := range m.left {
			op.Sources = append(op.Sources, page.Source{Day: m.left[i].Day, ID: m.left[i].ID})
		}
		_, err := d.do(op)
		return err
	}
	for i := range m.left {
		f := &m.left[i]
		src := page.Source{Day: f.Day, ID: f.ID}
		if slices.ContainsFunc(group.drafts, func(x *draft) bool { return x.names(src) }) {
			continue
		}
		if a, ok := p.known.FindOn(f.Day, f.ID); !ok || a.Outcome == string(Dropped) {
			continue
		}
		text := p.router.Link(route.Statement(f.Text, f.Section.Speaker), d.path)
		op := &Op{Kind: AddStatement, Section: m.section, Text: text, Sources: []page.Source{src}, By: byRules}
		if _, err := d.do(op); err != nil && !errors.Is(err, errPlace) {
			return err
		}
	}
	return nil
}

func (d *draft) names(src page.Source) bool {
	return slices.ContainsFunc(d.doc.Tellings(), func(t page.Statement) bool { return slices.Contains(t.Sources, src) })
}

// forgetOption drops a forgotten side of a question.
func (p *planner) forgetOption(d *draft, st page.Statement) {
	for i := range p.conflict {
		c := &p.conflict[i]
		if c.Page != d.path || c.done {
			continue
		}
		at := slices.IndexFunc(c.Options, func(o openOption) bool { return o.is(&st) })
		if at < 0 {
			continue
		}
		o := c.Options[at]
		p.takeItem(vault.ConflictsPath, c.item(o), c.Page, byPerson)
		c.Options = slices.Concat(c.Options[:at], c.Options[at+1:])
	}
}

// dissolve makes a statement of the only side that is left: with fewer than two there is nothing to ask.
func (p *planner) dissolve(d *draft, c *openConflict) {
	op := &Op{Kind: Settle, Target: conflictID(d, c.Question), Question: c.Question, Section: c.Section, By: byRules}
	for _, o := range c.Options {
		if o = o.on(d, c.Question); !o.Stays {
			op.Options = append(op.Options, o.Option)
		}
	}
	op.Options = append(op.Options, c.added(d)...)
	if _, err := d.do(op); err != nil {
		p.r.log.Warn("a question with one side stays", "page", d.path, "err", err)
		return
	}
	p.closeConflict(c.Page, c.Question)
}

// forgottenItems takes what was forgotten off the lists in 0_Inbox.
func (p *planner) forgottenItems(logs *logCache) error {
	for _, name := range []vault.Path{navigate.UnfiledPath, navigate.UnconfirmedPath, navigate.SkippedPath} {
		items, err := p.r.items(name)
		if err != nil {
			return err
		}
		for _, it := range items {
			gone, _, err := p.isForgotten(it.Text, it.Sources, logs)
			if err != nil {
				return err
			}
			if gone && len(it.Sources) > 0 {
				p.takeItem(name, it, "", byPerson)
				p.counts.Forgotten++
			}
		}
	}
	return nil
}
