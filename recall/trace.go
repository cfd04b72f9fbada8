package recall

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/reverie-memory/reverie/indexer/catalog"
)

// A stopwatch notes what each phase took. A stopwatch belongs to one goroutine.
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

// traceCandidates lists every row that was considered, best first. traceCandidates reads their ids and changes nothing in the answer.
func (r *search) traceCandidates(ctx context.Context) error {
	if r.pool == nil {
		return nil
	}
	cands := r.pool.cands
	rows := make([]*scoredRow, len(cands)) // those that phases left out keep the score that they had then
	for i := range r.rows {
		rows[r.rows[i].cand] = &r.rows[i]
	}
	order, scores := make([]int, len(cands)), make([]float64, len(cands))
	for i := range cands {
		if order[i] = i; rows[i] != nil {
			scores[i] = rows[i].score
		} else {
			scores[i] = cands[i].score + r.pool.groups[cands[i].group].support.score
		}
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(cands[a].key, cands[b].key))
	})
	keys := make([]catalog.Key, len(cands))
	for n, i := range order {
		keys[n] = cands[i].key
	}
	ids, err := r.s.Index.IDs(ctx, keys)
	if err != nil {
		return fmt.Errorf("reading ids: %w", err)
	}
	list, whys := make([]Candidate, len(cands)), r.whys(rows)
	for n, i := range order {
		c := &cands[i]
		list[n] = Candidate{
			Key: c.key, ID: ids[n], Lexical: c.bm25, Vector: c.cosine, Score: scores[i], Rank: n + 1, Dropped: whys[i], Drop: r.drops[i],
		}
		switch {
		case r.q.Explain && rows[i] != nil:
			list[n].Breakdown = rows[i].breakdown()
		case r.q.Explain:
			list[n].Breakdown = breakdown(c.parts, r.pool.groups[c.group].support.parts)
		}
	}
	r.result.Trace.Candidates = list
	return nil
}

func foldedInto(best *scoredRow) string { return "folded into " + best.row.ID }

// whys says of each candidate why it is no hit, "" of a hit.
func (r *search) whys(rows []*scoredRow) []string {
	out := make([]string, len(rows))
	for i, row := range rows {
		if out[i] = "below the first cut"; row != nil {
			out[i] = r.drops[i].Reason
		}
	}
	for n, g := range r.ranked {
		for j, row := range g.rows {
			why := &out[row.cand]
			*why = ""
			switch {
			case n >= r.shown() && r.drops[row.cand].Reason != "":
				*why = r.drops[row.cand].Reason
			case j > 0:
				*why = foldedInto(g.rows[0])
			case n >= r.q.K:
				*why = "below k"
			case r.result.Weak > 0:
				*why = "weak"
			case n >= r.shown():
				*why = "nothing speaks for it"
			}
		}
	}
	return out
}
