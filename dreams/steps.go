package dreams

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/reverie-memory/reverie/dream"
	"github.com/reverie-memory/reverie/dream/agent"
	"github.com/reverie-memory/reverie/vault"
)

// What a run in steps waits for and gives, where nothing else is set.
const (
	stepTimeout = 15 * time.Minute
	sheetFacts  = 20
	sheetChars  = 12_000
)

// ErrNoSteps is returned where a step names a run that is not dreamt any more.
var ErrNoSteps = errors.New("no dream in steps of that id is open")

// A HeldError says who dreams in steps, and until when, if no further step comes.
type HeldError struct {
	Run   string
	By    string
	Until time.Time
}

func (e *HeldError) Error() string {
	return fmt.Sprintf("%s is dreaming step by step (%s), until %s or its next step", e.By, e.Run, e.Until.UTC().Format(time.RFC3339))
}

// A stepped is a run that is dreamt in steps. Between two of them it is a list of ops in memory and holds nothing up.
type stepped struct {
	id     string
	caller *agent.Caller
	batch  *dream.Batch
	turn   chan struct{} // has room for one: held by the step under way, which owns caller and batch

	// What follows needs Dreams.mu.
	until time.Time // when it ends if no step comes
	busy  int       // steps under way or in the queue: it does not end meanwhile
	named bool      // a step has carried its id
}

// ended is a run in steps that was finished. Whoever missed the answer may ask again.
type ended struct {
	id     string
	report dream.Report
}

func (s *stepped) taken() *HeldError { return &HeldError{s.id, s.caller.Name(), s.until} }

// held is the run that is dreamt in steps. held needs d.mu.
func (d *Dreams) held() *stepped {
	if s := d.steps; s != nil && s.busy == 0 && due(d.opt.Now().Round(0), s.until, 2*d.opt.StepTimeout) {
		d.opt.Log.Info("nobody goes on with the dream in steps: it is dropped, and nothing of it was done", "run", s.id, "by", s.caller.Name())
		d.steps = nil
	}
	return d.steps
}

// Held says who dreams in steps; nil: nobody.
func (d *Dreams) Held() *HeldError {
	d.mu.Lock()
	defer d.mu.Unlock()
	if s := d.held(); s != nil {
		return s.taken()
	}
	return nil
}

// free says who else dreams in steps.
func (d *Dreams) free(of *stepped) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if s := d.held(); s != nil && s != of {
		return s.taken()
	}
	return nil
}

// later puts the look at the gate off while somebody dreams in steps.
func (d *Dreams) later() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	s := d.held()
	if s != nil && s.until.Before(d.next) {
		d.next = s.until
	}
	return s != nil
}

// Next gives facts to propose for, and the run's id, which every further step carries. Without an id it begins a run; where by has begun
// one and its id never came back, that one goes on. No id in the answer: nothing waits.
func (d *Dreams) Next(ctx context.Context, run, by string) (id string, sheet agent.Sheet, lost []string, err error) {
	if err := d.settle(ctx); err != nil {
		return "", sheet, nil, err
	}
	s, leave, err := d.enter(ctx, run, by)
	if errors.Is(err, ErrNoSteps) && run == "" {
		s, leave, err = d.beginSteps(ctx, by)
	}
	if err != nil || s == nil {
		return "", sheet, nil, err
	}
	defer leave()
	err = d.draft(ctx, s, func(ctx context.Context, draft agent.Draft) { sheet = s.caller.Next(ctx, draft) })
	return s.id, sheet, s.caller.Lost(), err
}

// Verdicts tell what became of ops that were proposed.
type Verdicts struct {
	Ops  []agent.Verdict // in their order
	Open []string        // facts of the last sheet without an op
	Lost []string        // ops taken before that are not good any more, and why
}

// Propose hands in ops for the facts of the last sheet.
func (d *Dreams) Propose(ctx context.Context, run string, ops []json.RawMessage) (v Verdicts, err error) {
	s, leave, err := d.enter(ctx, run, "")
	if err != nil {
		return v, err
	}
	defer leave()
	err = d.draft(ctx, s, func(ctx context.Context, draft agent.Draft) { v.Ops, v.Open = s.caller.Take(ctx, draft, ops) })
	v.Lost = s.caller.Lost()
	return v, err
}

// Finish carries out what was taken, has the rules file the rest, and ends as every run does. Asked again it gives the same report. After
// an error the run is open still, and may be finished once more. A dry run only plans.
func (d *Dreams) Finish(ctx context.Context, run string, dry bool) (dream.Report, error) {
	s, leave, err := d.enter(ctx, run, "")
	if errors.Is(err, ErrNoSteps) {
		d.mu.Lock()
		defer d.mu.Unlock()
		if d.stepEnd != nil && d.stepEnd.id == run {
			return d.stepEnd.report, nil
		}
	}
	if err != nil {
		return dream.Report{}, err
	}
	defer leave()
	rep, err := d.ask(ctx, s, dream.Request{Forced: true, DryRun: dry, Batch: s.batch, Model: s.caller})
	if err != nil || dry {
		return rep, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.steps, d.stepEnd = nil, &ended{s.id, rep}
	return rep, nil
}

// Abandon drops a run in steps. Nothing of it was done.
func (d *Dreams) Abandon(ctx context.Context, run string) error {
	s, leave, err := d.enter(ctx, run, "")
	if err != nil {
		return err
	}
	defer leave()
	d.drop(s)
	return nil
}

func (d *Dreams) drop(s *stepped) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.steps == s {
		d.steps = nil
	}
}

// enter waits for the turn of a step of the run that is open; leave ends it, and from then on the run waits for the next step.
func (d *Dreams) enter(ctx context.Context, run, by string) (s *stepped, leave func(), err error) {
	if s, err = d.queue(run, by); err != nil {
		return nil, nil, err
	}
	select {
	case s.turn <- struct{}{}:
	case <-ctx.Done():
		d.leave(s)
		return nil, nil, ctx.Err()
	}
	d.mu.Lock()
	over := d.steps != s // finished or dropped while this one waited
	d.mu.Unlock()
	if over {
		<-s.turn
		return nil, nil, fmt.Errorf("%w: %q", ErrNoSteps, s.id)
	}
	return s, func() { d.leave(s); <-s.turn }, nil
}

// queue finds the run of a step, which is in its queue from then on.
func (d *Dreams) queue(run, by string) (*stepped, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	s := d.held()
	switch {
	case s == nil, run != "" && run != s.id:
		return nil, fmt.Errorf("%w: %q", ErrNoSteps, run)
	case run == "" && (s.named || by == "" || callerName(by) != s.caller.Name()):
		return nil, s.taken()
	}
	s.busy++
	s.until = d.deadline()
	s.named = s.named || run != ""
	return s, nil
}

func (d *Dreams) leave(s *stepped) {
	d.mu.Lock()
	defer d.mu.Unlock()
	s.busy--
	s.until = d.deadline()
}

func (d *Dreams) deadline() time.Time { return d.opt.Now().Round(0).Add(d.opt.StepTimeout) }

// beginSteps begins a run in steps, with its first step under way; nil where nothing waits. What a crash left is gone on with before.
func (d *Dreams) beginSteps(ctx context.Context, by string) (*stepped, func(), error) {
	s := &stepped{id: vault.NewID('n'), caller: agent.NewCaller(callerName(by), d.opt.Sheet), turn: make(chan struct{}, 1)}
	leave, err := d.reserve(ctx, s)
	if err != nil {
		return nil, nil, err
	}
	if err = d.goOn(ctx); err == nil {
		s.batch, err = d.Batch(ctx)
	}
	if err != nil || s.batch.Len() == 0 {
		d.drop(s)
		leave()
		return nil, nil, err
	}
	return s, leave, nil
}

// reserve makes s the run in steps, unless a dream runs or another is in steps.
func (d *Dreams) reserve(ctx context.Context, s *stepped) (leave func(), err error) {
	for {
		at, err := d.claim(s)
		if err != nil {
			return nil, err
		}
		if at == nil {
			return func() { d.leave(s); <-s.turn }, nil
		}
		if _, running := d.Running(); running {
			return nil, dream.ErrRunning
		}
		select { // the schedule only looks at the gate
		case <-at.done:
		case <-time.After(lookEvery):
		case <-ctx.Done():
			return nil, canceled(ctx)
		}
	}
}

// claim makes s the run in steps, with a step under way, where no job is; else it gives the job.
func (d *Dreams) claim(s *stepped) (at *work, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if other := d.held(); other != nil {
		return nil, other.taken()
	}
	if d.job == nil {
		s.turn <- struct{}{}
		s.busy, s.until, d.steps = 1, d.deadline(), s
	}
	return d.job, nil
}

// draft has a step done over the pages as they are now.
func (d *Dreams) draft(ctx context.Context, s *stepped, do func(context.Context, agent.Draft)) error {
	_, err := guard(ctx, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, d.Draft(ctx, s.batch, step{s.caller, do})
	}, d.opt.Log)
	return err
}

// A step is a caller as the proposer of one draft.
type step struct {
	*agent.Caller
	do func(context.Context, agent.Draft)
}

// Propose implements dream.Proposer.
func (s step) Propose(ctx context.Context, groups []dream.Group, wiki dream.Wiki, propose func(*dream.Op) string,
) (dream.ModelUse, error) {
	s.do(ctx, agent.Draft{Groups: groups, Wiki: wiki, Propose: propose})
	return dream.ModelUse{}, nil
}

// callerName is what ledgers and reports call who dreams in steps: never what they call the rules or a person.
func callerName(by string) string {
	by = strings.Join(strings.FieldsFunc(by, func(r rune) bool { return !unicode.IsPrint(r) || unicode.IsSpace(r) }), " ")
	switch by {
	case "", "rules", "person":
		return "assistant"
	}
	return by
}
