package flat

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"sync/atomic"

	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/indexer/flat/nearest"
	"github.com/reverie-memory/reverie/indexer/flat/reclog"
	"github.com/reverie-memory/reverie/indexer/vector"
)

// ErrClosed is returned by an engine that has been closed.
var ErrClosed = errors.New("vector engine is closed")

// Compaction pays when a fifth of the records is dead; a handful is left alone.
const (
	deadShare = 5
	deadFew   = 64
)

// Store is the engine. One goroutine writes; any number search beside it.
type Store struct {
	dir   string
	dim   int
	arena atomic.Pointer[arena]

	// The rest belongs to the writing goroutine.
	epoch int
	recs  *reclog.Log // key i64, vector
	kills *reclog.Log // position u64, key i64
	pos   map[vector.Key]uint32

	bytes  atomic.Int64
	dead   atomic.Int64
	closed atomic.Bool
}

var _ indexer.Engine = (*Store)(nil)

// Open opens the engine in dir, making it when it is not there.
func Open(ctx context.Context, dir string, dim int) (indexer.Engine, error) {
	return OpenStore(ctx, dir, dim)
}

// OpenStore is Open for callers that need more than the interface.
func OpenStore(ctx context.Context, dir string, dim int) (*Store, error) {
	if dim <= 0 {
		return nil, fmt.Errorf("open flat engine: dimension %d", dim)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s := &Store{dir: dir, dim: dim}
	if err := s.load(); err != nil {
		return nil, fmt.Errorf("open flat engine: %w", err)
	}
	return s, nil
}

// Name is "flat".
func (s *Store) Name() string { return "flat" }

// CheckVector says why a vector cannot be kept or searched for: a wrong length, or a length in
// space that is not finite. Engines share it.
func CheckVector(v []float32, dim int) error {
	if len(v) != dim {
		return fmt.Errorf("vector has %d dimensions, the index has %d", len(v), dim)
	}
	if n := nearest.Dot(v, v); math.IsNaN(float64(n)) || math.IsInf(float64(n), 0) {
		return errors.New("vector is not finite")
	}
	return nil
}

// Put adds records; all of them or, after an error, none. Records are found at once and durable after Flush.
func (s *Store) Put(ctx context.Context, recs []vector.Record) error {
	if err := s.usable(ctx); err != nil {
		return err
	}
	fresh := make([]int, 0, len(recs))
	seen := make(map[vector.Key]struct{}, len(recs))
	for i, r := range recs {
		if err := CheckVector(r.Vector, s.dim); err != nil {
			return fmt.Errorf("put key %d: %w", r.Key, err)
		}
		_, have := s.pos[r.Key]
		_, twice := seen[r.Key]
		if !have && !twice {
			seen[r.Key] = struct{}{}
			fresh = append(fresh, i)
		}
	}
	first := s.recs.Len()
	err := s.recs.Append(len(fresh), func(i int, b []byte) { encode(b, recs[fresh[i]]) })
	if err != nil {
		return fmt.Errorf("put vectors: %w", err)
	}
	p := s.arena.Load().appender()
	for i, at := range fresh {
		copy(p.slot(recs[at].Key), recs[at].Vector)
		s.pos[recs[at].Key] = uint32(first + i)
	}
	p.publish()
	s.count()
	return nil
}

// Delete removes keys at once; durably after Flush.
func (s *Store) Delete(ctx context.Context, keys []vector.Key) error {
	if err := s.usable(ctx); err != nil {
		return err
	}
	var have []vector.Key
	seen := make(map[vector.Key]struct{}, len(keys))
	for _, k := range keys {
		_, live := s.pos[k]
		_, twice := seen[k]
		if live && !twice {
			seen[k] = struct{}{}
			have = append(have, k)
		}
	}
	err := s.kills.Append(len(have), func(i int, b []byte) {
		binary.LittleEndian.PutUint64(b, uint64(s.pos[have[i]]))
		binary.LittleEndian.PutUint64(b[8:], uint64(have[i]))
	})
	if err != nil {
		return fmt.Errorf("delete vectors: %w", err)
	}
	a := s.arena.Load()
	for _, k := range have {
		a.kill(int(s.pos[k]))
		delete(s.pos, k)
	}
	s.count()
	return nil
}

// Flush makes all earlier Puts and Deletes durable.
func (s *Store) Flush(ctx context.Context) error {
	if err := s.usable(ctx); err != nil {
		return err
	}
	return s.sync()
}

// sync acknowledges the records before the deaths, so that no death names a record that is not there.
func (s *Store) sync() error {
	if err := s.recs.Sync(); err != nil {
		return fmt.Errorf("flush vectors: %w", err)
	}
	if err := s.kills.Sync(); err != nil {
		return fmt.Errorf("flush deletes: %w", err)
	}
	return nil
}

// Search returns the k nearest, exactly.
func (s *Store) Search(ctx context.Context, q []float32, k int, allow func(vector.Key) bool) ([]vector.Match, error) {
	if err := s.usable(ctx); err != nil {
		return nil, err
	}
	if err := CheckVector(q, s.dim); err != nil {
		return nil, fmt.Errorf("search: %w", err)
	}
	return s.arena.Load().search(ctx, q, k, allow)
}

// Has reports whether the key is live. Only the goroutine that writes may call Has.
func (s *Store) Has(k vector.Key) bool { _, ok := s.pos[k]; return ok }

// Count is the number of live records.
func (s *Store) Count(ctx context.Context) (int, error) {
	return int(s.arena.Load().live.Load()), s.usable(ctx)
}

// Scan calls fn for the live records in the order of their arrival.
func (s *Store) Scan(ctx context.Context, fn func(vector.Record) bool) error {
	if err := s.usable(ctx); err != nil {
		return err
	}
	s.arena.Load().each(func(_ int, k vector.Key, vec []float32) bool {
		return ctx.Err() == nil && fn(vector.Record{Key: k, Vector: vec})
	})
	return ctx.Err()
}

// Maintain rewrites the files without the dead when those are many. live is not used and may be nil.
func (s *Store) Maintain(ctx context.Context, _ func(fn func(vector.Record) bool) error) error {
	if err := s.usable(ctx); err != nil {
		return err
	}
	if dead := int(s.dead.Load()); dead >= deadFew && dead*deadShare > s.recs.Len() {
		return s.Compact(ctx, nil)
	}
	return nil
}

// Compact rewrites the files when a record is dead, however few are. live may be nil.
func (s *Store) Compact(ctx context.Context, _ func(fn func(vector.Record) bool) error) error {
	if err := s.usable(ctx); err != nil || s.dead.Load() == 0 {
		return err
	}
	if err := s.compact(ctx); err != nil {
		return fmt.Errorf("compact vectors: %w", err)
	}
	return nil
}

// Stats describes the files.
func (s *Store) Stats() indexer.EngineStats {
	return indexer.EngineStats{Fragments: 1, Bytes: s.bytes.Load(), Dead: int(s.dead.Load())}
}

// Close flushes and closes the files.
func (s *Store) Close() error {
	if s.closed.Swap(true) {
		return nil
	}
	return errors.Join(s.sync(), s.recs.Close(), s.kills.Close())
}

func (s *Store) usable(ctx context.Context) error {
	if s.closed.Load() {
		return ErrClosed
	}
	return ctx.Err()
}

func (s *Store) count() {
	s.bytes.Store(s.recs.Bytes() + s.kills.Bytes())
	s.dead.Store(int64(s.recs.Len() - len(s.pos)))
}

func (s *Store) path(name string, epoch int) string {
	return filepath.Join(s.dir, fmt.Sprintf("%s-%06d", name, epoch))
}

func encode(b []byte, r vector.Record) {
	binary.LittleEndian.PutUint64(b, uint64(r.Key))
	vector.PutBytes(b[8:], r.Vector)
}

// notThere tells a missing file from every other failure.
func notThere(err error) bool { return errors.Is(err, os.ErrNotExist) }
