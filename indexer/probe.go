package indexer

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/indexer/vector"
)

// probe is what the integrity probe found.
type probe struct {
	view    *view
	missing []Key // rows that the engine does not have
	orphans []Key // vectors that no row has
	err     error
}

// startProbe checks the index's files beside the owner, once after each start and switch.
func (ix *Indexer) startProbe(ctx context.Context) {
	ix.probed = true
	g := ix.cur
	v, ok := ix.views.acquire()
	if !ok {
		return
	}
	store, cache := g.store, ix.cache
	ix.probing.Go(func() {
		p := probe{view: v, err: store.Check(ctx)}
		if p.err == nil {
			p.err = cache.Check(ctx)
		}
		if p.err == nil && v.engine != nil {
			p.missing, p.orphans, p.err = compareKeys(ctx, store, v.engine)
		}
		v.users.Done() // before the owner hears of it: it may be waiting for just that
		select {
		case ix.probes <- p:
		case <-ctx.Done():
		}
	})
}

// compareKeys compares the keys of rows and vectors. Writes go on meanwhile, so what it returns is
// only suspected.
func compareKeys(ctx context.Context, store rowStore, engine Engine) (missing, orphans []Key, err error) {
	has := map[Key]bool{}
	if err := engine.Scan(ctx, func(r vector.Record) bool { has[r.Key] = true; return true }); err != nil {
		return nil, nil, fmt.Errorf("scanning vectors: %w", err)
	}
	err = store.TextHashes(ctx, func(key Key, _ catalog.Hash) bool {
		if has[key] {
			delete(has, key)
		} else {
			missing = append(missing, key)
		}
		return true
	})
	if err != nil {
		return nil, nil, fmt.Errorf("reading the rows' keys: %w", err)
	}
	orphans = slices.AppendSeq(orphans, maps.Keys(has))
	return missing, orphans, nil
}

// endProbe mends what the probe found. A key is never used twice, so that a vector whose row is
// gone now is an orphan for good; and putting a vector that is there changes nothing.
func (ix *Indexer) endProbe(ctx context.Context, p probe) {
	g := ix.cur
	if g == nil || g.view != p.view || ctx.Err() != nil {
		return
	}
	if p.err != nil {
		ix.indexFailed(ctx, fmt.Errorf("checking the index: %w", p.err))
		return
	}
	reader := g.store.Reader()
	for _, key := range p.orphans {
		if !reader.Has(key) {
			g.drop = append(g.drop, key)
		}
	}
	if len(p.missing) > 0 {
		if err := ix.flush(ctx, g); err != nil {
			return
		}
		if err := g.pend(ctx, p.missing); err != nil {
			ix.indexFailed(ctx, err)
			return
		}
	}
	if len(g.drop) > 0 {
		ix.toEngine(ctx, g, nil)
	}
}

// pend has rows wait for their vectors again: catchUp takes them from the cache, and has those made that the cache lacks.
func (g *generation) pend(ctx context.Context, keys []Key) error {
	if err := g.store.MarkPending(ctx, keys); err != nil {
		return err
	}
	if n, err := g.store.PendingCount(ctx); err == nil {
		g.pending = n
	}
	return nil
}

// live gives an engine the whole truth again, from the cache.
func (ix *Indexer) live(ctx context.Context, g *generation) func(func(vector.Record) bool) error {
	return func(fn func(vector.Record) bool) error {
		var lost, keys []Key
		var hashes []catalog.Hash
		var failed error
		more := true
		page := func() bool {
			vectors, err := ix.cache.Vectors(ctx, g.info.Fingerprint, hashes)
			if failed = err; err != nil {
				return false
			}
			for i, key := range keys {
				switch v, ok := vectors[hashes[i]]; {
				case !ok:
					lost = append(lost, key)
				case more && !isZero(v):
					more = fn(vector.Record{Key: key, Vector: v})
				}
			}
			keys, hashes = keys[:0], hashes[:0]
			return more
		}
		err := g.store.TextHashes(ctx, func(key Key, h catalog.Hash) bool {
			keys, hashes = append(keys, key), append(hashes, h)
			return len(keys) < 1000 || page()
		})
		if err == nil && failed == nil && more {
			page()
		}
		if failed != nil {
			err = failed
		}
		if err != nil {
			return fmt.Errorf("reading the vectors again: %w", err)
		}
		if len(lost) > 0 { // the cache lost them: they are made again
			if err := g.store.MarkPending(ctx, lost); err != nil {
				return err
			}
			g.pending += len(lost)
		}
		return nil
	}
}
