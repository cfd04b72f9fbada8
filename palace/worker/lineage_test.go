package worker

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/palace/drawers"
)

// Of many copies each has the heir that a look at all of them gives, whichever are put away, and they are looked at once for all.
func TestTheNewestCopyIsLookedForOnce(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		state, rows := drawers.State{}, map[string]catalog.Row{}
		for i := range 12 {
			id := fmt.Sprintf("d%02d", i)
			known := &drawers.Known{}
			if i > 0 {
				known.Cluster = "d00"
			}
			state[id] = known
			at := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, random.IntN(20))
			rows[id] = catalog.Row{ID: id, Drawer: id, At: at, Archived: random.IntN(4) == 0}
		}
		l := newLineage(indexer.Reader{}, state, nil)
		l.rows = rows
		for id, row := range rows {
			want := ""
			for i := range 12 {
				other := fmt.Sprintf("d%02d", i)
				o := rows[other]
				if other != id && !o.Archived && !o.At.Before(row.At.Add(newerBy)) && (want == "" || !o.At.Before(rows[want].At)) {
					want = other
				}
			}
			if row.Archived {
				want = ""
			}
			if got, ended := l.heir(id); got != want || ended {
				t.Errorf("heir of %s: %q, want %q", id, got, want)
			}
		}
		if l.latest("d03") != l.latest("d05") || len(l.newest) != 1 {
			t.Errorf("looked for %d times", len(l.newest))
		}
	}
}
