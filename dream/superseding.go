package dream

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/reverie-memory/reverie/dream/claim"
	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/dream/route"
	"github.com/reverie-memory/reverie/vault"
)

// supersede moves a statement to History because of a later fact, whose words take its place, or of another statement that stands.
func (e *editing) supersede(op *Op, l *line) string {
	note := "until "
	if op.Note != "" { // a correction
		note = "corrected "
	}
	if len(op.With) == 1 && op.Text == "" {
		by := e.line(op.With[0])
		if by == nil || by == l || by.day == "" {
			return fmt.Sprintf("there is no other statement %q with a day", clipped(op.With[0]))
		}
		if why := e.veto(l, by.text, e.p.speakerOf(by.sources), by.day, false); why != "" {
			return why
		}
		return trouble(e.p.retire(l, note+shortDay(by.day), ""))
	}
	f := e.open()
	if f == nil || op.Text == "" {
		return "it must name the fact that ends the statement and is not accounted for yet, with a text"
	}
	rest, why := e.ended(l, f)
	if why != "" {
		return why
	}
	src, why := e.sources(op.Text)
	if why == "" {
		why = e.covers(op.Text, f.text)
	}
	if why != "" {
		return "the fact does not say that, or the text leaves out what it says: " + why
	}
	note += shortDay(f.Day)
	l.gone = true
	if l.fact != nil {
		l.fact.account(Superseded, e.draft.path, l.fact.op, note)
	}
	if why := e.write(&Op{
		Kind: Supersede, Target: l.id, Was: l.text, Note: note, Section: cmp.Or(op.Section, l.section), Text: op.Text, Task: op.Task,
		Sources: src, By: op.By,
	}, Kept); why != "" {
		return why
	}
	why = e.tell(rest, l.section)
	e.p.reindex(e.group, e.draft)
	return why
}

// ended says why a fact may not end a statement. Of one that told several facts it ends that with which it has most in common; the
// rest stand again, each on a line of its own.
func (e *editing) ended(l *line, f *fact) (rest []vault.Fact, why string) {
	if len(l.sources) < 2 || !l.ours {
		return nil, e.veto(l, f.text, f.Section.Speaker, f.Day, false)
	}
	logs := newLogCache(e.p.r.o.Vault)
	terms := termsOf(e.named(f.text))
	ended, most := -1, 0
	for _, s := range l.sources {
		was, ok, err := logs.fact(s)
		if err != nil || !ok {
			return nil, "what the statement rests on cannot be read"
		}
		rest = append(rest, was)
		one := &line{text: was.Text, day: was.Day, sources: []page.Source{s}, ours: true}
		if veto := e.veto(one, f.text, f.Section.Speaker, f.Day, false); veto != "" {
			why = veto
			continue
		}
		n := 1
		for t := range termsOf(e.named(was.Text)) {
			if terms[t] {
				n++
			}
		}
		if n > most {
			ended, most = len(rest)-1, n
		}
	}
	if ended < 0 {
		return nil, why
	}
	rest = slices.Delete(rest, ended, ended+1)
	return slices.DeleteFunc(rest, func(f vault.Fact) bool { // what another line tells as well
		return slices.ContainsFunc(e.draft.doc.Statements(), func(st page.Statement) bool {
			return !st.History && st.Text != l.text && slices.Contains(st.Sources, page.Source{Day: f.Day, ID: f.ID})
		})
	}), ""
}

// tell gives facts a line each.
func (e *editing) tell(facts []vault.Fact, section string) string {
	for i := range facts {
		f := &facts[i]
		text := e.p.router.Link(route.Statement(f.Text, f.Section.Speaker), e.draft.path)
		op := &Op{Kind: AddStatement, Section: section, Text: text, Sources: []page.Source{{Day: f.Day, ID: f.ID}}}
		if _, err := e.draft.do(op); err != nil {
			return err.Error()
		}
	}
	return ""
}

// tick moves a task to History because a later fact says that it is done. The fact gets its own line.
func (e *editing) tick(l *line) string {
	if !l.task {
		return "the statement is nothing to do"
	}
	if len(e.facts) != 1 {
		return "it must name one fact"
	}
	f := e.facts[0]
	if why := e.veto(l, f.text, f.Section.Speaker, f.Day, false); why != "" {
		return why
	}
	if !e.alike(l.text, f.text) {
		return "the fact is about something else"
	}
	return trouble(e.p.retire(l, "done "+shortDay(f.Day), f.place.Page))
}

// contradict asks a person, in our words.
func (e *editing) contradict(l *line) string {
	f := e.open()
	if f == nil || len(e.facts) != 1 {
		return "it must name one fact that is not accounted for yet"
	}
	if rel := claim.Compare(l.claim, f.claim); rel == claim.Duplicate || rel == claim.Narrower { // nobody can decide between equal words
		return fmt.Sprintf("the page says it already: %q", clipped(l.text))
	}
	if e.p.asked++; e.p.asked > maxAsked {
		return "there are questions enough for one night"
	}
	return trouble(e.p.contradict(e.group, f, l))
}
