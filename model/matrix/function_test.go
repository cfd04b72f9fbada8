package matrix

import (
	"math"
	"testing"
)

func TestFunctionsAreNearTheirDefinition(t *testing.T) {
	for x := -100.0; x <= 0; x += 0.00317 {
		if got, want := float64(exp(float32(x))), math.Exp(float64(float32(x))); math.Abs(got-want) > 3e-7 {
			t.Fatalf("exp(%v) = %v, want %v", x, got, want)
		}
	}
	for x := -9.0; x <= 9; x += 0.00113 {
		v := []float32{float32(x)}
		GELU(v)
		if want := 0.5 * x * math.Erfc(-x/math.Sqrt2); math.Abs(float64(v[0])-want) > 3e-6 {
			t.Fatalf("GELU(%v) = %v, want %v", x, v[0], want)
		}
	}
	v := []float32{float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1))}
	GELU(v)
	if v[0] == v[0] || v[1] != float32(math.Inf(1)) || v[2] == v[2] {
		t.Errorf("GELU hides what is not finite: %v", v)
	}
	rows := []float32{1, 2, 3, -50, 0, 50}
	Softmax(rows, 3, 0.5)
	for i, want := range []float64{0.186324, 0.307196, 0.506480, 0, 0, 1} {
		if math.Abs(float64(rows[i])-want) > 1e-6 {
			t.Errorf("share %d is %v, want %v", i, rows[i], want)
		}
	}
	row := []float32{1, 2, 6}
	Normalise(row, []float32{1, 2, 1}, []float32{0, 0, 1}, 1e-12)
	for i, want := range []float64{-0.925820, -0.925820, 2.388730} {
		if math.Abs(float64(row[i])-want) > 1e-5 {
			t.Errorf("normalised %d is %v, want %v", i, row[i], want)
		}
	}
}

func BenchmarkFunctions(b *testing.B) {
	const n = 4096
	from := make([]float32, n)
	for i := range from {
		from[i] = float32(i%97)/16 - 3
	}
	row := make([]float32, n)
	for name, f := range map[string]func(){"softmax": func() { Softmax(row, 64, 0.2) }, "gelu": func() { GELU(row) }} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				copy(row, from)
				f()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/value")
		})
	}
}
