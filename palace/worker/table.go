package worker

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/robfig/cron/v3"

	"github.com/reverie-memory/reverie/durable"
)

// TableFile is the name of the timetable's file in the data folder.
const TableFile = "workers.json"

// The workers.
const (
	Process   = "process"   // has a model look at raw drawers
	Enrich    = "enrich"    // finds names and triples in drawers that no model has looked at
	Maintain  = "maintain"  // puts faded drawers away
	Centroids = "centroids" // learns what each type looks like
)

// Names are the workers, the most urgent first.
var Names = []string{Process, Maintain, Centroids, Enrich}

// A When says when a worker runs: so long after its last run, or else at the times of a cron line in UTC.
type When struct {
	Every time.Duration
	At    cron.Schedule
}

// next is when a worker that ran then is due again, or, where it never ran, was waited for since. One that missed its time is due as soon
// as anybody looks, and once.
func (w When) next(last, since time.Time) time.Time {
	switch {
	case w.At != nil && last.IsZero():
		return w.At.Next(since.UTC())
	case w.At != nil:
		return w.At.Next(last.UTC())
	case last.IsZero():
		return last
	}
	return last.Add(w.Every)
}

// A Run is what is known of a worker's runs.
type Run struct {
	Last     time.Time `json:"last,omitzero"`  // the end of the last one that succeeded
	Since    time.Time `json:"since,omitzero"` // until it first succeeds: when the timetable began to count for it
	Tried    time.Time `json:"tried,omitzero"` // of the last one
	Failures int       `json:"failures,omitempty"`
	Error    string    `json:"error,omitempty"` // of the last one
	Done     int       `json:"done,omitempty"`  // how many drawers the last one that succeeded was about
	Note     string    `json:"note,omitempty"`  // what else there is to say of it
	Linked   time.Time `json:"linked,omitzero"` // of process: drawers that were filed until then were compared with others
}

// Pauses after failures: the first, doubled with each further one up to the longest.
const (
	firstPause   = time.Minute
	longestPause = time.Hour
)

// seenAt is what is known where the clock may have been set back: nothing happened later than now.
func (r Run) seenAt(now time.Time) Run {
	if r.Last.After(now) {
		r.Last = now
	}
	if r.Since.After(now) {
		r.Since = now
	}
	if r.Linked.After(now) {
		r.Linked = now
	}
	if r.Tried.After(now) {
		r.Tried = now
	}
	return r
}

// due is when a worker runs next.
func (r Run) due(w When, now time.Time) time.Time {
	r = r.seenAt(now)
	at := w.next(r.Last, r.Since)
	if r.Failures > 0 {
		pause := longestPause
		if r.Failures < 7 {
			pause = min(pause, firstPause<<(r.Failures-1))
		}
		if again := r.Tried.Add(pause); again.After(at) {
			at = again
		}
	}
	return at
}

// took is what is known after a run.
func (r Run) took(now time.Time, done int, err error) Run {
	now = now.Round(0).UTC()
	if err != nil {
		r.Tried, r.Failures, r.Error = now, r.Failures+1, err.Error()
		return r
	}
	return Run{Last: now, Tried: now, Done: done, Linked: r.Linked}
}

// readTable reads what is known of all workers. A file that is damaged or gone is one that knows nothing: each worker may run once more.
func readTable(dir string) (map[string]Run, error) {
	table := map[string]Run{}
	data, err := os.ReadFile(filepath.Join(dir, TableFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return table, fmt.Errorf("read when the workers ran: %w", err)
	}
	if json.Unmarshal(data, &table) != nil {
		return map[string]Run{}, nil
	}
	return table, nil
}

func writeTable(dir string, table map[string]Run) error {
	data, err := json.MarshalIndent(table, "", "  ")
	if err == nil {
		err = durable.WriteFile(filepath.Join(dir, TableFile), append(data, '\n'), 0o600)
	}
	if err != nil {
		return fmt.Errorf("write when the workers ran: %w", err)
	}
	return nil
}
