package main

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/reverie-memory/reverie/dream/sense"
	"github.com/reverie-memory/reverie/internal/linear"
)

// How the model learns: by AdaGrad, example by example, in an order that is mixed anew in each round. The sides share what they are given:
// their probabilities add up to 1.
const (
	rounds = 16
	rate   = 0.07
	decay  = 0.005 // of a weight, each time its feature comes up
	drop   = 0.3   // of the features of an example are left out in each round, so that none is relied on alone
)

// A row is the weights of a bucket, or the biases.
type row [sense.Count]float64

func train(examples []example) []byte {
	table, squares := make([]row, linear.Buckets+1), make([]row, linear.Buckets+1)
	random := rand.New(rand.NewPCG(7, 7))
	order := random.Perm(len(examples))
	kept := make([]int, 0, 256)
	for range rounds {
		random.Shuffle(len(order), func(i, k int) { order[i], order[k] = order[k], order[i] })
		for _, i := range order {
			kept = append(kept[:0], 0)
			for _, f := range examples[i].features {
				if random.Float64() >= drop {
					kept = append(kept, 1+int(f))
				}
			}
			slope := examples[i].slope(table, kept)
			for _, f := range kept {
				for h, g := range slope {
					if g == 0 {
						continue
					}
					if f > 0 {
						g += float64(decay * table[f][h])
					}
					squares[f][h] += float64(g * g)
					table[f][h] -= float64(rate * g / math.Sqrt(squares[f][h]+1e-3))
				}
			}
		}
	}
	out := make([]byte, 0, sense.Count*len(table))
	for f, weights := range table {
		for _, w := range weights {
			if f > 0 {
				w *= 1 - drop // nothing is left out where the model is used
			}
			out = append(out, linear.Step(w))
		}
	}
	return out
}

// slope is by how much each head says more than the labels do.
func (e example) slope(table []row, kept []int) (slope row) {
	var sums row
	for _, f := range kept {
		for h, w := range table[f] {
			sums[h] += w
		}
	}
	total := 0.0
	most := slices.Max(sums[:])
	for h := range sense.Count {
		slope[h] = linear.Exp(sums[h] - most)
		total += slope[h]
	}
	for h := range sense.Count {
		slope[h] = float64(slope[h] / total)
	}
	for _, s := range e.sides {
		slope[s] -= 1 / float64(len(e.sides))
	}
	return slope
}
