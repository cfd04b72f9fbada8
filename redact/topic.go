package redact

import (
	_ "embed"

	"github.com/reverie-memory/reverie/internal/linear"
)

// topics tell by the words of a part of a text whether it tells a secret, however that is called. The tests train them: see topic_test.go.
//
//go:embed topics.bin
var topics linear.Weights

// topicBits are the bits of the number of a word, or of two that follow one another, in topics.
const topicBits = 17

// How many terms before and behind a value tell its topic.
const (
	topicAhead  = 40
	topicBehind = 20
)

// topicOf is the bucket of a term, and that of it with the term before.
func topicOf(t, before uint32) (one, two uint32) {
	return uint32(of(1).and(t) >> (64 - topicBits)), uint32(of(2).and(t).and(before) >> (64 - topicBits))
}

// about returns, for each term and the end, what the weights of the terms before it add up to.
func about(terms []term, w linear.Weights) []int32 {
	sums := make([]int32, len(terms)+1)
	before := uint32(0)
	for i := range terms {
		h := terms[i].hash
		one, two := topicOf(h, before)
		sums[i+1] = sums[i] + int32(int8(w[1+one])) + int32(int8(w[1+two]))
		before = h
	}
	return sums
}

// topic is the score of the terms around those from first up to last, without these: the logarithm of the odds that a secret is told
// there, 32 steps for 1.
func (r *reader) topic(first, last int) int32 {
	from, to := max(0, first-topicAhead), min(len(r.terms), last+topicBehind)
	return r.about[to] - r.about[last] + r.about[first] - r.about[from] + int32(int8(topics[0]))
}
