package activity

import (
	"context"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/reverie-memory/reverie/vault"
)

// TestABurstReachesWhoListens: as many events as one file of a mined folder has at most wait for a listener.
func TestABurstReachesWhoListens(t *testing.T) {
	var n News
	events := Listen(t.Context(), &n, func(e Event) Event { return e })
	const burst = 10_000
	for range burst {
		n.SendFiled([]vault.Drawer{{ID: "d1"}})
	}
	n.Close()
	got := 0
	for range events {
		got++
	}
	if got != burst {
		t.Errorf("%d of %d", got, burst)
	}
}

// TestAJobSaysWhatCanBeDone about a fault of the disk.
func TestAJobSaysWhatCanBeDone(t *testing.T) {
	var j Jobs
	task, _, err := j.Start("mine", "files", func(Job) {}, func(context.Context, *Task) error {
		return fmt.Errorf("copy notes/a.md: %w", syscall.ENOSPC)
	})
	if err != nil {
		t.Fatal(err)
	}
	<-task.done
	if got := task.Job().Error; !strings.HasPrefix(got, "copy notes/a.md: no space left on device; free some space") {
		t.Error(got)
	}
}

// TestWhatAJobMayStillTake is judged by what it took.
func TestWhatAJobMayStillTake(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var j Jobs
		var left []int
		task, _, err := j.Start("mine", "files", func(j Job) { left = append(left, j.ETA) }, func(_ context.Context, task *Task) error {
			for _, done := range []int{0, 10, 20, 40} {
				task.Update(func(j *Job) { j.Done, j.Total = done, 40 })
				time.Sleep(10 * time.Second)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		<-task.Done()
		want := []int{0, 30, 20, 0, 0}
		for i := range want {
			if len(left) != len(want) || left[i] != want[i] {
				t.Fatalf("left are %v, want %v", left, want)
			}
		}
	})
}
