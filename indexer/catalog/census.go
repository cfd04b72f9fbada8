package catalog

import (
	"cmp"
	"slices"
	"strings"
)

// A Place is where drawers lie, and how many.
type Place struct {
	Wing, Room, Hall string
	Ruled            bool // rules chose the wing
	Drawers          int
}

// Places counts the drawers that the filter lets through where they lie, by wing, room and hall.
func (r *Reader) Places(f Filter) []Place {
	r.g.mu.RLock()
	defer r.g.mu.RUnlock()
	c := r.g.cols
	f.Source = []SourceType{DrawerText}
	t := c.compile(f)
	if t.nothing {
		return nil
	}
	count := map[[3]int32]int{}
	seen := numbers{}
	c.each(func(_ Key, ch *chunk, i int) bool {
		if t.match(c, ch, i) && seen.add(ch.name[kindDrawer][i]) {
			count[[3]int32{ch.name[kindWing][i], ch.name[kindRoom][i], ch.name[kindHall][i]}]++
		}
		return true
	})
	out := make([]Place, 0, len(count))
	for at, n := range count {
		out = append(out, Place{Wing: c.names[kindWing].name[at[0]], Room: c.names[kindRoom].name[at[1]], Hall: c.names[kindHall].name[at[2]], Drawers: n})
	}
	slices.SortFunc(out, func(a, b Place) int {
		return cmp.Or(strings.Compare(a.Wing, b.Wing), strings.Compare(a.Room, b.Room), strings.Compare(a.Hall, b.Hall))
	})
	return out
}

// numbers is a set of numbers of names, as bits.
type numbers []uint64

// add tells whether the number was not there.
func (s *numbers) add(n int32) bool {
	word := int(n >> 6)
	if word >= len(*s) {
		*s = append(*s, make([]uint64, word+1-len(*s))...)
	}
	bit := uint64(1) << (n & 63)
	fresh := (*s)[word]&bit == 0
	(*s)[word] |= bit
	return fresh
}
