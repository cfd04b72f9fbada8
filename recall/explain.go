package recall

import (
	"fmt"
	"slices"
	"time"
)

// explain fills what a hit is told with Explain: the parts of its score, and what each phase did to it in order.
func (r *search) explain(h *Hit, best *scoredRow) {
	start := time.Now()
	h.Breakdown, h.Events = best.breakdown(), r.events(best)
	if hook := r.s.Hooks.PostScoreEvent; hook != nil {
		for _, e := range h.Events {
			hook(e)
		}
	}
	r.clock.add("score_explainability", time.Since(start))
}

// events are what phases did to the score of a row, in order, without those that did nothing.
func (r *search) events(row *scoredRow) []ScoreEvent {
	out, score := make([]ScoreEvent, 0, len(row.parts)), 0.0
	for _, p := range row.parts {
		if p.by == 0 {
			continue
		}
		before := score
		score += p.by
		e := ScoreEvent{Row: row.row.ID, Part: p.name, Delta: p.by, Score: score, Reason: fmt.Sprintf("%+.3f", p.by)}
		if ph := r.profile.booksPart(p.name); ph != nil {
			e.Phase = ph.Name
			if ph.Step >= Scoring && before != 0 {
				e.Reason = fmt.Sprintf("× %.3f", score/before)
			}
			if f := r.profile.flag(ph.Switch); f != nil {
				e.Reason += ": " + f.Doc
			}
		}
		out = append(out, e)
	}
	return out
}

// booksPart is the phase that books a part of the score, nil for none.
func (p *Profile) booksPart(name string) *Phase {
	for _, ph := range p.Phases {
		if slices.Contains(ph.Parts, name) {
			return ph
		}
	}
	return nil
}
