package reads

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"sync"
	"time"

	"github.com/reverie-memory/reverie/vault"
)

// VisitsFile says when each agent last asked what is new. VisitsFile holds pseudonyms and times, and no text.
const VisitsFile = "visits.json"

// MeasuresFile keeps the figures of `bench mine`, which asks the memory itself: numbers, and no text.
const MeasuresFile = "measures.jsonl"

// maxVisits is how many agents are remembered; of more, those that have not come for longest are strangers again.
const maxVisits = 1000

// Visits know when agents came.
type Visits struct {
	Vault *vault.Vault
	mu    sync.Mutex // over reading and writing the file
}

// Last is when the agent last came; zero for never, also where the file is damaged.
func (v *Visits) Last(agent string) (time.Time, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	name, err := v.Vault.Pseudonym(agent)
	if err != nil {
		return time.Time{}, fmt.Errorf("name the visitor: %w", err)
	}
	all, err := v.read()
	return all[name], err
}

// Note says that the agent came. An agent that has gone before it could be told so, which is when ctx ends, did not come: it has seen
// nothing. Then the error is that of ctx.
func (v *Visits) Note(ctx context.Context, agent string, at time.Time) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	name, err := v.Vault.Pseudonym(agent)
	if err != nil {
		return fmt.Errorf("name the visitor: %w", err)
	}
	all, err := v.read()
	if err != nil {
		return err
	}
	before := maps.Clone(all)
	all[name] = at.UTC()
	for len(all) > maxVisits {
		oldest := name
		for n, t := range all {
			if t.Before(all[oldest]) || t.Equal(all[oldest]) && n < oldest {
				oldest = n
			}
		}
		delete(all, oldest)
	}
	if err := v.write(all); err != nil {
		return err
	}
	if ctx.Err() == nil {
		return nil
	}
	return errors.Join(ctx.Err(), v.write(before))
}

func (v *Visits) write(all map[string]time.Time) error {
	data, err := json.Marshal(all)
	if err == nil {
		err = v.Vault.Replace(statePath(VisitsFile), append(data, '\n'), vault.AnyHash)
	}
	if err != nil {
		return fmt.Errorf("note the visit: %w", err)
	}
	return nil
}

func (v *Visits) read() (map[string]time.Time, error) {
	all := map[string]time.Time{}
	data, err := v.Vault.ReadFile(statePath(VisitsFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return all, fmt.Errorf("read the visits: %w", err)
	}
	if json.Unmarshal(data, &all) != nil || all == nil {
		all = map[string]time.Time{}
	}
	return all, nil
}
