package recall

import (
	"context"
	"math"

	"github.com/reverie-memory/reverie/indexer/catalog"
)

// similarity makes candidates of what was gathered, and their score is how near their vectors are to the question's, from 0 to 1. Where the
// question has none, the full text stands in: a row's share of the best one's score.
var similarity = &Phase{
	Name: "similarity", Step: Pooling, Makes: true,
	Flags: fuse.Flags,
	Parts: []string{"lexical", "cosine_similarity"},
	Run: func(ctx context.Context, r *search) error {
		r.pool = newPool(r.s.Index, r.flags.on("fold"), len(r.worded)+len(r.near))
		r.pool.note(r.worded, r.near)
		r.pool.bookNear = func(c *candidate) { c.book("cosine_similarity", max(0, c.cosine)) }
		if r.asked == nil {
			if !r.deaf() || len(r.worded) == 0 {
				r.degrade("similarity: the question has no vector; the full text stands in")
			}
		} else if err := r.without(ctx, "vectors of full-text candidates", r.measure(ctx)); err != nil {
			return err
		}
		for _, s := range r.worded { // what has no vector, such as a row of the past, is as near as its words
			if i, ok := r.pool.byKey[s.Key]; ok && r.pool.cands[i].cosine == 0 {
				r.pool.cands[i].book("lexical", max(s.Score, 0)/max(r.worded[0].Score, math.SmallestNonzeroFloat64))
			}
		}
		if r.asked == nil {
			return nil
		}
		for i := range r.pool.cands {
			r.pool.bookNear(&r.pool.cands[i])
		}
		return nil
	},
}

// measure fills the cosines of candidates that the vectors did not find.
func (r *search) measure(ctx context.Context) error {
	far := map[catalog.Key]bool{}
	for i := range r.pool.cands {
		if c := &r.pool.cands[i]; c.cosine == 0 {
			far[c.key] = true
		}
	}
	if len(far) == 0 {
		return nil
	}
	found, err := r.s.Index.Vector(ctx, r.asked, len(far), func(key catalog.Key) bool { return far[key] })
	for _, m := range found {
		if i, ok := r.pool.byKey[m.Key]; ok {
			r.pool.cands[i].cosine = float64(m.Similarity)
		}
	}
	return err
}
