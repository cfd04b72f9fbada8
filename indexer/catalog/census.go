package catalog

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/internal/slice"
)

// A Place is where drawers lie, and how many.
type Place struct {
	Wing, Room, Hall string
	Guessed          bool // rules chose wing and room
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
	type place struct {
		wing, room, hall int32
		guessed          bool
	}
	count := map[place]int{}
	seen := numbers{}
	c.each(func(_ Key, ch *chunk, i int) bool {
		if t.match(c, ch, i) && seen.add(ch.name[kindDrawer][i]) {
			count[place{ch.name[kindWing][i], ch.name[kindRoom][i], ch.name[kindHall][i], ch.flag[i]&flagGuessed != 0}]++
		}
		return true
	})
	out := make([]Place, 0, len(count))
	for at, n := range count {
		out = append(out, Place{
			Wing: c.names[kindWing].name[at.wing], Room: c.names[kindRoom].name[at.room], Hall: c.names[kindHall].name[at.hall],
			Guessed: at.guessed, Drawers: n,
		})
	}
	slices.SortFunc(out, func(a, b Place) int {
		return cmp.Or(strings.Compare(a.Wing, b.Wing), strings.Compare(a.Room, b.Room), strings.Compare(a.Hall, b.Hall))
	})
	return out
}

// Counts tells how many rows each source type has, and how many drawers, wings and rooms there are.
func (r *Reader) Counts(context.Context) (bySource map[SourceType]int, drawers, wings, rooms int) {
	r.g.mu.RLock()
	defer r.g.mu.RUnlock()
	c := r.g.cols
	source := map[int32]int{}
	seen := [3]numbers{}
	count := [3]int{}
	see := func(of int, n int32) {
		if n != 0 && seen[of].add(n) {
			count[of]++
		}
	}
	drawerText := c.names[kindSource].id[string(DrawerText)]
	c.each(func(_ Key, ch *chunk, i int) bool {
		source[ch.name[kindSource][i]]++
		if ch.name[kindSource][i] == drawerText {
			see(0, ch.name[kindDrawer][i])
		}
		see(1, ch.name[kindWing][i])
		see(2, ch.name[kindRoom][i])
		return true
	})
	bySource = map[SourceType]int{}
	for id, n := range source {
		bySource[SourceType(c.names[kindSource].name[id])] = n
	}
	return bySource, count[0], count[1], count[2]
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

// A Mark is a drawer's place in the list of drawers, in every generation the same.
type Mark struct{ Unix, Tie int64 }

func (m Mark) compare(o Mark) int {
	return cmp.Or(cmp.Compare(o.Unix, m.Unix), cmp.Compare(m.Tie, o.Tie))
}

// Drawers lists at most n of the drawers that the filter lets through, by falling time: those behind a mark, or the first ones. next marks
// the last of them; it is nil where no other follows. What comes or goes meanwhile neither skips nor repeats another.
func (r *Reader) Drawers(ctx context.Context, f Filter, after *Mark, n int) (ids []string, next *Mark, err error) {
	found := r.drawers(f, after, n)
	if len(found) > n {
		found = found[:n]
		next = &found[n-1].Mark
	}
	numbers := slice.Map(found, func(d marked) int32 { return d.drawer })
	names, err := r.g.wideNames(ctx, kindDrawer, numbers)
	for _, n := range numbers {
		ids = append(ids, names[n])
	}
	return ids, next, err
}

type marked struct {
	Mark
	drawer int32
}

// drawers are those of a page, and one more.
func (r *Reader) drawers(f Filter, after *Mark, n int) []marked {
	r.g.mu.RLock()
	defer r.g.mu.RUnlock()
	c := r.g.cols
	f.Source = []SourceType{DrawerText}
	t := c.compile(f)
	if t.nothing {
		return nil
	}
	first := newTop(n+1, func(a, b marked) int { return a.compare(b.Mark) })
	c.eachDown(func(key Key, ch *chunk, i int) {
		m := marked{Mark{ch.unix[i], ch.tie[i]}, ch.name[kindDrawer][i]}
		if (after == nil || after.compare(m.Mark) < 0) && first.wants(m) && t.match(c, ch, i) && c.stands(key, ch, i) {
			first.offer(m)
		}
	})
	return first.sorted()
}

// stands says whether a row stands for its drawer, which may have several: the one whose tie is the least.
func (c *columns) stands(key Key, ch *chunk, i int) bool {
	for k := c.drawer[ch.name[kindDrawer][i]]; k != 0; {
		o, j, _ := c.at(Key(k))
		if o.name[kindSource][j] == ch.name[kindSource][i] && (o.tie[j] < ch.tie[i] || o.tie[j] == ch.tie[i] && Key(k) < key) {
			return false
		}
		k = o.next[j]
	}
	return true
}
