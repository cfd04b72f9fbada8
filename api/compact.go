package api

// The modes of a compaction.
const (
	CompactEvaluate = "evaluate"
	CompactExecute  = "execute"
	CompactRestore  = "restore"
)

// Compact puts drawers away that newer ones tell, or brings them back.
type Compact struct {
	Project        string   `json:"project,omitempty" maxLength:"200" mcp:"-" doc:"The project that asks."`
	Mode           string   `json:"mode,omitempty" enum:"evaluate,execute,restore" default:"evaluate"`
	IDs            []string `json:"ids,omitempty" is:"id" maxItems:"1000" maxLength:"100"`
	Threshold      *float64 `json:"threshold,omitempty" mcp:"-" minimum:"0" maximum:"1"`
	AgeDays        *int     `json:"age_days,omitempty" mcp:"-" minimum:"0" maximum:"36500"`
	DecayEnabled   *bool    `json:"decay_enabled,omitempty" mcp:"-"`
	CandidateTrace bool     `json:"candidate_trace,omitempty" mcp:"-" doc:"Tells of each batch that was scored."`
	DryRun         bool     `json:"dry_run,omitempty" mcp:"-" doc:"Whatever the mode: tells what it would do, and writes nothing."`

	Flags map[string]any `json:"flags,omitempty" mcp:"-" maxProperties:"100"`
}

// Docs implements [Documented].
func (Compact) Docs() map[string]string {
	return map[string]string{
		"mode":  "evaluate only plans and writes nothing; execute does what it plans; restore brings back.",
		"ids":   "For restore: of summaries, whose drawers all come back, or of drawers.",
		"flags": "Flags of the phases, as GET /memory/profiles lists them under compaction. Defaults: the settings compaction.*.",
		"threshold": "Short for the flag compaction_threshold, as age_days is for compaction_age_days and decay_enabled for the flag of that " +
			"name.",
	}
}

// Compacted answers Compact.
type Compacted struct {
	Mode                 string                `json:"mode"`
	DryRun               bool                  `json:"dry_run,omitempty" doc:"Nothing was written: execute would, and restore would."`
	Candidates           []CompactionCandidate `json:"candidates" nullable:"false" doc:"Drawers that are put away, or would be; at most 200."`
	Groups               []CompactionGroup     `json:"groups" nullable:"false" doc:"Those that go together; at most 50."`
	WouldArchive         int                   `json:"would_archive"`
	WouldCreateSummaries int                   `json:"would_create_summaries"`
	Archived             int                   `json:"archived" doc:"Drawers that execute put away."`
	Restored             []string              `json:"restored" nullable:"false" doc:"Drawers that restore brought back."`
	Archives             []CompactionArchive   `json:"archives" nullable:"false" doc:"Summaries in place of drawers, newest first: up to 200."`
	Receipt              string                `json:"receipt,omitempty" doc:"Of execute: with replay.enabled, why tells what it planned."`
	Pagination           *PaginationState      `json:"pagination,omitempty" doc:"How far drawers were scored."`
	PhasesSkipped        []string              `json:"phases_skipped,omitempty" doc:"Phases that a flag left out."`
	ElapsedMS            float64               `json:"elapsed_ms" doc:"All of it; phases in phase_timing_ms."`
	PhaseTimingMS        map[string]float64    `json:"phase_timing_ms,omitempty"`
	PhaseDetail          map[string]any        `json:"phase_detail,omitempty"`
	Batches              []ScoredBatch         `json:"batches,omitempty" doc:"With candidate_trace."`
}

// CompactionCandidate is a drawer that may be put away.
type CompactionCandidate struct {
	DrawerID         string  `json:"drawer_id"`
	Action           string  `json:"action" enum:"consolidate,archive" doc:"consolidate: with others, behind a summary."`
	Reason           string  `json:"reason"`
	LTPScore         float64 `json:"ltp_score" doc:"How often it was read lately: 0 to 1."`
	DecayedLTP       float64 `json:"decayed_ltp" doc:"What of that counts, where it fades."`
	SupersededBy     string  `json:"superseded_by" doc:"The drawer that tells it."`
	DaysSinceAccess  int     `json:"days_since_access" doc:"Since it was filed, read or brought back."`
	ConsolidatedInto string  `json:"consolidated_into,omitempty"`
}

// CompactionGroup are drawers of one place that another tells.
type CompactionGroup struct {
	Drawers      []string `json:"drawers" nullable:"false"`
	SupersededBy string   `json:"superseded_by"`
	Wing         string   `json:"wing,omitempty"`
	Room         string   `json:"room,omitempty"`
	Summary      string   `json:"summary,omitempty" doc:"The text that stands in their place; none for a single one."`
	SummaryID    string   `json:"summary_id,omitempty" doc:"The drawer with it, once there is one."`
}

// CompactionArchive is a summary with the drawers that are put away behind it.
type CompactionArchive struct {
	SummaryID string   `json:"summary_id" doc:"Empty where the summary was forgotten: its drawers are restored by their own ids."`
	Drawers   []string `json:"drawers" nullable:"false"`
	At        string   `json:"at" doc:"RFC 3339."`
}

// PaginationState is how far drawers were scored.
type PaginationState struct {
	Total            int  `json:"total" doc:"Drawers that the caller sees."`
	BatchesProcessed int  `json:"batches_processed"`
	LastOffset       int  `json:"last_offset" doc:"How many stand before the last batch."`
	ScanDepthReached bool `json:"scan_depth_reached" doc:"There are more, and the next run goes on behind these."`
}

// ScoredBatch are drawers that were scored at once.
type ScoredBatch struct {
	BatchIndex               int     `json:"batch_index"`
	Offset                   int     `json:"offset"`
	DrawersInBatch           int     `json:"drawers_in_batch"`
	LTPUpdated               int     `json:"ltp_updated"`
	LTPSkippedUnchanged      int     `json:"ltp_skipped_unchanged"`
	SupersedeCandidatesFound int     `json:"supersede_candidates_found"`
	MS                       float64 `json:"ms"`
}
