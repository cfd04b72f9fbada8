package recall

// Hooks are called while a search or a compaction runs, by its goroutine, for programs that embed Reverie: workspace.Options has them.
// Each may be nil. They see what happens and change nothing.
type Hooks struct {
	PostModelGuard func(ModelGuard)
	PostCrossWing  func(CrossWing)
	PostScoreEvent func(ScoreEvent) // of the hits of a search with Explain

	PostCompactionPlan func(CompactionPlan)
	PostBatch          func(Batch)
}

// A CompactionPlan is which drawers a compaction puts away, or would: by ids, and by the groups that are put away together.
type CompactionPlan struct {
	Candidates                         []string
	Groups                             [][]string
	WouldArchive, WouldCreateSummaries int
}

// A Batch are drawers that were scored at once, and how many have another score than before.
type Batch struct{ Index, Offset, Size, LTPUpdates int }

// ModelGuard is whether the question's embedder is that of the index.
type ModelGuard struct {
	Match                   bool
	IngestModel, QueryModel string
}

// CrossWing is how hits were chosen among several wings, by ids of rows.
type CrossWing struct {
	CandidatesBefore, CandidatesAfter []string
	Saturation                        map[string]float64 // the share of the hits that each wing has
}

// A ScoreEvent is what one phase did to a score.
type ScoreEvent struct {
	Row    string  `json:"-"` // its id
	Phase  string  `json:"phase"`
	Part   string  `json:"part"` // under which Hit.Breakdown sums it up
	Delta  float64 `json:"delta"`
	Score  float64 `json:"score"` // after it
	Reason string  `json:"reason"`
}
