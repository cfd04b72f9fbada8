package sketch

import (
	"errors"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/reverie-memory/reverie/indexer/flat/nearest"
	"github.com/reverie-memory/reverie/indexer/flat/reclog"
	"github.com/reverie-memory/reverie/indexer/storetest"
	"github.com/reverie-memory/reverie/indexer/vector"
	"github.com/reverie-memory/reverie/llm"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func filled(t *testing.T, dim int, recs []vector.Record) (*Sketch, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "codes")
	s, err := Create(path, dim)
	must(t, err)
	t.Cleanup(func() { _ = s.Close() })
	must(t, s.Append(recs))
	return s, path
}

func TestRotationKeepsLengthsAndAngles(t *testing.T) {
	for _, dim := range []int{1, 8, 63, 64, 65, 384, 768} {
		d := storetest.Clustered(1, 2, 0, dim)
		r := newRotation(dim)
		a, b := make([]float32, r.wide), make([]float32, r.wide)
		r.turn(d.Records[0].Vector, a)
		r.turn(d.Records[1].Vector, b)
		for _, pair := range [][2]float32{
			{nearest.Dot(a, a), nearest.Dot(d.Records[0].Vector, d.Records[0].Vector)},
			{nearest.Dot(a, b), nearest.Dot(d.Records[0].Vector, d.Records[1].Vector)},
		} {
			if math.Abs(float64(pair[0]-pair[1])) > 1e-5 {
				t.Errorf("dim %d: %v became %v", dim, pair[1], pair[0])
			}
		}
	}
}

// The codes on disk depend on the rotation: it may never change under them.
func TestCodesStayTheSame(t *testing.T) {
	v := make([]float32, 8)
	for i := range v {
		v[i] = float32(i-3) / 10
	}
	c := newCoder(8)
	b := make([]byte, c.payload())
	c.encode(b, vector.Record{Key: 7, Vector: v})
	var sum uint32 = 2166136261
	for _, x := range b {
		sum = (sum ^ uint32(x)) * 16777619
	}
	if want := uint32(129858186); sum != want {
		t.Errorf("codes of the sample vector hash to %d, want %d: raise the manifest's format", sum, want)
	}
}

func TestEstimatesAreClose(t *testing.T) {
	for name, d := range map[string]storetest.Data{
		"clustered": storetest.Clustered(2, 2000, 20, 384), "hashed": storetest.Hashed(2, 2000, 20, 384),
	} {
		var rough float64
		c := newCoder(384)
		s, _ := filled(t, 384, d.Records)
		v := s.v.Load()
		for _, raw := range d.Queries {
			q := c.prepare(raw)
			for i, r := range d.Records {
				ch, at := v.chunks[i/perChunk], i%perChunk
				truth := nearest.Dot(raw, r.Vector)
				var count [1]uint64
				plain(count[:], ch.signs[at*s.words:(at+1)*s.words], q.planes)
				rough = max(rough, math.Abs(float64(q.rough(count[0], ch.factor[at])-truth)))
			}
		}
		t.Logf("%s: at most %.3f off", name, rough)
		if rough > 0.25 {
			t.Errorf("%s: estimates are off by %.3f", name, rough)
		}
	}
}

func TestCandidatesHoldTheNearest(t *testing.T) {
	for name, d := range map[string]storetest.Data{
		"clustered": storetest.Clustered(3, 10_000, 20, 128), "hashed": storetest.Hashed(3, 10_000, 20, 128),
	} {
		s, _ := filled(t, 128, d.Records)
		found := 0
		for _, q := range d.Queries {
			best := nearest.NewBest(10)
			for _, r := range d.Records {
				best.Add(vector.Match{Key: r.Key, Similarity: nearest.Dot(q, r.Vector)})
			}
			in := map[vector.Key]bool{}
			for _, c := range s.Search(t.Context(), q, 1000, -math.MaxFloat32, nil) {
				in[c.Key] = true
			}
			for _, m := range best.Sorted() {
				if in[m.Key] {
					found++
				}
			}
		}
		if found < 198 {
			t.Errorf("%s: %d of 200 are among the candidates", name, found)
		}
	}
}

func TestOnlyWhatIsTooFarIsLeftOut(t *testing.T) {
	const least = 0.5
	for name, d := range map[string]storetest.Data{
		"clustered": storetest.Clustered(3, 10_000, 20, 384), "hashed": storetest.Hashed(3, 10_000, 20, 384),
	} {
		s, _ := filled(t, 384, d.Records)
		near, taken := 0, 0
		for i, q := range append(d.Queries, d.Records[1].Vector, d.Records[2].Vector) {
			in := map[vector.Key]bool{}
			for _, c := range s.Search(t.Context(), q, len(d.Records), least, nil) {
				in[c.Key] = true
			}
			taken += len(in)
			for _, r := range d.Records {
				if nearest.Dot(q, r.Vector) < least {
					continue
				}
				if near++; !in[r.Key] {
					t.Errorf("%s, query %d: row %d is at %.3f and is left out", name, i, r.Key, nearest.Dot(q, r.Vector))
				}
			}
		}
		if near == 0 || taken > len(d.Records) {
			t.Errorf("%s: %d candidates of which %d are near", name, taken, near)
		}
	}
}

// Vectors of short texts have few values, and lie farther from their estimates than those of others do.
func TestShortTextsAreNotTooFar(t *testing.T) {
	texts := []string{
		"what does he want for it", "dec do u want a curry paste w nuts in", "It is. What would you want it for?",
		"we're not telling her. we said that out loud to each other, we're not telling our moms", "And what does it say?",
		"So it was your idea, you know. I told Lupe and she said \"who is this German, can she do my taxes\"",
		"yes. they said yes. And I said no",
	}
	vectors, err := llm.NewBuiltin().Embed(t.Context(), texts, llm.Document)
	must(t, err)
	var recs []vector.Record
	for i, v := range vectors {
		recs = append(recs, vector.Record{Key: vector.Key(i), Vector: v})
	}
	s, _ := filled(t, len(vectors[0]), recs)
	near := 0
	for i, q := range vectors {
		in := map[vector.Key]bool{}
		for _, c := range s.Search(t.Context(), q, len(recs), 0.4, nil) {
			in[c.Key] = true
		}
		for j, v := range vectors {
			if d := nearest.Dot(q, v); d >= 0.4 && i != j {
				if near++; !in[vector.Key(j)] {
					t.Errorf("%q is at %.3f of %q and is left out", texts[j], d, texts[i])
				}
			}
		}
	}
	if near < 6 {
		t.Errorf("%d are near", near)
	}
}

func TestReopeningGivesTheSame(t *testing.T) {
	d := storetest.Clustered(4, 3*perChunk/2, 3, 32)
	s, path := filled(t, 32, d.Records)
	want := s.Search(t.Context(), d.Queries[0], 20, -math.MaxFloat32, nil)
	must(t, s.Close())
	again, err := Open(path, 32, len(d.Records))
	must(t, err)
	for i, c := range again.Search(t.Context(), d.Queries[0], 20, -math.MaxFloat32, nil) {
		if c != want[i] {
			t.Fatalf("candidate %d is %v, want %v", i, c, want[i])
		}
	}
	must(t, again.Close())

	cut, err := Open(path, 32, 10) // rows that no manifest counts go
	must(t, err)
	if cut.Len() != 10 {
		t.Errorf("%d rows are left", cut.Len())
	}
	must(t, cut.Append(d.Records[10:12]))
	if got := cut.Search(t.Context(), d.Records[11].Vector, 1, -math.MaxFloat32, nil); got[0].Key != d.Records[11].Key {
		t.Errorf("nearest to the last row is %v", got)
	}
	must(t, cut.Close())
	if _, err := Open(path, 32, 13); !errors.Is(err, reclog.ErrDamaged) {
		t.Errorf("too few rows: %v", err)
	}
	if _, err := Open(path, 33, 12); !errors.Is(err, reclog.ErrDamaged) {
		t.Errorf("another dimension: %v", err)
	}
}

func TestTheDeadAndTheForbiddenAreNoCandidates(t *testing.T) {
	d := storetest.Clustered(5, 500, 1, 32)
	s, _ := filled(t, 32, d.Records)
	for row := range s.All() {
		if row.Key%2 == 0 {
			s.Kill(row.Pos)
		}
	}
	got := s.Search(t.Context(), d.Queries[0], 500, -math.MaxFloat32, func(k vector.Key) bool { return k%3 == 0 })
	if len(got) != 83 { // odd multiples of three up to 500
		t.Errorf("%d candidates", len(got))
	}
	for _, c := range got {
		if c.Key%6 != 3 {
			t.Errorf("candidate %d", c.Key)
		}
	}
}

// All ways to count give the same sums, also where a row has many words, or few.
func TestCountsAreThePlainOnes(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	for _, words := range []int{1, 4, 8, 16, 24} {
		const rows = 5
		signs, of := make([]uint64, rows*words), make([]uint64, planes*words)
		for _, list := range [][]uint64{signs, of} {
			for i := range list {
				list[i] = r.Uint64()
			}
		}
		for i := range words { // all bits set
			signs[i], of[i], of[3*words+i] = ^uint64(0), ^uint64(0), ^uint64(0)
		}
		got, want := make([]uint64, rows), make([]uint64, rows)
		plain(want, signs, of)
		counts(words)(got, signs, of)
		if !slices.Equal(got, want) {
			t.Errorf("%d words: %x, want %x", words, got, want)
		}
	}
}
