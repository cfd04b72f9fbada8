package sense

import (
	_ "embed"
	"math"
	"slices"
)

// A Side is a side of life, or of a project.
type Side int

// The sides, in the order of the weights.
const (
	About Side = iota
	Home
	Family
	People
	Pets
	Health
	Work
	Study
	Money
	Food
	Travel
	Sport
	Music
	Books
	Films
	Art
	Games
	Nature
	Hobbies
	Community
	Style
	Things
	Wishes
	Plans
	Events
	Stack // the first of a project
	Decision
	Status
	Problem
	Overview
	Count int = iota
)

var names = [Count]string{
	"about", "home", "family", "people", "pets", "health", "work", "study", "money", "food", "travel", "sport", "music", "books", "films",
	"art", "games", "nature", "hobbies", "community", "style", "things", "wishes", "plans", "events", "stack", "decision", "status", "problem",
	"overview",
}

func (s Side) String() string { return names[s] }

// Named reverses String.
func Named(name string) (Side, bool) {
	for s, n := range names {
		if n == name {
			return Side(s), true
		}
	}
	return 0, false
}

// Software tells whether the side is one of a project.
func (s Side) Software() bool { return s >= Stack }

// weights holds a bias for each head, then for each bucket a weight for each head. `go generate ./dream/sense` trains them anew, to the
// same bytes.
//
//go:generate go run ../../scripts/sense
//go:embed weights.bin
var weights []byte

// scale is how many steps of a weight make 1 of a score, as in [linear.Step].
const scale = 32

// A Reading is what the model says of a statement: how probable each side is.
type Reading struct {
	Sides [Count]float64
}

// Of reads a statement as it stands on a page: the words of somebody, or a clause that begins with a name.
func Of(statement string) Reading { return Read(weights, Features(statement)) }

// Read gives what weights say of a statement with these features.
func Read(weights []byte, features []uint32) (r Reading) {
	var sums [Count]int
	for h := range sums {
		sums[h] = int(int8(weights[h]))
	}
	for _, f := range features {
		for h, w := range weights[(int(f)+1)*Count:][:Count] {
			sums[h] += int(int8(w))
		}
	}
	most, total := slices.Max(sums[:]), 0.0
	for h := range r.Sides {
		r.Sides[h] = math.Exp(float64(sums[h]-most) / scale)
		total += r.Sides[h]
	}
	for h := range r.Sides {
		r.Sides[h] /= total
	}
	return r
}

// Best is the most probable side, of equals the first.
func (r Reading) Best() (best Side, p float64) {
	for s, x := range r.Sides {
		if x > p {
			best, p = Side(s), x
		}
	}
	return best, p
}
