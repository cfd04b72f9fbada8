package worth

import (
	_ "embed"
	"math"

	"github.com/reverie-memory/reverie/internal/linear"
)

// Buckets is how many features the model tells apart; their hashes are taken modulo it.
const Buckets = 1 << bits

const bits = 16

// Heads are what the model judges, in the order of the weights.
const (
	Lasting = iota // a careful person would want the sentence in a month
	Alone          // it is understood by someone who sees nothing else of the conversation
	Heads
)

// weights holds, for each head, a bias and a weight for each bucket. `go generate ./extract/worth` trains them anew, to the same bytes.
//
//go:generate go run ../../scripts/worth
//go:embed weights.bin
var weights []byte

// Of gives the probability that a sentence is worth a line: that it lasts and stands alone.
func Of(sentence string) float64 {
	lasting, alone := Judge(sentence)
	return lasting * alone
}

// Judge gives the probabilities that a sentence lasts and that it stands alone.
func Judge(sentence string) (lasting, alone float64) {
	p := Probabilities(weights, Features(sentence))
	return p[Lasting], p[Alone]
}

// usual is how many features a sentence has as a rule.
const usual = 64

// Share is what the weights of a sentence with n features are multiplied by: its words count for more where they are few.
func Share(n int) float64 { return math.Sqrt(usual / float64(max(n, 1))) }

// Probabilities gives what weights say about a sentence with these features.
func Probabilities(weights []byte, features []uint16) (p [Heads]float64) {
	for h := range p {
		p[h] = linear.Sigmoid(linear.Weights(weights[h*(Buckets+1):]).Scaled(features, Share(len(features))))
	}
	return p
}
