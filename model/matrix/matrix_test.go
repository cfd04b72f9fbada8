package matrix

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// naive is the definition.
func naive(w, bias, src []float32, in, out, rows int) []float64 {
	c := make([]float64, rows*out)
	for i := range rows {
		for j := range out {
			sum := float64(bias[j])
			for l := range in {
				sum += float64(src[i*in+l]) * float64(w[j*in+l])
			}
			c[i*out+j] = sum
		}
	}
	return c
}

func random(r *rand.Rand, n int) []float32 {
	s := make([]float32, n)
	for i := range s {
		s[i] = float32(r.NormFloat64())
	}
	return s
}

func TestEachKernelGivesTheProduct(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, k := range kernels() {
		if k.rows*k.cols > maxTile || rowChunk%k.rows != 0 {
			t.Errorf("%s: its tile is larger than maxTile, or rowChunk is not a multiple of its rows", k.name)
		}
		for _, size := range [][3]int{{1, 1, 1}, {3, 5, 2}, {32, 85, 85}, {384, 384, 13}, {128, 312, 200}, {1536, 40, 7}} {
			in, out, rows := size[0], size[1], size[2]
			t.Run(fmt.Sprintf("%s %dx%dx%d", k.name, rows, in, out), func(t *testing.T) {
				w, bias := random(r, in*out), random(r, out)
				padded := (rows + k.rows - 1) / k.rows * k.rows
				src, dst := random(r, padded*in), make([]float32, padded*out+1)
				dst[padded*out] = 77
				newWeights(k, w, bias, in, out).Mul(dst, out, src, in, rows)
				for i, want := range naive(w, bias, src, in, out, rows) {
					if math.Abs(float64(dst[i])-want) > 1e-5*math.Sqrt(float64(in))*8 {
						t.Fatalf("value %d is %v, want %v", i, dst[i], want)
					}
				}
				if dst[padded*out] != 77 {
					t.Error("a value behind the product was written")
				}
			})
		}
	}
}

// An operand that is laid out for each product is a part of a wider matrix.
func TestColumnsAndRowsTakeAPart(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	const stride, n, part, rows = 50, 37, 20, 5
	src := random(r, n*stride)
	var m Weights
	a := random(r, Pad(rows)*part)
	got := make([]float32, Pad(rows)*n)
	m.Columns(src[7:], stride, part, n)
	m.Mul(got, n, a, part, rows)
	w := make([]float32, n*part)
	for j := range n {
		copy(w[j*part:], src[7+j*stride:7+j*stride+part])
	}
	near(t, got, naive(w, make([]float32, n), a, part, n, rows))

	b := random(r, Pad(rows)*n)
	got = make([]float32, Pad(rows)*part)
	m.Rows(src[7:], stride, n, part)
	m.Mul(got, part, b, n, rows)
	turned := make([]float32, n*part)
	for l := range n {
		for j := range part {
			turned[j*n+l] = w[l*part+j]
		}
	}
	near(t, got, naive(turned, make([]float32, part), b, n, part, rows))
}

func near(t *testing.T, got []float32, want []float64) {
	t.Helper()
	for i := range want {
		if math.Abs(float64(got[i])-want[i]) > 1e-4 {
			t.Fatalf("value %d is %v, want %v", i, got[i], want[i])
		}
	}
}

func BenchmarkMul(b *testing.B) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, k := range kernels() {
		for _, size := range [][3]int{{384, 384, 12}, {384, 384, 192}, {384, 1536, 192}, {1536, 384, 192}} {
			in, out, rows := size[0], size[1], size[2]
			b.Run(fmt.Sprintf("%s/%dx%dx%d", k.name, rows, in, out), func(b *testing.B) {
				m := newWeights(k, random(r, in*out), nil, in, out)
				src, dst := random(r, rows*in), make([]float32, rows*out)
				for b.Loop() {
					m.Mul(dst, out, src, in, rows)
				}
				b.ReportMetric(2*float64(in*out*rows)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOPS")
			})
		}
	}
}
