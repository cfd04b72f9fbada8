package sketch

import (
	"encoding/binary"
	"hash/crc32"
	"math"
	"math/bits"

	"github.com/reverie-memory/reverie/indexer/vector"
)

// A coder turns vectors into codes. A coder has scratch space, so only one goroutine at a time may use it.
type coder struct {
	rot  *rotation
	wide []float32
	raw  []byte
}

func newCoder(dim int) *coder {
	rot := newRotation(dim)
	return &coder{rot: rot, wide: make([]float32, rot.wide), raw: make([]byte, 4*dim)}
}

// A payload is, little-endian: key i64 | vector's crc32c u32 | factor f32 | signs, wide bits.
const fixedPart = 8 + 4 + 4

func (c *coder) payload() int { return fixedPart + c.rot.wide/8 }

// encode writes the codes of a record.
func (c *coder) encode(b []byte, r vector.Record) {
	var norm, sum float64
	for _, x := range r.Vector {
		norm += float64(x) * float64(x)
	}
	c.rot.turn(r.Vector, c.wide)
	signs := b[fixedPart:c.payload()]
	clear(signs)
	for i, x := range c.wide {
		sum += math.Abs(float64(x))
		if x > 0 {
			signs[i/8] |= 1 << (i % 8)
		}
	}
	// factor makes the estimate of the dot product unbiased: with code s of the rotated vector x,
	// <x,q> is estimated by <s,q> * <x,x> / <s,x>.
	var factor float64
	if sum > 0 {
		factor = norm / sum
	}
	binary.LittleEndian.PutUint64(b, uint64(r.Key))
	binary.LittleEndian.PutUint32(b[8:], c.sum(r.Vector))
	binary.LittleEndian.PutUint32(b[12:], math.Float32bits(float32(factor)))
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// sum is the checksum of a vector's bytes.
func (c *coder) sum(v []float32) uint32 {
	vector.PutBytes(c.raw, v)
	return Checksum(c.raw)
}

// Checksum is that of a vector's bytes, as [vector.PutBytes] writes them.
func Checksum(raw []byte) uint32 { return crc32.Checksum(raw, castagnoli) }

// A query is prepared once and compared with every code.
type query struct {
	planes []uint64 // the bits of the rotated query's levels, plane by plane, the lowest first
	lo     float32  // value of level 0
	step   float32
	total  float32 // sum of the quantised query
	slack  float32 // times a row's factor: how far its dot product may lie above the estimate
}

const planes = 4

// spread is how far above its estimate a dot product may lie, for a query and a row of length 1 with a factor of 1: six standard
// deviations, for vectors with few values are spread wider than others. Signs in 2/pi of all directions' square leave an error of
// sqrt(1-2/pi), or 0.6, of the factor.
const spread = 6 * 0.603

func (c *coder) prepare(v []float32) *query {
	c.rot.turn(v, c.wide)
	lo, hi := c.wide[0], c.wide[0]
	for _, x := range c.wide {
		lo, hi = min(lo, x), max(hi, x)
	}
	q := &query{planes: make([]uint64, planes*c.rot.wide/64), lo: lo, step: (hi - lo) / (1<<planes - 1)}
	var norm float64
	for i, x := range c.wide {
		norm += float64(x) * float64(x)
		level := 0
		if q.step > 0 {
			level = int((x-lo)/q.step + 0.5)
		}
		q.total += q.lo + q.step*float32(level)
		for p := range planes {
			q.planes[p*c.rot.wide/64+i/64] |= uint64(level>>p&1) << (i % 64)
		}
	}
	q.slack = spread * float32(math.Sqrt(norm))
	return q
}

// plain counts the bits of each row: those of its signs in the upper half of a sum, and in the lower half those that they share with
// the planes, by the planes' weights. The signs and planes of at least one row are given, plane by plane.
func plain(out, signs, planes []uint64) {
	words := len(signs) / len(out)
	p0, p1, p2, p3 := planes[:words], planes[words:2*words], planes[2*words:3*words], planes[3*words:4*words]
	for r := range out {
		var ones, n0, n1, n2, n3 int
		for i, s := range signs[r*words : (r+1)*words] {
			ones += bits.OnesCount64(s)
			n0 += bits.OnesCount64(s & p0[i])
			n1 += bits.OnesCount64(s & p1[i])
			n2 += bits.OnesCount64(s & p2[i])
			n3 += bits.OnesCount64(s & p3[i])
		}
		out[r] = uint64(ones)<<32 | uint64(n0+2*n1+4*n2+8*n3)
	}
}

// rough estimates the dot product from what was counted of a row.
func (q *query) rough(count uint64, factor float32) float32 {
	set := q.lo*float32(count>>32) + q.step*float32(uint32(count))
	return factor * (2*set - q.total)
}
