package recall

// Hooks are called while a search or a compaction runs, by its goroutine, for programs that embed Reverie: workspace.Options has them. Each
// may be nil. Hooks see what happens and change nothing. What they are handed has its names in JSON, for a log.
type Hooks struct {
	PostModelGuard func(ModelGuard)
	PostCrossWing  func(CrossWing)
	PostScoreEvent func(ScoreEvent) // of the hits of a search with Explain

	PostCompactionPlan func(CompactionPlan)
	PostBatch          func(Batch)
}

// A CompactionPlan is which drawers a compaction puts away, or would: by ids, and by the groups that are put away together.
type CompactionPlan struct {
	Candidates           []string   `json:"candidates"`
	Groups               [][]string `json:"groups"`
	WouldArchive         int        `json:"would_archive"`
	WouldCreateSummaries int        `json:"would_create_summaries"`
}

// A Batch are drawers that were scored at once, and how many have another score than before.
type Batch struct {
	Index      int `json:"batch_index"`
	Offset     int `json:"offset"` // how many drawers stand before it
	Size       int `json:"batch_size"`
	LTPUpdates int `json:"ltp_updates"`
}

// ModelGuard is whether the question's embedder is that of the index.
type ModelGuard struct {
	Match       bool   `json:"match"`
	IngestModel string `json:"ingest_model"`
	QueryModel  string `json:"query_model"`
}

// CrossWing is how hits were chosen among several wings, by ids of rows.
type CrossWing struct {
	CandidatesBefore []string           `json:"candidates_before"`
	CandidatesAfter  []string           `json:"candidates_after"`
	Saturation       map[string]float64 `json:"wing_saturation_scores"` // the share of the hits that each wing has
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
