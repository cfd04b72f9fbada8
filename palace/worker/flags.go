package worker

import "github.com/reverie-memory/reverie/recall"

// Profile is the phases of a compaction, in the order in which they run, with their flags; c gives the defaults. A search cannot name it:
// these phases work on all drawers and not on what a question finds.
func (c Compaction) Profile() *recall.Profile {
	return &recall.Profile{
		Name: "compaction", Doc: "which drawers to put away because newer ones tell them", Phases: phases, Flags: map[string]any{
			"batch_size": float64(c.Batch), "max_scan_depth": float64(c.Depth), "compaction_threshold": c.Threshold,
			"compaction_age_days": float64(c.Age), "decay_enabled": c.Decay, "decay_lambda": c.Lambda,
		},
	}
}

var phases = []*recall.Phase{
	{Name: "paginated_scoring", Switch: "paginated_scoring", Flags: []recall.Flag{
		{Name: "paginated_scoring", Default: true, Doc: "drawers are scored page by page; else all of them at once, however many there are"},
		{Name: "batch_size", Default: 0.0, Min: 1, Max: 100_000, Doc: "drawers of a page"},
		{Name: "max_scan_depth", Default: 0.0, Min: 1, Max: 100_000_000, Doc: "drawers of a run; the next one goes on behind them"},
	}},
	{Name: "adaptive_compaction", Switch: "adaptive_compaction", Flags: []recall.Flag{
		{
			Name: "adaptive_compaction", Default: true,
			Doc: "drawers are put away, or would be; else they are only scored. Without being asked, compaction.enabled decides",
		},
		{Name: "compaction_threshold", Default: 0.0, Max: 1, Doc: "those whose ltp_score is below it"},
		{Name: "compaction_age_days", Default: 0.0, Max: 36_500, Doc: "and that were neither filed nor read nor brought back for longer"},
		{Name: "decay_enabled", Default: false, Doc: "the score fades with the days since"},
		{Name: "decay_lambda", Default: 0.0, Max: 10, Doc: "by e to the power of minus so much a day"},
	}},
}

// With is c with the flags that somebody gave in the place of its own. A flag that is unknown or has no such value is a [recall.FlagError].
func (c Compaction) With(given map[string]any) (Compaction, error) {
	v, err := c.Profile().Values(given)
	if err != nil {
		return c, err
	}
	number := func(flag string) float64 { return v[flag].(float64) }
	c.Batch, c.Depth = int(number("batch_size")), int(number("max_scan_depth"))
	c.Threshold, c.Age = number("compaction_threshold"), int(number("compaction_age_days"))
	c.Decay, c.Lambda = v["decay_enabled"].(bool), number("decay_lambda")
	c.AtOnce, c.ScoresAlone = !v["paginated_scoring"].(bool), !v["adaptive_compaction"].(bool)
	return c, nil
}
