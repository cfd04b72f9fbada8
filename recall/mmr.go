package recall

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/palace/likeness"
)

// mmr chooses hits that are good and unlike each other, one after the other by maximal marginal relevance (Carbonell and Goldstein 1998),
// and from several wings. rel is a score's share of the best one's, sim the nearness to what was chosen, and saturation the share of the
// chosen that hang in the same wing, 0 for the first:
//
//	λ·rel − (1−λ)·max sim − γ·saturation
//
// The penalties are taken off the score, on its scale and as if λ were 1, so that the breakdown still adds up.
var mmr = &Phase{
	Name: "mmr", Step: Ranking, Switch: "mmr_enabled", Parts: []string{"mmr_penalty", "wing_diversity_penalty"},
	Flags: []Flag{
		{Name: "mmr_enabled", Default: false, Doc: "hits are unlike each other"},
		{Name: "mmr_lambda", Default: 0.7, Min: 0.01, Max: 1, Doc: "λ: what relevance counts against likeness"},
		{Name: "mmr_threshold", Default: 0.85, Max: 1, Doc: "what is nearer to a hit than this is left out; 1 for none"},
		{Name: "wing_diversity_weight", Default: 0.3, Max: 1, Doc: "γ: what a hit pays for those of its wing; 0 for nothing"},
	},
	Run: func(ctx context.Context, r *search) error {
		if len(r.ranked) == 0 || r.ranked[0].rows[0].score <= 0 {
			return nil
		}
		vecs, err := r.vectors(ctx, r.ranked)
		if err != nil {
			return r.without(ctx, "vectors of hits", err)
		}
		newChoice(r, vecs).run()
		return nil
	},
}

// spoken is what speaks for a row, whatever it paid for its likeness to others.
func (row *scoredRow) spoken() float64 {
	score := row.score
	for _, p := range row.parts {
		if p.name == "mmr_penalty" || p.name == "wing_diversity_penalty" {
			score -= p.by
		}
	}
	return score
}

// A choice is mmr at work.
type choice struct {
	r                   *search
	vecs                [][]float32
	lambda, gamma, most float64
	top                 float64
	like                []float64 // how near each group is to what was chosen
	left, chosen        []int     // into r.ranked
	wings               map[string]int
}

func newChoice(r *search, vecs [][]float32) *choice {
	c := &choice{
		r: r, vecs: vecs, lambda: r.flags.number("mmr_lambda"), gamma: r.flags.number("wing_diversity_weight"),
		most: r.flags.number("mmr_threshold"), top: r.ranked[0].rows[0].score, wings: map[string]int{},
		like: make([]float64, len(r.ranked)),
	}
	several := false
	for i := range r.ranked {
		c.top = max(c.top, r.ranked[i].rows[0].score)
		c.left = append(c.left, i)
		several = several || c.wing(i) != c.wing(0)
	}
	if !several {
		c.gamma = 0
	}
	return c
}

func (c *choice) wing(i int) string { return c.r.ranked[i].rows[0].row.Wing }

// value is what a group is worth next, without and with what it pays for its wing.
func (c *choice) value(i int) (plain, penalized float64) {
	plain = c.lambda*c.r.ranked[i].rows[0].score/c.top - (1-c.lambda)*c.like[i]
	return plain, plain - c.gamma*c.saturation(i)
}

func (c *choice) saturation(i int) float64 {
	if len(c.chosen) == 0 {
		return 0
	}
	return float64(c.wings[c.wing(i)]) / float64(len(c.chosen))
}

// run chooses K groups, and leaves the others behind them in their order.
func (c *choice) run() {
	before := c.ids(c.left)
	last := 0.0
	for len(c.chosen) < c.r.q.K && len(c.left) > 0 {
		at, best := 0, math.Inf(-1)
		for n, i := range c.left {
			if _, v := c.value(i); v > best {
				at, best = n, v
			}
		}
		i := c.left[at]
		c.left = slices.Delete(c.left, at, at+1)
		last = best
		c.take(i)
	}
	c.tell(last)
	out := make([]ranked, 0, len(c.r.ranked))
	for _, i := range append(slices.Clone(c.chosen), c.left...) {
		out = append(out, c.r.ranked[i])
	}
	after := c.ids(c.chosen)
	c.r.ranked = out
	if hook := c.r.s.Hooks.PostCrossWing; hook != nil {
		saturated := map[string]float64{}
		for wing, n := range c.wings {
			saturated[wing] = float64(n) / float64(max(1, len(after)))
		}
		hook(CrossWing{CandidatesBefore: before, CandidatesAfter: after, Saturation: saturated})
	}
}

// take chooses a group: its penalties are booked, and what is too near to it is left out.
func (c *choice) take(i int) {
	g := &c.r.ranked[i]
	g.rows[0].book("mmr_penalty", -c.top*(1-c.lambda)/c.lambda*c.like[i])
	g.rows[0].book("wing_diversity_penalty", -c.top*c.gamma/c.lambda*c.saturation(i))
	c.chosen = append(c.chosen, i)
	c.wings[c.wing(i)]++
	c.left = slices.DeleteFunc(c.left, func(j int) bool {
		c.like[j] = max(c.like[j], likeness.Cosine(c.vecs[i], c.vecs[j]))
		if c.most >= 1 || c.like[j] <= c.most {
			return false
		}
		out := &c.r.ranked[j]
		c.r.note(out, Drop{
			At: "mmr", Reason: fmt.Sprintf("similarity to %s = %.2f > threshold %.2f", g.rows[0].row.ID, c.like[j], c.most),
			Parts: c.r.atDrop(out.rows[0]),
		})
		return true
	})
}

// tell notes of the groups that their wing alone kept from being chosen. last is the value of the last that was.
func (c *choice) tell(last float64) {
	for _, j := range c.left {
		plain, penalized := c.value(j)
		if c.gamma == 0 || plain <= last || penalized > last {
			continue
		}
		c.r.note(&c.r.ranked[j], Drop{
			At: "cross_wing_balancing", Saturation: c.saturation(j), Original: plain, Penalized: penalized,
			Reason: fmt.Sprintf("wing '%s' already saturated (%d/%d selected results)", c.wing(j), c.wings[c.wing(j)], len(c.chosen)),
		})
	}
}

func (c *choice) ids(groups []int) []string {
	return slice.Map(groups, func(i int) string { return c.r.ranked[i].rows[0].row.ID })
}

// crossWing looks for the nearest rows of each wing, so that a large one does not crowd out the others before anything is compared.
var crossWing = &Phase{
	Name: "cross_wing_balancing", Step: Pooling, Switch: "cross_wing_balancing",
	Flags: []Flag{
		{Name: "cross_wing_balancing", Default: false, Doc: "each wing lends its nearest rows, k of them"},
		{Name: "candidate_pool_multiplier", Default: 1.0, Min: 1, Max: 20, Doc: "how many times k"},
	},
	Run: func(ctx context.Context, r *search) error {
		f := r.q.Filter
		if r.asked == nil || f.Wing != "" {
			return nil
		}
		wings := r.s.Index.Wings()
		slices.Sort(wings)
		if len(wings) > wingPools {
			r.warn(fmt.Sprintf("cross_wing_balancing: %d of %d wings lend rows", wingPools, len(wings)))
			wings = wings[:wingPools]
		}
		counts := map[string]int{}
		for _, wing := range wings {
			if f.Wing = wing; wing == "" {
				continue
			}
			found, err := r.s.Index.Vector(ctx, r.asked, r.q.K*int(r.flags.number("candidate_pool_multiplier")), r.s.Index.Allow(f))
			if err != nil {
				return r.without(ctx, fmt.Sprintf("vectors of wing %q", wing), err)
			}
			counts[wing] = len(found)
			for _, m := range found {
				if _, known := r.pool.byKey[m.Key]; known {
					continue
				}
				r.pool.add([]catalog.Key{m.Key})
				if i, ok := r.pool.byKey[m.Key]; ok {
					r.pool.cands[i].see(float64(m.Similarity), r.pool.mean)
					r.pool.bookNear(&r.pool.cands[i])
				}
			}
		}
		r.detail("cross_wing_balancing", map[string]any{"wing_counts": counts})
		return nil
	},
}

// wingPools is how many wings are asked one by one.
const wingPools = 32
