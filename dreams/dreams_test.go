package dreams

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/reverie-memory/reverie/activity"
	"github.com/reverie-memory/reverie/dream"
	"github.com/reverie-memory/reverie/forget"
	"github.com/reverie-memory/reverie/vault"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// sleeper is a dreamer that does what a test says.
type sleeper struct {
	progress func(dream.Progress)
	report   dream.Report
	err      error
	hold     chan struct{} // a run waits until it is closed, or its context ends
	panics   bool
	open     bool
	runs     []dream.Report
	recovery chan struct{} // Recover waits until it is closed
	batch    *dream.Batch
	left     *dream.Report // what Recover goes on with

	running atomic.Bool

	mu    sync.Mutex
	calls []string
}

func (s *sleeper) call(what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, what)
}

func (s *sleeper) called() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.calls, " ")
}

func (s *sleeper) Recover(ctx context.Context) (*dream.Report, error) {
	s.call("recover")
	if s.panics {
		panic("a defect")
	}
	if s.recovery != nil {
		s.running.Store(true)
		defer s.running.Store(false)
		select {
		case <-s.recovery:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	left := s.left
	s.left = nil
	return left, nil
}

func (s *sleeper) Decide(context.Context, bool) (dream.Decision, error) {
	return dream.Decision{Run: s.open, Reasons: []string{"a reason"}}, nil
}

func (s *sleeper) Run(ctx context.Context, req dream.Request) (dream.Report, error) {
	s.running.Store(true)
	defer s.running.Store(false)
	s.call("run")
	s.progress(dream.Progress{Run: "r-1", Phase: "plan", Done: 1, Total: 2, Unit: "facts"})
	if s.panics {
		panic("a defect")
	}
	if s.hold != nil {
		select {
		case <-s.hold:
		case <-ctx.Done():
			return dream.Report{}, fmt.Errorf("%w: %w", dream.ErrCanceled, ctx.Err())
		}
	}
	rep := s.report
	if req.DryRun {
		rep.Status = dream.Planned
	}
	return rep, s.err
}

func (s *sleeper) Tick(ctx context.Context) (bool, dream.Report, error) {
	s.call("tick")
	if !s.open {
		return false, dream.Report{}, nil
	}
	rep, err := s.Run(ctx, dream.Request{})
	return true, rep, err
}

func (s *sleeper) Estimate(context.Context) (dream.Estimate, error) {
	return dream.Estimate{Facts: 3, Model: "m", Calls: 2}, nil
}
func (s *sleeper) Runs(context.Context) ([]dream.Report, error) { return s.runs, nil }
func (s *sleeper) Show(context.Context, string) (dream.Detail, error) {
	return dream.Detail{}, dream.ErrNoRun
}

func (s *sleeper) Undo(context.Context, string) (dream.UndoReport, error) {
	return dream.UndoReport{Run: "r-1", Clashes: []string{"2_Wiki/Alice.md: - her own line"}}, dream.ErrClash
}

func (s *sleeper) Past(context.Context, time.Time) (dream.Past, error) {
	return dream.Past{}, nil
}

func (s *sleeper) Since(vault.Path, []byte, vault.Day, bool) (map[int]bool, bool, error) {
	return nil, false, nil
}
func (s *sleeper) Younger(vault.Path, vault.FileInfo, vault.Day) bool { return false }
func (s *sleeper) Unseen(time.Time) (func(string) bool, error)        { return nil, nil }
func (s *sleeper) RunOf(context.Context, string) (string, error)      { return "", dream.ErrNoRun }

func (s *sleeper) Running() (dream.Progress, bool) { return dream.Progress{}, s.running.Load() }

func (s *sleeper) Batch(context.Context) (*dream.Batch, error)               { return s.batch, nil }
func (s *sleeper) Draft(context.Context, *dream.Batch, dream.Proposer) error { return nil }

func (s *sleeper) Kinds() []forget.Kind { return []forget.Kind{{Name: "page"}, {Name: "run"}} }

// A bed is the dreams of a sleeper with what they work with.
type bed struct {
	*Dreams
	jobs activity.Jobs
	news activity.News
}

// asleep opens dreams over a sleeper. With schedule the gate is looked at every second.
func asleep(t *testing.T, s *sleeper, schedule bool) *bed {
	t.Helper()
	return asleepFor(t, s, schedule, time.Second)
}

func asleepFor(t *testing.T, s *sleeper, schedule bool, interval time.Duration) *bed {
	t.Helper()
	b := &bed{}
	b.Dreams = New(Options{
		Jobs: &b.jobs, News: &b.news, Now: time.Now, Log: slog.New(slog.DiscardHandler), Scheduled: schedule, Interval: interval,
		First: time.Nanosecond,
	})
	s.progress = b.Progress
	b.Open(t.Context(), s)
	ctx, stop := context.WithCancel(context.Background())
	var done sync.WaitGroup
	if schedule {
		done.Go(func() { b.Run(ctx, func(context.Context) error { return nil }) })
	}
	t.Cleanup(func() {
		b.jobs.Stop()
		stop()
		done.Wait()
	})
	return b
}

func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

func TestConsolidateIsAJobWithProgress(t *testing.T) {
	s := &sleeper{report: dream.Report{
		Run: "r-1", Status: dream.Consolidated, Facts: 2, Seconds: 0.5, Started: time.Date(2026, 6, 10, 3, 0, 0, 0, time.UTC),
		Ledger: map[dream.Outcome]int{dream.Kept: 1, dream.Dropped: 1}, Pages: []dream.PageChange{{Path: "2_Wiki/A.md", Change: "created"}},
	}}
	w := asleep(t, s, false)
	events := activity.Listen(t.Context(), &w.news, func(e activity.Event) activity.Event { return e })
	r, err := w.Consolidate(t.Context(), false)
	if err != nil || r.Run != "r-1" || r.Status != dream.Consolidated || r.Ledger[dream.Kept] != 1 || len(r.Pages) != 1 {
		t.Fatalf("%+v: %v", r, err)
	}
	var job *activity.Job
	said := ""
	for len(events) > 0 {
		if e := <-events; e.Kind == "dream" {
			job, said = e.Job, said+e.Text+"\n"
		}
	}
	if job == nil || job.State != "done" || !strings.Contains(said, "plan: 1 of 2 facts") {
		t.Errorf("job %+v, events:\n%s", job, said)
	}
	if j, ok := w.jobs.Get(job.ID); !ok || j.Kind != "dream" || j.Phase != "plan" {
		t.Errorf("job %+v", j)
	}
	st, err := w.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if st.Newest == nil || st.Newest.Run != "r-1" || st.Totals.Runs["consolidated"] != 1 || st.Totals.Facts[dream.Kept] != 1 ||
		!st.Totals.Success.Equal(s.report.Started.Add(time.Second/2)) || !st.Check.IsZero() {
		t.Errorf("%+v", st)
	}
}

func TestADryRunIsNotCounted(t *testing.T) {
	w := asleep(t, &sleeper{report: dream.Report{Run: "r-1", Diff: "--- a"}}, false)
	if r, err := w.Consolidate(t.Context(), true); err != nil || r.Status != dream.Planned || r.Diff == "" {
		t.Errorf("%+v: %v", r, err)
	}
	if st, err := w.Status(t.Context()); err != nil || len(st.Totals.Runs) > 0 || st.Newest != nil {
		t.Errorf("%+v: %v", st, err)
	}
}

// The facts of a run that changed nothing still wait.
func TestFactsThatStillWaitAreNotCounted(t *testing.T) {
	for _, status := range []dream.Status{dream.NoChange, dream.RolledBack} {
		w := asleep(t, &sleeper{report: dream.Report{Run: "r-1", Status: status, Ledger: map[dream.Outcome]int{dream.Kept: 3}}}, false)
		if _, err := w.Consolidate(t.Context(), false); err != nil {
			t.Fatal(err)
		}
		st, err := w.Status(t.Context())
		if err != nil || st.Totals.Runs[string(status)] != 1 || st.Totals.Facts[dream.Kept] != 0 {
			t.Errorf("%s: %+v: %v", status, st.Totals, err)
		}
	}
}

func TestOneDreamAtATime(t *testing.T) {
	s := &sleeper{hold: make(chan struct{}), report: dream.Report{Run: "r-1", Status: dream.Consolidated}}
	w := asleep(t, s, false)
	first := make(chan error, 1)
	go func() {
		_, err := w.Consolidate(context.Background(), false)
		first <- err
	}()
	eventually(t, "the run", func() bool { return s.called() == "run" })
	if _, err := w.Consolidate(t.Context(), false); !errors.Is(err, dream.ErrRunning) {
		t.Errorf("a second dream: %v", err)
	}
	close(s.hold)
	if err := <-first; err != nil {
		t.Errorf("the first: %v", err)
	}
	if _, err := w.Cancel(t.Context()); !errors.Is(err, ErrNone) {
		t.Errorf("nothing runs: %v", err)
	}
}

func TestADreamEndsWithItsCaller(t *testing.T) {
	for name, stop := range map[string]func(t *testing.T, w *bed, gone context.CancelFunc){
		"gone": func(_ *testing.T, _ *bed, gone context.CancelFunc) { gone() },
		"cancelled": func(t *testing.T, w *bed, _ context.CancelFunc) {
			if _, err := w.Cancel(t.Context()); err != nil {
				t.Error(err)
			}
		},
		"closed": func(_ *testing.T, w *bed, _ context.CancelFunc) { w.jobs.Stop() }, // as Close does
	} {
		t.Run(name, func(t *testing.T) {
			s := &sleeper{hold: make(chan struct{})}
			w := asleep(t, s, false)
			ctx, gone := context.WithCancel(t.Context())
			defer gone()
			ended := make(chan error, 1)
			go func() {
				_, err := w.Consolidate(ctx, false)
				ended <- err
			}()
			eventually(t, "the run", func() bool { return s.called() == "run" })
			stop(t, w, gone)
			if err := <-ended; !errors.Is(err, dream.ErrCanceled) {
				t.Errorf("%v", err)
			}
			if name != "closed" {
				if st, err := w.Status(t.Context()); err != nil || st.Totals.Runs["cancelled"] != 1 || st.LastError != "" {
					t.Errorf("%+v: %v", st, err)
				}
				return
			}
			if _, err := w.Consolidate(t.Context(), false); !errors.Is(err, context.Canceled) {
				t.Errorf("a dream after the end: %v", err)
			}
			if _, _, err := w.jobs.Start("reindex", "files", nil, nil); !errors.Is(err, context.Canceled) {
				t.Errorf("a job after the end: %v", err)
			}
		})
	}
}

func TestADefectiveDreamLeavesTheRestAlone(t *testing.T) {
	w := asleep(t, &sleeper{panics: true}, false)
	if _, err := w.Consolidate(t.Context(), false); err == nil || !strings.Contains(err.Error(), "defect") {
		t.Errorf("%v", err)
	}
	if st, err := w.Status(t.Context()); err != nil || st.Totals.Runs["failed"] != 1 || !strings.Contains(st.LastError, "defect") {
		t.Errorf("%+v: %v", st, err)
	}
}

func TestScheduleGoesOnAndThenLooks(t *testing.T) {
	s := &sleeper{open: true, report: dream.Report{Run: "r-1", Status: dream.Consolidated}}
	w := asleep(t, s, true)
	eventually(t, "a dream", func() bool { return strings.Contains(s.called(), "tick") })
	if got := s.called(); !strings.HasPrefix(got, "recover ") {
		t.Errorf("calls: %s", got)
	}
	if st, err := w.Status(t.Context()); err != nil || st.Check.IsZero() {
		t.Errorf("%+v: %v", st, err)
	}
}

// What a crash left is gone on with behind the scenes; it can be stopped as any other run, and a defect in it takes nothing down.
func TestWhatACrashLeftCanBeStopped(t *testing.T) {
	s := &sleeper{recovery: make(chan struct{})}
	w := asleepFor(t, s, true, time.Hour) // the next look would go on with it again
	eventually(t, "going on", func() bool { return s.running.Load() })
	if _, err := w.Cancel(t.Context()); err != nil || s.running.Load() {
		t.Errorf("%v", err)
	}
	if st, err := w.Status(t.Context()); err != nil || st.LastError != "" {
		t.Errorf("%+v: %v", st, err)
	}
	w = asleep(t, &sleeper{panics: true}, true)
	eventually(t, "the failure", func() bool {
		st, err := w.Status(t.Context())
		return err == nil && strings.Contains(st.LastError, "defect")
	})
}

// The run that a crash left is counted once, though whoever asks next is told of it.
func TestWhatACrashLeftIsCountedOnce(t *testing.T) {
	s := &sleeper{
		left:   &dream.Report{Run: "r-1", Status: dream.Consolidated, Ledger: map[dream.Outcome]int{dream.Kept: 3}},
		report: dream.Report{Status: dream.NothingPending},
	}
	w := asleep(t, s, true)
	if r, err := w.Consolidate(t.Context(), false); err != nil || r.Run != "r-1" {
		t.Errorf("%+v: %v", r, err)
	}
	if st, err := w.Status(t.Context()); err != nil || st.Totals.Runs["consolidated"] != 1 || st.Totals.Facts[dream.Kept] != 3 {
		t.Errorf("%+v: %v", st.Totals, err)
	}
}

// Whoever asks for a dream right after a start gets the report of the one that was interrupted, where nothing more waits.
func TestConsolidateAfterACrash(t *testing.T) {
	s := &sleeper{
		recovery: make(chan struct{}), left: &dream.Report{Run: "r-0", Status: dream.Consolidated, Resumed: true},
		report: dream.Report{Status: dream.NothingPending},
	}
	w := asleep(t, s, true)
	type answer struct {
		r   dream.Report
		err error
	}
	first := make(chan answer, 1)
	go func() {
		r, err := w.Consolidate(context.Background(), false)
		first <- answer{r, err}
	}()
	eventually(t, "the recovery", func() bool { return s.called() == "recover" })
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.Consolidate(gone, false); !errors.Is(err, context.Canceled) {
		t.Errorf("who has gone waits: %v", err)
	}
	close(s.recovery)
	if a := <-first; a.err != nil || a.r.Run != "r-0" || !a.r.Resumed {
		t.Errorf("%+v", a)
	}
	if r, err := w.Consolidate(t.Context(), false); err != nil || r.Status != dream.NothingPending {
		t.Errorf("%+v: %v", r, err)
	}
}

func TestAClosedGateKeepsTheSchedule(t *testing.T) {
	s := &sleeper{}
	w := asleep(t, s, true)
	events := activity.Listen(t.Context(), &w.news, func(e activity.Event) activity.Event { return e })
	eventually(t, "two looks", func() bool { return strings.Count(s.called(), "tick") >= 2 })
	if got := s.called(); strings.Contains(got, "run") {
		t.Errorf("calls: %s", got)
	}
	if st, err := w.Status(t.Context()); err != nil || len(st.Totals.Runs) > 0 {
		t.Errorf("%+v: %v", st, err)
	}
	for len(events) > 0 {
		if e := <-events; e.Kind == "dream" {
			t.Errorf("news of nothing: %+v", e)
		}
	}
}

func TestDue(t *testing.T) {
	at := time.Date(2026, 6, 10, 3, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		name string
		now  time.Time
		want bool
	}{
		{"too early", at.Add(-time.Second), false},
		{"just now", at, true},
		{"after hours of sleep", at.Add(9 * time.Hour), true},
		{"clock set back a little", at.Add(-29 * time.Minute), false},
		{"clock set back by days", at.Add(-48 * time.Hour), true},
	} {
		if got := due(tt.now, at, 30*time.Minute); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}

// A purge changes what the runs say.
func TestPurgedReportsAreReadAgain(t *testing.T) {
	s := &sleeper{runs: []dream.Report{{Run: "r-1", Status: dream.Consolidated}}}
	w := asleep(t, s, false)
	s.runs[0].Run = "r-2"
	kinds := w.Kinds()
	if err := kinds[len(kinds)-1].Purge(t.Context(), nil); err != nil || len(kinds) != 3 {
		t.Errorf("%d kinds: %v", len(kinds), err)
	}
	if st, err := w.Status(t.Context()); err != nil || st.Newest == nil || st.Newest.Run != "r-2" {
		t.Errorf("%+v: %v", st, err)
	}
}
