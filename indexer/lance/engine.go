//go:build lancedb

package lance

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/indexer/flat"
	"github.com/reverie-memory/reverie/indexer/flat/nearest"
	"github.com/reverie-memory/reverie/indexer/flat/reclog"
	"github.com/reverie-memory/reverie/indexer/vector"
)

// Built tells whether LanceDB is part of this program.
const Built = true

// Engine keeps old rows in a base and new ones in a delta. One goroutine writes; any number search.
type Engine struct {
	dir string
	dim int

	// mu guards the pair of pointers. Readers hold it while they use the delta, which is short; a
	// base has a lock of its own, because reading it may take long.
	mu    sync.RWMutex
	base  *base // nil while there are few rows
	delta *flat.Store

	m       manifest // the owner's
	damaged atomic.Bool
	closed  atomic.Bool
}

var (
	_ indexer.Engine       = (*Engine)(nil)
	_ indexer.NearSearcher = (*Engine)(nil)
)

// Open opens the engine in dir, making it when it is not there.
func Open(ctx context.Context, dir string, dim int) (indexer.Engine, error) {
	if err := load(); err != nil {
		return nil, fmt.Errorf("open lancedb engine: %w", err)
	}
	e := &Engine{dir: dir, dim: dim}
	if err := e.load(ctx); err != nil {
		return nil, fmt.Errorf("open lancedb engine: %w", damage(err))
	}
	return e, nil
}

func (e *Engine) load(ctx context.Context) (err error) {
	if e.dim <= 0 {
		return fmt.Errorf("dimension %d", e.dim)
	}
	if err := errors.Join(ctx.Err(), os.MkdirAll(e.dir, 0o700)); err != nil {
		return err
	}
	if err := e.loadManifest(); err != nil {
		return err
	}
	if e.delta, err = flat.OpenStore(ctx, e.path(e.m.delta()), e.dim); err != nil {
		return err
	}
	if e.m.Base > 0 {
		if e.base, err = openBase(ctx, e.dir, e.m); err != nil {
			return errors.Join(err, e.delta.Close())
		}
	}
	return e.dropLeftovers()
}

func (e *Engine) loadManifest() (err error) {
	var there bool
	if e.m, there, err = readManifest(e.dir); err != nil {
		return err
	}
	if there {
		switch _, err := os.Stat(e.path(e.m.delta())); {
		case e.m.Dim != e.dim:
			return fmt.Errorf("%w: made for %d dimensions, not %d", indexer.ErrCorrupt, e.m.Dim, e.dim)
		case err != nil && e.m.Epoch > 1:
			return fmt.Errorf("%w: %w", indexer.ErrCorrupt, err)
		}
		return nil
	}
	names, err := os.ReadDir(e.dir)
	if err != nil {
		return err
	}
	for _, n := range names {
		if n.IsDir() { // nothing is made before the first manifest
			return fmt.Errorf("%w: no manifest beside %s", indexer.ErrCorrupt, n.Name())
		}
	}
	e.m = manifest{Format: format, Dim: e.dim, Epoch: 1, Delta: 1}
	return e.m.write(e.dir)
}

// dropLeftovers removes what a crash left: whatever the manifest does not name.
func (e *Engine) dropLeftovers() error {
	keep := map[string]bool{e.m.delta(): true, e.m.codes(): e.m.Base > 0, e.m.dead(): e.m.Base > 0}
	names, err := os.ReadDir(e.dir)
	if err != nil {
		return err
	}
	for _, n := range names {
		kind, _, _ := strings.Cut(n.Name(), "-")
		if ours := kind == "delta" || kind == "codes" || kind == "dead"; ours && !keep[n.Name()] {
			err = errors.Join(err, os.RemoveAll(e.path(n.Name())))
		}
	}
	tables, terr := os.ReadDir(e.path(tablesDir))
	if terr != nil && !errors.Is(terr, os.ErrNotExist) {
		err = errors.Join(err, terr)
	}
	for _, n := range tables {
		if e.m.Base == 0 || n.Name() != e.m.table()+".lance" {
			err = errors.Join(err, os.RemoveAll(e.path(filepath.Join(tablesDir, n.Name()))))
		}
	}
	return err
}

// Name is "lancedb".
func (e *Engine) Name() string { return "lancedb" }

// Put adds records; all of them or, after an error, none. Records go to the delta: found at once, and
// durable after Flush at the price of one fsync, however few they are.
func (e *Engine) Put(ctx context.Context, recs []vector.Record) error {
	if err := e.usable(ctx); err != nil {
		return err
	}
	fresh := make([]vector.Record, 0, len(recs))
	for _, r := range recs {
		if err := errors.Join(checkKey(r.Key), flat.CheckVector(r.Vector, e.dim)); err != nil {
			return fmt.Errorf("put key %d: %w", r.Key, err)
		}
		if !e.inBase(r.Key) {
			fresh = append(fresh, r)
		}
	}
	if err := e.delta.Put(ctx, fresh); err != nil {
		return err
	}
	if n, _ := e.delta.Count(ctx); n >= fullDelta {
		return e.promote(ctx)
	}
	return nil
}

func (e *Engine) inBase(k vector.Key) bool {
	if e.base == nil {
		return false
	}
	_, ok := e.base.pos[k]
	return ok
}

// Delete hides keys at once, durably after Flush. The rows go at the next rewrite.
func (e *Engine) Delete(ctx context.Context, keys []vector.Key) error {
	if err := e.usable(ctx); err != nil {
		return err
	}
	if e.base != nil {
		if err := e.base.kill(keys); err != nil {
			return fmt.Errorf("delete vectors: %w", err)
		}
	}
	return e.delta.Delete(ctx, keys)
}

// Flush makes all earlier Puts and Deletes durable.
func (e *Engine) Flush(ctx context.Context) error {
	if err := e.usable(ctx); err != nil {
		return err
	}
	if e.base != nil {
		if err := e.base.dead.Sync(); err != nil {
			return fmt.Errorf("flush deletes: %w", err)
		}
	}
	return e.delta.Flush(ctx)
}

// Search returns the k nearest of base and delta.
func (e *Engine) Search(ctx context.Context, q []float32, k int, allow func(vector.Key) bool) ([]vector.Match, error) {
	return e.SearchNear(ctx, q, k, -math.MaxFloat32, allow)
}

// SearchNear is Search where those that are less near than least do not matter: their vectors are not read.
func (e *Engine) SearchNear(ctx context.Context, q []float32, k int, least float32, allow func(vector.Key) bool) ([]vector.Match, error) {
	if err := e.usable(ctx); err != nil {
		return nil, err
	}
	if err := flat.CheckVector(q, e.dim); err != nil {
		return nil, fmt.Errorf("search: %w", err)
	}
	if k <= 0 {
		return nil, nil
	}
	e.mu.RLock()
	b := e.base
	if b != nil {
		b.use.RLock()
		defer b.use.RUnlock()
	}
	fresh, err := e.delta.Search(ctx, q, k, allow)
	e.mu.RUnlock()
	if err != nil || b == nil {
		return fresh, err
	}
	old, err := b.search(ctx, q, k, least, allow)
	if err != nil {
		e.damaged.Store(e.damaged.Load() || errors.Is(err, indexer.ErrCorrupt))
		return nil, fmt.Errorf("search: %w", err)
	}
	return merge(fresh, old, k), nil
}

// merge joins two sorted lists. A row that is just moving from one to the other is in both.
func merge(a, b []vector.Match, k int) []vector.Match {
	if len(a) == 0 {
		return b
	}
	seen := make(map[vector.Key]struct{}, len(a))
	for _, m := range a {
		seen[m.Key] = struct{}{}
	}
	for _, m := range b {
		if _, twice := seen[m.Key]; !twice {
			a = append(a, m)
		}
	}
	slices.SortFunc(a, nearest.Compare)
	return a[:min(k, len(a))]
}

// Count is the number of live records.
func (e *Engine) Count(ctx context.Context) (int, error) {
	e.mu.RLock()
	defer e.mu.RUnlock()
	if err := e.usable(ctx); err != nil {
		return 0, err
	}
	n, err := e.delta.Count(ctx)
	if e.base != nil {
		n += int(e.base.live.Load())
	}
	return n, err
}

// Scan calls fn for each live record.
func (e *Engine) Scan(ctx context.Context, fn func(vector.Record) bool) error {
	if err := e.usable(ctx); err != nil {
		return err
	}
	e.mu.RLock()
	b := e.base
	if b != nil {
		b.use.RLock()
		defer b.use.RUnlock()
	}
	var fresh []vector.Record
	moving := map[vector.Key]bool{} // they may be in both
	err := e.delta.Scan(ctx, func(r vector.Record) bool {
		moving[r.Key] = true
		fresh = append(fresh, vector.Record{Key: r.Key, Vector: slices.Clone(r.Vector)})
		return true
	})
	e.mu.RUnlock()
	if err != nil {
		return err
	}
	if b != nil {
		more, err := b.scan(ctx, moving, fn)
		if err != nil || !more {
			e.damaged.Store(e.damaged.Load() || errors.Is(err, indexer.ErrCorrupt))
			return err
		}
	}
	for _, r := range fresh {
		if ctx.Err() != nil || !fn(r) {
			break
		}
	}
	return ctx.Err()
}

// Stats describes the files.
func (e *Engine) Stats() indexer.EngineStats {
	e.mu.RLock()
	defer e.mu.RUnlock()
	st := e.delta.Stats()
	if b := e.base; b != nil {
		st.Fragments += int(b.fragments.Load())
		st.Bytes += b.bytes.Load() + b.codes.Bytes()
		st.Dead += b.codes.Len() - int(b.live.Load())
	}
	return st
}

// Close flushes and closes everything, after the searches that are running.
func (e *Engine) Close() error {
	if e.closed.Swap(true) {
		return nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	err := e.delta.Close()
	if e.base != nil {
		e.base.use.Lock()
		defer e.base.use.Unlock()
		err = errors.Join(err, e.base.close())
	}
	return err
}

func (e *Engine) usable(ctx context.Context) error {
	if e.closed.Load() {
		return flat.ErrClosed
	}
	return ctx.Err()
}

func (e *Engine) path(name string) string { return filepath.Join(e.dir, name) }

// damage marks damaged files as such for the indexer.
func damage(err error) error {
	if errors.Is(err, reclog.ErrDamaged) && !errors.Is(err, indexer.ErrCorrupt) ||
		errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("%w: %w", indexer.ErrCorrupt, err)
	}
	return err
}
