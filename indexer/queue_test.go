package indexer

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/reverie-memory/reverie/vault"
)

// What nobody waits for is gathered, and who waits takes it along at once.
func TestWhatNobodyWaitsForIsGathered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q, start := newQueue(), time.Now()
		note := func(p vault.Path) { q.later(func(j *job) { j.add([]vault.Path{p}) }) }
		for _, p := range []vault.Path{"a.md", "b.md", "c.md"} {
			note(p)
			time.Sleep(gather / 4)
		}
		<-q.wake
		if got := sorted(q.take().paths); len(got) != 3 || time.Since(start) != gather {
			t.Errorf("%v after %v", got, time.Since(start))
		}
		note("d.md")
		q.put(func(j *job) { j.add([]vault.Path{"e.md"}) })
		if now := time.Now(); !q.waits() || !slices.Equal(sorted(q.take().paths), []vault.Path{"d.md", "e.md"}) || time.Since(now) > 0 {
			t.Error("who waits does not take along what was gathered")
		}
	})
}
