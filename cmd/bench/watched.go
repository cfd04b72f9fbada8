package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/operations"
)

// A watched is what it costs a profile to be looked at while it searches: breakdown, events, candidates, record and packet.
type watched struct {
	Questions int     `json:"questions"`
	Other     int     `json:"other_answers"` // of other ids, another order or other scores, to the last bit, than without
	OffMS     float64 `json:"off_cpu_ms"`
	OnMS      float64 `json:"on_cpu_ms"`
}

// watch asks each question with and without all instrumentation, by every profile. First it compares, at one moment and without
// keeping what is read: both change later answers. Then it takes the time of both in turns.
func (r *qualityRun) watch(ctx context.Context, w *operations.Memory, c *conversation, out map[string]*watched) error {
	profiles, err := w.Profiles(ctx)
	if err != nil {
		return err
	}
	ask := func(profile string, q *query, s api.Search) ([]qualityHit, float64, error) {
		s.Query, s.K, s.Profile = q.Question, r.k, profile
		start := cpuTime()
		res, err := w.Search(ctx, s)
		took := float64((cpuTime() - start).Microseconds()) / 1000
		return slice.Map(res.Hits, func(h api.Hit) qualityHit { return qualityHit{h.ID, h.Score} }), took, err
	}
	r.moment.Store(time.Now().UnixNano())
	defer r.moment.Store(0)
	for _, compare := range []bool{true, false} {
		for _, p := range profiles.Profiles {
			if out[p.Name] == nil {
				out[p.Name] = &watched{}
			}
			sum := out[p.Name]
			for i := range c.Queries {
				off, offMS, err := ask(p.Name, &c.Queries[i], api.Search{DryRun: true})
				if err != nil {
					return err
				}
				on, onMS, err := ask(p.Name, &c.Queries[i], api.Search{Explain: true, CandidateTrace: true, DryRun: compare})
				switch {
				case err != nil:
					return err
				case !compare:
					sum.OffMS, sum.OnMS = sum.OffMS+offMS, sum.OnMS+onMS
				default:
					if sum.Questions++; !slices.Equal(on, off) {
						sum.Other++
					}
				}
			}
		}
	}
	return nil
}

func printWatched(w io.Writer, all map[string]*watched) {
	for _, name := range slices.Sorted(maps.Keys(all)) {
		s := all[name]
		fmt.Fprintf(w, "%-8s %5d questions, other answers when watched: %d; CPU off %.2f ms, on %.2f ms, on/off %.2f\n", name, s.Questions,
			s.Other,
			s.OffMS/float64(s.Questions), s.OnMS/float64(s.Questions), s.OnMS/max(s.OffMS, 1e-9))
	}
}
