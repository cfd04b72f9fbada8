package recall

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/internal/slice"
)

const (
	readGroups = 60  // groups whose text is read, at least
	wishGroups = 400 // groups of which standing wishes are read: they have few of the question's words, and are told from others by their text
	readRows   = 3   // rows read of one group
)

// read reads the text of the best groups by a first estimate, which knows everything but the text, and starts the scores of the rows.
var read = &Phase{
	Name: "read", Step: Scoring, Makes: true,
	Run: func(ctx context.Context, r *search) error {
		for i := range r.pool.cands { // where nothing was estimated, and of what joined since
			g := &r.pool.groups[r.pool.cands[i].group]
			g.rank = max(g.rank, r.pool.cands[i].score)
		}
		var cands []int
		best := r.pool.best(wishGroups, func(g *group) float64 { return g.rank })
		for i, g := range best {
			if i < max(readGroups, 2*r.q.K) || r.occasional() && r.pool.wishes(g) {
				cands = append(cands, r.pool.bestRows(g)...)
			}
		}
		slices.Sort(cands)
		rows, err := aligned(ctx, r.s.Index, slice.Map(cands, func(c int) catalog.Key { return r.pool.cands[c].key }))
		if err != nil {
			return fmt.Errorf("reading rows: %w", err)
		}
		r.rows = make([]scoredRow, 0, len(rows))
		for i, row := range rows {
			if row.ID == "" {
				continue
			}
			c := &r.pool.cands[cands[i]]
			t := tally{c.score, append(make([]part, 0, 16), c.parts...)}
			for _, p := range r.pool.groups[c.group].support.parts {
				t.book(p.name, p.by)
			}
			r.rows = append(r.rows, scoredRow{tally: t, cand: cands[i], meta: c.meta, row: row})
		}
		return nil
	},
}

// bestRows are the candidates of a group whose text is read.
func (p *pool) bestRows(g int) []int {
	rows := slices.Clone(p.groups[g].rows)
	slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(p.cands[b].score, p.cands[a].score) })
	return rows[:min(readRows, len(rows))]
}

// wishes says whether one of a group's rows is a standing wish.
func (p *pool) wishes(g int) bool {
	return slices.ContainsFunc(p.groups[g].rows, func(c int) bool { return p.cands[c].meta.Wish })
}

// eachRow makes a phase of what a row gains or loses by itself.
func eachRow(score func(r *search, row *scoredRow)) func(context.Context, *search) error {
	return func(_ context.Context, r *search) error {
		for i := range r.rows {
			score(r, &r.rows[i])
		}
		return nil
	}
}

// aligned reads one row for each key; the zero row for a key that went away.
func aligned(ctx context.Context, ix Index, keys []catalog.Key) ([]catalog.Row, error) {
	rows, err := ix.Rows(ctx, keys)
	if err != nil || len(rows) == len(keys) {
		return rows, err
	}
	out := make([]catalog.Row, len(keys)) // rare: a row went away since it was found
	for i, k := range keys {
		one, err := ix.Rows(ctx, []catalog.Key{k})
		if err != nil {
			return nil, err
		}
		if len(one) == 1 {
			out[i] = one[0]
		}
	}
	return out, nil
}
