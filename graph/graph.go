package graph

import (
	"cmp"
	"slices"
	"strings"
	"sync"

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
	Reader  string // the model that read it, "" where anybody said it so or rules read it

	EndedBy vault.Origin // whose word ended it, where it has an end

	subject, object int
	told            []int        // the events that assert it
	also            bool         // it stands beside others
	by              int          // the triple that took its place, -1 for none
	end             vault.Day    // that was told, "" for none
	latest          bool         // it is the latest that it can be
	ender           vault.Origin // who told it
	endedFor        int          // in favour of which triple, -1 for none
	turn            vault.Day    // on which it takes the place of others
	placed          bool         // it has a turn
}

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
	events   []*Event
	entities []Entity
	triples  []Triple
	order    []int            // the triples by their first days
	of       [][]int          // the triples of an entity, whichever side it is on, by their first days
	words    [][]string       // the words of an entity's names, sorted
	byWord   map[string][]int // entities by those words
	byName   map[string][]int // and by a whole name
	byWords  map[string][]int // and by all words of their own name
	byID     map[string]int   // triples
	byPair   map[pairKey][]int
	replaced map[int][]int    // the triples whose place a triple took
	belongs  map[string][]int // entities that are somebody's, by whose
	resolver *resolver
	index    map[nameKey]int
	stems    sync.Once
	asked    []asked // by entity
	spelling sync.Once
	names    []string // all of them, folded
}

// A pairKey is what a triple says, whenever it holds.
type pairKey struct {
	subject   int
	predicate string
	object    int
}

// pairOf is one for both directions where a predicate holds in both.
func pairOf(s int, predicate string, o int) pairKey {
	if traits(predicate).both && s > o {
		s, o = o, s
	}
	return pairKey{s, predicate, o}
}

// number is that of the entity that is meant, if there is one.
func (g *Graph) number(name, speaker string) (int, bool) {
	i, ok := g.index[g.resolver.resolve(name, speaker)]
	return i, ok
}

// open are the triples that an event names and that hold on after it; an object by words of its name as well.
func (g *Graph) open(e *Event, object string) []int {
	s, named := g.number(e.Subject, e.Speaker)
	if e.Subject != "" && !named {
		return nil
	}
	predicate, day := g.resolver.predicate(e.Predicate), e.ended()
	running := func(i int) bool {
		t := &g.triples[i]
		return (t.ValidTo == "" || t.ValidTo > day) && (predicate == "" || t.Predicate == predicate)
	}
	o, known := g.number(object, e.Speaker)
	switch {
	case object == "":
		return keep(g.of[s], func(i int) bool {
			return running(i) && (g.triples[i].subject == s || traits(g.triples[i].Predicate).both)
		})
	case e.Subject == "" && known:
		return keep(g.of[o], func(i int) bool { return running(i) && g.triples[i].object == o })
	case e.Subject == "":
		return nil
	}
	if known {
		pair := g.between(s, predicate, o)
		if now := keep(pair, func(i int) bool { return g.triples[i].ValidTo == "" }); len(now) > 0 {
			return now
		}
		// A day that was told counts although another took the place of it before.
		told := e.ValidTo != "" || e.ValidFrom != ""
		if ended := keep(pair, func(i int) bool {
			t := &g.triples[i]
			return running(i) || told && (t.end == "" || t.end > day)
		}); len(ended) > 0 {
			return ended
		}
	}
	var like []int
	for _, o := range g.like(object) {
		like = append(like, keep(g.between(s, predicate, o), running)...)
	}
	slices.Sort(like)
	return slices.Compact(like)
}

// like are the entities that have all words of a name, or no others than those.
func (g *Graph) like(name string) (list []int) {
	words := nameWords(name)
	if len(words) == 0 {
		return nil
	}
	for _, e := range g.byWord[g.rarest(words)] {
		if subset(g.words[e], words) {
			list = append(list, e)
		}
	}
	for some := 1; len(words) <= namesMost && some < 1<<len(words); some++ {
		var of []string
		for i, w := range words {
			if some&(1<<i) != 0 {
				of = append(of, w)
			}
		}
		list = append(list, g.byWords[strings.Join(of, " ")]...)
	}
	return list
}

// between are the triples that say of two entities what a predicate is, "" for whatever joins them.
func (g *Graph) between(s int, predicate string, o int) []int {
	if predicate != "" {
		return g.byPair[pairOf(s, predicate, o)]
	}
	shorter := g.of[s]
	if len(g.of[o]) < len(shorter) {
		shorter = g.of[o]
	}
	return keep(shorter, func(i int) bool {
		t := &g.triples[i]
		return t.subject == s && t.object == o || t.subject == o && t.object == s && traits(t.Predicate).both
	})
}

// keep are the triples of a list for which something is so.
func keep(list []int, so func(int) bool) (out []int) {
	for _, i := range list {
		if so(i) {
			out = append(out, i)
		}
	}
	return out
}

// Ends are the triples that an invalidate would end.
func (g *Graph) Ends(e Event) []Triple { return g.pick(g.open(&e, e.Object)) }

// Said is the triple that rests on an event, if it is known.
func (g *Graph) Said(e Event) (Triple, bool) {
	s, known := g.number(e.Subject, e.Speaker)
	o, both := g.number(e.Object, e.Speaker)
	if known && both {
		id := e.ID()
		for _, i := range g.between(s, "", o) {
			for _, n := range g.triples[i].told {
				if g.events[n].At.Equal(e.At) && g.events[n].ID() == id {
					return g.triples[i], true
				}
			}
		}
	}
	return Triple{}, false
}

// finish puts the triples in the order of their first days, and names those that took the place of others.
func (g *Graph) finish() {
	g.order = make([]int, len(g.triples))
	for i := range g.order {
		g.order[i] = i
	}
	slices.SortStableFunc(g.order, func(a, b int) int { return strings.Compare(string(g.triples[a].Start()), string(g.triples[b].Start())) })
	for i := range g.of {
		g.of[i] = g.of[i][:0]
	}
	for _, i := range g.order {
		t := &g.triples[i]
		if g.of[t.subject] = append(g.of[t.subject], i); t.subject != t.object {
			g.of[t.object] = append(g.of[t.object], i)
		}
		if t.by >= 0 {
			t.By = g.triples[t.by].ID
			g.replaced[t.by] = append(g.replaced[t.by], i)
		}
	}
	for i := range g.entities {
		if owner, _, ok := strings.Cut(keyOfName(g.entities[i].Name).base, "'s "); ok {
			g.belongs[owner] = append(g.belongs[owner], i)
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
		out = append(out, *g.events[n])
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

// Stats counts what there is; what holds, as of a day.
func (g *Graph) Stats(today vault.Day) Stats {
	s := Stats{Entities: len(g.entities), Triples: len(g.triples), Predicates: map[string]int{}, Types: map[string]int{}}
	for i := range g.triples {
		t := &g.triples[i]
		s.Predicates[t.Predicate]++
		if t.On(today) {
			s.Current++
		}
		if t.ValidTo != "" && t.ValidTo <= today {
			s.Ended++
		}
	}
	for i := range g.entities {
		s.Types[cmp.Or(g.entities[i].Type, "unknown")]++
	}
	return s
}

func (g *Graph) pick(numbers []int) []Triple {
	out := make([]Triple, 0, len(numbers))
	for _, i := range numbers {
		out = append(out, g.triples[i])
	}
	return out
}
