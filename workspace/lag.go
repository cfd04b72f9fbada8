package workspace

import (
	"context"
	"errors"
	"maps"
	"sync"
	"time"

	"github.com/reverie-memory/reverie/vault"
	"github.com/reverie-memory/reverie/watcher"
)

// settleWait is how long a question waits for files that changed a moment ago, and right after the start for the first
// look at the files. Reading an edited page takes some milliseconds.
const settleWait = 300 * time.Millisecond

// factsWait is how long somebody who asks for a dream waits for the facts of turns that were acknowledged before.
const factsWait = 10 * time.Second

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
	looks := make([]chan struct{}, 0, len(l.looks))
	for done := range l.looks {
		looks = append(looks, done)
	}
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

// Settle is called before an answer is made: it gives the index a moment to read what changed just now. Settle returns why the
// answer may miss something all the same, "" when the index has read all that was seen to change.
func (w *Workspace) Settle(ctx context.Context) string {
	ctx, cancel := context.WithTimeout(ctx, settleWait)
	defer cancel()
	if w.WaitReady(ctx) != nil {
		return "index: the files are still being read, some may be missing"
	}
	b, err := w.watcher.Take(ctx)
	if err == nil {
		w.changed(b)
		err = w.lag.wait(ctx)
	}
	switch {
	case errors.Is(err, watcher.ErrHeldBack):
		return "index: a dream is changing pages, edits are read when it has"
	case err != nil:
		return "index: files that changed just now are not read yet"
	}
	return ""
}

// SettleFacts is called before a dream that somebody asked for: it waits, for a while, until the turns that were acknowledged before have
// given their facts and the index knows those. What takes longer waits for the next dream.
func (w *Workspace) SettleFacts(ctx context.Context) error {
	if err := w.WaitReady(ctx); err != nil {
		return err
	}
	wait, cancel := context.WithTimeout(ctx, factsWait)
	defer cancel()
	err := w.intake.Settle(wait)
	if err == nil {
		err = w.index.Followed(wait)
	}
	if wait.Err() != nil {
		return ctx.Err()
	}
	return err
}

// follow has the index read what was seen to change. Questions wait for it, but not for files to which nobody but this vault has appended
// since they were looked at: whoever appended has told the index, and a caller who wants to wait for that says so.
func (w *Workspace) follow(seen bool, paths []vault.Path) {
	var end func()
	if seen {
		runs := map[vault.Path]vault.Run{}
		for _, p := range paths {
			runs[p] = w.vault.OwnRun(p)
		}
		end = w.lag.begin(runs)
	}
	if end == nil {
		w.index.Notify(paths...)
		return
	}
	go func() { // ends at the latest when the index is closed
		defer end()
		_, _ = w.index.Sync(context.Background(), paths...) // a failure is in Degraded, and is tried again
	}()
}
