package recall

import (
	"fmt"
	"math"
	"strings"

	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/lexis"
)

// A score tells which row answers best, and not whether any does: it grows with the vault. The relevance of a hit does, and is 1 where
// it just suffices. It is the most of
//
//	told / all / fullShare      told: weight of the question's terms that the hit has; all: of all its terms
//	told / √all / rareShare     many rare terms suffice though they are few of a long question
//	cosine / near               near: where the embedder's vectors tell the same
//
// A term weighs log(10⁶ / its frequency in general English, per million). docs/decisions/0017 tells how the numbers were found.
const (
	fullShare = 0.45
	rareShare = 1.9
	near      = 0.4 // of the built-in embedder and of all-MiniLM-L6-v2

	// defaultFloor is the relevance that an answer needs: one of its hits, and the others come along.
	defaultFloor = 1.0
)

// A floor knows what a question asks for.
type floor struct {
	least float64
	terms map[string]float64 // with their weights
	all   float64
	like  map[string]float64 // terms that may be meant, where one is misspelt, by how much they count
}

func newFloor(text string, least float64) floor {
	f := floor{least: least, terms: map[string]float64{}, like: map[string]float64{}}
	for _, t := range lexis.Terms(text) {
		if f.terms[t] == 0 {
			f.terms[t] = math.Log(1e6 / lexis.Frequency(t))
			f.all += f.terms[t]
		}
	}
	return f
}

// meant adds the terms that the index looks for as well.
func (f *floor) meant(terms []catalog.WeightedTerm) {
	for _, t := range terms {
		if _, asked := f.terms[t.Term]; !asked {
			f.like[t.Term] = t.Weight
		}
	}
}

// relevance is that of a hit made of these rows. A question of which nothing is rare is answered by anything.
func (f *floor) relevance(rows []scoredRow, cosine float64) float64 {
	if f.all == 0 {
		return defaultFloor
	}
	has, like := map[string]bool{}, 0.0
	for i := range rows {
		r := &rows[i].row
		for _, t := range lexis.Terms(strings.Join([]string{r.Text, r.Context, r.Speaker}, "\n")) {
			has[t] = true
			like = max(like, f.like[t])
		}
	}
	told, missing := 0.0, 0.0
	for t, w := range f.terms {
		if has[t] {
			told += w
		} else {
			missing = max(missing, w)
		}
	}
	told += like * missing
	return max(told/f.all/fullShare, told/math.Sqrt(f.all)/rareShare, cosine/near)
}

// answered says whether any hit suffices. Where none does they are left out, and the answer says how many.
func (r *search) answered(hits []Hit) []Hit {
	weak := 0
	for i := range hits {
		if hits[i].Weak = hits[i].Relevance < r.floor.least; hits[i].Weak {
			weak++
		}
	}
	if weak == 0 || weak < len(hits) {
		return hits
	}
	r.result.Weak = weak
	r.warn(fmt.Sprintf("nothing that is remembered answers this: %d weak hits were left out (flag %s: 0 shows them)", weak, FlagMinScore))
	return hits[:0]
}
