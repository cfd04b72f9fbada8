package indexer

import (
	"testing"
	"time"
)

// TestNoHurryAfterAFailedRebuild: a rebuild that was asked for and failed is not tried again by
// itself, so that the time for the next try passes without anything to wake up for.
func TestNoHurryAfterAFailedRebuild(t *testing.T) {
	now := time.Now()
	ix := New(Options{Sources: []Source{}, ProbeDelay: -1})
	ix.buildRetry = ix.buildRetry.failed(now.Add(-time.Hour), otherPause)
	if d := ix.nap(now); d < time.Second {
		t.Errorf("wakes after %v", d)
	}
	ix.buildRetry = ix.buildRetry.failed(now, otherPause)
	if d := ix.nap(now); d > time.Second {
		t.Errorf("a try that is due soon waits %v", d)
	}
}

// TestPausesGrowWithTriesAlone: what fails while a pause lasts is not a try, and no pause is longer than the longest.
func TestPausesGrowWithTriesAlone(t *testing.T) {
	now := time.Now()
	var b backoff
	for range 1000 { // writes that fail one after the other
		b = b.failed(now, filePause)
		now = now.Add(time.Millisecond)
	}
	if b.wait > time.Second {
		t.Errorf("after a second of failures the pause is %v", b.wait)
	}
	for range 100 {
		now = b.at
		b = b.failed(now, filePause)
	}
	if b.wait != filePause || !b.ready(now.Add(filePause)) {
		t.Errorf("after a hundred tries the pause is %v", b.wait)
	}
}

// TestWhatMustNotStayDoesNotWaitForVectors: vectors that a purge could not take out go with the next merge, however long others are made.
func TestWhatMustNotStayDoesNotWaitForVectors(t *testing.T) {
	now := time.Now()
	for dead, want := range map[bool]bool{false: false, true: true} {
		ix := New(Options{Sources: []Source{}, ProbeDelay: -1})
		ix.cur, ix.idleSince = &generation{touched: true, dead: dead}, now.Add(-maintainAfter)
		ix.embedding.running = true
		if soon := ix.nap(now) < time.Second; soon != want {
			t.Errorf("dead %v: wakes soon: %v", dead, soon)
		}
	}
}
