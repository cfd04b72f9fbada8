package dream

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/dream/claim"
	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/dream/route"
	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/trust"
	"github.com/reverie-memory/reverie/vault"
)

// An editing is one proposal about the statements of a page.
type editing struct {
	p       *planner
	group   *pageGroup
	draft   *draft // nil: the page will be made
	facts   []*fact
	settled []*fact // of the facts those that had an outcome before
	names   [][]string
}

// editing finds the page of a proposal: one that is there, or one that is planned. A page that nobody planned is made under the name of
// its file.
func (p *planner) editing(op *Op, facts []*fact) (*editing, string) {
	e := &editing{p: p, facts: facts, settled: slices.DeleteFunc(slices.Clone(facts), func(f *fact) bool { return f.op == nil })}
	if op.Page == "" && len(facts) > 0 {
		op.Page = facts[0].place.Page
	}
	if !p.mayWrite(op.Page) {
		return nil, fmt.Sprintf("%q is not a page that may be written", clipped(string(op.Page)))
	}
	if strings.ContainsAny(op.Text, "\n\r") || len(op.Text) > maxStatement {
		return nil, fmt.Sprintf("a statement is one line of at most %d bytes", maxStatement)
	}
	if why := leads(op.Text); why != "" && !slices.ContainsFunc(facts, func(f *fact) bool { return leads(f.Text) != "" }) {
		return nil, "it may not stand on a page: " + why
	}
	var err error
	if e.group, err = p.groupOf(op.Page); err != nil {
		return nil, "the page cannot be read"
	}
	for _, d := range e.group.drafts {
		if d.closed != "" {
			return nil, d.closed
		}
	}
	if e.draft = e.group.draft(op.Page); e.draft == nil && !p.planned(op.Page) {
		if op.Kind != AddStatement {
			return nil, fmt.Sprintf("there is no page %q", clipped(string(op.Page)))
		}
		if why := p.acceptPage(&Op{Page: op.Page, Meta: &page.Meta{Title: fileTitle(op.Page)}}); why != "" {
			return nil, why
		}
	}
	e.names = p.namesOf(op.Page)
	if why := e.heading(op.Section); why != "" {
		return nil, why
	}
	return e, ""
}

// leads says why a model's text may not stand on a page, but as the words of a fact that says so too.
func leads(text string) string { return trust.Bar(trust.Said{Text: text, Loose: true}, trust.Page) }

func (p *planner) mayWrite(name vault.Path) bool {
	return p.r.where.InZone(name) && p.r.where.isPage(name) && !p.r.where.Name(name).In(vault.Inbox)
}

func (e *editing) do(op *Op) string {
	var l *line
	if op.Target != "" {
		if l = e.line(op.Target); l == nil {
			return fmt.Sprintf("there is no statement %q that stands on the page and may be changed", clipped(op.Target))
		}
	}
	switch op.Kind {
	case AddStatement:
		return e.add(op)
	case Summary:
		return e.summary(op)
	case AddSource:
		return e.again(l)
	case Reword:
		return e.reword(op, l)
	case Merge:
		return e.merge(op, l)
	case Supersede:
		return e.supersede(op, l)
	case Tick:
		return e.tick(l)
	case Contradict:
		return e.contradict(l)
	}
	return "there is no such op"
}

// line is a statement of the page that is current and no side of a question.
func (e *editing) line(id string) *line {
	if e.draft == nil {
		return nil
	}
	st, ok := e.draft.doc.Find(id)
	for _, list := range e.group.lines {
		for _, l := range list {
			if now, there := e.draft.doc.Find(l.id); ok && there && !l.gone && l.draft == e.draft && now.ID == st.ID && !l.history &&
				l.conflict == "" {
				return l
			}
		}
	}
	return nil
}

// open is the first fact that has no outcome yet.
func (e *editing) open() *fact {
	for _, f := range e.facts {
		if f.op == nil {
			return f
		}
	}
	return nil
}

// named is a text in which whoever the page is about goes by one name.
func (e *editing) named(text string) string { return oneName(text, e.names) }

// supports says whether the texts say all names, numbers, dates and denials of what is said.
func (e *editing) supports(by []string, said string) (why string) {
	named := slice.Map(by, e.named)
	if ok, why := claim.Supports(named, e.named(said)); !ok {
		return why
	}
	return ""
}

// covers says whether a text leaves nothing out of what is said: that it adds nothing is for [editing.supports].
func (e *editing) covers(text, said string) (why string) {
	if why = e.supports([]string{text}, said); why != "" {
		if ok, _ := claim.Heading([]string{e.named(text)}, e.named(said)); ok {
			return ""
		}
	}
	return why
}

func (e *editing) veto(l *line, text, speaker string, day vault.Day, join bool) string {
	if !join && l.until && l.day >= day {
		return "nobody knows whether it is later than the line of a person that it would end"
	}
	if (join || !l.ours) && !e.alike(l.text, text) { // the rules may still see that a line of a person has ended
		return "they have nothing in common but whom they are about"
	}
	was := claim.Parse(e.named(unnoted(l.text)), e.p.speakerOf(l.sources), l.day)
	return claim.Veto(was, claim.Parse(e.named(text), speaker, day), join)
}

// alike says whether two texts have a word in common besides the names of whom the page is about.
func (e *editing) alike(a, b string) bool {
	names, in := termsOf(slices.Concat(e.names...)...), termsOf(e.named(b))
	return slices.ContainsFunc(lexis.Terms(e.named(a)), func(t string) bool { return in[t] && !names[t] })
}

// sources are what a text rests on: the lines given, the cited facts of which it says all or that it does not do without, and where those
// do not carry it, the statements of the page that do.
func (e *editing) sources(text string, lines ...*line) (src []page.Source, why string) {
	var sure, texts []string
	for _, l := range lines {
		sure, src = append(sure, l.text), union(src, l.sources)
	}
	more := [][]page.Source{}
	for _, f := range e.facts {
		if e.covers(text, f.text) == "" {
			sure, src = append(sure, f.Text, f.text), union(src, []page.Source{f.source})
		} else {
			texts, more = append(texts, f.Text), append(more, []page.Source{f.source})
		}
	}
	if why = e.supports(slices.Concat(sure, texts), text); why != "" && e.draft != nil {
		for _, st := range e.draft.doc.Statements() {
			if !st.History && !st.Callout && len(st.Sources) > 0 && st.Section != page.Summary {
				texts, more = append(texts, st.Text), append(more, st.Sources)
			}
		}
		if e.supports(slices.Concat(sure, texts), text) == "" {
			why = ""
		}
	}
	if why != "" {
		return nil, why
	}
	for i := len(more) - 1; i >= 0; i-- { // what the text does without does not stand behind it
		fewer := slices.Concat(texts[:i], texts[i+1:])
		if e.supports(slices.Concat(sure, fewer), text) == "" {
			more, texts = slices.Delete(more, i, i+1), fewer
		}
	}
	for _, s := range more {
		src = union(src, s)
	}
	return src, ""
}

func union(a, b []page.Source) []page.Source {
	a = slices.Clip(a)
	for _, s := range b {
		if !slices.Contains(a, s) {
			a = append(a, s)
		}
	}
	return a
}

// write does an op that writes a text. The facts of which the text leaves nothing out are accounted for by it: one as first, the others as
// merged.
func (e *editing) write(op *Op, first Outcome) string {
	d, said := e.draft, cmp.Or(op.Text, op.Was) // the latter of a statement that only gets sources
	if op.Text != "" {
		op.Text = e.p.router.Link(route.Statement(said, ""), d.path)
	}
	id, err := d.do(op)
	if err != nil {
		return err.Error()
	}
	st, _ := d.doc.Find(id)
	l := &line{
		draft: d, id: st.ID, text: st.Text, sources: st.Sources, section: st.Section, ours: true, day: newest(st.Sources),
		task: st.Task && !st.Done,
	}
	l.claim = claim.Parse(l.text, e.p.speakerOf(l.sources), l.day)
	for _, f := range e.facts {
		if f.op == nil && e.covers(said, f.text) == "" {
			if f.account(Merged, d.path, op, ""); l.fact == nil {
				f.line.Outcome, l.fact = first, f
			}
		}
	}
	e.group.add(l)
	return ""
}

func (e *editing) add(op *Op) string {
	switch {
	case strings.EqualFold(op.Section, vault.History):
		return "new statements do not go to History"
	case strings.EqualFold(op.Section, page.Summary) && e.draft != nil:
		return e.summary(op)
	}
	f := e.open()
	if f == nil {
		return "it names no fact that is not accounted for already"
	}
	for _, f := range e.facts { // what the rules know better than to let stand beside each other
		found := e.p.look(e.group, f)
		switch {
		case found.same != nil && f.op == nil:
			return fmt.Sprintf("the page says it already: %q", clipped(found.same.text))
		case len(found.replaced) > 0:
			return fmt.Sprintf("it changes %q: supersede that", clipped(found.replaced[0].text))
		case found.newer != nil:
			return fmt.Sprintf("%q is later and says that it is not so any more: leave it to the rules", clipped(found.newer.text))
		case found.against != nil:
			return fmt.Sprintf("it contradicts %q: use conflict, or leave it to the rules", clipped(found.against.text))
		}
	}
	src, why := e.sources(op.Text)
	if why != "" {
		return "the facts do not say that: " + why
	}
	if !slices.ContainsFunc(e.facts, func(f *fact) bool { return f.op == nil && e.covers(op.Text, f.text) == "" }) && len(src) < 2 {
		return fmt.Sprintf("it leaves out what fact %s says: %s", f.ID, e.covers(op.Text, f.text))
	}
	if e.draft == nil {
		e.make(op.Page, f)
	}
	return e.write(&Op{
		Kind: AddStatement, Section: cmp.Or(op.Section, f.place.Section, page.Facts), Text: op.Text, Task: op.Task || isTask(f),
		Sources: src, By: op.By,
	}, Kept)
}

// make makes the page of a first statement.
func (e *editing) make(name vault.Path, f *fact) {
	p := e.p
	e.draft = p.draft(e.group, name, func() *page.Meta {
		if m := p.made[name]; m != nil {
			return m
		}
		entry, _ := p.router.Dir.Get(name)
		return &page.Meta{Title: entry.Title, Aliases: entry.Aliases, Tags: f.place.Tags, Type: entry.Type, Created: p.today}
	})
	m := e.draft.ops[0].Meta
	p.router.Dir.Add(route.Entry{Path: name, Title: m.Title, Aliases: m.Aliases, Type: m.Type})
}

// summary puts a paragraph above the first section, in place of the one that a run put there before.
func (e *editing) summary(op *Op) string {
	if e.draft == nil {
		return "the page has nothing to sum up yet"
	}
	src, why := e.sources(op.Text)
	if why != "" {
		return "the page does not say that: " + why
	}
	if len(src) == 0 {
		return "it has no source"
	}
	out := &Op{Kind: AddStatement, Section: page.Summary, Text: op.Text, Sources: src, By: op.By}
	for _, st := range e.draft.doc.Statements() {
		if l := e.line(st.ID); l != nil && l.ours && st.Section == page.Summary {
			out.Kind, out.Target, out.Was, out.Note = Supersede, l.id, l.text, "until "+shortDay(e.p.today)
			l.gone = true
			break
		}
	}
	return e.write(out, Kept)
}

// again says that a statement says what the fact says.
func (e *editing) again(l *line) string {
	f := e.open()
	if f == nil || len(e.facts) != 1 {
		return "it must name one fact that is not accounted for yet"
	}
	if why := e.veto(l, f.text, f.Section.Speaker, f.Day, true); why != "" {
		return why
	}
	return trouble(e.p.again(f, l))
}

// reword gives a statement that a run wrote other words, which say all that it said.
func (e *editing) reword(op *Op, l *line) string {
	if why := e.mine(l); why != "" {
		return why
	}
	src, why := e.sources(op.Text, l)
	if why == "" {
		why = e.covers(op.Text, l.text)
	}
	if why != "" {
		return "the statement and the facts do not say that, or it leaves out what they say: " + why
	}
	l.gone = true
	return e.write(&Op{Kind: Reword, Target: l.id, Was: l.text, Text: op.Text, Sources: src, By: op.By}, Merged)
}

// mine says why a statement may not be worded anew.
func (e *editing) mine(l *line) string {
	if st, _ := e.draft.doc.Find(l.id); !l.ours || st.Nested {
		return fmt.Sprintf("%q is the line of a person", clipped(l.text))
	}
	return ""
}

// merge makes one of several statements that runs wrote: of those that say the same, or, with a text that says all that they say, of any.
func (e *editing) merge(op *Op, l *line) string {
	if why := e.mine(l); why != "" {
		return why
	}
	all := []*line{l}
	for _, id := range op.With {
		o := e.line(id)
		if o == nil || slices.Contains(all, o) {
			return fmt.Sprintf("there is no other statement %q", clipped(id))
		}
		why := e.mine(o)
		if why == "" && op.Text == "" {
			why = e.veto(l, o.text, e.p.speakerOf(o.sources), o.day, true)
		}
		if why == "" && l.task != o.task {
			why = "one of them is something to do"
		}
		if why != "" {
			return why
		}
		all = append(all, o)
	}
	if len(all) < 2 {
		return "it names no other statement"
	}
	var src []page.Source
	for _, o := range all {
		if src = union(src, o.sources); op.Text != "" {
			if why := e.covers(op.Text, o.text); why != "" {
				return fmt.Sprintf("it leaves out what %q says: %s", clipped(o.text), why)
			}
		}
	}
	join := &Op{Kind: AddSource, Target: l.id, Was: l.text, Sources: src, By: op.By}
	if op.Text != "" {
		var why string
		if src, why = e.sources(op.Text, all...); why != "" {
			return "the statements do not say that: " + why
		}
		join = &Op{Kind: Reword, Target: l.id, Was: l.text, Text: op.Text, Sources: src, By: op.By}
	}
	l.gone = true
	if why := e.write(join, Merged); why != "" {
		return why
	}
	for _, o := range all[1:] {
		if err := e.p.retire(o, "merged "+shortDay(e.p.today), e.draft.path); err != nil {
			return err.Error()
		}
	}
	return ""
}

// maxAsked is the most questions that a model may put to a person in a run.
const maxAsked = 5

func trouble(err error) string {
	if err != nil {
		return err.Error()
	}
	return ""
}
