package api

// DrawerQuery asks for drawers, page by page.
type DrawerQuery struct {
	Asker
	Wing   string `query:"wing" json:"wing,omitempty" maxLength:"200"`
	Room   string `query:"room" json:"room,omitempty" maxLength:"200"`
	Hall   string `query:"hall" json:"hall,omitempty" maxLength:"200"`
	Agent  string `query:"agent" json:"agent,omitempty" is:"agent" maxLength:"64" doc:"Filed by this agent."`
	ChatID string `query:"chat_id" json:"chat_id,omitempty" is:"id" maxLength:"200"`
	Type   string `query:"type" json:"type,omitempty" enum:"decision,preference,milestone,problem,emotional,fact,task"`
	State  string `query:"state" json:"state,omitempty" enum:"raw,processed,merged,failed"`
	Tier   string `query:"tier" json:"tier,omitempty" enum:"heuristic,centroid,llm"`

	Importance float64 `query:"importance" json:"importance,omitempty" minimum:"0" maximum:"5" doc:"Only those that matter so much now."`

	SourceFile string `query:"source_file" json:"source_file,omitempty" maxLength:"1000" doc:"Filed by hand, as taken from there."`
	AddedBy    string `query:"added_by" json:"added_by,omitempty" maxLength:"200" doc:"Filed by hand, by whoever that names."`

	Archived bool   `query:"archived" json:"archived,omitempty" doc:"Those that are put away, instead of the others."`
	Since    string `query:"since" json:"since,omitempty" maxLength:"40" doc:"Filed on that day, YYYY-MM-DD, at that RFC 3339 time, or since."`
	Limit    int    `query:"limit" json:"limit,omitempty" default:"50" minimum:"1" maximum:"200"`
	Cursor   string `query:"cursor" json:"cursor,omitempty" maxLength:"50" doc:"next of the page before."`
}

// DrawerRef is what a list tells of a drawer.
type DrawerRef struct {
	ID         string  `json:"id"`
	Wing       string  `json:"wing"`
	Room       string  `json:"room"`
	Hall       string  `json:"hall"`
	WingBy     string  `json:"wing_by,omitempty" doc:"rule where nobody named wing and room."`
	MemoryType string  `json:"memory_type" enum:"decision,preference,milestone,problem,emotional,fact,task"`
	Importance float64 `json:"importance" doc:"0 to 5, with what has faded of it."`
	State      string  `json:"state" enum:"raw,processed,merged,failed"`
	Tier       string  `json:"tier,omitempty" doc:"Who decided on the type: heuristic, centroid or llm; empty where its words are not sure."`
	Agent      string  `json:"agent,omitempty"`
	ChatID     string  `json:"chat_id,omitempty"`
	Speaker    string  `json:"speaker,omitempty"`
	Origin     string  `json:"origin,omitempty"`
	Date       string  `json:"date" doc:"When it was said, RFC 3339."`
	FiledAt    string  `json:"filed_at" doc:"When it was filed, RFC 3339."`
	Archived   bool    `json:"archived,omitempty"`
	Reason     string  `json:"reason,omitempty" doc:"Why it is put away."`
	Text       string  `json:"text" doc:"In a list its first 300 characters."`
}

// DrawerPage is a page of drawers, those that were said last first.
type DrawerPage struct {
	Drawers []DrawerRef `json:"drawers" nullable:"false" doc:"A page may have fewer than asked for, or none, and others follow it."`
	Next    string      `json:"next,omitempty" doc:"The cursor of the next page; empty when there is none."`
}

// DrawerID names a drawer, and who asks.
type DrawerID struct {
	Asker
	ID string `path:"id" json:"id" maxLength:"100"`
}

// Drawer is all that is known of a drawer.
type Drawer struct {
	DrawerRef
	Turn         string   `json:"turn_id,omitempty"`
	Ref          string   `json:"ref,omitempty" doc:"The caller's own id of the message."`
	Platform     string   `json:"platform,omitempty"`
	SourceFile   string   `json:"source_file,omitempty" doc:"Where it was taken from, as who filed it says."`
	AddedBy      string   `json:"added_by,omitempty"`
	File         string   `json:"file" doc:"Where it stands in the vault."`
	Line         int      `json:"line"`
	Chunks       int      `json:"chunks" doc:"Rows of the index: ID, ID.2, …"`
	Summary      string   `json:"summary,omitempty"`
	Entities     []string `json:"entities,omitempty"`
	EntityCount  int      `json:"entity_count"`
	TripleCount  int      `json:"triple_count"`
	RetryCount   int      `json:"retry_count" doc:"How often a worker could not make anything of it."`
	ClusterID    string   `json:"cluster_id,omitempty" doc:"The drawer that it was merged into."`
	SupersededBy string   `json:"superseded_by,omitempty"`
	Evidence     string   `json:"evidence,omitempty" doc:"Who found that it is superseded."`
	ArchivedAt   string   `json:"archived_at,omitempty"`

	ConsolidatedInto string `json:"consolidated_into,omitempty" doc:"The drawer that sums it up in its place."`
	AccessCount      int    `json:"access_count" doc:"How often it was recalled."`
	LastAccess       string `json:"last_access,omitempty" doc:"RFC 3339."`
}

// NewDrawer is a text to file word for word.
type NewDrawer struct {
	Agent      string `json:"agent,omitempty" mcp:"-" is:"agent" maxLength:"64"`
	Project    string `json:"project,omitempty" maxLength:"200" mcp:"-" doc:"The project that asks."`
	Wing       string `json:"wing" minLength:"1" maxLength:"100"`
	Room       string `json:"room" minLength:"1" maxLength:"100"`
	Hall       string `json:"hall,omitempty" maxLength:"100"`
	Content    string `json:"content" is:"text" minLength:"1" maxLength:"10000" doc:"Word for word."`
	SourceFile string `json:"source_file,omitempty" maxLength:"500" doc:"Where the text is from. The same text of one source is filed once."`
	AddedBy    string `json:"added_by,omitempty" maxLength:"100" doc:"Who files it."`
}

// DrawerAdded answers NewDrawer.
type DrawerAdded struct {
	DrawerID   string   `json:"drawer_id"`
	MemoryType string   `json:"memory_type"`
	Importance float64  `json:"importance"`
	Duplicate  bool     `json:"duplicate,omitempty" doc:"The same text of the same source was filed before."`
	Reinforced []string `json:"reinforced" nullable:"false" doc:"Drawers that say nearly the same, which matter more now."`
	Redactions int      `json:"redactions"`
	Degraded   []string `json:"degraded" nullable:"false"`
}

// DeleteDrawer names a drawer to forget.
type DeleteDrawer struct {
	Agent    string `json:"agent,omitempty" mcp:"-" is:"agent" maxLength:"64"`
	Wing     string `json:"wing,omitempty" mcp:"-" maxLength:"200" doc:"The project that asks."`
	DrawerID string `json:"drawer_id" is:"id" minLength:"1" maxLength:"100"`
}

// DrawerDeleted answers DeleteDrawer.
type DrawerDeleted struct {
	Deleted   bool   `json:"deleted" doc:"Nothing of it is found any more."`
	Forgotten int    `json:"forgotten" doc:"The drawer, the facts taken from it, and what tells the same."`
	Note      string `json:"note"`
}

// MoveDrawers hangs drawers elsewhere.
type MoveDrawers struct {
	Project string   `json:"project,omitempty" maxLength:"200" mcp:"-" doc:"The project that asks."`
	IDs     []string `json:"ids,omitempty" is:"id" maxItems:"1000" maxLength:"100"`
	ChatID  string   `json:"chat_id,omitempty" is:"id" maxLength:"200" doc:"All drawers of a conversation that are filed by now."`
	Wing    *string  `json:"wing,omitempty" maxLength:"100" doc:"Empty: in none. Left out: as it is; so are room and hall."`
	Room    *string  `json:"room,omitempty" maxLength:"100"`
	Hall    *string  `json:"hall,omitempty" maxLength:"100"`
}

// ArchiveDrawers puts drawers away.
type ArchiveDrawers struct {
	Project string   `json:"project,omitempty" maxLength:"200" mcp:"-" doc:"The project that asks."`
	IDs     []string `json:"ids" is:"id" minItems:"1" maxItems:"1000" maxLength:"100"`
	Reason  string   `json:"reason,omitempty" maxLength:"200" doc:"Default: asked for."`
}

// RestoreDrawers brings drawers back that were put away.
type RestoreDrawers struct {
	Project string   `json:"project,omitempty" maxLength:"200" mcp:"-" doc:"The project that asks."`
	IDs     []string `json:"ids" is:"id" minItems:"1" maxItems:"1000" maxLength:"100"`
}

// PartDrawers parts drawers from those that they were found to repeat, or to be ended by.
type PartDrawers struct {
	Project string   `json:"project,omitempty" maxLength:"200" mcp:"-" doc:"The project that asks."`
	IDs     []string `json:"ids" is:"id" minItems:"1" maxItems:"1000" maxLength:"100"`
}

// DrawersChanged tells of how many drawers something changed.
type DrawersChanged struct {
	Drawers int `json:"drawers"`
}
