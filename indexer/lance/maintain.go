//go:build lancedb

package lance

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/indexer/flat"
	"github.com/reverie-memory/reverie/indexer/vector"
	"github.com/reverie-memory/reverie/internal/headroom"
)

const (
	// fullDelta is the size from which on the delta moves to the base at once, in the middle of a
	// bulk load; fewDelta the size from which on it moves when there is time.
	fullDelta = 4096
	fewDelta  = 256
	// A base is rewritten when a fifth of its rows is dead, or when it has become many fragments:
	// each costs every search a little.
	deadShare    = 5
	deadFew      = 64
	maxFragments = 32
)

// Maintain moves the delta into the base when it has grown, and rewrites the base from live when
// that is worth it or when it was found damaged. Without live it only moves.
func (e *Engine) Maintain(ctx context.Context, live func(fn func(vector.Record) bool) error) error {
	if err := e.usable(ctx); err != nil {
		return err
	}
	if live != nil && e.rewriteDue() {
		if err := e.rewrite(ctx, live); err != nil {
			return fmt.Errorf("rewrite the base: %w", err)
		}
		return nil
	}
	if n, _ := e.delta.Count(ctx); n >= fewDelta {
		return e.promote(ctx)
	}
	return e.delta.Maintain(ctx, nil)
}

// Compact rewrites the base when a row of it is dead: LanceDB takes out no row of a fragment. Otherwise only the delta is.
func (e *Engine) Compact(ctx context.Context, live func(fn func(vector.Record) bool) error) error {
	if err := e.usable(ctx); err != nil {
		return err
	}
	if e.base == nil || e.base.codes.Len() == len(e.base.pos) && !e.damaged.Load() {
		return e.delta.Compact(ctx, nil)
	}
	if err := e.rewrite(ctx, live); err != nil {
		return fmt.Errorf("rewrite the base: %w", err)
	}
	return nil
}

func (e *Engine) rewriteDue() bool {
	if e.base == nil {
		return false
	}
	rows := e.base.codes.Len()
	dead := rows - len(e.base.pos)
	return e.damaged.Load() || dead >= deadFew && dead*deadShare > rows ||
		e.m.Fragments > maxFragments+rows/fullDelta
}

// promote appends the delta's rows to the base as one fragment and starts an empty delta. The
// manifest decides: before it is replaced, the old delta still has the rows, and what the base has
// too many of is cut off (codes) or never asked for (table) after a crash.
func (e *Engine) promote(ctx context.Context) error {
	next := e.m
	next.Epoch++
	next.Delta = next.Epoch
	b := e.base
	if b == nil {
		next.Base, next.Rows, next.Fragments, next.Runs = next.Epoch, 0, 0, nil
		var err error
		if b, err = createBase(ctx, e.dir, next); err != nil {
			return fmt.Errorf("make a base: %w", err)
		}
	}
	err := e.promoteTo(ctx, b, next)
	if err != nil && b != e.base {
		err = errors.Join(err, b.close(), b.remove())
	} else if err != nil {
		// The table may have rows that the manifest does not count; they would be appended again.
		e.damaged.Store(true)
	}
	return err
}

func (e *Engine) promoteTo(ctx context.Context, b *base, next manifest) error {
	var recs []vector.Record
	if err := e.delta.Scan(ctx, func(r vector.Record) bool {
		if _, there := b.pos[r.Key]; !there { // a move that failed may have got so far
			recs = append(recs, r)
		}
		return true
	}); err != nil {
		return err
	}
	slices.SortFunc(recs, func(x, y vector.Record) int { return int(x.Key - y.Key) })
	headroom.GiveBack() // each of arrow, binding and library is about to copy the vectors
	if len(recs) > 0 {
		if err := b.add(ctx, recs); err != nil {
			return fmt.Errorf("move the delta: %w", err)
		}
	}
	if err := b.table.settle(ctx); err != nil {
		return fmt.Errorf("move the delta: %w", err)
	}
	next.Rows, next.Runs, next.Fragments = b.codes.Len(), b.runs.list(), next.Fragments+1
	return e.switchTo(ctx, next, b, nil)
}

// rewrite makes a new base from live, beside the old one, and drops that.
func (e *Engine) rewrite(ctx context.Context, live func(fn func(vector.Record) bool) error) error {
	next := e.m
	next.Epoch++
	next.Base, next.Delta, next.Rows, next.Fragments, next.Runs = next.Epoch, next.Epoch, 0, 0, nil
	b, err := createBase(ctx, e.dir, next)
	if err != nil {
		return err
	}
	rest, err := e.fill(ctx, b, &next, live)
	if err == nil && next.Rows == 0 { // too few for a base
		err = errors.Join(b.close(), b.remove())
		b, next.Base = nil, 0
	} else if err == nil {
		err = b.table.settle(ctx)
	}
	if err == nil {
		err = e.switchTo(ctx, next, b, rest)
	}
	if err != nil && b != nil {
		err = errors.Join(err, b.close(), b.remove())
	}
	return err
}

// fill writes what live gives into a base, one fragment at a time, and returns the last few rows,
// which are too few for a fragment. Every key that the engine has must be among them.
func (e *Engine) fill(ctx context.Context, b *base, next *manifest, live func(fn func(vector.Record) bool) error) ([]vector.Record, error) {
	var batch []vector.Record
	var failed error
	seen := map[vector.Key]struct{}{}
	known := 0
	put := func() bool {
		failed = errors.Join(b.add(ctx, batch), ctx.Err())
		next.Rows, next.Runs, next.Fragments, batch = b.codes.Len(), b.runs.list(), next.Fragments+1, batch[:0]
		return failed == nil
	}
	err := live(func(r vector.Record) bool {
		if _, twice := seen[r.Key]; twice {
			return true
		}
		if failed = errors.Join(checkKey(r.Key), flat.CheckVector(r.Vector, e.dim)); failed != nil {
			return false
		}
		seen[r.Key] = struct{}{}
		if e.inBase(r.Key) || e.delta.Has(r.Key) {
			known++
		}
		batch = append(batch, vector.Record{Key: r.Key, Vector: slices.Clone(r.Vector)})
		return len(batch) < fullDelta || put()
	})
	if err := errors.Join(err, failed, ctx.Err()); err != nil {
		return nil, err
	}
	if have, err := e.keys(ctx); err != nil || known < have {
		return nil, errors.Join(err, fmt.Errorf("the catalog gave %d of %d vectors", known, have))
	}
	if len(batch) >= fewDelta {
		put()
		return nil, failed
	}
	return batch, nil
}

// keys is how many keys the engine has. A move that failed leaves rows in the base and the delta.
func (e *Engine) keys(ctx context.Context) (int, error) {
	n := 0
	if e.base != nil {
		n = len(e.base.pos)
	}
	err := e.delta.Scan(ctx, func(r vector.Record) bool {
		if !e.inBase(r.Key) {
			n++
		}
		return true
	})
	return n, err
}

// switchTo makes the next manifest, with this base and a new delta of these rows, the current one.
func (e *Engine) switchTo(ctx context.Context, next manifest, b *base, rows []vector.Record) error {
	delta, err := flat.OpenStore(ctx, e.path(next.delta()), e.dim)
	if err != nil {
		return err
	}
	if err := errors.Join(delta.Put(ctx, rows), delta.Flush(ctx)); err != nil {
		return errors.Join(err, delta.Close())
	}
	if err := next.write(e.dir); err != nil {
		return errors.Join(err, delta.Close())
	}
	oldBase, oldDelta := e.base, e.delta
	e.mu.Lock()
	e.base, e.delta = b, delta
	e.mu.Unlock()
	e.m = next
	if b != nil {
		b.fragments.Store(int64(next.Fragments))
		b.bytes.Store(b.tableBytes())
	}
	err = oldDelta.Close()
	if oldBase != nil && oldBase != b {
		e.damaged.Store(false)
		oldBase.use.Lock() // searches that began before the switch
		err = errors.Join(err, oldBase.close())
		oldBase.use.Unlock()
	}
	giveBack()
	return errors.Join(err, e.dropLeftovers())
}

var _ indexer.EngineOpener = Open
