package api

// PalaceRun has one of the palace's workers work now.
type PalaceRun struct {
	Worker string `json:"worker" required:"true" enum:"process,enrich,maintain,centroids"`
}

// Docs implements [Documented].
func (PalaceRun) Docs() map[string]string {
	return map[string]string{
		"worker": "centroids learns what each type looks like, process has a model say what raw drawers are, enrich " +
			"finds names and triples, maintain puts faded drawers away.",
	}
}

// PalaceWorkers tells how the palace's workers stand.
type PalaceWorkers struct {
	Workers  []PalaceWorker `json:"workers" nullable:"false"`
	States   map[string]int `json:"states" doc:"Drawers by state: raw, processed, merged or failed."`
	Tiers    map[string]int `json:"tiers" doc:"Drawers that are not raw by who decided on their type: heuristic, centroid or llm."`
	Archived int            `json:"archived" doc:"Drawers that were put away."`
	Sizes    []PalaceSize   `json:"sizes" nullable:"false" doc:"How much there is, beside how much is usual. Nothing stops there."`
}

// PalaceSize is how many of something there are.
type PalaceSize struct {
	Of    string `json:"of" doc:"drawers, entities or triples."`
	Count int    `json:"count"`
	Usual int    `json:"usual" doc:"Up to so many are usual. More are no error."`
}

// PalaceWorker is how one of them stands.
type PalaceWorker struct {
	Name     string `json:"name"`
	Last     string `json:"last,omitempty" doc:"End of its last run that succeeded, RFC 3339."`
	Done     int    `json:"done" doc:"Drawers that run was about."`
	Next     string `json:"next,omitempty" doc:"When it runs next by the clock, RFC 3339."`
	Running  bool   `json:"running"`
	Failures int    `json:"failures" doc:"In a row."`
	Error    string `json:"error,omitempty" doc:"Of the last run."`
	Note     string `json:"note,omitempty" doc:"What else there is to say of its last run, such as which types have no centroid yet."`
	Idle     string `json:"idle,omitempty" doc:"Why it has nothing to do."`
}
