package indexer_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/indexer/flat"
	"github.com/reverie-memory/reverie/indexer/vector"
	"github.com/reverie-memory/reverie/vault"
)

// TestNothingIsFoundInSilence: from the moment that a damaged index is taken away until it is filled again, every answer says so.
func TestNothingIsFoundInSilence(t *testing.T) {
	w := newWorld(t)
	broken := new(atomic.Bool)
	var ix *indexer.Indexer
	var healing atomic.Bool
	check := func(when string) {
		if healing.Load() && ix.Reader().Len() == 0 && len(ix.Degraded()) == 0 {
			t.Errorf("%s: there are no rows, and nobody is told", when)
		}
	}
	w.wrap = func(s indexer.RowStore) indexer.RowStore { return crackedStore{s, broken} }
	w.tweak = func(o *indexer.Options) {
		o.OpenEngine = func(ctx context.Context, dir string, dim int) (indexer.Engine, error) {
			check("opening")
			e, err := flat.Open(ctx, dir, dim)
			return watchedEngine{e, func() { check("closing") }}, err
		}
	}
	w.open()
	ix = w.ix
	w.facts(day, "c1", "Alice moved to Berlin")
	w.sync()
	healing.Store(true)
	broken.Store(true)
	w.facts(day, "c1", "Noor likes tea")
	w.sync()
	healing.Store(false)
	w.equal()
}

// crackedStore finds its file damaged once.
type crackedStore struct {
	indexer.RowStore
	broken *atomic.Bool
}

func (s crackedStore) Apply(ctx context.Context, c []catalog.Change) ([][]indexer.Key, error) {
	if s.broken.CompareAndSwap(true, false) {
		return nil, &catalog.CorruptError{What: "rows"}
	}
	return s.RowStore.Apply(ctx, c)
}

func (s crackedStore) Check(ctx context.Context) error {
	if s.broken.CompareAndSwap(true, false) {
		return &catalog.CorruptError{What: "rows"}
	}
	return s.RowStore.Check(ctx)
}

type watchedEngine struct {
	indexer.Engine
	closing func()
}

func (e watchedEngine) Close() error {
	e.closing()
	return e.Engine.Close()
}

// TestVerifyMendsWhatCannotBeRead: damage that it meets is mended at once, and said.
func TestVerifyMendsWhatCannotBeRead(t *testing.T) {
	w := newWorld(t)
	broken := new(atomic.Bool)
	w.wrap = func(s indexer.RowStore) indexer.RowStore { return crackedStore{s, broken} }
	w.open()
	w.facts(day, "c1", "Alice moved to Berlin", "Noor likes tea")
	w.sync()
	broken.Store(true)
	v := w.verified()
	if v.Rows != 2 || !strings.Contains(strings.Join(v.Details, "\n"), "damaged") {
		t.Errorf("%+v", v)
	}
	if d := w.ix.Degraded(); len(d) > 0 {
		t.Errorf("degraded: %q", d)
	}
}

// TestVerifyMendsVectors: one whose cached copy is damaged, or that the engine lacks, counts as wrong and is there again soon.
func TestVerifyMendsVectors(t *testing.T) {
	w, engine := newEngineWorld(t)
	w.facts(day, "c1", "Alice moved to Berlin", "Noor likes tea")
	w.sync()
	w.settle()
	db, err := sql.Open("sqlite", filepath.Join(w.index, "vectors.db"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.Exec(`UPDATE vectors SET data = zeroblob(length(data)) WHERE id = 1`)
	if err = errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	v, err := w.ix.Verify(t.Context())
	if err != nil || v.VectorsWrong != 1 || !strings.Contains(strings.Join(v.Details, " "), "made again") {
		t.Errorf("%+v, %v", v, err)
	}
	w.settle()
	w.verified()
	if err := engine.Delete(t.Context(), []vector.Key{1}); err != nil {
		t.Fatal(err)
	}
	if v, err := w.ix.Verify(t.Context()); err != nil || v.VectorsWrong != 1 {
		t.Errorf("%+v, %v, want one vector missing", v, err)
	}
	w.settle()
	w.verified()
}

// TestRebuildMendsTheCatalog: who asks for a rebuild gets one, whatever is damaged.
func TestRebuildMendsTheCatalog(t *testing.T) {
	w := newWorld(t).open()
	for i := range manyFiles {
		w.write(fmt.Sprintf("2_Wiki/n%03d.md", i), fmt.Sprintf("note number %d\n", i))
	}
	w.sync()
	w.settle()
	w.close() // so that all of it is in the file
	w.open()
	w.sync()
	f, err := os.OpenFile(filepath.Join(w.index, "catalog.db"), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	info, err := f.Stat()
	if err == nil {
		_, err = f.WriteAt(make([]byte, info.Size()), 0)
	}
	if err = errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
	if err := w.ix.Rebuild(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	w.equal()
	w.settle()
	w.verified()
}

// TestAnotherFolderIsNotTheVault: what stands in the vault's place takes no row away, and what was asked for meanwhile is done when the
// vault is back.
func TestAnotherFolderIsNotTheVault(t *testing.T) {
	w := newWorld(t).open()
	w.write("0_Inbox/a.md", "first\n")
	w.sync()
	if err := errors.Join(os.Rename(w.dir, w.dir+" moved"), os.Mkdir(w.dir, 0o700)); err != nil {
		t.Skip("this system moves no folder that is open:", err)
	}
	if _, err := w.ix.Sync(context.Background(), "0_Inbox/a.md", "0_Inbox/b.md"); !errors.Is(err, vault.ErrMoved) {
		t.Errorf("Sync: %v", err)
	}
	if n := w.ix.Reader().Len(); n != 1 || !strings.Contains(strings.Join(w.ix.Degraded(), "\n"), "put the vault's folder back") {
		t.Errorf("%d rows, degraded: %q", n, w.ix.Degraded())
	}
	if err := errors.Join(os.Remove(w.dir), os.Rename(w.dir+" moved", w.dir)); err != nil {
		t.Fatal(err)
	}
	w.write("0_Inbox/b.md", "second\n")
	eventually(t, "the row", func() bool { return w.ix.Reader().Len() == 2 })
	eventually(t, "no complaint", func() bool { return len(w.ix.Degraded()) == 0 })
	w.equal()
}

// TestWhoWaitsGoesOnWaitingBesideDamage: a Sync of one file that finds the catalog damaged ends when all files are read anew.
func TestWhoWaitsGoesOnWaitingBesideDamage(t *testing.T) {
	w := newWorld(t)
	for i := range manyFiles {
		w.write(fmt.Sprintf("2_Wiki/n%03d.md", i), fmt.Sprintf("note number %d\n", i))
	}
	w.open()
	w.sync()
	w.close()
	var damaged atomic.Bool
	w.wrap = func(s indexer.RowStore) indexer.RowStore {
		if damaged.Load() {
			return s // made anew
		}
		return damagedStore{s, &damaged}
	}
	w.open()
	w.settle()
	damaged.Store(true)
	w.write("2_Wiki/n003.md", "another note\n")
	ctx, cancel := context.WithTimeout(context.Background(), patience) // only where it would never end
	defer cancel()
	if _, err := w.ix.Sync(ctx, "2_Wiki/n003.md"); err != nil {
		t.Fatal(err)
	}
	w.equal()
	w.settle()
	w.verified()
}
