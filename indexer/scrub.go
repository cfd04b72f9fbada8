package indexer

import (
	"context"
	"fmt"
)

// Scrub takes the bytes of deleted rows off the disk: out of the database and its log, and the vectors of texts that no row
// has any more out of the cache. It is for a purge; otherwise both happen in their own time.
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
	if ix.cur == nil {
		return nil
	}
	ix.prune(ctx, ix.cur.info.Fingerprint, ix.o.Embedder.Fingerprint())
	list := []*generation{ix.cur}
	if b := ix.build; b != nil && b.g != nil && b.g != ix.cur {
		list = append(list, b.g)
	}
	for _, g := range list {
		if err := g.store.Scrub(ctx); err != nil {
			return fmt.Errorf("scrubbing the index: %w", err)
		}
	}
	return nil
}
