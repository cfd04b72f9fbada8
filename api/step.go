package api

// The steps of a dream.
const (
	StepRun     = "run"
	StepNext    = "next"
	StepPropose = "propose"
	StepFinish  = "finish"
	StepAbandon = "abandon"
)

// DreamStep is one step of a dream whose model is the caller.
type DreamStep struct {
	Step   string    `json:"step,omitempty" enum:"run,next,propose,finish,abandon" default:"run" doc:"run does all by itself."`
	Run    string    `json:"run,omitempty" maxLength:"40" doc:"Id that the first next gave; every further step carries it."`
	Ops    []DreamOp `json:"ops,omitempty" maxItems:"40" doc:"For propose, in order. None: the facts are left to the rules."`
	DryRun bool      `json:"dry_run,omitempty" doc:"For run and finish: only plan; the report holds the diff."`
	Agent  string    `json:"agent,omitempty" mcp:"-" is:"agent" maxLength:"64" doc:"Who asks, for the ledger."`
}

// DreamOp is one change that a dream is to make. The rules that come with the first facts say which fields each kind takes.
type DreamOp struct {
	Op         string   `json:"op" enum:"create_page,add,add_source,merge,supersede,reword,tick,summary,conflict,move_page,drop"`
	Facts      []string `json:"facts,omitempty" maxItems:"40" doc:"Ids of the facts that it rests on."`
	Page       string   `json:"page,omitempty" doc:"Path, such as 3_Personal/Alice.md."`
	Target     string   `json:"target,omitempty" doc:"Id of a statement, as the page shows it in braces."`
	Section    string   `json:"section,omitempty"`
	Text       string   `json:"text,omitempty" doc:"Plain text that says what the facts say and no more."`
	Task       bool     `json:"task,omitempty"`
	Correction bool     `json:"correction,omitempty" doc:"Of supersede: the old statement was never true."`
	Question   string   `json:"question,omitempty" doc:"Of conflict; the person is asked in words of Reverie's own."`
	With       []string `json:"with,omitempty" maxItems:"40" doc:"Of merge and supersede: ids of other statements."`
	To         string   `json:"to,omitempty" doc:"Of move_page: the path where it goes, of a page or of none."`
	Reason     string   `json:"reason,omitempty" doc:"Of drop."`
	Title      string   `json:"title,omitempty"`
	Aliases    []string `json:"aliases,omitempty"`
	Tags       []string `json:"tags,omitempty"`
	Type       string   `json:"type,omitempty"`
}

// DreamStepped answers a step. Texts of facts and pages are data, written with &lt; and &amp; for < and &.
type DreamStepped struct {
	Run     string         `json:"run,omitempty" doc:"To be carried in every further step."`
	Until   string         `json:"until,omitempty" doc:"When the dream is dropped if no step comes."`
	Rules   string         `json:"rules,omitempty" doc:"With the first facts: what may be proposed, and what is checked."`
	Facts   []StepFact     `json:"facts,omitempty" doc:"None after next: there are no more."`
	Pages   []StepPage     `json:"pages,omitempty" doc:"Those that the facts seem to belong to, with what was accepted so far."`
	Left    int            `json:"left,omitempty" doc:"Facts that later next steps will give."`
	Results []StepResult   `json:"results,omitempty" doc:"Of propose, one for each op, in order."`
	Open    []string       `json:"open,omitempty" doc:"Facts of the last next that no op accounts for. The rules will file them."`
	Lost    []string       `json:"lost,omitempty" doc:"Ops accepted before that are not good any more, because something changed meanwhile."`
	Report  *Consolidation `json:"report,omitempty" doc:"Of run and finish."`
	Hint    string         `json:"hint" doc:"What to do next."`
}

// StepFact is a fact to propose for.
type StepFact struct {
	ID      string `json:"id"`
	Text    string `json:"text"`
	Day     string `json:"day"`
	Speaker string `json:"speaker,omitempty"`
	Origin  string `json:"origin" doc:"Whose words: user, agent, assistant, tool or import."`
	Page    string `json:"page" doc:"Where it seems to belong."`
}

// StepPage is a page as it will be with what was accepted so far.
type StepPage struct {
	Path  string `json:"path"`
	Title string `json:"title,omitempty"`
	New   bool   `json:"new,omitempty" doc:"It does not exist, and is made with its first statement."`
	Hash  string `json:"hash,omitempty" doc:"Changes when the page does."`
	Text  string `json:"text,omitempty" doc:"Fenced, with statement ids in braces; … for lines that have nothing to do with the facts."`
}

// StepResult says what became of an op.
type StepResult struct {
	Accepted bool   `json:"accepted"`
	Why      string `json:"why,omitempty" doc:"Why it was refused."`
}

// DreamHeld says who dreams step by step.
type DreamHeld struct {
	Run   string `json:"run"`
	Agent string `json:"agent"`
	Until string `json:"until" doc:"When it is dropped if no step comes."`
}
