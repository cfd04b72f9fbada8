package api

// Profiles are the ways in which searches rank.
type Profiles struct {
	Profiles   []Profile `json:"profiles" nullable:"false"`
	Compaction Profile   `json:"compaction" doc:"What POST /memory/palace/compact runs. No search can name it."`
}

// Profile is a way to rank.
type Profile struct {
	Name   string         `json:"name"`
	Doc    string         `json:"doc"`
	Phases []ProfilePhase `json:"phases" nullable:"false" doc:"In the order in which they run."`
	Flags  []ProfileFlag  `json:"flags" nullable:"false"`
}

// ProfilePhase is one step of a search.
type ProfilePhase struct {
	Name   string   `json:"name"`
	Stage  string   `json:"stage" doc:"Under which trace.phases_applied lists it."`
	Switch string   `json:"switch,omitempty" doc:"The flag that leaves it out where it is false."`
	Parts  []string `json:"parts" nullable:"false" doc:"What it adds to score_breakdown."`
}

// ProfileFlag is a setting of a phase.
type ProfileFlag struct {
	Name    string   `json:"name"`
	Kind    string   `json:"kind" doc:"bool, number or choice."`
	Default any      `json:"default"`
	Min     *float64 `json:"min,omitempty"`
	Max     *float64 `json:"max,omitempty" doc:"Nothing where a number has no end."`
	Choices []string `json:"choices,omitempty"`
	Doc     string   `json:"doc"`
}
