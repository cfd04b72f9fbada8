package reads

import (
	"testing"
	"time"
)

// A packet is kept for so many days, and none where packets are kept no longer.
func TestPacketsExpire(t *testing.T) {
	l, stop := running(t)
	now := l.vault.Now()
	l.Keep(Packet{Receipt: "old", Time: now.AddDate(0, 0, -31)})
	l.Keep(Packet{Receipt: "new", Time: now.AddDate(0, 0, -29)})
	stop() // writes what is buffered
	kept := func(want ...bool) {
		t.Helper()
		for i, receipt := range []string{"old", "new"} {
			if p, _, err := l.Of(t.Context(), receipt); err != nil || (p != nil) != want[i] {
				t.Errorf("%s: %+v, %v", receipt, p, err)
			}
		}
	}
	kept(false, true)
	l.replay, l.expired = 0, ""
	if err := l.expire(); err != nil {
		t.Fatal(err)
	}
	kept(false, false)
	if l.Keep(Packet{Receipt: "none", Time: time.Now()}); len(l.records) > 0 {
		t.Error("a packet is kept where none should be")
	}
}
