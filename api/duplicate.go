package api

// CheckDuplicate asks whether a text is in a drawer already.
type CheckDuplicate struct {
	Project   string  `json:"project,omitempty" maxLength:"200" mcp:"-" doc:"The project that asks."`
	Agent     string  `json:"agent,omitempty" is:"agent" maxLength:"64" mcp:"-" doc:"Who asks."`
	Content   string  `json:"content" is:"text" minLength:"1" maxLength:"10000"`
	Threshold float64 `json:"threshold,omitempty" default:"0.9" minimum:"0.1" maximum:"1"`
}

// Docs implements [Documented].
func (CheckDuplicate) Docs() map[string]string {
	return map[string]string{
		"threshold": "How like it a drawer must be: 1 is the same words, 0.9 the same but for spelling, 0.85 nearly the " +
			"same, 0.7 of the same matter.",
	}
}

// Duplicates are the drawers that a text is like, the most like first, five at most.
type Duplicates struct {
	HasDuplicate bool              `json:"has_duplicate" doc:"Whether a match says the same, with the same values, order and denials."`
	Matches      []DuplicateDrawer `json:"matches" nullable:"false"`
	Degraded     []string          `json:"degraded" nullable:"false" doc:"Why the answer may be wrong."`
}

// DuplicateDrawer is a drawer that a text is like.
type DuplicateDrawer struct {
	ID         string  `json:"id" doc:"Of the drawer."`
	Wing       string  `json:"wing"`
	Room       string  `json:"room"`
	Hall       string  `json:"hall,omitempty"`
	Content    string  `json:"content" doc:"The drawer's text, or the part of a long one that is most like."`
	Similarity float64 `json:"similarity"`
	FiledAt    string  `json:"filed_at,omitempty" doc:"RFC 3339."`
}
