package indexer

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/reverie-memory/reverie/indexer/catalog"
)

// hurt is damage that a reader met.
type hurt struct {
	view *view
	err  error
}

// damaged tells the owner of damage; any goroutine may call it.
func (ix *Indexer) damaged(v *view, err error) {
	if !isCorrupt(err) {
		return
	}
	select {
	case ix.hurt <- hurt{v, err}:
	default: // it knows of some damage already
	}
}

// heal mends what a reader met, unless that generation is gone.
func (ix *Indexer) heal(ctx context.Context, h hurt) {
	if ix.cur != nil && ix.cur.view == h.view {
		ix.indexFailed(ctx, h.err)
	}
}

// indexFailed handles a failure that nobody waits for.
func (ix *Indexer) indexFailed(ctx context.Context, err error) {
	switch {
	case ctx.Err() != nil:
	case errors.Is(err, catalog.ErrCorrupt):
		if ix.repair(ctx, err) == nil {
			ix.queue.put(func(j *job) { j.all = true })
		}
	case errors.Is(err, ErrCorrupt):
		ix.engineFailed(ix.cur, err)
	default:
		ix.log.Error("the index could not be written", "error", err)
		ix.sayUnwritten(err)
		ix.retry = ix.retry.failed(time.Now(), filePause)
		ix.later.all = true
	}
}

// engineFailed notes that the vector engine failed; lexical search goes on. A damaged engine is
// cleared and filled again from the cached vectors.
func (ix *Indexer) engineFailed(g *generation, err error) {
	ix.log.Error("the vector engine failed", "error", err)
	ix.engineRetry = ix.engineRetry.failed(time.Now(), filePause)
	if g == nil || g != ix.cur || !isCorrupt(err) {
		ix.notes.say("engine", "index: the vector engine failed, and is tried again: "+err.Error())
		ix.probed = false // it may lack what it was given
		return
	}
	ix.notes.say("engine", "index: the vectors were damaged and are being filled again")
	ctx := context.Background() // a few file operations that must not be left half done
	if err := ix.refillEngine(ctx, g); err != nil {
		ix.log.Error("filling the vectors again failed", "error", err)
		ix.notes.say("engine", "index: the vectors are damaged and cannot be replaced: "+err.Error())
	}
}

// refillEngine replaces the engine's files by empty ones and lets catchUp fill them.
func (ix *Indexer) refillEngine(ctx context.Context, g *generation) error {
	old := g.engine
	g.engine = nil
	ix.show(g).users.Wait() // searches that are under way
	if old != nil {
		if err := old.Close(); err != nil {
			ix.log.Warn("closing damaged vectors", "error", err)
		}
	}
	if err := os.RemoveAll(filepath.Join(g.store.Dir(), "vectors")); err != nil {
		return fmt.Errorf("clearing damaged vectors: %w", err)
	}
	g.put, g.drop, g.dirty = nil, nil, false
	g.pending = max(g.pending, 1) // where what follows fails, catchUp comes by again
	if err := g.store.MarkAllPending(ctx); err != nil {
		return err
	}
	var err error
	if g.pending, err = g.store.PendingCount(ctx); err != nil {
		g.pending = 1
		return err
	}
	if err := ix.openEngine(ctx, g); err != nil {
		return err
	}
	ix.show(g).users.Wait()
	ix.engineRetry = ix.engineRetry.reset()
	return nil
}

// repair replaces a catalog that is damaged or of another version by an empty one. Who waits for a sweep goes on waiting. The damage is
// said before any reader can find nothing, and until everything is there again. The damage is no news of a new version alone when cached
// vectors go, which were paid for.
func (ix *Indexer) repair(ctx context.Context, cause error) error {
	if errors.Is(cause, catalog.ErrVersion) && !errors.Is(cause, catalog.ErrVectors) {
		ix.log.Info("index of another version, built anew", "because", cause)
		ix.notes.say("damage", "index: it was of another version and is being filled anew from the vault")
	} else {
		ix.log.Error("the index is damaged; it is filled anew from the vault", "error", cause)
		ix.notes.say("damage", "index: it was damaged and is being filled anew from the vault: "+cause.Error())
	}
	ix.closeStores()
	if err := ix.clear(ctx, cause); err != nil {
		ix.log.Error("the damaged index cannot be replaced", "error", err)
		ix.notes.say("damage", "index: it is damaged and cannot be replaced: "+err.Error())
		ix.postpone(&job{all: true})
		return err
	}
	return nil
}

// reopen opens the index again after it could not be replaced.
func (ix *Indexer) reopen(ctx context.Context) error {
	if ix.cache != nil { // half opened by the try before
		if err := ix.cache.Close(); err != nil {
			ix.log.Warn("closing the index before opening it again", "error", err)
		}
		ix.cache = nil
	}
	err := ix.openStores(ctx)
	if isCorrupt(err) {
		err = ix.repair(ctx, err)
	}
	if err != nil {
		return fmt.Errorf("opening the index again: %w", err)
	}
	return nil
}

// closeStores closes everything, whatever is under way.
func (ix *Indexer) closeStores() {
	if s := ix.sweep; s != nil {
		s.stop()
		ix.sweep = nil
		ix.queue.put(func(j *job) { j.all, j.waiters = true, append(j.waiters, append(s.waiters, s.more...)...) })
	}
	if b := ix.build; b != nil {
		if b.g != nil {
			ix.release(b.g)
			b.g = nil // made anew by the next step
		}
	}
	if old := ix.views.swap(nil); old != nil {
		old.users.Wait()
	}
	if ix.cur != nil {
		ix.release(ix.cur)
		ix.cur = nil
	}
	ix.retired.Wait()
	ix.whole = false
}
