package api

// Asker is who asks for a map of the palace.
type Asker struct {
	Project string `query:"project" json:"project,omitempty" maxLength:"200" mcp:"-" doc:"The project that asks; isolated, it sees its own."`
}

// WingCount is how many drawers lie in a wing.
type WingCount struct {
	Wing  string `json:"wing" doc:"Empty: in none."`
	Count int    `json:"count"`
}

// RoomCount is how many drawers lie in a room.
type RoomCount struct {
	Room  string `json:"room" doc:"Empty: in none."`
	Count int    `json:"count"`
}

// HallCount is how many drawers lie in a hall.
type HallCount struct {
	Hall  string `json:"hall" doc:"Empty: in none."`
	Count int    `json:"count"`
}

// PalaceStatus counts drawers, the wings, rooms and halls with most of them first. States, tiers and sizes are those of the whole palace.
type PalaceStatus struct {
	TotalDrawers int            `json:"total_drawers"`
	Wings        []WingCount    `json:"wings" nullable:"false"`
	Rooms        []RoomCount    `json:"rooms" nullable:"false"`
	Halls        []HallCount    `json:"halls" nullable:"false"`
	States       map[string]int `json:"states" doc:"Drawers by state: raw, processed, merged or failed."`
	Tiers        map[string]int `json:"tiers" doc:"Drawers that are not raw by who decided on their type: heuristic, centroid or llm."`
	Archived     int            `json:"archived" doc:"Drawers that were put away."`
	Sizes        []PalaceSize   `json:"sizes" nullable:"false" doc:"How much there is, beside how much is usual. Nothing stops there."`
}

// Wings lists wings, those with most drawers first.
type Wings struct {
	Wings []WingCount `json:"wings" nullable:"false"`
}

// RoomQuery asks for rooms.
type RoomQuery struct {
	Asker
	Wing string `query:"wing" json:"wing,omitempty" maxLength:"200" doc:"Only the rooms of this wing."`
}

// Rooms lists rooms, those with most drawers first.
type Rooms struct {
	Rooms []RoomCount `json:"rooms" nullable:"false"`
}

// Taxonomy counts the drawers of each room of each wing.
type Taxonomy struct {
	Taxonomy map[string]map[string]int `json:"taxonomy" doc:"Wing, room, count. Empty names: in none."`
}

// Traverse asks where a walk from a room leads.
type Traverse struct {
	Asker
	StartRoom string `query:"start_room" json:"start_room" required:"true" minLength:"1" maxLength:"200"`
	MaxHops   int    `query:"max_hops" json:"max_hops,omitempty" default:"3" minimum:"1" maximum:"5"`
}

// Docs implements [Documented].
func (Traverse) Docs() map[string]string {
	return map[string]string{
		"max_hops": "From room to room by way of a wing that has both.",
	}
}

// Room is a room of the map, of whatever wings it is in.
type Room struct {
	Room  string   `json:"room"`
	Wings []string `json:"wings" nullable:"false"`
	Count int      `json:"count" doc:"Drawers."`
}

// Step is a room that a walk comes to.
type Step struct {
	Room
	Halls        []string `json:"halls" nullable:"false"`
	Hop          int      `json:"hop"`
	ConnectedVia []string `json:"connected_via" nullable:"false" doc:"Wings that it shares with a room of the hop before."`
}

// Walk lists at most 50 rooms by hop, those with most drawers first.
type Walk struct {
	Rooms []Step `json:"rooms" nullable:"false"`
}

// TunnelQuery asks for rooms that several wings share.
type TunnelQuery struct {
	Asker
	WingA string `query:"wing_a" json:"wing_a,omitempty" maxLength:"200" doc:"Only rooms of this wing."`
	WingB string `query:"wing_b" json:"wing_b,omitempty" maxLength:"200" doc:"Only rooms of this wing, too."`
}

// Tunnels lists at most 50 rooms, those with most drawers first.
type Tunnels struct {
	Tunnels []Room `json:"tunnels" nullable:"false"`
}

// RoomGraph sums up which rooms join which wings.
type RoomGraph struct {
	TotalRooms   int            `json:"total_rooms"`
	TunnelRooms  int            `json:"tunnel_rooms" doc:"Rooms of several wings."`
	TotalEdges   int            `json:"total_edges" doc:"Pairs of wings, for each room that they share."`
	RoomsPerWing map[string]int `json:"rooms_per_wing"`
	TopTunnels   []Room         `json:"top_tunnels" nullable:"false" doc:"At most ten, those of most wings first."`
}

// PalaceSearch is a question to the drawers.
type PalaceSearch struct {
	Project string `json:"project,omitempty" maxLength:"200" mcp:"-" doc:"The project that asks."`
	Agent   string `json:"agent,omitempty" is:"agent" maxLength:"64" mcp:"-" doc:"Who asks."`
	Query   string `json:"query" is:"text" minLength:"1" maxLength:"10000"`
	Limit   int    `json:"limit,omitempty" default:"5" minimum:"1" maximum:"50"`
	Wing    string `json:"wing,omitempty" maxLength:"200"`
	Room    string `json:"room,omitempty" maxLength:"200"`
	Hall    string `json:"hall,omitempty" maxLength:"200"`
	Explain bool   `json:"explain,omitempty" doc:"Says what each score is made of."`
}

// PalaceHit is a drawer, or the part of a long one, that answers.
type PalaceHit struct {
	ID             string             `json:"id" doc:"Of the drawer."`
	Wing           string             `json:"wing"`
	Room           string             `json:"room"`
	Hall           string             `json:"hall,omitempty"`
	Content        string             `json:"content"`
	MemoryType     string             `json:"memory_type"`
	Importance     float64            `json:"importance" doc:"0 to 5."`
	Similarity     float64            `json:"similarity" doc:"Cosine of question and content; 0 where words alone found it."`
	FiledAt        string             `json:"filed_at" doc:"RFC 3339."`
	MatchedVia     string             `json:"matched_via" doc:"closet where the line of a closet points to it, else drawer."`
	ClosetPreview  string             `json:"closet_preview,omitempty" doc:"That line, unless it names what the caller may not see."`
	ScoreBreakdown map[string]float64 `json:"score_breakdown,omitzero" doc:"With explain: named parts that add up to the score."`
}

// PalaceHits answers PalaceSearch, the best first.
type PalaceHits struct {
	Results  []PalaceHit `json:"results" nullable:"false"`
	Degraded []string    `json:"degraded" nullable:"false"`
	Warnings []string    `json:"warnings" nullable:"false"`
}

// Identity is who the assistant is, as memory/persona.md has it in the block that assistants may write.
type Identity struct {
	Content string `json:"content" is:"text" maxLength:"2000" doc:"Replaces the block; empty takes it away. Facts, not instructions."`
}

// AgentEntry is an entry for the diary of an agent by whatever name a client gives it.
type AgentEntry struct {
	Agent     string `json:"agent,omitempty" mcp:"-" is:"agent" maxLength:"64"`
	Wing      string `json:"wing,omitempty" mcp:"-" maxLength:"100" doc:"The project that it was written in."`
	AgentName string `json:"agent_name" is:"agent" minLength:"1" maxLength:"64" doc:"Whose diary it is."`
	Entry     string `json:"entry" is:"text" minLength:"1" maxLength:"10000"`
	Topic     string `json:"topic,omitempty" maxLength:"50"`
}

// Docs implements [Documented].
func (AgentEntry) Docs() map[string]string {
	return map[string]string{
		"agent": "The client. An agent of another name has a diary of its own, CLIENT.NAME.",
	}
}

// AgentEntries asks such a diary for its newest entries.
type AgentEntries struct {
	Agent     string `query:"agent" json:"agent,omitempty" mcp:"-" is:"agent" maxLength:"64" doc:"The client."`
	Wing      string `query:"wing" json:"wing,omitempty" mcp:"-" maxLength:"100" doc:"The project that asks."`
	AgentName string `query:"agent_name" json:"agent_name" required:"true" is:"agent" minLength:"1" maxLength:"64" doc:"Whose diary it is."`
	LastN     int    `query:"last_n" json:"last_n,omitempty" default:"10" minimum:"1" maximum:"100" doc:"How many."`
}
