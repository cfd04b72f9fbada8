package recall

import "github.com/reverie-memory/reverie/indexer/catalog"

// summaries puts what a compaction summed up behind what holds.
var summaries = &Phase{
	Name: "summaries", Step: Scoring, Stage: "rank", Switch: "summaries_behind",
	Flags: []Flag{{Name: "summaries_behind", Default: true, Doc: "what compactions summed up stands behind what took its place"}},
	Parts: []string{"summary"},
	Run: eachRow(func(_ *search, row *scoredRow) {
		if sumsUp(&row.row) {
			row.scale("summary", -weightSummary)
		}
	}),
}

// weightSummary is what is taken off for a summary, in which the words of a question stand once for each drawer that it sums up.
const weightSummary = 0.8

// sumsUp tells the drawer of a compaction: it has the words of all that newer words have taken the place of.
func sumsUp(r *catalog.Row) bool { return r.Past && r.Source == catalog.DrawerText }
