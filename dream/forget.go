package dream

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/reverie-memory/reverie/dream/claim"
	"github.com/reverie-memory/reverie/dream/navigate"
	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/vault"
)

// A logCache answers what a source line says, one day's log at a time.
type logCache struct {
	v     *vault.Vault
	days  map[vault.Day]map[string]vault.Fact
	order []vault.Day
}

// cachedDays bounds the logs held at once.
const cachedDays = 32

func newLogCache(v *vault.Vault) *logCache {
	return &logCache{v: v, days: map[vault.Day]map[string]vault.Fact{}}
}

// fact is the line that a source names; false when the log no longer has it.
func (c *logCache) fact(s page.Source) (vault.Fact, bool, error) {
	facts, ok := c.days[s.Day]
	if !ok {
		data, err := c.v.ReadFile(vault.LogPath(s.Day))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return vault.Fact{}, false, err
		}
		facts = map[string]vault.Fact{}
		for _, f := range vault.ParseLog(vault.LogPath(s.Day), data).Facts {
			facts[f.ID] = f
		}
		if len(c.order) >= cachedDays {
			delete(c.days, c.order[0])
			c.order = c.order[1:]
		}
		c.days[s.Day] = facts
		c.order = append(c.order, s.Day)
	}
	f, ok := facts[s.ID]
	return f, ok, nil
}

// forgotten takes off all pages what was forgotten since the last run. What a person wrote themselves, without a source, stays:
// it is hidden from answers, and theirs to delete.
func (p *planner) forgotten() error {
	var names []vault.Path
	for _, list := range p.families {
		names = append(names, list...)
	}
	slices.Sort(names)
	return p.forgottenOn(names)
}

func (p *planner) forgottenOn(names []vault.Path) error {
	logs := newLogCache(p.r.o.Vault)
	for _, name := range names {
		if err := p.ctx.Err(); err != nil {
			return err
		}
		hits, err := p.mentions(name, logs)
		if err != nil {
			return err
		}
		if len(hits) == 0 {
			continue
		}
		if err := p.unmention(name, hits, logs); err != nil {
			return err
		}
	}
	return p.forgottenItems(logs)
}

// current is a page as the run will leave it, as far as it is planned.
func (p *planner) current(name vault.Path) (*draft, error) {
	if fam, ok := p.open[familyKey(name)]; ok {
		if d := fam.draft(name); d != nil {
			return d, nil
		}
	}
	return p.load(name)
}

// mentions are the statements of a page that tell something forgotten, by id.
func (p *planner) mentions(name vault.Path, logs *logCache) ([]string, error) {
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
	var ids []string
	for _, st := range d.doc.Statements() {
		gone, err := p.isForgotten(st.Text, st.Sources, logs)
		if err != nil {
			return nil, err
		}
		if gone && (len(st.Sources) > 0 || p.ours(d, st.Text)) {
			ids = append(ids, st.ID)
		}
	}
	return ids, nil
}

// isForgotten says whether the text was forgotten, or all that it rests on, or so much that the rest does not carry it.
func (p *planner) isForgotten(text string, src []page.Source, logs *logCache) (bool, error) {
	if _, ok := p.tombs.Match(text); ok {
		return true, nil
	}
	var left []string
	lost := false
	for _, s := range src {
		f, ok, err := logs.fact(s)
		if err != nil {
			return false, err
		}
		if ok {
			if _, dead := p.tombs.Match(f.Text); !dead {
				left = append(left, f.Text)
				continue
			}
		} else if _, consumed := p.known.FindOn(s.Day, s.ID); !consumed {
			continue // a link that was never one of ours
		}
		lost = true
	}
	if !lost {
		return false, nil
	}
	ok, _ := claim.Supports(left, text)
	return len(left) == 0 || !ok, nil
}

// cannotForget leaves it to the next run to look again.
func (p *planner) cannotForget(note string) {
	p.mentioned = true
	p.notes = append(p.notes, note)
}

func (p *planner) unmention(name vault.Path, ids []string, logs *logCache) error {
	fam, err := p.family(name)
	if err != nil {
		return err
	}
	for _, d := range fam.drafts {
		if d.path != name {
			continue
		}
		if d.closed != "" {
			p.cannotForget(fmt.Sprintf("%s holds something forgotten, but %s", d.path, d.closed))
			continue
		}
		for _, id := range slices.Backward(ids) { // the rank of equal lines is part of their ids
			st, ok := d.doc.Find(id)
			if !ok {
				continue
			}
			if _, err := d.do(&Op{Kind: RemoveLine, Target: id, By: byPerson, Reason: "forgotten"}); err != nil {
				return err
			}
			p.counts.Forgotten++
			if st.Callout {
				p.forgetOption(d, st)
			}
		}
		for i := range p.conflict { // now that all that was forgotten is out: what is left becomes a statement
			if c := &p.conflict[i]; c.Page == d.path && !c.done && len(c.Options) < 2 {
				p.dissolve(d, c)
			}
		}
		p.reindex(fam, d)
	}
	return nil
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
		p.list(&Op{
			Kind: TakeItem, Page: navigate.ConflictsPath, About: c.Page, Section: c.Link, Text: o.Item, Sources: o.Sources,
			By: byPerson,
		})
		c.Options = slices.Concat(c.Options[:at], c.Options[at+1:])
	}
}

// dissolve makes a statement of the only side that is left: with fewer than two there is nothing to ask.
func (p *planner) dissolve(d *draft, c *openConflict) {
	op := &Op{Kind: Settle, Target: conflictID(d, c.Question), Question: c.Question, Section: c.Section, By: byRules}
	for _, o := range c.Options {
		if o = o.on(d, c.Question); !o.Stays {
			op.Options = append(op.Options, page.Option{Text: o.Text, Sources: o.Sources})
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
	for _, name := range []vault.Path{navigate.UnfiledPath, navigate.SkippedPath} {
		data, err := p.r.o.Vault.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		for _, it := range navigate.ParseItems(data) {
			gone, err := p.isForgotten(it.Text, it.Sources, logs)
			if err != nil {
				return err
			}
			if gone && len(it.Sources) > 0 {
				p.list(&Op{Kind: TakeItem, Page: name, Section: it.Page, Text: it.Text, Sources: it.Sources, By: byPerson})
				p.counts.Forgotten++
			}
		}
	}
	return nil
}
