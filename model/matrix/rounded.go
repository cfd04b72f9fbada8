package matrix

import (
	"math"
	"sync"
)

// Rounds says whether this processor has instructions for products of 8 bits (AVX-512 VNNI).
var Rounds = canRound()

// rounded are weights of 8 bits: each result has a scale of its own, so that its largest factor is 127. The rows that they multiply are
// rounded alike when they come, each by its own largest value, and are raised by 128, since the instruction takes them without a sign.
type rounded struct {
	panels []int8    // of tileCols results each; of a result four factors stand side by side
	raised []int32   // 128 times the sum of a result's factors, which the raised rows give too much
	scales []float32 // of each result
}

// A tile is what the kernel of 8 bits multiplies at once.
const (
	tileRows  = 12
	tileCols  = 32
	vectorLen = 16 // values that are rounded at once
)

// NewRounded lays out w as [NewWeights] does, rounded to 8 bits. A value of the product is then off by about a hundredth of what the values
// of its row are wide. Where the processor has no instructions for that, or the shape does not fit them, nothing is rounded.
func NewRounded(w, bias []float32, in, out int) *Weights {
	if !Rounds || in%vectorLen != 0 || out%tileCols != 0 {
		return NewWeights(w, bias, in, out)
	}
	r := &rounded{panels: make([]int8, in*out), raised: make([]int32, out), scales: make([]float32, out)}
	for j := range out {
		row, largest := w[j*in:(j+1)*in], float32(0)
		for _, v := range row {
			largest = max(largest, float32(math.Abs(float64(v)))) // NaN stays
		}
		r.scales[j] = largest / math.MaxInt8
		panel := r.panels[j/tileCols*tileCols*in:]
		for l, v := range row {
			q := int8(0)
			if largest > 0 {
				q = int8(math.RoundToEven(float64(v / r.scales[j])))
			}
			panel[l/4*4*tileCols+j%tileCols*4+l%4] = q
			r.raised[j] += 128 * int32(q)
		}
	}
	m := &Weights{kernel: best, in: in, out: out, bias: make([]float32, out), rounded: r}
	copy(m.bias, bias)
	return m
}

// roundedRows is memory for rounded rows, used again.
type roundedRows struct {
	values []uint8
	scales []float32
}

var rowsPool = sync.Pool{New: func() any { return &roundedRows{} }}

// take rounds rows of n values each. Of a row with NaN or infinity the scale is NaN.
func (r *roundedRows) take(src []float32, stride, rows, n int) {
	padded := (rows + tileRows - 1) / tileRows * tileRows
	if cap(r.scales) < padded {
		r.scales = make([]float32, padded)
	}
	if cap(r.values) < padded*n {
		r.values = make([]uint8, padded*n)
	}
	r.scales, r.values = r.scales[:padded], r.values[:padded*n]
	for i := range rows {
		factor, most := float32(0), largest(n/vectorLen, &src[i*stride])
		switch {
		case !(most <= math.MaxFloat32):
			most = float32(math.NaN())
		case most > 0:
			factor = math.MaxInt8 / most
		}
		r.scales[i] = most / math.MaxInt8
		round(n/vectorLen, &src[i*stride], &r.values[i*n], factor)
	}
}

// mulRounded is Mul of rounded weights.
func (m *Weights) mulRounded(dst []float32, dstStride int, src []float32, srcStride, rows int) {
	a := rowsPool.Get().(*roundedRows)
	defer rowsPool.Put(a)
	a.take(src, srcStride, rows, m.in)
	for from := 0; from < len(a.scales); from += rowChunk {
		to := min(from+rowChunk, len(a.scales))
		for j := 0; j < m.out; j += tileCols {
			w := m.rounded
			for i := from; i < to; i += tileRows {
				mulTile(m.in/4, &a.values[i*m.in], m.in, &w.panels[j*m.in], &w.raised[j], &w.scales[j], &m.bias[j], &a.scales[i],
					&dst[i*dstStride+j], dstStride*4)
			}
		}
	}
}
