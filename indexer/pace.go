package indexer

import (
	"context"
	"time"
)

// How far the index may be behind files that grow, in bytes, before whoever writes waits: paceEach for each further MiB, and never longer
// than paceMost, which hooks and their callers do not notice.
const (
	paceFrom = 4 << 20
	paceEach = 100 * time.Millisecond
	paceMost = 500 * time.Millisecond
)

// pace tells writers how far the index is behind. A rebuild counts as well: it shares processors with those who write, and would never be
// as fast as they are. Of what failed and is tried again they hear nothing: it may fail for long.
func (ix *Indexer) pace() {
	var behind int64
	if ix.cur != nil && ix.later.empty() {
		for p, size := range ix.growing {
			behind += max(0, size-ix.cur.files[p].Size)
		}
	}
	if b := ix.build; b != nil {
		behind = max(behind, b.behind)
	}
	ix.behind.Store(behind)
}

// Pace holds up whoever has written to a file that grows, the longer the further the index is behind: writers that never pause would leave
// it behind without end, and every edit, forgetting and rebuild with it. Pace is called after each turn that was stored and before it is
// answered, unless the answer waited for the index anyway. Pace ends with ctx at the latest.
func (ix *Indexer) Pace(ctx context.Context) {
	over := float64(ix.behind.Load()-paceFrom) / (1 << 20)
	if over <= 0 {
		return
	}
	timer := time.NewTimer(min(paceMost, time.Duration(over*float64(paceEach))))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	case <-ix.stopped:
	}
}
