package indexer_test

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/indexer/catalog"
)

// manyFiles is more than are read without a sweep.
const manyFiles = 80

func manyNotes(w *world, round int64) {
	for i := range manyFiles {
		w.write(fmt.Sprintf("2_Wiki/n%03d.md", i), fmt.Sprintf("note number %d%s\n", i, strings.Repeat(" again", int(round))))
	}
}

func TestARebuildEndsUnderRequestsThatNeverPause(t *testing.T) {
	w := newWorld(t).open()
	manyNotes(w, 0)
	w.sync()
	stop := make(chan struct{})
	w.ix.KeepAsking(stop)
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second) // only where it would never end
	defer cancel()
	err := w.ix.Rebuild(ctx, nil)
	close(stop)
	if err != nil {
		t.Fatal(err)
	}
	w.equal()
}

// changingStore has another program write to every file whenever the next generation is written.
type changingStore struct {
	indexer.RowStore
	change func()
}

func (s changingStore) Apply(ctx context.Context, c []catalog.Change) ([][]indexer.Key, error) {
	if s.Info().ID > 1 {
		s.change()
	}
	return s.RowStore.Apply(ctx, c)
}

func TestARebuildEndsWhereEveryFileKeepsChanging(t *testing.T) {
	const enough = 20
	w := newWorld(t)
	var rounds atomic.Int64
	w.wrap = func(s indexer.RowStore) indexer.RowStore {
		return changingStore{s, func() {
			if n := rounds.Add(1); n < enough {
				manyNotes(w, n)
			}
		}}
	}
	w.open()
	manyNotes(w, 0)
	w.sync()
	if err := w.ix.Rebuild(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	if n := rounds.Swap(enough); n >= enough {
		t.Errorf("it ended only when nothing changed any more")
	}
	w.sync()
	w.equal()
	w.settle()
	w.verified()
}
