package linear

import (
	"math"
	"math/rand/v2"
)

// Fit returns the weights that tell the examples apart, whose features are below buckets: logistic regression with a Gaussian prior of so
// many times the weight of an example (C = 1/prior), by AdaGrad. Fit learns from fewer examples than [Train], as no feature may weigh much.
// The weights are the mean of those of the second half of the rounds. The same examples in the same order give the same weights.
func Fit(examples []Example, buckets int, prior float64, share func(features int) float64) Weights {
	w, squares, mean := make([]float64, buckets), make([]float64, buckets), make([]float64, buckets)
	seen := make([]float64, buckets)
	for _, e := range examples {
		for _, f := range e.Features {
			seen[f]++
		}
	}
	bias, biases := 0.0, 0.0
	random := rand.New(rand.NewPCG(7, 7))
	order := random.Perm(len(examples))
	for round := range fitRounds {
		random.Shuffle(len(order), func(i, k int) { order[i], order[k] = order[k], order[i] })
		for _, i := range order {
			e := examples[i]
			sum, times := 0.0, share(len(e.Features))
			for _, f := range e.Features {
				sum += w[f]
			}
			slope := e.Weight * Sigmoid(bias+float64(times*sum))
			if e.Yes {
				slope -= e.Weight
			}
			for _, f := range e.Features {
				g := float64(times*slope) + float64(prior*w[f]/seen[f])
				squares[f] += float64(g * g)
				w[f] -= float64(fitRate * g / math.Sqrt(squares[f]+1))
			}
			bias -= float64(0.01 * slope)
		}
		if round >= fitRounds/2 {
			for f, x := range w {
				mean[f] += x / (fitRounds - fitRounds/2)
			}
			biases += bias / (fitRounds - fitRounds/2)
		}
	}
	out := make(Weights, 1, 1+buckets)
	out[0] = Step(biases)
	for _, x := range mean {
		out = append(out, Step(x))
	}
	return out
}

// How Fit learns.
const (
	fitRounds = 20
	fitRate   = 0.01
)
