package graph

import (
	"cmp"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/trust"
	"github.com/reverie-memory/reverie/vault"
)

// A folder is a Graph on its way.
type folder struct {
	*Graph
	slots   map[slotKey][]int // triples of which one holds at a time, by their turns
	meant   map[[2]string]int // entities, by a name and who says it
	aliases map[alias]bool
	extra   map[string]bool // predicates with one value at a time, besides those of the table
	event   int             // that is folded
}

type alias struct {
	entity int
	base   string
}

// Build folds events, in the order of their times, into a graph; the order in which they are given counts only among those of one moment.
// Saying again what holds adds nothing but what was not known; saying it after it ended begins a new triple. An invalidate ends the triples
// that it names and deletes nothing. Where a predicate has one value at a time, the newer closes the older one on the day on which it
// begins, whichever was told first; functional are predicates of which that holds besides those of [PredicateTable]. Events that are not
// valid are left out. Events must not be changed afterwards.
func Build(events []Event, functional []string) *Graph {
	valid := make([]*Event, 0, len(events))
	for i := range events {
		if events[i].Validate() == nil {
			valid = append(valid, &events[i])
		}
	}
	slices.SortStableFunc(valid, func(a, b *Event) int { return a.At.Compare(b.At) })
	g := &Graph{
		events: valid, byWord: map[string][]int{}, byName: map[string][]int{}, byWords: map[string][]int{}, byID: map[string]int{}, byPair: map[pairKey][]int{},
		index: map[nameKey]int{}, replaced: map[int][]int{}, belongs: map[string][]int{}, resolver: newResolver(valid),
	}
	f := &folder{
		Graph: g, slots: map[slotKey][]int{}, meant: map[[2]string]int{}, aliases: map[alias]bool{}, extra: map[string]bool{},
	}
	for _, name := range functional {
		f.extra[PredicateKey(name)] = true
	}
	for f.event = range valid {
		f.fold(valid[f.event])
	}
	g.resolver.keys, g.resolver.predicates = nil, nil // look-ups run side by side
	g.finish()
	return g
}

// entity is the number of the entity that is meant, which is made when it is new.
func (f *folder) entity(name, speaker string) int {
	if i, ok := f.meant[[2]string{name, speaker}]; ok {
		return i
	}
	k := f.resolver.resolve(name, speaker)
	i, ok := f.index[k]
	if !ok {
		i = len(f.entities)
		f.index[k] = i
		f.entities = append(f.entities, Entity{ID: k.id(), Name: cmp.Or(f.resolver.spelt[k], name), Type: f.resolver.types[k.base]})
		f.of, f.words = append(f.of, nil), append(f.words, nil)
		f.call(i, f.entities[i].Name)
		words := strings.Join(f.words[i], " ")
		f.byWords[words] = append(f.byWords[words], i)
	}
	said, own := f.resolver.key(name), f.resolver.key(f.entities[i].Name)
	if other := (alias{i, said.base}); said.base != own.base && !strings.HasPrefix(own.base, said.base+" ") && !f.aliases[other] {
		f.aliases[other] = true
		base, _ := cutName(name)
		f.entities[i].Aliases = append(f.entities[i].Aliases, base)
		f.call(i, base)
	}
	f.meant[[2]string{name, speaker}] = i
	return i
}

// call has an entity found by a name and its words.
func (f *folder) call(entity int, name string) {
	base, _ := cutName(name)
	key := f.resolver.key(base).base
	f.byName[key] = append(f.byName[key], entity)
	for _, w := range nameWords(name) {
		if at, ok := slices.BinarySearch(f.words[entity], w); !ok {
			f.words[entity] = slices.Insert(f.words[entity], at, w)
			f.byWord[w] = append(f.byWord[w], entity)
		}
	}
}

func (f *folder) fold(e *Event) {
	predicate := f.resolver.predicate(e.Predicate)
	switch e.Kind {
	case Alias:
		f.entity(e.Object, e.Speaker)
		f.entity(e.Subject, e.Speaker)
	case Assert:
		if predicate == "owns" && f.resolver.types[f.resolver.key(e.Object).base] == "pet" {
			predicate = "has_pet"
		}
		f.assert(e, f.entity(e.Subject, e.Speaker), predicate, f.entity(e.Object, e.Speaker))
	case Invalidate:
		for _, i := range f.open(e, e.Object) {
			f.end(i, e, -1)
		}
	case Replace:
		f.replace(e, predicate)
	}
}

// replace ends what held of Was and has it hold of the object. What nobody had said before is taken to have held until then.
func (f *folder) replace(e *Event, predicate string) {
	closed := f.exchanged(e, e.Subject, predicate)
	if len(closed) == 0 && e.Was != "" && e.Subject == e.Speaker { // whoever has it: what is ours
		closed = f.exchanged(e, "", predicate)
	}
	if e.Was == "" && len(closed) != 1 {
		f.assert(e, f.entity(e.Subject, e.Speaker), cmp.Or(predicate, "uses"), f.entity(e.Object, e.Speaker))
		return
	}
	if len(closed) == 0 {
		if e.Subject == "" {
			return
		}
		s, was := f.entity(e.Subject, e.Speaker), f.entity(e.Was, e.Speaker)
		before := *e
		before.ValidFrom, before.ValidTo = "", e.ended()
		closed = []int{f.add(&before, s, cmp.Or(predicate, "uses"), was)}
	}
	o := f.entity(e.Object, e.Speaker)
	for _, i := range closed {
		t := &f.triples[i]
		who := t.subject
		if s, ok := f.number(e.Subject, e.Speaker); ok && t.object == s { // what holds in both directions
			who = s
		}
		if t.object != o && t.subject != o {
			f.end(i, e, f.assert(e, who, t.Predicate, o))
		}
	}
}

// exchanged are the triples of a subject, "" for whoever, that one thing takes the place of another in: those of the predicate that the
// event names. Where that is none, or tells what is used, those of whatever is used, and of a subject that is named also what it has one of
// at a time, or exchanges: that a medicine is changed ends no allergy, and that a tool is, nobody's job.
func (f *folder) exchanged(e *Event, subject, predicate string) []int {
	loose := *e
	loose.Subject, loose.Predicate = subject, ""
	return keep(f.open(&loose, e.Was), func(i int) bool {
		p := f.triples[i].Predicate
		switch {
		case p == predicate:
			return true
		case predicate != "":
			return e.Was != "" && used(predicate) && used(p)
		}
		return used(p) || e.Was != "" && subject != "" && (exchangeable[p] || traits(p).functional || f.extra[p])
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
func (f *folder) assert(e *Event, s int, predicate string, o int) int {
	for _, i := range f.byPair[pairOf(s, predicate, o)] {
		if f.triples[i].repeatedBy(e) {
			f.again(i, e)
			return i
		}
	}
	i := f.add(e, s, predicate, o)
	f.triples[i].also = e.Also && f.hasAnother(s, predicate)
	if e.ValidTo == "" || e.ValidTo > e.said() { // what is over displaces nothing
		f.enter(i)
		if e.Only {
			f.clear(i, e)
		}
	}
	return i
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
	case t.end != "" && e.said() >= t.end, t.ValidTo != "" && begins >= t.ValidTo:
		return false // it began anew
	case e.ValidTo == "":
		return true
	}
	earlier := e.ValidFrom != "" && e.ValidTo <= t.Said && e.ValidFrom < t.Start()
	later := t.end == "" && e.ValidFrom > t.Said // "I used it yesterday" ends nothing that goes on
	return e.ValidTo > t.Start() && !earlier && !later
}

// add makes a triple. One that holds in both directions is found from either side.
func (f *folder) add(e *Event, s int, predicate string, o int) int {
	i := len(f.triples)
	t := Triple{
		Subject: f.entities[s].Name, Predicate: predicate, Object: f.entities[o].Name, ValidFrom: e.ValidFrom,
		Said: e.said(), Confidence: cmp.Or(e.Confidence, 1), Source: e.Source, Speaker: e.Speaker, Origin: e.Origin, Agent: e.Agent,
		Wing: e.Wing, Reader: e.Reader,
		subject: s, object: o, by: -1, endedFor: -1, told: []int{f.event},
	}
	t.turn = t.begin()
	t.ID = hashID(TriplePrefix, f.entities[s].ID, predicate, f.entities[o].ID, string(t.turn))
	for {
		if _, taken := f.byID[t.ID]; !taken {
			break
		}
		t.ID = hashID(TriplePrefix, t.ID)
	}
	f.byID[t.ID] = i
	f.triples = append(f.triples, t)
	f.byPair[pairOf(s, predicate, o)] = append(f.byPair[pairOf(s, predicate, o)], i)
	if f.of[s] = append(f.of[s], i); s != o {
		f.of[o] = append(f.of[o], i)
	}
	if e.ValidTo != "" {
		f.endOn(i, e.ValidTo, e, -1)
	}
	return i
}

// again adds to a triple what a repetition knows. What the person said is not changed by others' words, but for an end, which then tells
// whose word it is; what others said is the person's as soon as the person says it.
func (f *folder) again(i int, e *Event) {
	t := &f.triples[i]
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
		t.ValidFrom, t.Said, t.Confidence, t.Source = e.ValidFrom, e.said(), cmp.Or(e.Confidence, 1), e.Source
		t.Origin, t.Speaker, t.Agent, t.Wing = e.Origin, e.Speaker, e.Agent, e.Wing
		f.move(i, t.also)
	case ours && !theirs:
	default:
		if known := cmp.Or(from, t.Said); e.ValidFrom != "" && (known == "" || e.ValidFrom <= known) { // else it held before that
			t.ValidFrom = e.ValidFrom
		}
		t.Confidence = max(t.Confidence, cmp.Or(e.Confidence, 1))
		t.Source = cmp.Or(t.Source, e.Source)
		if also := t.also && e.Also; also != t.also || t.ValidFrom != from {
			f.move(i, also)
		}
	}
	if e.ValidTo != "" {
		f.endOn(i, e.ValidTo, e, -1)
	}
}

// outweighs says whether a triple of the person's stays as it is, whatever a model read with that confidence.
func (t *Triple) outweighs(reader string, confidence float64) bool {
	return reader != "" && trust.Label(t.Origin) == "" && confidence < t.Confidence
}

// end has a triple end by an event, in favour of the triple by; -1 for none.
func (f *folder) end(i int, e *Event, by int) { f.endOn(i, e.ended(), e, by) }

// endOn has a triple end on a day. Of several ends the earliest counts. An end that is only the day of the telling, or is still to come, is
// the latest that it can be.
func (f *folder) endOn(i int, day vault.Day, e *Event, by int) {
	t := &f.triples[i]
	day = max(day, t.ValidFrom)
	if t.end == "" || day < t.end {
		t.end, t.latest, t.ender, t.endedFor = day, day > e.said() || e.ValidTo == "" && e.ValidFrom == "", e.Origin, by
	} else if t.endedFor < 0 {
		t.endedFor = by
	}
	if t.ValidFrom == "" && t.end < t.Said { // over before it was told of, so that nobody knows when it began
		f.leave(i)
	}
	f.settle(i)
}
