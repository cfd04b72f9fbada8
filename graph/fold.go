package graph

import (
	"cmp"
	"strings"

	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/trust"
	"github.com/reverie-memory/reverie/vault"
)

// A folder makes triples of events that have to do with no others; see [Keeper].
type folder struct {
	*Graph
	functional map[string]bool // predicates with one value at a time, besides those of the table
	triples    []*Triple
	held       map[*Entity][]*Triple
	slots      map[slotKey][]*Triple // of which one holds at a time, by their turns
	undated    map[slotKey][]*Triple // which take no turns
	ids        map[string]bool
	event      *said // that is folded
}

func (f *folder) of(e *Entity) []*Triple { return f.held[e] }

func (f *folder) fold(e *said) {
	f.event = e
	switch e.Kind {
	case Assert:
		f.assert(e.Event, e.subject.entity(), e.predicate, e.object.entity())
	case Invalidate:
		for _, t := range f.open(f.ending(e), f.of) {
			f.end(t, e.Event, nil)
		}
	case Replace:
		f.replace(e)
	}
}

func (f *folder) ending(e *said) ending {
	out := ending{
		anybody: e.Subject == "", subject: e.subject.entity(), object: e.object.entity(), predicate: e.predicate, words: e.words,
		day: e.ended(), told: e.ValidTo != "" || e.ValidFrom != "",
	}
	if e.Kind == Replace {
		out.object, out.predicate = e.was.entity(), ""
	}
	return out
}

// replace ends what held of Was and has it hold of the object. What nobody had said before is taken to have held until then.
func (f *folder) replace(e *said) {
	q := f.ending(e)
	closed := f.exchanged(q, e.predicate)
	if len(closed) == 0 && e.Subject == e.Speaker { // whoever has it: what is ours
		q.anybody = true
		closed = f.exchanged(q, e.predicate)
	}
	s, o := e.subject.entity(), e.object.entity()
	if len(closed) == 0 {
		if e.Subject == "" || e.Also {
			return
		}
		before := *e.Event
		before.ValidFrom, before.ValidTo = "", e.ended()
		closed = []*Triple{f.add(&before, s, cmp.Or(e.predicate, "uses"), q.object)}
	}
	now := *e.Event
	now.Also = false
	for _, t := range closed {
		who := t.subject
		if s != nil && t.object == s { // what holds in both directions
			who = s
		}
		if t.object != o && t.subject != o {
			f.end(t, e.Event, f.assert(&now, who, t.Predicate, o))
		}
	}
}

// exchanged are the triples that one thing takes the place of another in: those of the predicate that the event names. Where that is none,
// or tells what is used, those of whatever is used, and of a subject that is named also what it has one of at a time, or exchanges: that a
// medicine is changed ends no allergy, and that a tool is, nobody's job.
func (f *folder) exchanged(e ending, predicate string) []*Triple {
	return slice.Keep(f.open(e, f.of), func(t *Triple) bool {
		p := t.Predicate
		switch {
		case p == predicate:
			return true
		case predicate != "": // what is used for one thing is for no other
			return used(predicate) && used(p) && !strings.HasPrefix(predicate, "uses_for_")
		}
		return used(p) || !e.anybody && (exchangeable[p] || traits(p).functional || f.functional[p])
	})
}

// used says whether a predicate tells what is used.
func used(predicate string) bool {
	return tools[predicate] || strings.HasPrefix(predicate, "uses_for_")
}

// tools are the predicates of what is used, and exchangeable those of what else people exchange.
var (
	tools = map[string]bool{
		"uses": true, "stored_in": true, "hosted_on": true, "code_hosted_on": true, "built_with": true, "written_in": true,
	}
	exchangeable = map[string]bool{
		"owns": true, "drives": true, "subscribes_to": true, "plays": true, "hobby": true, "member_of": true, "supports": true,
	}
)

// assert takes in that something holds, and gives the triple that says so.
func (f *folder) assert(e *Event, s *Entity, predicate string, o *Entity) *Triple {
	for _, t := range between(s, predicate, o, f.of) {
		if t.repeatedBy(e) {
			f.again(t, e)
			return t
		}
	}
	t := f.add(e, s, predicate, o)
	if e.undated() {
		for _, u := range between(s, predicate, o, f.of) { // who says that it is over
			t.against([]*Triple{u})
			u.against([]*Triple{t})
		}
	}
	t.also = e.Also && f.hasAnother(s, predicate)
	if e.ValidTo == "" || !e.At.IsZero() && e.ValidTo > e.said() { // what is over displaces nothing, nor what may be
		f.enter(t)
	}
	return t
}

// repeatedBy says whether an event tells of the same stretch of time.
func (t *Triple) repeatedBy(e *Event) bool {
	begins := e.ValidFrom
	if e.ValidTo == "" {
		begins = cmp.Or(begins, e.said())
	}
	switch {
	case e.ValidTo != "" && e.ValidTo == t.end && (begins == "" || t.ValidFrom == "" || begins == t.ValidFrom):
		return true
	case t.ValidTo != "" && e.undated(), t.end != "" && e.said() >= t.end, t.ValidTo != "" && begins >= t.ValidTo:
		return false // it began anew
	case e.ValidTo == "":
		return true
	}
	earlier := e.ValidFrom != "" && e.ValidTo <= t.Said && e.ValidFrom < t.Start()
	later := t.end == "" && e.ValidFrom > t.Said // "I used it yesterday" ends nothing that goes on
	return e.ValidTo > t.Start() && !earlier && !later
}

// add makes a triple. One that holds in both directions is found from either side.
func (f *folder) add(e *Event, s *Entity, predicate string, o *Entity) *Triple {
	t := &Triple{
		Subject: s.Name, Predicate: predicate, Object: o.Name, ValidFrom: e.ValidFrom,
		Said: e.said(), Confidence: cmp.Or(e.Confidence, 1), Source: e.Source, Speaker: e.Speaker, Origin: e.Origin, Agent: e.Agent,
		Wing: e.Wing, Reader: e.Reader, Loose: e.At.IsZero(),
		subject: s, object: o, first: f.event, nth: len(f.event.made), told: []*said{f.event},
	}
	t.turn = t.begin()
	t.ID = hashID(TriplePrefix, s.ID, predicate, o.ID, string(t.turn))
	for f.ids[t.ID] {
		t.ID = hashID(TriplePrefix, t.ID)
	}
	f.ids[t.ID] = true
	f.event.made = append(f.event.made, t)
	f.triples = append(f.triples, t)
	if f.held[s] = append(f.held[s], t); s != o {
		f.held[o] = append(f.held[o], t)
	}
	if e.ValidTo != "" {
		f.endOn(t, e.ValidTo, e, nil)
	}
	return t
}

// again adds to a triple what a repetition knows. What the person said is not changed by others' words, but for an end, which then tells
// whose word it is; what others said is the person's as soon as the person says it.
func (f *folder) again(t *Triple, e *Event) {
	t.told = append(t.told, f.event)
	if t.outweighs(e.Reader, cmp.Or(e.Confidence, 1)) {
		return
	}
	if e.Reader == "" {
		t.Reader = ""
	}
	ours, theirs := trust.Label(t.Origin) == "", trust.Label(e.Origin) == ""
	from := t.ValidFrom
	switch {
	case theirs && !ours:
		if !e.undated() {
			t.ValidFrom, t.Said = e.ValidFrom, e.said()
		}
		t.Confidence, t.Source = cmp.Or(e.Confidence, 1), e.Source
		t.Origin, t.Speaker, t.Agent, t.Wing, t.Loose = e.Origin, e.Speaker, e.Agent, e.Wing, e.At.IsZero()
		f.move(t, t.also)
	case ours && !theirs:
	default:
		if known := cmp.Or(from, t.Said); e.ValidFrom != "" && (known == "" || e.ValidFrom <= known) { // else it held before that
			t.ValidFrom = e.ValidFrom
		}
		t.Confidence = max(t.Confidence, cmp.Or(e.Confidence, 1))
		t.Source = cmp.Or(t.Source, e.Source)
		if also := t.also && e.Also; !e.undated() && (also != t.also || t.ValidFrom != from) {
			f.move(t, also)
		}
	}
	if e.ValidTo != "" {
		f.endOn(t, e.ValidTo, e, nil)
	}
}

// outweighs says whether a triple of the person's stays as it is, whatever a model read with that confidence.
func (t *Triple) outweighs(reader string, confidence float64) bool {
	return reader != "" && trust.Label(t.Origin) == "" && confidence < t.Confidence
}

// end has a triple end by an event, in favour of the triple by; nil for none.
func (f *folder) end(t *Triple, e *Event, by *Triple) { f.endOn(t, e.ended(), e, by) }

// endOn has a triple end on a day. Of several ends the earliest counts. An end that is only the day of the telling, or is still to come, is
// the latest that it can be.
func (f *folder) endOn(t *Triple, day vault.Day, e *Event, by *Triple) {
	day = max(day, t.ValidFrom)
	if t.end == "" || day < t.end {
		t.end, t.latest, t.ender, t.endedFor = day, day > e.said() || e.ValidTo == "" && e.ValidFrom == "", e.Origin, by
	} else if t.endedFor == nil {
		t.endedFor = by
	}
	if t.ValidFrom == "" && t.end < t.Said { // over before it was told of, so that nobody knows when it began
		f.leave(t)
	}
	f.settle(t)
}
