package workspace

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// A start that is still making the graph holds up a Close for as long as its context allows, and no longer.
func TestCloseWaitsForTheGraphAsLongAsItMay(t *testing.T) {
	for takes, want := range map[time.Duration]time.Duration{time.Second: time.Second, time.Hour: 5 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			w := &Workspace{warm: make(chan struct{})}
			time.AfterFunc(takes, func() { close(w.warm) })
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
			defer cancel()
			begun := time.Now()
			if err := w.Close(ctx); err != nil {
				t.Error(err)
			}
			if took := time.Since(begun); took != want {
				t.Errorf("a graph that takes %s holds it up for %s, want %s", takes, took, want)
			}
			time.Sleep(2 * time.Hour)
		})
	}
}
