package api

// GraphQuery asks for the triples of an entity, by any of its names.
type GraphQuery struct {
	Asker
	Entity    string `query:"entity" json:"entity" required:"true" minLength:"1" maxLength:"200"`
	AsOf      string `query:"as_of" json:"as_of,omitempty" maxLength:"10"`
	AsOfBy    string `query:"as_of_by" json:"as_of_by,omitempty" mcp:"-" enum:"said,filed"`
	Direction string `query:"direction" json:"direction,omitempty" enum:"both,outgoing,incoming" default:"both"`
	Predicate string `query:"predicate" json:"predicate,omitempty" mcp:"-" maxLength:"100" doc:"Only this predicate, in any wording."`
	Limit     int    `query:"limit" json:"limit,omitempty" mcp:"-" default:"200" minimum:"1" maximum:"10000" doc:"How many, the newest ones."`
}

// Docs implements [Documented].
func (GraphQuery) Docs() map[string]string {
	return map[string]string{
		"entity":    "A name, an alias, or a name with what tells it apart: Marek's sister Anna.",
		"as_of":     "A day, YYYY-MM-DD: only what held on it. Empty: everything, ended too.",
		"as_of_by":  asOfBy,
		"direction": "outgoing: the entity is the subject.",
	}
}

// Triple is something that holds from a day until a day.
type Triple struct {
	TripleID   string   `json:"triple_id"`
	Subject    string   `json:"subject"`
	Predicate  string   `json:"predicate"`
	Object     string   `json:"object"`
	ValidFrom  string   `json:"valid_from" doc:"First day on which it holds; empty when nobody said: then it is known from said."`
	ValidTo    string   `json:"valid_to" doc:"First day on which it holds no longer; empty while nobody said when it ends."`
	Said       string   `json:"said" doc:"Day on which it was first said; empty where nobody knows, as of a line written on a page."`
	Current    bool     `json:"current" doc:"Whether it holds today."`
	Confidence float64  `json:"confidence"`
	Source     string   `json:"source,omitempty" doc:"Id of the row that it rests on."`
	Origin     string   `json:"origin,omitempty" doc:"Whose words it is; empty: the person's own."`
	Model      string   `json:"model,omitempty" doc:"The model that read it in the source; empty where somebody said so, or rules read it."`
	Replaced   []string `json:"replaced,omitempty" doc:"What held before it: the objects or subjects whose place it took."`
	ReplacedBy string   `json:"replaced_by,omitempty" doc:"Id of the triple that took its place."`
	Against    []string `json:"contradicts,omitempty" doc:"Ids of triples that say otherwise, where nobody knows which of them is so now."`
	EndedBy    string   `json:"ended_by,omitempty" doc:"Whose word ended it, where that is not of the same origin."`
}

// Entity is somebody or something.
type Entity struct {
	EntityID string   `json:"entity_id"`
	Name     string   `json:"name"`
	Type     string   `json:"type,omitempty"`
	Aliases  []string `json:"aliases,omitempty"`
}

// GraphResult answers GraphQuery. Two of one name are never taken for one.
type GraphResult struct {
	Entity     *Entity  `json:"entity,omitempty" doc:"Who or what was found; none when nobody is known by the name, or several are."`
	Guess      bool     `json:"guess,omitempty" doc:"Nothing has the name: the entity is the one whose name comes closest."`
	MatchedVia string   `json:"matched_via,omitempty" doc:"How the name was found: name, alias, part, spelling or embedding."`
	Ambiguous  []Entity `json:"ambiguous,omitempty" doc:"Those who may be meant: ask for one of them by its name."`
	Triples    []Triple `json:"triples" nullable:"false" doc:"By their first day."`
	More       bool     `json:"more,omitempty" doc:"There are older ones than these."`
}

// Then asks for the graph as it stood when a day ended.
type Then struct {
	AsOf   string `query:"as_of" json:"as_of,omitempty" mcp:"-" maxLength:"10" doc:"YYYY-MM-DD: as it stood when that ended. Empty: now."`
	AsOfBy string `query:"as_of_by" json:"as_of_by,omitempty" mcp:"-" enum:"said,filed" doc:"What is later: what was said (default) or filed."`
}

// ThenAsked is Then where assistants may say the day as well.
type ThenAsked struct {
	AsOf   string `query:"as_of" json:"as_of,omitempty" maxLength:"10" doc:"YYYY-MM-DD: as it stood when that ended. Empty: now."`
	AsOfBy string `query:"as_of_by" json:"as_of_by,omitempty" mcp:"-" enum:"said,filed" doc:"What is later: what was said (default) or filed."`
}

// GraphCount asks for the figures of the graph.
type GraphCount struct {
	Asker
	Then
}

// GraphQuestion asks the graph in plain words.
type GraphQuestion struct {
	Asker
	ThenAsked
	Question string `query:"question" json:"question" required:"true" minLength:"1" maxLength:"500"`
}

// Docs implements [Documented].
func (GraphQuestion) Docs() map[string]string {
	return map[string]string{
		"question": "Such as: What did we use before PostgreSQL?",
	}
}

// GraphTriples are triples.
type GraphTriples struct {
	Triples []Triple `json:"triples" nullable:"false"`
}

// GraphAdd asserts a triple.
type GraphAdd struct {
	Project      string `json:"project,omitempty" maxLength:"200" mcp:"-" doc:"The project that it is told in."`
	Agent        string `json:"agent,omitempty" mcp:"-" is:"agent" maxLength:"64" doc:"Who asserts it; empty: the person."`
	Subject      string `json:"subject" minLength:"1" maxLength:"200"`
	Predicate    string `json:"predicate" minLength:"1" maxLength:"100" doc:"Such as works at; one of several wordings of the same will do."`
	Object       string `json:"object" minLength:"1" maxLength:"200"`
	ValidFrom    string `json:"valid_from,omitempty" maxLength:"10" doc:"First day on which it holds, YYYY-MM-DD."`
	SourceCloset string `json:"source_closet,omitempty" is:"id" maxLength:"200" doc:"Id of what it rests on."`
}

// GraphAdded answers GraphAdd.
type GraphAdded struct {
	TripleID string `json:"triple_id"`
}

// GraphInvalidate ends a triple.
type GraphInvalidate struct {
	Project   string `json:"project,omitempty" maxLength:"200" mcp:"-" doc:"The project that it is told in."`
	Agent     string `json:"agent,omitempty" mcp:"-" is:"agent" maxLength:"64" doc:"Who says so; empty: the person."`
	Subject   string `json:"subject" minLength:"1" maxLength:"200"`
	Predicate string `json:"predicate" minLength:"1" maxLength:"100"`
	Object    string `json:"object" minLength:"1" maxLength:"200"`
	Ended     string `json:"ended,omitempty" maxLength:"10" doc:"First day on which it no longer holds, YYYY-MM-DD; today where it is empty."`
}

// GraphEnded answers GraphInvalidate.
type GraphEnded struct {
	Ended int `json:"ended" doc:"Triples that ended; 0 where none held."`
}

// GraphTimeline asks for triples by their first day.
type GraphTimeline struct {
	Asker
	Then
	Entity string `query:"entity" json:"entity,omitempty" maxLength:"200" doc:"Empty: of all."`
	Limit  int    `query:"limit" json:"limit,omitempty" mcp:"-" default:"200" minimum:"1" maximum:"10000" doc:"How many, the newest ones."`
}

// GraphPath asks for the shortest way between two entities over what holds.
type GraphPath struct {
	Asker
	From string `query:"from" json:"from" required:"true" minLength:"1" maxLength:"200"`
	To   string `query:"to" json:"to" required:"true" minLength:"1" maxLength:"200"`
	AsOf string `query:"as_of" json:"as_of,omitempty" maxLength:"10" doc:"A day, YYYY-MM-DD; empty: now."`

	AsOfBy string `query:"as_of_by" json:"as_of_by,omitempty" mcp:"-" enum:"said,filed"`
}

// asOfBy documents the clock of a question to the graph.
const asOfBy = "The graph as it stood when the day of as_of ended: of what had been said by then, or also filed. Empty: what held on the " +
	"day as far as is known now."

// Docs implements [Documented].
func (GraphPath) Docs() map[string]string { return map[string]string{"as_of_by": asOfBy} }

// GraphStats counts the graph.
type GraphStats struct {
	Entities          int            `json:"entities"`
	Triples           int            `json:"triples"`
	CurrentFacts      int            `json:"current_facts"`
	ExpiredFacts      int            `json:"expired_facts"`
	RelationshipTypes map[string]int `json:"relationship_types" doc:"Triples by predicate."`
	EntityTypes       map[string]int `json:"entity_types" doc:"Entities by type."`
}
