package catalog

import (
	"container/heap"
	"slices"
)

// A top keeps the first n items in the order of cmp.
type top[T any] struct {
	n     int
	cmp   func(a, b T) int
	items []T // the last of them on top
}

func newTop[T any](n int, cmp func(a, b T) int) *top[T] { return &top[T]{n: n, cmp: cmp} }

func (t *top[T]) Len() int           { return len(t.items) }
func (t *top[T]) Less(i, j int) bool { return t.cmp(t.items[i], t.items[j]) > 0 }
func (t *top[T]) Swap(i, j int)      { t.items[i], t.items[j] = t.items[j], t.items[i] }
func (t *top[T]) Push(x any)         { t.items = append(t.items, x.(T)) }
func (t *top[T]) Pop() any {
	last := t.items[len(t.items)-1]
	t.items = t.items[:len(t.items)-1]
	return last
}

// wants says whether an item would be kept.
func (t *top[T]) wants(x T) bool {
	return len(t.items) < t.n || t.n > 0 && t.cmp(x, t.items[0]) < 0
}

func (t *top[T]) offer(x T) {
	switch {
	case len(t.items) < t.n:
		t.items = append(t.items, x)
		if len(t.items) == t.n {
			heap.Init(t)
		}
	case t.wants(x):
		t.items[0] = x
		heap.Fix(t, 0)
	}
}

// sorted gives the items in order and ends the use of t.
func (t *top[T]) sorted() []T {
	slices.SortFunc(t.items, t.cmp)
	return t.items
}
