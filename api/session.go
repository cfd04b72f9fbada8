package api

// SessionContext asks, before an assistant's context is shortened, what of the memory to keep and what may go.
type SessionContext struct {
	Agent       string   `json:"agent,omitempty" mcp:"-" is:"agent" maxLength:"64"`
	Wing        string   `json:"wing,omitempty" maxLength:"200" doc:"The project that asks. Rows of other wings are left out."`
	ContextUsed *float64 `json:"context_used,omitempty" minimum:"0" maximum:"1"`
	TextOnly    bool     `json:"text_only,omitempty" doc:"Leaves out what may be put away."`
	DryRun      bool     `json:"dry_run,omitempty" mcp:"-" doc:"Leaves no trace in the recall log."`
}

// Docs implements [Documented].
func (SessionContext) Docs() map[string]string {
	return map[string]string{
		"context_used": "The share of the context that is used. Below compaction.trigger of the settings there is nothing to " +
			"do yet. Left out: it is shortened now.",
	}
}

// SessionContextResult answers SessionContext. Text is fenced as data.
type SessionContextResult struct {
	Due        bool                  `json:"due" doc:"context_used has reached trigger. Else all else is empty."`
	Trigger    float64               `json:"trigger"`
	Text       string                `json:"text" doc:"What to keep: the pinned memories, a line each."`
	Pinned     []PinnedMemory        `json:"pinned" nullable:"false" doc:"What is read all the time, and what is new: 5, in 2,000 tokens."`
	Superseded []SupersededDrawer    `json:"superseded" nullable:"false" doc:"Drawers that newer ones tell; at most 20."`
	Candidates []CompactionCandidate `json:"candidates" nullable:"false" doc:"Drawers that compact would put away; at most 200."`

	WouldArchive         int      `json:"would_archive" doc:"How many that are in all, of 5,000 that others may tell."`
	WouldCreateSummaries int      `json:"would_create_summaries"`
	Receipt              string   `json:"receipt,omitempty"`
	Degraded             []string `json:"degraded" nullable:"false"`
}

// PinnedMemory is a memory to keep at hand.
type PinnedMemory struct {
	ID       string  `json:"id"`
	Text     string  `json:"text"`
	LTPBoost float64 `json:"ltp_boost" doc:"1 for what was not read lately, to 2."`
	Score    float64 `json:"pin_score"`
}

// SupersededDrawer is a drawer that another tells.
type SupersededDrawer struct {
	DrawerID     string `json:"drawer_id"`
	SupersededBy string `json:"superseded_by"`
}
