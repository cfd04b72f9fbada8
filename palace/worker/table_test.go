package worker

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/robfig/cron/v3"

	"github.com/reverie-memory/reverie/palace/drawers"
	"github.com/reverie-memory/reverie/vault"
)

var midnight, _ = cron.ParseStandard("TZ=UTC 0 0 * * *")

func TestDue(t *testing.T) {
	minute, nightly := When{Every: time.Minute}, When{At: midnight}
	night := time.Date(2026, 6, 10, 0, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		when When
		run  Run
		want time.Time
	}{
		"never ran":                             {minute, Run{}, time.Time{}},
		"waits for its first night":             {nightly, Run{Since: at}, night},
		"missed its first night":                {nightly, Run{Since: at.AddDate(0, 0, -2)}, night.AddDate(0, 0, -2)},
		"was new before the clock was set back": {nightly, Run{Since: at.AddDate(4, 0, 0)}, night},
		"ran just now":                          {minute, Run{Last: at}, at.Add(time.Minute)},
		"ran today":                             {nightly, Run{Last: at}, night},
		"slept over two midnights":              {nightly, Run{Last: at.AddDate(0, 0, -2)}, night.AddDate(0, 0, -2)},
		"the clock was set back":                {nightly, Run{Last: at.AddDate(4, 0, 0)}, night},
		"and for the minute":                    {minute, Run{Last: at.AddDate(4, 0, 0)}, at.Add(time.Minute)},
		"failed once":                           {minute, Run{Last: at.Add(-time.Hour), Tried: at, Failures: 1}, at.Add(time.Minute)},
		"failed four times":                     {minute, Run{Last: at.Add(-time.Hour), Tried: at, Failures: 4}, at.Add(8 * time.Minute)},
		"failed for days":                       {minute, Run{Tried: at, Failures: 5000}, at.Add(time.Hour)},
		"failed at night":                       {nightly, Run{Last: at.AddDate(0, 0, -1), Tried: at, Failures: 1}, at.Add(time.Minute)},
		"failed, in a future": {
			nightly,
			Run{Last: at.AddDate(0, 0, -1), Tried: at.AddDate(1, 0, 0), Failures: 1},
			at.Add(time.Minute),
		},
	} {
		if got := c.run.due(c.when, at); !got.Equal(c.want) {
			t.Errorf("%s: due %v, want %v", name, got, c.want)
		}
	}
}

// clockRoom is a room whose workers only note when they ran.
func clockRoom(t *testing.T, dir string, now func() time.Time, fails func(name string) error) (r *Room, ran func() map[string]int) {
	t.Helper()
	v, err := vault.Open(t.TempDir(), vault.WithClock(now))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = v.Close() })
	r = New(Options{
		Vault: v, Dir: dir, Chat: &fake{},
		Journal: &drawers.Journal{
			Vault: v, Sync: func(context.Context, ...vault.Path) error { return nil }, Known: func() drawers.State { return nil },
		},
		When: map[string]When{
			Process: {Every: time.Minute}, Enrich: {Every: 10 * time.Minute}, Maintain: {At: midnight},
			Centroids: {At: midnight},
		},
	})
	var mu sync.Mutex
	count := map[string]int{}
	r.sweep = func(name string) sweep {
		return func(context.Context) (int, bool, error) {
			mu.Lock()
			defer mu.Unlock()
			count[name]++
			return 0, false, fails(name)
		}
	}
	return r, func() map[string]int {
		mu.Lock()
		defer mu.Unlock()
		out := count
		count = map[string]int{}
		return out
	}
}

func TestTimetable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		var slept atomic.Int64
		now := func() time.Time { return time.Now().Add(time.Duration(slept.Load())) }
		var down atomic.Bool
		errDown := errors.New("the model is down")
		broken := func() error {
			if down.Load() {
				return errDown
			}
			return nil
		}
		r, ran := clockRoom(t, dir, now, func(name string) error {
			if name == Process {
				return broken()
			}
			return nil
		})
		start := func(r *Room) (stop func()) {
			ctx, cancel := context.WithCancel(context.Background())
			done := make(chan struct{})
			go func() { r.Run(ctx, func(context.Context) error { return nil }); close(done) }()
			return func() { cancel(); <-done }
		}
		want := func(what string, process, enrich, maintain int) {
			t.Helper()
			synctest.Wait()
			if got := ran(); got[Process] != process || got[Enrich] != enrich || got[Maintain] != maintain {
				t.Errorf("%s: %v", what, got)
			}
		}
		stop := start(r)
		want("at the first start each once, but for what has its times", 1, 1, 0)
		time.Sleep(time.Hour + time.Second)
		want("in an hour", 60, 6, 0)
		time.Sleep(23 * time.Hour)
		want("in the rest of the day", 23*60, 23*6, 1)
		slept.Add(int64(72 * time.Hour)) // the machine slept
		time.Sleep(heartbeat)
		want("after three days of sleep once", 1, 1, 1)
		slept.Add(-int64(48 * time.Hour)) // the clock is set back
		time.Sleep(time.Minute + heartbeat)
		want("a minute after the clock was set back", 1, 0, 0)
		slept.Add(int64(48 * time.Hour))
		time.Sleep(heartbeat)
		ran()
		stop()
		r, ran = clockRoom(t, dir, now, func(string) error { return broken() })
		stop = start(r)
		time.Sleep(time.Second)
		want("a restart forgets no run", 0, 0, 0)
		down.Store(true)
		time.Sleep(time.Hour)
		got := ran()
		if n := got[Process]; n < 5 || n > 8 {
			t.Errorf("in an hour of failures it ran %d times", n)
		}
		for _, s := range r.Status() {
			if s.Name == Process && (s.Run.Failures == 0 || s.Run.Error != errDown.Error() || s.Next.Sub(now()) > time.Hour) {
				t.Errorf("%+v", s)
			}
		}
		down.Store(false)
		time.Sleep(time.Hour)
		ran()
		time.Sleep(10 * time.Minute)
		want("when it is well again", 10, 1, 0)
		stop()
	})
}

func TestWithoutAModelItIsSaid(t *testing.T) {
	r, _ := clockRoom(t, t.TempDir(), time.Now, nil)
	r.opt.Chat = nil
	if _, err := r.Work(context.Background(), Enrich, nil); !errors.Is(err, ErrNoModel) {
		t.Error(err)
	}
	for _, s := range r.Status() {
		if (s.Idle == "") != (s.Name != Enrich) || (s.Idle == "") == s.Next.IsZero() {
			t.Errorf("%+v", s)
		}
	}
	if name, _ := r.next(); name != Process {
		t.Errorf("%q is next", name)
	}
}

// A backlog of comparisons leaves the machine three quarters of the time, and what only waits for a model none.
func TestWorkersYield(t *testing.T) {
	for spent, want := range map[time.Duration]int{time.Second: 5, 0: 20} {
		synctest.Test(t, func(t *testing.T) {
			r, _ := clockRoom(t, t.TempDir(), time.Now, nil)
			rounds := 0
			r.sweep = func(name string) sweep {
				return func(ctx context.Context) (int, bool, error) {
					if name != Process {
						return 0, false, nil
					}
					rounds++
					time.Sleep(time.Second)
					r.told(func() { r.spent += spent })
					return 1, true, nil
				}
			}
			ctx, cancel := context.WithTimeout(context.Background(), 19500*time.Millisecond)
			defer cancel()
			r.Run(ctx, func(context.Context) error { return nil })
			if rounds != want {
				t.Errorf("%d rounds of which each took %s of this machine's time, want %d", rounds, spent, want)
			}
		})
	}
}
