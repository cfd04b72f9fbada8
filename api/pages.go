package api

// PageList asks for a part of the list of pages.
type PageList struct {
	Wing   string `query:"wing" json:"wing,omitempty" maxLength:"200" mcp:"-" doc:"The project that asks. An isolated one sees no pages."`
	Limit  int    `query:"limit" json:"limit,omitempty" default:"50" minimum:"1" maximum:"1000"`
	Offset int    `query:"offset" json:"offset,omitempty" default:"0" minimum:"0"`
}

// PageRef names a page of the vault.
type PageRef struct {
	Path     string `json:"path"`
	Title    string `json:"title"`
	Bytes    int64  `json:"bytes"`
	Modified string `json:"modified" doc:"RFC 3339."`
}

// Pages lists pages by their paths.
type Pages struct {
	Pages []PageRef `json:"pages" nullable:"false"`
	Total int       `json:"total"`
}

// PageQuery names a page or a core block by its path.
type PageQuery struct {
	Wing string `query:"wing" json:"wing,omitempty" maxLength:"200" mcp:"-"`
	Path string `query:"path" json:"path" required:"true" minLength:"1" maxLength:"1000" doc:"In the vault, such as 2_Wiki/Concepts/Tea.md."`
	AsOf string `query:"as_of" json:"as_of,omitempty" maxLength:"40"`

	AsOfBy string `query:"as_of_by" json:"as_of_by,omitempty" mcp:"-" enum:"said,filed"`
}

// Docs implements [Documented].
func (PageQuery) Docs() map[string]string {
	return map[string]string{
		"wing":     "The project that asks. An isolated one sees persona.md and user.md.",
		"as_of":    "A day or an RFC 3339 time: as the page stood then, or when the day ended. Default: now.",
		"as_of_by": "filed: lines that people wrote count from when Reverie first saw them, however old the file is. Default: said.",
	}
}

// PageText is a page as assistants may read it: without frontmatter, comments, and what was forgotten.
type PageText struct {
	Path    string `json:"path"`
	Title   string `json:"title"`
	Text    string `json:"text"`
	Clipped bool   `json:"clipped,omitempty" doc:"The page is longer than 200,000 characters."`

	Warnings []string `json:"warnings,omitempty" doc:"With as_of: what cannot be told any more."`
}

// DayRef says what there is of a day.
type DayRef struct {
	Day           string `json:"day"`
	Facts         bool   `json:"facts" doc:"There is a log."`
	Conversations bool   `json:"conversations" doc:"There are drawers."`
}

// Days lists days, the newest first.
type Days struct {
	Days  []DayRef `json:"days" nullable:"false"`
	Total int      `json:"total"`
}

// DayQuery names a day, and a part of its facts.
type DayQuery struct {
	Wing   string `query:"wing" json:"wing,omitempty" maxLength:"200" mcp:"-" doc:"The project that asks, and sees what search shows it."`
	Day    string `path:"day" json:"day" pattern:"^\\d{4}-\\d{2}-\\d{2}$" doc:"YYYY-MM-DD, of UTC."`
	Limit  int    `query:"limit" json:"limit,omitempty" default:"1000" minimum:"1" maximum:"10000"`
	Offset int    `query:"offset" json:"offset,omitempty" default:"0" minimum:"0"`
}

// DayFacts are the facts of a day in the order of its log, be they on pages already or not, without what was forgotten.
type DayFacts struct {
	Day   string `json:"day"`
	Facts []Row  `json:"facts" nullable:"false"`
	Total int    `json:"total"`
}

// FactQuery asks for a part of the list of facts.
type FactQuery struct {
	Project  string `query:"project" json:"project,omitempty" maxLength:"200" mcp:"-" doc:"The project that asks: it sees what search shows."`
	Wing     string `query:"wing" json:"wing,omitempty" maxLength:"200" doc:"Only facts of this wing."`
	Room     string `query:"room" json:"room,omitempty" maxLength:"200" doc:"Only facts of this room."`
	Hall     string `query:"hall" json:"hall,omitempty" maxLength:"200" doc:"Only facts of this hall."`
	Category string `query:"category" json:"category,omitempty" maxLength:"200" doc:"Only facts of this category."`
	Limit    int    `query:"limit" json:"limit,omitempty" default:"50" minimum:"1" maximum:"1000"`
	After    string `query:"after" json:"after,omitempty" maxLength:"200" doc:"What next said of the page before."`
}

// Asks says whether a fact of that place and category is asked for.
func (q FactQuery) Asks(wing, room, hall, category string) bool {
	is := func(want, got string) bool { return want == "" || want == got }
	return is(q.Wing, wing) && is(q.Room, room) && is(q.Hall, hall) && is(q.Category, category)
}

// FactPage lists facts, those of the newest day first and each day from the end of its log, be they on pages already or not, without what
// was forgotten.
type FactPage struct {
	Facts []Row  `json:"facts" nullable:"false" doc:"Fewer than limit, or none, where much was read that was not asked for."`
	Next  string `json:"next" doc:"Where the next page begins; empty at the end. What is written meanwhile neither skips nor repeats another."`
}
