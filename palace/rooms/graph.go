package rooms

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// The numbers of walks and lists.
const (
	MaxHops = 5  // of a walk
	Most    = 50 // rooms that a walk or a list of tunnels has at most
	Top     = 10 // tunnels in the figures of a graph
)

// Unnamed says whether a room's name says nothing: what lies there has nothing to do with what lies in a room of that name elsewhere.
func Unnamed(room string) bool { return room == "" || room == "general" }

// A Graph joins rooms by the wings that they share, and wings by the rooms that they share. Unnamed rooms are not in it, nor what lies in
// no wing or in one that rules chose: else most of the palace would be joined with most of it.
type Graph struct {
	rooms map[string]*Room
	wings map[string][]string // the rooms of each, sorted
}

// A Room is a room, of whatever wings it is in.
type Room struct {
	Name    string
	Wings   []string // sorted
	Halls   []string // sorted
	Drawers int
}

// NewGraph makes the graph of what lies where.
func NewGraph(places []Place) *Graph {
	g := &Graph{rooms: map[string]*Room{}, wings: map[string][]string{}}
	for _, p := range places {
		if Unnamed(p.Room) || p.Wing == "" || p.Guessed || p.Drawers == 0 {
			continue
		}
		r := g.rooms[p.Room]
		if r == nil {
			r = &Room{Name: p.Room}
			g.rooms[p.Room] = r
		}
		r.Drawers += p.Drawers
		r.Wings = append(r.Wings, p.Wing)
		if p.Hall != "" {
			r.Halls = append(r.Halls, p.Hall)
		}
	}
	for _, r := range g.rooms {
		r.Wings, r.Halls = distinct(r.Wings), distinct(r.Halls)
		for _, w := range r.Wings {
			g.wings[w] = append(g.wings[w], r.Name)
		}
	}
	for _, names := range g.wings {
		slices.Sort(names)
	}
	return g
}

func distinct(names []string) []string {
	slices.Sort(names)
	return slices.Compact(names)
}

// Names lists the rooms.
func (g *Graph) Names() []string { return slices.Sorted(maps.Keys(g.rooms)) }

// A Step is a room that a walk comes to.
type Step struct {
	Room
	Hop int
	Via []string // the wings through which it is reached, sorted; of the first room none
}

// Walk goes from a room to those that share a wing with it, from them on, and so forth, at most so many hops far. Walk lists the rooms in
// the order of hops, those with most drawers first, no more than [Most]. Where the graph does not have the room, there is none.
func (g *Graph) Walk(start string, hops int) []Step {
	first := g.rooms[start]
	if first == nil {
		return nil
	}
	seen, through := map[string]bool{start: true}, map[string]bool{}
	steps, at := []Step{{Room: *first}}, []string{start}
	for hop := 1; hop <= hops && len(at) > 0; hop++ {
		via := map[string][]string{}
		for _, w := range g.doors(at, through) {
			for _, name := range g.wings[w] {
				if !seen[name] {
					via[name] = append(via[name], w)
				}
			}
		}
		at = slices.Collect(maps.Keys(via))
		for _, name := range at {
			seen[name] = true
			steps = append(steps, Step{Room: *g.rooms[name], Hop: hop, Via: via[name]})
		}
	}
	slices.SortFunc(steps, func(a, b Step) int { return cmp.Or(cmp.Compare(a.Hop, b.Hop), fuller(&a.Room, &b.Room)) })
	return steps[:min(len(steps), Most)]
}

// doors are the wings of rooms that no earlier hop went through, sorted.
func (g *Graph) doors(at []string, through map[string]bool) (wings []string) {
	for _, name := range at {
		for _, w := range g.rooms[name].Wings {
			if !through[w] {
				through[w] = true
				wings = append(wings, w)
			}
		}
	}
	slices.Sort(wings)
	return wings
}

func fuller(a, b *Room) int {
	return cmp.Or(cmp.Compare(b.Drawers, a.Drawers), strings.Compare(a.Name, b.Name))
}

// Tunnels lists the rooms of several wings, those with most drawers first, no more than [Most]. Of the wings that are named each room has
// all; "" names none.
func (g *Graph) Tunnels(a, b string) []Room {
	out := g.tunnels(func(r *Room) bool {
		return (a == "" || slices.Contains(r.Wings, a)) && (b == "" || slices.Contains(r.Wings, b))
	})
	slices.SortFunc(out, func(a, b Room) int { return fuller(&a, &b) })
	return out[:min(len(out), Most)]
}

func (g *Graph) tunnels(allow func(*Room) bool) (out []Room) {
	for _, r := range g.rooms {
		if len(r.Wings) > 1 && allow(r) {
			out = append(out, *r)
		}
	}
	return out
}

// Stats are the figures of a graph.
type Stats struct {
	Rooms        int
	Tunnels      int
	Edges        int // pairs of wings that share a room, for each room
	RoomsPerWing map[string]int
	Top          []Room // the tunnels of most wings
}

// Stats sums the graph up.
func (g *Graph) Stats() Stats {
	s := Stats{Rooms: len(g.rooms), RoomsPerWing: map[string]int{}}
	for w, names := range g.wings {
		s.RoomsPerWing[w] = len(names)
	}
	s.Top = g.tunnels(func(*Room) bool { return true })
	s.Tunnels = len(s.Top)
	for _, r := range s.Top {
		s.Edges += len(r.Wings) * (len(r.Wings) - 1) / 2
	}
	slices.SortFunc(s.Top, func(a, b Room) int { return cmp.Or(cmp.Compare(len(b.Wings), len(a.Wings)), fuller(&a, &b)) })
	s.Top = s.Top[:min(len(s.Top), Top)]
	return s
}
