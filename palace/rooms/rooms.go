package rooms

import (
	"cmp"
	"slices"
	"strings"
)

// A Place is where drawers lie, and how many.
type Place struct {
	Wing, Room, Hall string // "" for those that lie in none
	Guessed          bool   // rules chose wing and room, nobody named them
	Drawers          int
}

// Count is how many drawers lie under a name.
type Count struct {
	Name    string
	Drawers int
}

// A Wing is a wing with its rooms.
type Wing struct {
	Count
	Rooms []Count
}

// Wings counts the drawers of each wing, those with most of them first.
func Wings(places []Place) []Count {
	return count(places, func(p Place) (string, bool) { return p.Wing, true })
}

// Rooms counts the drawers of each room, those with most of them first, of one wing where one is named.
func Rooms(places []Place, wing string) []Count {
	return count(places, func(p Place) (string, bool) { return p.Room, wing == "" || p.Wing == wing })
}

// Halls counts the drawers of each hall, those with most of them first.
func Halls(places []Place) []Count {
	return count(places, func(p Place) (string, bool) { return p.Hall, true })
}

// Taxonomy lists the wings with their rooms, those with most drawers first.
func Taxonomy(places []Place) []Wing {
	by := map[string][]Place{}
	for _, p := range places {
		by[p.Wing] = append(by[p.Wing], p)
	}
	var out []Wing
	for _, c := range Wings(places) {
		out = append(out, Wing{Count: c, Rooms: Rooms(by[c.Name], "")})
	}
	return out
}

// count adds up the drawers under the names that name gives.
func count(places []Place, name func(Place) (string, bool)) []Count {
	drawers := map[string]int{}
	for _, p := range places {
		if n, ok := name(p); ok {
			drawers[n] += p.Drawers
		}
	}
	out := make([]Count, 0, len(drawers))
	for n, d := range drawers {
		out = append(out, Count{n, d})
	}
	slices.SortFunc(out, func(a, b Count) int {
		return cmp.Or(cmp.Compare(b.Drawers, a.Drawers), strings.Compare(a.Name, b.Name))
	})
	return out
}
