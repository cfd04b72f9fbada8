package api

// Consolidate asks for a dream: the daily logs are consolidated into pages.
type Consolidate struct {
	DryRun   bool `json:"dry_run,omitempty" doc:"Only plan. Nothing is written; the answer holds the diff."`
	Estimate bool `json:"estimate,omitempty" mcp:"-" doc:"Only say what a model would be asked at most. Nothing is planned."`
}

// Consolidation is the report of a dream.
type Consolidation struct {
	RunID     string             `json:"run_id"`
	Status    string             `json:"status" enum:"consolidated,nothing_pending,no_change,skipped_batch,rolled_back,planned"`
	Days      []string           `json:"days" nullable:"false"`
	Facts     int                `json:"facts" doc:"How many facts the run accounts for."`
	Ledger    Ledger             `json:"ledger"`
	Pages     []PageChange       `json:"pages" nullable:"false"`
	Watermark string             `json:"watermark" doc:"The last consolidated day, empty where there is none."`
	Diff      string             `json:"diff,omitempty" doc:"Of a dry run, unified."`
	Seconds   float64            `json:"seconds"`
	Phases    map[string]float64 `json:"phase_seconds,omitempty" doc:"Seconds by phase: collect, plan, model, apply, index, gate, navigate."`
	Mode      string             `json:"mode,omitempty" doc:"Why the run could start: steady, catch_up or forced."`
	Started   string             `json:"started,omitempty"`
	Resumed   bool               `json:"resumed,omitempty" doc:"Continued after a crash or a cancelled run."`
	Undone    bool               `json:"undone,omitempty"`
	Late      int                `json:"late,omitempty" doc:"Facts of days that had been consolidated before."`
	Replanned int                `json:"replanned,omitempty" doc:"Pages that changed under the run and were left to the next."`
	Conflicts int                `json:"conflicts,omitempty" doc:"Open questions in 0_Inbox/Conflicts.md."`
	Settled   int                `json:"settled,omitempty" doc:"Conflicts that a person decided."`
	Forgotten int                `json:"forgotten,omitempty" doc:"Statements taken off pages because they were forgotten."`
	Gate      *RecallGate        `json:"recall_gate,omitempty"`
	Model     *ModelUse          `json:"model,omitempty"`
	Notes     []string           `json:"notes,omitempty" doc:"What a person should know."`
	Degraded  []string           `json:"degraded" nullable:"false" doc:"Why the run is worse than usual, such as a model that stopped early."`
	Estimate  *DreamEstimate     `json:"estimate,omitempty"`
}

// Ledger counts what became of the facts. Every fact has exactly one outcome.
type Ledger struct {
	Kept       int `json:"kept" doc:"A statement of its own."`
	Merged     int `json:"merged" doc:"Part of a fuller statement, which names it as a source."`
	Superseded int `json:"superseded" doc:"No longer true: under History."`
	Duplicate  int `json:"duplicate" doc:"Said already."`
	Conflict   int `json:"conflict" doc:"Contradicts another; both stand until a person decides."`
	Dropped    int `json:"dropped" doc:"On no page, with a reason."`
	Unfiled    int `json:"unfiled" doc:"No page was found: 0_Inbox/Unfiled.md."`
}

// PageChange is a page that a dream changed.
type PageChange struct {
	Path   string `json:"path"`
	Change string `json:"change" enum:"created,updated,moved"`
}

// RecallGate compares how well the consumed facts are found before the run and after it.
type RecallGate struct {
	Probes int `json:"probes"`
	Before int `json:"before" doc:"Probes that found their fact."`
	After  int `json:"after" doc:"Probes that found it on a page."`
}

// ModelUse is what a model did for a dream.
type ModelUse struct {
	Name     string   `json:"name"`
	Calls    int      `json:"calls"`
	Input    int      `json:"input_tokens"`
	Output   int      `json:"output_tokens"`
	Accepted int      `json:"accepted" doc:"Proposals that were taken."`
	Refused  []string `json:"refused,omitempty" doc:"Why others were not."`
	Stopped  string   `json:"stopped,omitempty" doc:"Why it ended early."`
}

// DreamEstimate is what a dream would ask of a model at most.
type DreamEstimate struct {
	Facts  int    `json:"facts"`
	Model  string `json:"model" doc:"Empty without one: nothing is spent."`
	Calls  int    `json:"calls"`
	Input  int    `json:"input_tokens"`
	Output int    `json:"output_tokens"`
	Budget int    `json:"budget_left" doc:"Tokens left of the day's budget."`
}

// Dream is the state of consolidation.
type Dream struct {
	Enabled     bool           `json:"enabled"`
	LastRun     string         `json:"last_run" doc:"When the newest finished run began; empty before the first."`
	NextCheck   string         `json:"next_check" doc:"When the gate is looked at next; empty where nobody looks."`
	Gate        []string       `json:"gate" nullable:"false" doc:"What was weighed, and the answer."`
	Open        bool           `json:"open" doc:"A run would start now."`
	OpensAt     string         `json:"opens_at,omitempty" doc:"When the answer can change by time alone."`
	NextDays    []string       `json:"next_days,omitempty" doc:"The days that the next run would take."`
	Pending     int            `json:"facts_pending" doc:"As in the status."`
	FactsToday  int            `json:"facts_today" doc:"Facts of today (UTC), which is consolidated when it is over."`
	LastAttempt string         `json:"last_attempt,omitempty"`
	LastReport  *Consolidation `json:"last_report,omitempty"`
	LastError   string         `json:"last_error,omitempty" doc:"Why the last attempt failed; empty after one that did not."`
	Failures    int            `json:"failures" doc:"How often the next batch has failed."`
	Running     *DreamProgress `json:"running,omitempty"`
	Steps       *DreamHeld     `json:"steps,omitempty" doc:"Who dreams step by step; no other dream begins meanwhile."`
	Totals      DreamTotals    `json:"totals"`
}

// DreamProgress is how far a run is.
type DreamProgress struct {
	RunID string `json:"run_id"`
	JobID string `json:"job_id,omitempty"`
	Phase string `json:"phase" doc:"collect, plan, model, apply, index, gate or navigate."`
	Done  int    `json:"done"`
	Total int    `json:"total"`
	Unit  string `json:"unit"`
}

// DreamTotals count the runs since the daemon started.
type DreamTotals struct {
	Runs    map[string]int `json:"runs" nullable:"false" doc:"By status; failed and cancelled ones as well."`
	Facts   Ledger         `json:"facts"`
	Seconds float64        `json:"seconds"`
	Tokens  int            `json:"model_tokens"`
	Success string         `json:"last_success,omitempty" doc:"When the newest run that was consolidated ended, also before this start."`
}

// DreamRuns is a page of the list of runs, newest first.
type DreamRuns struct {
	Runs  []Consolidation `json:"runs" nullable:"false"`
	Total int             `json:"total"`
}

// DreamDetail is everything about a run.
type DreamDetail struct {
	Report     Consolidation `json:"report"`
	Changes    []DreamChange `json:"changes" nullable:"false"`
	ChangesAll int           `json:"changes_total"`
	Facts      []FactOutcome `json:"facts" nullable:"false"`
	FactsAll   int           `json:"facts_total"`
}

// DreamChange is one change to one page.
type DreamChange struct {
	Op       string   `json:"op" doc:"Such as add, add_source, reword, supersede, retire, conflict, settle, remove, drop, create_page."`
	Page     string   `json:"page,omitempty"`
	Section  string   `json:"section,omitempty"`
	Text     string   `json:"text,omitempty" doc:"What stands there now."`
	Was      string   `json:"was,omitempty" doc:"What stood there before."`
	Note     string   `json:"note,omitempty"`
	Question string   `json:"question,omitempty" doc:"Of a conflict."`
	Options  []string `json:"options,omitempty" doc:"Of a conflict."`
	Reason   string   `json:"reason,omitempty"`
	Facts    []string `json:"facts,omitempty" doc:"Ids of the facts that it accounts for."`
	By       string   `json:"by,omitempty" doc:"rules, person or the model's name."`
}

// FactOutcome is a line of a run's ledger.
type FactOutcome struct {
	Fact    string `json:"fact"`
	Day     string `json:"day"`
	Text    string `json:"text,omitempty" doc:"Empty where the fact was forgotten or taken out of the log since."`
	Outcome string `json:"outcome" enum:"kept,merged,superseded,duplicate,conflict,dropped,unfiled"`
	Page    string `json:"page,omitempty"`
	Reason  string `json:"reason,omitempty"`
	By      string `json:"by,omitempty"`
	Drawer  string `json:"drawer,omitempty"`
	Ref     string `json:"ref,omitempty"`
	Speaker string `json:"speaker,omitempty"`
}

// Latest names the newest run.
const Latest = "latest"

// DreamRun names a run.
type DreamRun struct {
	ID string `path:"id" json:"id" maxLength:"100" doc:"A run, or latest."`
}

// DreamQuery says what is shown of a run.
type DreamQuery struct {
	LongPage
	ID   string `path:"id" json:"id" maxLength:"100" doc:"A run, or latest."`
	Fact string `query:"fact" json:"fact,omitempty" maxLength:"100" doc:"Only what became of this fact; latest is then the run that read it."`
}

// DreamLimit is how many changes and facts of a run are shown where nothing else is asked for.
const DreamLimit = 1000

// UndoResult tells what taking back a dream did.
type UndoResult struct {
	RunID     string   `json:"run_id"`
	Restored  []string `json:"restored" nullable:"false" doc:"Pages that are as they were before the run."`
	Kept      []string `json:"kept" nullable:"false" doc:"Pages that also hold what was edited since."`
	Gone      []string `json:"gone" nullable:"false" doc:"Pages that were deleted, moved or renamed since; that stands."`
	Watermark string   `json:"watermark"`
}

// DreamCancelled names the run that was told to stop.
type DreamCancelled struct {
	RunID string `json:"run_id"`
}

// LintResult lists what is wrong with the wiki, by page and line.
type LintResult struct {
	Findings []LintFinding  `json:"findings" nullable:"false"`
	Total    int            `json:"total"`
	Kinds    map[string]int `json:"kinds" nullable:"false" doc:"How many there are of each kind."`
}

// LintFinding is one thing that is wrong with a page.
type LintFinding struct {
	Kind string `json:"kind" doc:"dead_link, orphan, lost_source, changed_source, forgotten, old_conflict, duplicate_name, frontmatter, …"`
	File string `json:"file"`
	Line int    `json:"line,omitempty" doc:"0 for the whole page."`
	Text string `json:"text"`
	Hint string `json:"hint,omitempty"`
}
