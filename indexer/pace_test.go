package indexer_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/reverie-memory/reverie/indexer"
)

// Writers wait while the index is far behind, the longer the further, and not without end.
func TestWritersWaitForAnIndexThatIsBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, c := range []struct {
			behind int64
			want   time.Duration
		}{
			{0, 0},
			{4 << 20, 0},
			{5 << 20, 100 * time.Millisecond},
			{8 << 20, 400 * time.Millisecond},
			{1 << 40, 500 * time.Millisecond},
		} {
			began := time.Now()
			indexer.Behind(c.behind).Pace(t.Context())
			if took := time.Since(began); took != c.want {
				t.Errorf("%d bytes behind: %v, want %v", c.behind, took, c.want)
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		began := time.Now()
		if indexer.Behind(1 << 40).Pace(ctx); time.Since(began) > 0 {
			t.Error("who gave up waits")
		}
	})
}
