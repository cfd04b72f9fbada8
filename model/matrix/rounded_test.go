package matrix

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// A rounded product is near the true one, measured by what a product of such rows and columns is about, and nothing behind it is written.
// Shapes that the instructions do not take, and processors without them, give the product itself.
func TestRoundedProducts(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, size := range [][3]int{{384, 1152, 1}, {384, 384, 13}, {1536, 384, 200}, {16, 32, 12}, {20, 32, 5}, {384, 1, 3}} {
		in, out, rows := size[0], size[1], size[2]
		t.Run(fmt.Sprintf("%dx%dx%d", rows, in, out), func(t *testing.T) {
			w, bias, padded := random(r, in*out), random(r, out), (rows+tileRows-1)/tileRows*tileRows
			src, dst := random(r, padded*in), make([]float32, padded*out+1)
			for i := range in { // a row of zeros, and one that is a thousand times as large
				src[i] = 0
				src[(rows-1)*in+i] *= 1000
			}
			dst[padded*out] = 77
			m := NewRounded(w, bias, in, out)
			if is := m.rounded != nil; is != (Rounds && in%16 == 0 && out%32 == 0) {
				t.Errorf("rounded: %v", is)
			}
			m.Mul(dst, out, src, in, rows)
			var off, all float64
			for i, want := range naive(w, bias, src, in, out, rows) {
				d := float64(dst[i]) - want
				if i < out && rows > 1 && d != 0 {
					t.Fatalf("value %d of the row of zeros is %v, want the bias %v", i, dst[i], want)
				}
				if i >= (rows-1)*out {
					off, all = off+d*d, all+want*want
				}
			}
			if rel := math.Sqrt(off / all); rel > 0.02 {
				t.Errorf("off by %v", rel)
			}
			if dst[padded*out] != 77 {
				t.Error("a value behind the product was written")
			}
		})
	}
}

// What is not finite stays so, wherever it stands in its row, and harms no other row.
func TestRoundedProductsKeepNaN(t *testing.T) {
	const in, out, rows = 64, 32, 3
	r := rand.New(rand.NewPCG(9, 10))
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for _, at := range []int{0, 15, 40, in - 1} {
			src, w := random(r, Pad(rows)*in), random(r, in*out)
			src[in+at] = float32(bad)
			dst := make([]float32, Pad(rows)*out)
			NewRounded(w, nil, in, out).Mul(dst, out, src, in, rows)
			for i, v := range dst[:rows*out] {
				if finite := v-v == 0; finite != (i/out != 1) {
					t.Fatalf("%v at %d: value %d is %v", bad, at, i, v)
				}
			}
			w[at] = float32(bad) // of the first result
			src[in+at] = 1
			NewRounded(w, nil, in, out).Mul(dst, out, src, in, rows)
			if v := dst[0]; v-v == 0 {
				t.Errorf("a weight of %v at %d gives %v", bad, at, v)
			}
		}
	}
}

func BenchmarkRounded(b *testing.B) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, size := range [][3]int{{384, 384, 12}, {384, 384, 192}, {384, 1536, 192}, {1536, 384, 192}} {
		in, out, rows := size[0], size[1], size[2]
		b.Run(fmt.Sprintf("%dx%dx%d", rows, in, out), func(b *testing.B) {
			m := NewRounded(random(r, in*out), nil, in, out)
			src, dst := random(r, rows*in), make([]float32, rows*out)
			for b.Loop() {
				m.Mul(dst, out, src, in, rows)
			}
			b.ReportMetric(2*float64(in*out*rows)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GOPS")
		})
	}
}
