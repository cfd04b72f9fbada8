package watcher

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fsnotify/fsnotify"
)

// taken is a call of Take that is under way.
func (r *rig) taken() <-chan Batch {
	out := make(chan Batch, 1)
	go func() {
		b, err := r.w.Take(r.t.Context())
		if err != nil {
			r.t.Error(err)
		}
		out <- b
	}()
	return out
}

func (r *rig) cookie(name string) {
	r.fake().events <- fsnotify.Event{Name: filepath.Join(r.w.Cookies, name), Op: fsnotify.Chmod}
}

// TestTakeWaitsForWhatWasChangedBefore: what the system reports before the cookie belongs to the answer.
func TestTakeWaitsForWhatWasChangedBefore(t *testing.T) {
	dir, err := resolve(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	inBubble(t, func(r *rig) { r.w.Cookies = dir }, func(r *rig) {
		<-r.out
		for range 3 { // the same cookie serves again
			b := r.taken()
			synctest.Wait()
			r.write("a.md")
			r.event("a.md", fsnotify.Write)
			synctest.Wait()
			select {
			case <-b:
				t.Fatal("it did not wait")
			default:
			}
			r.cookie("0")
			if got := describe(<-b, true); got != "a.md" {
				t.Errorf("%q", got)
			}
		}
		first, second := r.taken(), r.taken()
		synctest.Wait()
		r.cookie("0")
		r.cookie("1")
		<-first
		<-second
	})
}

// TestTakeKnowsTheEditOfAMomentAgo: with the notification of the system, which promises the order on Linux.
func TestTakeKnowsTheEditOfAMomentAgo(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only inotify reports the changes of all folders in order")
	}
	root := t.TempDir()
	w := &Watcher{Root: root, Cookies: filepath.Join(t.TempDir(), "cookies")}
	ctx, cancel := context.WithCancel(t.Context())
	out, ended := make(chan Batch), make(chan error, 1)
	go func() { ended <- w.Run(ctx, out) }()
	<-out
	for i := range 300 {
		name := fmt.Sprintf("p%d.md", i%7)
		if err := os.WriteFile(filepath.Join(root, name), []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		b, err := w.Take(ctx)
		if err == nil && !slices.Contains(b.Paths, name) && time.Since(start) >= cookieWait {
			t.Logf("edit %d: the machine is too busy to tell of a change within %s", i, cookieWait)
			break
		}
		if err != nil || !slices.Contains(b.Paths, name) {
			t.Errorf("edit %d of %s: %+v, %v", i, name, b, err)
		}
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestCookiesThatDoNotCome: nobody waits long for them, and after some not at all, until the folder is watched anew.
func TestCookiesThatDoNotCome(t *testing.T) {
	dir, err := resolve(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	inBubble(t, func(r *rig) { r.w.Cookies = dir }, func(r *rig) {
		<-r.out
		took := func() time.Duration {
			start := time.Now()
			<-r.taken()
			return time.Since(start)
		}
		for range cookiesMissed {
			if d := took(); d != cookieWait {
				t.Errorf("waited %s", d)
			}
		}
		if d := took(); d != 0 {
			t.Errorf("waited %s for what never comes", d)
		}
		time.Sleep(DefaultSweep) // a look everywhere puts new watches on
		<-r.out
		if d := took(); d != cookieWait {
			t.Errorf("waited %s after the folder was watched anew", d)
		}
	})
}
