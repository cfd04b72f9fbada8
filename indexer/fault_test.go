package indexer_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/indexer/flat"
	"github.com/reverie-memory/reverie/indexer/vector"
)

// fuse lets n calls through; every later one fails, as after a crash.
type fuse struct{ left atomic.Int64 }

func (f *fuse) err() error {
	if f.left.Add(-1) < 0 {
		return errFault
	}
	return nil
}

type fusedStore struct {
	indexer.RowStore
	f *fuse
}

func (s fusedStore) Apply(ctx context.Context, c []catalog.Change) ([][]indexer.Key, error) {
	if err := s.f.err(); err != nil {
		return nil, err
	}
	return s.RowStore.Apply(ctx, c)
}

func (s fusedStore) MarkVectors(ctx context.Context, keys []indexer.Key) error {
	if err := s.f.err(); err != nil {
		return err
	}
	return s.RowStore.MarkVectors(ctx, keys)
}

type fusedEngine struct {
	indexer.Engine
	f *fuse
}

func (e fusedEngine) Put(ctx context.Context, recs []vector.Record) error {
	if err := e.f.err(); err != nil {
		return err
	}
	return e.Engine.Put(ctx, recs)
}

func (e fusedEngine) Delete(ctx context.Context, keys []vector.Key) error {
	if err := e.f.err(); err != nil {
		return err
	}
	return e.Engine.Delete(ctx, keys)
}

func (e fusedEngine) Flush(ctx context.Context) error {
	if err := e.f.err(); err != nil {
		return err
	}
	return e.Engine.Flush(ctx)
}

// TestCrashAnywhere: the n-th write to a store fails, and all after it; the next start finds the
// index equal to the files, with every vector.
func TestCrashAnywhere(t *testing.T) {
	for n := range int64(11) {
		t.Run(fmt.Sprint("call ", n), func(t *testing.T) {
			w := newWorld(t)
			f := &fuse{}
			f.left.Store(n)
			w.wrap = func(s indexer.RowStore) indexer.RowStore { return fusedStore{s, f} }
			w.tweak = func(o *indexer.Options) {
				o.OpenEngine = func(ctx context.Context, dir string, dim int) (indexer.Engine, error) {
					e, err := flat.Open(ctx, dir, dim)
					return fusedEngine{e, f}, err
				}
			}
			w.open()
			e := &editor{world: w, r: rand.New(rand.NewPCG(uint64(n), 3))}
			for range 8 {
				w.facts(day, "c1", e.phrase())
				e.write("0_Inbox/page.md", e.phrase()+"\n\n"+e.phrase()+"\n")
				_, _ = w.ix.Sync(context.Background())
			}
			if n == 5 {
				_ = w.ix.Rebuild(context.Background(), nil)
			}
			ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
			_ = w.ix.Close(ctx)
			cancel()
			w.wrap, w.tweak = nil, nil
			w.open()
			w.sync()
			w.equal()
			w.settle()
			if v := w.verified(); v.Pending != 0 {
				t.Errorf("%d rows have no vector", v.Pending)
			}
		})
	}
}

func TestFailedWritesAreTriedAgain(t *testing.T) {
	w := newWorld(t)
	var broken atomic.Bool
	w.wrap = func(s indexer.RowStore) indexer.RowStore { return brokenStore{s, &broken} }
	w.open()
	w.sync()
	broken.Store(true)
	w.facts(day, "c1", "said while the disk was full")
	if _, err := w.ix.Sync(context.Background()); !errors.Is(err, errFault) {
		t.Fatalf("Sync: %v", err)
	}
	if len(w.ix.Degraded()) == 0 {
		t.Error("not said")
	}
	broken.Store(false)
	eventually(t, "the row", func() bool { return w.ix.Reader().Len() == 1 })
	eventually(t, "no complaint", func() bool { return len(w.ix.Degraded()) == 0 })
	w.equal()
}

type brokenStore struct {
	indexer.RowStore
	broken *atomic.Bool
}

func (s brokenStore) Apply(ctx context.Context, c []catalog.Change) ([][]indexer.Key, error) {
	if s.broken.Load() {
		return nil, errFault
	}
	return s.RowStore.Apply(ctx, c)
}

func TestBadEmbedderDelaysVectorsOnly(t *testing.T) {
	nan := float32(math.NaN())
	for name, fail := range map[string]func(int, []string) ([][]float32, error){
		"down":            func(int, []string) ([][]float32, error) { return nil, errFault },
		"wrong dimension": func(_ int, s []string) ([][]float32, error) { return make2(len(s), 3, 1), nil },
		"NaN":             func(_ int, s []string) ([][]float32, error) { return make2(len(s), fakeDim, nan), nil },
		"wrong count":     func(_ int, s []string) ([][]float32, error) { return make2(len(s)+1, fakeDim, 1), nil },
		"no answer":       func(int, []string) ([][]float32, error) { return [][]float32{}, nil },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t).open()
			w.sync()
			w.emb.set(func(e *fakeEmbedder) { e.fail = fail })
			w.facts(day, "c1", "Alice moved to Berlin", "Noor likes tea")
			if s := w.sync(); s.Added != 2 {
				t.Fatalf("stats %+v", s)
			}
			if hits, err := w.ix.Reader().Lexical(context.Background(), "Berlin", 5, nil); err != nil || len(hits) != 1 {
				t.Errorf("lexical: %v, %v", hits, err)
			}
			eventually(t, "degraded", func() bool { return strings.Contains(strings.Join(w.ix.Degraded(), "\n"), "embedder: ") })
			w.verified()
			w.emb.set(func(e *fakeEmbedder) { e.fail = nil })
			w.settle()
			q := fakeVector("Alice moved to Berlin", fakeDim)
			if got, err := w.ix.Reader().Vector(context.Background(), q, 5, nil); err != nil || len(got) != 2 {
				t.Errorf("vector after recovery: %v, %v", got, err)
			}
			eventually(t, "no complaint", func() bool { return len(w.ix.Degraded()) == 0 })
			if v := w.verified(); v.Pending != 0 {
				t.Errorf("%+v", v)
			}
		})
	}
}

func make2(n, dim int, x float32) [][]float32 {
	out := make([][]float32, n)
	for i := range out {
		out[i] = make([]float32, dim)
		for j := range out[i] {
			out[i][j] = x
		}
	}
	return out
}

func TestSlowEmbedderDoesNotHoldRowsBack(t *testing.T) {
	w := newWorld(t)
	w.tweak = func(o *indexer.Options) { o.EmbedWait = 30 * time.Millisecond }
	w.open()
	release := make(chan struct{})
	w.emb.set(func(e *fakeEmbedder) {
		e.fail = func(int, []string) ([][]float32, error) {
			select {
			case <-release:
				return nil, nil
			case <-time.After(100 * time.Millisecond):
				return nil, errFault
			}
		}
	})
	w.facts(day, "c1", "Alice moved to Berlin")
	w.sync()
	if n := w.ix.Reader().Len(); n != 1 {
		t.Errorf("%d rows", n)
	}
	close(release)
	w.settle()
	w.verified()
}

func TestOneBadTextDoesNotKeepTheOthersWaiting(t *testing.T) {
	w := newWorld(t).open()
	w.emb.set(func(e *fakeEmbedder) {
		e.fail = func(_ int, texts []string) ([][]float32, error) {
			for _, s := range texts {
				if strings.Contains(s, "poison") {
					out := make2(len(texts), fakeDim, float32(math.NaN()))
					for i, s := range texts {
						if !strings.Contains(s, "poison") {
							out[i] = fakeVector(s, fakeDim)
						}
					}
					return out, nil
				}
			}
			return nil, nil
		}
	})
	w.facts(day, "c1", "a poison text", "one good text", "another good text")
	w.sync()
	eventually(t, "the others' vectors", func() bool {
		got, err := w.ix.Reader().Vector(context.Background(), fakeVector("good", fakeDim), 9, nil)
		return err == nil && len(got) == 2
	})
}

func TestNewEmbedderBuildsTheNextGeneration(t *testing.T) {
	w := newWorld(t).open()
	w.facts(day, "c1", "Alice moved to Berlin")
	w.write("0_Inbox/a.md", "a note\n")
	w.sync()
	before := w.rows()
	w.close()
	w.emb.set(func(e *fakeEmbedder) { e.print, e.dim = "fake/2", 8 })
	w.open()
	if _, err := w.ix.Reader().Vector(context.Background(), make([]float32, 8), 1, nil); err != nil && !errors.Is(err,
		indexer.ErrFingerprint) {
		t.Errorf("while building: %v", err)
	}
	if hits, err := w.ix.Reader().Lexical(context.Background(), "Berlin", 5, nil); err != nil || len(hits) != 1 {
		t.Errorf("lexical while building: %v, %v", hits, err)
	}
	eventually(t, "the switch", func() bool { return w.ix.Reader().Generation() == 2 })
	w.settle()
	if got, err := w.ix.Reader().Vector(context.Background(), fakeVector("Alice", 8), 5, nil); err != nil || len(got) != 2 {
		t.Errorf("vector: %v, %v", got, err)
	}
	if len(before) != len(w.rows()) {
		t.Error("rows lost")
	}
	w.equal()
	w.verified()
	eventually(t, "the old generation is gone", func() bool {
		left, _ := filepath.Glob(filepath.Join(w.index, "gen-*"))
		return len(left) == 1
	})
	if d := w.ix.Degraded(); len(d) != 0 {
		t.Errorf("degraded: %q", d)
	}
}

func TestRebuildIsContinuedAndEmbedsNothing(t *testing.T) {
	w := newWorld(t)
	for i := range 200 {
		w.write(fmt.Sprintf("2_Wiki/n%03d.md", i), fmt.Sprintf("note number %d\n", i))
	}
	w.open()
	w.sync()
	w.settle()
	asked := len(w.emb.given())
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		_ = w.ix.Rebuild(ctx, func(done, total int) { cancel() })
	}()
	<-ctx.Done()
	w.close() // in the middle of it, or just after
	w.open()
	w.sync()
	var last int
	if err := w.ix.Rebuild(context.Background(), func(done, _ int) { last = done }); err != nil {
		t.Fatal(err)
	}
	_ = last
	w.settle()
	w.equal()
	w.verified()
	if n := len(w.emb.given()); n != asked {
		t.Errorf("a rebuild embedded %d texts", n-asked)
	}
}

func TestChangesDuringARebuildArrive(t *testing.T) {
	w := newWorld(t)
	for i := range 150 {
		w.write(fmt.Sprintf("2_Wiki/n%03d.md", i), fmt.Sprintf("note number %d\n", i))
	}
	w.open()
	w.sync()
	done := make(chan error, 1)
	go func() { done <- w.ix.Rebuild(context.Background(), nil) }()
	for i := range 20 {
		w.write(fmt.Sprintf("2_Wiki/n%03d.md", i), fmt.Sprintf("changed note %d\n", i))
		w.sync(fmt.Sprintf("2_Wiki/n%03d.md", i))
		if hits, err := w.ix.Reader().Lexical(context.Background(), "changed", 100, nil); err != nil || len(hits) != i+1 {
			t.Fatalf("after change %d: %d hits, %v", i, len(hits), err)
		}
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	w.equal()
	w.settle()
	w.verified()
}

func TestLostAndDamagedIndexIsMadeAnew(t *testing.T) {
	for name, damage := range map[string]func(*world){
		"folder deleted": func(w *world) { os.RemoveAll(w.index) },
		"vectors deleted": func(w *world) {
			dirs, _ := filepath.Glob(filepath.Join(w.index, "gen-*", "vectors"))
			for _, d := range dirs {
				os.RemoveAll(d)
			}
		},
		"rows deleted":    func(w *world) { hurtFiles(w, "gen-*/rows.db*", func(string, []byte) []byte { return nil }) },
		"catalog emptied": func(w *world) { hurtFiles(w, "catalog.db", func(string, []byte) []byte { return []byte{} }) },
		"rows overwritten": func(w *world) {
			hurtFiles(w, "gen-*/rows.db", func(_ string, b []byte) []byte {
				for i := range b {
					b[i] ^= 0x5a
				}
				return b
			})
		},
		"vectors cut": func(w *world) {
			hurtFiles(w, "gen-*/vectors/*", func(_ string, b []byte) []byte { return b[:len(b)/3] })
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t).open()
			w.facts(day, "c1", "Alice moved to Berlin", "Noor likes tea")
			w.write("0_Inbox/a.md", "a note\n")
			w.sync()
			w.settle()
			w.close()
			damage(w)
			w.open()
			w.sync()
			w.settle()
			w.equal()
			if v := w.verified(); v.Rows != 3 || v.Pending != 0 {
				t.Errorf("%+v", v)
			}
			eventually(t, "no complaint", func() bool { return len(w.ix.Degraded()) == 0 })
		})
	}
}

// hurtFiles rewrites files of the index; nil deletes them.
func hurtFiles(w *world, glob string, change func(string, []byte) []byte) {
	w.t.Helper()
	names, _ := filepath.Glob(filepath.Join(w.index, filepath.FromSlash(glob)))
	if len(names) == 0 {
		w.t.Fatalf("no file %s", glob)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			continue // a folder
		}
		if data = change(name, data); data == nil {
			err = os.Remove(name)
		} else {
			err = os.WriteFile(name, data, 0o600)
		}
		if err != nil {
			w.t.Fatal(err)
		}
	}
}

// TestFlippedBytesAreFoundOrHarmless: whichever byte of the index is flipped, the next start either
// answers as if nothing had happened or says so; verify then is clean or names it.
func TestFlippedBytesAreFoundOrHarmless(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for round := range 8 {
		w := newWorld(t).open()
		for i := range 20 {
			w.facts(day, "c1", fmt.Sprintf("fact number %d about tea", i))
		}
		w.sync()
		w.settle()
		w.close()
		var names []string
		_ = filepath.WalkDir(w.index, func(p string, d os.DirEntry, err error) error {
			if info, ierr := d.Info(); err == nil && ierr == nil && info.Mode().IsRegular() && info.Size() > 0 {
				names = append(names, p)
			}
			return nil
		})
		name := names[r.IntN(len(names))]
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		at := r.IntN(len(data))
		data[at] ^= byte(1 << r.IntN(8))
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
		w.open()
		_, _ = w.ix.Sync(context.Background())
		if err := w.ix.Probe(context.Background()); err != nil {
			t.Fatal(err)
		}
		eventually(t, fmt.Sprintf("round %d: %s byte %d: the index equals the files, or verify says that it does not", round,
			filepath.Base(name), at), func() bool {
			v, err := w.ix.Verify(context.Background())
			return err != nil || !v.OK() || v.Rows == 20
		})
		w.close()
	}
}

func TestProbeMendsTheEngine(t *testing.T) {
	w, engine := newEngineWorld(t)
	w.facts(day, "c1", "one fact", "two facts", "three facts")
	w.sync()
	w.settle()
	ctx := context.Background()
	if err := engine.Delete(ctx, []vector.Key{1}); err != nil {
		t.Fatal(err)
	}
	if err := engine.Put(ctx, []vector.Record{{Key: 999, Vector: fakeVector("orphan", fakeDim)}}); err != nil {
		t.Fatal(err)
	}
	if got, err := w.ix.Reader().Vector(ctx, fakeVector("orphan", fakeDim), 9, nil); err != nil || len(got) != 2 {
		t.Errorf("an orphan is a hit: %v, %v", got, err)
	}
	if err := w.ix.Probe(ctx); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the engine is mended", func() bool {
		v, err := w.ix.Verify(ctx)
		n, cerr := engine.Count(ctx)
		return err == nil && cerr == nil && v.OK() && n == 3
	})
}

func TestPinnedReaderStaysThroughASwitch(t *testing.T) {
	w := newWorld(t).open()
	w.facts(day, "c1", "Alice moved to Berlin")
	w.sync()
	pinned, release := w.ix.Reader().Pin()
	hits, err := pinned.Lexical(context.Background(), "Berlin", 1, nil)
	if err != nil || len(hits) != 1 {
		t.Fatal(hits, err)
	}
	if err := w.ix.Rebuild(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	if rows, err := pinned.Rows(context.Background(), []indexer.Key{hits[0].Key}); err != nil || len(rows) != 1 {
		t.Errorf("rows of the pinned generation: %v, %v", rows, err)
	}
	if g := pinned.Generation(); g != 1 {
		t.Errorf("pinned to generation %d", g)
	}
	if g := w.ix.Reader().Generation(); g != 2 {
		t.Errorf("current generation %d", g)
	}
	release()
}

func TestClosedIndexSaysSo(t *testing.T) {
	w := newWorld(t).open()
	ix := w.ix
	w.close()
	if _, err := ix.Sync(context.Background()); !errors.Is(err, indexer.ErrClosed) {
		t.Errorf("Sync: %v", err)
	}
	if _, err := ix.Reader().Lexical(context.Background(), "x", 1, nil); !errors.Is(err, indexer.ErrClosed) {
		t.Errorf("Lexical: %v", err)
	}
	ix.Notify("a.md")
}
