package indexer

import (
	"testing"
	"time"
)

// TestNoHurryAfterAFailedRebuild: a rebuild that was asked for and failed is not tried again by
// itself, so that the time for the next try passes without anything to wake up for.
func TestNoHurryAfterAFailedRebuild(t *testing.T) {
	now := time.Now()
	ix := New(Options{ProbeDelay: -1})
	ix.buildRetry = ix.buildRetry.failed(now.Add(-time.Hour))
	if d := ix.nap(now); d < time.Second {
		t.Errorf("wakes after %v", d)
	}
	ix.buildRetry = ix.buildRetry.failed(now)
	if d := ix.nap(now); d > time.Second {
		t.Errorf("a try that is due soon waits %v", d)
	}
}
