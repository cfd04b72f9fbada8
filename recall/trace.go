package recall

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/reverie-memory/reverie/indexer/catalog"
)

// A stopwatch notes what each phase took. It belongs to one goroutine.
type stopwatch struct {
	start, last time.Time
	phases      []string
	ms          map[string]float64
}

func newStopwatch() *stopwatch {
	now := time.Now()
	return &stopwatch{start: now, last: now, ms: map[string]float64{}}
}

// lap ends a phase that began where the one before it ended. Laps of one name in a row are one phase of the report.
func (s *stopwatch) lap(phase string) {
	now := time.Now()
	if len(s.phases) == 0 || s.phases[len(s.phases)-1] != phase {
		s.phases = append(s.phases, phase)
	}
	s.ms[phase] += ms(now.Sub(s.last))
	s.last = now
}

// add notes work that ran inside a phase.
func (s *stopwatch) add(name string, d time.Duration) { s.ms[name] += ms(d) }

func (s *stopwatch) report() ([]string, map[string]float64) {
	s.ms["total"] = ms(time.Since(s.start))
	return s.phases, s.ms
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// traceCandidates lists every row that was considered, best first. It reads their ids and changes nothing in the
// answer.
func (r *search) traceCandidates(ctx context.Context) error {
	if r.pool == nil {
		return nil
	}
	keys := make([]catalog.Key, len(r.pool.cands))
	list := make([]Candidate, len(r.pool.cands))
	for i, c := range r.pool.cands {
		keys[i] = c.key
		list[i] = Candidate{
			Key: c.key, Lexical: c.bm25, Vector: c.cosine,
			Score: c.score + r.pool.groups[c.group].support.score, Dropped: "below the first cut", Drop: r.drops[i],
		}
		if r.q.Explain {
			whole := tally{parts: slices.Concat(c.parts, r.pool.groups[c.group].support.parts)}
			list[i].Breakdown = whole.breakdown()
		}
	}
	ids, err := r.s.Index.IDs(ctx, keys)
	if err != nil {
		return fmt.Errorf("reading ids: %w", err)
	}
	for i, key := range keys {
		list[i].ID = ids[key]
	}
	for i := range r.rows { // those that phases left out keep the score that they had then
		row := &r.rows[i]
		c := &list[row.cand]
		if c.Score, c.Dropped = row.score, c.Drop.Reason; r.q.Explain {
			c.Breakdown = row.breakdown()
		}
	}
	for n, g := range r.ranked {
		for j, row := range g.rows {
			c := &list[row.cand]
			c.Dropped = ""
			switch {
			case n >= r.shown() && c.Drop.Reason != "":
				c.Dropped = c.Drop.Reason
			case j > 0:
				c.Dropped = "folded into " + g.rows[0].row.ID
			case n >= r.q.K:
				c.Dropped = "below k"
			case r.result.Weak > 0:
				c.Dropped = "weak"
			case n >= r.shown():
				c.Dropped = "nothing speaks for it"
			}
		}
	}
	slices.SortStableFunc(list, func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Key, b.Key))
	})
	for i := range list {
		list[i].Rank = i + 1
	}
	r.result.Trace.Candidates = list
	return nil
}
