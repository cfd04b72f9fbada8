//go:build lancedb

package lance

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
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

	// kept is how many candidates are measured at least, and spare how many for each match that is asked for; with them
	// recall measured 1.000.
	kept  = 1000
	spare = 6
	// share is how many candidates one goroutine measures at least.
	share = 256

	scanPage = 256
)

// A base is one LanceDB table with its codes and its dead. Readers hold use while they work with it.
type base struct {
	dir   string
	m     manifest // as it was when the base was made or opened: only its names are used
	use   sync.RWMutex
	table *table
	runs  *runs
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
	if b.runs, err = openRuns(dir, m); err != nil {
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
	if b.runs, err = openRuns(dir, m); err != nil {
		return nil, fmt.Errorf("%w: %w", indexer.ErrCorrupt, err)
	}
	if b.table, err = openTable(ctx, dir, m); err != nil {
		return nil, fmt.Errorf("%w: %w", indexer.ErrCorrupt, err)
	}
	if err = b.probe(); err != nil {
		return nil, fmt.Errorf("%w: %w", indexer.ErrCorrupt, err)
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
	for row := range b.codes.All() {
		switch dead, ok := gone[row.Pos]; {
		case !ok:
			b.pos[row.Key] = uint32(row.Pos)
		case dead == row.Key:
			b.codes.Kill(row.Pos)
			delete(gone, row.Pos)
		}
	}
	if len(gone) > 0 {
		return fmt.Errorf("%w: %d dead rows are not in the table", indexer.ErrCorrupt, len(gone))
	}
	b.live.Store(int64(len(b.pos)))
	return nil
}

// probe reads the first and the last row of each run, so that a file that is cut short is found at once.
func (b *base) probe() error {
	raw := make([]byte, 4*b.m.Dim)
	rows := 0
	for _, r := range b.m.Runs {
		rows += r.Rows
		for _, pos := range []int{rows - r.Rows, rows - 1} {
			if _, err := b.runs.read(pos, raw); err != nil {
				return err
			}
		}
	}
	if rows != b.m.Rows {
		return fmt.Errorf("%w: the files have %d vectors, want %d", indexer.ErrCorrupt, rows, b.m.Rows)
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
	before, err := b.runs.files()
	if err != nil {
		return err
	}
	if err := b.table.add(ctx, recs); err != nil {
		return fmt.Errorf("append to the table: %w", err)
	}
	first := b.codes.Len()
	where, err := b.runs.locate(recs, before)
	if err == nil {
		err = b.runs.add(first, where) // before the codes, which lead searches there
	}
	if err != nil {
		return fmt.Errorf("find what was appended: %w", err)
	}
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

// search returns the k nearest, best first: the codes choose candidates, which are measured by their vectors. Rows may be left out that are
// less near than least.
func (b *base) search(ctx context.Context, q []float32, k int, least float32, allow func(vector.Key) bool) ([]vector.Match, error) {
	found := b.codes.Search(ctx, q, max(kept, spare*min(k, b.codes.Len())), least, allow)
	workers := max(1, min(runtime.GOMAXPROCS(0), len(found)/share))
	best, errs := make([]*nearest.Best, workers), make([]error, workers)
	var wg sync.WaitGroup
	for w := range workers {
		best[w] = nearest.NewBest(k)
		measure := func() { errs[w] = b.measure(ctx, q, found[w*len(found)/workers:(w+1)*len(found)/workers], best[w]) }
		if w == workers-1 {
			measure()
		} else {
			wg.Go(measure)
		}
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil || ctx.Err() != nil {
		return nil, errors.Join(ctx.Err(), err)
	}
	for _, more := range best[1:] {
		best[0].Merge(more)
	}
	return best[0].Sorted(), nil
}

// measure adds what the vectors of candidates say.
func (b *base) measure(ctx context.Context, q []float32, found []sketch.Candidate, best *nearest.Best) error {
	raw, vec := make([]byte, 4*b.m.Dim), make([]float32, b.m.Dim)
	for _, c := range found {
		if ctx.Err() != nil {
			return nil
		}
		if _, err := b.runs.read(c.Pos, raw); err != nil {
			return fmt.Errorf("%w: %w", indexer.ErrCorrupt, err)
		}
		if err := b.decode(c, raw, vec); err != nil {
			return err
		}
		best.Add(vector.Match{Key: c.Key, Similarity: nearest.Dot(q, vec)})
	}
	return nil
}

// decode is the vector of a row from its bytes.
func (b *base) decode(row sketch.Candidate, raw []byte, vec []float32) error {
	if sketch.Checksum(raw) != row.Sum {
		return fmt.Errorf("%w: the table's vector of key %d is not the one that was written", indexer.ErrCorrupt, row.Key)
	}
	vector.FromBytes(raw, vec)
	return nil
}

// scan calls fn for the live rows but those in skip.
func (b *base) scan(ctx context.Context, skip map[vector.Key]bool, fn func(vector.Record) bool) (more bool, err error) {
	size := 4 * b.m.Dim
	buf, vec, have := make([]byte, scanPage*size), make([]float32, b.m.Dim), 0
	var raw []byte
	for row := range b.codes.All() {
		if have == 0 {
			if ctx.Err() != nil {
				return false, ctx.Err()
			}
			if have, err = b.runs.read(row.Pos, buf); err != nil {
				return false, fmt.Errorf("%w: %w", indexer.ErrCorrupt, err)
			}
			raw = buf
		}
		this := raw[:size]
		raw, have = raw[size:], have-1
		if b.codes.Dead(row.Pos) || skip[row.Key] {
			continue
		}
		if err := b.decode(row, this, vec); err != nil {
			return false, err
		}
		if !fn(vector.Record{Key: row.Key, Vector: vec}) {
			return false, nil
		}
	}
	return true, nil
}

func (b *base) close() error {
	var errs []error
	if b.table != nil {
		errs = append(errs, b.table.close())
	}
	if b.runs != nil {
		b.runs.close()
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
