package lanes_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/reverie-memory/reverie/internal/lanes"
)

func TestRestWaitsForUrgentWorkThatHadBegun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l lanes.Lanes
		if err := l.Rest(t.Context()); err != nil {
			t.Fatal(err)
		}
		first := l.Urgent()
		rested := make(chan time.Time, 1)
		begun := time.Now()
		go func() {
			if l.Rest(t.Context()) == nil {
				rested <- time.Now()
			}
		}()
		synctest.Wait()
		second := l.Urgent() // comes later: nobody waits for it
		time.Sleep(time.Second)
		first()
		if took := (<-rested).Sub(begun); took != time.Second {
			t.Errorf("background work rested %v, want as long as the urgent work took", took)
		}
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		if err := l.Rest(gone); err == nil {
			t.Error("a cancelled rest goes on")
		}
		second()
	})
}
