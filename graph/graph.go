package graph

import (
	"cmp"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/vault"
)

// TriplePrefix begins the id of a triple.
const TriplePrefix = "g"

// A Triple is something that holds from a day until a day, in the words in which it was first said.
type Triple struct {
	ID                         string
	Subject, Predicate, Object string // names of entities; the predicate by its name

	ValidFrom  vault.Day // first day, "" when nobody said
	ValidTo    vault.Day // first day on which it no longer holds, "" while it does
	Said       vault.Day // when it was first said, "" when unknown
	Confidence float64   // above 0 to 1
	Source     string    // id of the row or fact it rests on, "" when nobody said
	By         string    // id of the triple that took its place, "" for none

	Speaker string
	Origin  vault.Origin
	Agent   string
	Wing    string

	subject, object int
	also            bool
	told            []int // the events that assert it
}

// Current says whether nobody has said that it ended.
func (t *Triple) Current() bool { return t.ValidTo == "" }

// Start is the first day on which it is known to hold: where nobody said since when, the day on which it was said, and for what was over by
// then "", which is long ago.
func (t *Triple) Start() vault.Day {
	if t.ValidFrom == "" && (t.ValidTo == "" || t.ValidTo > t.Said) {
		return t.Said
	}
	return t.ValidFrom
}

// On says whether it held on that day.
func (t *Triple) On(day vault.Day) bool {
	return t.Start() <= day && (t.ValidTo == "" || day < t.ValidTo)
}

// An Entity is somebody or something that triples are about.
type Entity struct {
	ID      string
	Name    string // with what tells it from others of the name
	Type    string // "" when unknown
	Aliases []string
}

// A Graph is entities and triples with an index over them. A Graph is not changed after Build.
type Graph struct {
	entities []Entity
	triples  []Triple
	events   []Event
	of       [][]int          // the triples of an entity, whichever side it is on
	byWord   map[string][]int // entities by the words of their names
	byName   map[string][]int // and by a whole name
	byID     map[string]int   // triples
	resolver *resolver
	index    map[nameKey]int
	speakers map[int]bool // who speaks of themselves or of what is theirs, and that
	extra    map[string]bool
}

// A folder is a Graph on its way.
type folder struct {
	*Graph
	byPredicate map[sideKey][]int // the triples of one side and one predicate
	event       int               // that is folded
}

type sideKey struct {
	entity    int
	predicate string
	object    bool // which side
}

// Build folds events, in the order of their times, into a graph. Saying again what holds adds nothing but what was not known; saying it
// after it ended begins a new triple. An invalidate ends the triples that it names and deletes nothing. Where a predicate has one value at
// a time, the newer closes the older on the day on which it begins, whichever was told first; functional are predicates of which that
// holds besides those of [PredicateTable]. Events that are not valid are left out.
func Build(events []Event, functional []string) *Graph {
	valid := make([]Event, 0, len(events))
	for _, e := range events {
		if e.Validate() == nil {
			valid = append(valid, e)
		}
	}
	slices.SortStableFunc(valid, func(a, b Event) int { return a.At.Compare(b.At) })
	g := &Graph{
		events: valid,
		byWord: map[string][]int{}, byName: map[string][]int{}, byID: map[string]int{}, resolver: newResolver(valid),
		index:    map[nameKey]int{},
		speakers: map[int]bool{}, extra: map[string]bool{},
	}
	for _, name := range functional {
		g.extra[PredicateKey(name)] = true
	}
	f := &folder{Graph: g, byPredicate: map[sideKey][]int{}}
	for f.event = range valid {
		f.fold(&valid[f.event])
	}
	g.finish()
	return g
}

// number is that of the entity that is meant, if there is one.
func (g *Graph) number(name, speaker string) (int, bool) {
	i, ok := g.index[g.resolver.resolve(name, speaker)]
	return i, ok
}

// entity is the number of the entity that is meant, which is made when it is new.
func (f *folder) entity(name, speaker string) int {
	k := f.resolver.resolve(name, speaker)
	i, ok := f.index[k]
	if !ok {
		i = len(f.entities)
		f.index[k] = i
		f.entities = append(f.entities, Entity{ID: k.id(), Name: cmp.Or(f.resolver.spelt[k], name), Type: f.resolver.types[k.base]})
		f.of = append(f.of, nil)
	}
	if said, own := keyOfName(name), keyOfName(f.entities[i].Name); said.base != own.base && !strings.HasPrefix(own.base, said.base+" ") {
		base, _ := cutName(name)
		if e := &f.entities[i]; !slices.ContainsFunc(e.Aliases, func(a string) bool { return lexis.Fold(a) == lexis.Fold(base) }) {
			e.Aliases = append(e.Aliases, base)
		}
	}
	return i
}

func (f *folder) fold(e *Event) {
	predicate := PredicateKey(e.Predicate)
	switch e.Kind {
	case Alias:
		f.entity(e.Object, e.Speaker)
		f.entity(e.Subject, e.Speaker)
	case Assert:
		if predicate == "owns" && f.resolver.types[keyOfName(e.Object).base] == "pet" {
			predicate = "has_pet"
		}
		s, o := f.entity(e.Subject, e.Speaker), f.entity(e.Object, e.Speaker)
		if e.Speaker != "" && strings.HasPrefix(keyOfName(e.Subject).base, keyOfName(e.Speaker).base) {
			f.speakers[s] = true // what it says of itself, or of its own
		}
		f.assert(e, s, predicate, o)
	case Invalidate:
		f.end(e, e.Object, -1)
	case Replace:
		f.replace(e, predicate)
	}
}

// open are the open triples that an event names; an object by words of its name as well.
func (f *folder) open(e *Event, object string) []int {
	predicate := PredicateKey(e.Predicate)
	var list []int
	if e.Subject != "" {
		s, ok := f.number(e.Subject, e.Speaker)
		if !ok {
			return nil
		}
		list = f.of[s]
		list = slices.DeleteFunc(slices.Clone(list), func(i int) bool {
			t := &f.triples[i]
			return t.subject != s && !(traits(t.Predicate).both && t.object == s)
		})
	} else if o, ok := f.number(object, e.Speaker); ok {
		list = slices.DeleteFunc(slices.Clone(f.of[o]), func(i int) bool { return f.triples[i].object != o })
	}
	list = slices.DeleteFunc(list, func(i int) bool {
		t := &f.triples[i]
		return !t.Current() || predicate != "" && t.Predicate != predicate
	})
	if object == "" {
		return list
	}
	o := f.resolver.resolve(object, e.Speaker)
	if exact := slices.DeleteFunc(slices.Clone(list), func(i int) bool {
		t := &f.triples[i]
		return f.keyAt(t.object) != o && !(traits(t.Predicate).both && f.keyAt(t.subject) == o)
	}); len(exact) > 0 {
		return exact
	}
	words := nameWords(object)
	return slices.DeleteFunc(list, func(i int) bool {
		of := nameWords(f.triples[i].Object)
		return len(words) == 0 || !subset(of, words) && !(len(of) > 0 && subset(words, of))
	})
}

func (f *folder) keyAt(entity int) nameKey { return f.resolver.resolve(f.entities[entity].Name, "") }

// end closes what an event names, in favour of the triple by; -1 for none. The result tells the predicates of what it closed.
func (f *folder) end(e *Event, object string, by int) (of []string) {
	for _, i := range f.open(e, object) {
		t := &f.triples[i]
		t.ValidTo = max(e.ended(), t.Start())
		if by >= 0 {
			t.By = f.triples[by].ID
		}
		of = append(of, t.Predicate)
	}
	return of
}

// replace ends what held of Was and has it hold of the object. What nobody had said before is taken to have held until then.
func (f *folder) replace(e *Event, predicate string) {
	var of []string
	loose := *e
	loose.Predicate = ""
	closed := f.open(&loose, e.Was)
	if len(closed) == 0 && e.Was != "" && e.Subject == e.Speaker { // whoever has it: what is ours
		loose.Subject = ""
		closed = f.open(&loose, e.Was)
	}
	if e.Was == "" {
		closed = slices.DeleteFunc(closed, func(i int) bool {
			return predicate == "" && !tools[f.triples[i].Predicate] && !strings.HasPrefix(f.triples[i].Predicate, "uses_for_")
		})
		if len(closed) != 1 {
			f.assert(e, f.entity(e.Subject, e.Speaker), cmp.Or(predicate, "uses"), f.entity(e.Object, e.Speaker))
			return
		}
	}
	for _, i := range closed {
		of = append(of, f.triples[i].Predicate)
	}
	if len(of) == 0 && e.Subject == "" {
		return
	}
	if len(of) == 0 {
		of = []string{cmp.Or(predicate, "uses")}
		s, was := f.entity(e.Subject, e.Speaker), f.entity(e.Was, e.Speaker)
		before := *e
		before.ValidFrom, before.ValidTo = "", e.ended()
		closed = []int{f.add(&before, s, of[0], was)}
	}
	o := f.entity(e.Object, e.Speaker)
	for _, i := range closed {
		s, p := f.triples[i].subject, f.triples[i].Predicate
		if f.triples[i].object == o {
			continue
		}
		f.assert(e, s, p, o)
		t := &f.triples[i]
		if t.Current() {
			t.ValidTo = max(e.ended(), t.Start())
		}
		now := slices.IndexFunc(f.of[s], func(i int) bool { t := &f.triples[i]; return t.Predicate == p && t.object == o && t.Current() })
		if now >= 0 {
			t.By = f.triples[f.of[s][now]].ID
		}
	}
}

// tools are the predicates of what is used.
var tools = map[string]bool{"uses": true, "stored_in": true, "hosted_on": true, "built_with": true, "written_in": true}

// assert takes in that something holds.
func (f *folder) assert(e *Event, s int, predicate string, o int) {
	p := traits(predicate)
	for _, i := range f.byPredicate[sideKey{s, predicate, false}] {
		if t := &f.triples[i]; f.sameAs(t, s, o, p.both) && t.Current() && (e.ValidTo == "" || e.ValidTo > t.Start()) &&
			!(e.ValidTo != "" && e.ValidFrom != "" && e.ValidTo <= t.Said && e.ValidFrom < t.Start()) {
			again(t, e)
			t.told = append(t.told, f.event)
			return
		}
	}
	beside := e.Also && (!p.functional || slices.ContainsFunc(f.byPredicate[sideKey{s, predicate, false}], func(i int) bool {
		return f.triples[i].Current()
	})) // a first value stands beside nothing
	i := f.add(e, s, predicate, o)
	f.triples[i].also = beside
	if e.ValidTo != "" || beside {
		return
	}
	if p.functional || f.extra[predicate] || e.Only {
		f.close(i, f.byPredicate[sideKey{s, predicate, false}])
		if p.both {
			f.close(i, f.byPredicate[sideKey{o, predicate, false}])
		}
	}
	if p.sole {
		f.close(i, f.byPredicate[sideKey{o, predicate, true}])
	}
}

func (f *folder) sameAs(t *Triple, s, o int, both bool) bool {
	return t.subject == s && t.object == o || both && t.subject == o && t.object == s
}

// add makes a triple. One that holds in both directions is found from either side.
func (f *folder) add(e *Event, s int, predicate string, o int) int {
	i := len(f.triples)
	t := Triple{
		Subject: f.entities[s].Name, Predicate: predicate, Object: f.entities[o].Name, ValidFrom: e.ValidFrom, ValidTo: e.ValidTo,
		Said: e.said(), Confidence: cmp.Or(e.Confidence, 1), Source: e.Source, Speaker: e.Speaker, Origin: e.Origin, Agent: e.Agent,
		Wing:    e.Wing,
		subject: s, object: o, told: []int{f.event},
	}
	t.ID = hashID(TriplePrefix, f.entities[s].ID, predicate, f.entities[o].ID, string(cmp.Or(t.ValidFrom, t.Said)))
	f.triples = append(f.triples, t)
	f.byPredicate[sideKey{s, predicate, false}] = append(f.byPredicate[sideKey{s, predicate, false}], i)
	f.byPredicate[sideKey{o, predicate, true}] = append(f.byPredicate[sideKey{o, predicate, true}], i)
	if f.of[s] = append(f.of[s], i); s != o {
		f.of[o] = append(f.of[o], i)
	}
	if traits(predicate).both {
		f.byPredicate[sideKey{o, predicate, false}] = append(f.byPredicate[sideKey{o, predicate, false}], i)
	}
	return i
}

// again adds to t what a repetition knows.
func again(t *Triple, e *Event) {
	if e.ValidFrom != "" && (t.ValidFrom == "" || e.ValidFrom < t.ValidFrom) {
		t.ValidFrom = e.ValidFrom
	}
	t.ValidTo = e.ValidTo
	t.Confidence = max(t.Confidence, cmp.Or(e.Confidence, 1))
	t.Source = cmp.Or(t.Source, e.Source)
	t.also = t.also && e.Also
}

// close ends what a new triple leaves no room for, on the day on which it begins; or the new one, where another began after it.
func (f *folder) close(i int, others []int) {
	t := &f.triples[i]
	for _, k := range others {
		u := &f.triples[k]
		switch start := t.Start(); {
		case k == i || u.also || u.subject == t.subject && u.object == t.object:
		case u.Start() > start && u.ValidFrom != "":
			if u.Current() && t.ValidFrom != "" && (t.ValidTo == "" || u.Start() < t.ValidTo) {
				t.ValidTo, t.By = u.Start(), u.ID
			}
		case u.ValidTo == "" || u.ValidTo > start:
			u.ValidTo, u.By = max(start, u.Start()), t.ID
			if u.ValidFrom == "" && u.Start() > start { // it was said before: the other is newer in the telling alone
				u.ValidTo = max(t.Said, u.Said)
			}
		}
	}
}

// finish makes the index over names, and closes what was over before anybody said when.
func (g *Graph) finish() {
	for i := range g.triples {
		t := &g.triples[i]
		for g.byID[t.ID] != 0 || i > 0 && t.ID == g.triples[0].ID {
			t.ID = hashID(TriplePrefix, t.ID)
		}
		g.byID[t.ID] = i
	}
	for i := range g.entities {
		e := &g.entities[i]
		var words []string
		for _, name := range append([]string{e.Name}, e.Aliases...) {
			base, _ := cutName(name)
			key := keyOfName(base).base
			g.byName[key] = append(g.byName[key], i)
			words = append(words, nameWords(name)...)
		}
		slices.Sort(words)
		for _, w := range slices.Compact(words) {
			g.byWord[w] = append(g.byWord[w], i)
		}
	}
}

// Rests are the events that say that a triple holds, of its id; none where no triple has it.
func (g *Graph) Rests(id string) []Event {
	i, ok := g.byID[id]
	if !ok {
		return nil
	}
	var out []Event
	for _, n := range g.triples[i].told {
		out = append(out, g.events[n])
	}
	return out
}

// Triples are all of them, in the order in which they were first said.
func (g *Graph) Triples() []Triple { return g.triples }

// Stats counts a graph.
type Stats struct {
	Entities   int
	Triples    int
	Current    int
	Ended      int
	Predicates map[string]int // triples by predicate
	Types      map[string]int // entities by type
}

// Stats counts what there is.
func (g *Graph) Stats() Stats {
	s := Stats{Entities: len(g.entities), Triples: len(g.triples), Predicates: map[string]int{}, Types: map[string]int{}}
	for i := range g.triples {
		s.Predicates[g.triples[i].Predicate]++
		if g.triples[i].Current() {
			s.Current++
		}
	}
	for i := range g.entities {
		s.Types[cmp.Or(g.entities[i].Type, "unknown")]++
	}
	s.Ended = s.Triples - s.Current
	return s
}

func (g *Graph) pick(numbers []int) []Triple {
	out := make([]Triple, 0, len(numbers))
	for _, i := range numbers {
		out = append(out, g.triples[i])
	}
	slices.SortStableFunc(out, func(a, b Triple) int { return strings.Compare(string(a.Start()), string(b.Start())) })
	return out
}
