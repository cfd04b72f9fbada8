package recall

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/lexis"
)

// Known is what the vault knows of whom and what a text names.
type Known struct {
	Sources []string // ids of the rows that it rests on
	Names   []string // other names of theirs
}

// expansion looks again by full text, for more words than the question has: other names of whom it names, and the words that the best rows
// share and that are rare elsewhere (pseudo-relevance feedback). The index knows words by their stems anyway. What suffices as an answer is
// judged by the question's own words.
var expansion = &Phase{
	Name: "query_expansion", Step: Finding, Switch: "query_expansion",
	Flags: []Flag{
		{Name: "query_expansion", Default: false, Doc: "other names and words that the best rows share are looked for as well"},
		{Name: "expansion_terms", Default: 3.0, Max: 20, Doc: "how many words of the best rows at most"},
		{Name: "expansion_boost", Default: 0.7, Max: 1, Doc: "what a word counts beside those of the question"},
	},
	Run: func(ctx context.Context, r *search) error {
		if !r.flags.on("lexical") {
			return nil
		}
		terms, err := r.s.Index.QueryTerms(ctx, r.q.Text)
		if err != nil {
			return fmt.Errorf("terms of the question: %w", err)
		}
		more, err := r.related(ctx, slice.SetOf(terms, func(t catalog.WeightedTerm) string { return t.Term }))
		if err != nil || len(more) == 0 {
			return err
		}
		for _, t := range more {
			terms = append(terms, catalog.WeightedTerm{Term: t, Weight: r.flags.number("expansion_boost")})
		}
		r.detail("query_expansion", map[string]any{"terms": more})
		r.worded, err = r.s.Index.LexicalTerms(ctx, rarest(terms), lexicalRanking, lexicalDepth, r.allow)
		return err
	},
}

// feedbackRows are how many of the best rows lend words; a word has to stand in two of them.
const feedbackRows = 5

// related are the terms that are looked for besides those that the question has.
func (r *search) related(ctx context.Context, has map[string]bool) (more []string, _ error) {
	if r.s.Known != nil {
		for _, name := range r.s.Known(r.q.Text, r.now).Names {
			for _, t := range lexis.Terms(name) {
				if !has[t] {
					has[t], more = true, append(more, t)
				}
			}
		}
	}
	keys := make([]catalog.Key, 0, feedbackRows)
	for _, s := range r.worded[:min(feedbackRows, len(r.worded))] {
		keys = append(keys, s.Key)
	}
	rows, err := r.s.Index.Rows(ctx, keys)
	if err != nil {
		return nil, fmt.Errorf("rows to learn words from: %w", err)
	}
	weight, in := map[string]float64{}, map[string]int{}
	for i := range rows {
		once := map[string]bool{}
		for _, t := range lexis.Terms(rows[i].Text) {
			if !has[t] && !once[t] {
				once[t] = true
				in[t]++
				weight[t] += math.Log(1e6 / lexis.Frequency(t))
			}
		}
	}
	shared := slices.DeleteFunc(slices.Collect(maps.Keys(weight)), func(t string) bool { return in[t] < 2 })
	slices.SortFunc(shared, func(a, b string) int { return cmp.Or(cmp.Compare(weight[b], weight[a]), cmp.Compare(a, b)) })
	return append(more, shared[:min(len(shared), int(r.flags.number("expansion_terms")))]...), nil
}

// entities makes candidates of what the knowledge graph rests on where it bears on the question. The candidates count as if they were as
// near as can be.
var entities = &Phase{
	Name: "entities", Step: Pooling, Switch: "entities", Parts: []string{"graph"},
	Flags: []Flag{{Name: "entities", Default: false, Doc: "what the knowledge graph knows of those whom the question names counts as near"}},
	Run: func(ctx context.Context, r *search) error {
		if r.s.Known == nil {
			return nil
		}
		keys, err := r.s.Index.KeysByID(ctx, r.s.Known(r.q.Text, r.now).Sources)
		if err != nil {
			return fmt.Errorf("rows that the graph rests on: %w", err)
		}
		keys = slices.DeleteFunc(keys, func(k catalog.Key) bool { return r.allow != nil && !r.allow(k) })
		r.pool.add(keys)
		for _, key := range keys {
			if i, ok := r.pool.byKey[key]; ok && r.pool.cands[i].score < 1 {
				r.pool.cands[i].book("graph", 1-r.pool.cands[i].score)
			}
		}
		return nil
	},
}
