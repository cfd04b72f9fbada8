package tier

import "unicode/utf8"

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

// Types are the seven, in the order that settles a tie.
var Types = [...]Type{Decision, Preference, Milestone, Problem, Emotional, Task, Fact}

// least is the confidence below which a text has no type by its words.
const least = 0.3

// full is the score at which a type is certain.
const full = 5.0

// worth is what a marker counts for.
const worth = 2.0

// Classify gives the type of a text by its words, and from 0 to 1 how sure that is. A text whose words say little is a fact.
func Classify(text string) (Type, float64) {
	n := count(plain(text))
	best := Fact
	for _, t := range Types {
		if n[t] > n[best] {
			best = t
		}
	}
	if best == Problem && n["over"] > 0 && n["good"] > n["bad"] {
		best, n[Milestone] = Milestone, n[Problem]
	}
	confidence := min(1, (worth*float64(n[best])+bonus(text))/full)
	if n[best] == 0 || confidence < least {
		return Fact, confidence
	}
	return best, confidence
}

// bonus is what the length of a text adds to its score: a long one says more about its type.
func bonus(text string) float64 {
	switch n := utf8.RuneCountInString(text); {
	case n > 500:
		return 2
	case n > 200:
		return 1
	}
	return 0
}
