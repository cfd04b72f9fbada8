package nearest_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverie-memory/reverie/indexer/flat/nearest"
	"github.com/reverie-memory/reverie/indexer/vector"
)

func TestDotAtEveryLength(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 70 {
		a, b := make([]float32, n), make([]float32, n)
		var want float64
		for i := range a {
			a[i], b[i] = r.Float32()-.5, r.Float32()-.5
			want += float64(a[i]) * float64(b[i])
		}
		if got := nearest.Dot(a, b); math.Abs(float64(got)-want) > 1e-5 {
			t.Errorf("length %d: %v, want %v", n, got, want)
		}
	}
}

// Vector instructions give the sums of plain code to the last bit, so that no answer depends on the processor.
func TestSumsAreThoseOfPlainCode(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	odd := []float32{0, float32(math.Copysign(0, -1)), 1e-45, 3e38, -3e38, float32(math.Inf(1)), 1e-20}
	for n := 0; n < 1000; n += 8 {
		a, b := make([]float32, n+1)[1:], make([]float32, n) // a begins at any place of memory
		for i := range a {
			a[i], b[i] = float32(r.NormFloat64()), float32(r.NormFloat64())
			if n%5 == 0 && r.IntN(20) == 0 {
				a[i] = odd[r.IntN(len(odd))]
			}
		}
		got, want := nearest.Sums(a, b), nearest.Plain(a, b)
		for i := range got {
			if math.Float32bits(got[i]) != math.Float32bits(want[i]) && !math.IsNaN(float64(want[i])) {
				t.Fatalf("length %d: sum %d is %x, want %x", n, i, math.Float32bits(got[i]), math.Float32bits(want[i]))
			}
		}
	}
}

func BenchmarkDot(b *testing.B) {
	x, y := make([]float32, 384), make([]float32, 384)
	for b.Loop() {
		nearest.Dot(x, y)
	}
}

// TestBestAgreesWithSorting has few distinct similarities, so that ties decide often.
func TestBestAgreesWithSorting(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		var all []vector.Match
		for _, key := range r.Perm(r.IntN(50)) {
			all = append(all, vector.Match{Key: vector.Key(key), Similarity: float32(r.IntN(5))})
		}
		k := r.IntN(12)
		whole, half := nearest.NewBest(k), nearest.NewBest(k)
		for i, m := range all {
			whole.Add(m)
			if i%2 == 0 {
				half.Add(m)
			}
		}
		other := nearest.NewBest(k)
		for i, m := range all {
			if i%2 == 1 {
				other.Add(m)
			}
		}
		half.Merge(other)
		slices.SortFunc(all, nearest.Compare)
		want := append([]vector.Match{}, all[:min(k, len(all))]...)
		for _, b := range []*nearest.Best{whole, half} {
			if diff := cmp.Diff(want, append([]vector.Match{}, b.Sorted()...)); diff != "" {
				t.Fatal(diff)
			}
		}
	}
}
