package recall

import (
	"math"
	"time"
)

// recency decides between equals: the newer, and what is still true. recency cannot lift a worse answer far.
var recency = &Phase{
	Name: "recency", Step: Scoring, Stage: "rank", Switch: "recency",
	Flags: []Flag{{Name: "recency", Default: true, Doc: "newer rows win ties"}},
	Parts: []string{"recency", "history"},
	Run: eachRow(func(r *search, row *scoredRow) {
		if unix := row.meta.Unix; unix != 0 {
			age := max(0, r.now.Sub(time.Unix(unix, 0)))
			row.scale("recency", weightRecency*math.Exp2(-age.Hours()/recencyHalfLife.Hours()))
		}
		if row.row.Past {
			row.scale("history", -weightHistory)
		}
	}),
}

// The most that being new adds to a score, the age at which that has halved, and what is taken off for what is no longer true.
const (
	weightRecency   = 0.05
	recencyHalfLife = 30 * day
	weightHistory   = 0.1
)
