package matrix

// A kernel multiplies rows of a by a panel of weights: c[i][j] = bias[j] + Σ a[i][l]·b[l][j], for i < rows and j < cols.
// Rows of a and c lie lda and ldc bytes apart; b holds k rows of cols values without gaps.
type kernel struct {
	name       string
	rows, cols int
	run        func(k int, a *float32, lda int, b, bias, c *float32, ldc int)
}

// best is what this processor does fastest. Weights are laid out for it, so it never changes.
var best = kernels()[0]

// Pad rounds a number of rows up to what the kernel multiplies at once. Operands of [Weights.Mul] have that many rows.
func Pad(rows int) int { return (rows + best.rows - 1) / best.rows * best.rows }

// Weights is a matrix on the right side of a product, laid out in panels for the kernel, and what is added to the product. Weights is not
// changed by Mul, so that several goroutines may use it.
type Weights struct {
	kernel  kernel
	in, out int
	panels  []float32 // of cols columns each, row by row
	bias    []float32 // padded to whole panels
	rounded *rounded  // in the place of panels; nil: these are
}

// NewWeights lays out w, which holds for each of out results the in factors, as models store it. bias may be nil.
func NewWeights(w, bias []float32, in, out int) *Weights { return newWeights(best, w, bias, in, out) }

func newWeights(k kernel, w, bias []float32, in, out int) *Weights {
	m := &Weights{kernel: k}
	m.resize(in, out)
	for j := range out {
		m.column(j, w[j*in:(j+1)*in])
	}
	copy(m.bias, bias)
	return m
}

// resize makes room for another matrix, of zeros, and keeps the memory where it is enough.
func (m *Weights) resize(in, out int) {
	padded := (out + m.kernel.cols - 1) / m.kernel.cols * m.kernel.cols
	m.in, m.out = in, out
	m.panels, m.bias = zeros(m.panels, in*padded), zeros(m.bias, padded)
}

func zeros(s []float32, n int) []float32 {
	if cap(s) < n {
		return make([]float32, n)
	}
	clear(s[:n])
	return s[:n]
}

// column sets what the j-th result is made of.
func (m *Weights) column(j int, from []float32) {
	cols := m.kernel.cols
	panel := m.panels[j/cols*cols*m.in:]
	for l, v := range from {
		panel[l*cols+j%cols] = v
	}
}

// Columns lays out an operand anew, with a result for each of n rows of src that begin stride apart and have in values.
func (m *Weights) Columns(src []float32, stride, in, n int) {
	m.kernel = best
	m.resize(in, n)
	for j := range n {
		m.column(j, src[j*stride:j*stride+in])
	}
}

// Rows lays out an operand anew, whose n rows of out values begin stride apart in src.
func (m *Weights) Rows(src []float32, stride, n, out int) {
	m.kernel = best
	m.resize(n, out)
	cols := m.kernel.cols
	for l := range n {
		row := src[l*stride : l*stride+out]
		for at := 0; at < out; at += cols {
			copy(m.panels[at*n+l*cols:][:cols], row[at:min(at+cols, out)])
		}
	}
}

// rowChunk bounds the rows that are multiplied by a panel before the next panel: they stay in the core's cache.
const rowChunk = 192

// Mul writes the product of rows rows of src by m to dst. Their rows begin srcStride and dstStride apart, and both have room for
// Pad(rows) rows; what is written to those beyond rows has no meaning.
func (m *Weights) Mul(dst []float32, dstStride int, src []float32, srcStride, rows int) {
	k := m.kernel
	padded := (rows + k.rows - 1) / k.rows * k.rows
	if rows == 0 || m.in == 0 || m.out == 0 {
		return
	}
	_, _ = src[(padded-1)*srcStride+m.in-1], dst[(padded-1)*dstStride+m.out-1] // the kernel itself checks nothing
	if m.rounded != nil {
		m.mulRounded(dst, dstStride, src, srcStride, rows)
		return
	}
	var rest [maxTile]float32
	for from := 0; from < padded; from += rowChunk {
		to := min(from+rowChunk, padded)
		for j := 0; j < m.out; j += k.cols {
			panel, bias := &m.panels[j*m.in], &m.bias[j]
			for i := from; i < to; i += k.rows {
				if j+k.cols <= m.out {
					k.run(m.in, &src[i*srcStride], srcStride*4, panel, bias, &dst[i*dstStride+j], dstStride*4)
					continue
				}
				k.run(m.in, &src[i*srcStride], srcStride*4, panel, bias, &rest[0], k.cols*4)
				for r := range k.rows {
					copy(dst[(i+r)*dstStride+j:(i+r)*dstStride+m.out], rest[r*k.cols:])
				}
			}
		}
	}
}

// maxTile is the largest number of results of one run of a kernel. rowChunk is a multiple of the rows of each.
const maxTile = 12 * 32

// plain multiplies where there are no vector instructions for it.
var plain = kernel{"go", 2, 4, mul2x4}
