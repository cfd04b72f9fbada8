package api

// Measure asks how well the memory answers, by questions made of what was said. What it names besides is tried beside what is set, over the
// same questions, and changes no answer.
type Measure struct {
	Wing     string         `json:"wing,omitempty" maxLength:"200" doc:"The project that asks; an isolated one is measured by its own alone."`
	Probes   int            `json:"probes,omitempty" minimum:"10" maximum:"2000" doc:"How many questions of each kind at most. Default: 200."`
	Profile  string         `json:"profile,omitempty" maxLength:"100" doc:"Try this profile, as GET /memory/profiles lists them."`
	Flags    map[string]any `json:"flags,omitempty" maxProperties:"100" doc:"Try these flags of the profile."`
	Rerank   string         `json:"rerank,omitempty" maxLength:"4096" doc:"Try this reranker, as recall.rerank names one."`
	Embedder string         `json:"embedder,omitempty" maxLength:"4096"`
	DryRun   bool           `json:"dry_run,omitempty" doc:"Leave the figures out of the record of runs."`
}

// Docs implements [Documented].
func (Measure) Docs() map[string]string {
	return map[string]string{
		"embedder": "Try this embedding model, as embedding.model names a local one, or builtin. It embeds everything anew, in memory.",
	}
}

// Measured are the figures of a run, with those of runs before it.
type Measured struct {
	Run      MeasuredRun   `json:"run"`
	Before   []MeasuredRun `json:"before" nullable:"false" doc:"The last runs, the newest first."`
	Trial    *Trial        `json:"trial,omitempty" doc:"What was tried beside what is set."`
	Notes    []string      `json:"notes" nullable:"false" doc:"What the figures do not cover."`
	Degraded []string      `json:"degraded" nullable:"false"`
}

// MeasuredRun are the figures of one run. Shares are between 0 and 1.
type MeasuredRun struct {
	At       string            `json:"at"`
	Profile  string            `json:"profile"`
	Embedder string            `json:"embedder" doc:"The fingerprint of the vectors."`
	Rows     int               `json:"rows" doc:"Of the index."`
	Figures  map[string]Figure `json:"figures" doc:"By name; docs/recall.md says what each is."`
}

// Figure is a mean with the interval in which it lies at 95 %.
type Figure struct {
	N    int     `json:"n" doc:"How many questions, facts or turns it is of; of none it says nothing."`
	Mean float64 `json:"mean"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Trial is how something else did over the same questions.
type Trial struct {
	What        string            `json:"what"`
	Figures     map[string]Figure `json:"figures"`
	Differences map[string]Figure `json:"differences" doc:"By figure: the trial's less what is set, question by question."`
	Better      int               `json:"better" doc:"Questions that it answers better, worse and alike."`
	Worse       int               `json:"worse"`
	Alike       int               `json:"alike"`
	Chance      float64           `json:"chance" doc:"How probable it is that chance alone parts better from worse as far (sign test)."`
	Verdict     string            `json:"verdict" doc:"better, worse, no difference, or not tried where most searches went without it."`
	Why         string            `json:"why"`
}
