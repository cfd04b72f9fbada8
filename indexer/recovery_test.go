package indexer_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/indexer/flat"
	"github.com/reverie-memory/reverie/indexer/vector"
	"github.com/reverie-memory/reverie/vault"
)

const tombstones = ".state/tombstones.jsonl"

func (w *world) forget(text string) {
	w.t.Helper()
	if err := w.v.Forget(context.Background(), []vault.Tombstone{{Text: text, Reason: "asked"}}); err != nil {
		w.t.Fatal(err)
	}
}

// TestFollowedFileSweptAlong: a log that is followed and then written by a sweep goes on without
// rows that are there twice.
func TestFollowedFileSweptAlong(t *testing.T) {
	w := newWorld(t).open()
	w.facts(day, "c1", "Alice lives in Paris")
	w.sync()
	log := w.rows()[0].File
	w.facts(day, "c1", "Noor likes tea")
	for i := range 100 {
		w.write(fmt.Sprintf("2_Wiki/n%03d.md", i), fmt.Sprintf("note number %d\n", i))
	}
	w.sync()
	w.equal()
	w.facts(day, "c1", "Ben plays chess")
	w.sync(string(log))
	w.equal()
	w.verified()
}

// TestForgettingSurvivesAFailedWrite: what was forgotten goes although the disk was full at first.
func TestForgettingSurvivesAFailedWrite(t *testing.T) {
	w := newWorld(t)
	var broken atomic.Bool
	w.wrap = func(s indexer.RowStore) indexer.RowStore { return brokenStore{s, &broken} }
	w.open()
	w.facts(day, "c1", "Alice lives in Paris", "Noor likes tea")
	w.sync()
	w.forget("Alice lives in Paris")
	broken.Store(true)
	if _, err := w.ix.Sync(context.Background(), tombstones); !errors.Is(err, errFault) {
		t.Fatalf("Sync: %v", err)
	}
	broken.Store(false)
	eventually(t, "the row to go", func() bool { return w.ix.Reader().Len() == 1 })
	w.equal()
}

// TestForgettingDuringTheFirstFilling: files that were prepared before something was forgotten do
// not bring it back.
func TestForgettingDuringTheFirstFilling(t *testing.T) {
	w := newWorld(t)
	for i := range 100 {
		w.write(fmt.Sprintf("2_Wiki/n%03d.md", i), fmt.Sprintf("- note number %d\n- Alice lives in Paris\n", i))
	}
	began, goOn := make(chan struct{}), make(chan struct{})
	w.emb.fail = func(call int, _ []string) ([][]float32, error) {
		if call == 1 {
			close(began)
			<-goOn
		}
		return nil, nil
	}
	w.open()
	<-began
	w.forget("Alice lives in Paris")
	w.sync(tombstones)
	close(goOn)
	w.settle()
	w.equal()
}

// TestForgettingBesideAFailedRebuild: a rebuild that fails leaves no forgotten row in the
// generation that goes on answering.
func TestForgettingBesideAFailedRebuild(t *testing.T) {
	w := newWorld(t)
	var broken atomic.Bool
	w.wrap = func(s indexer.RowStore) indexer.RowStore { return brokenStore{s, &broken} }
	w.open()
	w.facts(day, "c1", "Alice lives in Paris", "Noor likes tea")
	w.sync()
	w.forget("Alice lives in Paris")
	broken.Store(true)
	if err := w.ix.Rebuild(context.Background(), nil); !errors.Is(err, errFault) {
		t.Fatalf("Rebuild: %v", err)
	}
	broken.Store(false)
	_, _ = w.ix.Sync(context.Background(), tombstones)
	eventually(t, "the row to go", func() bool { return w.ix.Reader().Len() == 1 })
	w.equal()
}

// moodyEngine fails while a switch is on.
type moodyEngine struct {
	indexer.Engine
	del, flush, maintain, corrupt *atomic.Bool
	scan                          chan struct{} // where set: Scan waits for it
}

func (e moodyEngine) Delete(ctx context.Context, keys []vector.Key) error {
	if e.del.Load() {
		return errFault
	}
	return e.Engine.Delete(ctx, keys)
}

func (e moodyEngine) Flush(ctx context.Context) error {
	if e.flush.Load() {
		return errFault
	}
	return e.Engine.Flush(ctx)
}

func (e moodyEngine) Maintain(ctx context.Context, live func(fn func(vector.Record) bool) error) error {
	if e.maintain.Load() {
		return errFault
	}
	return e.Engine.Maintain(ctx, live)
}

func (e moodyEngine) Compact(ctx context.Context, live func(fn func(vector.Record) bool) error) error {
	if e.maintain.Load() {
		return errFault
	}
	return e.Engine.Compact(ctx, live)
}

func (e moodyEngine) Search(ctx context.Context, q []float32, k int, allow func(vector.Key) bool) ([]vector.Match, error) {
	if e.corrupt.Swap(false) {
		return nil, fmt.Errorf("%w: a test says so", indexer.ErrCorrupt)
	}
	return e.Engine.Search(ctx, q, k, allow)
}

func (e moodyEngine) Scan(ctx context.Context, fn func(vector.Record) bool) error {
	if e.scan != nil {
		<-e.scan
	}
	return e.Engine.Scan(ctx, fn)
}

// moods wraps the engine of w; opening fails while the returned switch is on.
func (w *world) moods() (*moodyEngine, *atomic.Bool) {
	var noOpen atomic.Bool
	e := &moodyEngine{del: &atomic.Bool{}, flush: &atomic.Bool{}, maintain: &atomic.Bool{}, corrupt: &atomic.Bool{}}
	w.tweak = func(o *indexer.Options) {
		o.OpenEngine = func(ctx context.Context, dir string, dim int) (indexer.Engine, error) {
			if noOpen.Load() {
				return nil, errFault
			}
			made, err := flat.Open(ctx, dir, dim)
			out := *e
			out.Engine = made
			return out, err
		}
	}
	return e, &noOpen
}

// TestEngineFailureIsForgottenOnceMended: what is said about the engine goes when it works again.
func TestEngineFailureIsForgottenOnceMended(t *testing.T) {
	for name, of := range map[string]func(*moodyEngine) *atomic.Bool{
		"delete": func(e *moodyEngine) *atomic.Bool { return e.del },
		"flush":  func(e *moodyEngine) *atomic.Bool { return e.flush },
		"merge":  func(e *moodyEngine) *atomic.Bool { return e.maintain },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			e, _ := w.moods()
			w.open()
			w.write("0_Inbox/a.md", "first\n")
			w.sync()
			w.settle()
			of(e).Store(true)
			w.write("0_Inbox/a.md", "second\n")
			w.sync()
			eventually(t, "to be said", func() bool { return strings.Contains(strings.Join(w.ix.Degraded(), "\n"), "engine") })
			of(e).Store(false)
			eventually(t, "no complaint", func() bool { return len(w.ix.Degraded()) == 0 })
			w.verified()
		})
	}
}

// TestEngineIsOpenedAgain: vectors that could not be replaced at first are replaced later.
func TestEngineIsOpenedAgain(t *testing.T) {
	w := newWorld(t)
	e, noOpen := w.moods()
	w.open()
	w.write("0_Inbox/a.md", "first\n")
	w.sync()
	w.settle()
	noOpen.Store(true)
	e.corrupt.Store(true)
	q := fakeVector("first", fakeDim)
	_, _ = w.ix.Reader().Vector(context.Background(), q, 5, nil)
	eventually(t, "to be said", func() bool { return len(w.ix.Degraded()) > 0 })
	noOpen.Store(false)
	eventually(t, "the vector", func() bool {
		hits, err := w.ix.Reader().Vector(context.Background(), q, 5, nil)
		return err == nil && len(hits) == 1
	})
	eventually(t, "no complaint", func() bool { return len(w.ix.Degraded()) == 0 })
}

// TestDamageThatCannotBeMendedAtOnce: the index is filled from all files once it can be made anew.
func TestDamageThatCannotBeMendedAtOnce(t *testing.T) {
	w := newWorld(t)
	_, noOpen := w.moods()
	var damaged atomic.Bool
	w.wrap = func(s indexer.RowStore) indexer.RowStore { return damagedStore{s, &damaged} }
	w.open()
	w.write("0_Inbox/a.md", "first\n")
	w.write("0_Inbox/b.md", "second\n")
	w.sync()
	damaged.Store(true)
	noOpen.Store(true)
	w.write("0_Inbox/c.md", "third\n")
	if _, err := w.ix.Sync(context.Background(), "0_Inbox/c.md"); err == nil {
		t.Fatal("no error")
	}
	damaged.Store(false)
	noOpen.Store(false)
	eventually(t, "all rows", func() bool { return w.ix.Reader().Len() == 3 })
	eventually(t, "no complaint", func() bool { return len(w.ix.Degraded()) == 0 })
	w.equal()
}

type damagedStore struct {
	indexer.RowStore
	damaged *atomic.Bool
}

func (s damagedStore) Apply(ctx context.Context, c []catalog.Change) ([][]indexer.Key, error) {
	if s.damaged.Load() {
		return nil, fmt.Errorf("%w: a test says so", catalog.ErrCorrupt)
	}
	return s.RowStore.Apply(ctx, c)
}

// TestFullDiskDoesNotKeepTheEmbedderBusy: vectors that cannot be kept are not asked for in a loop.
func TestFullDiskDoesNotKeepTheEmbedderBusy(t *testing.T) {
	w := newWorld(t).open()
	w.sync()
	w.emb.set(func(e *fakeEmbedder) { e.fail = func(int, []string) ([][]float32, error) { return nil, errFault } })
	w.write("0_Inbox/a.md", "first\n")
	w.sync()
	db, err := sql.Open("sqlite", filepath.Join(w.index, "vectors.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(`CREATE TRIGGER full BEFORE INSERT ON vectors BEGIN SELECT RAISE(ABORT, 'full'); END`); err != nil {
		t.Fatal(err)
	}
	w.emb.set(func(e *fakeEmbedder) { e.fail, e.calls = nil, 0 })
	calls := func() int {
		w.emb.mu.Lock()
		defer w.emb.mu.Unlock()
		return w.emb.calls
	}
	eventually(t, "the embedder is asked again", func() bool { return calls() > 0 })
	time.Sleep(2 * time.Second)
	if n := calls(); n > 8 {
		t.Errorf("%d calls in two seconds", n)
	}
	if _, err := db.Exec(`DROP TRIGGER full`); err != nil {
		t.Fatal(err)
	}
	w.settle()
}

// TestCloseBesideTwoProbes: a probe of the generation before may still run when the next begins.
func TestCloseBesideTwoProbes(t *testing.T) {
	w := newWorld(t)
	e, _ := w.moods()
	e.scan = make(chan struct{})
	w.open()
	w.sync()
	for range 3 {
		if err := w.ix.Probe(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	ix := w.ix
	w.ix = nil
	done := make(chan error, 1)
	go func() { done <- ix.Close(context.Background()) }()
	time.Sleep(100 * time.Millisecond)
	close(e.scan)
	select {
	case err := <-done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(patience):
		t.Fatal("Close does not return")
	}
}

// TestVectorsFollowSoonAfterAFault: however many writes failed meanwhile, everything is right a few seconds after the disk is.
func TestVectorsFollowSoonAfterAFault(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		var full atomic.Bool
		w.tweak = func(o *indexer.Options) {
			o.OpenEngine = func(ctx context.Context, dir string, dim int) (indexer.Engine, error) {
				e, err := flat.Open(ctx, dir, dim)
				return fullEngine{e, &full}, err
			}
		}
		w.open()
		w.sync()
		full.Store(true)
		for i := range 40 {
			w.facts(day, "c1", fmt.Sprintf("said while the disk was full, %d", i))
			w.sync()
			time.Sleep(150 * time.Millisecond)
		}
		if len(w.ix.Degraded()) == 0 {
			t.Error("not said")
		}
		full.Store(false)
		time.Sleep(6 * time.Second)
		if v := w.verified(); v.Pending != 0 || len(w.ix.Degraded()) != 0 {
			t.Errorf("%d vectors are still to come, degraded: %q", v.Pending, w.ix.Degraded())
		}
		w.close()
	})
}

// fullEngine has no room while full is set.
type fullEngine struct {
	indexer.Engine
	full *atomic.Bool
}

func (e fullEngine) Put(ctx context.Context, recs []vector.Record) error {
	if e.full.Load() {
		return errFault
	}
	return e.Engine.Put(ctx, recs)
}

func (e fullEngine) Flush(ctx context.Context) error {
	if e.full.Load() {
		return errFault
	}
	return e.Engine.Flush(ctx)
}
