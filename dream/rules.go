package dream

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/dream/claim"
	"github.com/reverie-memory/reverie/dream/navigate"
	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/dream/route"
	"github.com/reverie-memory/reverie/trust"
	"github.com/reverie-memory/reverie/vault"
)

// joint is a line of ours with its quotation and the fact's as one.
type joint struct {
	*line
	both string
}

// findings are the statements that a fact has to do with, by what they are to each other. Statements that are newer than the
// fact are compared the other way round.
type findings struct {
	same      *line   // says the same, or more
	less      *line   // ours, and the fact says all of it and more
	joint     *joint  // a quotation that goes on where the fact's ends, or ends where it begins
	replaced  []*line // were true until the fact, or never
	corrected bool
	overtaken []*line // ours, of which the fact ends or corrects a part
	newer     *line   // says that the fact is not true any more
	against   *line   // cannot both be true, and nothing tells which is
	done      []*line // tasks that the fact says to be done
}

func (p *planner) look(group *pageGroup, f *fact) findings {
	var out findings
	for _, l := range group.candidates(f.claim, false) {
		rel, newer := claim.Unrelated, l.day > f.Day
		if newer {
			rel = turned(claim.Compare(f.claim, l.claim))
		} else {
			rel = claim.Compare(l.claim, f.claim)
		}
		if l.until && l.day >= f.Day && (rel == claim.Change || rel == claim.Correction) {
			rel = claim.Conflict // nobody knows which came first
		}
		switch rel {
		case claim.Duplicate, claim.Narrower:
			if l.ticked && isTask(f) && f.Day > l.day { // it has to be done another time
				continue
			}
			if out.same == nil || out.same.conflict != "" { // a statement that stands is better than one in question
				out.same = l
			}
		case claim.Wider:
			if out.less == nil && l.ours && l.conflict == "" {
				out.less = l
			}
		case claim.Change, claim.Correction:
			if newer {
				out.newer = l
				continue
			}
			out.replaced = append(out.replaced, l)
			out.corrected = out.corrected || rel == claim.Correction
		case claim.Conflict:
			if out.against == nil || l.conflict != "" {
				out.against = l
			}
		case claim.Overtaken:
			switch {
			case newer:
				f.past = true
			case l.ours && !l.task && !l.ticked && l.conflict == "" && l.section != page.Timeline:
				out.overtaken = append(out.overtaken, l)
			}
		case claim.Unrelated:
			if out.joint == nil && l.ours && !l.history && !l.ticked && l.conflict == "" && l.task == isTask(f) {
				if both := p.joined(l, f); both != "" {
					out.joint = &joint{l, both}
				}
			}
		}
	}
	for _, w := range f.claim.Words() {
		for _, l := range group.tasks[w] {
			if !l.gone && l.day <= f.Day && claim.Done(l.claim, f.claim) {
				out.done = append(out.done, l)
			}
		}
	}
	return out
}

// settles tells that the fact says again one side of an open question, and that the other side is wrong.
func (f findings) settles() bool {
	return f.same.conflict != "" && f.corrected && slices.ContainsFunc(f.replaced, func(l *line) bool {
		return l.conflict == f.same.conflict && l.draft == f.same.draft
	})
}

// turned is a relation as seen from the older side.
func turned(r claim.Relation) claim.Relation {
	switch r {
	case claim.Narrower:
		return claim.Wider
	case claim.Wider:
		return claim.Narrower
	}
	return r
}

// file finds a fact its place among what its page says.
func (p *planner) file(f *fact) error {
	group, err := p.groupOf(f.place.Page)
	if err != nil {
		return err
	}
	if f.held != "" {
		p.hold(group, f)
		return nil
	}
	for _, d := range group.drafts {
		if d.closed != "" {
			p.closedNote(d)
			p.unfiled(f, d.closed)
			return nil
		}
	}
	if l := group.named[f.source]; l != nil && p.stands(f, l) {
		return nil
	}
	group.facts = append(group.facts, f)
	found := p.look(group, f)
	for _, l := range found.overtaken {
		if err := p.date(l); err != nil {
			return err
		}
	}
	switch {
	case f.Done:
		return p.ticked(group, f, found)
	case found.same != nil && !found.settles():
		return p.again(f, found.same)
	case found.newer != nil && !slices.ContainsFunc(found.replaced, func(l *line) bool { return l.conflict != "" }):
		return p.past(group, f, found)
	case len(found.done) > 0 && len(found.replaced) == 0:
		return p.complete(group, f, found.done)
	case len(found.replaced) > 0:
		return p.replace(group, f, found.replaced, found.corrected)
	case found.against != nil:
		return p.contradict(group, f, found.against)
	case found.less != nil:
		return p.widen(group, f, found.less, f.text)
	case found.joint != nil:
		return p.widen(group, f, found.joint.line, found.joint.both)
	}
	return p.add(group, f)
}

// stands accounts for a fact that a statement names already: its run was cut off and its plan lost, or a copy of the vault came
// without its state. A line of a person that only points to the fact does not count.
func (p *planner) stands(f *fact, l *line) bool {
	if l.gone {
		return false
	}
	_, revised := p.known.FindOn(f.Day, f.ID)
	if rel := claim.Compare(l.claim, f.claim); (!l.ours || revised) && rel != claim.Duplicate && rel != claim.Narrower {
		if ok, _ := claim.Supports([]string{l.text}, f.text); !ok {
			return false
		}
	}
	o := Kept
	switch {
	case l.history:
		o = Superseded
	case l.conflict != "":
		o = Conflicted
		if p.openConflict(l.draft.path, l.conflict) == nil { // nobody asks any more: its run was taken back and the page was not
			p.adopt(l.draft, l.conflict)
		}
	case l.sources[0] != f.source:
		o = Duplicate
	}
	f.account(o, l.draft.path, &Op{Page: l.draft.path, By: byRules}, standsAlready)
	if o == Kept && l.fact == nil {
		l.fact = f // a later fact may end it
	}
	return true
}

// theUser is the title of the page of somebody whose name is not known.
const theUser = "The user"

// add gives the fact a statement of its own. Once the user's name is told, the page of the user bears it.
func (p *planner) add(group *pageGroup, f *fact) error {
	fresh := false
	d := p.draft(group, f.place.Page, func() *page.Meta { fresh = true; return p.meta(f) })
	if fresh && f.place.Up.Path != "" {
		if err := p.hub(group, f.place.Up, d); err != nil {
			return err
		}
	}
	if name := p.router.Called; name != "" && trust.SaidName(f.Text) == name && d.doc.Page().Title == theUser &&
		bytes.Contains(vault.Front(d.data), []byte("\nreverie: page")) {
		if why := p.retitle(d, name, append(d.doc.Page().Aliases, theUser)); why != "" {
			return fmt.Errorf("the page %s: %s", d.path, why)
		}
	}
	op := &Op{
		Kind: AddStatement, Section: sectionOn(f, d, f.place.Section), Text: p.router.Link(f.text, d.path),
		Task: isTask(f), Sources: []page.Source{f.source}, By: byRules,
	}
	return p.put(group, d, f, op, Kept, "")
}

// partsSection is where a page links its overflow pages.
const partsSection = "Parts"

// hub links a new overflow page from its main page, which may be new as well.
func (p *planner) hub(group *pageGroup, up route.Entry, part *draft) error {
	d := p.draft(group, up.Path, func() *page.Meta {
		return &page.Meta{Title: up.Title, Aliases: up.Aliases, Type: up.Type, Created: p.today}
	})
	if _, known := p.router.Dir.Get(up.Path); !known {
		p.router.Dir.Add(up)
	}
	_, err := d.do(&Op{Kind: AddStatement, Section: partsSection, Text: "[[" + p.linkTo(part.path) + "]]", By: byRules})
	return err
}

// put does an op that writes the fact's statement.
func (p *planner) put(group *pageGroup, d *draft, f *fact, op *Op, o Outcome, reason string) error {
	id, err := d.do(op)
	if err != nil {
		return err
	}
	f.account(o, d.path, op, reason)
	if st, ok := d.doc.Find(id); ok {
		c, day := f.claim, max(f.Day, newest(st.Sources))
		if op.Kind == Reword {
			c = group.claim(st.Text, f.Section.Speaker, day)
		}
		group.add(&line{
			draft: d, id: id, text: st.Text, sources: st.Sources, section: st.Section, claim: c, day: day, ours: true, fact: f,
			history: st.History, task: st.Task && !st.Done,
		})
	}
	return nil
}

// isTask tells a fact that gets a box to tick: no wish, and not "the ethics form is done", whatever it was filed as.
func isTask(f *fact) bool { return f.Category == "task" && !f.done && !f.wish() && !f.claim.Finished() }

func (p *planner) meta(f *fact) *page.Meta {
	e := f.place.Entry
	return &page.Meta{Title: e.Title, Aliases: e.Aliases, Tags: f.place.Tags, Type: e.Type, Created: p.today}
}

// again adds the fact's source to a statement that says the same or more. A line of a person stays as it is.
func (p *planner) again(f *fact, l *line) error {
	o := Duplicate
	if claim.Compare(l.claim, f.claim) == claim.Narrower {
		o = Merged
	}
	if !l.ours {
		f.account(o, l.draft.path, &Op{Page: l.draft.path, By: byRules}, saidByPerson)
		return nil
	}
	op := &Op{Kind: AddSource, Target: l.id, Was: l.text, Sources: []page.Source{f.source}, By: byRules}
	id, err := l.draft.do(op)
	if err != nil {
		return err
	}
	l.id = id
	l.sources = append(slices.Clone(l.sources), f.source)
	l.day = max(l.day, f.Day)
	f.account(o, l.draft.path, op, "")
	return nil
}

// widen lets a fuller statement, the fact's or one that holds it, take the place of one that it contains.
func (p *planner) widen(group *pageGroup, f *fact, l *line, text string) error {
	op := &Op{
		Kind: Reword, Target: l.id, Was: l.text, Text: p.router.Link(text, l.draft.path), By: byRules,
		Sources: append(slices.Clone(l.sources), f.source), // all are written anew
	}
	if l.fact != nil && l.fact.line.Outcome == Kept {
		l.fact.account(Merged, l.draft.path, op, "part of a fuller statement")
	}
	l.gone = true
	return p.put(group, l.draft, f, op, Kept, "")
}

// maxJoined bounds in runes a quotation that is made of two: MEMORY.md shows as much whole.
const maxJoined = 420

// joined is one quotation of a line and a fact that goes on with the message which the line was made from, or the other way round, or "".
// That the words are the same does not do: they may have been said another time.
func (p *planner) joined(l *line, f *fact) string {
	if _, _, quoted := vault.CutTalk(f.text); !quoted {
		return ""
	}
	shown := vault.Unlinked(l.text)
	first, second := "", ""
	for _, src := range l.sources {
		from, _ := p.told(src)
		if from.Drawer != "" && slices.Contains(strings.Fields(f.Section.Beside), from.Drawer) {
			first, second = shown, f.text
		} else if f.Section.Drawer != "" && slices.Contains(strings.Fields(from.Beside), f.Section.Drawer) {
			first, second = f.text, shown
		}
	}
	out, ok := vault.JoinQuotes(first, second)
	said := trust.Said{Text: out, Origin: f.Section.Origin, Speaker: f.Section.Speaker, Owner: p.router.Owner}
	if !ok || utf8.RuneCountInString(out) > maxJoined || trust.Bar(said, trust.Page) != "" {
		return ""
	}
	return out
}

// replace moves what is no longer true to History and puts the fact in its place.
func (p *planner) replace(group *pageGroup, f *fact, old []*line, corrected bool) error {
	note := "until " + shortDay(f.Day)
	if corrected {
		note = "corrected " + shortDay(f.Day)
	}
	for _, l := range old {
		if l.conflict != "" {
			return p.answer(group, f, l, note)
		}
	}
	first := old[0]
	section := sectionOn(f, first.draft, first.section)
	if isTask(f) {
		section = f.place.Section
	}
	op := &Op{
		Kind: Supersede, Target: first.id, Was: first.text, Note: note, Section: section, Text: p.router.Link(f.text, first.draft.path),
		Task: isTask(f) || corrected && first.task, Sources: []page.Source{f.source}, By: byRules,
	}
	p.supersede(first, op, note)
	if err := p.put(group, first.draft, f, op, Kept, ""); err != nil {
		return err
	}
	for _, l := range old[1:] {
		if err := p.retire(l, note, first.draft.path); err != nil {
			return err
		}
	}
	return nil
}

// ticked files a task that its log says is done: ticked under History, together with the open one that it is.
func (p *planner) ticked(group *pageGroup, f *fact, found findings) error {
	note := "done " + shortDay(f.Day)
	if l := found.same; l != nil {
		if err := p.again(f, l); err != nil || !l.task {
			return err
		}
		return p.retire(l, note, l.draft.path)
	}
	d := p.draft(group, f.place.Page, func() *page.Meta { return p.meta(f) })
	op := &Op{
		Kind: AddStatement, Section: vault.History, Text: p.router.Link(f.text, d.path),
		Note: note, Task: true, Sources: []page.Source{f.source}, By: byRules,
	}
	return p.put(group, d, f, op, Superseded, note)
}

// complete moves tasks that the fact says to be done to History, and gives the fact a statement of its own.
func (p *planner) complete(group *pageGroup, f *fact, tasks []*line) error {
	note := "done " + shortDay(f.Day)
	for _, l := range tasks {
		if err := p.retire(l, note, f.place.Page); err != nil {
			return err
		}
	}
	if isTask(f) { // "the ethics form is done" is none any more
		f.done = true
	}
	return p.add(group, f)
}

// date moves a line, of which a later fact ends a part, to where it stands for what somebody said that day.
func (p *planner) date(l *line) error {
	id, err := l.draft.do(&Op{Kind: Date, Target: l.id, Was: l.text, By: byRules})
	if err == nil {
		l.id, l.section = id, page.Timeline
	}
	return err
}

// retire moves a line to History because of a fact that stands on the page about.
func (p *planner) retire(l *line, note string, about vault.Path) error {
	op := &Op{Kind: Retire, Target: l.id, Was: l.text, Note: note, About: about, By: byRules}
	if _, err := l.draft.do(op); err != nil {
		return err
	}
	p.supersede(l, op, note)
	return nil
}

func (p *planner) supersede(l *line, op *Op, reason string) {
	l.gone = true
	if l.fact != nil {
		l.fact.account(Superseded, l.draft.path, op, reason)
	}
}

// past files a fact that came late, or behind what a person wrote: it goes to History at once, and so does what it ended.
func (p *planner) past(group *pageGroup, f *fact, found findings) error {
	l := found.newer
	for _, old := range found.replaced {
		if err := p.retire(old, "until "+shortDay(f.Day), l.draft.path); err != nil {
			return err
		}
	}
	note := "until " + shortDay(ended(group, f, l))
	for _, h := range group.candidates(f.claim, true) {
		if h.ours && h.draft == l.draft && claim.Compare(h.claim, f.claim) == claim.Duplicate {
			if err := p.again(f, h); err != nil {
				return err
			}
			f.line.Outcome = Superseded
			return nil
		}
	}
	op := &Op{
		Kind: AddStatement, Section: vault.History, Text: p.router.Link(f.text, l.draft.path),
		Note: note, Sources: []page.Source{f.source}, By: byRules,
	}
	return p.put(group, l.draft, f, op, Superseded, note)
}

// ended is the day on which a fact was no longer true: the first after it on which anything was said that changed it. l says that
// it is not true now.
func ended(group *pageGroup, f *fact, l *line) vault.Day {
	day := l.day
	for _, h := range slices.Concat(group.candidates(f.claim, false), group.candidates(f.claim, true), []*line{l}) {
		if h.history && !strings.Contains(h.text, " (until ") { // never true
			continue
		}
		if rel := claim.Compare(f.claim, h.claim); h != l && rel != claim.Change && rel != claim.Correction || h.conflict != "" {
			continue
		}
		for _, s := range h.sources {
			if s.Day > f.Day {
				day = min(day, s.Day)
			}
		}
	}
	return day
}

// contradict asks a person.
func (p *planner) contradict(group *pageGroup, f *fact, l *line) error {
	d := l.draft
	op := &Op{Kind: Contradict, By: byRules, Question: claim.Question(l.claim, f.claim)}
	mine := page.Option{Text: f.text, Sources: []page.Source{f.source}}
	short := f.claim.Option(l.claim)
	title := d.doc.Page().Title
	var oc *openConflict
	if l.conflict != "" {
		if oc = p.openConflict(d.path, l.conflict); oc == nil {
			oc = p.adopt(d, l.conflict)
		}
		op.Question = l.conflict
		op.Target = conflictID(d, l.conflict)
		op.Options = []page.Option{mine}
	} else {
		if l.ours {
			op.Target, op.Was = l.id, l.text
		}
		op.Question = unused(d, op.Question)
		op.Options = []page.Option{{Text: l.text, Sources: l.sources}, mine}
		p.conflict = append(p.conflict, openConflict{
			Page: d.path, Title: title, Link: p.linkTo(d.path),
			Question: op.Question, Section: cmp.Or(l.section, f.place.Section), New: true,
		})
		oc = &p.conflict[len(p.conflict)-1]
		p.askItem(oc, d, l.text, l.claim.Option(f.claim), l.sources, !l.ours)
	}
	if _, err := d.do(op); err != nil {
		return err
	}
	p.askItem(oc, d, f.text, short, mine.Sources, false)
	f.account(Conflicted, d.path, op, op.Question)
	if l.fact != nil {
		l.fact.account(Conflicted, d.path, op, op.Question)
	}
	p.reindex(group, d)
	return nil
}

// askItem puts one side of a conflict on the list of questions.
func (p *planner) askItem(oc *openConflict, d *draft, text, short string, src []page.Source, stays bool) {
	it := Op{
		Kind: AddItem, Page: p.r.where.At(vault.ConflictsPath), About: d.path, Section: oc.Link, Text: short, Sources: src, By: byRules,
	}
	oc.Options = append(oc.Options, openOption{Option: page.Option{Text: text, Sources: src}, Item: short, Stays: stays})
	p.list(&it)
}

// linkTo is how a list links the page: by its title where that leads there.
func (p *planner) linkTo(path vault.Path) string {
	name := fileTitle(path)
	if len(p.router.Dir.Find(name)) <= 1 {
		return name
	}
	return string(path[:len(path)-len(".md")])
}

// answer settles a question by a fact that says which side is right, or that none is.
func (p *planner) answer(group *pageGroup, f *fact, l *line, note string) error {
	d := l.draft
	op := &Op{
		Kind: Settle, Target: conflictID(d, l.conflict), Question: l.conflict, Section: f.place.Section, Note: note, By: byRules,
		Options: []page.Option{{Text: p.router.Link(f.text, d.path), Sources: []page.Source{f.source}}},
	}
	for _, c := range d.doc.Conflicts() {
		if c.ID == op.Target {
			for _, o := range c.Options {
				op.Rejected = append(op.Rejected, page.Option{Text: o.Text, Sources: o.Sources})
			}
		}
	}
	if _, err := d.do(op); err != nil {
		return err
	}
	f.account(Kept, d.path, op, "")
	for _, other := range group.facts {
		if other.line.Outcome == Conflicted && other.line.Reason == l.conflict && other.line.Page == d.path {
			other.account(Superseded, d.path, op, note)
		}
	}
	p.closeConflict(d.path, l.conflict)
	p.reindex(group, d)
	return nil
}

func conflictID(d *draft, question string) string { return questionID(d.doc, question) }

// unused makes sure that two callouts of one page do not ask in the same words: "Is it still so? (2)".
func unused(d *draft, question string) string {
	asked := question
	for n := 2; questionID(d.doc, asked) != ""; n++ {
		asked = fmt.Sprintf("%s (%d)", question, n)
	}
	return asked
}

func (p *planner) closedNote(d *draft) {
	note := string(d.path) + ": " + d.closed + "; its facts are in " + string(p.r.where.At(navigate.UnfiledPath))
	if !slices.Contains(p.notes, note) {
		p.notes = append(p.notes, note)
	}
}

// shortDay is a day as people write it, "9 Jun 2026".
func shortDay(d vault.Day) string { return d.Time().Format("2 Jan 2006") }
