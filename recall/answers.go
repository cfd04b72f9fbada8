package recall

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/reverie-memory/reverie/indexer/catalog"
)

// answers makes candidates of the rows by which the knowledge graph answers the question: "where do I live" has no word of "Alice moved to
// Berlin". Candidates of the graph count what the best candidate counts besides what they count by themselves, and suffice as an answer.
var answers = &Phase{
	Name: "answers", Step: Pooling, Stage: "fuse", Switch: "answers", Parts: []string{"answer"},
	Flags: []Flag{
		{Name: "answers", Default: true, Doc: "what the knowledge graph answers a question by counts more"},
	},
	Run: func(ctx context.Context, r *search) error {
		if r.s.Answers == nil {
			return nil
		}
		ids := r.s.Answers(r.q.Text, r.now, r.s.Owner)
		if len(ids) == 0 {
			return nil
		}
		keys, err := r.s.Index.KeysByID(ctx, ids)
		if err != nil {
			return fmt.Errorf("rows that the graph answers by: %w", err)
		}
		keys = slices.DeleteFunc(keys, func(k catalog.Key) bool { return r.allow != nil && !r.allow(k) })
		r.pool.add(keys)
		best := math.SmallestNonzeroFloat64
		for i := range r.pool.cands {
			best = max(best, r.pool.cands[i].score)
		}
		for _, key := range keys {
			if i, ok := r.pool.byKey[key]; ok {
				r.pool.cands[i].answers = true
				r.pool.cands[i].book("answer", weightAnswer*best)
			}
		}
		return nil
	},
}

// weightAnswer is the share of the best candidate's score that an answer of the graph gains. At 1 LoCoMo's MRR@10 gains 0.1 points, at 0.5
// nothing.
const weightAnswer = 1
