package storetest

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/indexer/vector"
)

// A suite is one engine under test. Each check has its own folder.
type suite struct {
	open indexer.EngineOpener
	dim  int
}

// Run checks the engine that open opens, at two dimensions: one that fills whole machine words and
// one that does not.
func Run(t *testing.T, open indexer.EngineOpener) {
	for _, dim := range []int{8, 50} {
		s := suite{open: open, dim: dim}
		name := map[int]string{8: "dim 8", 50: "dim 50"}[dim]
		t.Run(name, func(t *testing.T) {
			t.Run("an empty engine answers nothing", s.empty)
			t.Run("what is put is found, at once and after reopening", s.putAndReopen)
			t.Run("a delete hides, at once and after reopening", s.deletes)
			t.Run("repeats change nothing", s.repeats)
			t.Run("k at its limits", s.limits)
			t.Run("equal vectors come by key", s.ties)
			t.Run("zero vectors are kept", s.zero)
			t.Run("bad vectors are refused whole", s.badVectors)
			t.Run("a filter gives the nearest of the allowed", s.filters)
			t.Run("what was flushed survives a crash", s.crash)
			t.Run("maintenance changes no answer", s.maintain)
			t.Run("compacting leaves no deleted vector", s.compact)
			t.Run("an engine of another dimension is corrupt", s.otherDim)
			if dim == 50 { // it takes the longest
				t.Run("damage is found", s.damage)
			}
			t.Run("a closed or cancelled call says so", s.closed)
			t.Run("searches run beside writes and maintenance", s.concurrent)
			t.Run("random operations agree with a naive engine", s.random)
		})
	}
}

func rng(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 42)) }

func (s suite) engine(t *testing.T, dir string) indexer.Engine {
	t.Helper()
	e, err := s.open(context.Background(), dir, s.dim)
	if err != nil {
		t.Fatalf("open: %v", err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return e
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (s suite) put(t *testing.T, e indexer.Engine, m model, recs []vector.Record) {
	t.Helper()
	must(t, e.Put(context.Background(), recs))
	m.put(recs)
}

func (s suite) remove(t *testing.T, e indexer.Engine, m model, keys ...vector.Key) {
	t.Helper()
	must(t, e.Delete(context.Background(), keys))
	m.delete(keys)
}

func (s suite) empty(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "not there", "yet #1 ü%20")
	e := s.engine(t, dir)
	model{}.check(t, e, rng(1), s.dim)
	must(t, e.Flush(t.Context()))
	must(t, e.Maintain(t.Context(), model{}.live))
	must(t, e.Delete(t.Context(), []vector.Key{1, 2}))
	must(t, e.Put(t.Context(), nil))
	must(t, e.Close())
	e = s.engine(t, dir)
	model{}.check(t, e, rng(1), s.dim)
	// The folder's odd name must not hurt the larger form either.
	m := model{}
	s.put(t, e, m, records(rng(1), s.dim, 1, 700))
	must(t, e.Maintain(t.Context(), m.live))
	must(t, e.Close())
	m.check(t, s.engine(t, dir), rng(1), s.dim)
}

func (s suite) putAndReopen(t *testing.T) {
	dir, r, m := t.TempDir(), rng(2), model{}
	e := s.engine(t, dir)
	for i := range vector.Key(5) {
		s.put(t, e, m, records(r, s.dim, 1+i*100, 1+i*10))
		m.check(t, e, r, s.dim)
	}
	must(t, e.Close())
	e = s.engine(t, dir)
	m.check(t, e, r, s.dim)
	s.put(t, e, m, records(r, s.dim, 10_000, 20))
	m.check(t, e, r, s.dim)
}

func (s suite) deletes(t *testing.T) {
	dir, r, m := t.TempDir(), rng(3), model{}
	e := s.engine(t, dir)
	s.put(t, e, m, records(r, s.dim, 1, 100))
	s.remove(t, e, m, 1, 50, 100, 51)
	m.check(t, e, r, s.dim)
	must(t, e.Close())
	e = s.engine(t, dir)
	m.check(t, e, r, s.dim)
	s.remove(t, e, m, m.keys()...)
	m.check(t, e, r, s.dim)
	must(t, e.Close())
	m.check(t, s.engine(t, dir), r, s.dim)
}

func (s suite) repeats(t *testing.T) {
	dir, r, m := t.TempDir(), rng(4), model{}
	e := s.engine(t, dir)
	recs := records(r, s.dim, 1, 40)
	s.put(t, e, m, append(recs, recs[:10]...))
	s.put(t, e, m, recs)
	s.remove(t, e, m, 3, 3, 999)
	s.remove(t, e, m, 3)
	m.check(t, e, r, s.dim)
	must(t, e.Close())
	m.check(t, s.engine(t, dir), r, s.dim)
}

func (s suite) limits(t *testing.T) {
	r, m := rng(5), model{}
	e := s.engine(t, t.TempDir())
	s.put(t, e, m, records(r, s.dim, 1, 30))
	for _, k := range []int{-1, 0, 1, 29, 30, 31, 1 << 40} {
		m.checkSearch(t, e, unit(r, s.dim), k, nil)
	}
}

// ties has many rows with one of two vectors, before and after the engine has put them in its order.
func (s suite) ties(t *testing.T) {
	const half = 300
	r, m := rng(6), model{}
	e := s.engine(t, t.TempDir())
	v, w := unit(r, s.dim), unit(r, s.dim)
	var recs []vector.Record
	for _, k := range r.Perm(2 * half) {
		recs = append(recs, vector.Record{Key: vector.Key(k + 1), Vector: [][]float32{v, w}[k%2]})
	}
	s.put(t, e, m, recs)
	for range 2 {
		for _, k := range []int{1, 7, 60} {
			got, err := e.Search(t.Context(), v, k, nil)
			must(t, err)
			if len(got) != k {
				t.Fatalf("%d matches, want %d", len(got), k)
			}
			for i, g := range got {
				if want := vector.Key(2*i + 1); g.Key != want {
					t.Fatalf("match %d is key %d, want %d", i, g.Key, want)
				}
			}
		}
		must(t, e.Maintain(t.Context(), m.live))
	}
}

func (s suite) zero(t *testing.T) {
	dir, r, m := t.TempDir(), rng(7), model{}
	e := s.engine(t, dir)
	s.put(t, e, m, append(records(r, s.dim, 1, 9), vector.Record{Key: 10, Vector: make([]float32, s.dim)}))
	m.check(t, e, r, s.dim)
	m.checkSearch(t, e, make([]float32, s.dim), 4, nil)
	must(t, e.Close())
	m.check(t, s.engine(t, dir), r, s.dim)
}

func (s suite) badVectors(t *testing.T) {
	r, m := rng(8), model{}
	e := s.engine(t, t.TempDir())
	s.put(t, e, m, records(r, s.dim, 1, 5))
	with := func(x float64) []float32 {
		v := unit(r, s.dim)
		v[s.dim/2] = float32(x)
		return v
	}
	for name, bad := range map[string][]float32{
		"too short": make([]float32, s.dim-1), "too long": make([]float32, s.dim+1), "nil": nil,
		"NaN": with(math.NaN()), "infinite": with(math.Inf(-1)),
	} {
		recs := append(records(r, s.dim, 100, 3), vector.Record{Key: 200, Vector: bad})
		if err := e.Put(t.Context(), recs); err == nil {
			t.Errorf("%s: Put took it", name)
		}
		if _, err := e.Search(t.Context(), bad, 3, nil); err == nil {
			t.Errorf("%s: Search took it", name)
		}
	}
	m.check(t, e, r, s.dim)
}

func (s suite) filters(t *testing.T) {
	r, m := rng(9), model{}
	e := s.engine(t, t.TempDir())
	s.put(t, e, m, records(r, s.dim, 1, 500))
	for name, allow := range map[string]func(vector.Key) bool{
		"none":  func(vector.Key) bool { return false },
		"one":   func(k vector.Key) bool { return k == 250 },
		"few":   func(k vector.Key) bool { return k%100 == 7 },
		"half":  func(k vector.Key) bool { return k%2 == 0 },
		"every": func(vector.Key) bool { return true },
	} {
		t.Run(name, func(t *testing.T) {
			for range 5 {
				m.checkSearch(t, e, unit(r, s.dim), 10, allow)
			}
		})
	}
}

// crash copies the folder of a living engine, which is what a killed process leaves, and opens the
// copy: everything flushed is there, and what was not flushed is there whole or not at all.
func (s suite) crash(t *testing.T) {
	dir, r, m := t.TempDir(), rng(10), model{}
	e := s.engine(t, dir)
	s.put(t, e, m, records(r, s.dim, 1, 80))
	s.remove(t, e, m, 5, 6, 7)
	must(t, e.Flush(t.Context()))
	for round := range vector.Key(3) {
		after := records(r, s.dim, 1000+100*round, 40)
		must(t, e.Put(t.Context(), after))
		must(t, e.Delete(t.Context(), []vector.Key{20 + round}))

		image := copyDir(t, dir)
		c := s.engine(t, image)
		// What the crash may have taken is done again, as the indexer would.
		must(t, c.Put(t.Context(), after))
		must(t, c.Delete(t.Context(), []vector.Key{20 + round}))
		m.put(after)
		m.delete([]vector.Key{20 + round})
		m.check(t, c, r, s.dim)
		must(t, c.Close())
		m.check(t, s.engine(t, image), r, s.dim)
		if round == 1 {
			must(t, e.Maintain(t.Context(), m.live))
		}
		must(t, e.Flush(t.Context()))
	}
}

func (s suite) maintain(t *testing.T) {
	dir, r, m := t.TempDir(), rng(11), model{}
	e := s.engine(t, dir)
	for round := range vector.Key(4) {
		s.put(t, e, m, records(r, s.dim, 1+round*1000, 600))
		must(t, e.Flush(t.Context()))
		must(t, e.Maintain(t.Context(), m.live))
		m.check(t, e, r, s.dim)
		for k := range vector.Key(400) {
			s.remove(t, e, m, 1+round*1000+k)
		}
		m.check(t, e, r, s.dim)
		must(t, e.Maintain(t.Context(), m.live))
		m.check(t, e, r, s.dim)
		image := copyDir(t, dir)
		m.check(t, s.engine(t, image), r, s.dim)
	}
	if st := e.Stats(); st.Dead*2 > len(m) {
		t.Errorf("%d dead records beside %d live ones are left", st.Dead, len(m))
	}
	must(t, e.Close())
	e = s.engine(t, dir)
	m.check(t, e, r, s.dim)
	if st := e.Stats(); st.Bytes <= 0 || st.Fragments <= 0 {
		t.Errorf("Stats = %+v", st)
	}
}

// compact looks for the vectors that were deleted in the engine's files.
func (s suite) compact(t *testing.T) {
	for _, n := range []vector.Key{3, 700} {
		dir, r, m := t.TempDir(), rng(14), model{}
		e := s.engine(t, dir)
		list := records(r, s.dim, 1, n)
		s.put(t, e, m, list)
		must(t, e.Flush(t.Context()))
		must(t, e.Maintain(t.Context(), m.live))
		gone, stays := list[1], list[n-1]
		if !holds(t, dir, gone.Vector) {
			t.Fatal("it was never written")
		}
		s.remove(t, e, m, gone.Key)
		must(t, e.Compact(t.Context(), m.live))
		if holds(t, dir, gone.Vector) || !holds(t, dir, stays.Vector) {
			t.Errorf("of %d: a deleted vector is left, or another is gone", n)
		}
		m.check(t, e, r, s.dim)
		must(t, e.Compact(t.Context(), m.live))
		must(t, e.Close())
		m.check(t, s.engine(t, dir), r, s.dim)
	}
}

// holds says whether a file below dir has the vector's numbers.
func holds(t *testing.T, dir string, vec []float32) (found bool) {
	var want []byte
	for _, x := range vec {
		want = binary.LittleEndian.AppendUint32(want, math.Float32bits(x))
	}
	must(t, filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		found = found || bytes.Contains(data, want)
		return err
	}))
	return found
}

func (s suite) otherDim(t *testing.T) {
	for name, n := range map[string]vector.Key{"empty": 0, "few": 3, "many": 700} {
		t.Run(name, func(t *testing.T) {
			dir, m := t.TempDir(), model{}
			e := s.engine(t, dir)
			s.put(t, e, m, records(rng(12), s.dim, 1, n))
			must(t, e.Maintain(t.Context(), m.live))
			must(t, e.Close())
			s.wantCorrupt(t, dir, s.dim+8)
		})
	}
}

func (s suite) wantCorrupt(t *testing.T, dir string, dim int) {
	t.Helper()
	e, err := s.open(context.Background(), dir, dim)
	if err == nil {
		must(t, e.Close())
		t.Fatal("open took it")
	}
	if !errors.Is(err, indexer.ErrCorrupt) {
		t.Fatalf("open: %v; want ErrCorrupt", err)
	}
}

func (s suite) closed(t *testing.T) {
	r := rng(13)
	e := s.engine(t, t.TempDir())
	recs := records(r, s.dim, 1, 3)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	calls := map[string]func(context.Context) error{
		"Put":      func(ctx context.Context) error { return e.Put(ctx, recs) },
		"Delete":   func(ctx context.Context) error { return e.Delete(ctx, []vector.Key{1}) },
		"Flush":    e.Flush,
		"Search":   func(ctx context.Context) error { _, err := e.Search(ctx, recs[0].Vector, 1, nil); return err },
		"Count":    func(ctx context.Context) error { _, err := e.Count(ctx); return err },
		"Scan":     func(ctx context.Context) error { return e.Scan(ctx, func(vector.Record) bool { return true }) },
		"Maintain": func(ctx context.Context) error { return e.Maintain(ctx, model{}.live) },
	}
	for name, call := range calls {
		if err := call(gone); !errors.Is(err, context.Canceled) {
			t.Errorf("%s with a cancelled context: %v", name, err)
		}
	}
	must(t, e.Close())
	must(t, e.Close())
	for name, call := range calls {
		if err := call(t.Context()); err == nil {
			t.Errorf("%s after Close: no error", name)
		}
	}
}

func copyDir(t *testing.T, dir string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "copy")
	must(t, os.CopyFS(to, os.DirFS(dir)))
	return to
}

func listFiles(t *testing.T, dir string) []string {
	t.Helper()
	var names []string
	must(t, filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			rel, rerr := filepath.Rel(dir, p)
			names, err = append(names, rel), rerr
		}
		return err
	}))
	slices.Sort(names)
	return names
}
