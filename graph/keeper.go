package graph

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/internal/slice"
)

// A Keeper keeps the graph of what several sources say. When one of them says something else, it resolves the names anew that this has to
// do with, folds the events again that it may have to do with, and leaves the rest; the graph is the one that a new Keeper would make. A
// Keeper is one goroutine's at a time; its graphs are everybody's.
//
//	events ──▶ names: who is meant by what ──▶ ties: which events have to do with each other ──▶ fold of those ──▶ Graph
type Keeper struct {
	functional map[string]bool
	sources    map[string][]*said // in the order of their times
	gone       []*said            // since graph
	fresh      []*said
	meanings   map[[2]string]*meaning
	bases      map[string]*base
	things     map[nameKey]*thing
	aliases    []*said // those of which it is the kind
	groups     map[groupKey]*group
	predicates map[string]string // by their wordings, during a change
	speakers   map[string]string // the bases of names, as well
	mark       int               // of those that were reached last
	graph      *Graph
}

// A said is an event with its place among all that was said.
type said struct {
	*Event
	source string
	nth    int // among those of one moment in the source

	subject, object, was *meaning // nil where it names none
	predicate            string   // by its name
	words                []string // of what ends; nil where all does
	groups               []*group
	watches              []watch
	made                 []*Triple
	mark                 int
	leaves               bool
}

// compare is the order of saying. What was said nobody knows when comes last: it changes nothing of the rest.
func (s *said) compare(o *said) int {
	if s.At.IsZero() != o.At.IsZero() {
		return -s.At.Compare(o.At)
	}
	return cmp.Or(s.At.Compare(o.At), strings.Compare(s.source, o.source), s.nth-o.nth)
}

// NewKeeper gives the Keeper of an empty graph; functional are predicates with one value at a time besides those of [PredicateTable].
func NewKeeper(functional []string) *Keeper {
	k := &Keeper{
		functional: map[string]bool{}, sources: map[string][]*said{}, meanings: map[[2]string]*meaning{}, bases: map[string]*base{},
		things: map[nameKey]*thing{}, groups: map[groupKey]*group{}, graph: &Graph{},
		predicates: map[string]string{}, speakers: map[string]string{},
	}
	for _, name := range functional {
		k.functional[PredicateKey(name)] = true
	}
	return k
}

// Build folds events into a graph, in the order of their times; the order in which they are given counts only among those of one moment.
// Saying again what holds adds nothing but what was not known; saying it after it ended begins a new triple. An invalidate ends the triples
// that it names and deletes nothing. Where a predicate has one value at a time, the newer closes the older one on the day on which it
// begins, whichever was told first. Events that are not valid are left out. Events must not be changed afterwards.
func Build(events []Event, functional []string) *Graph {
	k, list := NewKeeper(functional), make([]*Event, len(events))
	for i := range events {
		list[i] = &events[i]
	}
	k.Say("", list)
	return k.Graph()
}

// Say takes in what a source says, in place of what it said before. Among events of one moment the names of their sources count.
func (k *Keeper) Say(source string, events []*Event) {
	byTime := func(a, b *Event) int { return a.At.Compare(b.At) }
	if !slices.IsSortedFunc(events, byTime) {
		events = slices.Clone(events)
		slices.SortStableFunc(events, byTime)
	}
	was := k.sources[source]
	now := make([]*said, 0, len(events))
	leave := func() {
		was[0].leaves = true
		k.gone, was = append(k.gone, was[0]), was[1:]
	}
	nth := 0
	for i, e := range events {
		if nth++; i == 0 || !e.At.Equal(events[i-1].At) {
			nth = 0
		}
		for len(was) > 0 && cmp.Or(was[0].At.Compare(e.At), was[0].nth-nth) < 0 {
			leave()
		}
		if len(was) > 0 && was[0].nth == nth && was[0].At.Equal(e.At) {
			if same(was[0].Event, e) {
				now, was = append(now, was[0]), was[1:]
				continue
			}
			leave()
		}
		now = append(now, &said{Event: e, source: source, nth: nth})
		k.fresh = append(k.fresh, now[i])
	}
	for len(was) > 0 {
		leave()
	}
	if k.sources[source] = now; len(now) == 0 {
		delete(k.sources, source)
	}
}

func same(a, b *Event) bool {
	if a == b {
		return true
	}
	one, two := *a, *b
	one.At, two.At = time.Time{}, time.Time{}
	return one == two && a.At.Equal(b.At)
}

// Graph is the graph of what was said so far.
func (k *Keeper) Graph() *Graph {
	gone := slice.Keep(k.gone, func(n *said) bool { return n.subject != nil || n.object != nil }) // what counted
	fresh := slice.Keep(k.fresh, func(n *said) bool { return !n.leaves && n.Validate() == nil })
	k.gone, k.fresh = nil, nil
	if len(gone)+len(fresh) == 0 {
		return k.graph
	}
	g := k.graph.fork()
	again := k.name(g, gone, fresh)
	k.graph = g

	again = slice.Keep(again, func(n *said) bool { return !n.leaves })
	anew := append(slices.Clone(gone), again...)
	affected := k.reach(anew)
	more := append(slice.Keep(k.untie(anew), func(n *said) bool { return !n.leaves }), fresh...)
	slices.SortFunc(more, (*said).compare)
	more = slices.Compact(more)
	k.tie(more)
	affected = k.reach(append(affected, more...))

	f := &folder{
		Graph: g, functional: k.functional, held: map[*Entity][]*Triple{}, slots: map[slotKey][]*Triple{},
		undated: map[slotKey][]*Triple{}, ids: map[string]bool{},
	}
	var old []*Triple
	for _, n := range gone {
		old = append(old, n.made...)
	}
	affected = slice.Keep(affected, func(n *said) bool { return !n.leaves })
	slices.SortFunc(affected, (*said).compare)
	for _, n := range affected {
		old = append(old, n.made...)
		n.made = nil
	}
	for _, n := range affected {
		f.fold(n)
	}
	f.oppose()
	g.put(old, f.triples)
	clear(k.predicates) // words of what may be forgotten by now
	clear(k.speakers)
	return g
}

// fork is a graph that may be changed.
func (g *Graph) fork() *Graph {
	return &Graph{
		resolver: resolver{g.names.fork(), g.longer.fork(), g.same}, index: g.index.fork(), held: g.held.fork(), order: g.order,
		replaced: g.replaced.fork(), byWord: g.byWord.fork(), byName: g.byName.fork(), byWords: g.byWords.fork(), belongs: g.belongs.fork(),
		kinds: g.kinds.fork(), spellings: g.spellings,
	}
}

// put takes triples in, and old ones away.
func (g *Graph) put(old, triples []*Triple) {
	for _, t := range triples {
		if t.by != nil {
			t.By = t.by.ID
		}
	}
	held, kinds, replaced := lists[*Entity, *Triple]{}, lists[*Entity, *Triple]{}, lists[string, *Triple]{}
	for i, list := range [2][]*Triple{old, triples} {
		for _, t := range list {
			add := func(l lists[*Entity, *Triple], e *Entity) { l.of(e)[i] = append(l.of(e)[i], t) }
			if add(held, t.subject); t.subject != t.object {
				add(held, t.object)
			}
			if t.Predicate == "is_a" {
				add(kinds, t.subject)
			}
			if t.By != "" {
				replaced.of(t.By)[i] = append(replaced.of(t.By)[i], t)
			}
		}
	}
	held.into(&g.held, inTime)
	kinds.into(&g.kinds, inTime)
	replaced.into(&g.replaced, asSaid)
	g.order = spliced(g.order, old, triples, inTime)
}
