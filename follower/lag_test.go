package follower

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/reverie-memory/reverie/vault"
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
				time.AfterFunc(c.takes, l.begin(nil))
				time.AfterFunc(time.Millisecond, func() { time.AfterFunc(2*time.Hour, l.begin(nil)) })
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

// Of files that grow by our own appends, questions wait for the first look at each run of these: an append behind an edit by hand is no
// reason to miss the edit.
func TestAQuestionWaitsForAnEditBehindWhichWeAppended(t *testing.T) {
	const day, other = vault.Path("memory/archive/2026-06-09.md"), vault.Path("memory/archive/2026-06-10.md")
	type runs = map[vault.Path]vault.Run
	var l lag
	for i, c := range []struct {
		runs
		waits bool
	}{
		{runs{day: 1}, true},
		{runs{day: 1}, false}, // the first look, and an append
		{runs{day: 2}, true},
		{runs{day: 2}, false}, // an edit and an append
		{runs{day: 2, other: 3}, true},
		{runs{other: 3}, false},
		{runs{day: 0}, true},
		{runs{day: 2}, true}, // an edit alone, and that it was taken back
		{nil, true},
		{runs{day: 2}, false},
	} {
		end := l.begin(c.runs)
		if (end != nil) != c.waits {
			t.Errorf("%d: %v: waits %v, want %v", i, c.runs, end != nil, c.waits)
		}
		if end != nil {
			end()
		}
	}
}
