package api

// SetCore is a text for the managed block of a core page, which every context begins with.
type SetCore struct {
	Which   string `json:"which" enum:"persona,user" doc:"persona: who the assistant is; user: whom it works for."`
	Content string `json:"content" is:"text" maxLength:"2000" doc:"Replaces the block; empty takes it away. Facts, not instructions."`
	Edited  bool   `json:"edited,omitempty" mcp:"-" doc:"Replaces the block even where a person edited it."`
}

// CoreSet answers SetCore.
type CoreSet struct {
	SourceFile string   `json:"source_file"`
	Changed    bool     `json:"changed"`
	Was        string   `json:"was" doc:"What stood in the block: setting that takes the change back."`
	Redactions int      `json:"redactions"`
	Warnings   []string `json:"warnings" nullable:"false"`
}
