package worker

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/palace/drawers"
	"github.com/reverie-memory/reverie/vault"
)

// Fading says which drawers are put away: those that matter less and were read less often, as long as so many stay.
type Fading struct {
	Below float64
	Reads int
	Keep  int
}

// DefaultFading is as the settings are when nobody changed them.
var DefaultFading = Fading{Below: 0.5, Reads: 3, Keep: 100}

// read is how often a drawer was read, and when it last was. lately fades, see [recall.Use].
type read struct {
	times  int
	last   time.Time
	lately float64
}

// reads is how often drawers were read, by any of their rows.
func (r *Room) reads() (map[string]read, error) {
	counts, err := r.opt.Reads.Counts()
	if err != nil {
		return nil, err
	}
	out, now := map[string]read{}, r.opt.Vault.Now()
	for _, c := range counts {
		id, _, _ := strings.Cut(c.Row, ".") // the rows of a drawer beyond its first are ID.2, ID.3, …
		last, _ := time.Parse(time.RFC3339, c.Last)
		was := out[id]
		if last.Before(was.last) {
			last = was.last
		}
		out[id] = read{was.times + c.Count, last, was.lately + c.At(now)}
	}
	return out, nil
}

// A faded drawer may be put away.
type faded struct {
	id         string
	day        vault.Day
	importance float64
	times      int
	filed      time.Time
}

// maintain puts away what faded, the least important first. How much a drawer matters is computed when somebody asks, so that a night
// that was missed changes nothing. Where compaction goes on at night, it follows.
func (r *Room) maintain(ctx context.Context) (int, bool, error) {
	list, stay, err := r.faded(ctx)
	if err != nil {
		return 0, false, err
	}
	slices.SortFunc(list, func(a, b faded) int {
		return cmp.Or(cmp.Compare(a.importance, b.importance), a.filed.Compare(b.filed), cmp.Compare(a.id, b.id))
	})
	list = list[:max(0, min(len(list), stay-r.opt.Fading.Keep))]
	events := make([]drawers.Event, len(list))
	for i, f := range list {
		events[i] = drawers.Event{
			Kind: drawers.Archive, Drawer: f.id, Day: f.day, Reason: fmt.Sprintf("faded: importance %.2f, read %d times", f.importance,
				f.times),
		}
	}
	if err := r.opt.Journal.Append(ctx, events...); err != nil || !r.opt.Compaction.Enabled {
		return len(list), false, err
	}
	n, err := r.compactAll(ctx)
	return len(list) + n, false, err
}

// faded are the drawers that may be put away, and of how many that are not.
func (r *Room) faded(ctx context.Context) (list []faded, stay int, err error) {
	reads, err := r.reads()
	if err != nil {
		return nil, 0, err
	}
	rd, release := r.opt.Reader().Pin()
	defer release()
	state, now := r.opt.Journal.State(), r.opt.Vault.Now()
	old := now.AddDate(0, 0, -r.opt.Decay.Age)
	all := told(rd, rd.Keys(catalog.Filter{Source: []catalog.SourceType{catalog.DrawerText}}))
	var keys []catalog.Key
	for _, m := range all {
		if m.Archived {
			continue
		}
		if stay++; m.Unix < old.Unix() {
			keys = append(keys, m.Key)
		}
	}
	for lot := range slices.Chunk(keys, lookRows) {
		rows, err := rd.Rows(ctx, lot)
		if err != nil {
			return nil, 0, fmt.Errorf("look for drawers that faded: %w", err)
		}
		for _, row := range rows {
			k, was := state.Of(row.Drawer), reads[row.Drawer]
			weight := k.Importance(r.opt.Decay, now, row.FiledAt(), was.last)
			if k.Archived == 0 && weight < r.opt.Fading.Below && was.times < r.opt.Fading.Reads {
				list = append(list, faded{row.Drawer, vault.DayOf(row.At), weight, was.times, row.FiledAt()})
			}
		}
	}
	return list, stay, nil
}
