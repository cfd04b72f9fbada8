package rooms_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/reverie-memory/reverie/palace/rooms"
)

// palace has auth in three wings, cake in one of them, and much that says nothing.
var palace = []rooms.Place{
	{Wing: "work", Room: "auth", Hall: "facts", Drawers: 3},
	{Wing: "work", Room: "auth", Hall: "events", Drawers: 2},
	{Wing: "home", Room: "auth", Drawers: 1},
	{Wing: "club", Room: "auth", Drawers: 1},
	{Wing: "home", Room: "cake", Drawers: 9},
	{Wing: "garden", Room: "cake", Drawers: 1},
	{Wing: "garden", Room: "bees", Drawers: 4},
	{Wing: "far", Room: "moon", Drawers: 8},
	{Wing: "work", Room: "general", Drawers: 100},
	{Wing: "home", Room: "general", Drawers: 100},
	{Wing: "work", Room: "", Drawers: 50},
	{Wing: "far", Room: "", Drawers: 50},
	{Wing: "", Room: "bees", Drawers: 7},
	{Wing: "technical", Room: "moon", Guessed: true, Drawers: 70},
	{Wing: "technical", Room: "auth", Guessed: true, Drawers: 70},
}

func TestTaxonomy(t *testing.T) {
	all := rooms.Taxonomy(palace)
	drawers := 0
	for _, w := range all {
		sum := 0
		for _, r := range w.Rooms {
			sum += r.Drawers
		}
		if sum != w.Drawers {
			t.Errorf("wing %q has %d drawers, its rooms %d", w.Name, w.Drawers, sum)
		}
		drawers += w.Drawers
	}
	if drawers != 476 {
		t.Errorf("%d drawers", drawers)
	}
	want := rooms.Wing{
		Count: rooms.Count{Name: "home", Drawers: 110},
		Rooms: []rooms.Count{{Name: "general", Drawers: 100}, {Name: "cake", Drawers: 9}, {Name: "auth", Drawers: 1}},
	}
	if i := slices.IndexFunc(all, func(w rooms.Wing) bool { return w.Name == "home" }); !reflect.DeepEqual(all[i], want) {
		t.Errorf("%+v", all[i])
	}
	if got := rooms.Rooms(palace, "far"); !slices.Equal(got, []rooms.Count{{Name: "", Drawers: 50}, {Name: "moon", Drawers: 8}}) {
		t.Errorf("rooms of a wing: %v", got)
	}
	if got := rooms.Rooms(palace, "")[:2]; !slices.Equal(got, []rooms.Count{{Name: "general", Drawers: 200}, {Name: "", Drawers: 100}}) {
		t.Errorf("rooms of all wings: %v", got)
	}
}

func TestWalk(t *testing.T) {
	g := rooms.NewGraph(palace)
	said := func(steps []rooms.Step) (out []string) {
		for _, s := range steps {
			out = append(out, fmt.Sprintf("%d %s %v %v %d", s.Hop, s.Name, s.Via, s.Halls, s.Drawers))
		}
		return out
	}
	auth, cake, bees := "0 auth [] [events facts] 7", "1 cake [home] [] 10", "2 bees [garden] [] 4"
	for _, c := range []struct {
		start string
		hops  int
		want  []string
	}{
		{"auth", 0, []string{auth}},
		{"auth", 1, []string{auth, cake}},
		{"auth", 5, []string{auth, cake, bees}},
		{"moon", 5, []string{"0 moon [] [] 8"}}, // the wing that it shares with auth was chosen by rules
		{"general", 5, nil},
		{"", 5, nil},
		{"nowhere", 5, nil},
	} {
		if got := said(g.Walk(c.start, c.hops)); !slices.Equal(got, c.want) {
			t.Errorf("from %q, %d hops: %q", c.start, c.hops, got)
		}
	}
}

func TestTunnels(t *testing.T) {
	g := rooms.NewGraph(palace)
	for _, c := range []struct {
		a, b string
		want []string
	}{
		{"", "", []string{"cake", "auth"}},
		{"work", "", []string{"auth"}},
		{"", "garden", []string{"cake"}},
		{"home", "work", []string{"auth"}},
		{"work", "garden", nil},
		{"technical", "", nil},
	} {
		var got []string
		for _, r := range g.Tunnels(c.a, c.b) {
			got = append(got, r.Name)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("tunnels of %q and %q: %q", c.a, c.b, got)
		}
	}
	s := g.Stats()
	if s.Rooms != 4 || s.Tunnels != 2 || s.Edges != 3+1 || s.RoomsPerWing["home"] != 2 || s.RoomsPerWing["technical"] != 0 ||
		s.Top[0].Name != "auth" {
		t.Errorf("%+v", s)
	}
}

// A walk comes to each room by as few hops as there are, through wings that the room shares with one a hop before, and to no other; the
// order of the places makes no difference.
func TestWalkOfRandomPalaces(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 7))
		var places []rooms.Place
		for range rng.IntN(40) {
			places = append(places, rooms.Place{
				Wing: fmt.Sprint("w", rng.IntN(12)), Room: fmt.Sprint("r", rng.IntN(15)), Guessed: rng.IntN(8) == 0,
				Drawers: 1 + rng.IntN(9),
			})
		}
		steps := rooms.NewGraph(places).Walk("r0", rooms.MaxHops)
		want := hops(places, "r0")
		if len(steps) != len(want) {
			t.Fatalf("seed %d: %d rooms, want %d", seed, len(steps), len(want))
		}
		last := 0
		for _, s := range steps {
			if s.Hop != want[s.Name] || s.Hop < last || (s.Hop == 0) != (len(s.Via) == 0) {
				t.Fatalf("seed %d: %+v, want hop %d", seed, s, want[s.Name])
			}
			last = s.Hop
			for _, w := range s.Via {
				before := func(p rooms.Place) bool {
					return !p.Guessed && p.Wing == w && want[p.Room] == s.Hop-1 && reached(want, p.Room)
				}
				if !slices.Contains(s.Wings, w) || !slices.ContainsFunc(places, before) {
					t.Fatalf("seed %d: %s is not reached through %s", seed, s.Name, w)
				}
			}
		}
		rng.Shuffle(len(places), func(i, j int) { places[i], places[j] = places[j], places[i] })
		if again := rooms.NewGraph(places).Walk("r0", rooms.MaxHops); !reflect.DeepEqual(steps, again) {
			t.Fatalf("seed %d: %v, in another order %v", seed, steps, again)
		}
	}
}

func reached(hops map[string]int, room string) bool {
	_, ok := hops[room]
	return ok
}

// hops are the distances from a room, found by trying until nothing changes.
func hops(places []rooms.Place, start string) map[string]int {
	out := map[string]int{}
	for _, p := range places {
		if p.Room == start && !p.Guessed {
			out[start] = 0
		}
	}
	for changed := true; changed; {
		changed = false
		for _, a := range places {
			for _, b := range places {
				at, ok := out[a.Room]
				if a.Guessed || b.Guessed || a.Wing != b.Wing || !ok || at == rooms.MaxHops {
					continue
				}
				if was, ok := out[b.Room]; !ok || was > at+1 {
					out[b.Room], changed = at+1, true
				}
			}
		}
	}
	return out
}
