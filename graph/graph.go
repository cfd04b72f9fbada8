package graph

import (
	"cmp"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/internal/slice"
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
	Against    []string  // ids of those that say otherwise, where nobody knows which of them is so now

	Loose   bool // the word for it is a line of a page, where anybody's may have been pasted
	Speaker string
	Origin  vault.Origin
	Agent   string
	Wing    string
	Reader  string // the model that read it, "" where anybody said it so or rules read it

	EndedBy vault.Origin // whose word ended it, where it has an end

	subject, object *Entity
	first           *said        // of which it was made
	nth             int          // among those that were made of it
	told            []*said      // what asserts it
	also            bool         // it stands beside others
	by              *Triple      // that took its place
	end             vault.Day    // that was told, "" for none
	latest          bool         // it is the latest that it can be
	ender           vault.Origin // who told it
	endedFor        *Triple      // in favour of which
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

// inTime is the order of triples by their first days, and on one by when they were first said.
func inTime(a, b *Triple) int {
	return cmp.Or(strings.Compare(string(a.Start()), string(b.Start())), asSaid(a, b))
}

// asSaid is the order in which triples were first said.
func asSaid(a, b *Triple) int { return cmp.Or(a.first.compare(b.first), a.nth-b.nth) }

// An Entity is somebody or something that triples are about.
type Entity struct {
	ID      string
	Name    string // with what tells it from others of the name
	Type    string // "" when unknown
	Aliases []string

	key   nameKey
	own   []string // the words of its name, sorted
	words []string // and of its other names
	stems []string // of words
}

// called are the names that it is found by.
func (e *Entity) called() []string {
	base, _ := cutName(e.Name)
	return append([]string{base}, e.Aliases...)
}

func byKey(a, b *Entity) int { return a.key.compare(b.key) }

// A Graph is entities and triples with an index over them. A Graph never changes; see [Keeper].
type Graph struct {
	resolver
	index     table[nameKey, *Entity]
	held      table[*Entity, []*Triple] // on whichever side it is, by their first days
	order     []*Triple                 // all, by their first days
	replaced  table[string, []*Triple]  // those whose place a triple took, by its id
	byWord    table[string, []*Entity]  // by a word of their names
	byName    table[string, []*Entity]  // and by a whole name
	byWords   table[string, []*Entity]  // and by all words of their own name
	belongs   table[string, []*Entity]  // those that are somebody's, by whose
	kinds     table[*Entity, []*Triple] // what something was said to be: of PostgreSQL, a database
	spellings []string                  // all names, folded and sorted
}

// number is the entity that is meant, nil for none.
func (g *Graph) number(name, speaker string) *Entity { return g.index.get(g.resolve(name, speaker)) }

// like are the entities that have all words of a name, or no others than those.
func (g *Graph) like(words []string) (list []*Entity) {
	if len(words) == 0 {
		return nil
	}
	for _, e := range g.byWord.get(g.rarest(words)) {
		if subset(e.words, words) {
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
		list = append(list, g.byWords.get(strings.Join(of, " "))...)
	}
	return list
}

// alike says whether like finds an entity.
func (e *Entity) alike(words []string) bool {
	return len(words) > 0 && (subset(e.words, words) || len(words) <= namesMost && len(e.own) > 0 && subset(words, e.own))
}

// An ending is what an event says that no longer holds.
type ending struct {
	anybody         bool // whoever it holds of
	subject, object *Entity
	predicate       string   // "" is any
	words           []string // of the object's name; none is any object
	day             vault.Day
	told            bool // the day was
}

// open are the triples that are ended, and that hold on after it; an object by words of its name as well.
func (g *Graph) open(e ending, of func(*Entity) []*Triple) []*Triple {
	running := func(t *Triple) bool {
		return (t.ValidTo == "" || t.ValidTo > e.day) && saysOf(e.predicate, t.Predicate)
	}
	switch {
	case e.anybody && e.object != nil:
		return slice.Keep(of(e.object), func(t *Triple) bool {
			return running(t) && (t.object == e.object || traits(t.Predicate).both || e.predicate == AnyOffice)
		})
	case e.anybody || e.subject == nil:
		return nil
	case e.words == nil && e.object == nil:
		return slice.Keep(of(e.subject), func(t *Triple) bool {
			return running(t) && (t.subject == e.subject || traits(t.Predicate).both)
		})
	}
	if e.object != nil {
		pair := between(e.subject, e.predicate, e.object, of)
		if now := slice.Keep(pair, func(t *Triple) bool { return t.ValidTo == "" }); len(now) > 0 {
			return now
		}
		// A day that was told counts although another took the place of it before.
		if ended := slice.Keep(pair, func(t *Triple) bool { return running(t) || e.told && (t.end == "" || t.end > e.day) }); len(ended) > 0 {
			return ended
		}
	}
	var like []*Triple
	for _, o := range g.like(e.words) {
		like = append(like, slice.Keep(between(e.subject, e.predicate, o, of), running)...)
	}
	slices.SortFunc(like, asSaid)
	return slices.Compact(like)
}

// AnyOffice is a predicate by which an invalidate ends whatever somebody was to something or somebody, but for family and friends.
const AnyOffice = "any_office"

// serving are predicates of what somebody is to somebody, or does for something, besides those of which the name ends so.
var serving = map[string]bool{"runs": true, "teaches": true, "doctor": true, "on_call_for": true}

// family says whether a predicate tells of family and friends.
func family(predicate string) bool {
	switch predicate {
	case "boss_of", "colleague_of", "neighbour_of", "flatmate_of":
		return false
	}
	return traits(predicate).types == [2]string{"person", "person"} || strings.HasPrefix(predicate, "god") ||
		strings.HasPrefix(predicate, "step") || strings.HasSuffix(predicate, "in_law_of")
}

// saysOf says whether what is said of a predicate, "" for any, is said of another: what is used is used for something.
func saysOf(predicate, other string) bool {
	switch {
	case predicate == "uses" && strings.HasPrefix(other, "uses_for_"):
		return true
	case predicate == AnyOffice:
		return serving[other] || strings.HasSuffix(other, "_of") && !family(other)
	}
	return predicate == "" || predicate == other
}

// between are the triples that say of two entities what a predicate is, "" for whatever joins them.
func between(s *Entity, predicate string, o *Entity, of func(*Entity) []*Triple) []*Triple {
	shorter := of(s)
	if others := of(o); len(others) < len(shorter) {
		shorter = others
	}
	return slice.Keep(shorter, func(t *Triple) bool {
		return saysOf(predicate, t.Predicate) &&
			(t.subject == s && t.object == o || t.subject == o && t.object == s && traits(t.Predicate).both)
	})
}

// Ends are the triples that an invalidate would end.
func (g *Graph) Ends(e Event) []Triple {
	return pick(g.open(ending{
		e.Subject == "", g.number(e.Subject, e.Speaker), g.number(e.Object, e.Speaker), PredicateKey(e.Predicate), wordsOrNone(e.Object),
		e.ended(), e.ValidTo != "" || e.ValidFrom != "",
	}, g.held.get))
}

// wordsOrNone are the words of a name, nil only where there is no name.
func wordsOrNone(name string) []string {
	if name == "" {
		return nil
	}
	return append([]string{}, nameWords(name)...)
}

// Said is the triple that rests on an event, if it is known.
func (g *Graph) Said(e Event) (Triple, bool) {
	s, o := g.number(e.Subject, e.Speaker), g.number(e.Object, e.Speaker)
	if s != nil && o != nil {
		id := e.ID()
		for _, t := range between(s, "", o, g.held.get) {
			for _, n := range t.told {
				if n.At.Equal(e.At) && n.ID() == id {
					return *t, true
				}
			}
		}
	}
	return Triple{}, false
}

// Rests are the events that say that a triple holds, of its id; none where no triple has it.
func (g *Graph) Rests(id string) (out []Event) {
	if i := slices.IndexFunc(g.order, func(t *Triple) bool { return t.ID == id }); i >= 0 {
		for _, n := range g.order[i].told {
			out = append(out, *n.Event)
		}
	}
	return out
}

// Triples are all of them, in the order in which they were first said.
func (g *Graph) Triples() []Triple { return pick(slices.SortedFunc(slices.Values(g.order), asSaid)) }

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
	s := Stats{Triples: len(g.order), Predicates: map[string]int{}, Types: map[string]int{}}
	for _, t := range g.order {
		s.Predicates[t.Predicate]++
		if t.On(today) {
			s.Current++
		}
		if t.ValidTo != "" && t.ValidTo <= today {
			s.Ended++
		}
	}
	g.index.each(func(_ nameKey, e *Entity) {
		s.Entities++
		s.Types[cmp.Or(e.Type, "unknown")]++
	})
	return s
}

func pick(list []*Triple) []Triple {
	return slice.Map(list, func(t *Triple) Triple { return *t })
}
