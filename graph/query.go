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
	Guess      bool   // it has another name than was asked for
	Via        string // how it was found: name, alias, part, or the Via of a Near
}

// A Near finds the names that one comes closest to, if any does.
type Near struct {
	Via  string
	Find func(name string, among []string) []string
}

// Lookup finds who or what is meant by a name: exactly or by an alias, see [Graph.Meant], by a part of the name with what tells it apart
// ("Marek's sister Anna"), and at last by whichever of near finds one first. Lookup never chooses between two.
func (g *Graph) Lookup(name string, near ...Near) Found {
	if f := g.Meant(name); f.Entity != nil || len(f.Candidates) > 0 {
		f.Via = "name"
		if base := keyOfName(name).base; f.Entity != nil && strings.HasPrefix(f.Entity.key.base, base+" ") {
			f.Via = "part" // a first name
		} else if f.Entity != nil && base != f.Entity.key.base {
			f.Via = "alias"
		}
		return f
	}
	if list := g.partly(name); len(list) > 0 {
		f := g.found(ours(name, list))
		f.Via = "part"
		return f
	}
	for _, n := range near {
		var list []*Entity
		for _, name := range n.Find(lexis.Fold(name), g.spellings) {
			list = append(list, g.byName.get(name)...)
		}
		if len(list) > 0 {
			f := g.found(list)
			f.Guess, f.Via = true, n.Via
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
	c := g.candidates(k, "")
	if resolved := g.resolve(name, ""); resolved != k || len(c) == 0 {
		if e := g.index.get(resolved); e != nil {
			return Found{Entity: e}
		}
	}
	if len(c) > 1 {
		var list []*Entity
		for _, c := range append(c, k) {
			if e := g.index.get(c); e != nil {
				list = append(list, e)
			}
		}
		if len(list) > 0 {
			return g.found(list)
		}
	}
	if list := g.byName.get(k.base); k.qualifier == "" && len(list) > 0 {
		return g.found(list)
	}
	return Found{}
}

// partly are the entities with all words of a name; the ones with no others where there are such.
func (g *Graph) partly(name string) (out []*Entity) {
	words := nameWords(name)
	if len(words) == 0 {
		return nil
	}
	var whole []*Entity
	for _, e := range g.byWord.get(g.rarest(words)) {
		if !subset(e.words, words) {
			continue
		}
		base := e.own
		if e.key.qualifier != "" {
			name, _ := cutName(e.Name)
			base = nameWords(name)
		}
		if !slices.ContainsFunc(words, func(w string) bool { return slices.Contains(base, w) }) {
			continue
		}
		if out = append(out, e); len(e.own) == len(words) {
			whole = append(whole, e)
		}
	}
	if len(whole) > 0 {
		return whole
	}
	return out
}

// ours are those of some whom "my" and "our" may mean where nobody's name is known: what is the user's; all of them where none is.
func ours(name string, list []*Entity) []*Entity {
	if !slices.ContainsFunc(lexis.Words(name), func(w string) bool { return selfWords[w] }) {
		return list
	}
	mine := slices.DeleteFunc(slices.Clone(list), func(e *Entity) bool { return !slices.Contains(strings.Fields(e.key.qualifier), "user") })
	if len(mine) == 0 {
		return list
	}
	return mine
}

// rarest is the word of a name that the fewest entities have.
func (g *Graph) rarest(words []string) string {
	return slices.MinFunc(words, func(a, b string) int { return len(g.byWord.get(a)) - len(g.byWord.get(b)) })
}

func (g *Graph) found(list []*Entity) Found {
	list = slices.SortedFunc(slices.Values(list), byKey)
	if list = slices.Compact(list); len(list) == 1 {
		return Found{Entity: list[0]}
	}
	return Found{Candidates: list}
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
	var list []*Triple
	for _, t := range slices.Backward(g.held.get(f.Entity)) {
		if q.Limit > 0 && len(list) == q.Limit {
			break
		}
		meant, ok := means[t.Predicate]
		if !ok {
			meant = q.Predicate == "" || Means(q.Predicate, t.Predicate)
			means[t.Predicate] = meant
		}
		both := traits(t.Predicate).both
		meant = meant || len(asked) > 0 && subset(t.object.words, asked)
		if meant && (q.Direction != Outgoing || t.subject == f.Entity || both) && (q.Direction != Incoming || t.object == f.Entity || both) &&
			(q.AsOf == "" || t.On(q.AsOf)) {
			list = append(list, t)
		}
	}
	slices.Reverse(list)
	return pick(list)
}

// unknown are the words of a wording that the table does not have.
func unknown(wording string) []string {
	if all, _ := known(); all[PredicateKey(wording)] != nil {
		return nil
	}
	return nameWords(Wording(wording))
}

// Timeline are an entity's newest triples by their first day, at most as many as limit, 0 for all; those of all entities where f is zero.
func (g *Graph) Timeline(f Found, limit int) []Triple {
	list := g.order
	if f.Entity != nil {
		list = g.held.get(f.Entity)
	}
	if limit > 0 {
		list = list[max(0, len(list)-limit):]
	}
	return pick(list)
}

// MaxPath is the most steps that [Graph.Path] looks for.
const MaxPath = 6

// Path is the shortest way between two entities over what holds on a day; nil where none has MaxPath steps or fewer.
func (g *Graph) Path(from, to Found, day vault.Day) []Triple {
	if from.Entity == nil || to.Entity == nil {
		return nil
	}
	came := map[*Entity]*Triple{from.Entity: nil} // by which an entity was reached
	edge := []*Entity{from.Entity}
	for range MaxPath {
		var next []*Entity
		for _, at := range edge {
			for _, t := range g.held.get(at) {
				if !t.On(day) {
					continue
				}
				other := t.other(at)
				if other != to.Entity && len(g.held.get(other)) == 1 { // no way goes on from there
					continue
				}
				if _, before := came[other]; !before {
					came[other] = t
					next = append(next, other)
				}
			}
		}
		if came[to.Entity] != nil {
			break
		}
		edge = next
	}
	if came[to.Entity] == nil {
		return nil
	}
	var way []Triple
	for at := to.Entity; at != from.Entity; {
		t := came[at]
		way = append(way, *t)
		at = t.other(at)
	}
	slices.Reverse(way)
	return way
}

// other is the other side of a triple.
func (t *Triple) other(e *Entity) *Entity {
	if t.subject == e {
		return t.object
	}
	return t.subject
}

// Replaced are the triples whose place a triple took.
func (g *Graph) Replaced(t *Triple) []Triple { return pick(g.replaced.get(t.ID)) }

// Spelling is the [Near] of slips of the pen.
var Spelling = Near{"spelling", func(name string, among []string) []string {
	if n := nearest.Name(name, among); n != "" {
		return []string{n}
	}
	return nil
}}

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
	default:
		b.WriteString(" (undated)")
	}
	if len(t.Against) > 0 {
		b.WriteString(", contradicted")
	}
	return b.String()
}
