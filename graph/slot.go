package graph

import (
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/vault"
)

// A slotKey is where one triple holds at a time: an entity on one side of a predicate.
type slotKey struct {
	entity    *Entity
	predicate string
	object    bool // which side
}

// slotsOf are those that a triple has its turn in.
func (f *folder) slotsOf(t *Triple) (keys []slotKey) {
	p := traits(t.Predicate)
	if p.functional || f.functional[t.Predicate] {
		keys = append(keys, slotKey{t.subject, t.Predicate, false})
		if p.both && t.subject != t.object {
			keys = append(keys, slotKey{t.object, t.Predicate, false})
		}
	}
	if p.sole {
		keys = append(keys, slotKey{t.object, t.Predicate, true})
	}
	return keys
}

// begin is the day on which it began as far as was told.
func (t *Triple) begin() vault.Day {
	if t.ValidFrom != "" {
		return t.ValidFrom
	}
	return t.Said
}

// same says whether two triples of a slot have the same value.
func (t *Triple) same(u *Triple) bool { return t.subject == u.subject && t.object == u.object }

// enter gives a triple its turn: it ends whose turn was before on the day of its own, and ends with the next. Who is told later to have
// begun before somebody of whom only the day of the telling is known comes after that one all the same.
func (f *folder) enter(t *Triple) {
	if t.also {
		return
	}
	keys := f.slotsOf(t)
	if t.turn = t.begin(); t.turn == "" {
		for _, k := range keys {
			f.undated[k] = append(f.undated[k], t)
		}
		return
	}
	for _, k := range keys {
		if n := f.upTo(k, t.Said); n > 0 && t.ValidFrom != "" {
			if last := f.slots[k][n-1]; last.ValidFrom == "" && last.turn > t.turn && !last.same(t) {
				t.turn = t.Said
			}
		}
	}
	for _, k := range keys {
		at := f.upTo(k, t.turn)
		for at > 0 && f.slots[k][at-1].turn == t.turn && f.slots[k][at-1].outweighs(t.Reader, t.Confidence) {
			at-- // of one day the surer one stays
		}
		f.slots[k] = slices.Insert(f.slots[k], at, t)
		f.settleBefore(k, at)
	}
	t.placed = len(keys) > 0
	f.settle(t)
}

// hasAnother says whether something could stand beside a value of a predicate: a first value stands beside nothing.
func (f *folder) hasAnother(s *Entity, predicate string) bool {
	turns := f.slots[slotKey{s, predicate, false}]
	return !traits(predicate).functional || len(turns) > 0 && turns[len(turns)-1].ValidTo == ""
}

// oppose has triples that nobody knows when they began, and the others of a slot that hold as well, know that they say otherwise than each
// other: which of them is so now nobody knows.
func (f *folder) oppose() {
	for k, list := range f.undated {
		open := slices.DeleteFunc(slices.Clone(list), func(t *Triple) bool { return t.turn != "" || t.ValidTo != "" })
		var dated []*Triple
		for n := len(f.slots[k]) - 1; n >= 0 && f.slots[k][n].ValidTo == ""; n-- {
			dated = append(dated, f.slots[k][n])
		}
		for _, list := range [][]*Triple{open, dated} {
			slices.SortFunc(list, func(a, b *Triple) int { return strings.Compare(a.ID, b.ID) })
		}
		for _, t := range open {
			t.against(open)
			t.against(dated)
		}
		for _, t := range dated {
			t.against(open)
		}
	}
}

// opposedMost is how many triples one is known to say otherwise than: those with the lowest ids, so that no order matters.
const opposedMost = 16

// against notes that a triple says otherwise than others, which stand in the order of their ids; among them it may be itself.
func (t *Triple) against(others []*Triple) {
	for _, u := range others[:min(len(others), opposedMost+1)] {
		if at, known := slices.BinarySearch(t.Against, u.ID); !known && t != u {
			t.Against = slices.Insert(t.Against, at, u.ID)
		}
	}
	t.Against = t.Against[:min(len(t.Against), opposedMost)]
}

// leave takes a triple out of its turns.
func (f *folder) leave(t *Triple) {
	if !t.placed {
		return
	}
	t.placed = false
	for _, k := range f.slotsOf(t) {
		at := f.place(k, t)
		f.slots[k] = slices.Delete(f.slots[k], at, at+1)
		f.settleBefore(k, at)
	}
}

// move gives a triple another turn, after it was learnt when it began, or that nothing stands beside it.
func (f *folder) move(t *Triple, also bool) {
	turns := t.placed || t.turn == "" || t.also && !also
	f.leave(t)
	if t.also = also; turns {
		f.enter(t)
	}
}

// upTo is how many of a slot have their turn by a day.
func (f *folder) upTo(k slotKey, day vault.Day) int {
	n, _ := slices.BinarySearchFunc(f.slots[k], day, func(t *Triple, day vault.Day) int {
		if t.turn <= day {
			return -1
		}
		return 1
	})
	return n
}

// place is where a triple stands in a slot.
func (f *folder) place(k slotKey, t *Triple) int {
	at := f.upTo(k, t.turn) - 1
	for f.slots[k][at] != t {
		at--
	}
	return at
}

// settleBefore settles those of a slot who end with the one at a place.
func (f *folder) settleBefore(k slotKey, at int) {
	s := f.slots[k]
	for n := at - 1; n >= 0; n-- {
		f.settle(s[n])
		if n > 0 && !s[n].same(s[n-1]) {
			return
		}
	}
}

// settle computes when a triple ends, and in favour of which: what was told of it, and whose turn comes next.
func (f *folder) settle(t *Triple) {
	t.ValidTo, t.EndedBy, t.by = t.end, t.ender, t.endedFor
	if !t.placed || t.end != "" && !t.latest {
		return
	}
	for _, k := range f.slotsOf(t) {
		s := f.slots[k]
		for n := f.place(k, t) + 1; n < len(s); n++ {
			if next := s[n]; !next.same(t) {
				if t.ValidTo == "" || next.turn <= t.ValidTo {
					t.ValidTo, t.EndedBy, t.by = next.turn, next.Origin, next
				}
				break
			}
		}
	}
}
