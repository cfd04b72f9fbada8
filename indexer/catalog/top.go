package catalog

import "slices"

// A top keeps the first n items in the order of cmp.
type top[T any] struct {
	n     int
	cmp   func(a, b T) int
	items []T // once there are n, a heap with the last of them on top
}

func newTop[T any](n int, cmp func(a, b T) int) *top[T] { return &top[T]{n: n, cmp: cmp} }

// wants says whether an item would be kept.
func (t *top[T]) wants(x T) bool {
	return len(t.items) < t.n || t.n > 0 && t.cmp(x, t.items[0]) < 0
}

func (t *top[T]) offer(x T) {
	switch {
	case len(t.items) < t.n:
		if t.items = append(t.items, x); len(t.items) == t.n {
			for i := t.n/2 - 1; i >= 0; i-- {
				t.sink(i)
			}
		}
	case t.wants(x):
		t.items[0] = x
		t.sink(0)
	}
}

// sink moves item i down to where it belongs.
func (t *top[T]) sink(i int) {
	for {
		last := 2*i + 1
		if last >= len(t.items) {
			return
		}
		if next := last + 1; next < len(t.items) && t.cmp(t.items[next], t.items[last]) > 0 {
			last = next
		}
		if t.cmp(t.items[last], t.items[i]) <= 0 {
			return
		}
		t.items[i], t.items[last] = t.items[last], t.items[i]
		i = last
	}
}

// sorted gives the items in order and ends the use of t.
func (t *top[T]) sorted() []T {
	slices.SortFunc(t.items, t.cmp)
	return t.items
}
