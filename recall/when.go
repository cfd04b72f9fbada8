package recall

import (
	"context"

	"github.com/reverie-memory/reverie/lexis"
)

// What a row gains that is near a time which the question names, and one that tells a time when the question asks for one.
const (
	weightDate = 2
	weightTime = 0.5
)

// dates prefers rows by the times that the question names or asks for.
var dates = &Phase{
	Name: "dates", Step: Scoring, Stage: "rank", Switch: "dates",
	Flags: []Flag{{Name: "dates", Default: true, Doc: "rows near a date in the question, and rows with a time for a when-question"}},
	Parts: []string{"date", "time"},
	Run: eachRow(func(r *search, row *scoredRow) {
		row.scale("date", weightDate*r.question.closeness(row.meta.Unix))
		if r.question.when && tellsTime(lexis.Words(row.row.Text)) {
			row.scale("time", weightTime)
		}
	}),
}

// guessDate estimates the same before rows are read.
var guessDate = &Phase{
	Name: "guess_date", Step: Pooling, Stage: "read", Switch: "dates",
	Run: func(_ context.Context, r *search) error {
		for i := range r.pool.groups {
			c := &r.pool.cands[r.pool.groups[i].rows[0]]
			r.pool.groups[i].rank *= 1 + weightDate*r.question.closeness(c.meta.Unix)
		}
		return nil
	},
}
