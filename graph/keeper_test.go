package graph

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	diff "github.com/google/go-cmp/cmp"

	"github.com/reverie-memory/reverie/vault"
)

// dump is all that a graph answers.
func dump(t *testing.T, g *Graph) string {
	t.Helper()
	var b strings.Builder
	write := func(what string, v any) {
		line, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%s %s\n", what, line)
	}
	for _, tr := range g.Triples() {
		write("triple", tr)
		write("took the place of", g.Replaced(&tr))
		write("rests on", g.Rests(tr.ID))
	}
	write("timeline", g.Timeline(Found{}, 0))
	write("counts", g.Stats("2026-01-04"))
	names := append([]string{}, g.spellings...)
	write("names", names)
	var entities []*Entity
	g.index.each(func(_ nameKey, e *Entity) { entities = append(entities, e) })
	slices.SortFunc(entities, byKey)
	for _, e := range entities {
		write("entity", e)
		write("words", [][]string{e.own, e.words, e.stems})
		write("of", g.Of(Found{Entity: e}, Query{}))
		names = append(names, e.Name)
	}
	for _, name := range append(names, "the choir", "x", "Bo's backend") {
		f := g.Lookup(name, Spelling)
		write(name, []any{f.Entity, f.Candidates, f.Guess})
		write("ends", g.Ends(Event{Kind: Invalidate, Subject: "Kim", Object: name, ValidTo: "2026-01-02"}))
	}
	for _, q := range []string{"What did we use before X?", "Where does Anna live?", "What is used for the choir of Bo?"} {
		found := g.Ask(q, at("2026-02-01"), "Kim")
		slices.SortFunc(found, func(a, b Triple) int { return cmp.Compare(a.ID, b.ID) })
		write(q, found)
	}
	return b.String()
}

// anything is an event of few names, most of which may mean another.
func anything(r *rand.Rand) *Event {
	pick := func(from ...string) string { return from[r.IntN(len(from))] }
	name := func() string {
		return pick("Kim", "kim", "Bo", "Anna", "Anna (accounting)", "Anna (Kim's sister)", "Anna Berg", "backend", "Bo's backend",
			"Kim's backend", "X", "x y", "Y", "the choir", "choir of Bo", "Kim Holm", "Tibbles", "y z x")
	}
	e := &Event{
		Kind:    pick(Assert, Assert, Assert, Assert, Invalidate, Invalidate, Replace, Alias),
		At:      at("2026-01-01").Add(time.Duration(r.IntN(40)) * 7 * time.Hour),
		Subject: name(), Object: name(),
		Predicate: pick("lives in", "married to", "uses", "p", "treasurer of", "owns", "has pet", "is a", "member of", "hosted on"),
		Speaker:   pick("", "Kim", "Bo"), Also: r.IntN(9) == 0,
		Origin: vault.Origin(pick("", "user", "agent")), Reader: pick("", "", "", "model/1"),
	}
	if r.IntN(3) == 0 {
		e.Confidence = 0.8
	}
	switch e.Kind {
	case Invalidate:
		switch r.IntN(6) {
		case 0:
			e.Object = ""
		case 1:
			e.Subject = ""
		case 2:
			e.Predicate = ""
		}
	case Replace:
		e.Was = name()
		if r.IntN(3) == 0 {
			e.Subject = ""
		}
		if r.IntN(2) == 0 {
			e.Predicate = ""
		}
	}
	if r.IntN(5) == 0 {
		e.At = time.Time{}
	}
	day := func() vault.Day { return vault.DayOf(at("2026-01-01").AddDate(0, 0, r.IntN(30)-10)) }
	if r.IntN(2) == 0 {
		e.ValidFrom = day()
	}
	if r.IntN(4) == 0 {
		e.ValidTo = day()
	}
	return e
}

// lived has a Keeper hear some sources, each of which changes again and again, and compares it with a Keeper that hears the end alone.
func lived(t *testing.T, seed uint64, steps int) {
	r := rand.New(rand.NewPCG(seed, 11))
	said := map[string][]*Event{}
	k := NewKeeper([]string{"p"})
	for step := range steps {
		source := fmt.Sprint("log", r.IntN(4))
		list := slices.Clone(said[source])
		switch r.IntN(5) {
		case 0:
			if len(list) > 0 {
				at := r.IntN(len(list))
				list = slices.Delete(list, at, at+1)
			}
		case 1:
			if len(list) > 0 {
				list[r.IntN(len(list))] = anything(r)
			}
		default:
			list = slices.Insert(list, r.IntN(len(list)+1), anything(r))
		}
		said[source] = list
		if k.Say(source, list); r.IntN(3) == 0 {
			continue
		}
		fresh := NewKeeper([]string{"p"})
		for source, list := range said {
			fresh.Say(source, list)
		}
		if d := diff.Diff(dump(t, fresh.Graph()), dump(t, k.Graph())); d != "" {
			t.Fatalf("seed %d, step %d: %s", seed, step, d)
		}
	}
}

// Whatever is said, changed and taken back, the graph is the one that is made of what is left.
func TestAKeeperIsAsItWereNew(t *testing.T) {
	for seed := range uint64(50) {
		lived(t, seed, 40)
	}
}

// Nothing of what was taken back stays with the Keeper, not even a name.
func TestAKeeperKeepsNothingOfWhatIsTakenBack(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	k := NewKeeper(nil)
	var events []*Event
	for range 200 {
		events = append(events, anything(r))
	}
	for _, said := range [][]*Event{events, events[100:], nil} {
		k.Say("a", said)
		k.Graph()
	}
	for what, n := range map[string]int{
		"sources": len(k.sources), "gone": len(k.gone), "fresh": len(k.fresh), "meanings": len(k.meanings), "bases": len(k.bases),
		"things": len(k.things), "aliases": len(k.aliases), "groups": len(k.groups), "predicates": len(k.predicates), "speakers": len(k.speakers),
		"triples": len(k.graph.order), "spellings": len(k.graph.spellings),
	} {
		if n > 0 {
			t.Errorf("%d %s are left", n, what)
		}
	}
}

func FuzzKeeper(f *testing.F) {
	f.Add(uint64(7), uint(20))
	f.Fuzz(func(t *testing.T, seed uint64, steps uint) { lived(t, seed, int(steps%80)) })
}

// Who has a graph reads it while the next ones are made, and it stays as it is.
func TestAGraphStaysAsItIs(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	var events []*Event
	for range 60 {
		events = append(events, anything(r))
	}
	k := NewKeeper(nil)
	k.Say("a", events)
	g := k.Graph()
	want, again := dump(t, g), make(chan string)
	go func() { again <- dump(t, g) }()
	for i := range 40 {
		k.Say("a", events[i:])
		k.Say("b", []*Event{anything(r)})
		k.Graph()
	}
	if d := diff.Diff(want, <-again) + diff.Diff(want, dump(t, g)); d != "" {
		t.Error(d)
	}
}
