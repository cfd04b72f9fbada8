package workspace

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/dream"
	"github.com/reverie-memory/reverie/dream/agent"
	"github.com/reverie-memory/reverie/forget"
	"github.com/reverie-memory/reverie/vault"
)

// lookEvery is how soon it is looked again whether the schedule's look at the gate became a run.
const lookEvery = 5 * time.Millisecond

// A dreamer consolidates; see [dream.Runner].
type dreamer interface {
	Recover(ctx context.Context) (*dream.Report, error)
	Decide(ctx context.Context, forced bool) (dream.Decision, error)
	Run(ctx context.Context, req dream.Request) (dream.Report, error)
	Tick(ctx context.Context) (ran bool, rep dream.Report, err error)
	Estimate(ctx context.Context) (dream.Estimate, error)
	Runs(ctx context.Context) ([]dream.Report, error)
	RunOf(ctx context.Context, fact string) (string, error)
	Show(ctx context.Context, run string) (dream.Detail, error)
	Undo(ctx context.Context, run string) (dream.UndoReport, error)
	LastAttempt() time.Time
	Failed(batch vault.Day) dream.Failed
	Running() (dream.Progress, bool)
	Kinds() []forget.Kind
}

// dreams has the consolidation of one workspace done: when somebody asks, and by the clock.
type dreams struct {
	w      *Workspace
	runner dreamer

	scheduled bool          // dreams begin by themselves
	settled   chan struct{} // closed when what a crash left is dealt with, as far as that goes

	mu      sync.Mutex
	cancel  context.CancelFunc   // of the run under way
	job     string               // its id
	resumed *resumed             // what a crash left, while it is gone on with
	update  func(func(*api.Job)) // changes its job
	told    time.Time            // when its progress was last told
	phase   string               // that was told
	next    time.Time            // when the gate is looked at next
	lastErr string               // of the last attempt
	left    *dream.Report        // what was gone on with, until somebody is told
	newest  *api.Consolidation   // the newest run that is done and not taken back
	totals  api.DreamTotals
}

// A resumed run is no job, and can be stopped all the same.
type resumed struct {
	cancel context.CancelFunc
	done   chan struct{}
}

// openDreams prepares consolidation and reads what the last run said. Nothing runs before [dreams.schedule].
func (w *Workspace) openDreams(ctx context.Context) {
	w.dreams = &dreams{w: w, settled: make(chan struct{}), totals: api.DreamTotals{Runs: map[string]int{}}}
	w.dreams.runner = w.newDreamer(w.dreams.progress)
	if err := w.dreams.remember(ctx); err != nil {
		w.log.Warn("cannot read the reports of earlier dreams", "err", err)
	}
}

// runner is the real dreamer.
func (w *Workspace) runner(progress func(dream.Progress)) dreamer {
	c := w.opt.Config.Consolidation
	var model dream.Proposer // nil: rules alone
	if m := w.models.dreamer; m != nil {
		model = agent.New(agent.Options{Chat: m, Tools: c.Tools, Budget: w.models.left})
	}
	return dream.New(dream.Options{
		Vault: w.vault, Index: dreamIndex{w}, Watch: w.watcher,
		Gate:    dream.Gate{MinHours: c.MinHours, MinFacts: c.MinFacts, MaxDays: c.MaxDays, MaxRetries: c.MaxRetries},
		Enabled: c.Enabled, Timeout: c.Timeout(), MemoryMaxLines: c.MemoryMaxLines, KeepRuns: c.KeepRuns,
		Model: model, Days: w.factDays, Reads: w.reads, Budget: w.models.left, Progress: progress, Log: w.log,
	})
}

// Consolidate runs a dream now, past the time and volume gates; where one was interrupted it goes on with that one. When ctx ends
// the run is cancelled: nothing is lost, and what was planned already is gone on with later.
func (w *Workspace) Consolidate(ctx context.Context, c api.Consolidate) (api.Consolidation, error) {
	if err := w.WaitReady(ctx); err != nil {
		return api.Consolidation{}, err
	}
	if c.Estimate {
		return w.estimate(ctx)
	}
	if err := w.dreams.settle(ctx); err != nil {
		return api.Consolidation{}, err
	}
	rep, err := w.dreams.run(ctx, func(ctx context.Context) (dream.Report, error) {
		return w.dreams.runner.Run(ctx, dream.Request{Forced: true, DryRun: c.DryRun})
	})
	if err != nil {
		return api.Consolidation{}, refusal(err)
	}
	if left := w.dreams.takeLeft(); left != nil && rep.Status == dream.NothingPending && !c.DryRun {
		rep = *left // that was what had been pending; it is counted already
	}
	return consolidation(rep), nil
}

func (w *Workspace) estimate(ctx context.Context) (api.Consolidation, error) {
	e, err := w.dreams.runner.Estimate(ctx)
	if err != nil {
		return api.Consolidation{}, refusal(err)
	}
	d, err := w.dreams.runner.Decide(ctx, true)
	if err != nil {
		return api.Consolidation{}, refusal(err)
	}
	mark, _, err := w.vault.Watermark()
	if err != nil {
		return api.Consolidation{}, err
	}
	out := consolidation(dream.Report{Status: dream.Planned, Days: d.Days, Watermark: mark})
	cost := api.DreamEstimate(e)
	out.Estimate = &cost
	return out, nil
}

// UndoDream takes a run back.
func (w *Workspace) UndoDream(ctx context.Context, r api.DreamRun) (api.UndoResult, error) {
	if err := w.WaitReady(ctx); err != nil {
		return api.UndoResult{}, err
	}
	if err := w.dreams.settle(ctx); err != nil {
		return api.UndoResult{}, err
	}
	u, err := w.dreams.runner.Undo(ctx, runOf(r.ID))
	if err != nil {
		return api.UndoResult{}, undoRefusal(u, err)
	}
	if err := w.dreams.remember(ctx); err != nil {
		return api.UndoResult{}, err
	}
	w.events.send("dream", "undone "+u.Run, nil)
	return api.UndoResult{RunID: u.Run, Restored: texts(u.Restored), Kept: texts(u.Kept), Gone: texts(u.Gone), Watermark: string(u.Watermark)}, nil
}

// CancelDream stops the run under way and waits until it has stopped.
func (w *Workspace) CancelDream(ctx context.Context) (api.DreamCancelled, error) {
	d := w.dreams
	d.mu.Lock()
	cancel, id, left := d.cancel, d.job, d.resumed
	d.mu.Unlock()
	p, running := d.runner.Running()
	var done <-chan struct{}
	switch b := w.jobs.find(id); {
	case cancel != nil && b != nil:
		done = b.done
	case left != nil && running:
		cancel, done = left.cancel, left.done
	default:
		return api.DreamCancelled{}, &api.Error{Code: api.NotFound, Detail: "no dream is running"}
	}
	cancel()
	select {
	case <-done:
	case <-ctx.Done():
		return api.DreamCancelled{}, ctx.Err()
	}
	return api.DreamCancelled{RunID: p.Run}, nil
}

// run has work done as the one job of its kind, so that its progress can be watched, and waits for its end. It is cancelled
// when ctx or the workspace ends.
func (d *dreams) run(ctx context.Context, work func(context.Context) (dream.Report, error)) (rep dream.Report, err error) {
	changed := func(j api.Job) {
		if j.Phase != "" { // a look at the gate that led to nothing is no news
			d.w.events.send("dream", d.phrase(j), &j)
		}
	}
	job := func(closing context.Context, update func(func(*api.Job))) error {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(closing, cancel)()
		d.begin(update, cancel)
		rep, err = guard(ctx, work, d.w)
		d.end(rep, err)
		return err
	}
	for {
		b, started := d.w.jobs.start("dream", "", changed, job)
		if b == nil {
			return dream.Report{}, errClosing
		}
		if started {
			<-b.done // the run ends soon after ctx, in a state that it can be gone on from
			return rep, err
		}
		if _, running := d.runner.Running(); running {
			return dream.Report{}, dream.ErrRunning
		}
		select { // the schedule only looks at the gate
		case <-b.done:
		case <-time.After(lookEvery):
		case <-ctx.Done():
			return dream.Report{}, fmt.Errorf("%w: %w", dream.ErrCanceled, ctx.Err())
		}
	}
}

// guard turns a panic into an error: a defect in consolidation must not take the memory down with it.
func guard(ctx context.Context, work func(context.Context) (dream.Report, error), w *Workspace) (rep dream.Report, err error) {
	defer func() {
		if r := recover(); r != nil {
			w.log.Error("the dream broke off; this is a defect", "panic", r, "stack", string(debug.Stack()))
			err = fmt.Errorf("the dream broke off, this is a defect: %v", r)
		}
	}()
	return work(ctx)
}

// goOn continues what a crash or a cancelled run left. It is no job: nobody asked for it.
func (d *dreams) goOn(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	left := &resumed{cancel, make(chan struct{})}
	defer close(left.done)
	note := func(r *resumed) {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.resumed = r
	}
	note(left)
	defer note(nil)
	rep, err := guardLeft(ctx, d)
	if err != nil {
		return fmt.Errorf("go on with the dream that was interrupted: %w", err)
	}
	if rep != nil {
		d.count(*rep)
		d.mu.Lock()
		d.left = rep
		d.mu.Unlock()
		d.w.log.Info("went on with the dream that was interrupted", "run", rep.Run, "status", rep.Status)
	}
	return nil
}

// guardLeft is [guard] for what a crash left.
func guardLeft(ctx context.Context, d *dreams) (left *dream.Report, err error) {
	_, err = guard(ctx, func(ctx context.Context) (rep dream.Report, err error) {
		left, err = d.runner.Recover(ctx)
		return rep, err
	}, d.w)
	return left, err
}

// settle waits until what a crash left is dealt with: asking for a dream right after a start must not be told that one is running.
func (d *dreams) settle(ctx context.Context) error {
	if !d.scheduled {
		return nil // the next run deals with it
	}
	select {
	case <-d.settled:
		return nil
	case <-ctx.Done():
		return refusal(fmt.Errorf("%w: %w", dream.ErrCanceled, ctx.Err()))
	}
}

// takeLeft gives the report of what was gone on with, once.
func (d *dreams) takeLeft() *dream.Report {
	d.mu.Lock()
	defer d.mu.Unlock()
	left := d.left
	d.left = nil
	return left
}

// refusal gives what stands in the way the words and the hint for a person.
func refusal(err error) error {
	switch {
	case errors.Is(err, dream.ErrRunning):
		return &api.Error{
			Code: api.Conflict, Detail: "a dream is running already", Err: err,
			Hint: "`reverie dream` shows how far it is; wait for it, or stop it with `reverie dream cancel`",
		}
	case errors.Is(err, dream.ErrCanceled):
		return &api.Error{Code: api.Conflict, Detail: "the dream was cancelled", Err: err, Hint: "nothing is lost; the next run goes on with it"}
	case errors.Is(err, dream.ErrNoRun):
		return &api.Error{Code: api.NotFound, Detail: err.Error(), Err: err}
	}
	return err
}
