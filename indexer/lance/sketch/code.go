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

// A payload is, little-endian: key i64 | vector's crc32c u32 | norm f32 | factor f32 | scale f32 |
// signs, wide bits | one i8 for each dimension.
const fixedPart = 8 + 4 + 4 + 4 + 4

func (c *coder) payload() int { return fixedPart + c.rot.wide/8 + c.rot.dim }

// encode writes the codes of a record.
func (c *coder) encode(b []byte, r vector.Record) {
	var norm, sum, most float64
	for _, x := range r.Vector {
		norm += float64(x) * float64(x)
		most = max(most, math.Abs(float64(x)))
	}
	c.rot.turn(r.Vector, c.wide)
	signs := b[fixedPart : fixedPart+c.rot.wide/8]
	clear(signs)
	for i, x := range c.wide {
		sum += math.Abs(float64(x))
		if x > 0 {
			signs[i/8] |= 1 << (i % 8)
		}
	}
	// factor makes the estimate of the dot product unbiased: with code s of the rotated vector x,
	// <x,q> is estimated by <s,q> * <x,x> / <s,x>.
	var factor, scale float64
	if sum > 0 {
		factor, scale = norm/sum, most/127
	}
	binary.LittleEndian.PutUint64(b, uint64(r.Key))
	binary.LittleEndian.PutUint32(b[8:], c.sum(r.Vector))
	binary.LittleEndian.PutUint32(b[12:], math.Float32bits(float32(norm)))
	binary.LittleEndian.PutUint32(b[16:], math.Float32bits(float32(factor)))
	binary.LittleEndian.PutUint32(b[20:], math.Float32bits(float32(scale)))
	small := b[fixedPart+c.rot.wide/8:]
	for i, x := range r.Vector {
		small[i] = 0
		if scale > 0 {
			small[i] = byte(int8(math.Round(float64(x) / scale)))
		}
	}
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// sum is the checksum of a vector's bytes.
func (c *coder) sum(v []float32) uint32 {
	for i, x := range v {
		binary.LittleEndian.PutUint32(c.raw[4*i:], math.Float32bits(x))
	}
	return crc32.Checksum(c.raw[:4*len(v)], castagnoli)
}

// A query is prepared once and compared with every code.
type query struct {
	planes []uint64 // four bit planes of the rotated query, for each word of signs
	lo     float32  // value of level 0
	step   float32
	total  float32 // sum of the quantised query
	small  []int16
	unit   float32 // value of one level of small
}

const planes = 4

func (c *coder) prepare(v []float32) *query {
	c.rot.turn(v, c.wide)
	lo, hi := c.wide[0], c.wide[0]
	for _, x := range c.wide {
		lo, hi = min(lo, x), max(hi, x)
	}
	q := &query{planes: make([]uint64, planes*c.rot.wide/64), lo: lo, step: (hi - lo) / (1<<planes - 1)}
	for i, x := range c.wide {
		level := 0
		if q.step > 0 {
			level = int((x-lo)/q.step + 0.5)
		}
		q.total += q.lo + q.step*float32(level)
		for p := range planes {
			q.planes[i/64*planes+p] |= uint64(level>>p&1) << (i % 64)
		}
	}
	var most float32
	for _, x := range v {
		most = max(most, x, -x)
	}
	q.small, q.unit = make([]int16, len(v)), most/math.MaxInt16
	for i, x := range v {
		if most > 0 {
			q.small[i] = int16(math.Round(float64(x / q.unit)))
		}
	}
	return q
}

// rough estimates the dot product from a row's signs.
func (q *query) rough(signs []uint64, factor float32) float32 {
	var ones, n0, n1, n2, n3 int
	p := q.planes
	for i, s := range signs {
		w := p[i*planes : i*planes+planes : i*planes+planes]
		ones += bits.OnesCount64(s)
		n0 += bits.OnesCount64(s & w[0])
		n1 += bits.OnesCount64(s & w[1])
		n2 += bits.OnesCount64(s & w[2])
		n3 += bits.OnesCount64(s & w[3])
	}
	set := q.lo*float32(ones) + q.step*float32(n0+2*n1+4*n2+8*n3)
	return factor * (2*set - q.total)
}

// fine estimates the dot product from a row's eight-bit code.
func (q *query) fine(code []int8, scale float32) float32 {
	small := q.small[:len(code)]
	var s0, s1, s2, s3 int64
	i := 0
	for ; i+4 <= len(code); i += 4 {
		a, b := code[i:i+4:i+4], small[i:i+4:i+4]
		s0 += int64(a[0]) * int64(b[0])
		s1 += int64(a[1]) * int64(b[1])
		s2 += int64(a[2]) * int64(b[2])
		s3 += int64(a[3]) * int64(b[3])
	}
	for ; i < len(code); i++ {
		s0 += int64(code[i]) * int64(small[i])
	}
	return float32(s0+s1+s2+s3) * scale * q.unit
}
