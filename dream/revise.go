package dream

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/reverie-memory/reverie/dream/claim"
	"github.com/reverie-memory/reverie/dream/navigate"
	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/vault"
)

// People may correct and delete lines of logs that were consolidated. A line that reads otherwise is a fact that no ledger covers: its
// run takes what the line said before off the pages, and files what it says now as any fact. A line that is gone is a question.

// goneMark is behind the text of an item that asks whether a statement still holds.
const goneMark = " (its line in the log is gone: tick to keep it, delete this item to drop it)"

// A vanishedCache keeps which consumed facts are no longer in their logs, by day.
type vanishedCache struct {
	mu    sync.Mutex
	days  map[vault.Day]vanishedOn
	asked map[page.Source]bool // whose statements were looked for on every page
}

// settled notes after whose statements every page was searched.
func (c *vanishedCache) settled(asked map[page.Source]bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked = asked
}

type vanishedOn struct {
	log   vault.FileInfo
	known string // version of what the ledgers know of the day
	gone  []page.Source
}

// read gives the facts that a ledger has on a page and that their day's log no longer has. Of a log that is not there nothing is known: it
// may be on its way. fresh says that there are some whose statements were not looked for yet.
func (c *vanishedCache) read(ctx context.Context, v *vault.Vault,
	known *vault.Accounts,
) (gone map[page.Source]bool, fresh bool, err error) {
	days, err := v.Days(vault.ArchiveDir)
	if err != nil {
		return nil, false, fmt.Errorf("listing the logs: %w", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	now, stale := map[vault.Day]vanishedOn{}, map[vault.Day]map[page.Source]bool{}
	for _, day := range days {
		on := vanishedOn{known: known.DayVersion(day)}
		if on.log, err = v.Stat(vault.LogPath(day)); err != nil || on.known == "" {
			continue
		}
		if was, ok := c.days[day]; ok && was.log == on.log && was.known == on.known {
			now[day] = was
			continue
		}
		now[day], stale[day] = on, map[page.Source]bool{}
	}
	if len(stale) > 0 {
		for id, a := range known.All() {
			if s := stale[a.Day]; s != nil && a.Page != "" {
				s[page.Source{Day: a.Day, ID: id}] = true
			}
		}
	}
	gone = map[page.Source]bool{}
	for day, on := range now {
		if left, ok := stale[day]; ok {
			if err := ctx.Err(); err != nil {
				return nil, false, err
			}
			data, err := v.ReadFile(vault.LogPath(day))
			if errors.Is(err, fs.ErrNotExist) {
				delete(now, day)
				continue
			}
			if err != nil {
				return nil, false, fmt.Errorf("reading the log of %s: %w", day, err)
			}
			for _, f := range vault.ParseLog(vault.LogPath(day), data).Facts {
				delete(left, page.Source{Day: day, ID: f.ID})
			}
			on.gone = slices.Collect(maps.Keys(left))
			if now[day] = on; time.Since(on.log.ModTime) < racy {
				delete(now, day)
			}
		}
		for _, s := range on.gone {
			gone[s], fresh = true, fresh || !c.asked[s]
		}
	}
	c.days = now
	return gone, fresh, nil
}

// revise makes the pages follow lines of the logs that a person changed or took out. facts are those of the batch: those that a ledger
// has under other words are the changed ones. A page of a person's own words stays as it is.
func (p *planner) revise(ctx context.Context, facts []vault.Fact) error {
	rv := &revision{p: p, changed: map[page.Source]bool{}, gone: p.gone, told: map[string]bool{}, logs: newLogCache(p.r.o.Vault)}
	for i := range facts {
		rv.told[facts[i].Version()] = true
		if _, ok := p.known.FindOn(facts[i].Day, facts[i].ID); ok {
			rv.changed[page.Source{Day: facts[i].Day, ID: facts[i].ID}] = true
		}
	}
	p.returned()
	if len(rv.changed) == 0 && !p.fresh {
		return nil
	}
	for _, name := range p.pageNames() {
		if err := ctx.Err(); err != nil {
			return err
		}
		data, err := p.r.o.Vault.ReadFile(name)
		if errors.Is(err, vault.ErrClosed) {
			return err
		}
		if err != nil || !rv.cites(data) {
			continue // a page that cannot be read is left alone
		}
		if err := rv.page(name); err != nil {
			return fmt.Errorf("following the logs on %s: %w", name, err)
		}
	}
	return rv.unfiled()
}

// A revision is what changed in the logs.
type revision struct {
	p             *planner
	changed, gone map[page.Source]bool
	told          map[string]bool // versions of the facts of the batch
	logs          *logCache
}

func (rv *revision) names(s page.Source) bool { return rv.changed[s] || rv.gone[s] }

// cites says cheaply whether the page may name one of the lines.
func (rv *revision) cites(data []byte) bool {
	for l := range bytes.Lines(data) {
		if bytes.Contains(l, []byte("#^")) && slices.ContainsFunc(page.Sources(string(bytes.TrimSpace(l))), rv.names) {
			return true
		}
	}
	return false
}

func (rv *revision) page(name vault.Path) error {
	p := rv.p
	group, err := p.groupOf(name)
	if err != nil {
		return err
	}
	d := group.draft(name)
	if d == nil {
		return nil
	}
	var old []mention
	var lost []page.Statement
	for _, st := range d.doc.Statements() {
		if !p.ours(d, st.Text) || st.Nested && !st.Callout || !slices.ContainsFunc(st.Sources, rv.names) {
			continue
		}
		m := mention{id: st.ID, section: st.Section}
		if m.left, err = rv.left(st.Sources); err != nil {
			return err
		}
		if supported(m.left, st.Text) {
			m.text = st.Text
		}
		again := m.text != ""
		if !again {
			if again, err = rv.reworded(&st); err != nil {
				return err
			}
		}
		switch {
		case slices.ContainsFunc(st.Sources, func(s page.Source) bool { return rv.changed[s] }), again && (m.text == "" || !st.Callout):
			old = append(old, m)
		case !again && !st.History && !st.Callout:
			lost = append(lost, st)
		}
	}
	if d.closed != "" {
		if len(old)+len(lost) > 0 {
			p.notes = append(p.notes, fmt.Sprintf("%s says what its line in the log no longer says, but %s", d.path, d.closed))
		}
		return nil
	}
	for _, st := range slices.Backward(lost) {
		if err := p.askGone(d, st); err != nil {
			return err
		}
	}
	p.reindex(group, d)
	return p.takeOff(name, old, revised)
}

// left are the facts that a statement rests on as before.
func (rv *revision) left(src []page.Source) ([]vault.Fact, error) {
	var out []vault.Fact
	for _, s := range src {
		if rv.names(s) {
			continue
		}
		f, ok, err := rv.logs.fact(s)
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, f)
		}
	}
	return out, nil
}

func supported(by []vault.Fact, text string) bool {
	var texts []string
	for i := range by {
		texts = append(texts, by[i].Text)
	}
	ok, _ := claim.Supports(texts, text)
	return ok && len(texts) > 0
}

// reworded says whether the line that is gone was changed or moved: the same day has a new one about the same thing, or a new line of any
// day has its words. The id of a line by hand is made of its words and its file.
func (rv *revision) reworded(st *page.Statement) (bool, error) {
	was := claim.Parse(st.Text, rv.p.speakerOf(st.Sources), newest(st.Sources))
	for _, s := range st.Sources {
		if !rv.gone[s] {
			continue
		}
		if was, ok := rv.p.known.FindOn(s.Day, s.ID); ok && rv.told[was.Version] {
			return true, nil
		}
		facts, err := rv.logs.day(s.Day)
		if err != nil {
			return false, err
		}
		for _, f := range facts {
			if f.Hand && !rv.p.known.Covers(&f) && claim.Compare(was, claim.Parse(f.Text, f.Section.Speaker, f.Day)) != claim.Unrelated {
				return true, nil
			}
		}
	}
	return false, nil
}

// unfiled takes what the changed lines said before off the lists of facts without a page.
func (rv *revision) unfiled() error {
	for _, name := range []vault.Path{navigate.UnfiledPath, navigate.UnconfirmedPath} {
		items, err := rv.p.r.items(name)
		if err != nil {
			return err
		}
		for _, it := range items {
			if slices.ContainsFunc(it.Sources, func(s page.Source) bool { return rv.changed[s] }) {
				rv.p.takeItem(name, it, "", byRules)
			}
		}
	}
	return nil
}

// askGone puts a statement whose line left the log into a question with one side.
func (p *planner) askGone(d *draft, st page.Statement) error {
	op := &Op{
		Kind: Contradict, Target: st.ID, Was: st.Text, By: byRules, Options: []page.Option{{Text: st.Text, Sources: st.Sources}},
		Question: unused(d, "Its line in the log of "+shortDay(newest(st.Sources))+" is gone. Is it still so?"),
	}
	_, err := d.do(op)
	if errors.Is(err, errTarget) || errors.Is(err, errPlace) {
		p.notes = append(p.notes, fmt.Sprintf("%s: the line of %q is gone from its log, and the page has no place to ask",
			d.path, clipped(st.Text)))
		return nil
	}
	if err != nil {
		return err
	}
	p.conflict = append(p.conflict, openConflict{
		Page: d.path, Title: d.doc.Page().Title, Link: p.linkTo(d.path), Question: op.Question, Section: st.Section, New: true, Gone: true,
	})
	p.askItem(&p.conflict[len(p.conflict)-1], d, st.Text, st.Text+goneMark, st.Sources, false)
	return nil
}

// returned drops the questions about lines that are back in their logs.
func (p *planner) returned() {
	for i := range p.conflict {
		c := &p.conflict[i]
		if !c.Gone || c.done || slices.ContainsFunc(c.Options, func(o openOption) bool { return slices.ContainsFunc(o.Sources, p.isGone) }) {
			continue
		}
		group, err := p.groupOf(c.Page)
		if err != nil {
			continue
		}
		if d := group.draft(c.Page); d != nil && d.closed == "" {
			p.dissolve(d, c)
			p.reindex(group, d)
		}
	}
}

// asks says whether a question is open about the line of the log.
func (p *planner) asks(s page.Source) bool {
	return slices.ContainsFunc(p.conflict, func(c openConflict) bool {
		return c.Gone && !c.done && slices.ContainsFunc(c.Options, func(o openOption) bool { return slices.Contains(o.Sources, s) })
	})
}

func (p *planner) isGone(s page.Source) bool { return p.gone[s] }

// kept is a statement whose line is gone, as a person keeps it: it rests on what is left, or on their word.
func (p *planner) kept(o page.Option) page.Option {
	o.Sources = slices.DeleteFunc(slices.Clone(o.Sources), p.isGone)
	o.Text = strings.TrimSuffix(o.Text, goneMark)
	return o
}
