package api

// Nothing is the request of an operation that takes none.
type Nothing struct{}

// Page is a part of a list.
type Page struct {
	Limit  int `query:"limit" json:"limit,omitempty" default:"50" minimum:"1" maximum:"1000"`
	Offset int `query:"offset" json:"offset,omitempty" default:"0" minimum:"0"`
}

// LongPage is a part of a list of small things.
type LongPage struct {
	Limit  int `query:"limit" json:"limit,omitempty" default:"1000" minimum:"1" maximum:"10000" doc:"Of each list."`
	Offset int `query:"offset" json:"offset,omitempty" default:"0" minimum:"0"`
}

// Status describes a workspace.
type Status struct {
	Version      string         `json:"version"`
	Workspace    string         `json:"workspace"`
	Vault        string         `json:"vault"`
	Engine       string         `json:"engine"`
	EngineNote   string         `json:"engine_note,omitempty" doc:"Why this engine, and how to get the other."`
	EnginesBuilt []string       `json:"engines_built" nullable:"false"`
	Embedder     Embedder       `json:"embedder"`
	Extractor    string         `json:"extractor"`
	Model        *Model         `json:"model,omitempty" doc:"The chat model; none: rules do its work."`
	Rows         map[string]int `json:"rows"`
	Drawers      int            `json:"drawers"`
	Wings        int            `json:"wings"`
	Rooms        int            `json:"rooms"`
	FactsPending int            `json:"facts_pending" doc:"Facts of past days (UTC) that no dream has accounted for."`
	FactsAside   int            `json:"facts_isolated" doc:"Facts of isolated projects, which dreams leave in their logs."`
	Watermark    string         `json:"watermark"`
	Dream        Dream          `json:"dream"`
	Intake       Intake         `json:"intake"`
	Index        Index          `json:"index"`
	Capture      []CaptureHost  `json:"capture" nullable:"false" doc:"Assistants whose transcripts are captured."`
	Problems     []FileProblem  `json:"problems" nullable:"false" doc:"Lines that were kept but not understood, the first hundred."`
	Degraded     []string       `json:"degraded" nullable:"false"`
}

// CaptureHost is how the capture of an assistant's transcripts stands.
type CaptureHost struct {
	Host     string   `json:"host"`
	Folders  []string `json:"folders" nullable:"false" doc:"Those with transcripts."`
	Files    int      `json:"files"`
	Since    string   `json:"since,omitempty" doc:"What was said before is not read. Missing where the assistant was not set up."`
	LastHook string   `json:"last_hook,omitempty" doc:"To the hour."`
	Behind   int      `json:"behind" doc:"Transcripts that have waited for more than ten minutes."`
	Broken   int      `json:"broken" doc:"Lines that make no sense."`
	Problems []string `json:"problems" nullable:"false"`
}

// Embedder is the model that makes vectors.
type Embedder struct {
	Name        string `json:"name"`
	Dim         int    `json:"dim"`
	Fingerprint string `json:"fingerprint"`
}

// Model is the chat model that extracts facts and plans dreams.
type Model struct {
	Name    string `json:"name" doc:"Provider and model, or provider and program."`
	Program string `json:"program,omitempty" doc:"Where the program was found, of provider command."`
	Problem string `json:"problem,omitempty" doc:"Why the model is not, or not reliably, asked at the moment."`
	Today   int    `json:"today" doc:"Tokens spent or held today (UTC)."`
	Daily   int    `json:"daily" doc:"Tokens that may be spent in a day."`
}

// Intake counts turns on their way to facts.
type Intake struct {
	Queued   int `json:"queued"`
	Deferred int `json:"deferred"`
	Resting  int `json:"resting" doc:"Turns that a model reads when their conversation rests or ends."`
	Failed   int `json:"failed"`
}

// Index is the state of the projection.
type Index struct {
	Generation int   `json:"generation"`
	Fragments  int   `json:"fragments"`
	Bytes      int64 `json:"bytes"`
	StaleFiles int   `json:"stale_files"`
	Pending    int   `json:"pending" doc:"Rows whose vector is still to come."`
}

// FileProblem is something in a file that was kept but not understood.
type FileProblem struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Reason string `json:"reason"`
	Hint   string `json:"hint,omitempty"`
}

// Reindex asks for a rebuild.
type Reindex struct {
	ClearExisting bool `json:"clear_existing,omitempty" doc:"Rebuild everything from the files into a new generation."`
	Wait          bool `json:"wait,omitempty"`
}

// Job is a piece of long work.
type Job struct {
	ID    string `json:"id"`
	Kind  string `json:"kind"`
	State string `json:"state" enum:"queued,running,done,failed"`
	Done  int    `json:"done"`
	Total int    `json:"total"`
	Unit  string `json:"unit"`
	Phase string `json:"phase,omitempty" doc:"What it is at, where it has several parts."`
	Error string `json:"error,omitempty"`
	ETA   int    `json:"eta_seconds,omitempty" doc:"How long the rest takes, as far as the work so far tells."`
}

// ByID names one thing.
type ByID struct {
	ID string `path:"id" json:"id" maxLength:"100"`
}

// Reindexed names the job, and describes it where the request waited for it.
type Reindexed struct {
	JobID string `json:"job_id"`
	ID    string `json:"id,omitempty"`
	Kind  string `json:"kind,omitempty"`
	State string `json:"state,omitempty" enum:"queued,running,done,failed"`
	Done  int    `json:"done,omitempty"`
	Total int    `json:"total,omitempty"`
	Unit  string `json:"unit,omitempty"`
	Error string `json:"error,omitempty"`
}

// Ended tells whether the request waited for the end.
func (r Reindexed) Ended() bool { return r.ID != "" }

// Stopping names the daemon that is about to end.
type Stopping struct {
	PID int `json:"pid"`
}

// VerifyResult compares the index with a rebuild from the files.
type VerifyResult struct {
	Rows    int      `json:"rows"`
	Missing int      `json:"missing" doc:"Rows that the files give and the index lacks."`
	Stale   int      `json:"stale" doc:"Rows that the index has and the files no longer give."`
	Vectors int      `json:"vectors_wrong" doc:"Vectors that are missing, doubled or differ from the cached ones."`
	Details []string `json:"details" nullable:"false"`
	OK      bool     `json:"ok"`
}

// Event is one server-sent event: something was written, indexed or moved on.
type Event struct {
	Kind string `json:"kind" enum:"write,index,dream,job"`
	At   string `json:"at"`
	Text string `json:"text"`
	Job  *Job   `json:"job,omitempty"`

	Memory *MemoryEvent `json:"-"` // instead of all others
}

// MemoryEvent is the server-sent event of a drawer that was filed. MemoryEvent has nothing of the text.
type MemoryEvent struct {
	At         string `json:"at"`
	Workspace  string `json:"workspace"`
	DrawerID   string `json:"drawer_id"`
	Wing       string `json:"wing"`
	Room       string `json:"room"`
	MemoryType string `json:"memory_type"`
	Agent      string `json:"agent"`
	Length     int    `json:"length" doc:"Characters."`
}

// Usage is what models cost in this workspace.
type Usage struct {
	Today  int        `json:"today" doc:"Tokens of chat models spent in this UTC day."`
	Daily  int        `json:"daily" doc:"The limit; at it no model is asked until the next day. 0: never."`
	Days   []UsageDay `json:"days" nullable:"false" doc:"Newest first, at most 400 lines."`
	Ledger string     `json:"ledger" doc:"The file in the vault that this is read from."`
}

// UsageDay sums up a day's calls of one model for one purpose.
type UsageDay struct {
	Day      string `json:"day"`
	Purpose  string `json:"purpose"`
	Provider string `json:"provider"`
	Model    string `json:"model"`
	Calls    int    `json:"calls"`
	Input    int    `json:"input_tokens"`
	Output   int    `json:"output_tokens"`
}
