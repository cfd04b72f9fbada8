package indexer

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// ErrVectorsLeft says that vectors of deleted rows are still on the disk; they go with the engine's next merge.
var ErrVectorsLeft = errors.New("vectors of it are left")

// Scrub takes the bytes of deleted rows off the disk: out of the database and its log, the vectors of texts that no row has any
// more out of the cache, and those of deleted rows out of the engine's files. Where the engine cannot do that now, everything else is done
// and the error wraps [ErrVectorsLeft]. Scrub is for a purge; otherwise all of that happens in its own time.
func (ix *Indexer) Scrub(ctx context.Context) error {
	done := make(chan error, 1)
	ok := ix.queue.put(func(j *job) {
		j.calls = append(j.calls, func(ctx context.Context) { done <- ix.scrub(ctx) })
	})
	if !ok {
		return ErrClosed
	}
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return fmt.Errorf("scrubbing the index: %w", ctx.Err())
	case <-ix.stopped:
		return ErrClosed
	}
}

func (ix *Indexer) scrub(ctx context.Context) error {
	ix.saveProjections()
	if ix.cur == nil {
		return nil
	}
	list := []*generation{ix.cur}
	if b := ix.build; b != nil && b.g != nil && b.g != ix.cur {
		list = append(list, b.g)
	}
	left := ix.prune(ctx, ix.cur.info.Fingerprint, ix.o.Embedder.Fingerprint())
	for _, g := range list {
		if err := g.store.Scrub(ctx); err != nil {
			return fmt.Errorf("scrubbing the index: %w", err)
		}
		left = errors.Join(left, ix.compact(ctx, g))
	}
	if left != nil {
		return fmt.Errorf("%w: %w", ErrVectorsLeft, left)
	}
	return nil
}

// compact takes the vectors of deleted rows out of the engine's files. After a failure the next merge does it.
func (ix *Indexer) compact(ctx context.Context, g *generation) error {
	if _, err := os.Stat(filepath.Join(g.store.Dir(), "vectors")); g.engine == nil && errors.Is(err, fs.ErrNotExist) {
		return nil // there was never a vector
	}
	if g.dead = true; !ix.toEngine(ctx, g, nil) {
		return errors.New("the vector engine is not at work")
	}
	if err := g.engine.Compact(ctx, ix.live(ctx, g)); err != nil {
		g.touched = true
		ix.engineFailed(g, fmt.Errorf("merging vectors: %w", err))
		return err
	}
	g.dead = false
	return nil
}
