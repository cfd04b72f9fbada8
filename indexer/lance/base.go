//go:build lancedb

package lance

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/indexer/flat/nearest"
	"github.com/reverie-memory/reverie/indexer/flat/reclog"
	"github.com/reverie-memory/reverie/indexer/lance/sketch"
	"github.com/reverie-memory/reverie/indexer/vector"
)

const (
	kindDead reclog.Kind = 4

	// verified is how many of the best candidates get their exact distance from LanceDB. It costs
	// about 80 µs each. Those behind keep their estimate, which is right to about a thousandth.
	verified = 16
	// margin is how many more candidates than asked for are verified, so that the error of the
	// estimates at the border costs no match.
	margin = 32
	// kept is how many rows the codes rank finely at least; with it recall measured 1.000.
	kept = 1000
	// doubt is the difference between estimate and distance from which on the table is taken for damaged.
	doubt = 0.05

	scanPage = 256
)

// A base is one LanceDB table with its codes and its dead. Readers hold use while they work with it.
type base struct {
	dir   string
	m     manifest // as it was when the base was made or opened: only its names are used
	use   sync.RWMutex
	table *table
	codes *sketch.Sketch
	dead  *reclog.Log           // position u64, key i64; the owner's
	pos   map[vector.Key]uint32 // live rows; the owner's
	live  atomic.Int64
	bytes atomic.Int64 // of the table
	// fragments of the table, as in the manifest
	fragments atomic.Int64
}

func deadHeader(epoch int) reclog.Header {
	return reclog.Header{Kind: kindDead, Payload: 16, Tag: uint64(epoch)}
}

func createBase(ctx context.Context, dir string, m manifest) (_ *base, err error) {
	b := &base{dir: dir, m: m, pos: map[vector.Key]uint32{}}
	if err = b.remove(); err != nil { // left by a crash under the same number
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, b.close(), b.remove())
		}
	}()
	if b.codes, err = sketch.Create(filepath.Join(dir, m.codes()), m.Dim); err != nil {
		return nil, err
	}
	if b.dead, err = reclog.Create(filepath.Join(dir, m.dead()), deadHeader(m.Base)); err != nil {
		return nil, err
	}
	b.table, err = createTable(ctx, dir, m)
	return b, err
}

func openBase(ctx context.Context, dir string, m manifest) (_ *base, err error) {
	b := &base{dir: dir, m: m}
	defer func() {
		if err != nil {
			err = errors.Join(err, b.close())
		}
	}()
	if b.codes, err = sketch.Open(filepath.Join(dir, m.codes()), m.Dim, m.Rows); err != nil {
		return nil, err
	}
	b.pos = make(map[vector.Key]uint32, m.Rows)
	if err = b.readDead(); err != nil {
		return nil, err
	}
	if b.table, err = openTable(ctx, dir, m); err != nil {
		return nil, fmt.Errorf("%w: %w", indexer.ErrCorrupt, err)
	}
	if err = b.probe(ctx); err != nil {
		return nil, err
	}
	return b, nil
}

// readDead opens the list of dead rows and fills the map of the live.
func (b *base) readDead() (err error) {
	gone := map[int]vector.Key{}
	b.dead, err = reclog.Open(filepath.Join(b.dir, b.m.dead()), deadHeader(b.m.Base), reclog.Reader{
		Record: func(_ int, p []byte) error {
			gone[int(binary.LittleEndian.Uint64(p))] = vector.Key(binary.LittleEndian.Uint64(p[8:]))
			return nil
		},
	})
	if err != nil {
		return err
	}
	b.codes.Keys(func(pos int, k vector.Key) {
		switch dead, ok := gone[pos]; {
		case !ok:
			b.pos[k] = uint32(pos)
		case dead == k:
			b.codes.Kill(pos)
			delete(gone, pos)
		}
	})
	if len(gone) > 0 {
		return fmt.Errorf("%w: %d dead rows are not in the table", indexer.ErrCorrupt, len(gone))
	}
	b.live.Store(int64(len(b.pos)))
	return nil
}

// probe asks for the first and the last row, so that a table that cannot be read is found at once.
func (b *base) probe(ctx context.Context) error {
	n, err := b.table.count(ctx)
	if err != nil {
		return fmt.Errorf("%w: %w", indexer.ErrCorrupt, err)
	}
	if n < b.m.Rows {
		return fmt.Errorf("%w: the table has %d rows, want %d", indexer.ErrCorrupt, n, b.m.Rows)
	}
	var ends []vector.Key
	b.codes.Keys(func(pos int, k vector.Key) {
		if pos == 0 || pos == b.m.Rows-1 {
			ends = append(ends, k)
		}
	})
	found, err := b.table.distances(ctx, make([]float32, b.m.Dim), ends)
	if err != nil {
		return fmt.Errorf("%w: %w", indexer.ErrCorrupt, err)
	}
	for _, k := range ends {
		if _, ok := found[k]; !ok {
			return fmt.Errorf("%w: key %d is not in the table", indexer.ErrCorrupt, k)
		}
	}
	b.bytes.Store(b.tableBytes())
	b.fragments.Store(int64(b.m.Fragments))
	return nil
}

func (b *base) tableBytes() int64 {
	size, err := walkFiles(filepath.Join(b.dir, b.m.tableDir()), nil)
	if err != nil {
		return 0 // a figure for people, not worth failing for
	}
	return size
}

// add appends records to the table and the codes. Only the manifest makes that count.
func (b *base) add(ctx context.Context, recs []vector.Record) error {
	if err := b.table.add(ctx, recs); err != nil {
		return fmt.Errorf("append to the table: %w", err)
	}
	first := b.codes.Len()
	if err := b.codes.Append(recs); err != nil {
		return fmt.Errorf("append codes: %w", err)
	}
	for i, r := range recs {
		b.pos[r.Key] = uint32(first + i)
	}
	b.live.Store(int64(len(b.pos)))
	return nil
}

// kill hides rows. Keys that are not live here are none of its business.
func (b *base) kill(keys []vector.Key) error {
	var have []vector.Key
	for _, k := range keys {
		if _, ok := b.pos[k]; ok && !slices.Contains(have, k) {
			have = append(have, k)
		}
	}
	err := b.dead.Append(len(have), func(i int, p []byte) {
		binary.LittleEndian.PutUint64(p, uint64(b.pos[have[i]]))
		binary.LittleEndian.PutUint64(p[8:], uint64(have[i]))
	})
	if err != nil {
		return err
	}
	for _, k := range have {
		b.codes.Kill(int(b.pos[k]))
		delete(b.pos, k)
	}
	b.live.Store(int64(len(b.pos)))
	return nil
}

// search returns the k nearest, best first: the codes choose candidates, LanceDB measures them.
func (b *base) search(ctx context.Context, q []float32, k int, allow func(vector.Key) bool) ([]vector.Match, error) {
	want := min(k, b.codes.Len()) + margin
	found := b.codes.Search(ctx, q, want, max(kept, 4*want), allow)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	keys := make([]vector.Key, 0, verified)
	for _, c := range found[:min(verified, len(found))] {
		keys = append(keys, c.Key)
	}
	exact, err := b.table.distances(ctx, q, keys)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("%w: %w", indexer.ErrCorrupt, err)
	}
	qq := nearest.Dot(q, q)
	out := make([]vector.Match, len(found))
	for i, c := range found {
		out[i] = c.Match
		if i >= len(keys) {
			continue
		}
		d, ok := exact[c.Key]
		if !ok {
			return nil, fmt.Errorf("%w: key %d is not in the table", indexer.ErrCorrupt, c.Key)
		}
		sim := (qq + c.Norm - d) / 2 // from |q-x|² = |q|² + |x|² - 2<q,x>
		if off := math.Abs(float64(sim - c.Similarity)); !(off <= doubt*max(1, float64(qq+c.Norm))) {
			return nil, fmt.Errorf("%w: the table's vector of key %d is not the one that was written", indexer.ErrCorrupt, c.Key)
		}
		out[i].Similarity = sim
	}
	slices.SortFunc(out[:len(keys)], nearest.Compare)
	for i := len(keys); i < len(out); i++ { // estimates may not overtake what was measured
		out[i].Similarity = min(out[i].Similarity, out[i-1].Similarity)
	}
	return out[:min(k, len(out))], nil
}

// scan calls fn for the rows at these positions, in the order of their keys.
func (b *base) scan(ctx context.Context, at map[vector.Key]uint32, fn func(vector.Record) bool) (more bool, err error) {
	keys := make([]vector.Key, 0, len(at))
	for k := range at {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for page := range slices.Chunk(keys, scanPage) {
		rows, err := b.table.vectors(ctx, page[0], page[len(page)-1])
		if err != nil {
			if ctx.Err() != nil {
				return false, ctx.Err()
			}
			return false, fmt.Errorf("%w: %w", indexer.ErrCorrupt, err)
		}
		for _, k := range page {
			vec, ok := rows[k]
			if !ok || b.codes.Checksum(vec) != b.codes.Sum(int(at[k])) {
				return false, fmt.Errorf("%w: the table's vector of key %d is not the one that was written", indexer.ErrCorrupt, k)
			}
			if !fn(vector.Record{Key: k, Vector: vec}) {
				return false, nil
			}
		}
	}
	return true, nil
}

func (b *base) close() error {
	var errs []error
	if b.table != nil {
		errs = append(errs, b.table.close())
	}
	if b.dead != nil {
		errs = append(errs, b.dead.Sync(), b.dead.Close())
	}
	if b.codes != nil {
		errs = append(errs, b.codes.Close())
	}
	return errors.Join(errs...)
}

func (b *base) remove() error {
	var errs []error
	for _, name := range []string{b.m.tableDir(), b.m.codes(), b.m.dead()} {
		errs = append(errs, os.RemoveAll(filepath.Join(b.dir, name)))
	}
	return errors.Join(errs...)
}
