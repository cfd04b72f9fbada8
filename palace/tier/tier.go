package tier

import (
	_ "embed"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/internal/linear"
)

// A Type is one of the seven types of memory.
type Type = string

// The types. Fact is what has no other.
const (
	Decision   Type = "decision"
	Preference Type = "preference"
	Milestone  Type = "milestone"
	Problem    Type = "problem"
	Emotional  Type = "emotional"
	Fact       Type = "fact"
	Task       Type = "task"
)

// Types are the seven, in the order of the weights, which settles a tie.
var Types = [...]Type{Decision, Preference, Milestone, Problem, Emotional, Task, Fact}

// weights holds a bias for each type, then for each bucket a weight for each type. `go generate ./palace/tier` trains them anew, to the
// same bytes.
//
//go:generate go run ../../scripts/types
//go:embed weights.bin
var weights []byte

const (
	full  = 5.0 // the score at which a type is certain
	least = 0.3 // the probability below which a text has no type by its words
)

// Judge is [Classify] by weights that may be others.
func Judge(weights []byte, text string) (Type, float64) {
	text = beginning(text)
	best, p := likeliest(weights, Features(text))
	if best == Problem && solved(text) {
		best = Milestone
	}
	b := bonus(text)
	confidence := min(1, ((full-b)*p+b)/full)
	if p < least { // length makes a type surer, and makes none: a long text in a language that nobody labelled has none by its words
		return Fact, p
	}
	return best, confidence
}

// usual is how many features a text has as a rule. The words of one with fewer count for more.
const usual = 64

// likeliest is the type that weights give to a text with these features, and how probable it is by them.
func likeliest(weights []byte, features []uint32) (Type, float64) {
	var sums [len(Types)]int
	for _, f := range features {
		for t, w := range weights[(int(f)+1)*len(Types):][:len(Types)] {
			sums[t] += int(int8(w))
		}
	}
	var scores [len(Types)]float64
	best, times := 0, math.Sqrt(usual/float64(len(features)+8))
	for t := range scores {
		scores[t] = (float64(int8(weights[t])) + float64(times*float64(sums[t]))) / scale
		if scores[t] > scores[best] {
			best = t
		}
	}
	total := 0.0
	for _, s := range scores {
		total += linear.Exp(s - scores[best])
	}
	return Types[best], 1 / total
}

// scale is how many steps of a weight make 1 of a score, as in [linear.Step].
const scale = 32

// solved says whether a text that tells of a problem tells that it is over, and is glad of it.
func solved(text string) bool {
	n := count(plain(text))
	return n["over"] > 0 && n["good"] > n["bad"]
}

// bonus is what the length of a text adds to its score: a long one says more of its type.
func bonus(text string) float64 {
	switch n := utf8.RuneCountInString(text); {
	case n > 500:
		return 2
	case n > 200:
		return 1
	}
	return 0
}

// maxText is how many bytes of a text are read. Its type shows long before.
const maxText = 8 << 10

func beginning(text string) string {
	if len(text) <= maxText {
		return text
	}
	return strings.ToValidUTF8(text[:maxText], "")
}
