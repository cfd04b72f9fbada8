package graph

import (
	"hash/maphash"
	"maps"
	"slices"
)

// shards is how many parts a table has: a change copies those that it touches.
const shards = 512

var seed = maphash.MakeSeed()

// A table is a map of which a fork is another one with the same content, made in no time. Whoever forks alone changes the fork, and only
// until others read it.
type table[K comparable, V any] struct {
	parts []map[K]V
	own   []bool // the parts that no other table has
}

func (t *table[K, V]) fork() table[K, V] {
	if t.parts == nil {
		return table[K, V]{make([]map[K]V, shards), make([]bool, shards)}
	}
	return table[K, V]{slices.Clone(t.parts), make([]bool, shards)}
}

func (t *table[K, V]) get(k K) (v V) {
	if t.parts != nil {
		v = t.parts[maphash.Comparable(seed, k)%shards][k]
	}
	return v
}

// part is where a key is, to be changed.
func (t *table[K, V]) part(k K) map[K]V {
	i := maphash.Comparable(seed, k) % shards
	if !t.own[i] {
		if t.own[i] = true; t.parts[i] == nil {
			t.parts[i] = map[K]V{}
		} else {
			t.parts[i] = maps.Clone(t.parts[i])
		}
	}
	return t.parts[i]
}

func (t *table[K, V]) set(k K, v V) { t.part(k)[k] = v }

func (t *table[K, V]) drop(k K) { delete(t.part(k), k) }

func (t *table[K, V]) each(yield func(K, V)) {
	for _, p := range t.parts {
		for k, v := range p {
			yield(k, v)
		}
	}
}

// lists are changes of the lists of a table, gathered so that each list is made once: what goes out of it, and what comes in.
type lists[K comparable, V comparable] map[K]*[2][]V

func (l lists[K, V]) of(k K) *[2][]V {
	if l[k] == nil {
		l[k] = new([2][]V)
	}
	return l[k]
}

// into changes the lists of a table, which have an order.
func (l lists[K, V]) into(t *table[K, []V], order func(a, b V) int) {
	for k, c := range l {
		if list := spliced(t.get(k), c[0], c[1], order); len(list) > 0 {
			t.set(k, list)
		} else {
			t.drop(k)
		}
	}
}

// spliced is a sorted list without some that are in it and with others; the list stays as it is.
func spliced[V comparable](list, gone, more []V, order func(a, b V) int) []V {
	slices.SortFunc(gone, order)
	slices.SortFunc(more, order)
	out := make([]V, 0, len(list)-len(gone)+len(more))
	for len(gone)+len(more) > 0 {
		if len(more) == 0 || len(gone) > 0 && order(gone[0], more[0]) <= 0 {
			i, _ := slices.BinarySearchFunc(list, gone[0], order)
			out, list, gone = append(out, list[:i]...), list[i+1:], gone[1:]
		} else {
			i, _ := slices.BinarySearchFunc(list, more[0], order)
			out, list, more = append(append(out, list[:i]...), more[0]), list[i:], more[1:]
		}
	}
	return append(out, list...)
}
