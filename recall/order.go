package recall

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// order sorts groups by their best row. Ties go to the newer, then by id, which is the same after a rebuild.
var order = &Phase{
	Name: "order", Step: Ranking, Makes: true, Stage: "rank",
	Run: func(_ context.Context, r *search) error {
		byID := map[int]*ranked{}
		for i := range r.rows {
			row := &r.rows[i]
			id := r.pool.cands[row.cand].group
			if byID[id] == nil {
				byID[id] = &ranked{group: id}
			}
			byID[id].rows = append(byID[id].rows, row)
		}
		for _, g := range byID {
			slices.SortFunc(g.rows, compareRows)
			r.ranked = append(r.ranked, *g)
		}
		slices.SortFunc(r.ranked, func(a, b ranked) int { return compareRows(a.rows[0], b.rows[0]) })
		return nil
	},
}

func compareRows(a, b *scoredRow) int {
	return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.meta.Unix, a.meta.Unix), cmp.Compare(a.row.ID, b.row.ID))
}

// What a session pays of the score for each place of the answer that it fills beyond the free ones.
const (
	weightVariety = 0.04
	varietyFree   = 2
	varietyMost   = 0.4
)

// variety makes room for answers that lie in several sessions: it takes the best group again and again, where a session that was taken
// often has to be better. Scores still fall from hit to hit, since what a session pays only grows.
var variety = &Phase{
	Name: "variety", Step: Ranking, Stage: "rank", Switch: "variety",
	Flags: []Flag{{Name: "variety", Default: true, Doc: "a session that fills the answer gives way to others"}},
	Parts: []string{"variety"},
	Run: func(_ context.Context, r *search) error {
		taken := map[int32]int{}
		pays := func(g *ranked) float64 {
			n := taken[r.pool.groups[g.group].session] - varietyFree
			return min(varietyMost, weightVariety*float64(max(0, n)))
		}
		for i := range min(r.q.K, len(r.ranked)) {
			best, most := i, math.Inf(-1)
			for j := i; j < len(r.ranked); j++ {
				if s := r.ranked[j].rows[0].score * (1 - pays(&r.ranked[j])); s > most {
					best, most = j, s
				}
			}
			g := r.ranked[best]
			copy(r.ranked[i+1:best+1], r.ranked[i:best])
			g.rows[0].scale("variety", -pays(&g))
			r.ranked[i] = g
			if s := r.pool.groups[g.group].session; s != 0 {
				taken[s]++
			}
		}
		return nil
	},
}
