package recall

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/reverie-memory/reverie/indexer/catalog"
)

// A Reranker reads a question and texts and says how well each text answers it.
type Reranker interface {
	// Cost is how long Rerank is going to take, by what it took so far.
	Cost(ctx context.Context, question string, texts []string) (time.Duration, error)
	// Rerank gives a number for each text: more is better. Differences count, not the numbers themselves.
	Rerank(ctx context.Context, question string, texts []string) ([]float32, error)
	// Weight is the share, above 0 and up to 1, that its numbers have in the new order where no flag says another.
	Weight() float64
}

// rerank puts the best groups in the order of a reranker and of their scores so far. The scores stay the same, they only change places, so
// that what follows finds them as it knows them. Where the reranker fails or would take longer than its budget, the order stays.
var rerank = &Phase{
	Name: "rerank", Step: Ranking, Stage: "rank", Switch: "rerank",
	Flags: []Flag{
		{Name: "rerank", Default: true, Doc: "the best are put in order by the model of `recall.rerank`, where one is set"},
		{Name: "rerank_candidates", Default: 40.0, Min: 2, Max: 200, Doc: "how many of them"},
		{Name: "rerank_budget_ms", Default: 150.0, Min: 1, Max: 60_000, Doc: "they keep their order where it would take longer"},
		{
			Name: "rerank_weight", Default: 0.0, Min: 0, Max: 1,
			Doc: "share of the reranker in the new order; the rest is that of the score. 0: 0.7 for a cross-encoder, 0.4 for an encoder",
		},
	},
	Parts: []string{"rerank"},
	Run: func(ctx context.Context, r *search) error {
		best := r.ranked[:min(int(r.flags.number("rerank_candidates")), len(r.ranked))]
		if r.s.Rerank == nil || len(best) < 2 {
			return nil
		}
		texts := make([]string, len(best))
		for i, g := range best {
			row := &g.rows[0].row
			texts[i] = catalog.EmbedText(row.Context, row.Text) // who said it is part of the answer
		}
		budget := time.Duration(r.flags.number("rerank_budget_ms") * float64(time.Millisecond))
		begun := time.Now()
		scores, err := within(ctx, r.s.Rerank, budget, r.q.Text, texts)
		r.clock.add("rerank", time.Since(begun))
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			r.degrade(fmt.Sprintf("rerank: %v; the order is that of the search", err))
			return nil
		}
		reorder(best, scores, cmp.Or(r.flags.number("rerank_weight"), r.s.Rerank.Weight()))
		return nil
	},
}

// within asks the reranker, unless that would take longer than the budget, and gives it up where it takes twice as long after all. What a
// reranker does before its first question counts as well.
func within(ctx context.Context, m Reranker, budget time.Duration, question string, texts []string) ([]float32, error) {
	ctx, cancel := context.WithTimeout(ctx, 2*budget)
	defer cancel()
	cost, err := m.Cost(ctx, question, texts)
	if err != nil {
		return nil, err
	}
	if cost > budget {
		return nil, fmt.Errorf("%d texts would take about %v, and %v are allowed", len(texts), cost.Round(time.Millisecond), budget)
	}
	scores, err := m.Rerank(ctx, question, texts)
	if err == nil && len(scores) != len(texts) {
		err = fmt.Errorf("%d scores for %d texts", len(scores), len(texts))
	}
	return scores, err
}

// reorder sorts the groups by both scores, each on the scale of its own spread, and gives the best group the best score that there was,
// and so on.
func reorder(best []ranked, scores []float32, weight float64) {
	own, old := make([]float64, len(best)), make([]float64, len(best))
	for i, g := range best {
		own[i], old[i] = float64(scores[i]), g.rows[0].score
	}
	places := slices.Clone(old)
	slices.SortFunc(places, func(a, b float64) int { return cmp.Compare(b, a) })
	standardise(own)
	standardise(old)
	order := make([]int, len(best))
	for i := range order {
		order[i] = i
		own[i] = weight*own[i] + (1-weight)*old[i]
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(own[b], own[a]) })
	sorted := make([]ranked, len(best))
	for place, i := range order {
		row := best[i].rows[0]
		row.book("rerank", places[place]-row.score)
		sorted[place] = best[i]
	}
	copy(best, sorted)
}

// standardise brings the values to mean 0 and deviation 1; equal ones become 0.
func standardise(values []float64) {
	mean, square := 0.0, 0.0
	for _, v := range values {
		mean += v / float64(len(values))
	}
	for _, v := range values {
		square += (v - mean) * (v - mean) / float64(len(values))
	}
	for i, v := range values {
		values[i] = (v - mean) / math.Sqrt(max(square, 1e-12))
	}
}
