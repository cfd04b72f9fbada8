package sketch

import (
	"context"
	"encoding/binary"
	"fmt"
	"iter"
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/reverie-memory/reverie/indexer/flat/nearest"
	"github.com/reverie-memory/reverie/indexer/flat/reclog"
	"github.com/reverie-memory/reverie/indexer/vector"
	"github.com/reverie-memory/reverie/internal/slice"
)

const kind reclog.Kind = 3

// perChunk is the number of rows in a piece of memory. Pieces are never moved.
const perChunk = 2048

// A chunk holds the codes of up to perChunk rows, column by column: a scan reads only signs and
// factors. Rows below a published length never change; only their dead bits do, atomically.
type chunk struct {
	keys   []vector.Key
	sums   []uint32
	factor []float32
	signs  []uint64
	dead   []uint64
}

type view struct {
	chunks []*chunk
	n      int
}

// A Sketch has the codes of all rows of one table, in the order of the table, in memory and in a
// file. One goroutine appends and kills; any number search beside it.
type Sketch struct {
	dim, words int
	counts     func(out, signs, planes []uint64)
	file       *reclog.Log
	code       *coder // the owner's
	v          atomic.Pointer[view]
	coders     sync.Pool // for searches
}

// A Candidate is a row that may be among the nearest.
type Candidate struct {
	Key vector.Key
	Pos int
	Sum uint32 // of its vector, as [Checksum] gives it
}

func newSketch(dim int) *Sketch {
	s := &Sketch{dim: dim, code: newCoder(dim)}
	s.words = s.code.rot.wide / 64
	s.counts = counts(s.words)
	s.coders.New = func() any { return newCoder(dim) }
	s.v.Store(&view{})
	return s
}

func (s *Sketch) header() reclog.Header {
	return reclog.Header{Kind: kind, Payload: s.code.payload(), Tag: uint64(s.dim)}
}

// Create makes an empty sketch whose file is path.
func Create(path string, dim int) (_ *Sketch, err error) {
	s := newSketch(dim)
	s.file, err = reclog.Create(path, s.header())
	return s, err
}

// Open reads a sketch of at least n rows and drops those after them. Fewer are damage.
func Open(path string, dim, n int) (_ *Sketch, err error) {
	s := newSketch(dim)
	next := &view{}
	s.file, err = reclog.Open(path, s.header(), reclog.Reader{
		Expect: func(n int) { s.grow(next, n) },
		Record: func(i int, b []byte) error { s.decode(next, i, b); return nil },
	})
	if err != nil {
		return nil, err
	}
	if s.file.Len() < n {
		return nil, fmt.Errorf("%w: %d codes, want %d (%w)", reclog.ErrDamaged, s.file.Len(), n, s.file.Close())
	}
	if err := s.file.Truncate(n); err != nil {
		return nil, err
	}
	next.n = n
	next.chunks = next.chunks[:(n+perChunk-1)/perChunk]
	s.v.Store(next)
	return s, nil
}

func (s *Sketch) grow(v *view, n int) {
	for v.n += n; len(v.chunks)*perChunk < v.n; {
		v.chunks = append(v.chunks, &chunk{
			keys: make([]vector.Key, perChunk), sums: make([]uint32, perChunk),
			factor: make([]float32, perChunk), signs: make([]uint64, perChunk*s.words), dead: make([]uint64, perChunk/64),
		})
	}
}

func (s *Sketch) decode(v *view, i int, b []byte) {
	c, i := v.chunks[i/perChunk], i%perChunk
	c.keys[i] = vector.Key(binary.LittleEndian.Uint64(b))
	c.sums[i] = binary.LittleEndian.Uint32(b[8:])
	c.factor[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[12:]))
	b = b[fixedPart:]
	for w := range s.words {
		c.signs[i*s.words+w] = binary.LittleEndian.Uint64(b[8*w:])
	}
}

// Append adds rows, durably. Searches see them when it returns.
func (s *Sketch) Append(recs []vector.Record) error {
	v := *s.v.Load()
	first := v.n
	s.grow(&v, len(recs))
	err := s.file.Append(len(recs), func(i int, b []byte) {
		s.code.encode(b, recs[i])
		s.decode(&v, first+i, b)
	})
	if err == nil {
		err = s.file.Sync()
	}
	if err != nil {
		return err
	}
	s.v.Store(&v)
	return nil
}

// Len is the number of rows, dead ones as well.
func (s *Sketch) Len() int { return s.v.Load().n }

// Bytes is the size of the file.
func (s *Sketch) Bytes() int64 { return s.file.Bytes() }

// Close closes the file.
func (s *Sketch) Close() error { return s.file.Close() }

// Kill hides the row at a position from searches.
func (s *Sketch) Kill(pos int) {
	c, i := s.v.Load().chunks[pos/perChunk], pos%perChunk
	atomic.OrUint64(&c.dead[i/64], 1<<(i%64))
}

// Dead reports whether the row at a position is hidden.
func (s *Sketch) Dead(pos int) bool {
	return s.v.Load().chunks[pos/perChunk].isDead(pos % perChunk)
}

func (c *chunk) isDead(i int) bool { return atomic.LoadUint64(&c.dead[i/64])&(1<<(i%64)) != 0 }

// All gives every row, dead ones as well, in the order of the table.
func (s *Sketch) All() iter.Seq[Candidate] {
	v := s.v.Load()
	return func(yield func(Candidate) bool) {
		for pos := range v.n {
			if !yield(v.at(pos)) {
				return
			}
		}
	}
}

func (v *view) at(pos int) Candidate {
	c, i := v.chunks[pos/perChunk], pos%perChunk
	return Candidate{Key: c.keys[i], Pos: pos, Sum: c.sums[i]}
}

// Search returns the up to n rows with the highest estimates, best first. Rows may be left out whose dot product is below least.
func (s *Sketch) Search(ctx context.Context, vec []float32, n int, least float32, allow func(vector.Key) bool) []Candidate {
	v := s.v.Load()
	n = min(n, v.n)
	if n <= 0 {
		return nil
	}
	c := s.coders.Get().(*coder)
	q := c.prepare(vec)
	s.coders.Put(c)

	workers := max(1, min(runtime.GOMAXPROCS(0), len(v.chunks)/2))
	best := make([]*nearest.Best, workers)
	var wg sync.WaitGroup
	for w := range workers {
		scan := func() {
			from, to := w*len(v.chunks)/workers, (w+1)*len(v.chunks)/workers
			best[w] = s.scan(ctx, v, from, to, q, n, least, allow)
		}
		if w == workers-1 {
			scan()
		} else {
			wg.Go(scan)
		}
	}
	wg.Wait()
	for _, b := range best[1:] {
		best[0].Merge(b)
	}
	found := best[0].Sorted()
	return slice.Map(found, func(m vector.Match) Candidate { return v.at(int(m.Key)) })
}

// scan searches some chunks. The matches carry positions in place of keys.
func (s *Sketch) scan(
	ctx context.Context, v *view, from, to int, q *query, n int, least float32, allow func(vector.Key) bool,
) *nearest.Best {
	best := nearest.NewBest(n)
	var counted [perChunk]uint64
	for ci := from; ci < to && ctx.Err() == nil; ci++ {
		c := v.chunks[ci]
		rows := min(perChunk, v.n-ci*perChunk)
		s.counts(counted[:rows], c.signs[:rows*s.words], q.planes)
		for i := range rows {
			m := vector.Match{Key: vector.Key(ci*perChunk + i), Similarity: q.rough(counted[i], c.factor[i])}
			if m.Similarity+q.slack*c.factor[i] >= least && best.Takes(m) && !c.isDead(i) && (allow == nil || allow(c.keys[i])) {
				best.Add(m)
			}
		}
	}
	return best
}
