package sketch

import (
	"math"
	"math/bits"
)

// A rotation multiplies by a fixed random sign for each dimension and then by a Hadamard matrix. A rotation keeps lengths and angles, and
// gives a sparse or lopsided vector coordinates of much the same size: only then does a sign say the same about each of them.
type rotation struct {
	dim, wide int // wide is the next power of two, at least 64
	signs     []float32
}

func newRotation(dim int) *rotation {
	wide := max(64, 1<<bits.Len(uint(dim-1)))
	r := &rotation{dim: dim, wide: wide, signs: make([]float32, dim)}
	state := uint64(0x5eed0fc0de5) // fixed: codes on disk depend on it
	for i := range r.signs {
		state += 0x9e3779b97f4a7c15
		x := state
		x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
		x = (x ^ x>>27) * 0x94d049bb133111eb
		r.signs[i] = 1
		if (x^x>>31)&1 == 1 {
			r.signs[i] = -1
		}
	}
	return r
}

// turn rotates v into out, which has wide elements.
func (r *rotation) turn(v, out []float32) {
	scale := float32(1 / math.Sqrt(float64(r.wide)))
	for i, x := range v {
		out[i] = x * r.signs[i] * scale
	}
	clear(out[len(v):])
	for half := 1; half < len(out); half *= 2 {
		for at := 0; at < len(out); at += 2 * half {
			a, b := out[at:at+half], out[at+half:at+2*half]
			for i := range a {
				a[i], b[i] = a[i]+b[i], a[i]-b[i]
			}
		}
	}
}
