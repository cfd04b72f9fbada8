package flat

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/indexer/flat/reclog"
	"github.com/reverie-memory/reverie/indexer/vector"
)

// The folder holds vectors-NNNNNN and deletes-NNNNNN. The highest number counts: a compaction
// writes the next vectors file under another name and renames it when it is complete, so a crash
// leaves the old pair or the new pair, and leftovers go at Open. The deletes file is there before
// the vectors file gets its name, so that a missing one is always damage.
const (
	vectorsName = "vectors"
	deletesName = "deletes"
	unfinished  = ".new"

	kindVectors reclog.Kind = 1
	kindDeletes reclog.Kind = 2
)

func vectorsHeader(dim int) reclog.Header {
	return reclog.Header{Kind: kindVectors, Payload: 8 + 4*dim, Tag: uint64(dim)}
}

func deletesHeader(epoch int) reclog.Header {
	return reclog.Header{Kind: kindDeletes, Payload: 16, Tag: uint64(epoch)}
}

func (s *Store) load() error {
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return err
	}
	epoch, err := s.newest()
	if err != nil {
		return err
	}
	s.epoch = max(epoch, 1)
	if epoch == 0 {
		if err := s.create(); err != nil {
			return err
		}
	}
	if err := s.read(); err != nil {
		return errors.Join(corrupt(err), s.open().release())
	}
	s.count()
	return s.dropOthers()
}

// newest is the highest number of a vectors file, 0 when there is none.
func (s *Store) newest() (int, error) {
	names, err := os.ReadDir(s.dir)
	if err != nil {
		return 0, err
	}
	newest, deletes, begun := 0, false, false
	for _, e := range names {
		base, num, _ := strings.Cut(e.Name(), "-")
		deletes = deletes || base == deletesName
		begun = begun || strings.HasSuffix(num, unfinished)
		if n, err := strconv.Atoi(num); err == nil && base == vectorsName {
			newest = max(newest, n)
		}
	}
	if newest == 0 && deletes && !begun {
		return 0, fmt.Errorf("%w: deletes without vectors in %s", indexer.ErrCorrupt, s.dir)
	}
	return newest, nil
}

func (s *Store) create() error {
	l, err := s.begin(s.epoch)
	if err != nil {
		return err
	}
	return s.install(l, s.epoch)
}

// begin makes the vectors file of an epoch under its unfinished name.
func (s *Store) begin(epoch int) (*reclog.Log, error) {
	tmp := s.path(vectorsName, epoch) + unfinished
	if err := os.Remove(tmp); err != nil && !notThere(err) {
		return nil, err
	}
	return reclog.Create(tmp, vectorsHeader(s.dim))
}

// install gives a complete vectors file its name, beside an empty deletes file. The file is closed first:
// Windows renames no open file.
func (s *Store) install(l *reclog.Log, epoch int) error {
	if err := l.Close(); err != nil {
		return err
	}
	deletes := s.path(deletesName, epoch)
	if err := os.Remove(deletes); err != nil && !notThere(err) {
		return err
	}
	d, err := reclog.Create(deletes, deletesHeader(epoch))
	if err != nil {
		return err
	}
	if err := d.Close(); err != nil {
		return err
	}
	if err := os.Rename(l.Name(), s.path(vectorsName, epoch)); err != nil {
		return err
	}
	return reclog.SyncDir(s.dir)
}

// read fills the arena from the files of the current epoch.
func (s *Store) read() (err error) {
	a := newArena(s.dim)
	p := a.appender()
	s.recs, err = reclog.Open(s.path(vectorsName, s.epoch), vectorsHeader(s.dim), reclog.Reader{
		Expect: func(n int) {
			for range n {
				p.slot(0)
			}
		},
		Record: func(i int, b []byte) error {
			key, vec := p.at(i)
			*key = vector.Key(binary.LittleEndian.Uint64(b))
			vector.FromBytes(b[8:], vec)
			return nil
		},
	})
	if err != nil {
		return err
	}
	p.truncate(s.recs.Len())
	p.publish()
	keys := a.keys()
	dead, err := s.readKills(a, keys)
	if err != nil {
		return err
	}
	s.pos = make(map[vector.Key]uint32, len(keys))
	for i, k := range keys {
		if _, gone := dead[uint32(i)]; gone {
			continue
		}
		if _, twice := s.pos[k]; twice {
			return fmt.Errorf("%w: key %d is there twice", reclog.ErrDamaged, k)
		}
		s.pos[k] = uint32(i)
	}
	s.arena.Store(a)
	return nil
}

// readKills opens the deletes file and marks the dead.
func (s *Store) readKills(a *arena, keys []vector.Key) (map[uint32]struct{}, error) {
	dead := map[uint32]struct{}{}
	good := 0
	path := s.path(deletesName, s.epoch)
	l, err := reclog.Open(path, deletesHeader(s.epoch), reclog.Reader{Record: func(i int, b []byte) error {
		at, k := binary.LittleEndian.Uint64(b), vector.Key(binary.LittleEndian.Uint64(b[8:]))
		switch {
		case good < i:
			return nil // behind one that does not count
		case at >= uint64(len(keys)):
			return nil // of a record that was cut; neither was acknowledged
		case keys[at] != k:
			return fmt.Errorf("%w: delete %d is of another key", reclog.ErrDamaged, i)
		}
		good++
		if _, twice := dead[uint32(at)]; !twice {
			dead[uint32(at)] = struct{}{}
			a.kill(int(at))
		}
		return nil
	}})
	if notThere(err) {
		return nil, fmt.Errorf("%w: %w", reclog.ErrDamaged, err)
	}
	if err != nil {
		return nil, err
	}
	s.kills = l
	if good < l.Acknowledged() {
		return nil, fmt.Errorf("%w: delete %d names no record", reclog.ErrDamaged, good)
	}
	return dead, l.Truncate(good)
}

// compact writes the live records into the next pair of files and goes on with those.
func (s *Store) compact(ctx context.Context) error {
	next := s.epoch + 1
	l, err := s.begin(next)
	if err != nil {
		return err
	}
	if err := s.copyLive(ctx, l); err != nil {
		return errors.Join(err, l.Close(), os.Remove(l.Name()))
	}
	if err := s.install(l, next); err != nil {
		return err
	}
	old := s.open()
	s.epoch = next
	if err := s.read(); err != nil {
		// The new pair is what the next Open reads, so nothing may be written to the old one.
		s.closed.Store(true)
		return errors.Join(err, old.release())
	}
	s.count()
	return errors.Join(old.release(), s.dropOthers())
}

// copyLive appends the live records in batches and makes them durable.
func (s *Store) copyLive(ctx context.Context, l *reclog.Log) error {
	batch := make([]vector.Record, 0, 1024)
	var failed error
	put := func() bool {
		failed = l.Append(len(batch), func(i int, b []byte) { encode(b, batch[i]) })
		batch = batch[:0]
		return failed == nil && ctx.Err() == nil
	}
	s.arena.Load().each(func(_ int, k vector.Key, vec []float32) bool {
		batch = append(batch, vector.Record{Key: k, Vector: vec})
		return len(batch) < cap(batch) || put()
	})
	if failed != nil || !put() {
		return errors.Join(failed, ctx.Err())
	}
	return l.Sync()
}

// files are the two open files of an epoch.
type files struct{ recs, kills *reclog.Log }

func (s *Store) open() files { return files{s.recs, s.kills} }

func (f files) release() error {
	var errs []error
	for _, l := range []*reclog.Log{f.recs, f.kills} {
		if l != nil {
			errs = append(errs, l.Close())
		}
	}
	return errors.Join(errs...)
}

// dropOthers removes what a crash or a compaction left.
func (s *Store) dropOthers() error {
	names, err := os.ReadDir(s.dir)
	if err != nil {
		return err
	}
	keep := map[string]bool{
		filepath.Base(s.path(vectorsName, s.epoch)): true,
		filepath.Base(s.path(deletesName, s.epoch)): true,
	}
	for _, e := range names {
		base, _, _ := strings.Cut(e.Name(), "-")
		if (base == vectorsName || base == deletesName) && !keep[e.Name()] {
			if err := os.Remove(filepath.Join(s.dir, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// corrupt marks damage as such for the indexer; a disk that cannot be read stays what it is.
func corrupt(err error) error {
	if errors.Is(err, reclog.ErrDamaged) {
		return fmt.Errorf("%w: %w", indexer.ErrCorrupt, err)
	}
	return err
}
