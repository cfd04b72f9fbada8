package watcher

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/google/go-cmp/cmp"
)

func TestStartIsARescan(t *testing.T) {
	inBubble(t, func(r *rig) { r.mkdir("a/b"); r.mkdir(".git/x") }, func(r *rig) {
		r.want("rescan: start", 0)
		want := map[string]bool{r.dir: true, filepath.Join(r.dir, "a"): true, filepath.Join(r.dir, "a", "b"): true}
		if diff := cmp.Diff(want, r.fake().watches()); diff != "" {
			t.Error(diff)
		}
		r.nothing(time.Minute)
	})
}

func TestClocks(t *testing.T) {
	inBubble(t, nil, func(r *rig) {
		r.want("rescan: start", 0)
		r.event("a.md", fsnotify.Create)
		r.event("a.md", fsnotify.Write)
		r.want("a.md", quiet)

		begin := time.Now()
		go func() { // a file that is never quiet
			for time.Since(begin) < 3*time.Second {
				r.event("log.md", fsnotify.Write)
				time.Sleep(50 * time.Millisecond)
			}
		}()
		time.Sleep(time.Second)
		r.event("page.md", fsnotify.Write)
		r.want("page.md", quiet)
		r.want("log.md", maxWait-time.Second-quiet)
		r.want("log.md", time.Second+quiet-50*time.Millisecond)
		r.nothing(time.Minute)
	})
}

// The ways in which editors save, as the events that they cause.
func TestEditorsSettleIntoOnePath(t *testing.T) {
	const c, w, rm, mv, ch = fsnotify.Create, fsnotify.Write, fsnotify.Remove, fsnotify.Rename, fsnotify.Chmod
	type ev struct {
		path string
		op   fsnotify.Op
	}
	for name, events := range map[string][]ev{
		"truncate and write": {{"a.md", w}, {"a.md", w}, {"a.md", w}},
		"rename from temp":   {{"a.md.tmp", c}, {"a.md.tmp", w}, {"a.md.tmp", mv}, {"a.md", c}},
		"hidden temp":        {{".a.md.x1", c}, {".a.md.x1", w}, {".a.md.x1", ch}, {".a.md.x1", mv}, {"a.md", c}},
		"vim with backup": {
			{"4913", c},
			{"4913", ch},
			{"4913", rm},
			{"a.md", mv},
			{"a.md~", c},
			{"a.md", c},
			{"a.md", w},
			{"a.md", ch},
			{"a.md~", rm},
		},
		"vim swap": {{".a.md.swp", c}, {".a.md.swp", w}, {"a.md", w}, {".a.md.swp", rm}},
		"emacs": {
			{".#a.md", c},
			{"#a.md#", c},
			{"#a.md#", w},
			{"a.md", mv},
			{"a.md~", c},
			{"a.md", c},
			{"a.md", w},
			{"#a.md#", rm},
			{".#a.md", rm},
		},
		"Obsidian":            {{"a.md", w}, {"a.md", w}, {"a.md", ch}},
		"delete and recreate": {{"a.md", rm}, {"a.md", c}, {"a.md", w}},
		"folder sync": {{".syncthing.a.md.tmp", c}, {".syncthing.a.md.tmp", w}, {"a.md", rm}, {".syncthing.a.md.tmp", mv}, {
			"a.md",
			c,
		}, {"a.md", ch}},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, nil, func(r *rig) {
				r.want("rescan: start", 0)
				for _, e := range events {
					r.event(e.path, e.op)
					time.Sleep(20 * time.Millisecond)
				}
				got := <-r.out
				if diff := cmp.Diff(Batch{Paths: []string{"a.md"}, Seen: true}, got); diff != "" {
					t.Error(diff)
				}
				r.nothing(time.Minute)
			})
		})
	}
}

func TestSweep(t *testing.T) {
	inBubble(t, func(r *rig) { r.w.Sweep = time.Minute }, func(r *rig) {
		r.want("rescan: start", 0)
		r.mkdir("missed/by the system") // no event for it
		if b := r.want("rescan: sweep", time.Minute); b.Seen {
			t.Error("nothing was seen to change")
		}
		if !r.watched("missed", "by the system") {
			t.Error("the sweep did not watch a folder that was missed")
		}
		time.Sleep(time.Minute - quiet/2)
		r.event("a.md", fsnotify.Write)
		if b := r.want("rescan: sweep", quiet/2); !b.Seen {
			t.Error("the sweep does not say that a change was seen")
		}
		r.nothing(quiet) // the sweep stood for it
	})
}

func TestPause(t *testing.T) {
	inBubble(t, nil, func(r *rig) {
		r.want("rescan: start", 0)
		r.w.Pause()
		r.event("a.md", fsnotify.Write)
		r.nothing(10 * time.Second)
		r.w.Pause()
		r.event("b.md", fsnotify.Write)
		r.event("a.md", fsnotify.Write)
		r.w.Resume()
		r.nothing(10 * time.Second) // two pauses, one resume
		r.w.Resume()
		r.want("a.md b.md", 0)
		r.w.Resume() // one too many
		r.event("c.md", fsnotify.Write)
		r.want("c.md", quiet)

		// A batch that is on offer already is held back as well.
		r.event("d.md", fsnotify.Write)
		time.Sleep(time.Second)
		r.w.Pause()
		r.nothing(time.Minute)
		r.w.Resume()
		r.want("d.md", 0)
	})
}

func TestPauseBeforeRun(t *testing.T) {
	inBubble(t, func(r *rig) { r.w.Pause() }, func(r *rig) {
		r.nothing(time.Minute)
		r.w.Resume()
		r.want("rescan: start", 0)
	})
}

// While the receiver is slow, events go on being taken, and what waits is bounded.
func TestSlowReceiver(t *testing.T) {
	inBubble(t, nil, func(r *rig) {
		r.want("rescan: start", 0)
		r.event("a.md", fsnotify.Write)
		time.Sleep(time.Second) // on offer now
		r.event("b.md", fsnotify.Write)
		r.event("a.md", fsnotify.Write)
		time.Sleep(time.Second)
		r.want("a.md b.md", 0)

		for round := range 3 {
			for i := range MaxPaths / 2 {
				r.event(fmt.Sprintf("%d-%d.md", round, i), fsnotify.Create)
			}
			time.Sleep(time.Second)
		}
		b := <-r.out
		if !b.Rescan || b.Paths != nil || !strings.Contains(b.Reason, "10000") {
			t.Errorf("got %d paths, rescan %v %q", len(b.Paths), b.Rescan, b.Reason)
		}
		r.nothing(time.Minute)
	})
}

func TestOverflow(t *testing.T) {
	inBubble(t, nil, func(r *rig) {
		r.want("rescan: start", 0)
		r.mkdir("new")
		r.event("a.md", fsnotify.Write)
		r.fake().errs <- fsnotify.ErrEventOverflow
		r.want("rescan: too many changes at once, the system dropped some", quiet)
		if !r.watched("new") {
			t.Error("a folder whose event was dropped is not watched")
		}
		r.fake().errs <- errors.New("something else")
		r.want("rescan: something else", quiet)
	})
}

func TestQueueOverflow(t *testing.T) {
	p := &pump{notifier: newFake(), wake: make(chan struct{}, 1), done: make(chan struct{})}
	for range maxQueue + 10 {
		p.put(func() { p.events = append(p.events, fsnotify.Event{Name: "x"}) })
	}
	events, errs := p.take()
	if len(events) != maxQueue || len(errs) != 1 || !errors.Is(errs[0], fsnotify.ErrEventOverflow) {
		t.Errorf("%d events, errors %v", len(events), errs)
	}
	if events, errs = p.take(); len(events)+len(errs) != 0 {
		t.Error("taken twice")
	}
}

func TestWatchLimit(t *testing.T) {
	var limited atomic.Bool
	limited.Store(true)
	inBubble(t, func(r *rig) {
		r.mkdir("a")
		r.mkdir("b")
		r.w.Sweep = time.Minute
		r.w.open = func() (notifier, error) {
			f := newFake()
			f.addErr = func(dir string) error {
				if limited.Load() && dir != r.dir {
					return syscall.ENOSPC
				}
				return nil
			}
			r.last.Store(f)
			return f, nil
		}
	}, func(r *rig) {
		b := <-r.out
		for _, want := range []string{"start; 2 of 3 folders cannot be watched", "every 1m0s", "the first is a", "limit of watched folders"} {
			if !b.Rescan || !strings.Contains(b.Reason, want) {
				t.Errorf("reason %q lacks %q", b.Reason, want)
			}
		}
		if _, err := os.Stat("/proc/sys/fs/inotify"); err == nil && !strings.Contains(b.Reason, "sudo sysctl fs.inotify.max_user_watches=") {
			t.Errorf("reason %q does not say how to raise the limit", b.Reason)
		}
		if !strings.Contains(r.w.Degraded(), "2 of 3") {
			t.Errorf("degraded %q", r.w.Degraded())
		}
		// A new folder that cannot be watched is told at once, with its files.
		r.mkdir("c")
		r.write("c/x.md")
		r.event("c", fsnotify.Create)
		if b = <-r.out; !b.Rescan || !strings.Contains(b.Reason, "3 of 4") {
			t.Errorf("new folder: %q", describe(b, true))
		}
		limited.Store(false)
		r.want("rescan: sweep", time.Minute-quiet)
		if got := r.w.Degraded(); got != "" || len(r.fake().watches()) != 4 {
			t.Errorf("degraded %q with %d watches after the limit was raised", got, len(r.fake().watches()))
		}
	})
}

func TestNoNotificationAtAll(t *testing.T) {
	var broken atomic.Bool
	broken.Store(true)
	inBubble(t, func(r *rig) {
		r.w.Sweep = time.Minute
		open := r.w.open
		r.w.open = func() (notifier, error) {
			if broken.Load() {
				return nil, syscall.EMFILE
			}
			return open()
		}
	}, func(r *rig) {
		b := <-r.out
		if !b.Rescan || !strings.Contains(b.Reason, "only looked for every 1m0s") || !strings.Contains(b.Reason, "limit of") ||
			r.w.Degraded() != b.Reason {
			t.Errorf("batch %q, degraded %q", describe(b, true), r.w.Degraded())
		}
		start := time.Now()
		for i := range 3 { // it goes on by sweep alone
			if b = <-r.out; !b.Rescan || time.Since(start) != time.Duration(i+1)*time.Minute {
				t.Errorf("sweep %d after %v: %q", i, time.Since(start), describe(b, true))
			}
		}
		broken.Store(false)
		b = <-r.out
		if !b.Rescan || r.w.Degraded() != "" || time.Since(start) > 4*time.Minute+time.Second {
			t.Errorf("after the cure: %q, degraded %q", describe(b, true), r.w.Degraded())
		}
		for settled := time.After(30 * time.Second); settled != nil; { // the next sweep may be near
			select {
			case b := <-r.out:
				if !b.Rescan {
					t.Errorf("batch %q", describe(b, true))
				}
			case <-settled:
				settled = nil
			}
		}
		r.event("a.md", fsnotify.Write)
		r.want("a.md", quiet)
	})
}

func TestNotificationEnds(t *testing.T) {
	inBubble(t, nil, func(r *rig) {
		r.want("rescan: start", 0)
		old := r.fake()
		_ = old.Close()
		b := <-r.out
		if !b.Rescan || r.fake() == old {
			t.Errorf("batch %q, restarted %v", describe(b, true), r.fake() != old)
		}
		r.event("a.md", fsnotify.Write)
		r.want("a.md", quiet)
	})
}

func TestRootMovedAway(t *testing.T) {
	inBubble(t, nil, func(r *rig) {
		r.want("rescan: start", 0)
		r.event("a.md", fsnotify.Write)
		old := r.dir
		if err := os.Rename(old, old+"-moved"); err != nil {
			t.Fatal(err)
		}
		r.event("", fsnotify.Rename)
		b := <-r.out
		if !b.RootGone || b.Rescan || b.Paths != nil || !strings.Contains(b.Reason, old) {
			t.Errorf("got %+v", b)
		}
		if !strings.Contains(r.w.Degraded(), "moved away") {
			t.Errorf("degraded %q", r.w.Degraded())
		}
		r.nothing(10 * time.Minute) // said once, through two sweeps
		if err := os.Rename(old+"-moved", old); err != nil {
			t.Fatal(err)
		}
		b = <-r.out
		if !b.Rescan || !strings.Contains(b.Reason, "is back") || r.w.Degraded() != "" {
			t.Errorf("got %+v, degraded %q", b, r.w.Degraded())
		}
	})
}

// A parent folder that is moved causes no event; the sweep notices.
func TestRootReplacedUnseen(t *testing.T) {
	inBubble(t, func(r *rig) { r.w.Sweep = time.Minute }, func(r *rig) {
		r.want("rescan: start", 0)
		if err := os.Rename(r.dir, r.dir+"-old"); err != nil {
			t.Fatal(err)
		}
		r.mkdir("fresh")
		old := r.fake()
		r.want("rescan: sweep", time.Minute)
		if r.fake() == old || !r.watched("fresh") {
			t.Error("the new folder is not watched")
		}
	})
}

func TestFolderEvents(t *testing.T) {
	inBubble(t, func(r *rig) { r.mkdir("old/sub") }, func(r *rig) {
		r.want("rescan: start", 0)
		r.mkdir("new/deep")
		r.write("new/deep/a.md")
		r.write("new/b.md")
		r.write("new/b.md~")
		r.event("new", fsnotify.Create)
		r.want("new/b.md new/deep/a.md", quiet)

		r.event("new/deep", fsnotify.Create) // found by ourselves before its event came
		r.want("new/deep/a.md", quiet)

		r.event("new", fsnotify.Write) // a folder's own date
		r.event("new", fsnotify.Chmod)
		r.nothing(time.Minute)

		if err := os.Rename(filepath.Join(r.dir, "old"), filepath.Join(r.dir, "renamed")); err != nil {
			t.Fatal(err)
		}
		r.event("old", fsnotify.Rename)
		r.event("renamed", fsnotify.Create)
		old := r.fake()
		r.want("rescan: the folder old was moved or removed", quiet)
		if r.fake() == old {
			t.Error("the watches from before the move are still in use")
		}
		if r.watched("old", "sub") || !r.watched("renamed", "sub") {
			t.Errorf("watches after the move: %v", r.fake().watches())
		}

		r.mkdir(".obsidian/plugins")
		r.event(".obsidian", fsnotify.Create)
		r.nothing(time.Minute)
	})
}

// A question takes what was seen without waiting for quiet, and Run does not send that again.
func TestTake(t *testing.T) {
	inBubble(t, nil, func(r *rig) {
		take := func(want string, wantErr error) {
			r.t.Helper()
			synctest.Wait() // the event has arrived
			b, err := r.w.Take(r.t.Context())
			if got := describe(b, b.Rescan || b.RootGone || len(b.Paths) > 0); got != want || !errors.Is(err, wantErr) {
				r.t.Errorf("took %q, %v; want %q, %v", got, err, want, wantErr)
			}
			if b.Seen != (len(b.Paths) > 0) {
				r.t.Errorf("seen %v in %+v", b.Seen, b)
			}
		}
		r.want("rescan: start", 0)
		take("-", nil)
		r.event("a.md", fsnotify.Write)
		take("a.md", nil)
		take("-", nil)
		r.nothing(quiet)

		r.event("b.md", fsnotify.Write)
		time.Sleep(2 * quiet) // on offer by now
		r.event("a.md", fsnotify.Write)
		take("a.md b.md", nil)

		r.w.Pause()
		take("-", nil)
		r.event("c.md", fsnotify.Write)
		take("-", ErrHeldBack)
		r.w.Resume()
		take("c.md", nil)

		time.Sleep(r.w.Sweep + DefaultSweep)
		take("rescan: sweep", nil)
	})
	if b, err := (&Watcher{}).Take(t.Context()); err != nil || len(b.Paths) > 0 || b.Rescan {
		t.Errorf("a watcher that does not run gave %+v, %v", b, err)
	}
}

func TestOwnIgnore(t *testing.T) {
	inBubble(t, func(r *rig) {
		r.w.Ignore = func(rel string, dir bool) bool { return !dir && !strings.HasSuffix(rel, ".md") }
	}, func(r *rig) {
		r.want("rescan: start", 0)
		r.event("x.png", fsnotify.Create)
		r.event(".hidden.md", fsnotify.Create)
		r.want(".hidden.md", quiet)
	})
}

func TestRunErrors(t *testing.T) {
	dir := t.TempDir()
	if err := (&Watcher{Root: filepath.Join(dir, "none")}).Run(t.Context(), nil); err == nil {
		t.Error("a missing folder is no error")
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := (&Watcher{Root: file}).Run(t.Context(), nil); err == nil {
		t.Error("a file is no error")
	}
	inBubble(t, nil, func(r *rig) {
		r.want("rescan: start", 0)
		if err := r.w.Run(t.Context(), r.out); err == nil || !strings.Contains(err.Error(), "already running") {
			t.Errorf("second Run: %v", err)
		}
	})
}
