package dream

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/vault"
)

// An Outcome says what became of a fact.
type Outcome string

// The outcomes. Every fact that a run consumes has exactly one.
const (
	Kept       Outcome = "kept"       // a statement of its own
	Merged     Outcome = "merged"     // said as part of a fuller statement, which names it as a source
	Superseded Outcome = "superseded" // no longer true; under History with its dates
	Duplicate  Outcome = "duplicate"  // said already; its source was added where the line is ours
	Conflicted Outcome = "conflict"   // contradicts another; both stand until a person decides
	Dropped    Outcome = "dropped"    // not on any page, with a reason
	Unfiled    Outcome = "unfiled"    // not on a page, but on a list: 0_Inbox/Unfiled.md, Unconfirmed.md
)

// Outcomes lists them all, in the order of reports.
func Outcomes() []Outcome {
	return []Outcome{Kept, Merged, Superseded, Duplicate, Conflicted, Dropped, Unfiled}
}

// A Kind says what an Op does to a page.
type Kind string

// The kinds of Op.
const (
	CreatePage   Kind = "create_page" // Meta; must be the first op of its page
	AddStatement Kind = "add"         // Text, Sources under Section
	AddSource    Kind = "add_source"  // Sources to Target
	Reword       Kind = "reword"      // Target gets the fuller Text and Sources: what it said is part of it
	Supersede    Kind = "supersede"   // Target goes to History with Note; Text, Sources take its place under Section
	Retire       Kind = "retire"      // Target goes to History with Note
	Date         Kind = "date"        // Target goes to the Timeline: a part of it is no longer so
	Contradict   Kind = "conflict"    // Target and Text stand against each other in a callout with Question
	Settle       Kind = "settle"      // a person decided the conflict Target
	RemoveLine   Kind = "remove"      // Target was forgotten
	Drop         Kind = "drop"        // no page; Reason
	Retitle      Kind = "retitle"     // Meta has the page's title and aliases
	MoveLine     Kind = "move_line"   // Target and its Sources stand on the page About: it goes
	TakePage     Kind = "take_page"   // all of the page stands on the page About: it goes
	LabelSources Kind = "label"       // links to Sources show Note, whose words they are
	AddItem      Kind = "add_item"    // to a list in 0_Inbox; Section is the page that it links
	TakeItem     Kind = "take_item"   // off such a list
)

// What a model may propose besides those; a plan holds what comes of it.
const (
	Summary  Kind = "summary"   // Text stands above the first section
	Merge    Kind = "merge"     // Target and With are one statement: Target, or Text
	Tick     Kind = "tick"      // the task Target is done
	MovePage Kind = "move_page" // the page gets the title of Meta, or goes to About with all its lines
)

// An Op is one change to one page, and the facts that it accounts for.
type Op struct {
	Kind     Kind          `json:"op"`
	Page     vault.Path    `json:"page,omitempty"`
	Meta     *page.Meta    `json:"meta,omitempty"`
	Section  string        `json:"section,omitempty"`
	Text     string        `json:"text,omitempty"`
	Task     bool          `json:"task,omitempty"`
	Sources  []page.Source `json:"sources,omitempty"`
	Target   string        `json:"target,omitempty"` // id of a statement or of a conflict
	Was      string        `json:"was,omitempty"`    // text of Target, for people and for finding it again
	With     []string      `json:"-"`                // of what a model proposes: ids of other statements
	Note     string        `json:"note,omitempty"`   // "until 9 Jun 2026"
	Question string        `json:"question,omitempty"`
	Options  []page.Option `json:"options,omitempty"`  // sides of a conflict; of Settle, those that are right
	Rejected []page.Option `json:"rejected,omitempty"` // of Settle: those that go to History
	Plain    bool          `json:"plain,omitempty"`    // of AddItem: nothing to tick
	// of AddItem and TakeItem: the page that the item is about; of Retire: that of the fact which ended it; of AddStatement: that from
	// which it was moved; of MoveLine and TakePage: that which has the lines
	About  vault.Path `json:"about,omitempty"`
	Reason string     `json:"reason,omitempty"`
	// Facts are the ids that the op accounts for, each with what becomes of it.
	Facts []Account `json:"facts,omitempty"`
	By    string    `json:"by,omitempty"` // rules, person, or the model's name
}

// An Account is the outcome of one fact.
type Account struct {
	Fact    string  `json:"fact"`
	Outcome Outcome `json:"outcome"`
}

// A Report tells what a run did. Its JSON is the answer of POST /memory/consolidate.
type Report struct {
	Run       string             `json:"run_id"`
	Status    Status             `json:"status"`
	Mode      Mode               `json:"mode,omitempty"`
	Days      []vault.Day        `json:"days"`
	Facts     int                `json:"facts"`
	Ledger    map[Outcome]int    `json:"ledger"`
	Pages     []PageChange       `json:"pages"`
	Watermark vault.Day          `json:"watermark"`
	Diff      string             `json:"diff,omitempty"`
	Seconds   float64            `json:"seconds"`
	Phases    map[string]float64 `json:"phase_seconds,omitempty"` // collect, plan, model, apply, index, gate, navigate
	Started   time.Time          `json:"started"`
	Resumed   bool               `json:"resumed,omitempty"` // continued after a crash
	Undone    bool               `json:"undone,omitempty"`
	Late      int                `json:"late,omitempty"`      // facts of days that had been consolidated before
	Replanned int                `json:"replanned,omitempty"` // pages that changed under the run, and were left to the next
	Conflicts int                `json:"conflicts,omitempty"` // open questions in 0_Inbox/Conflicts.md
	Settled   int                `json:"settled,omitempty"`
	Forgotten int                `json:"forgotten,omitempty"` // statements taken off pages
	Gate      *RecallGate        `json:"recall_gate,omitempty"`
	Model     *ModelUse          `json:"model,omitempty"`
	Notes     []string           `json:"notes,omitempty"` // what a person should know, such as refusals
	Degraded  []string           `json:"degraded"`        // why the run is worse than usual
}

// A Status says how a run ended.
type Status string

// The statuses.
const (
	Consolidated   Status = "consolidated"
	NothingPending Status = "nothing_pending"
	NoChange       Status = "no_change"     // no page would change: the watermark stays
	SkippedBatch   Status = "skipped_batch" // failed too often: listed for a person
	RolledBack     Status = "rolled_back"   // search did not find the facts on the pages, or the plan could not be carried out
	Planned        Status = "planned"       // a dry run
)

// A PageChange is one changed page.
type PageChange struct {
	Path   vault.Path `json:"path"`
	Change string     `json:"change"` // created, updated, moved
}

// created is the change of a page that a run made.
const created = "created"

// A RecallGate compares how well the consumed facts are found before and after.
type RecallGate struct {
	Probes int `json:"probes"`
	Before int `json:"before"` // probes that found their fact
	After  int `json:"after"`  // probes that found it on a page
}

// ModelUse is what a model did for a run.
type ModelUse struct {
	Name     string   `json:"name"`
	Calls    int      `json:"calls"`
	Input    int      `json:"input_tokens"`
	Output   int      `json:"output_tokens"`
	Accepted int      `json:"accepted"` // ops
	Refused  []string `json:"refused,omitempty"`
	Stopped  string   `json:"stopped,omitempty"` // why it ended early: budget, timeout, …
}

// Errors of a run that callers tell apart.
var (
	ErrRunning  = errors.New("another run holds the lock")
	ErrNoRun    = errors.New("there is no such run")
	ErrClash    = errors.New("the same lines were edited since")
	ErrPruned   = errors.New("the copies of the pages from before the run were dropped, so it cannot be undone")
	ErrUndone   = errors.New("the run was undone already")
	ErrCanceled = errors.New("the run was cancelled; nothing was lost")
)

// An unreadFact is a fact of which no run knows; it is an [ErrNoRun].
type unreadFact string

func (f unreadFact) Error() string { return fmt.Sprintf("no dream has read a fact %q", string(f)) }

func (unreadFact) Is(target error) bool { return target == ErrNoRun }

func noRun(run string) error {
	if run == "" {
		return fmt.Errorf("%w: none has finished yet", ErrNoRun)
	}
	return fmt.Errorf("%w: %s", ErrNoRun, run)
}

// Index is what a run needs of the index.
type Index interface {
	// Sync makes the rows of the files right.
	Sync(ctx context.Context, paths ...vault.Path) error
	// Finds tells for each probe whether its text, put as a question among rows of facts (pages false) or of pages (true),
	// brings the row that tells it among the first ten.
	Finds(ctx context.Context, pages bool, probes []Probe) ([]bool, error)
	// Search gives the texts of the best k rows of pages and logs, for a model that looks around.
	Search(ctx context.Context, query string, k int) ([]string, error)
}

// A Probe is a fact that must still be found.
type Probe struct {
	Fact string     // its id
	Text string     // of the fact
	Page vault.Path // where it went, and
	Line string     // the statement there, as it reads
}

// Watch is the part of the watcher that a run holds still.
type Watch interface {
	Pause()
	Resume()
}

// Progress is how far a run is.
type Progress struct {
	Run   string
	Phase string // collect, plan, model, apply, index, gate, navigate
	Done  int
	Total int
	Unit  string
}

// A Group is facts that were routed to one page, for a model.
type Group struct {
	Page    vault.Path
	Title   string
	Section string
	Facts   []vault.Fact
}

// A Proposer is a model that consolidates. What it proposes is verified as everything else is; facts that it leaves out fall
// to the rules.
type Proposer interface {
	Name() string
	// Propose asks for the ops of the groups. wiki is all that it can see; propose verifies and takes an op, or says in words
	// why not, and leaves in it the facts that it accounts for. The error is nil also where it stopped early: use says why.
	Propose(ctx context.Context, groups []Group, wiki Wiki, propose func(*Op) (refusal string)) (use ModelUse, err error)
	// Estimate is what Propose would cost at most.
	Estimate(groups []Group) Estimate
}

// A Wiki is what a Proposer may look at: the zones, and nothing else of the vault.
type Wiki interface {
	ListPages(ctx context.Context, zone string) ([]vault.Path, error)
	ReadPage(ctx context.Context, p vault.Path) ([]byte, error)
	Search(ctx context.Context, query string, k int) ([]string, error)
	Visible(text string) string // what of it was not forgotten
}

// An Estimate is what a run would ask of a model.
type Estimate struct {
	Facts  int    `json:"facts"`
	Model  string `json:"model"` // "" without one: nothing is spent
	Calls  int    `json:"calls"`
	Input  int    `json:"input_tokens"`
	Output int    `json:"output_tokens"`
	Budget int    `json:"budget_left"` // tokens left today
}
