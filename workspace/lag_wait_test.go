package workspace

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// A question waits for the files that were just seen to change, for as long as settleWait and no longer, and not for those that are seen
// after it was asked.
func TestAQuestionWaitsForTheLooksThatAreUnderWay(t *testing.T) {
	for _, c := range []struct {
		name  string
		takes time.Duration // of the look that is under way
		want  time.Duration
		err   error
	}{
		{"an edit that is read in time", 120 * time.Millisecond, 120 * time.Millisecond, nil},
		{"a page that takes long", time.Hour, settleWait, context.DeadlineExceeded},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var l lag
				time.AfterFunc(c.takes, l.begin())
				time.AfterFunc(time.Millisecond, func() { time.AfterFunc(2*time.Hour, l.begin()) })
				ctx, cancel := context.WithTimeout(t.Context(), settleWait)
				defer cancel()
				asked := time.Now()
				if err := l.wait(ctx); !errors.Is(err, c.err) {
					t.Errorf("%v, want %v", err, c.err)
				}
				if took := time.Since(asked); took != c.want {
					t.Errorf("it waited for %s, want %s", took, c.want)
				}
				time.Sleep(3 * time.Hour)
				if err := l.wait(t.Context()); err != nil || len(l.looks) != 0 {
					t.Errorf("%d looks are left: %v", len(l.looks), err)
				}
			})
		})
	}
}
