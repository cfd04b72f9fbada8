package recall

import (
	"context"
	"math"
	"slices"

	"github.com/reverie-memory/reverie/lexis"
)

// occasions bring a standing wish ("always give the error codes when I ask about the API") along with what answers a question of which it
// is the occasion, however few of its other words the question has. The wish stands beside an answer and is none: it comes behind the
// first few.
var occasions = &Phase{
	Name: "occasions", Step: Ranking, Stage: "rank", Switch: "occasions",
	Flags: []Flag{{Name: "occasions", Default: true, Doc: "what is wished whenever something is asked comes along where it is asked"}},
	Parts: []string{"occasion"},
	Run: func(_ context.Context, r *search) error {
		var asked wordSet
		answers, limit := 0, math.Inf(1)
		for i := range r.ranked {
			best := r.ranked[i].rows[0]
			when := r.ranked[i].occasion()
			if when == "" {
				if answers++; answers == occasionBehind {
					limit = best.score * justBelow
				}
				continue
			}
			if answers < occasionBehind || best.score <= 0 {
				continue
			}
			if asked.terms == nil {
				asked = newWordSet(r.q.Text)
			}
			if by := min(weightOccasion*asked.share(when), limit/best.score-1); by > 0 {
				best.scale("occasion", by)
			}
		}
		slices.SortStableFunc(r.ranked, func(a, b ranked) int { return compareRows(a.rows[0], b.rows[0]) })
		return nil
	},
}

// What a wish gains whose whole occasion the question names, how many answers stay before it, and how close it may come to the last of
// them.
const (
	weightOccasion = 4
	occasionBehind = 3
	justBelow      = 0.999
)

// occasion is that of the first of a group's rows that is a standing wish; "" where none is.
func (g *ranked) occasion() string {
	for _, row := range g.rows {
		if row.meta.Wish {
			return lexis.Occasion(row.row.Text)
		}
	}
	return ""
}

// occasional says whether occasions count. Not every profile knows of them.
func (r *search) occasional() bool {
	on, _ := r.flags["occasions"].(bool)
	return on
}

// wished says whether a group is a standing wish of whose occasion the question names all, or words of the same kind.
func (r *search) wished(g *ranked) bool {
	when := ""
	if r.occasional() {
		when = g.occasion()
	}
	return when != "" && newWordSet(r.q.Text).share(when) >= alike
}

// A wordSet is the terms of a text and what they are about.
type wordSet struct {
	terms    map[string]bool
	concepts map[uint32]bool
}

func newWordSet(text string) wordSet {
	s := wordSet{map[string]bool{}, map[uint32]bool{}}
	for _, t := range lexis.Terms(text) {
		s.terms[t] = true
		for _, c := range lexis.Concepts(t) {
			s.concepts[c] = true
		}
	}
	return s
}

// alike is what a term counts of which the set has another of the same concept.
const alike = 0.7

// share is how much of a text's terms the set has, by how rare they are in general.
func (s wordSet) share(text string) float64 {
	has, all := 0.0, 0.0
	for _, t := range lexis.Terms(text) {
		w := math.Log(1e6 / lexis.Frequency(t))
		all += w
		switch {
		case s.terms[t]:
			has += w
		case slices.ContainsFunc(lexis.Concepts(t), func(c uint32) bool { return s.concepts[c] }):
			has += alike * w
		}
	}
	if all == 0 {
		return 0
	}
	return has / all
}
