package graph

import (
	"maps"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/internal/nearest"
	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/vault"
)

// A Direction says on which side of a triple an entity stands.
type Direction int

// The directions. What holds in both directions, such as a marriage, is found in each.
const (
	Both     Direction = iota
	Outgoing           // it is the subject
	Incoming           // it is the object
)

// A Found is what a look-up found. Where several may be meant, Entity is nil and Candidates are those.
type Found struct {
	Entity     *Entity
	Candidates []*Entity
	Guess      bool // it has another name than was asked for
	number     int
}

// Near finds the names that one comes closest to; the best first.
type Near func(name string, among []string) []string

// Lookup finds who or what is meant by a name: exactly or by an alias, see [Graph.Meant], by a part of the name with what tells it apart
// ("Marek's sister Anna"), and at last by whichever of near finds one first. It never chooses between two.
func (g *Graph) Lookup(name string, near ...Near) Found {
	if f := g.Meant(name); f.Entity != nil || len(f.Candidates) > 0 {
		return f
	}
	if list := g.partly(name); len(list) > 0 {
		return g.found(list)
	}
	for _, n := range near {
		var list []int
		for _, name := range n(lexis.Fold(name), g.spellings()) {
			list = append(list, g.byName[name]...)
		}
		if len(list) > 0 {
			f := g.found(list)
			f.Guess = true
			return f
		}
	}
	return Found{}
}

// Meant finds who or what has a name, whether as its own or as another one; several who share it.
func (g *Graph) Meant(name string) Found {
	k := keyOfName(name)
	if k.base == "" {
		return Found{}
	}
	c := g.resolver.candidates(k, "")
	if resolved := g.resolver.resolve(name, ""); resolved != k || len(c) == 0 {
		if i, ok := g.index[resolved]; ok {
			return g.found([]int{i})
		}
	}
	if len(c) > 1 {
		var list []int
		for _, c := range append(c, k) {
			if i, ok := g.index[c]; ok {
				list = append(list, i)
			}
		}
		if len(list) > 0 {
			return g.found(list)
		}
	}
	if k.qualifier == "" && len(g.byName[k.base]) > 0 {
		return g.found(g.byName[k.base])
	}
	return Found{}
}

// partly are the entities with all words of a name; the ones with no others where there are such.
func (g *Graph) partly(name string) (out []int) {
	words := nameWords(name)
	if len(words) == 0 {
		return nil
	}
	var whole []int
	for _, i := range g.byWord[g.rarest(words)] {
		base, all := g.ownWords(i)
		if !subset(g.words[i], words) || !slices.ContainsFunc(words, func(w string) bool { return slices.Contains(base, w) }) {
			continue
		}
		if out = append(out, i); len(all) == len(words) {
			whole = append(whole, i)
		}
	}
	if len(whole) > 0 {
		return whole
	}
	return out
}

// rarest is the word of a name that the fewest entities have.
func (g *Graph) rarest(words []string) string {
	return slices.MinFunc(words, func(a, b string) int { return len(g.byWord[a]) - len(g.byWord[b]) })
}

// ownWords are the words of an entity's own name, without what tells it from others of the name and with it.
func (g *Graph) ownWords(i int) (base, all []string) {
	e := &g.entities[i]
	if len(e.Aliases) == 0 && !strings.HasSuffix(e.Name, ")") {
		return g.words[i], g.words[i]
	}
	name, _ := cutName(e.Name)
	return nameWords(name), nameWords(e.Name)
}

func (g *Graph) found(list []int) Found {
	slices.Sort(list)
	list = slices.Compact(slices.Clone(list))
	if len(list) == 1 {
		return Found{Entity: &g.entities[list[0]], number: list[0]}
	}
	var out Found
	for _, i := range list {
		out.Candidates = append(out.Candidates, &g.entities[i])
	}
	return out
}

// spellings are the names of all entities, folded and sorted.
func (g *Graph) spellings() []string {
	g.spelling.Do(func() { g.names = slices.Sorted(maps.Keys(g.byName)) })
	return g.names
}

// A Query asks for the triples of an entity.
type Query struct {
	Direction Direction
	AsOf      vault.Day // "" asks for all, ended ones too
	Predicate string    // in any wording; "" asks for all
	Limit     int       // the newest so many; 0 asks for all
}

// Of are the triples of what was found, by their first day.
func (g *Graph) Of(f Found, q Query) []Triple {
	if f.Entity == nil {
		return []Triple{}
	}
	means, asked := map[string]bool{}, unknown(q.Predicate)
	var list []int
	for _, i := range slices.Backward(g.of[f.number]) {
		if q.Limit > 0 && len(list) == q.Limit {
			break
		}
		t := &g.triples[i]
		meant, ok := means[t.Predicate]
		if !ok {
			meant = q.Predicate == "" || Means(q.Predicate, t.Predicate)
			means[t.Predicate] = meant
		}
		both := traits(t.Predicate).both
		meant = meant || g.calls(t.object, asked)
		if meant && (q.Direction != Outgoing || t.subject == f.number || both) && (q.Direction != Incoming || t.object == f.number || both) &&
			(q.AsOf == "" || t.On(q.AsOf)) {
			list = append(list, i)
		}
	}
	slices.Reverse(list)
	return g.pick(list)
}

// unknown are the words of a wording that the table does not have.
func unknown(wording string) []string {
	if all, _ := known(); all[PredicateKey(wording)] != nil {
		return nil
	}
	return nameWords(Wording(wording))
}

// calls says whether an entity is called by all of some words: who is asked for the team of somebody is told of the mobile team.
func (g *Graph) calls(entity int, words []string) bool {
	return len(words) > 0 && subset(g.words[entity], words)
}

// Timeline are an entity's newest triples by their first day, at most as many as limit, 0 for all; those of all entities where f is zero.
func (g *Graph) Timeline(f Found, limit int) []Triple {
	list := g.order
	if f.Entity != nil {
		list = g.of[f.number]
	}
	if limit > 0 {
		list = list[max(0, len(list)-limit):]
	}
	return g.pick(list)
}

// MaxPath is the most steps that [Graph.Path] looks for.
const MaxPath = 6

// Path is the shortest way between two entities over what holds on a day; nil where none has MaxPath steps or fewer.
func (g *Graph) Path(from, to Found, day vault.Day) []Triple {
	if from.Entity == nil || to.Entity == nil {
		return nil
	}
	came := make([]int, len(g.entities)) // by which an entity was reached: one more than the number of the triple
	came[from.number] = -1
	edge := []int{from.number}
	for range MaxPath {
		var next []int
		for _, at := range edge {
			for _, i := range g.of[at] {
				t := &g.triples[i]
				if !t.On(day) {
					continue
				}
				other := t.subject + t.object - at
				if came[other] == 0 {
					came[other] = i + 1
					next = append(next, other)
				}
			}
		}
		if came[to.number] != 0 {
			break
		}
		edge = next
	}
	if came[to.number] == 0 || from.number == to.number {
		return nil
	}
	var way []Triple
	for at := to.number; at != from.number; {
		t := g.triples[came[at]-1]
		way = append(way, t)
		at = t.subject + t.object - at
	}
	slices.Reverse(way)
	return way
}

// Replaced are the triples whose place a triple took.
func (g *Graph) Replaced(t *Triple) []Triple { return g.pick(g.replaced[g.byID[t.ID]]) }

// Spelling is a [Near] for when no embedder helps.
func Spelling(name string, among []string) []string {
	if n := nearest.Name(name, among); n != "" {
		return []string{n}
	}
	return nil
}

// Sentence is a triple in words, with the time in which it holds.
func (t *Triple) Sentence() string {
	var b strings.Builder
	b.WriteString(t.Subject + " " + Wording(t.Predicate) + " " + t.Object)
	switch {
	case t.ValidFrom != "" && t.ValidTo != "":
		b.WriteString(" (" + string(t.ValidFrom) + " until before " + string(t.ValidTo) + ")")
	case t.ValidTo != "":
		b.WriteString(" (until before " + string(t.ValidTo) + ")")
	case t.ValidFrom != "":
		b.WriteString(" (since " + string(t.ValidFrom) + ")")
	case t.Said != "":
		b.WriteString(" (said " + string(t.Said) + ")")
	}
	return b.String()
}
