package linear

import (
	"math"
	"math/rand/v2"
)

// Buckets is how many features [Feature] tells apart.
const Buckets = 1 << bits

const bits = 15

// scale is how many steps of a weight make 1 of a score.
const scale = 32

// Weights are a bias and a weight for each bucket, each a signed byte.
type Weights []byte

// Score is above 0 where the model says yes, the more the surer it is: the logarithm of the odds.
func (w Weights) Score(features []uint32) float64 { return w.Scaled(features, 1) }

// Scaled is the score with the sum of the features' weights taken so many times.
func (w Weights) Scaled(features []uint32, times float64) float64 {
	sum := 0
	for _, f := range features {
		sum += int(int8(w[1+int(f)]))
	}
	return (float64(int8(w[0])) + float64(times*float64(sum))) / scale
}

// Share gives what the weights of so many features are multiplied by, of which there are usual as a rule: those of few count for more.
func Share(usual float64) func(features int) float64 {
	return func(features int) float64 { return math.Sqrt(usual / float64(max(features, 1))) }
}

// Feature is the bucket of a feature that consists of these parts.
func Feature(parts ...uint32) uint32 { return uint32(Hash(parts...) >> (64 - bits)) }

// Part makes a part of a feature from a string.
func Part(s string) uint32 {
	h := uint32(2166136261) // FNV-1a
	for i := range len(s) {
		h = PartOf(h, s[i])
	}
	return h
}

// PartOf is the part of a string that goes on with one more byte than that of part.
func PartOf(part uint32, c byte) uint32 { return (part ^ uint32(c)) * 16777619 }

// Hash mixes the parts of a feature; its upper bits are the best.
func Hash(parts ...uint32) uint64 {
	h := uint64(Start)
	for _, p := range parts {
		h = Mix(h, p)
	}
	return h
}

// Of is the score of features whose weights add up to sum.
func (w Weights) Of(sum int32) float64 { return (float64(int8(w[0])) + float64(sum)) / scale }

// Start is the hash of no parts.
const Start = 0x9e3779b97f4a7c15

// Mix is the hash of some parts and one more.
func Mix(h uint64, part uint32) uint64 { return (h ^ uint64(part)) * 0xd6e8feb86659fd93 }

// An Example is what a model learns from.
type Example struct {
	Features []uint32
	Yes      bool
	Weight   float64 // 1 for one that counts as much as others
}

// How a model learns: by AdaGrad, example by example, in an order that is mixed anew in each round.
const (
	rounds = 12
	rate   = 0.05
	decay  = 0.0005
	drop   = 0.2 // of the features of an example are left out in each round, so that none is relied on alone
)

// Train returns the weights that tell the examples apart, whose features are below buckets. The same examples in the same order give the
// same weights.
func Train(examples []Example, buckets int) Weights {
	w, squares := make([]float64, buckets), make([]float64, buckets)
	bias := -2.0
	random := rand.New(rand.NewPCG(7, 7))
	order := random.Perm(len(examples))
	kept := make([]uint32, 0, 256)
	for range rounds {
		random.Shuffle(len(order), func(i, k int) { order[i], order[k] = order[k], order[i] })
		for _, i := range order {
			e := examples[i]
			kept = kept[:0]
			sum := bias
			for _, f := range e.Features {
				if random.Float64() >= drop {
					kept = append(kept, f)
					sum += w[f]
				}
			}
			slope := e.Weight * Sigmoid(sum)
			if e.Yes {
				slope -= e.Weight
			}
			for _, f := range kept {
				g := slope + float64(decay*w[f])
				squares[f] += float64(g * g)
				w[f] -= float64(rate * g / math.Sqrt(squares[f]+1e-3))
			}
			bias -= float64(0.01 * slope)
		}
	}
	out := make(Weights, 1, 1+buckets)
	out[0] = Step(bias)
	for _, x := range w {
		out = append(out, Step(x*(1-drop))) // nothing is left out where the model is used
	}
	return out
}

// Step is a learnt weight as it is kept, or the nearest that can be.
func Step(w float64) byte { return byte(int8(max(-127, min(math.Round(w*scale), 127)))) }

// Exp is e^x for x from -20 to 20, and for others that of the nearer bound, by steps that give the same bits on every machine.
func Exp(x float64) float64 {
	e := 1 + max(-20, min(x, 20))/(1<<20)
	for range 20 {
		e *= e
	}
	return e
}

// Sigmoid is 1 / (1 + e^-x), of the same bits on every machine.
func Sigmoid(x float64) float64 { return 1 / (1 + Exp(-x)) }
