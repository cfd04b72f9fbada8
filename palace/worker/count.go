package worker

import (
	"context"
	"fmt"

	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/palace/drawers"
)

// Counts are how many drawers there are.
type Counts struct {
	States   map[string]int // by state
	Tiers    map[string]int // those of which the type is decided, by who did
	Archived int
}

// A standing is what drawers are counted by.
type standing struct{ state, tier string }

// Count counts the drawers of the index.
func (r *Room) Count(ctx context.Context) (Counts, error) {
	rd, release := r.opt.Reader().Pin()
	defer release()
	count := map[standing]int{}
	r.words(rd, rd.Keys(catalog.Filter{Source: []catalog.SourceType{catalog.DrawerText}}), 1, count)
	decided, archived := map[standing][]string{}, []string{}
	for id, k := range r.opt.Journal.State() {
		if k.State != "" {
			s := standing{k.State, k.Tier}
			decided[s] = append(decided[s], id)
		}
		if k.Archived != 0 {
			archived = append(archived, id)
		}
	}
	for s, ids := range decided {
		keys, err := rd.KeysByID(ctx, ids)
		if err != nil {
			return Counts{}, fmt.Errorf("count drawers: %w", err)
		}
		n := r.words(rd, keys, -1, count) // their words do not count
		count[s] += n
	}
	keys, err := rd.KeysByID(ctx, archived)
	if err != nil {
		return Counts{}, fmt.Errorf("count drawers: %w", err)
	}
	out := Counts{States: map[string]int{}, Tiers: map[string]int{}, Archived: r.words(rd, keys, 0, count)}
	for s, n := range count {
		if n == 0 {
			continue
		}
		out.States[s.state] += n
		if s.state == drawers.Processed || s.state == drawers.Merged {
			if s.tier == "" {
				s.tier = drawers.Heuristic
			}
			out.Tiers[s.tier] += n
		}
	}
	return out, nil
}

// words adds by to the standing that the words of drawers give each of them, and returns how many they are.
func (r *Room) words(rd indexer.Reader, keys []catalog.Key, by int, count map[standing]int) int {
	all := told(rd, keys)
	for _, m := range all {
		count[standing{state: drawers.Known{}.StateBy(float64(m.Sure)/100, r.opt.High)}] += by
	}
	return len(all)
}
