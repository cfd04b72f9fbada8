package indexer

import (
	"context"
	"errors"
	"fmt"

	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/indexer/vector"
	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/vault"
)

// apply writes a batch: new vectors into the cache, then rows and file states in one transaction,
// then vectors into the engine. A crash between two of these is mended at the next start: a cached
// vector without a row is pruned, a row without a vector is pending, a vector without a row is no
// hit and the probe deletes it.
//
// Changes of files that were changed by someone else since they were planned are left out and returned.
func (ix *Indexer) apply(ctx context.Context, g *generation, b *prepared) (late []target, err error) {
	defer func() {
		if err != nil { // what was followed may be ahead of the catalog
			g.hot = hotFiles{}
		}
	}()
	files, late := g.timely(b.files)
	if len(b.fresh) > 0 {
		if err := ix.cache.PutVectors(ctx, g.info.Fingerprint, b.fresh); err != nil {
			return nil, fmt.Errorf("caching vectors: %w", err)
		}
	}
	var changes []catalog.Change
	var written []*fileChange
	for _, fc := range files {
		if fc.write {
			changes, written = append(changes, fc.change), append(written, fc)
		}
	}
	if len(changes) > 0 {
		keys, err := g.store.Apply(ctx, changes)
		if err != nil {
			return nil, fmt.Errorf("writing rows: %w", err)
		}
		ix.vectorsOf(ctx, g, b, written, keys)
	}
	for _, fc := range files {
		ix.remember(g, fc)
	}
	ix.tellAdded(g, written)
	return late, nil
}

// tellAdded tells of the rows that are new, where more than what is there already is read.
func (ix *Indexer) tellAdded(g *generation, files []*fileChange) {
	if ix.o.Added == nil || g != ix.cur || !ix.whole {
		return
	}
	for _, fc := range files {
		rows := slice.Map(fc.added, func(at int) Row { return fc.change.Insert[at] })
		if len(rows) > 0 {
			ix.o.Added(rows)
		}
	}
}

// timely parts the changes into those that still fit the catalog and the targets of the others.
func (g *generation) timely(all []fileChange) (files []*fileChange, late []target) {
	for i := range all {
		fc := &all[i]
		old, known := g.files[fc.path]
		if known == fc.known && old == fc.old {
			files = append(files, fc)
			continue
		}
		t := fc.target
		t.old, t.known = old, known
		late = append(late, t)
	}
	return files, late
}

// vectorsOf brings the engine to where the catalog is now. A failing engine does not undo the rows:
// they wait for their vectors.
func (ix *Indexer) vectorsOf(ctx context.Context, g *generation, b *prepared, files []*fileChange, keys [][]Key) {
	var puts []vector.Record
	var done, drop []Key
	for i, fc := range files {
		drop = append(drop, fc.change.Delete...)
		for j, key := range keys[i] {
			v, ok := b.vectors[fc.texts[j].hash]
			switch {
			case !ok:
				g.pending++
			case isZero(v):
				done = append(done, key)
			default:
				puts = append(puts, vector.Record{Key: key, Vector: v})
			}
		}
		fc.fillKeys(keys[i])
	}
	g.put = append(g.put, done...)
	g.drop = append(g.drop, drop...)
	ix.toEngine(ctx, g, puts)
}

// toEngine puts vectors and deletes what is to be dropped.
func (ix *Indexer) toEngine(ctx context.Context, g *generation, puts []vector.Record) bool {
	if g.engine == nil {
		g.pending += len(puts)
		return false
	}
	if len(puts) > 0 {
		if err := g.engine.Put(ctx, puts); err != nil {
			g.pending += len(puts)
			ix.engineFailed(g, fmt.Errorf("putting %d vectors: %w", len(puts), err))
			return false
		}
		for i := range puts {
			g.put = append(g.put, puts[i].Key)
		}
	}
	if len(g.drop) > 0 {
		if err := g.engine.Delete(ctx, g.drop); err != nil {
			ix.engineFailed(g, fmt.Errorf("deleting %d vectors: %w", len(g.drop), err))
			return false
		}
		g.drop = nil
	}
	g.dirty, g.touched = true, true
	return true
}

// flush makes what the engine was given durable, and only then tells the catalog.
func (ix *Indexer) flush(ctx context.Context, g *generation) error {
	if len(g.put) == 0 && !g.dirty {
		return nil
	}
	if g.engine != nil {
		if err := g.engine.Flush(ctx); err != nil {
			ix.engineFailed(g, fmt.Errorf("flushing vectors: %w", err))
			return err
		}
	}
	if len(g.put) > 0 {
		if err := g.store.MarkVectors(ctx, g.put); err != nil {
			return fmt.Errorf("marking vectors: %w", err)
		}
	}
	g.put, g.dirty = nil, false
	return nil
}

// fillKeys gives the keys of the inserted rows to the states that wait for them.
func (fc *fileChange) fillKeys(keys []Key) {
	n := 0
	for i := range fc.states {
		if fc.states[i].Key == 0 && n < len(keys) {
			fc.states[i].Key = keys[n]
			n++
		}
	}
}

// remember notes what the catalog has now.
func (ix *Indexer) remember(g *generation, fc *fileChange) {
	if fc.gone {
		delete(g.files, fc.path)
		g.hot.forget(fc.path)
	} else if fc.change.State != nil {
		g.files[fc.path] = *fc.change.State
	}
	if fc.hot != nil {
		fc.hot.applied(fc.states)
		g.hot.keep(fc.hot)
	} else if fc.parsed { // by a sweep, which follows nothing: what is remembered is behind
		g.hot.forget(fc.path)
	}
	if fc.gone || fc.parsed {
		ix.notes.file(fc.path, fc.problems)
	}
}

// isCorrupt says that files of the index are damaged and can be made anew.
func isCorrupt(err error) bool {
	return errors.Is(err, ErrCorrupt) || errors.Is(err, catalog.ErrCorrupt)
}

// fileProblem is the problem of a file that cannot be read.
func fileProblem(p vault.Path, err error) vault.Problem {
	problem := vault.Problem{Path: p, Reason: "cannot be read: " + err.Error(), Hint: "its rows stay as they were"}
	var ve *vault.Error
	if errors.As(err, &ve) && ve.Hint != "" {
		problem.Hint = ve.Hint
	}
	return problem
}
