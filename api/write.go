package api

import "time"

// Message is one message of a turn.
type Message struct {
	Role    string     `json:"role" enum:"user,assistant,tool" doc:"Who wrote it."`
	Speaker string     `json:"speaker,omitempty" maxLength:"200" doc:"Name of the person or agent."`
	Content string     `json:"content" is:"text" maxLength:"1000000" doc:"The text, kept verbatim after redaction."`
	At      *time.Time `json:"at,omitempty" doc:"When it was written; decides the day it is filed under. Default: now."`
	Ref     string     `json:"ref,omitempty" is:"id" maxLength:"200" doc:"The caller's own id; comes back in every hit that derives from it."`
}

// Turn is a conversation turn to remember.
type Turn struct {
	ChatID   string    `json:"chat_id" is:"id" minLength:"1" maxLength:"200" doc:"The conversation."`
	Platform string    `json:"platform,omitempty" maxLength:"100" doc:"The program that speaks; guarded platforms leave no trace."`
	Agent    string    `json:"agent,omitempty" mcp:"-" is:"agent" maxLength:"64"`
	Wing     string    `json:"wing,omitempty" maxLength:"100"`
	Room     string    `json:"room,omitempty" maxLength:"100"`
	Hall     string    `json:"hall,omitempty" maxLength:"100"`
	Wait     string    `json:"wait,omitempty" enum:"stored,indexed" doc:"What to wait for. Default: stored."`
	Messages []Message `json:"messages" minItems:"1" maxItems:"1000"`
	Origin   string    `json:"origin,omitempty" mcp:"-" enum:"import,agent"`
	TurnID   string    `json:"turn_id,omitempty" is:"id" maxLength:"200" doc:"For idempotent retries."`
}

// Docs implements [Documented].
func (Turn) Docs() map[string]string {
	return map[string]string{
		"origin": "import: the words of others than the person whose memory it is, such as an imported chat. They are " +
			"found by search, and told to nobody who does not ask. agent: an assistant tells what was said. It is trusted " +
			"as what assistants note: what tells assistants what to do waits for a tick.",
	}
}

// Statuses of a turn.
const (
	Accepted  = "accepted"
	Duplicate = "duplicate"
	Skipped   = "skipped"
)

// TurnResult answers a turn.
type TurnResult struct {
	TurnID     string   `json:"turn_id"`
	Status     string   `json:"status" enum:"accepted,duplicate,skipped"`
	Reason     string   `json:"reason,omitempty"`
	Drawers    []string `json:"drawers" nullable:"false"`
	Facts      []Fact   `json:"facts,omitempty"`
	Redactions int      `json:"redactions"`
	Degraded   []string `json:"degraded" nullable:"false"`
}

// Fact is one fact of the daily logs.
type Fact struct {
	ID         string   `json:"id"`
	Content    string   `json:"content"`
	Category   string   `json:"category"`
	Tags       []string `json:"tags" nullable:"false"`
	SourceFile string   `json:"source_file,omitempty"`
	Line       int      `json:"line,omitempty"`
	Date       string   `json:"date,omitempty"`
}

// NewFact is a fact to write into a daily log as it is.
type NewFact struct {
	Content  string     `json:"content" is:"text" minLength:"1" maxLength:"10000"`
	Category string     `json:"category,omitempty" maxLength:"50" doc:"One word, such as career. Default: general."`
	Tags     []string   `json:"tags,omitempty" maxItems:"50" maxLength:"100" doc:"Words; blanks become hyphens."`
	At       *time.Time `json:"at,omitempty" doc:"When it was said. Default: now."`
	Ref      string     `json:"ref,omitempty" mcp:"-" is:"id" maxLength:"200"`

	Triples []FactTriple `json:"triples,omitempty" maxItems:"8" doc:"What it says of two names, for the knowledge graph."`
}

// FactTriple is what a fact says of two names.
type FactTriple struct {
	Subject   string `json:"subject" minLength:"1" maxLength:"64" doc:"As it stands in the content."`
	Predicate string `json:"predicate" minLength:"1" maxLength:"64" doc:"Such as works_at."`
	Object    string `json:"object" minLength:"1" maxLength:"64"`
	From      string `json:"from,omitempty" maxLength:"10" doc:"First day on which it holds, YYYY-MM-DD."`
	To        string `json:"to,omitempty" maxLength:"10" doc:"First day on which it no longer holds."`
}

// Facts is a list of facts to write.
type Facts struct {
	ChatID string    `json:"chat_id,omitempty" mcp:"-" is:"id" maxLength:"200"`
	Agent  string    `json:"agent,omitempty" mcp:"-" is:"agent" maxLength:"64" doc:"The assistant that notes them."`
	Wing   string    `json:"wing,omitempty" maxLength:"100" doc:"The project that they belong to."`
	Room   string    `json:"room,omitempty" maxLength:"100"`
	Hall   string    `json:"hall,omitempty" maxLength:"100"`
	Wait   string    `json:"wait,omitempty" mcp:"-" enum:"stored,indexed"`
	Facts  []NewFact `json:"facts" minItems:"1" maxItems:"1000"`
}

// Isolate names a project whose memory is to be seen from inside it alone.
type Isolate struct {
	Wing    string `json:"wing" mcp:"-" minLength:"1" maxLength:"100" doc:"The project, with the narrower names below it."`
	Release bool   `json:"release,omitempty" mcp:"-" doc:"Ends it: what the project remembers is general memory again."`
}

// Folder asks which project a folder belongs to.
type Folder struct {
	Folder string `json:"folder" minLength:"1" maxLength:"4096" doc:"An absolute path. It may be gone."`
	Allow  string `json:"allow,omitempty" maxLength:"100" doc:"The project that the folder asks for, and is of now. Only a person may say so."`
}

// Project is what a folder belongs to.
type Project struct {
	Wing     string `json:"wing" doc:"Empty for none."`
	From     string `json:"from,omitempty" enum:"remote,file,folder" doc:"What the name was taken from."`
	Isolated bool   `json:"isolated"`
	Own      bool   `json:"own,omitempty" doc:"In the data folder, where the daemon's own programs run: what is said there is not remembered."`
	Asks     string `json:"asks,omitempty" doc:"A project that was there before the folder, of which it asks to be, and is not."`
	Hint     string `json:"hint,omitempty"`
	Problem  string `json:"problem,omitempty" doc:"What is wrong with an override file."`
}

// Isolated lists the isolated projects.
type Isolated struct {
	Wings []string `json:"wings" nullable:"false"`
}

// FactRef says where a fact was written, and how.
type FactRef struct {
	ID         string `json:"id"`
	Content    string `json:"content" doc:"As it was kept: on one line, without secrets."`
	SourceFile string `json:"source_file"`
	Line       int    `json:"line"`
}

// RefusedFact is a fact of a request that was not written, though others were.
type RefusedFact struct {
	Index  int    `json:"index" doc:"Its place in the request, from 0."`
	Reason string `json:"reason"`
}

// FactsResult answers Facts, in their order but for those that were refused.
type FactsResult struct {
	Facts      []FactRef     `json:"facts" nullable:"false"`
	Refused    []RefusedFact `json:"refused,omitempty"`
	Redactions int           `json:"redactions"`
	Degraded   []string      `json:"degraded" nullable:"false"`
}

// Forget names what to forget, by exactly one of ids, query and chat_id.
type Forget struct {
	IDs    []string `json:"ids,omitempty" is:"id" maxItems:"1000" maxLength:"200"`
	Query  string   `json:"query,omitempty" is:"text" maxLength:"10000"`
	ChatID string   `json:"chat_id,omitempty" is:"id" maxLength:"200"`
	DryRun bool     `json:"dry_run,omitempty" doc:"Only list what it names."`
	Purge  bool     `json:"purge,omitempty" doc:"Also takes the bytes out of logs, drawers, pages and index."`
	Reason string   `json:"reason,omitempty" is:"text" maxLength:"500"`
	Agent  string   `json:"agent,omitempty" mcp:"-" is:"agent" maxLength:"64"`
	Wing   string   `json:"wing,omitempty" mcp:"-" maxLength:"200" doc:"The project that it asks from."`
}

// Docs implements [Documented].
func (Forget) Docs() map[string]string {
	return map[string]string{
		"agent": "An assistant that asks: it forgets what it may see. Without one, whatever there is.",
	}
}

// Forgotten is one thing that was forgotten.
type Forgotten struct {
	ID         string `json:"id"`
	SourceFile string `json:"source_file"`
	Text       string `json:"text,omitempty"`
	Named      string `json:"named,omitempty" doc:"The id of the request that stands for it, if another: a triple for what it rests on."`
}

// ForgetResult answers Forget.
type ForgetResult struct {
	Forgotten []Forgotten `json:"forgotten" nullable:"false"`
	Verified  bool        `json:"verified"`
	Remaining []Forgotten `json:"remaining" nullable:"false"`
	Unknown   []string    `json:"unknown,omitempty" doc:"Ids that the workspace does not have."`
}

// Docs implements [Documented].
func (ForgetResult) Docs() map[string]string {
	return map[string]string{
		"verified": "A search for the texts finds none of them any more; after a purge, no file of the vault and the " +
			"data folder holds their bytes.",
	}
}

// Unforget names what is taken back, by exactly one of ids, chat_id and lost.
type Unforget struct {
	IDs    []string `json:"ids,omitempty" is:"id" maxItems:"1000" doc:"Of facts, drawers or forgettings."`
	ChatID string   `json:"chat_id,omitempty" is:"id" maxLength:"200"`
	Lost   bool     `json:"lost,omitempty" doc:"Gives up the tombstones that are lost: what they hid is shown again."`
	Purged bool     `json:"purged,omitempty" doc:"The ids are those of purged forgettings: nothing comes back, but it may be remembered anew."`
}

// UnforgetResult answers Unforget.
type UnforgetResult struct {
	Lifted   int         `json:"lifted" doc:"Tombstones that were taken back."`
	Restored []Forgotten `json:"restored" nullable:"false" doc:"What is shown again. What was purged is gone."`
}

// A Forgetting is what one request forgot. Tombstones keep no text.
type Forgetting struct {
	ID     string    `json:"id"`
	At     time.Time `json:"at"`
	Reason string    `json:"reason,omitempty"`
	Scope  string    `json:"scope" doc:"What it named: ids, query or chat."`
	Count  int       `json:"count" doc:"Tombstones in force."`
	Purged bool      `json:"purged,omitempty" doc:"Its bytes are gone: there is nothing to take back."`
}

// Forgettings lists them, the newest first.
type Forgettings struct {
	Forgettings []Forgetting `json:"forgettings" nullable:"false"`
	Lost        int          `json:"lost" doc:"Tombstones that nobody can recognise any more; while there are any, nothing is shown."`
}
