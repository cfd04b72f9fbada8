//go:build lancedb

package lance

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/indexer/flat/nearest"
	"github.com/reverie-memory/reverie/indexer/storetest"
	"github.com/reverie-memory/reverie/indexer/vector"
)

const testDim = 96

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func open(t *testing.T, dir string) *Engine {
	t.Helper()
	e, err := Open(context.Background(), dir, testDim)
	must(t, err)
	t.Cleanup(func() { must(t, e.Close()) })
	return e.(*Engine)
}

func live(recs []vector.Record) func(fn func(vector.Record) bool) error {
	return func(fn func(vector.Record) bool) error {
		for _, r := range recs {
			if !fn(r) {
				break
			}
		}
		return nil
	}
}

// wantAll compares the engine with the records: each is found by its own vector, and no other is there.
func wantAll(t *testing.T, e *Engine, recs []vector.Record) {
	t.Helper()
	if n, err := e.Count(t.Context()); err != nil || n != len(recs) {
		t.Fatalf("Count = %d, %v; want %d", n, err, len(recs))
	}
	for i := 0; i < len(recs); i += 1 + len(recs)/20 {
		got, err := e.Search(t.Context(), recs[i].Vector, 2, nil)
		must(t, err)
		if got[0].Key != recs[i].Key || got[1].Key == got[0].Key {
			t.Fatalf("nearest to key %d are %v", recs[i].Key, got)
		}
	}
}

func snapshot(t *testing.T, dir string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "copy")
	must(t, os.CopyFS(to, os.DirFS(dir)))
	return to
}

// A crash between any two steps of a move leaves the old manifest or the new one. The first is made
// here by putting the old manifest and delta beside everything that the move wrote.
func TestACrashDuringAMoveLosesNothing(t *testing.T) {
	for name, before := range map[string]int{"first base": 0, "second fragment": 600} {
		t.Run(name, func(t *testing.T) {
			d := storetest.Clustered(3, 1500, 0, testDim)
			dir := t.TempDir()
			e := open(t, dir)
			must(t, e.Put(t.Context(), d.Records[:before]))
			must(t, e.Maintain(t.Context(), nil))
			must(t, e.Put(t.Context(), d.Records[before:]))
			must(t, e.Flush(t.Context()))
			old := snapshot(t, dir)
			must(t, e.Maintain(t.Context(), nil))
			if got := len(e.base.pos); got != 1500 {
				t.Fatalf("%d rows in the base", got)
			}
			crashed := snapshot(t, dir)
			replace(t, old, crashed)

			c := open(t, crashed)
			wantAll(t, c, d.Records)
			must(t, c.Maintain(t.Context(), nil)) // the rows go in a second time
			wantAll(t, c, d.Records)
			must(t, c.Close())
			wantAll(t, open(t, crashed), d.Records)
		})
	}
}

// replace puts the old manifest and delta into the newer folder.
func replace(t *testing.T, old, newer string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(old, manifestName))
	must(t, err)
	must(t, os.WriteFile(filepath.Join(newer, manifestName), data, 0o600))
	m, _, err := readManifest(old)
	must(t, err)
	must(t, os.RemoveAll(filepath.Join(newer, m.delta())))
	must(t, os.CopyFS(filepath.Join(newer, m.delta()), os.DirFS(filepath.Join(old, m.delta()))))
}

func TestOpenDropsLeftovers(t *testing.T) {
	dir := t.TempDir()
	d := storetest.Clustered(4, 500, 0, testDim)
	e := open(t, dir)
	must(t, e.Put(t.Context(), d.Records))
	must(t, e.Maintain(t.Context(), nil))
	must(t, e.Close())
	left := []string{"delta-000099", "codes-000099", "dead-000099", filepath.Join(tablesDir, "base_000099.lance")}
	for _, name := range left {
		must(t, os.MkdirAll(filepath.Join(dir, name), 0o700))
	}
	wantAll(t, open(t, dir), d.Records)
	for _, name := range left {
		if _, err := os.Stat(filepath.Join(dir, name)); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s is still there: %v", name, err)
		}
	}
}

func TestARewriteNeedsTheWholeTruth(t *testing.T) {
	d := storetest.Clustered(5, 1000, 0, testDim)
	e := open(t, t.TempDir())
	must(t, e.Put(t.Context(), d.Records))
	must(t, e.Maintain(t.Context(), nil))
	var gone []vector.Key
	for _, r := range d.Records[:300] {
		gone = append(gone, r.Key)
	}
	must(t, e.Delete(t.Context(), gone))
	if err := e.Maintain(t.Context(), live(d.Records[301:])); err == nil {
		t.Error("a rewrite without one of the keys went through")
	}
	wantAll(t, e, d.Records[300:])
	if err := e.Maintain(t.Context(), func(func(vector.Record) bool) error { return os.ErrPermission }); !errors.Is(err, os.ErrPermission) {
		t.Errorf("live's error: %v", err)
	}
	wantAll(t, e, d.Records[300:])
	must(t, e.Maintain(t.Context(), live(d.Records[300:])))
	wantAll(t, e, d.Records[300:])
	if st := e.Stats(); st.Dead != 0 {
		t.Errorf("%d dead rows after a rewrite", st.Dead)
	}
}

// A table that changes under the engine is found by the checksums of the codes, and the next Maintain mends it.
func TestADamagedTableIsFoundAndMended(t *testing.T) {
	d := storetest.Clustered(6, 1000, 1, testDim)
	e := open(t, t.TempDir())
	must(t, e.Put(t.Context(), d.Records))
	must(t, e.Maintain(t.Context(), nil))
	r := e.base.runs.list()[0]
	file := filepath.Join(e.base.runs.dir, r.File)
	data, err := os.ReadFile(file)
	must(t, err)
	data[r.At+int64(r.Rows/2)] ^= 1
	must(t, os.WriteFile(file, data, 0o600))
	if _, err := e.Search(t.Context(), d.Queries[0], 10, nil); !errors.Is(err, indexer.ErrCorrupt) {
		t.Fatalf("Search: %v", err)
	}
	must(t, e.Maintain(t.Context(), live(d.Records)))
	wantAll(t, e, d.Records)
}

// Recall at ten is a promise of at least 0.97; the seeds make it the same number on each run.
func TestRecall(t *testing.T) {
	const n, queries, dim = 20_000, 50, testDim
	for name, d := range map[string]storetest.Data{
		"clustered": storetest.Clustered(7, n, queries, dim),
		"hashed":    storetest.Hashed(7, n, queries, dim),
	} {
		t.Run(name, func(t *testing.T) {
			e := open(t, t.TempDir())
			must(t, e.Put(t.Context(), d.Records))
			must(t, e.Maintain(t.Context(), nil))
			for filter, allow := range map[string]func(vector.Key) bool{
				"all": nil, "one in fifty": func(k vector.Key) bool { return k%50 == 0 },
			} {
				found := 0
				for _, q := range d.Queries {
					best := nearest.NewBest(10)
					for _, r := range d.Records {
						if allow == nil || allow(r.Key) {
							best.Add(vector.Match{Key: r.Key, Similarity: nearest.Dot(q, r.Vector)})
						}
					}
					want := best.Sorted()
					got, err := e.Search(t.Context(), q, 10, allow)
					must(t, err)
					for _, g := range got {
						if g.Similarity >= want[len(want)-1].Similarity-1e-5 {
							found++
						}
					}
				}
				recall := float64(found) / (10 * queries)
				t.Logf("%s, %s: recall@10 %.3f", name, filter, recall)
				if recall < 0.97 {
					t.Errorf("%s: recall@10 is %.3f", filter, recall)
				}
			}
		})
	}
}

// What is near enough is the same, whether the rest is looked at or not.
func TestNearEnough(t *testing.T) {
	d := storetest.Clustered(9, 12_000, 30, testDim)
	e := open(t, t.TempDir())
	must(t, e.Put(t.Context(), d.Records))
	must(t, e.Maintain(t.Context(), nil))
	some := 0
	for _, least := range []float32{0.4, 0.7, 0.9} {
		far := func(m vector.Match) bool { return m.Similarity < least }
		for i, q := range append(d.Queries, d.Records[3].Vector) {
			want, err := e.Search(t.Context(), q, 12, nil)
			must(t, err)
			got, err := e.SearchNear(t.Context(), q, 12, least, nil)
			must(t, err)
			if want, got = slices.DeleteFunc(want, far), slices.DeleteFunc(got, far); !slices.Equal(got, want) {
				t.Errorf("query %d from %.1f on: %v, want %v", i, least, got, want)
			}
			some += len(want)
		}
	}
	if some < 30 {
		t.Errorf("only %d were near", some)
	}
}
