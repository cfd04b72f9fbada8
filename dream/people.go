package dream

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/dream/navigate"
	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/vault"
)

// An openConflict is a question that waits for a person, with the items by which it stands in 0_Inbox/Conflicts.md.
type openConflict struct {
	Page     vault.Path   `json:"page"`
	Title    string       `json:"title"`
	Link     string       `json:"link"` // by which the items name the page
	Question string       `json:"question"`
	Section  string       `json:"section,omitempty"` // where its sides stood
	Options  []openOption `json:"options"`
	New      bool         `json:"new,omitempty"`  // of this run
	Gone     bool         `json:"gone,omitempty"` // it has one side, whose line a person took out of the log
	done     bool
}

// An openOption is one side of it.
type openOption struct {
	page.Option
	Item  string `json:"item"`            // on the list
	Stays bool   `json:"stays,omitempty"` // a person's own line, which stands on the page as well
}

// on is the option as it stands on its page: facts that said the same came to its sources since, and a person may have worded
// it anew.
func (o openOption) on(d *draft, question string) openOption {
	var worded *page.Statement
	for _, c := range d.doc.Conflicts() {
		for i := range c.Options {
			x := &c.Options[i]
			if x.Text == o.Text {
				o.Sources = x.Sources
				return o
			}
			if c.Question == question && o.is(x) {
				worded = x
			}
		}
	}
	if worded != nil {
		o.Text, o.Sources = worded.Text, worded.Sources
	}
	return o
}

// is says whether a line of the callout is this option: it has its words, or rests on the same fact.
func (o openOption) is(st *page.Statement) bool {
	return st.Text == o.Text || slices.ContainsFunc(o.Sources, func(s page.Source) bool { return slices.Contains(st.Sources, s) })
}

// added are the lines that a person put into the callout of a question.
func (c *openConflict) added(d *draft) []page.Option {
	var out []page.Option
	for _, k := range d.doc.Conflicts() {
		for i := range k.Options {
			st := &k.Options[i]
			if k.Question == c.Question && !slices.ContainsFunc(c.Options, func(o openOption) bool { return o.is(st) }) {
				out = append(out, page.Option{Text: st.Text, Sources: st.Sources})
			}
		}
	}
	return out
}

func fileTitle(p vault.Path) string { return strings.TrimSuffix(path.Base(string(p)), ".md") }

func (p *planner) openConflict(at vault.Path, question string) *openConflict {
	for i := range p.conflict {
		if c := &p.conflict[i]; c.Page == at && c.Question == question && !c.done {
			return c
		}
	}
	return nil
}

// adopt takes up a callout that no state knows of, such as one that a person wrote or that came with a copied vault.
func (p *planner) adopt(d *draft, question string) *openConflict {
	oc := openConflict{Page: d.path, Title: d.doc.Page().Title, Link: p.linkTo(d.path), Question: question, New: true}
	for _, c := range d.doc.Conflicts() {
		if c.Question == question {
			for _, o := range c.Options {
				oc.Options = append(oc.Options, openOption{Option: page.Option{Text: o.Text, Sources: o.Sources}, Item: p.listed(oc.Link, o)})
			}
		}
	}
	for _, o := range oc.Options { // a side without an item would count as one that a person deleted
		p.list(&Op{
			Kind: AddItem, Page: p.r.where.At(vault.ConflictsPath), About: d.path,
			Section: oc.Link, Text: o.Item, Sources: o.Sources, By: byRules,
		})
	}
	p.conflict = append(p.conflict, oc)
	return &p.conflict[len(p.conflict)-1]
}

// listed is the text of the item that stands on the list for a side already, else the side's own.
func (p *planner) listed(link string, o page.Statement) string {
	items, err := p.r.items(vault.ConflictsPath)
	if err != nil || len(o.Sources) == 0 {
		return o.Text
	}
	for _, it := range items {
		if strings.EqualFold(it.Page, link) && slices.Equal(it.Sources, o.Sources) {
			return it.Text
		}
	}
	return o.Text
}

// closeConflict takes a question off the list.
func (p *planner) closeConflict(at vault.Path, question string) {
	c := p.openConflict(at, question)
	if c == nil {
		return
	}
	c.done = true
	for _, o := range c.Options {
		p.takeItem(vault.ConflictsPath, c.item(o), c.Page, byRules)
	}
}

// answers carries out what people decided since the last run: an item that they ticked or corrected is right, one that they
// deleted is not, and a callout that is gone from its page is settled.
func (p *planner) answers(known []openConflict) error {
	now, err := p.takeUp(known)
	if err != nil {
		return err
	}
	for i := range known {
		if err := p.answered(&p.conflict[i], now); err != nil {
			return err
		}
	}
	return nil
}

// takeUp takes open questions over, each at the page where it stands now, and gives the items of all. takeUp is the first that a planner
// does.
func (p *planner) takeUp(known []openConflict) ([]navigate.Item, error) {
	if len(known) == 0 {
		return nil, nil
	}
	now, err := p.r.items(vault.ConflictsPath)
	if err != nil {
		return nil, err
	}
	for _, c := range known {
		c.New, c.Options = false, slices.Clone(c.Options)
		if err := p.follow(&c, now); err != nil {
			return nil, err
		}
		p.conflict = append(p.conflict, c)
	}
	return now, nil
}

// follow finds the page of a question under its new name. Programs that rename a page rename the links to it as well.
func (p *planner) follow(c *openConflict, now []navigate.Item) error {
	if _, ok := p.router.Dir.Get(c.Page); ok {
		return nil
	}
	for _, name := range p.router.Dir.Paths() {
		d, err := p.current(name)
		if errors.Is(err, vault.ErrClosed) {
			return err
		}
		if err != nil || conflictID(d, c.Question) == "" {
			continue
		}
		c.Page, c.Title = name, d.doc.Page().Title
		if link := p.linkTo(name); slices.ContainsFunc(now, func(it navigate.Item) bool { return strings.EqualFold(it.Page, link) }) {
			c.Link = link
		}
		return nil
	}
	return nil
}

// item is the item of a side.
func (c *openConflict) item(o openOption) navigate.Item {
	return navigate.Item{Page: c.Link, Text: o.Item, Sources: o.Sources}
}

// A verdict is what a person decided about one side.
type verdict struct {
	right, wrong bool
	text         string // corrected, else ""
	item         navigate.Item
}

func (p *planner) answered(c *openConflict, now []navigate.Item) error {
	group, err := p.groupOf(c.Page)
	if err != nil {
		return err
	}
	d := group.draft(c.Page)
	if d != nil && d.closed != "" {
		return nil
	}
	if d == nil || conflictID(d, c.Question) == "" { // the page or its callout went, or was reworded
		p.closeConflict(c.Page, c.Question)
		p.counts.Settled++
		return nil
	}
	verdicts := verdicts(c, now)
	open, right := 0, 0
	for _, v := range verdicts {
		switch {
		case v.right:
			right++
		case !v.wrong:
			open++
		}
	}
	if right == 0 && open == len(verdicts) {
		return nil
	}
	err = p.settle(group, d, c, verdicts, right == 0 && open > 1)
	if errors.Is(err, errTarget) || errors.Is(err, errPlace) { // one page must not stop all others
		p.notes = append(p.notes, fmt.Sprintf("%s: the question %q could not be taken off the page and stays open", d.path, clipped(c.Question)))
		return nil
	}
	return err
}

// verdicts reads the items of a conflict. An item that is not where it was, while another of the same page is new there, was
// corrected.
func verdicts(c *openConflict, now []navigate.Item) []verdict {
	var known, mine []navigate.Item
	for _, o := range c.Options {
		known = append(known, c.item(o))
	}
	for _, it := range now {
		if strings.EqualFold(it.Page, c.Link) || strings.EqualFold(fileTitle(vault.Path(it.Page+".md")), fileTitle(c.Page)) {
			mine = append(mine, it)
		}
	}
	out := make([]verdict, len(c.Options))
	for i, ch := range navigate.Changes(known, mine) {
		switch {
		case ch.Deleted:
			out[i].wrong = true
		case ch.Edited:
			out[i] = verdict{right: true, text: ch.Text, item: ch.Item}
		case ch.Ticked && ch.Key() == known[i].Key():
			out[i].right = true
		}
	}
	return out
}

// settle writes the decision down: what is right stands among the statements, what is not goes to History. Where every item
// was deleted nothing was decided but that the question is not wanted: all sides stand. With ask, some sides are out, and the question
// stays for the others.
func (p *planner) settle(group *pageGroup, d *draft, c *openConflict, verdicts []verdict, ask bool) error {
	op := &Op{
		Kind: Settle, Target: conflictID(d, c.Question), Question: c.Question, Section: p.sectionFor(d, c), By: byPerson,
		Note: "not so, decided " + shortDay(p.today),
	}
	again := &Op{Kind: Contradict, Question: c.Question, By: byPerson}
	var left []openOption
	anyRight := slices.ContainsFunc(verdicts, func(v verdict) bool { return v.right })
	allWrong := !c.Gone && !slices.ContainsFunc(verdicts, func(v verdict) bool { return !v.wrong })
	for i, v := range verdicts {
		o := c.Options[i].on(d, c.Question)
		if c.Gone {
			kept := p.kept(page.Option{Text: v.text, Sources: o.Sources})
			v.text, o.Sources = kept.Text, kept.Sources
		}
		if ask && !v.wrong {
			left, again.Options = append(left, c.Options[i]), append(again.Options, o.Option)
			continue
		}
		stands := v.right || allWrong || !anyRight && !v.wrong
		if o.Stays { // the line of a person stands on the page already
			if err := p.personsLine(d, o, stands && v.text == "", op.Note); err != nil {
				return err
			}
			if v.text == "" {
				continue
			}
		}
		if v.text != "" { // corrected by hand: their words count, and what they replace is history
			op.Options, stands = append(op.Options, page.Option{Text: v.text}), false
		}
		if o.Text = p.router.Link(o.Text, d.path); stands {
			op.Options = append(op.Options, o.Option)
		} else if !o.Stays {
			op.Rejected = append(op.Rejected, o.Option)
		}
	}
	if ask {
		again.Options = append(again.Options, c.added(d)...)
	} else {
		op.Options = append(op.Options, c.added(d)...)
	}
	if _, err := d.do(op); err != nil {
		return err
	}
	defer p.reindex(group, d)
	if ask {
		c.Options = left
		if _, err := d.do(again); err != nil {
			return fmt.Errorf("asking again: %v", err) // whatever it is, nothing of the run may be written
		}
		return nil
	}
	for _, v := range verdicts {
		if v.text != "" { // the corrected item has other words than the one that is known
			p.takeItem(vault.ConflictsPath, v.item, c.Page, byRules)
		}
	}
	p.closeConflict(c.Page, c.Question)
	p.counts.Settled++
	return nil
}

// personsLine moves the line of a person to History when they decided against it.
func (p *planner) personsLine(d *draft, o openOption, stands bool, note string) error {
	if stands {
		return nil
	}
	for _, st := range d.doc.Statements() {
		if st.Text == o.Text && !st.Callout && !st.History {
			_, err := d.do(&Op{Kind: Retire, Target: st.ID, Was: st.Text, Note: note, By: byPerson})
			return err
		}
	}
	return nil
}

// sectionFor is where the page keeps most of what a question is about.
func (p *planner) sectionFor(d *draft, c *openConflict) string {
	for _, o := range c.Options {
		for _, st := range d.doc.Statements() {
			if o.Stays && st.Text == o.Text && !st.Callout {
				return st.Section
			}
		}
	}
	return c.Section
}
