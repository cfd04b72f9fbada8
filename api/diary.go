package api

// DiaryWrite is an entry for the diary of an agent, which it alone sees.
type DiaryWrite struct {
	Agent   string `json:"agent" mcp:"-" minLength:"1" is:"agent" maxLength:"64" doc:"Whose diary it is. Case, blanks and signs do not count."`
	Wing    string `json:"wing,omitempty" mcp:"-" maxLength:"100" doc:"The project that it was written in."`
	Entry   string `json:"entry" is:"text" minLength:"1" maxLength:"10000" doc:"Line breaks become blanks."`
	Topic   string `json:"topic,omitempty" maxLength:"50"`
	EntryID string `json:"entry_id,omitempty" mcp:"-" is:"id" maxLength:"200" doc:"For retries: an entry of that id is written once."`
}

// DiaryRead asks an agent's diary for its newest entries.
type DiaryRead struct {
	Agent string `query:"agent" json:"agent" mcp:"-" required:"true" minLength:"1" is:"agent" maxLength:"64" doc:"Whose diary it is."`
	Wing  string `query:"wing" json:"wing,omitempty" mcp:"-" maxLength:"100" doc:"The project that asks."`
	LastN int    `query:"last_n" json:"last_n,omitempty" default:"10" minimum:"1" maximum:"100" doc:"How many."`
}

// DiaryEntry is one of them.
type DiaryEntry struct {
	ID         string `json:"id"`
	Date       string `json:"date" doc:"RFC 3339."`
	Topic      string `json:"topic,omitempty"`
	Entry      string `json:"entry"`
	Wing       string `json:"wing,omitempty"`
	SourceFile string `json:"source_file"`
	Line       int    `json:"line"`
}

// DiaryWritten answers DiaryWrite.
type DiaryWritten struct {
	DiaryEntry
	Redactions int      `json:"redactions"`
	Degraded   []string `json:"degraded" nullable:"false"`
}

// Diary answers DiaryRead, the newest entry first.
type Diary struct {
	Agent   string       `json:"agent"`
	Entries []DiaryEntry `json:"entries" nullable:"false"`
}
