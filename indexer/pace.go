package indexer

import (
	"context"
	"time"
)

// How far the index may be behind files that grow, in bytes, before whoever writes waits: so much for each further paceFrom bytes, and
// never longer than paceMost.
const (
	paceFrom = 1 << 20
	paceEach = 250 * time.Millisecond
	paceMost = 2 * time.Second
)

// Pace holds up whoever has written to a file that grows, the longer the further the index is behind: writers that never pause would leave it
// behind without end, and every edit, forgetting and rebuild with it. Pace is called after each write that was told to be safe and before it
// is answered. It ends with ctx at the latest.
func (ix *Indexer) Pace(ctx context.Context) {
	over := float64(ix.behind.Load()-paceFrom) / paceFrom
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
