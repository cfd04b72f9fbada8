package main

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/llm"
)

// The simpler ways to rank turns with which a memory is compared, besides BM25.
const (
	byGrep   = "grep"
	byBM25   = "BM25"
	byCosine = "cosine"
	byFusion = "rank fusion"
)

// baselineDepth is how many turns a simpler way ranks.
const baselineDepth = 100

// A ranking is ranked turn ids by question.
type ranking map[string][]string

// grepped ranks the turns of a conversation as somebody does who looks for the words of a question with grep -i: by how many of its words,
// but for the stop words of the baseline, stand anywhere in "speaker: text".
func grepped(c *conversation) ranking {
	stop, out := bm25Stop(), ranking{}
	texts := slice.Map(c.Turns, func(t turn) string { return strings.ToLower(t.Speaker + ": " + t.Text) })
	for _, q := range c.Queries {
		var words []string
		for w := range strings.FieldsSeq(strings.ToLower(q.Question)) {
			if w = strings.Trim(w, `.,;:?!'"()`); w != "" && !stop[w] && !slices.Contains(words, w) {
				words = append(words, w)
			}
		}
		out[q.ID] = best(c, func(i int) float64 {
			n := 0.0
			for _, w := range words {
				if strings.Contains(texts[i], w) {
					n++
				}
			}
			return n
		})
	}
	return out
}

// cosines ranks the turns of a conversation by the angle between their vectors and the question's.
func cosines(ctx context.Context, c *conversation, e llm.Embedder) (ranking, error) {
	texts, questions := make([]string, len(c.Turns)), make([]string, len(c.Queries))
	for i, t := range c.Turns {
		texts[i] = t.Speaker + ": " + t.Text
	}
	for i, q := range c.Queries {
		questions[i] = q.Question
	}
	turns, err := embedded(ctx, e, texts, llm.Document)
	if err != nil {
		return nil, err
	}
	asked, err := embedded(ctx, e, questions, llm.Query)
	if err != nil {
		return nil, err
	}
	out := ranking{}
	for i, q := range c.Queries {
		out[q.ID] = best(c, func(j int) float64 { return cosine(asked[i], turns[j]) })
	}
	return out, nil
}

// embedded are the vectors of texts, asked for in batches.
func embedded(ctx context.Context, e llm.Embedder, texts []string, kind llm.Kind) ([][]float32, error) {
	var out [][]float32
	for batch := range slices.Chunk(texts, 64) {
		vectors, err := e.Embed(ctx, batch, kind)
		if err != nil {
			return nil, err
		}
		out = append(out, vectors...)
	}
	return out, nil
}

func cosine(a, b []float32) float64 {
	var dot, na, nb float64
	for i := range a {
		dot, na, nb = dot+float64(a[i])*float64(b[i]), na+float64(a[i])*float64(a[i]), nb+float64(b[i])*float64(b[i])
	}
	if na == 0 || nb == 0 {
		return 0
	}
	return dot / math.Sqrt(na*nb)
}

// best are the turns with the highest scores above 0, the earlier first of those that are alike.
func best(c *conversation, score func(i int) float64) []string {
	type scored struct {
		at    int
		score float64
	}
	var all []scored
	for i := range c.Turns {
		if s := score(i); s > 0 {
			all = append(all, scored{i, s})
		}
	}
	slices.SortStableFunc(all, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	return slice.Map(all[:min(baselineDepth, len(all))], func(s scored) string { return c.Turns[s.at].ID })
}

// fused joins rankings by reciprocal rank fusion with k = 60 (Cormack, Clarke and Büttcher, SIGIR 2009).
func fused(rankings ...ranking) ranking {
	const k = 60
	out := ranking{}
	for q := range rankings[0] {
		scores, order := map[string]float64{}, []string{}
		for _, r := range rankings {
			for at, id := range r[q] {
				if scores[id] == 0 {
					order = append(order, id)
				}
				scores[id] += 1 / float64(k+at+1)
			}
		}
		slices.SortStableFunc(order, func(a, b string) int { return cmp.Compare(scores[b], scores[a]) })
		out[q] = order[:min(baselineDepth, len(order))]
	}
	return out
}
