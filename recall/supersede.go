package recall

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/palace/likeness"
)

// supersede tells among the best hits which are near-copies of others that were said later. supersede says so of the hit, puts it behind
// the other or leaves it out, and writes nothing.
var supersede = &Phase{
	Name: "supersede", Step: Ranking, Switch: "supersede_detection", Parts: []string{"supersede_penalty"},
	Flags: []Flag{
		{Name: "supersede_detection", Default: false, Doc: "near-copies of what was said later are told apart"},
		{
			Name: "supersede_action", Default: "annotate", Choices: []string{"annotate", "demote", "filter"},
			Doc: "what is done with them: superseded_by says so, and nothing else; they stand behind the other; or they are left out",
		},
		{Name: "supersede_similarity", Default: 0.86, Max: 1, Doc: "the cosine from which two are near-copies"},
		{Name: "supersede_age_days", Default: 7.0, Max: 36500, Doc: "how much later the other was said at least"},
		{Name: "supersede_candidates", Default: 10.0, Max: MaxK, Doc: "how many of the best are compared"},
	},
	Run: func(ctx context.Context, r *search) error {
		best := r.ranked[:min(len(r.ranked), int(r.flags.number("supersede_candidates")))]
		vecs, err := r.vectors(ctx, best)
		if err != nil {
			return r.without(ctx, "vectors of hits", err)
		}
		gap := int64(r.flags.number("supersede_age_days") * day.Seconds())
		for i := range best {
			old := best[i].rows[0]
			for j := range best {
				by := best[j].rows[0]
				sim := likeness.Cosine(vecs[i], vecs[j])
				if i == j || old.meta.Unix == 0 || by.meta.Unix-old.meta.Unix < gap || sim < r.flags.number("supersede_similarity") {
					continue
				}
				best[i].superseded = by.row.ID
				if r.flags.choice("supersede_action") == "filter" {
					best[i].gone = true
					r.note(&best[i], Drop{At: "supersede", Reason: fmt.Sprintf("similarity to newer %s = %.2f", by.row.ID, sim)})
				}
				break
			}
		}
		if r.flags.choice("supersede_action") == "demote" {
			r.demote()
		}
		r.leaveGone()
		return nil
	},
}

// demote puts each superseded group right behind the one that was said later, at its score, where it stood before it. The newest are put
// first, so that what supersedes stands where it stays.
func (r *search) demote() {
	old := slice.Keep(r.ranked, func(g ranked) bool { return g.superseded != "" })
	slices.SortStableFunc(old, func(a, b ranked) int { return cmp.Compare(b.rows[0].meta.Unix, a.rows[0].meta.Unix) })
	at := func(id string) int {
		return slices.IndexFunc(r.ranked, func(g ranked) bool { return g.rows[0].row.ID == id })
	}
	for _, g := range old {
		from, to := at(g.rows[0].row.ID), at(g.superseded)
		if from > to {
			continue
		}
		g.rows[0].book("supersede_penalty", min(0, r.ranked[to].rows[0].score-g.rows[0].score))
		r.ranked = slices.Insert(slices.Delete(r.ranked, from, from+1), to, g)
	}
}

// consolidated shows summaries in the place of what they sum up.
var consolidated = &Phase{
	Name: "consolidation_view", Step: Ranking, Switch: "consolidation_view",
	Flags: []Flag{
		{Name: "consolidation_view", Default: false, Doc: "summaries and what they rest on are told apart"},
		{Name: "include_consolidated_summaries", Default: true, Doc: "hits that rest on several others are shown"},
		{Name: "include_consolidated_sources", Default: false, Doc: "and so are the others"},
	},
	Run: func(_ context.Context, r *search) error {
		told := map[string]string{}
		for _, g := range r.ranked {
			for _, row := range g.rows {
				if len(row.row.Cites) > 1 {
					for _, id := range row.row.Cites {
						told[id] = row.row.ID
					}
				}
			}
		}
		for i := range r.ranked {
			best, reason := r.ranked[i].rows[0], ""
			switch by := told[best.row.ID]; {
			case (len(best.row.Cites) > 1 || sumsUp(&best.row)) && !r.flags.on("include_consolidated_summaries"):
				reason = "a summary"
			case by != "" && !r.flags.on("include_consolidated_sources"):
				reason = "summed up in " + by
			}
			if reason != "" {
				r.ranked[i].gone = true
				r.note(&r.ranked[i], Drop{At: "consolidation_view", Reason: reason})
			}
		}
		r.leaveGone()
		return nil
	},
}

// A Drop says where a candidate was left out, and why.
type Drop struct {
	At, Reason string
	Saturation float64 // of its wing
	Original   float64 // its value before the penalty of its wing, and after it
	Penalized  float64
	Parts      map[string]float64 // of its score then, with cosine_similarity, and partial_score for the score itself
}

// note keeps for the trace why a group is no hit: of its best row, the others are folded into that.
func (r *search) note(g *ranked, d Drop) {
	if r.drops == nil {
		r.drops = map[int]Drop{}
	}
	best := g.rows[0]
	for _, row := range g.rows[1:] {
		r.drops[row.cand] = Drop{At: d.At, Reason: foldedInto(best)}
	}
	r.drops[best.cand] = d
}

// atDrop is what a row's score is made of when it is left out, besides how near it is to the question and what the parts come to. These,
// and what its reads add, are told also where they are 0.
func (r *search) atDrop(row *scoredRow) map[string]float64 {
	parts := row.breakdown()
	parts["partial_score"] = row.score
	parts["ltp_boost"] += 0
	if _, booked := parts["cosine_similarity"]; !booked {
		parts["cosine_similarity"] = r.pool.cands[row.cand].cosine
	}
	return parts
}

// leaveGone takes the groups out of the order that are marked so.
func (r *search) leaveGone() {
	r.ranked = slices.DeleteFunc(r.ranked, func(g ranked) bool { return g.gone })
}

// vectors are those of the best rows of groups; nil for one that has none.
func (r *search) vectors(ctx context.Context, groups []ranked) ([][]float32, error) {
	return r.s.Index.Vectors(ctx, slice.Map(groups, func(g ranked) catalog.Key { return r.pool.cands[g.rows[0].cand].key }))
}
