package matrix

import "math"

// Normalise brings the row to mean 0 and variance 1, then scales and shifts each value.
func Normalise(row, scale, shift []float32, epsilon float32) {
	sum := float32(0)
	for _, v := range row {
		sum += v
	}
	mean, square := sum/float32(len(row)), float32(0)
	for i, v := range row {
		v -= mean
		row[i] = v
		square += v * v
	}
	factor := float32(1 / math.Sqrt(float64(square/float32(len(row))+epsilon)))
	scale, shift = scale[:len(row)], shift[:len(row)]
	for i, v := range row {
		row[i] = v*factor*scale[i] + shift[i]
	}
}

// Softmax makes of each row of n values, times scale, shares of one.
func Softmax(rows []float32, n int, scale float32) {
	for ; len(rows) >= n && n > 0; rows = rows[n:] {
		row := rows[:n]
		top := row[0]
		for _, v := range row {
			if v > top {
				top = v
			}
		}
		sum := float32(0)
		for i, v := range row {
			e := exp((v - top) * scale)
			row[i] = e
			sum += e
		}
		share := 1 / sum
		for i := range row {
			row[i] *= share
		}
	}
}

// exp is e to the power of x ≤ 0, within 3e-7.
func exp(x float32) float32 {
	if !(x > -87) {
		return 0
	}
	y := x * math.Log2E
	whole := int32(y - 0.5) // rounds to the nearest, as y is below 0
	f := y - float32(whole)
	p := 1 + f*(0.6931472+f*(0.24022651+f*(0.05550411+f*(0.009618129+f*(0.0013333558+f*0.0001540353)))))
	return math.Float32frombits(uint32(int32(math.Float32bits(p)) + whole<<23))
}

// The share of GELU is looked up between -geluEnd and geluEnd, in steps of 1/geluStep, and goes straight between two steps, which is
// within 5e-7 of it.
const (
	geluEnd  = 6
	geluStep = 256
)

var geluShare = func() (t [2*geluEnd*geluStep + 2]float32) {
	for i := range t {
		x := float64(i)/geluStep - geluEnd
		t[i] = float32(0.5 * math.Erfc(-x/math.Sqrt2))
	}
	return t
}()

// GELU multiplies each value with the share of the normal distribution below it.
func GELU(values []float32) {
	for i, x := range values {
		switch {
		case x >= geluEnd:
		case x > -geluEnd:
			at := (x + geluEnd) * geluStep
			n := int(at)
			lo := geluShare[n]
			values[i] = x * (lo + (geluShare[n+1]-lo)*(at-float32(n)))
		default:
			values[i] = 0 * x // NaN stays
		}
	}
}
