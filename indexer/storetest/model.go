package storetest

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/indexer/vector"
)

// Close is how right similarities are: it allows for rounding.
const Close = 1e-4

// A model is the naive engine that others are held against.
type model map[vector.Key][]float32

func (m model) put(recs []vector.Record) {
	for _, r := range recs {
		if _, have := m[r.Key]; !have {
			m[r.Key] = slices.Clone(r.Vector)
		}
	}
}

func (m model) delete(keys []vector.Key) {
	for _, k := range keys {
		delete(m, k)
	}
}

func (m model) live(fn func(vector.Record) bool) error {
	for _, k := range m.keys() {
		if !fn(vector.Record{Key: k, Vector: m[k]}) {
			return nil
		}
	}
	return nil
}

func (m model) keys() []vector.Key {
	keys := make([]vector.Key, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func (m model) search(q []float32, k int, allow func(vector.Key) bool) []vector.Match {
	var all []vector.Match
	for key, v := range m {
		if allow == nil || allow(key) {
			all = append(all, vector.Match{Key: key, Similarity: float32(dot(q, v))})
		}
	}
	slices.SortFunc(all, func(a, b vector.Match) int {
		return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), cmp.Compare(a.Key, b.Key))
	})
	return all[:min(max(k, 0), len(all))]
}

func dot(a, b []float32) float64 {
	var s float64
	for i := range a {
		s += float64(a[i]) * float64(b[i])
	}
	return s
}

// check compares the engine's whole content and some searches with the model.
func (m model) check(t *testing.T, e indexer.Engine, r *rand.Rand, dim int) {
	t.Helper()
	m.checkContent(t, e)
	for _, k := range []int{1, 7, len(m) + 3} {
		m.checkSearch(t, e, unit(r, dim), k, nil)
	}
	m.checkSearch(t, e, unit(r, dim), 5, func(k vector.Key) bool { return k%3 == 0 })
}

func (m model) checkContent(t *testing.T, e indexer.Engine) {
	t.Helper()
	ctx := context.Background()
	if n, err := e.Count(ctx); err != nil || n != len(m) {
		t.Fatalf("Count = %d, %v; want %d", n, err, len(m))
	}
	seen := map[vector.Key]bool{}
	err := e.Scan(ctx, func(r vector.Record) bool {
		want, have := m[r.Key]
		switch {
		case !have:
			t.Errorf("Scan gives key %d, which is not live", r.Key)
		case seen[r.Key]:
			t.Errorf("Scan gives key %d twice", r.Key)
		case !slices.Equal(want, r.Vector):
			t.Errorf("Scan gives another vector for key %d", r.Key)
		}
		seen[r.Key] = true
		return true
	})
	if err != nil {
		t.Fatalf("Scan: %v", err)
	}
	if len(seen) != len(m) {
		t.Fatalf("Scan gives %d records, want %d", len(seen), len(m))
	}
}

// checkSearch wants the nearest k. Where two similarities are closer than the tolerance, either order
// will do, so ranks are compared by similarity.
func (m model) checkSearch(t *testing.T, e indexer.Engine, q []float32, k int, allow func(vector.Key) bool) {
	t.Helper()
	got, err := e.Search(context.Background(), q, k, allow)
	if err != nil {
		t.Fatalf("Search: %v", err)
	}
	m.checkMatches(t, got, q, k, allow)
	if ks, ok := e.(indexer.KeySearcher); ok && allow != nil {
		keys := slices.DeleteFunc(append(m.keys(), 1<<40), func(key vector.Key) bool { return !allow(key) })
		if got, err = ks.SearchKeys(context.Background(), q, k, keys); err != nil {
			t.Fatalf("SearchKeys: %v", err)
		}
		m.checkMatches(t, got, q, k, allow)
	}
}

func (m model) checkMatches(t *testing.T, got []vector.Match, q []float32, k int, allow func(vector.Key) bool) {
	t.Helper()
	want := m.search(q, k, allow)
	if len(got) != len(want) {
		t.Fatalf("Search k=%d gives %d matches, want %d", k, len(got), len(want))
	}
	seen := map[vector.Key]bool{}
	for i, g := range got {
		v, live := m[g.Key]
		switch {
		case !live:
			t.Fatalf("match %d: key %d is not live", i, g.Key)
		case seen[g.Key]:
			t.Fatalf("match %d: key %d is there twice", i, g.Key)
		case allow != nil && !allow(g.Key):
			t.Fatalf("match %d: key %d is not allowed", i, g.Key)
		case math.Abs(float64(g.Similarity)-dot(q, v)) > Close:
			t.Fatalf("match %d: key %d has similarity %v, want %v", i, g.Key, g.Similarity, dot(q, v))
		case math.Abs(float64(g.Similarity-want[i].Similarity)) > Close:
			t.Fatalf("match %d: similarity %v, want %v", i, g.Similarity, want[i].Similarity)
		case i > 0 && got[i-1].Similarity < g.Similarity:
			t.Fatalf("match %d: %v comes after %v", i, g.Similarity, got[i-1].Similarity)
		}
		seen[g.Key] = true
	}
}

// unit gives a random unit vector.
func unit(r *rand.Rand, dim int) []float32 {
	v := make([]float32, dim)
	for i := range v {
		v[i] = float32(r.NormFloat64())
	}
	return normalise(v)
}

func normalise(v []float32) []float32 {
	if n := math.Sqrt(dot(v, v)); n > 0 {
		for i := range v {
			v[i] = float32(float64(v[i]) / n)
		}
	}
	return v
}

func records(r *rand.Rand, dim int, from, n vector.Key) []vector.Record {
	recs := make([]vector.Record, n)
	for i := range recs {
		recs[i] = vector.Record{Key: from + vector.Key(i), Vector: unit(r, dim)}
	}
	return recs
}
