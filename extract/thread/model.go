package thread

import (
	_ "embed"

	"github.com/reverie-memory/reverie/internal/linear"
)

// Heads are what the models judge, in the order of the weights.
const (
	Keep = iota // a careful person would keep the sentence, with what it needs to be understood
	Need        // a reader needs the message before
	Good        // a line is true, stands alone and lasts
	Heads
)

// weights holds, for each head, a bias and a weight for each bucket. `go generate ./extract/thread` trains them anew, to the same bytes.
//
//go:generate go run ../../scripts/threads -o weights.bin
//go:embed weights.bin
var weights []byte

// Worth is how probable it is that a careful person would keep a sentence, whether it is understood by itself or not.
func (p Place) Worth() float64 { return Probability(weights, Keep, p.Features()) }

// Needs is how probable it is that a reader of the sentences from the place's up to another has to see the message before them that
// stands at that place of Earlier.
func (p Place) Needs(to, at int) float64 { return Probability(weights, Need, p.Pair(to, at)) }

// Probability is what the weights of a head say about features.
func Probability(weights []byte, head int, features []uint32) float64 {
	return linear.Sigmoid(linear.Weights(weights[head*(Buckets+1):]).Scaled(features, Share(len(features))))
}

// Share is what the weights of so many features of a sentence in its place are multiplied by.
var Share = linear.Share(256)
