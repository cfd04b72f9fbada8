package api

// Filters narrow a search; empty fields allow everything.
type Filters struct {
	SourceType []string `json:"source_type,omitempty" maxItems:"50" enum:"archive_log,notebook,core_file,drawer,closet,diary"`
	Wing       string   `json:"wing,omitempty" maxLength:"200"`
	Room       string   `json:"room,omitempty" maxLength:"200"`
	Hall       string   `json:"hall,omitempty" maxLength:"200"`
	Category   string   `json:"category,omitempty" maxLength:"200"`
	Tags       []string `json:"tags,omitempty" maxItems:"50" maxLength:"100"`
	Speaker    string   `json:"speaker,omitempty" maxLength:"200"`
	ChatID     string   `json:"chat_id,omitempty" is:"id" maxLength:"200"`
	From       *Moment  `json:"from,omitempty" doc:"A day or an RFC 3339 time, inclusive."`
	To         *Moment  `json:"to,omitempty" doc:"A day or an RFC 3339 time, exclusive."`
}

// Search is a question.
type Search struct {
	Query          string         `json:"query" is:"text" minLength:"1" maxLength:"10000"`
	Agent          string         `json:"agent,omitempty" is:"agent" maxLength:"64" mcp:"-"`
	Wing           string         `json:"wing,omitempty" maxLength:"200" mcp:"-"`
	K              int            `json:"k,omitempty" minimum:"1" maximum:"200" doc:"How many hits. Default: 10."`
	Filters        *Filters       `json:"filters,omitempty"`
	Profile        string         `json:"profile,omitempty" maxLength:"100"`
	Flags          map[string]any `json:"flags,omitempty" maxProperties:"100" doc:"Flags of the profile; an unknown one is an error."`
	Explain        bool           `json:"explain,omitempty" doc:"Says what each score is made of."`
	CandidateTrace bool           `json:"candidate_trace,omitempty" mcp:"-"`
	DryRun         bool           `json:"dry_run,omitempty" mcp:"-" doc:"Leaves no trace in the recall log."`
	AsOf           *Moment        `json:"as_of,omitempty" doc:"A day or an RFC 3339 time: answers as of then, or of when the day ended."`
	AsOfBy         string         `json:"as_of_by,omitempty" enum:"said,filed"`
}

// Docs implements [Documented].
func (Search) Docs() map[string]string {
	return map[string]string{
		"agent":    "Who asks, and sees its own diary; without it no diary is searched.",
		"wing":     "The project that asks. An isolated one sees its own memory alone, and no other sees that. Default: filters.wing.",
		"profile":  "How hits are ranked: default, palace, synapse, cosine or one of the settings. Default: recall.profile of the settings.",
		"as_of_by": "What is later than as_of: what was said later, or also what was only filed later, such as an import. Default: said.",
	}
}

// RowID names a row, and who wants to see it.
type RowID struct {
	ID    string `path:"id" json:"id" maxLength:"100"`
	Agent string `query:"agent" json:"agent,omitempty" is:"agent" maxLength:"64" mcp:"-" doc:"Sees its own diary."`
	Wing  string `query:"wing" json:"wing,omitempty" maxLength:"200" mcp:"-" doc:"The project that asks."`
}

// Row is one thing that is remembered, as search finds it.
type Row struct {
	ID         string   `json:"id"`
	Text       string   `json:"text"`
	SourceType string   `json:"source_type"`
	SourceFile string   `json:"source_file"`
	Line       int      `json:"line"`
	Refs       []string `json:"refs" nullable:"false"`
	Speaker    string   `json:"speaker"`
	Date       string   `json:"date" doc:"RFC 3339, empty when unknown."`
	Category   string   `json:"category"`
	Tags       []string `json:"tags" nullable:"false"`
	Wing       string   `json:"wing"`
	Room       string   `json:"room"`
	Hall       string   `json:"hall,omitempty"`
	ChatID     string   `json:"chat_id"`
	Origin     string   `json:"origin"`
}

// Hit is one result.
type Hit struct {
	Row
	Score          float64            `json:"score"`
	Relevance      float64            `json:"relevance" doc:"Whether it answers at all: 1 where it just does."`
	Weak           bool               `json:"weak,omitempty" doc:"Below flags.min_score; it stands beside hits that are not."`
	MatchedVia     string             `json:"matched_via"`
	ClosetPreview  string             `json:"closet_preview,omitempty"`
	Unsourced      bool               `json:"unsourced,omitempty" doc:"It stands on a page and names no source: nobody knows who said it."`
	Also           []string           `json:"also,omitempty" doc:"Ids of rows that tell the same and were folded into this hit."`
	SupersededBy   string             `json:"superseded_by,omitempty" doc:"Of a hit that says much the same and is newer, where asked for."`
	ScoreBreakdown map[string]float64 `json:"score_breakdown,omitzero" doc:"With explain: named parts that add up to score."`
	ScoreEvents    []ScoreEvent       `json:"score_events,omitempty" doc:"With explain: what each phase did to the score, in order."`
}

// ScoreEvent is what one phase did to a score.
type ScoreEvent struct {
	Phase  string  `json:"phase"`
	Part   string  `json:"part" doc:"Under which score_breakdown sums it up."`
	Delta  float64 `json:"delta"`
	Score  float64 `json:"score" doc:"After it."`
	Reason string  `json:"reason"`
}

// Candidate is one row that was considered, for candidate_trace.
type Candidate struct {
	ID      string  `json:"id"`
	Lexical float64 `json:"lexical"`
	Vector  float64 `json:"vector"`
	Score   float64 `json:"score"`
	Rank    int     `json:"rank"`
	Dropped string  `json:"dropped,omitempty" doc:"Why it is not a hit."`

	ScoreBreakdown   map[string]float64 `json:"score_breakdown,omitzero" doc:"With explain."`
	DroppedAt        string             `json:"dropped_at,omitempty" doc:"The phase that left it out."`
	WingSaturation   float64            `json:"wing_saturation,omitempty"`
	OriginalMMRScore float64            `json:"original_mmr_score,omitempty"`
	PenalizedScore   float64            `json:"penalized_score,omitempty"`
	ScoreAtDrop      map[string]float64 `json:"score_at_drop,omitempty" doc:"Its parts then; partial_score is the score."`
}

// Trace says how an answer was made.
type Trace struct {
	Profile       string             `json:"profile"`
	Engine        string             `json:"engine"`
	Generation    int                `json:"generation"`
	PhasesApplied []string           `json:"phases_applied" nullable:"false"`
	PhaseTimingMS map[string]float64 `json:"phase_timing_ms"`
	PhasesSkipped []string           `json:"phases_skipped" nullable:"false" doc:"Phases that a flag left out."`
	PhaseDetail   map[string]any     `json:"phase_detail,omitempty" doc:"What phases did, by their names."`
	ModelGuard    string             `json:"model_guard,omitempty" doc:"MATCH or MISMATCH: whether the question's embedder is the index's."`
	CandidatesIn  int                `json:"total_candidates_in"`
	CandidatesOut int                `json:"total_candidates_out"`
	ElapsedMS     float64            `json:"elapsed_ms"`
	Candidates    []Candidate        `json:"candidates,omitempty"`
}

// ReceiptID names an answer, and who wants to know how it came about.
type ReceiptID struct {
	ID    string `path:"id" json:"id" maxLength:"100"`
	Agent string `query:"agent" json:"agent,omitempty" is:"agent" maxLength:"64" mcp:"-" doc:"Sees its own diary."`
	Wing  string `query:"wing" json:"wing,omitempty" maxLength:"200" mcp:"-" doc:"The project that asks."`
}

// Replay tells what was answered, and what the same question finds now.
type Replay struct {
	Receipt  string      `json:"receipt"`
	At       string      `json:"at" doc:"When it was answered, RFC 3339."`
	Replayed bool        `json:"replayed" doc:"The question was kept (replay.enabled) and asked again. Else it is only known what was found."`
	Query    string      `json:"query,omitempty"`
	Same     bool        `json:"same" doc:"The same hits in the same order, with the same texts."`
	Hits     []ReplayHit `json:"hits" nullable:"false" doc:"What was found then, the best first."`
	New      []ReplayHit `json:"new,omitempty" doc:"What is found now and was not then."`
	Changes  []string    `json:"changes,omitempty" doc:"What changed besides: the index, its embedder, what answers are without."`

	Plan       *ReplayPlan      `json:"compaction_plan,omitempty"`
	Pagination *PaginationState `json:"pagination_state,omitempty"`

	Wings map[string]int `json:"wing_counts_at_query_time,omitempty" doc:"Drawers of each wing then."`

	ModelGuard string   `json:"model_guard_result,omitempty" doc:"MATCH, or MISMATCH where the embedder was another one than the index's."`
	Degraded   []string `json:"degraded,omitempty" doc:"Why the answer was worse than usual."`
}

// Docs implements [Documented].
func (Replay) Docs() map[string]string {
	return map[string]string{
		"compaction_plan": "Of a compaction: hits are its candidates, with their ltp_score, and same says that all of them are put away.",
	}
}

// ReplayPlan is which candidates of a compaction go together.
type ReplayPlan struct {
	Groups       [][]string `json:"groups" nullable:"false"`
	SummaryCount int        `json:"summary_count"`
}

// ReplayHit is a hit of then or now.
type ReplayHit struct {
	ID       string             `json:"id"`
	Text     string             `json:"text,omitempty" doc:"As it reads now."`
	Rank     int                `json:"rank,omitempty" doc:"Then, from 1."`
	RankNow  int                `json:"rank_now,omitempty" doc:"0: it is not among the hits."`
	Score    float64            `json:"score,omitempty"`
	ScoreNow float64            `json:"score_now,omitempty"`
	Change   string             `json:"change,omitempty" doc:"What became of it."`
	Parts    map[string]float64 `json:"score_breakdown,omitempty" doc:"Of then."`
	Shifts   map[string]float64 `json:"score_shifts,omitempty" doc:"By how much parts of the score changed since, such as ltp_boost."`
}

// SearchResult answers Search.
type SearchResult struct {
	Hits     []Hit    `json:"hits" nullable:"false"`
	Weak     int      `json:"weak" doc:"Hits left out because none of them reaches flags.min_score: nothing that is remembered answers."`
	Receipt  string   `json:"receipt"`
	Trace    Trace    `json:"trace"`
	Degraded []string `json:"degraded" nullable:"false"`
	Warnings []string `json:"warnings" nullable:"false"`
}

// Context asks for a block of memory to put before a conversation.
type Context struct {
	Query  string `json:"query,omitempty" is:"text" maxLength:"10000"`
	Wing   string `json:"wing,omitempty" maxLength:"200"`
	Room   string `json:"room,omitempty" maxLength:"200"`
	Hall   string `json:"hall,omitempty" maxLength:"200"`
	Agent  string `json:"agent,omitempty" mcp:"-" is:"agent" maxLength:"64"`
	K      int    `json:"k,omitempty" minimum:"1" maximum:"50" doc:"How many rows the search of L3 gives. Default: 5."`
	Budget int    `json:"budget,omitempty" minimum:"200" maximum:"100000" doc:"Characters of the whole text. Default: 14000."`
	DryRun bool   `json:"dry_run,omitempty" mcp:"-" doc:"Leaves no trace in the recall log."`

	Profile string         `json:"profile,omitempty" mcp:"-" maxLength:"100" doc:"By which the search of L3 ranks. Default: recall.profile."`
	Flags   map[string]any `json:"flags,omitempty" mcp:"-" maxProperties:"100" doc:"Flags of the profile; an unknown one is an error."`

	AsOf   *Moment `json:"as_of,omitempty" doc:"A day or an RFC 3339 time: the block as of then, or of when the day ended."`
	AsOfBy string  `json:"as_of_by,omitempty" mcp:"-" enum:"said,filed"`
}

// Docs implements [Documented].
func (Context) Docs() map[string]string {
	return map[string]string{
		"as_of_by": "What is later than as_of: what was said later, or also what was only filed later. Default: said.",
	}
}

// Brief asks what is new since an agent's last visit, and is a visit itself.
type Brief struct {
	Agent string `json:"agent,omitempty" mcp:"-" is:"agent" maxLength:"64"`
	Wing  string `json:"wing,omitempty" maxLength:"200" doc:"Leaves out what belongs to other wings."`
	Peek  bool   `json:"peek,omitempty" doc:"Does not count as a visit, and leaves no trace in the recall log."`
}

// BriefResult answers Brief. Text is fenced as data.
type BriefResult struct {
	Text      string   `json:"text"`
	Since     string   `json:"since" doc:"The last visit, RFC 3339; empty on the first."`
	New       int      `json:"new" doc:"Facts since then that may be told unasked; 64 is the most that is counted, here and below."`
	Questions int      `json:"questions" doc:"Open conflicts."`
	Tasks     int      `json:"tasks" doc:"Open tasks."`
	Dreams    int      `json:"dreams" doc:"Dreams since then."`
	Tokens    int      `json:"tokens" doc:"What the text costs, estimated: four ASCII characters or one other make a token. At most 800."`
	Rows      []string `json:"rows" nullable:"false" doc:"Ids of the rows that the text quotes."`
	Receipt   string   `json:"receipt"`
	Degraded  []string `json:"degraded" nullable:"false"`
}

// ContextResult answers Context. Text is fenced as data.
type ContextResult struct {
	Text     string              `json:"text"`
	Layers   map[string]string   `json:"layers" doc:"L0 identity, L1 essential, L2 wing and room, L3 search; core for the other core blocks."`
	Rows     map[string][]string `json:"rows" doc:"Ids of the rows that L1, L2 and L3 quote."`
	Receipt  string              `json:"receipt"`
	Degraded []string            `json:"degraded" nullable:"false"`
	Warnings []string            `json:"warnings" nullable:"false"`
}
