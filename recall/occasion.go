package recall

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/lexis"
)

// occasions bring a standing wish ("always give the error codes when I ask about the API") along with what answers a question of which it
// is the occasion, however few of its other words the question has. It stands beside an answer and is none: it comes behind the first few.
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
		if when := occasion(row.row.Text); when != "" {
			return when
		}
	}
	return ""
}

// occasion is what a text says that has to be asked for its wish to hold: "the API" of "always give the error codes when I ask about the
// API". It is "" for a text without a wish that names its occasion.
func occasion(text string) string {
	if !slices.ContainsFunc(askingStems, func(s string) bool { return strings.Contains(text, s) }) { // it spares the rest for nearly all
		return ""
	}
	for _, s := range lexis.Sentences(text) {
		t := text[s.Start:s.End]
		words := lexis.Words(t)
		if isQuestion(t) || !slices.ContainsFunc(words, func(w string) bool { return wishing[w] }) || habit(words) {
			continue
		}
		for clause := range strings.FieldsFuncSeq(t, func(c rune) bool { return strings.ContainsRune(",;:–—", c) }) {
			words := lexis.Words(clause)
			for i := range len(words) - 1 {
				if !opening[words[i]] || !firstPerson(words[i+1]) {
					continue
				}
				said := words[i+2:]
				if about := slices.DeleteFunc(slices.Clone(said), func(w string) bool { return asking[w] }); len(about) < len(said) {
					return strings.Join(about, " ")
				}
			}
		}
	}
	return ""
}

// habit tells whether a sentence says what its speaker does: "I always cry when I talk about it". What they want of others is a wish.
func habit(words []string) bool {
	does := false
	for i, w := range words {
		if wanting[w] {
			return false
		}
		next := words[i+1 : min(len(words), i+3)]
		does = does || doing[w] && (i == 0 || !opening[words[i-1]]) && slices.ContainsFunc(next, func(w string) bool { return wishing[w] })
	}
	return does
}

// Words of which a wish that names its occasion has one each, in English, German, French and Spanish, without accents.
var (
	wishing = lexis.Set("always never only please whenever every each anytime immer nie niemals nur bitte toujours jamais siempre nunca")
	opening = lexis.Set("when whenever if time anytime wenn falls sobald quand si lorsque cuando")
	doing   = lexis.Set("i we ich wir je nous yo nosotros")
	wanting = lexis.Set("you want like love prefer need expect wish please du mochte will willst sie bitte tu vous veux voudrais quiero prefiero")
	asking  = lexis.Set("ask asking mention talk request inquire frage erwahne spreche demande parle pregunto pregunte hablo hable " +
		"menciono mencione")
	askingStems = []string{
		"ask", "mention", "talk", "request", "inquire", "frage", "erwähne", "spreche", "demande", "parle", "pregunt", "habl", "mencion",
	}
)

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
