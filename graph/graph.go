package graph

import (
	"cmp"
	"slices"

	"github.com/reverie-memory/reverie/vault"
)

// A Triple is something that holds from a day until a day, in the words in which it was first said.
type Triple struct {
	Subject, Predicate, Object string

	ValidFrom  vault.Day // first day, "" when unknown
	ValidTo    vault.Day // first day on which it no longer holds, "" while it does
	Confidence float64   // above 0 to 1
	Source     string    // id of the row or fact it rests on, "" when nobody said
}

// ID names the triple. ID stays the same when the triple ends.
func (t Triple) ID() string {
	return hashID("g", EntityID(t.Subject), predicateKey(t.Predicate), EntityID(t.Object), string(t.ValidFrom))
}

// Current says whether nobody has said that it ended.
func (t Triple) Current() bool { return t.ValidTo == "" }

// On says whether it held on that day. An unknown beginning counts as long ago.
func (t Triple) On(day vault.Day) bool {
	return t.ValidFrom <= day && (t.ValidTo == "" || day < t.ValidTo)
}

// A key is what two assertions of the same thing share.
type key struct{ subject, predicate, object string }

func keyOf(subject, predicate, object string) key {
	return key{EntityID(subject), predicateKey(predicate), EntityID(object)}
}

// Project turns events, in the order of the journal, into triples, in the order in which they were first said.
//
// Saying again what holds adds nothing but what was not known: an earlier first day, an end, a higher confidence, a source.
// Saying it after it ended begins a new triple. An invalidate ends every open triple that it names and deletes nothing; one
// that ended before it began leaves a triple that never held. Events that are not valid are left out.
func Project(events []Event) []Triple {
	var triples []Triple
	open := map[key]int{}   // index of the triple that holds
	ended := map[key]bool{} // has held and ended
	for _, e := range events {
		if e.Validate() != nil {
			continue
		}
		k := keyOf(e.Subject, e.Predicate, e.Object)
		if e.Kind == Invalidate {
			for other, i := range open {
				if other == k || (e.Object == "" && other.subject == k.subject && other.predicate == k.predicate) {
					end(&triples[i], e)
					delete(open, other)
					ended[other] = true
				}
			}
			continue
		}
		t := Triple{
			Subject: e.Subject, Predicate: e.Predicate, Object: e.Object, ValidFrom: e.ValidFrom,
			ValidTo: e.ValidTo, Confidence: e.Confidence, Source: e.Source,
		}
		if t.Confidence == 0 {
			t.Confidence = 1
		}
		i, holds := open[k]
		switch {
		case holds && (t.ValidTo == "" || t.ValidTo > triples[i].ValidFrom):
			again(&triples[i], t)
		case !holds && ended[k] && t.ValidFrom == "" && t.ValidTo == "" && !e.At.IsZero():
			t.ValidFrom = vault.DayOf(e.At) // it holds again; since when at the latest is known
			fallthrough
		default:
			triples = append(triples, t)
			if t.Current() {
				open[k] = len(triples) - 1
			}
			ended[k] = ended[k] || !t.Current()
			continue
		}
		if !triples[i].Current() {
			delete(open, k)
			ended[k] = true
		}
	}
	return triples
}

// again adds to t what a repetition knows.
func again(t *Triple, said Triple) {
	if said.ValidFrom != "" && (t.ValidFrom == "" || said.ValidFrom < t.ValidFrom) {
		t.ValidFrom = said.ValidFrom
	}
	t.ValidTo = said.ValidTo
	t.Confidence = max(t.Confidence, said.Confidence)
	if t.Source == "" {
		t.Source = said.Source
	}
}

func end(t *Triple, e Event) {
	t.ValidTo = e.ValidTo
	if t.ValidTo == "" {
		t.ValidTo = vault.DayOf(e.At)
	}
	t.ValidTo = max(t.ValidTo, t.ValidFrom)
}

// AsOf gives the triples that held on that day, in their order.
func AsOf(triples []Triple, day vault.Day) []Triple {
	return filter(triples, func(t Triple) bool { return t.On(day) })
}

// A Direction says on which side of a triple an entity stands.
type Direction int

// The directions.
const (
	Both     Direction = iota
	Outgoing           // it is the subject
	Incoming           // it is the object
)

// Of gives the triples about an entity, by any spelling of its name that folds to the same.
func Of(triples []Triple, name string, dir Direction) []Triple {
	id := EntityID(name)
	return filter(triples, func(t Triple) bool {
		return (dir != Incoming && EntityID(t.Subject) == id) || (dir != Outgoing && EntityID(t.Object) == id)
	})
}

// Timeline gives an entity's triples by their first day, unknown days first; an empty name means all entities.
func Timeline(triples []Triple, name string) []Triple {
	out := slices.Clone(triples)
	if name != "" {
		out = Of(triples, name, Both)
	}
	slices.SortStableFunc(out, func(a, b Triple) int { return cmp.Compare(a.ValidFrom, b.ValidFrom) })
	return out
}

// Stats counts a graph.
type Stats struct {
	Entities   int            `json:"entities"`
	Triples    int            `json:"triples"`
	Current    int            `json:"current"`
	Ended      int            `json:"ended"`
	Predicates map[string]int `json:"predicates"` // triples by predicate, in its normal form
}

// Count gives the Stats of triples.
func Count(triples []Triple) Stats {
	s := Stats{Triples: len(triples), Predicates: map[string]int{}}
	entities := map[string]bool{}
	for _, t := range triples {
		entities[EntityID(t.Subject)], entities[EntityID(t.Object)] = true, true
		s.Predicates[predicateKey(t.Predicate)]++
		if t.Current() {
			s.Current++
		}
	}
	s.Entities, s.Ended = len(entities), s.Triples-s.Current
	return s
}

func filter(triples []Triple, keep func(Triple) bool) []Triple {
	out := []Triple{}
	for _, t := range triples {
		if keep(t) {
			out = append(out, t)
		}
	}
	return out
}
