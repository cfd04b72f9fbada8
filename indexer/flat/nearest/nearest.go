// Package nearest has the two inner parts of exact vector search: the dot product and the bounded
// list of the best so far.
package nearest

import (
	"slices"

	"github.com/reverie-memory/reverie/indexer/vector"
)

// Dot is the inner product of two vectors of one length. Eight independent sums keep the processor
// busy: one sum would wait for each addition to finish. The order of additions is fixed, so equal
// vectors give equal products, on processors with vector instructions as well.
func Dot(a, b []float32) float32 {
	b = b[:len(a)] // lets the compiler drop the bounds checks below
	n := len(a) &^ 7
	s := sums(a[:n], b[:n])
	for i := n; i < len(a); i++ {
		s[0] += a[i] * b[i]
	}
	return ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]))
}

// plain is sums without vector instructions.
func plain(a, b []float32) [8]float32 {
	b = b[:len(a)]
	var s0, s1, s2, s3, s4, s5, s6, s7 float32
	for i := 0; i+8 <= len(a); i += 8 {
		x, y := a[i:i+8:i+8], b[i:i+8:i+8]
		s0 += x[0] * y[0]
		s1 += x[1] * y[1]
		s2 += x[2] * y[2]
		s3 += x[3] * y[3]
		s4 += x[4] * y[4]
		s5 += x[5] * y[5]
		s6 += x[6] * y[6]
		s7 += x[7] * y[7]
	}
	return [8]float32{s0, s1, s2, s3, s4, s5, s6, s7}
}

// Best keeps the k best matches. The worst of them is at the root of a heap, so that a candidate
// that cannot enter costs one comparison.
type Best struct {
	k    int
	heap []vector.Match
}

// NewBest returns an empty list for up to k matches.
func NewBest(k int) *Best { return &Best{k: k, heap: make([]vector.Match, 0, min(k, 1024))} }

// Compare orders matches best first: by similarity, ties by lower key.
func Compare(a, b vector.Match) int {
	switch {
	case a.Similarity > b.Similarity:
		return -1
	case a.Similarity < b.Similarity:
		return 1
	case a.Key < b.Key:
		return -1
	case a.Key > b.Key:
		return 1
	}
	return 0
}

// Takes reports whether the match would enter the list.
func (b *Best) Takes(m vector.Match) bool {
	return len(b.heap) < b.k || b.k > 0 && Compare(m, b.heap[0]) < 0
}

// Add puts the match in, and the worst out when the list is full.
func (b *Best) Add(m vector.Match) {
	if !b.Takes(m) {
		return
	}
	if len(b.heap) < b.k {
		b.heap = append(b.heap, m)
		b.up(len(b.heap) - 1)
		return
	}
	b.heap[0] = m
	b.down(0)
}

func (b *Best) up(i int) {
	for i > 0 {
		p := (i - 1) / 2
		if Compare(b.heap[i], b.heap[p]) <= 0 {
			return
		}
		b.heap[i], b.heap[p] = b.heap[p], b.heap[i]
		i = p
	}
}

func (b *Best) down(i int) {
	for {
		c := 2*i + 1
		if c >= len(b.heap) {
			return
		}
		if c+1 < len(b.heap) && Compare(b.heap[c+1], b.heap[c]) > 0 {
			c++
		}
		if Compare(b.heap[c], b.heap[i]) <= 0 {
			return
		}
		b.heap[i], b.heap[c] = b.heap[c], b.heap[i]
		i = c
	}
}

// Merge adds everything that another list holds.
func (b *Best) Merge(o *Best) {
	for _, m := range o.heap {
		b.Add(m)
	}
}

// Sorted returns the matches, best first. The list is spent.
func (b *Best) Sorted() []vector.Match {
	slices.SortFunc(b.heap, Compare)
	return b.heap
}
