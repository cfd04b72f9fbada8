package probe

import (
	"math"
	"math/rand/v2"
	"slices"
)

// A Figure is a mean with the interval in which it lies at 95 %. A Figure is of N values; of none it is zero.
type Figure struct {
	N    int     `json:"n"`
	Mean float64 `json:"mean"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

const resamples = 2000

// Mean is the mean of values. The interval is that of a bootstrap, always of the same draws, which draws whole groups: values of one group,
// such as probes of one session, are no independent witnesses.
func Mean(values []float64, groups []string) Figure {
	if len(values) == 0 {
		return Figure{}
	}
	type sum struct{ total, n float64 }
	names := slices.Compact(slices.Sorted(slices.Values(groups))) // whatever order the values come in, the draws are the same
	sums, all := make([]sum, len(names)), sum{}
	for i, v := range values {
		g, _ := slices.BinarySearch(names, groups[i])
		sums[g].total, sums[g].n = sums[g].total+v, sums[g].n+1
		all.total, all.n = all.total+v, all.n+1
	}
	draw, means := rand.New(rand.NewPCG(1, 2)), make([]float64, resamples)
	for i := range means {
		var s sum
		for range sums {
			g := sums[draw.IntN(len(sums))]
			s.total, s.n = s.total+g.total, s.n+g.n
		}
		means[i] = s.total / s.n
	}
	slices.Sort(means)
	return Figure{len(values), all.total / all.n, means[resamples/40], means[resamples-1-resamples/40]}
}

// Sign is the probability that chance alone parts wins from losses as far as this, or farther, where neither is the likelier: the two-sided
// sign test.
func Sign(wins, losses int) float64 {
	n, k := wins+losses, min(wins, losses)
	p := 0.0
	for i := range k + 1 {
		a, _ := math.Lgamma(float64(n + 1))
		b, _ := math.Lgamma(float64(i + 1))
		c, _ := math.Lgamma(float64(n - i + 1))
		p += math.Exp(a - b - c - float64(n)*math.Ln2)
	}
	return min(1, 2*p)
}
