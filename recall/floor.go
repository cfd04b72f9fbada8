package recall

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/lexis"
)

// A score tells which row answers best, and not whether any does: it grows with the vault. The relevance of a hit does, and is 1 where
// it just suffices:
//
//	(told - unheard·absent) / √all / enough + nearness + form·lean + base - growth·log(rows)
//
// told is the weight of the question's terms that the hit has, absent that of those that no row has, all that of all; a term weighs
// log(10⁶ / its frequency in general English, per million), a misspelt one what the likeliest of those that it stands for weighs, and the
// times that a question names are one rare term together, which a hit has as far as it is close to them. What the nearness of vectors says
// depends on the embedder, see [gauge]. lean is what the question's form says: who speaks of themselves asks the memory, who asks how
// something is done asks the world, and words without a question's are looked for where they are typed. The more rows there are, the nearer
// is the nearest of them by chance, so a hit among few needs less.
// docs/decisions/0017 tells how the numbers were found.
const (
	unheard = 0.25
	enough  = 2.9

	// Where a question leans: any, one that has the asker as more than an owner, and one that asks how something is done.
	leanAsked = -0.16
	leanSelf  = 0.4
	leanHow   = -0.5

	// likely is what a term counts that a hit has in the place of one that no row has and that is spelt nearly so.
	likely = 0.8

	// usual is how far most answers are above the mean. usual stands in for that where there are no vectors.
	usual = 0.2

	// From where to where growth was measured: an answer among fewer needs no less, one among more no more.
	fewRows, manyRows = 25, 3000

	// defaultFloor is the relevance that an answer needs: one of its hits, and the others come along.
	defaultFloor = 1.0
)

// rare is the weight of a term that general English does not know.
var rare = math.Log(1e6 / lexis.FrequencyFloor)

// A gauge says what the vectors of an embedder count in a relevance: a cosine by itself, and how far it is above the mean of the nearest
// rows, 0 where it is not.
type gauge struct{ cosine, above, form, base, growth float64 }

// The built-in embedder's cosines are known. Of others it is not known what a cosine means, but what is common to all texts of an embedder
// is in the mean as well. A cosine of the built-in one that stands out little, among rows that are all near, says more than one that does.
var (
	gaugeBuiltin = gauge{cosine: 4.7, above: -3.3, form: 1.26, base: 1.98, growth: 0.43}
	gaugeAny     = gauge{above: 1 / 0.70, form: 1, base: 1.29, growth: 0.2}
)

// A floor knows what a question asks for.
type floor struct {
	terms  map[string]float64 // with their weights
	order  []string           // the same, as they are asked: sums come out alike
	all    float64
	lean   float64
	absent map[string]bool
	near   map[string][]string // what stands in for a term that no row has, the likeliest first
}

func newFloor(q *question) floor {
	f := floor{terms: map[string]float64{}, absent: map[string]bool{}, near: map[string][]string{}}
	for _, t := range lexis.Terms(strings.Join(q.rest, " ")) {
		if f.terms[t] == 0 {
			f.terms[t] = math.Log(1e6 / lexis.Frequency(t))
			f.order = append(f.order, t)
			f.all += f.terms[t]
		}
	}
	if f.all > 0 && len(q.spans) > 0 {
		f.all += rare
	}
	if slices.ContainsFunc(q.words, lexis.IsStop) {
		f.lean += leanAsked
	}
	if q.self {
		f.lean += leanSelf
	}
	if q.how {
		f.lean += leanHow
	}
	return f
}

// meant takes the terms as the index looks for them, with those that it looks for as well. A misspelt one weighs what the likeliest does.
func (f *floor) meant(terms []catalog.WeightedTerm) {
	for _, t := range terms {
		if t.For == "" {
			f.absent[t.Term] = t.Absent
			continue
		}
		if f.terms[t.For] > 0 && f.near[t.For] == nil && lexis.Frequency(t.For) == lexis.FrequencyFloor {
			w := math.Log(1e6 / lexis.Frequency(t.Term))
			f.all += w - f.terms[t.For]
			f.terms[t.For] = w
		}
		f.near[t.For] = append(f.near[t.For], t.Term)
	}
}

// relevance is that of a hit made of these rows, among so many in the index. A question of which nothing is rare is answered by anything.
func (f *floor) relevance(rows []*scoredRow, closeness float64, g gauge, c *candidate, among int) float64 {
	if f.all == 0 {
		return defaultFloor
	}
	has := map[string]bool{}
	for i := range rows {
		r := &rows[i].row
		for _, t := range lexis.Terms(strings.Join([]string{r.Text, r.Context, r.Speaker}, "\n")) {
			has[t] = true
		}
	}
	told := rare * closeness
	for _, t := range f.order {
		switch w := f.terms[t]; {
		case has[t]:
			told += w
		case f.absent[t]:
			part := -unheard
			if slices.ContainsFunc(f.near[t], func(n string) bool { return has[n] }) {
				part = likely
			}
			told += part * w
		}
	}
	small := g.base - g.growth*math.Log(float64(min(max(among, fewRows), manyRows)))
	return max(0, told/math.Sqrt(f.all)/enough+g.cosine*c.cosine+g.above*c.above+g.form*f.lean+small)
}

// relevance is that of a hit made of these rows, whose best one is c.
func (r *search) relevance(rows []*scoredRow, c *candidate) float64 {
	near, g := *c, gaugeAny
	switch {
	case r.pool.blind:
		near.above = usual
	case r.builtin():
		g = gaugeBuiltin
	}
	return r.floor.relevance(rows, r.question.closeness(c.meta.Unix), g, &near, r.s.Index.Info().Rows)
}

// known says whether the question names somebody who speaks in the memory, by a name that is no word of general English such as "mark".
// A question with a known name is about the memory, however little its words are those of the answer: a misspelt one, one in another
// language than the answer, one that asks what they would like.
func (r *search) known() bool {
	for name := range r.s.Index.Speakers(r.q.Filter) {
		for _, w := range lexis.Words(name) {
			if terms := lexis.Terms(w); r.question.set[w] && len(terms) == 1 && lexis.Frequency(terms[0]) == lexis.FrequencyFloor {
				return true
			}
		}
	}
	return false
}

// ours says whether the question speaks of a thing as known ("the dog") that a hit tells to be somebody's own ("our dog"): it is that one
// which is meant.
func (r *search) ours() bool {
	return len(r.question.the) > 0 && slices.ContainsFunc(r.result.Hits, func(h Hit) bool { return owned(h.Row.Text, r.question.the) })
}

// sufficient says whether any hit answers. Where none does they are left out, and the answer says how many, unless the question is about
// the memory, since it is about the asker, names somebody who is known or something that is theirs: then all are weak, and the answer says
// so. A standing wish of which the question is the occasion answers nothing and stays.
var sufficient = &Phase{
	Name: "min_score", Step: Showing, Stage: "finish",
	Flags: []Flag{{
		Name: "min_score", Default: defaultFloor, Max: math.Inf(1),
		Doc: "the relevance that one hit of an answer needs; 0 shows whatever was found",
	}},
	Run: func(ctx context.Context, r *search) error {
		if err := r.lookFurther(ctx); err != nil {
			return err
		}
		hits, weak, wishes := r.result.Hits, 0, 0
		for i := range hits {
			if r.wished(&r.ranked[i]) {
				wishes++
				continue
			}
			if hits[i].Weak = hits[i].Relevance < r.flags.number("min_score"); hits[i].Weak {
				weak++
			}
		}
		switch {
		case weak == 0 || weak < len(hits)-wishes:
		case r.flags.number("min_score") <= defaultFloor && (r.question.own || r.known() || r.ours()):
			r.warn("nothing that is remembered surely answers this: the hits are what is nearest to it")
		default:
			r.result.Hits, r.result.Weak = slices.DeleteFunc(hits, func(h Hit) bool { return h.Weak }), weak
			r.warn(fmt.Sprintf("nothing that is remembered answers this: %d weak hits were left out", weak))
		}
		return nil
	},
}

// lookFurther lets the first that answers take the place of the last hit where none of fewer than [DefaultK] hits does.
func (r *search) lookFurther(ctx context.Context) (err error) {
	answers := func(h Hit) bool { return h.Relevance >= r.flags.number("min_score") }
	hits := r.result.Hits
	if len(hits) == 0 || len(hits) < r.q.K || slices.ContainsFunc(hits, answers) {
		return nil
	}
	for n := len(hits); n < min(DefaultK, len(r.ranked)); n++ {
		h := r.hit(r.ranked[n])
		if !answers(h) {
			continue
		}
		if h.Preview, err = r.preview(ctx, &r.pool.cands[r.ranked[n].rows[0].cand]); err != nil {
			return err
		}
		g, last := r.ranked[n], len(hits)-1
		r.ranked = slices.Insert(slices.Delete(r.ranked, n, n+1), last, g)
		hits[last] = h
		return nil
	}
	return nil
}
