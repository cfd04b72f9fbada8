package graph

import (
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
	number     int
}

// Near finds the names that a spelling comes closest to; the best first.
type Near func(name string, among []string) []string

// Lookup finds who or what is meant by a name: exactly, by an alias, by a part of the name with what tells it apart ("Marek's
// sister Anna"), and at last by near. It never chooses between two.
func (g *Graph) Lookup(name string, near Near) Found {
	k := keyOfName(name)
	if k.base == "" {
		return Found{}
	}
	if resolved := g.resolver.resolve(name, ""); resolved != k || len(g.resolver.candidates(k, "")) == 0 {
		if i, ok := g.index[resolved]; ok {
			return g.found([]int{i})
		}
	}
	if c := g.resolver.candidates(k, ""); len(c) > 1 {
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
	if list := g.byName[k.base]; len(list) > 0 && k.qualifier == "" {
		return g.found(list)
	}
	if list := g.byWords(name); len(list) > 0 {
		return g.found(list)
	}
	if near != nil {
		for _, n := range near(name, g.Names()) {
			if list := g.byName[keyOfName(n).base]; len(list) > 0 {
				return g.found(list)
			}
		}
	}
	return Found{}
}

// byWords are the entities with all words of a name; the ones with the fewest others where they differ in that.
func (g *Graph) byWords(name string) []int {
	words := nameWords(name)
	if len(words) == 0 {
		return nil
	}
	var out []int
	for _, i := range g.byWord[words[0]] {
		e := &g.entities[i]
		own := words[:0:0]
		for _, n := range append([]string{e.Name}, e.Aliases...) {
			own = append(own, nameWords(n)...)
		}
		slices.Sort(own)
		base, _ := cutName(e.Name)
		if subset(own, words) && slices.ContainsFunc(words, func(w string) bool { return slices.Contains(nameWords(base), w) }) {
			out = append(out, i)
		}
	}
	whole := slices.DeleteFunc(slices.Clone(out), func(i int) bool { return len(nameWords(g.entities[i].Name)) != len(words) })
	if len(whole) > 0 {
		return whole
	}
	return out
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

// Names are the names and aliases of all entities.
func (g *Graph) Names() []string {
	var out []string
	for i := range g.entities {
		out = append(append(out, g.entities[i].Name), g.entities[i].Aliases...)
	}
	return out
}

// A Query asks for the triples of an entity.
type Query struct {
	Direction Direction
	AsOf      vault.Day // "" asks for all, ended ones too
	Predicate string    // in any wording; "" asks for all
}

// Of are the triples of what was found, by their first day.
func (g *Graph) Of(f Found, q Query) []Triple {
	if f.Entity == nil {
		return []Triple{}
	}
	return g.pick(slices.DeleteFunc(slices.Clone(g.of[f.number]), func(i int) bool {
		t := &g.triples[i]
		both := traits(t.Predicate).both
		return q.Direction == Outgoing && t.subject != f.number && !both || q.Direction == Incoming && t.object != f.number && !both ||
			q.AsOf != "" && !t.On(q.AsOf) || q.Predicate != "" && !g.means(q.Predicate, t)
	}))
}

// means says whether a triple is of a predicate in some wording; of what somebody is, the kind may be asked for.
func (g *Graph) means(wording string, t *Triple) bool { return Means(wording, t.Predicate) }

// Timeline are an entity's triples by their first day; of all entities where f is zero.
func (g *Graph) Timeline(f Found) []Triple {
	if f.Entity != nil {
		return g.pick(g.of[f.number])
	}
	all := make([]int, len(g.triples))
	for i := range all {
		all[i] = i
	}
	return g.pick(all)
}

// MaxPath is the most steps that [Graph.Path] looks for.
const MaxPath = 6

// Path is the shortest way between two entities over what holds on a day, "" for now; nil where none has MaxPath steps or fewer.
func (g *Graph) Path(from, to Found, day vault.Day) []Triple {
	if from.Entity == nil || to.Entity == nil {
		return nil
	}
	came := map[int]int{from.number: -1} // the triple by which an entity was reached
	edge := []int{from.number}
	for range MaxPath {
		var next []int
		for _, at := range edge {
			for _, i := range g.of[at] {
				t := &g.triples[i]
				if day == "" && !t.Current() || day != "" && !t.On(day) {
					continue
				}
				other := t.subject + t.object - at
				if _, seen := came[other]; !seen {
					came[other] = i
					next = append(next, other)
				}
			}
		}
		if _, ok := came[to.number]; ok {
			break
		}
		edge = next
	}
	if _, ok := came[to.number]; !ok || from.number == to.number {
		return nil
	}
	var way []Triple
	for at := to.number; at != from.number; {
		t := g.triples[came[at]]
		way = append(way, t)
		at = t.subject + t.object - at
	}
	slices.Reverse(way)
	return way
}

// Replaced are the triples whose place a triple took.
func (g *Graph) Replaced(t *Triple) []Triple {
	var of []int
	for _, entity := range []int{t.subject, t.object} {
		for _, i := range g.of[entity] {
			if g.triples[i].By == t.ID && !slices.Contains(of, i) {
				of = append(of, i)
			}
		}
	}
	return g.pick(of)
}

// Spelling is a [Near] for when no embedder helps.
func Spelling(name string, among []string) []string {
	bases := make([]string, len(among))
	for i, n := range among {
		base, _ := cutName(n)
		bases[i] = lexis.Fold(base)
	}
	if n := nearest.Name(lexis.Fold(name), bases); n != "" {
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
