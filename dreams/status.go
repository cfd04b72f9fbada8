package dreams

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/reverie-memory/reverie/activity"
	"github.com/reverie-memory/reverie/dream"
)

// tellEvery keeps a run of thousands of facts from flooding whoever listens.
const tellEvery = 50 * time.Millisecond

// Totals count the runs since the start.
type Totals struct {
	Runs    map[string]int // by status; failed and cancelled ones as well
	Facts   map[dream.Outcome]int
	Seconds float64
	Tokens  int
	Success time.Time // when the newest run that was consolidated ended, also before this start
}

// Status is how consolidation stands.
type Status struct {
	dream.Decision                 // what the gate would decide now
	Running        *dream.Progress // nil: no run is under way
	Job            string          // of that run
	Check          time.Time       // when the gate is looked at next; zero where nobody looks
	Newest         *dream.Report   // the newest run that is done and not taken back
	Held           *HeldError      // who dreams in steps; nil: nobody
	LastError      string          // why the last attempt failed
	Totals         Totals
}

// Status says what the gate would decide now, what the last run did and how far one is that runs.
func (d *Dreams) Status(ctx context.Context) (Status, error) {
	dec, err := d.Decide(ctx, false)
	if err != nil {
		return Status{}, err
	}
	out := Status{Decision: dec}
	if p, ok := d.Running(); ok {
		out.Running = &p
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.job != nil {
		out.Job = d.job.task.Job().ID
	}
	if s := d.held(); s != nil {
		out.Held = s.taken()
	}
	out.Check, out.Newest, out.LastError, out.Totals = d.next, d.newest, cmp.Or(d.lastErr, dec.Failed.Why), d.totals
	out.Totals.Runs, out.Totals.Facts = maps.Clone(d.totals.Runs), maps.Clone(d.totals.Facts)
	return out, nil
}

// begin notes the run that starts, unless another is dreamt in steps.
func (d *Dreams) begin(at *work, of *stepped) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if s := d.held(); s != nil && s != of {
		return s.taken()
	}
	d.job, d.phase, d.told = at, "", time.Time{}
	return nil
}

// end notes how it ended.
func (d *Dreams) end(rep dream.Report, err error) {
	d.mu.Lock()
	d.job = nil
	switch {
	case err == nil && rep.Run == "": // there was nothing to do
	case err == nil:
		d.lastErr = ""
	case errors.Is(err, dream.ErrRunning):
	case errors.Is(err, dream.ErrCanceled), errors.Is(err, context.Canceled):
		d.totals.Runs["cancelled"]++
	default:
		d.lastErr = err.Error()
		d.totals.Runs["failed"]++
	}
	d.mu.Unlock()
	if err == nil {
		d.count(rep)
	}
}

// count adds a finished run to the totals. A dry run, and one that found nothing to do, is none.
func (d *Dreams) count(rep dream.Report) {
	if rep.Run == "" || rep.Status == dream.Planned || rep.Status == dream.NothingPending {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	t := &d.totals
	t.Runs[string(rep.Status)]++
	t.Seconds += rep.Seconds
	if rep.Model != nil {
		t.Tokens += rep.Model.Input + rep.Model.Output
	}
	if rep.Status != dream.RolledBack && rep.Status != dream.NoChange { // whose facts still wait
		for outcome, n := range rep.Ledger {
			t.Facts[outcome] += n
		}
	}
	d.noteNewest(rep)
}

// noteNewest needs d.mu.
func (d *Dreams) noteNewest(rep dream.Report) {
	d.newest = &rep
	if rep.Status == dream.Consolidated {
		d.totals.Success = rep.Started.Add(time.Duration(rep.Seconds * float64(time.Second)))
	}
}

// remember reads what the runs said that are in the vault.
func (d *Dreams) remember(ctx context.Context) error {
	runs, err := d.Runs(ctx)
	if err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.newest, d.totals.Success, d.stepEnd = nil, time.Time{}, nil
	for i := len(runs) - 1; i >= 0; i-- { // the newest last
		if !runs[i].Undone {
			d.noteNewest(runs[i])
		}
	}
	return nil
}

// Progress passes on how far the run is.
func (d *Dreams) Progress(p dream.Progress) {
	d.mu.Lock()
	at := d.job
	tell := p.Phase != d.phase || p.Done == p.Total || time.Since(d.told) > tellEvery
	if tell {
		d.phase, d.told = p.Phase, time.Now()
	}
	d.mu.Unlock()
	move := func(j *activity.Job) { j.Phase, j.Done, j.Total, j.Unit = p.Phase, p.Done, p.Total, p.Unit }
	switch {
	case !tell:
	case at == nil: // what a crash left is gone on with: it is no job
		j := activity.Job{State: "running"}
		move(&j)
		d.opt.News.Send("dream", phrase(j), nil)
	default:
		at.task.Update(move)
	}
}

// phrase tells of a job in a line.
func phrase(j activity.Job) string {
	switch {
	case j.State != "running":
		return j.State
	case j.Total == 0:
		return j.Phase
	}
	return fmt.Sprintf("%s: %d of %d %s", j.Phase, j.Done, j.Total, j.Unit)
}
