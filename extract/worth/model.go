package worth

import (
	_ "embed"
	"iter"

	"github.com/reverie-memory/reverie/internal/linear"
)

// Buckets is how many features the model tells apart; their hashes are taken modulo it.
const Buckets = 1 << bits

const bits = 16

// Heads are what the model judges, in the order of the weights.
const (
	Lasting  = iota // a careful person would want the sentence in a month
	Worth           // and it is understood by someone who sees nothing else of the conversation
	Software        // it comes from talk about a software project, whatever it is worth
	Heads
)

// weights holds, for each head, a bias and a weight for each bucket. `go generate ./extract/worth` trains them anew, to the same bytes.
//
//go:generate go run ../../scripts/worth
//go:embed weights.bin
var weights []byte

// Of gives the probability that a sentence is worth a line: that it lasts and stands alone.
func Of(sentence string) float64 { return Probability(weights, Worth, buckets(sentence)) }

// Judge gives the probabilities that a sentence lasts, whether it stands alone or not, and that it is worth a line.
func Judge(sentence string) (lasting, worth float64) {
	_, lasting, worth = Odds(sentence)
	return linear.Sigmoid(lasting), linear.Sigmoid(worth)
}

// Odds are the logarithms of the odds of Judge's probabilities, with the features of the sentence, each once, in no order.
func Odds(sentence string) (features []uint32, lasting, worth float64) {
	features = buckets(sentence)
	return features, odds(weights, Lasting, features), odds(weights, Worth, features)
}

// IsSoftware judges whether the sentences of a message are talk about a software project, where statements seldom have a subject or a verb:
// "postgres 15 on rds, upgrade to 16 in november".
func IsSoftware(sentences iter.Seq[string]) bool {
	sum := 0.0
	for s := range sentences {
		sum += odds(weights, Software, buckets(s))
	}
	return sum > 0
}

// Share is what the weights of so many features of a sentence are multiplied by.
var Share = linear.Share(64)

// Probability is what the weights of a head say about a sentence with these features.
func Probability(weights []byte, head int, features []uint32) float64 {
	return linear.Sigmoid(odds(weights, head, features))
}

// odds are the logarithm of the odds of Probability.
func odds(weights []byte, head int, features []uint32) float64 {
	return linear.Weights(weights[head*(Buckets+1):]).Scaled(features, Share(len(features)))
}
