package follower

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/reverie-memory/reverie/vault"
)

// A lag knows the looks at changed files that are under way.
type lag struct {
	mu    sync.Mutex
	looks map[chan struct{}]bool   // closed when the index has the files
	runs  map[vault.Path]vault.Run // of appends to files that a look has read, or is about to
}

// begin begins a look at files that stand as these runs of appends left them; none of them is a look at everything. end is nil where a look
// has begun in the same runs before: all that is new are appends of our own.
func (l *lag) begin(runs map[vault.Path]vault.Run) (end func()) {
	done := make(chan struct{})
	l.mu.Lock()
	defer l.mu.Unlock()
	edited := len(runs) == 0
	for p, run := range runs {
		edited = edited || run == 0 || run != l.runs[p]
	}
	if !edited {
		return nil
	}
	if l.runs == nil {
		l.runs = map[vault.Path]vault.Run{}
	}
	maps.Copy(l.runs, runs)
	maps.DeleteFunc(l.runs, func(_ vault.Path, run vault.Run) bool { return run == 0 })
	if l.looks == nil {
		l.looks = map[chan struct{}]bool{}
	}
	l.looks[done] = true
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.looks, done)
		close(done)
	}
}

// wait returns when the looks that are under way now have ended, or with the error of ctx.
func (l *lag) wait(ctx context.Context) error {
	l.mu.Lock()
	looks := slices.Collect(maps.Keys(l.looks))
	l.mu.Unlock()
	for _, done := range looks {
		select {
		case <-done:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}
