package dream

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"sync"
	"time"

	"github.com/reverie-memory/reverie/palace/drawers"
	"github.com/reverie-memory/reverie/project"
	"github.com/reverie-memory/reverie/vault"
)

// Options are what a [Runner] works with.
type Options struct {
	Vault *vault.Vault
	Index Index
	Watch Watch // nil: nobody watches
	Gate  Gate
	// Enabled: the gate may open by itself. A person can always ask.
	Enabled bool
	// Timeout bounds the model's part of a run; 0 is 600 s.
	Timeout time.Duration
	// MemoryMaxLines is the most lines of MEMORY.md; 0 is 200, which is also the most.
	MemoryMaxLines int
	// KeepRuns is how many runs can be undone; below 1 all of them.
	KeepRuns int
	// KeepCopies is how large the copies that those runs keep may be together, in multiples of the vault's Markdown.
	KeepCopies int
	Model      Proposer // nil: the rules alone
	// Days counts the facts of each day that have no outcome; those named in leaveOut are not counted.
	Days func(ctx context.Context, leaveOut Skipped) ([]DayCount, error)
	// Isolated are the wings whose facts stay in their logs, since pages and MEMORY.md are seen from everywhere; nil: none.
	Isolated func() (project.Isolation, error)
	// Moved says where drawers hang now; nil: as their files say.
	Moved func() drawers.State
	// Reads tells how often recall brought which texts; nil: nobody counted.
	Reads func(ctx context.Context) ([]Read, error)
	// Budget is the tokens left today; nil: no model.
	Budget   func(ctx context.Context) (left int, err error)
	Progress func(Progress)
	Log      *slog.Logger
}

// A Read is how often recall brought a text of a file.
type Read struct {
	File vault.Path
	Text string
	N    int
}

// A Request asks for a run.
type Request struct {
	Forced bool // a person asks: past the gate's time and volume
	DryRun bool // plan, show, change nothing

	Batch *Batch   // the facts to consolidate, and no others; nil: those that wait when the run begins
	Model Proposer // who proposes; nil: the runner's own model, where it has one

	chores bool // no facts: only what people asked of the pages since
}

// A Runner consolidates one vault. Its methods may be called from several goroutines; one run happens at a time.
type Runner struct {
	o     Options
	log   *slog.Logger
	store store
	where places

	lock chan struct{} // has room for one: held by whoever changes pages
	mu   sync.Mutex
	busy Progress // of the run that holds lock; Run is "" when there is none
	seen pageCache
	gone vanishedCache
	ages lineAges

	spent map[string]float64 // seconds by phase, of that run
	since time.Time          // when its phase began
}

// New returns a runner. New touches nothing.
func New(o Options) *Runner {
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	if o.Timeout <= 0 {
		o.Timeout = 10 * time.Minute
	}
	if o.Isolated == nil {
		o.Isolated = func() (project.Isolation, error) { return nil, nil }
	}
	if o.Moved == nil {
		o.Moved = func() drawers.State { return nil }
	}
	return &Runner{o: o, log: o.Log, store: store{o.Vault}, where: places{o.Vault.Layout()}, lock: make(chan struct{}, 1)}
}

func (r *Runner) progress(run, phase string, done, total int, unit string) {
	if run == "" { // a draft: nobody waits for it as for a run
		return
	}
	p := Progress{run, phase, done, total, unit}
	r.mu.Lock()
	if now := time.Now(); r.busy.Phase != phase || r.spent == nil {
		r.clock(now)
	}
	r.busy = p
	r.mu.Unlock()
	if r.o.Progress != nil {
		r.o.Progress(p)
	}
}

// clock books the time of the phase that ends. clock needs r.mu.
func (r *Runner) clock(now time.Time) {
	if r.spent == nil {
		r.spent = map[string]float64{}
	} else {
		r.spent[r.busy.Phase] += now.Sub(r.since).Seconds()
	}
	r.since = now
}

// phases are the seconds of each phase so far.
func (r *Runner) phases() map[string]float64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.clock(time.Now())
	return maps.Clone(r.spent)
}

// begin takes the lock, or says who has it.
func (r *Runner) begin() (end func(), err error) {
	select {
	case r.lock <- struct{}{}:
	default:
		return nil, ErrRunning
	}
	r.progress("r-…", "collect", 0, 0, "")
	return r.end, nil
}

// wait takes the lock as soon as it is free.
func (r *Runner) wait(ctx context.Context) (end func(), err error) {
	select {
	case r.lock <- struct{}{}:
		return r.end, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("waiting for the dream that runs: %w", context.Cause(ctx))
	}
}

// end gives the lock back.
func (r *Runner) end() {
	r.mu.Lock()
	r.busy, r.spent = Progress{}, nil
	r.mu.Unlock()
	<-r.lock
}

// Running tells how far the run is that holds the lock.
func (r *Runner) Running() (Progress, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.busy, r.busy.Run != ""
}

// Decide asks the gate.
func (r *Runner) Decide(ctx context.Context, forced bool) (Decision, error) {
	_, running := r.Running()
	d, _, err := r.decide(ctx, forced, running)
	return d, err
}

func (r *Runner) decide(ctx context.Context, forced, running bool) (Decision, state, error) {
	st, err := r.store.state()
	if err != nil {
		return Decision{}, st, fmt.Errorf("reading the dream's state: %w", err)
	}
	pending, later, err := r.pending(ctx)
	if err != nil {
		return Decision{}, st, err
	}
	gs := GateState{
		Now: r.o.Vault.Now(), Pending: pending, LastAttempt: st.LastAttempt,
		Undone: st.Undone, Running: running, Enabled: r.o.Enabled, Forced: forced,
	}
	if len(pending) > 0 && pending[0].Day == st.Batch {
		gs.Failures = st.Failures
	}
	d := r.o.Gate.Decide(gs)
	d.Today, d.LastAttempt = later, st.LastAttempt
	for _, p := range pending {
		d.Pending += p.Facts
	}
	if len(d.Days) > 0 && d.Days[0] == st.Batch {
		d.Failed = st.failed()
	}
	if st.LastError != "" && gs.Failures > 0 {
		d.Reasons = append(d.Reasons, "the last failure: "+st.LastError)
	}
	return d, st, nil
}

// pending are the days that wait for a run, and how many facts of today and later wait for their day to end.
func (r *Runner) pending(ctx context.Context) (waiting []DayCount, later int, err error) {
	mark, _, err := r.o.Vault.Watermark()
	if err != nil {
		return nil, 0, fmt.Errorf("reading the watermark: %w", err)
	}
	skipped, err := r.store.skipped()
	if err != nil {
		return nil, 0, fmt.Errorf("reading what was skipped: %w", err)
	}
	days, err := r.o.Days(ctx, skipped)
	if err != nil {
		return nil, 0, fmt.Errorf("counting pending facts: %w", err)
	}
	now := r.o.Vault.Now()
	for _, d := range days {
		if d.Day >= vault.DayOf(now) {
			later += d.Facts
		}
	}
	return Pending(mark, days, now), later, nil
}

// Tick runs when the gate is open.
func (r *Runner) Tick(ctx context.Context) (ran bool, rep Report, err error) {
	if err := r.ages.look(ctx, r.o.Vault, r.where); err != nil {
		r.log.Warn("what people wrote on pages cannot be noted; it may be taken for older than it is", "err", err)
	}
	d, err := r.Decide(ctx, false)
	if err != nil {
		return false, rep, err
	}
	q := Request{}
	if !d.Run {
		if q.chores, err = r.chores(ctx); err != nil || !q.chores || !r.o.Enabled {
			return false, rep, err
		}
	}
	rep, err = r.Run(ctx, q)
	return !errors.Is(err, ErrRunning), rep, err
}

// chores says whether people asked something of the pages since the last run: they answered a question, confirmed or had something
// forgotten, or took lines out of the logs. That waits for no facts.
func (r *Runner) chores(ctx context.Context) (bool, error) {
	st, err := r.store.state()
	if err != nil {
		return false, fmt.Errorf("reading the dream's state: %w", err)
	}
	tombs, err := r.o.Vault.Tombstones()
	if err != nil {
		return false, fmt.Errorf("reading what was forgotten: %w", err)
	}
	if !tombs.Empty() && tombs.Version() != st.Forgotten {
		return true, nil
	}
	if r.o.Gate.held(GateState{Now: r.o.Vault.Now(), Undone: st.Undone}) {
		return false, nil // what was just taken back would come again
	}
	known, err := r.o.Vault.Accounted()
	if err != nil {
		return false, fmt.Errorf("reading the ledgers: %w", err)
	}
	if _, ticked, err := r.confirmed(known); err != nil || len(ticked) > 0 {
		return err == nil, err
	}
	if _, fresh, err := r.gone.read(ctx, r.o.Vault, known); err != nil || fresh || len(st.Conflicts) == 0 {
		return fresh, err
	}
	now, err := r.items(vault.ConflictsPath)
	if err != nil {
		return false, err
	}
	for i := range st.Conflicts {
		for _, v := range verdicts(&st.Conflicts[i], now) {
			if v.right || v.wrong {
				return true, nil
			}
		}
	}
	return false, nil
}

// Run consolidates one batch. A cancelled ctx ends it with [ErrCanceled]: before the plan was saved nothing happened, and after
// that the next run, or the next start, continues it.
func (r *Runner) Run(ctx context.Context, q Request) (Report, error) {
	end, err := r.begin()
	if err != nil {
		return Report{}, err
	}
	defer end()
	rep, err := r.run(ctx, q)
	if err != nil && ctx.Err() != nil {
		err = fmt.Errorf("%w: %w", ErrCanceled, context.Cause(ctx))
	}
	return rep, err
}

func (r *Runner) run(ctx context.Context, q Request) (Report, error) {
	start := time.Now()
	if !q.DryRun {
		if rep, err := r.recover(ctx); err != nil || rep != nil {
			if rep == nil {
				return Report{}, err
			}
			return *rep, err
		}
	}
	d, st, err := r.decide(ctx, q.Forced || q.DryRun, false)
	if err != nil {
		return Report{}, err
	}
	if q.chores {
		d.Days, d.Skip = nil, false
	} else if q.Batch != nil {
		d.Days, d.Skip = q.Batch.days, false
	} else if !d.Run && !q.Forced && !q.DryRun {
		return Report{
			Status: NothingPending, Mode: ModeNone, Days: []vault.Day{},
			Ledger: tally(nil), Pages: []PageChange{}, Notes: d.Reasons,
		}, nil
	}
	now := r.o.Vault.Now()
	run, err := r.store.newID(now)
	if err != nil {
		return Report{}, fmt.Errorf("naming the run: %w", err)
	}
	if !q.DryRun && !q.chores {
		st.LastAttempt, st.Undone = now, time.Time{}
		if err := r.store.saveState(st); err != nil {
			return Report{}, err
		}
	}
	if !q.DryRun {
		if err := r.ages.look(ctx, r.o.Vault, r.where); err != nil {
			return Report{}, r.failed(ctx, d, err)
		}
	}
	plan, diff, err := r.plan(ctx, run, now, d, st, q)
	if err != nil {
		return Report{}, r.failed(ctx, d, err)
	}
	rep, err := r.carryOut(ctx, plan, d, q, diff)
	rep.Seconds, rep.Phases = time.Since(start).Seconds(), r.phases()
	if err != nil {
		return rep, r.failed(ctx, d, err)
	}
	return rep, nil
}

// carryOut is what becomes of a plan.
func (r *Runner) carryOut(ctx context.Context, plan *Plan, d Decision, q Request, diff string) (Report, error) {
	switch {
	case q.DryRun:
		rep := plan.report(Planned)
		rep.Diff = diff
		if len(plan.Ledger) == 0 && len(plan.Pages) == 0 {
			rep.Status = NothingPending
		}
		rep.Watermark = plan.Was
		return rep, nil
	case d.Skip:
		return r.skip(ctx, plan)
	case len(plan.Pages) == 0 && len(plan.Ledger) == 0 && plan.Watermark == plan.Was:
		rep := plan.report(NothingPending)
		rep.Run, rep.Watermark = "", plan.Was
		return rep, r.settleState(ctx, plan)
	case !r.where.content(plan) && !plan.nothingToWrite():
		rep := plan.report(NoChange)
		rep.Watermark = plan.Was
		r.countFailure(d.Days, "no page would change")
		return rep, nil
	}
	if err := r.store.savePlan(plan); err != nil {
		return Report{}, fmt.Errorf("saving the plan: %w", err)
	}
	return r.complete(ctx, plan)
}

// failed counts a failure of the batch, unless a person stopped it or the disk did: that is not the batch's fault.
func (r *Runner) failed(ctx context.Context, d Decision, err error) error {
	if ctx.Err() == nil && !isVaultTrouble(err) {
		r.countFailure(d.Days, err.Error())
	}
	return err
}

func (r *Runner) countFailure(days []vault.Day, why string) {
	if len(days) == 0 {
		return
	}
	st, err := r.store.state()
	if err == nil {
		if st.Batch != days[0] {
			st.Batch, st.Failures = days[0], 0
		}
		st.Failures++
		st.LastError = why
		err = r.store.saveState(st)
	}
	if err != nil {
		r.log.Error("a failure of the dream could not be counted", "err", err)
	}
}

// settleState keeps what a run without pages learned.
func (r *Runner) settleState(ctx context.Context, plan *Plan) error {
	st, err := r.store.state()
	if err != nil {
		return err
	}
	if st.Forgotten != plan.Forgotten { // what was forgotten may stand in MEMORY.md still
		changed, err := r.renew(ctx, plan.Conflicts, plan.Started)
		if err != nil {
			return err
		}
		if err := r.o.Index.Sync(ctx, changed...); err != nil {
			return fmt.Errorf("indexing what was made anew: %w", err)
		}
	}
	st.Forgotten, st.Conflicts = plan.Forgotten, plan.Conflicts
	r.gone.settled(plan.gone)
	return r.store.saveState(st)
}
