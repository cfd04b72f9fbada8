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
	"github.com/reverie-memory/reverie/llm"
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

// heldStore stops what writes the next generation until it is let go on.
type heldStore struct {
	indexer.RowStore
	held, goOn chan struct{}
}

func (s heldStore) Apply(ctx context.Context, c []catalog.Change) ([][]indexer.Key, error) {
	if s.Info().ID > 1 {
		select {
		case s.held <- struct{}{}:
		case <-s.goOn:
		}
		<-s.goOn
	}
	return s.RowStore.Apply(ctx, c)
}

func TestTheOldGenerationAnswersInTheMiddleOfARebuild(t *testing.T) {
	w := newWorld(t)
	held, goOn := make(chan struct{}), make(chan struct{})
	w.wrap = func(s indexer.RowStore) indexer.RowStore { return heldStore{s, held, goOn} }
	w.open()
	manyNotes(w, 0)
	w.sync()
	w.settle()
	done := make(chan error, 1)
	go func() { done <- w.ix.Rebuild(context.Background(), nil) }()
	<-held
	r, release := w.ix.Reader().Pin()
	if hits, err := r.Lexical(context.Background(), "number", 2*manyFiles, nil); err != nil || len(hits) != manyFiles {
		t.Errorf("by words: %d hits, %v", len(hits), err)
	}
	question, err := w.emb.Embed(context.Background(), []string{"note number 7"}, llm.Query)
	if err != nil {
		t.Fatal(err)
	}
	if hits, err := r.Vector(context.Background(), question[0], 5, nil); err != nil || len(hits) != 5 {
		t.Errorf("by vectors: %d hits, %v", len(hits), err)
	}
	if got := r.Generation(); got != 1 {
		t.Errorf("generation %d answered", got)
	}
	release()
	close(goOn)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	w.equal()
}
