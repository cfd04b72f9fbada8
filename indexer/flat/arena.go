package flat

import (
	"sync/atomic"

	"github.com/reverie-memory/reverie/indexer/vector"
	"github.com/reverie-memory/reverie/internal/headroom"
)

// chunkBytes is the size of the arena's pieces: small enough that a small vault stays small, large
// enough that a scan is sequential. Pieces are never moved, so growing copies nothing.
const chunkBytes = 1 << 20

// A chunk holds a fixed number of records. Records below the length of a published view never
// change; only their dead bits do, atomically.
type chunk struct {
	keys []vector.Key
	vecs []float32
	dead []uint64
}

// A view is what a reader sees: it stays as it is while the owner appends behind its length.
type view struct {
	chunks []*chunk
	n      int
}

// An arena is a growing list of vectors: one owner appends and kills, any number of readers read.
type arena struct {
	dim, per int // vector length, records per chunk
	v        atomic.Pointer[view]
	live     atomic.Int64
}

func newArena(dim int) *arena {
	a := &arena{dim: dim, per: max(64, chunkBytes/(4*dim)&^63)}
	a.v.Store(&view{})
	return a
}

// An appender adds records and shows them to readers all at once.
type appender struct {
	a     *arena
	next  view
	added int64
}

func (a *arena) appender() *appender { return &appender{a: a, next: *a.v.Load()} }

// slot returns the place of the next record, whose vector the caller fills.
func (p *appender) slot(k vector.Key) []float32 {
	a, i := p.a, p.next.n%p.a.per
	if i == 0 {
		c := &chunk{
			keys: make([]vector.Key, a.per),
			vecs: make([]float32, a.per*a.dim),
			dead: make([]uint64, a.per/64),
		}
		headroom.Still(c, 4*len(c.vecs))
		p.next.chunks = append(p.next.chunks, c)
	}
	c := p.next.chunks[len(p.next.chunks)-1]
	c.keys[i] = k
	p.next.n++
	p.added++
	return c.vecs[i*a.dim : (i+1)*a.dim]
}

// at gives the places of the i-th record of the arena, for filling slots out of order.
func (p *appender) at(i int) (*vector.Key, []float32) {
	c := p.next.chunks[i/p.a.per]
	return &c.keys[i%p.a.per], c.vec(i%p.a.per, p.a.dim)
}

// truncate gives up the slots after the first n.
func (p *appender) truncate(n int) {
	p.added -= int64(p.next.n - n)
	p.next.n = n
	p.next.chunks = p.next.chunks[:(n+p.a.per-1)/p.a.per]
}

func (p *appender) publish() {
	v := p.next
	p.a.v.Store(&v)
	p.a.live.Add(p.added)
	p.added = 0
}

// kill marks the record at pos dead. The record must be live: the caller has looked.
func (a *arena) kill(pos int) {
	c := a.v.Load().chunks[pos/a.per]
	i := pos % a.per
	atomic.OrUint64(&c.dead[i/64], 1<<(i%64))
	a.live.Add(-1)
}

func (c *chunk) isDead(i int) bool { return atomic.LoadUint64(&c.dead[i/64])&(1<<(i%64)) != 0 }

func (c *chunk) vec(i, dim int) []float32 { return c.vecs[i*dim : (i+1)*dim] }

// each calls fn for the live records of a view, in order, until fn returns false.
func (a *arena) each(fn func(pos int, k vector.Key, vec []float32) bool) {
	v := a.v.Load()
	for ci, c := range v.chunks {
		for i := range min(a.per, v.n-ci*a.per) {
			if !c.isDead(i) && !fn(ci*a.per+i, c.keys[i], c.vec(i, a.dim)) {
				return
			}
		}
	}
}

// keys lists the keys of all records, dead ones as well, by position.
func (a *arena) keys() []vector.Key {
	v := a.v.Load()
	keys := make([]vector.Key, 0, v.n)
	for _, c := range v.chunks {
		keys = append(keys, c.keys[:min(a.per, v.n-len(keys))]...)
	}
	return keys
}
