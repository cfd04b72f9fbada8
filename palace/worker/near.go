package worker

import (
	"context"
	"fmt"

	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/palace/centroids"
	"github.com/reverie-memory/reverie/palace/drawers"
	"github.com/reverie-memory/reverie/palace/tier"
)

// near has centroids decide on the drawers of whose type words are half sure, and returns those that are left for a model. near costs no
// call.
func (r *Room) near(ctx context.Context, ids []string) (left []string, err error) {
	rd, release := r.opt.Reader().Pin()
	defer release()
	set, err := centroids.Store{Vault: r.opt.Vault}.Set(rd.Status().Fingerprint)
	if err != nil || len(set) == 0 {
		return ids, err
	}
	keys, err := rd.KeysByID(ctx, ids)
	if err != nil {
		return ids, fmt.Errorf("look for drawers: %w", err)
	}
	rows, keys, err := rd.KeyedRows(ctx, keys)
	if err != nil {
		return ids, fmt.Errorf("read drawers: %w", err)
	}
	vectors, err := rd.Vectors(ctx, keys)
	if err != nil {
		return ids, fmt.Errorf("read the vectors of drawers: %w", err)
	}
	gates := tier.Gates{High: r.opt.High, Low: r.opt.Low}
	decided := map[string]bool{}
	var events []drawers.Event
	for i, row := range rows {
		kind, nearness := set.Nearest(vectors[i])
		if row.Source == catalog.DrawerText && gates.Decider(float64(row.Sure)/100, nearness, true) == tier.Centroid &&
			!decided[row.Drawer] {
			decided[row.Drawer] = true
			events = append(events, drawers.Event{
				Kind: drawers.Note, Drawer: row.Drawer, Type: kind, Tier: drawers.Centroid, State: drawers.Processed,
			})
		}
	}
	if err := r.opt.Journal.Append(ctx, events...); err != nil {
		return ids, err
	}
	for _, id := range ids {
		if !decided[id] {
			left = append(left, id)
		}
	}
	return left, nil
}
