package api

import (
	"cmp"
	"time"
)

// MaxText is how many characters a message has at most.
const MaxText = 1_000_000

// ImportMessage is one message of an export.
type ImportMessage struct {
	ID       string     `json:"id,omitempty" is:"id" maxLength:"100" pattern:"^[0-9A-Za-z-]*$"`
	ChatID   string     `json:"chat_id" is:"id" maxLength:"200" doc:"Empty only for what has an id, such as a text that was filed by hand."`
	Title    string     `json:"title,omitempty" maxLength:"500" doc:"Of the conversation."`
	TurnID   string     `json:"turn_id,omitempty" is:"id" maxLength:"200" doc:"The messages that are read together for facts; empty: none."`
	Place    int        `json:"place,omitempty" minimum:"0" doc:"Its place in the turn, from 0."`
	Role     string     `json:"role" enum:"user,assistant,tool,agent,import"`
	Speaker  string     `json:"speaker,omitempty" maxLength:"200"`
	Content  string     `json:"content" is:"text" maxLength:"1000000"`
	At       *time.Time `json:"at,omitempty" doc:"When it was said; decides the day it is filed under. Default: the day of the import."`
	Ref      string     `json:"ref,omitempty" is:"id" maxLength:"200" doc:"The export's own id."`
	Platform string     `json:"platform,omitempty" maxLength:"100"`
	Agent    string     `json:"agent,omitempty" is:"agent" maxLength:"64"`
	Wing     string     `json:"wing,omitempty" maxLength:"100"`
	Room     string     `json:"room,omitempty" maxLength:"100"`
	Hall     string     `json:"hall,omitempty" maxLength:"100"`
	Noise    bool       `json:"noise,omitempty" doc:"Nothing is taken from it."`

	SourceFile string     `json:"source_file,omitempty" maxLength:"1000" doc:"Where a text that was filed by hand was taken from."`
	AddedBy    string     `json:"added_by,omitempty" maxLength:"200" doc:"Who filed it by hand."`
	FiledAt    *time.Time `json:"filed_at,omitempty" doc:"When it was filed. Default: now."`

	Told    bool           `json:"told,omitempty" doc:"Its facts stand in the export, or it has none: none are taken out of it."`
	Triples []ImportTriple `json:"triples,omitempty" maxItems:"1000" doc:"What it asserts of the graph."`

	Events   []ImportEvent   `json:"events,omitempty" maxItems:"1000"`
	Findings []ImportFinding `json:"findings,omitempty" maxItems:"1000" doc:"What models found out about it."`
}

// Talk names the conversation in which messages follow one another. What is of none, such as a text that was filed by hand, stands alone.
func (m ImportMessage) Talk() string { return "m " + cmp.Or(m.ChatID, m.ID) }

// Docs implements [Documented].
func (ImportMessage) Docs() map[string]string {
	return map[string]string{
		"id":     "Of its drawer. Default: one that derives from conversation, turn and place, so that a message meets itself.",
		"role":   "Whose words they are. import: those of others than the person whose memory it is.",
		"events": "What became of its drawer, in order. Where something as new is known of it, that stands.",
	}
}

// ImportEvent is what became of a drawer: a line of palace.jsonl but for its drawer.
type ImportEvent struct {
	Kind       string    `json:"kind" enum:"move,note,reinforce,cluster,superseded,failed,archive,restore"`
	At         time.Time `json:"at"`
	Wing       *string   `json:"wing,omitempty" maxLength:"200" doc:"Left out: as it was; so are room and hall."`
	Room       *string   `json:"room,omitempty" maxLength:"200"`
	Hall       *string   `json:"hall,omitempty" maxLength:"200"`
	Reason     string    `json:"reason,omitempty" maxLength:"200"`
	Type       string    `json:"type,omitempty" maxLength:"20"`
	Importance *float64  `json:"importance,omitempty" minimum:"0" maximum:"5"`
	Tier       string    `json:"tier,omitempty" maxLength:"20"`
	State      string    `json:"state,omitempty" maxLength:"20"`
	Entities   *int      `json:"entities,omitempty" minimum:"0"`
	Triples    *int      `json:"triples,omitempty" minimum:"0"`
	Linked     bool      `json:"linked,omitempty"`
	By         float64   `json:"by,omitempty" minimum:"0" maximum:"5"`
	Into       string    `json:"into,omitempty" is:"id" maxLength:"200"`
	Evidence   string    `json:"evidence,omitempty" maxLength:"200"`
}

// ImportFinding is what was found out about a drawer or fact: a line of enrichment.jsonl but for its id.
type ImportFinding struct {
	Text       string              `json:"text" is:"id" minLength:"1" maxLength:"100" doc:"Hash of the text that it rests on."`
	By         string              `json:"by,omitempty" maxLength:"200"`
	At         time.Time           `json:"at"`
	Entities   []string            `json:"entities,omitempty" maxItems:"1000" maxLength:"1000"`
	Triples    []ImportFoundTriple `json:"triples,omitempty" maxItems:"1000"`
	Quote      string              `json:"quote,omitempty" is:"text" maxLength:"100000"`
	About      string              `json:"about,omitempty" maxLength:"10"`
	Type       string              `json:"type,omitempty" maxLength:"20"`
	Importance *float64            `json:"importance,omitempty" minimum:"0" maximum:"5"`
	Summary    string              `json:"summary,omitempty" is:"text" maxLength:"100000"`
	Ends       *bool               `json:"ends,omitempty"`
}

// ImportFoundTriple is a relation with the days between which it holds.
type ImportFoundTriple struct {
	ImportTriple
	From string `json:"from,omitempty" maxLength:"10"`
	To   string `json:"to,omitempty" maxLength:"10"`
}

// ImportAssertion is what somebody asserted of the graph.
type ImportAssertion struct {
	Kind       string    `json:"kind" enum:"assert,invalidate,replace,alias"`
	At         time.Time `json:"at"`
	Subject    string    `json:"subject,omitempty" maxLength:"200"`
	Predicate  string    `json:"predicate,omitempty" maxLength:"100"`
	Object     string    `json:"object,omitempty" maxLength:"200"`
	Was        string    `json:"was,omitempty" maxLength:"200"`
	ValidFrom  string    `json:"valid_from,omitempty" maxLength:"10"`
	ValidTo    string    `json:"valid_to,omitempty" maxLength:"10"`
	Confidence float64   `json:"confidence,omitempty" minimum:"0" maximum:"1"`
	Source     string    `json:"source,omitempty" is:"id" maxLength:"200" doc:"Id of what it rests on."`
	Also       bool      `json:"also,omitempty"`
	Only       bool      `json:"only,omitempty"`
	Speaker    string    `json:"speaker,omitempty" maxLength:"200"`
	Origin     string    `json:"origin,omitempty" enum:"user,assistant,tool,agent,import"`
	Agent      string    `json:"agent,omitempty" is:"agent" maxLength:"64"`
	Wing       string    `json:"wing,omitempty" maxLength:"200"`
}

// ImportTriple is a relation that stands in an export as one.
type ImportTriple struct {
	Subject   string `json:"subject" minLength:"1" maxLength:"200"`
	Predicate string `json:"predicate" minLength:"1" maxLength:"100"`
	Object    string `json:"object" minLength:"1" maxLength:"200"`
}

// ImportFact is a fact that stands in an export as one.
type ImportFact struct {
	ID       string    `json:"id,omitempty" is:"id" maxLength:"100" pattern:"^[0-9A-Za-z-]*$"`
	Drawer   string    `json:"drawer,omitempty" is:"id" maxLength:"100" pattern:"^[0-9A-Za-z-]*$" doc:"The message that it was taken out of."`
	Beside   string    `json:"beside,omitempty" is:"id" maxLength:"1000" pattern:"^[0-9A-Za-z -]*$"`
	ChatID   string    `json:"chat_id,omitempty" is:"id" maxLength:"200"`
	TurnID   string    `json:"turn_id,omitempty" is:"id" maxLength:"200"`
	Role     string    `json:"role,omitempty" enum:"user,assistant,tool,agent,import"`
	Speaker  string    `json:"speaker,omitempty" maxLength:"200"`
	Agent    string    `json:"agent,omitempty" is:"agent" maxLength:"64"`
	Ref      string    `json:"ref,omitempty" is:"id" maxLength:"200"`
	Wing     string    `json:"wing,omitempty" maxLength:"100"`
	Room     string    `json:"room,omitempty" maxLength:"100"`
	Hall     string    `json:"hall,omitempty" maxLength:"100"`
	At       time.Time `json:"at" doc:"When it was said; decides the log it is written into."`
	Category string    `json:"category,omitempty" maxLength:"50"`
	Content  string    `json:"content" is:"text" minLength:"1" maxLength:"100000"`
	Tags     []string  `json:"tags,omitempty" maxItems:"50" maxLength:"100"`
	Diary    string    `json:"diary,omitempty" is:"agent" maxLength:"64" doc:"The agent in whose diary it stands; empty: in a daily log."`

	Findings []ImportFinding `json:"findings,omitempty" maxItems:"1000" doc:"What was found out about it besides its words."`
}

// Talk names the fact, which stands alone.
func (f ImportFact) Talk() string { return "f " + cmp.Or(f.ID, f.Drawer+" "+f.Content) }

// Docs implements [Documented].
func (ImportFact) Docs() map[string]string {
	return map[string]string{
		"id":     "Default: one that derives from drawer, conversation and text.",
		"beside": "Messages before whose words it has as well, with blanks between them.",
	}
}

// Import is a part of an import. The first names no id, and gets one that the others send.
type Import struct {
	ID         string            `json:"id,omitempty" is:"id" maxLength:"100"`
	Path       string            `json:"path,omitempty" maxLength:"4096" doc:"What is imported, as its record names it; not read there."`
	Form       string            `json:"form,omitempty" maxLength:"200" doc:"Such as ChatGPT."`
	Wing       string            `json:"wing,omitempty" maxLength:"100" doc:"For what names none."`
	Room       string            `json:"room,omitempty" maxLength:"100"`
	Hall       string            `json:"hall,omitempty" maxLength:"100"`
	WithModel  bool              `json:"with_model,omitempty" doc:"The configured model takes the facts, instead of rules."`
	DryRun     bool              `json:"dry_run,omitempty" doc:"Only counts."`
	Messages   []ImportMessage   `json:"messages,omitempty" maxItems:"5000"`
	Facts      []ImportFact      `json:"facts,omitempty" maxItems:"5000"`
	Assertions []ImportAssertion `json:"assertions,omitempty" maxItems:"5000"`
	Done       int               `json:"done,omitempty" minimum:"0" doc:"How far the caller is, for the progress of the job."`
	Total      int               `json:"total,omitempty" minimum:"0"`
	End        bool              `json:"end,omitempty" doc:"The last part."`
}

// ImportResult says what became of a part.
type ImportResult struct {
	ID         string   `json:"id"`
	JobID      string   `json:"job_id,omitempty"`
	Listed     string   `json:"listed,omitempty" doc:"At the end: the import that is listed for it, which may be of before; or none."`
	Messages   int      `json:"messages" doc:"That are new."`
	Known      int      `json:"known" doc:"That are stored already."`
	Skipped    int      `json:"skipped" doc:"That were forgotten, hold nothing but recalled memory, or were said in a guarded program."`
	Facts      int      `json:"facts"`
	Triples    int      `json:"triples" doc:"That are new to the graph."`
	Events     int      `json:"events" doc:"Of drawers and of the graph, that are new."`
	Redactions int      `json:"redactions"`
	Problems   []string `json:"problems" nullable:"false" doc:"Messages that were left out: under their ids other texts are stored."`
	Degraded   []string `json:"degraded" nullable:"false"`
}

// Imported is a finished or unfinished import.
type Imported struct {
	ID       string     `json:"id"`
	At       time.Time  `json:"at"`
	Path     string     `json:"path,omitempty"`
	Form     string     `json:"form,omitempty"`
	Messages int        `json:"messages"`
	Facts    int        `json:"facts"`
	Events   int        `json:"events,omitempty" doc:"Of drawers and of the graph."`
	Done     *time.Time `json:"done,omitempty" doc:"Empty: it was cut off, or goes on."`
	Undoing  bool       `json:"undoing,omitempty" doc:"It is being taken back, or that was cut off: ask for it again."`
	Undone   *time.Time `json:"undone,omitempty" doc:"When it was taken back."`
}

// Imports lists them, the newest first.
type Imports struct {
	Imports []Imported `json:"imports" nullable:"false"`
}

// Unimported is what taking an import back took.
type Unimported struct {
	ID       string     `json:"id"`
	Messages int        `json:"messages" doc:"That were taken back, also before a restart that cut this off."`
	Kept     int        `json:"kept" doc:"Messages that it brought and that stay: another import, or a conversation, told them too."`
	Facts    int        `json:"facts"`
	Before   *time.Time `json:"before,omitempty" doc:"When it had been taken back already."`
	Pages    []string   `json:"pages" nullable:"false" doc:"Pages that dreams wrote of it, and that still tell it."`
}
