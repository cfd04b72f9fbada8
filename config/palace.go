package config

import (
	"errors"
	"fmt"
	"time"

	"github.com/robfig/cron/v3"

	"github.com/reverie-memory/reverie/internal/slice"
)

// Palace bounds the workers that look at drawers.
type Palace struct {
	Model         string  `toml:"model"`
	Batch         int     `toml:"batch"`
	BudgetPercent int     `toml:"budget_percent"`
	Process       Seconds `toml:"process_seconds"` // the time between two looks for raw drawers
	Enrich        Seconds `toml:"enrich_seconds"`  // the time between two looks for drawers without names
	Maintain      string  `toml:"maintain"`
	Centroids     string  `toml:"centroids"`
	KeepMin       int     `toml:"keep_min"`
	Topics        bool    `toml:"topics"`

	Places map[string][]string `toml:"places"` // people's own: words by WING/ROOM. The palace checks them
}

// places is Places as a table of any values.
func (p Palace) places() map[string]any {
	out := map[string]any{}
	for name, words := range p.Places {
		list := slice.Map(words, func(w string) any { return w })
		out[name] = list
	}
	return out
}

// Compaction says which drawers are put away because others tell them.
type Compaction struct {
	Enabled      bool    `toml:"enabled"`
	Threshold    float64 `toml:"threshold"`
	AgeDays      int     `toml:"age_days"`
	DecayEnabled bool    `toml:"decay_enabled"`
	DecayLambda  float64 `toml:"decay_lambda"`
	BatchSize    int     `toml:"batch_size"`
	MaxScanDepth int     `toml:"max_scan_depth"`
	Trigger      float64 `toml:"trigger"`
}

// Times reads a cron line of five fields, in UTC. One that names no time, such as the 30th of February, is refused.
func Times(line string) (cron.Schedule, error) {
	times, err := cron.NewParser(cron.Minute | cron.Hour | cron.Dom | cron.Month | cron.Dow).Parse("TZ=UTC " + line)
	if err == nil && times.Next(time.Unix(0, 0)).IsZero() {
		err = errors.New("it never comes")
	}
	if err != nil {
		return nil, fmt.Errorf("%q is not a time in the five fields of cron, such as \"0 3 * * 0\" for Sunday at 03:00: %w", line, err)
	}
	return times, nil
}

func checkTimes(line string) error {
	_, err := Times(line)
	return err
}

// Tiers are the gates between who may decide on a drawer's type.
type Tiers struct {
	HeuristicHigh float64 `toml:"heuristic_high"`
	HeuristicLow  float64 `toml:"heuristic_low"`
}
