package watcher

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fsnotify/fsnotify"
)

// A fake notifier reports what the test says. The folders are real.
type fake struct {
	events chan fsnotify.Event
	errs   chan error
	addErr func(dir string) error

	mu     sync.Mutex
	closed bool
	dirs   map[string]bool
}

func newFake() *fake {
	return &fake{events: make(chan fsnotify.Event), errs: make(chan error), dirs: map[string]bool{}}
}

func (f *fake) Add(dir string) error {
	if f.addErr != nil {
		if err := f.addErr(dir); err != nil {
			return err
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.dirs[dir] = true
	return nil
}

func (f *fake) Remove(dir string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.dirs, dir)
	return nil
}

func (f *fake) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.closed {
		f.closed = true
		close(f.events)
		close(f.errs)
	}
	return nil
}

func (f *fake) Events() <-chan fsnotify.Event { return f.events }
func (f *fake) Errors() <-chan error          { return f.errs }

// A rig runs a watcher with a fake notifier inside a synctest bubble.
type rig struct {
	t    *testing.T
	dir  string
	w    *Watcher
	last atomic.Pointer[fake]
	out  chan Batch
}

func inBubble(t *testing.T, setup func(*rig), body func(*rig)) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		r := &rig{t: t, dir: dir, out: make(chan Batch)}
		r.w = &Watcher{Root: dir}
		r.w.open = func() (notifier, error) { f := newFake(); r.last.Store(f); return f, nil }
		if setup != nil {
			setup(r)
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- r.w.Run(ctx, r.out) }()
		body(r)
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("Run: %v", err)
		}
	})
}

func (f *fake) watches() map[string]bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return maps.Clone(f.dirs)
}

// fake is the notifier in use.
func (r *rig) fake() *fake { return r.last.Load() }

func (r *rig) watched(rel ...string) bool {
	return r.fake().watches()[filepath.Join(append([]string{r.dir}, rel...)...)]
}

func (r *rig) event(rel string, op fsnotify.Op) {
	r.fake().events <- fsnotify.Event{Name: filepath.Join(r.dir, rel), Op: op}
}

// want waits for the next batch and says when it came.
func (r *rig) want(want string, after time.Duration) Batch {
	r.t.Helper()
	start := time.Now()
	b := <-r.out
	if got := describe(b, true); got != want {
		r.t.Errorf("got batch %q, want %q", got, want)
	}
	if got := time.Since(start); got != after {
		r.t.Errorf("batch %q came after %v, want %v", want, got, after)
	}
	return b
}

// nothing checks that no batch is on offer for d.
func (r *rig) nothing(d time.Duration) {
	r.t.Helper()
	select {
	case b := <-r.out:
		r.t.Errorf("batch %q came", describe(b, true))
	case <-time.After(d):
	}
}

func (r *rig) mkdir(rel string) {
	r.t.Helper()
	if err := os.MkdirAll(filepath.Join(r.dir, rel), 0o755); err != nil {
		r.t.Fatal(err)
	}
}

func (r *rig) write(rel string) {
	r.t.Helper()
	if err := os.WriteFile(filepath.Join(r.dir, rel), []byte(rel), 0o644); err != nil {
		r.t.Fatal(err)
	}
}

const (
	quiet   = DefaultQuiet
	maxWait = DefaultMaxWait
)
