package dreams

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"github.com/reverie-memory/reverie/activity"
	"github.com/reverie-memory/reverie/dream"
	"github.com/reverie-memory/reverie/dream/agent"
	"github.com/reverie-memory/reverie/forget"
	"github.com/reverie-memory/reverie/vault"
)

// lookEvery is how soon it is looked again whether the schedule's look at the gate became a run.
const lookEvery = 5 * time.Millisecond

// ErrNone is returned where a run is to be stopped and there is none.
var ErrNone = errors.New("no dream is running")

// A Dreamer consolidates; see [dream.Runner].
type Dreamer interface {
	Recover(ctx context.Context) (*dream.Report, error)
	Decide(ctx context.Context, forced bool) (dream.Decision, error)
	Run(ctx context.Context, req dream.Request) (dream.Report, error)
	Tick(ctx context.Context) (ran bool, rep dream.Report, err error)
	Batch(ctx context.Context) (*dream.Batch, error)
	Draft(ctx context.Context, b *dream.Batch, model dream.Proposer) error
	Estimate(ctx context.Context) (dream.Estimate, error)
	Runs(ctx context.Context) ([]dream.Report, error)
	RunOf(ctx context.Context, fact string) (string, error)
	Show(ctx context.Context, run string) (dream.Detail, error)
	Undo(ctx context.Context, run string) (dream.UndoReport, error)
	Past(ctx context.Context, at time.Time) (dream.Past, error)
	Since(p vault.Path, data []byte, day vault.Day, seen bool) (lines map[int]bool, all bool, err error)
	Younger(p vault.Path, info vault.FileInfo, day vault.Day) bool
	Unseen(at time.Time) (func(fact string) bool, error)
	Running() (dream.Progress, bool)
	Kinds() []forget.Kind
}

// Options are what Dreams work with.
type Options struct {
	Jobs *activity.Jobs
	News *activity.News
	Now  func() time.Time
	Log  *slog.Logger

	Scheduled bool          // dreams begin by themselves, once Run is called
	Interval  time.Duration // between two looks at the gate
	First     time.Duration // from the start to the first look; 0 is a minute

	StepTimeout time.Duration // how long a run that is dreamt in steps waits for the next one; 0 is 15 minutes
	Sheet       agent.Bounds  // of what one of its steps gives; 0 is 20 facts and 12,000 characters
}

// Dreams are the runs of one vault. Use [New], then Open; the methods may be called from several goroutines. One run happens at a
// time. The methods that are the Dreamer's own are neither jobs nor counted.
type Dreams struct {
	opt     Options
	Dreamer               // set by Open
	settled chan struct{} // closed when what a crash left is dealt with, as far as that goes

	mu      sync.Mutex
	job     *work         // the run that is a job
	resumed *work         // what a crash left, while it is gone on with: nobody asked for it, so it is no job
	told    time.Time     // when its progress was last told
	phase   string        // that was told
	next    time.Time     // when the gate is looked at next
	lastErr string        // of the last attempt
	left    *dream.Report // what was gone on with, until somebody is told
	newest  *dream.Report // the newest run that is done and not taken back
	totals  Totals
	steps   *stepped // the run that is dreamt in steps; nil, or past its time: there is none
	stepEnd *ended   // the last one that was finished
}

// work is a run under way.
type work struct {
	task   *activity.Task // nil where it is no job
	cancel context.CancelFunc
	done   <-chan struct{}
}

// New returns dreams that are not open yet.
func New(o Options) *Dreams {
	o.First = cmp.Or(o.First, firstCheck)
	o.StepTimeout = cmp.Or(o.StepTimeout, stepTimeout)
	if o.Sheet == (agent.Bounds{}) {
		o.Sheet = agent.Bounds{Facts: sheetFacts, Chars: sheetChars}
	}
	return &Dreams{opt: o, settled: make(chan struct{}), totals: Totals{Runs: map[string]int{}, Facts: map[dream.Outcome]int{}}}
}

// Open reads what the runs before this start said. Progress of the Dreamer must come to [Dreams.Progress].
func (d *Dreams) Open(ctx context.Context, runner Dreamer) {
	d.Dreamer = runner
	if d.opt.Scheduled {
		d.next = d.opt.Now().Add(min(d.opt.First, d.opt.Interval))
	}
	if err := d.remember(ctx); err != nil {
		d.opt.Log.Warn("cannot read the reports of earlier dreams", "err", err)
	}
}

// Consolidate runs a dream now, past the time and volume gates; where one was interrupted it goes on with that one. When ctx ends
// the The work is cancelled: nothing is lost, and what was planned already is gone on with later. A dry run only plans.
func (d *Dreams) Consolidate(ctx context.Context, dry bool) (dream.Report, error) {
	if err := d.settle(ctx); err != nil {
		return dream.Report{}, err
	}
	return d.ask(ctx, nil, dream.Request{Forced: true, DryRun: dry})
}

// ask runs a dream that somebody asked for.
func (d *Dreams) ask(ctx context.Context, of *stepped, q dream.Request) (dream.Report, error) {
	rep, err := d.run(ctx, of, func(ctx context.Context) (dream.Report, error) { return d.Dreamer.Run(ctx, q) })
	if err != nil {
		return dream.Report{}, err
	}
	if left := d.takeLeft(); left != nil && rep.Status == dream.NothingPending && !q.DryRun {
		rep = *left // that was what had been pending; it is counted already
	}
	return rep, nil
}

// Undo takes a run back, "" the newest. The report of one that cannot be taken back says which it is, and where it clashes.
func (d *Dreams) Undo(ctx context.Context, run string) (dream.UndoReport, error) {
	if err := d.settle(ctx); err != nil {
		return dream.UndoReport{}, err
	}
	u, err := d.Dreamer.Undo(ctx, run)
	if err != nil {
		return u, err
	}
	if err := d.remember(ctx); err != nil {
		return u, err
	}
	d.opt.News.Send("dream", "undone "+u.Run, nil)
	return u, nil
}

// Kinds are the Dreamer's kinds of records, and what was read of them here.
func (d *Dreams) Kinds() []forget.Kind {
	return append(d.Dreamer.Kinds(), forget.Kind{
		Name: "report of a run", Purge: func(ctx context.Context, _ *forget.Purge) error { return d.remember(ctx) },
	})
}

// Cancel stops the run under way, waits until it has stopped, and names it. Where none is, it drops one that waits for its next step.
func (d *Dreams) Cancel(ctx context.Context) (run string, err error) {
	d.mu.Lock()
	at, resumed, steps := d.job, d.resumed, d.held()
	if at == nil && resumed == nil && steps != nil {
		d.steps = nil
	}
	d.mu.Unlock()
	p, running := d.Running()
	if at == nil && running {
		at = resumed
	}
	switch {
	case at == nil && steps != nil:
		return steps.id, nil
	case at == nil:
		return "", ErrNone
	}
	at.cancel()
	select {
	case <-at.done:
		return p.Run, nil
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// run has work done as the one job of its kind, so that its progress can be watched, and waits for its end. run is cancelled when ctx or
// the workspace ends. While a run is dreamt in steps there is no other; of is that one, where its end is what is done.
func (d *Dreams) run(ctx context.Context, of *stepped, do func(context.Context) (dream.Report, error)) (rep dream.Report, err error) {
	changed := func(j activity.Job) {
		if j.Phase != "" { // a look at the gate that led to nothing is no news
			d.opt.News.Send("dream", phrase(j), &j)
		}
	}
	job := func(closing context.Context, t *activity.Task) error {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(closing, cancel)()
		if err = d.begin(&work{t, cancel, t.Done()}, of); err != nil {
			return err
		}
		rep, err = guard(ctx, do, d.opt.Log)
		d.end(rep, err)
		return err
	}
	if err := d.free(of); err != nil { // without a job that fails
		return dream.Report{}, err
	}
	for {
		t, started, err := d.opt.Jobs.Start("dream", "", changed, job)
		if err != nil {
			return dream.Report{}, err
		}
		if started {
			<-t.Done() // the run ends soon after ctx, in a state that it can be gone on from
			break
		}
		if _, running := d.Running(); running {
			return dream.Report{}, dream.ErrRunning
		}
		select { // the schedule only looks at the gate
		case <-t.Done():
		case <-time.After(lookEvery):
		case <-ctx.Done():
			return dream.Report{}, canceled(ctx)
		}
	}
	return rep, err
}

func canceled(ctx context.Context) error { return fmt.Errorf("%w: %w", dream.ErrCanceled, ctx.Err()) }

// guard turns a panic into an error: a defect in consolidation must not take the memory down with it.
func guard[T any](ctx context.Context, do func(context.Context) (T, error), log *slog.Logger) (rep T, err error) {
	defer func() {
		if r := recover(); r != nil {
			log.Error("the dream broke off; this is a defect", "panic", r, "stack", string(debug.Stack()))
			err = fmt.Errorf("the dream broke off, this is a defect: %v", r)
		}
	}()
	return do(ctx)
}

// goOn continues what a crash or a cancelled run left.
func (d *Dreams) goOn(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan struct{})
	defer close(done)
	note := func(at *work) {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.resumed = at
	}
	note(&work{nil, cancel, done})
	defer note(nil)
	rep, err := guard(ctx, d.Recover, d.opt.Log)
	if err != nil {
		return fmt.Errorf("go on with the dream that was interrupted: %w", err)
	}
	if rep != nil {
		d.count(*rep)
		d.mu.Lock()
		d.left = rep
		d.mu.Unlock()
		d.opt.Log.Info("went on with the dream that was interrupted", "run", rep.Run, "status", rep.Status)
	}
	return nil
}

// settle waits until what a crash left is dealt with: asking for a dream right after a start must not be told that one is running.
func (d *Dreams) settle(ctx context.Context) error {
	if !d.opt.Scheduled {
		return nil // the next run deals with it
	}
	select {
	case <-d.settled:
		return nil
	case <-ctx.Done():
		return canceled(ctx)
	}
}

// takeLeft gives the report of what was gone on with, once.
func (d *Dreams) takeLeft() *dream.Report {
	d.mu.Lock()
	defer d.mu.Unlock()
	left := d.left
	d.left = nil
	return left
}
