package workspace

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/dream"
	"github.com/reverie-memory/reverie/vault"
)

// tellEvery keeps a run of thousands of facts from flooding whoever listens.
const tellEvery = 50 * time.Millisecond

// begin notes the run that starts.
func (d *dreams) begin(update func(func(*api.Job)), cancel context.CancelFunc) {
	id := ""
	update(func(j *api.Job) { id = j.ID })
	d.mu.Lock()
	defer d.mu.Unlock()
	d.update, d.cancel, d.job, d.phase, d.told = update, cancel, id, "", time.Time{}
}

// end notes how it ended.
func (d *dreams) end(rep dream.Report, err error) {
	d.mu.Lock()
	d.update, d.cancel, d.job = nil, nil, ""
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
func (d *dreams) count(rep dream.Report) {
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
		l := ledger(rep.Ledger)
		f := &t.Facts
		for _, sum := range []struct {
			to *int
			n  int
		}{
			{&f.Kept, l.Kept},
			{&f.Merged, l.Merged},
			{&f.Superseded, l.Superseded},
			{&f.Duplicate, l.Duplicate},
			{&f.Conflict, l.Conflict},
			{&f.Dropped, l.Dropped},
			{&f.Unfiled, l.Unfiled},
		} {
			*sum.to += sum.n
		}
	}
	d.noteNewest(rep)
}

// noteNewest needs d.mu.
func (d *dreams) noteNewest(rep dream.Report) {
	c := consolidation(rep)
	d.newest = &c
	if rep.Status == dream.Consolidated {
		d.totals.Success = rfc(rep.Started.Add(time.Duration(rep.Seconds * float64(time.Second))))
	}
}

// remember reads what the runs before this start said.
func (d *dreams) remember(ctx context.Context) error {
	runs, err := d.runner.Runs(ctx)
	if err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.newest, d.totals.Success = nil, ""
	for i := len(runs) - 1; i >= 0; i-- { // the newest last
		if !runs[i].Undone {
			d.noteNewest(runs[i])
		}
	}
	return nil
}

// progress passes on how far the run is.
func (d *dreams) progress(p dream.Progress) {
	d.mu.Lock()
	update := d.update
	tell := p.Phase != d.phase || p.Done == p.Total || time.Since(d.told) > tellEvery
	if tell {
		d.phase, d.told = p.Phase, time.Now()
	}
	d.mu.Unlock()
	switch {
	case !tell:
	case update == nil: // what a crash left is gone on with: it is no job
		d.w.events.send("dream", phrase(p.Phase, p.Done, p.Total, p.Unit), nil)
	default:
		update(func(j *api.Job) { j.Phase, j.Done, j.Total, j.Unit = p.Phase, p.Done, p.Total, p.Unit })
	}
}

// phrase tells of a job in a line.
func (d *dreams) phrase(j api.Job) string {
	if j.State != "running" {
		return j.State
	}
	return phrase(j.Phase, j.Done, j.Total, j.Unit)
}

func phrase(phase string, done, total int, unit string) string {
	if total == 0 {
		return phase
	}
	return fmt.Sprintf("%s: %d of %d %s", phase, done, total, unit)
}

// status says what the gate would decide now, what the last run did and how far one is that runs.
// What waits is counted as the gate counts it.
func (d *dreams) status(ctx context.Context) (out api.Dream, err error) {
	w := d.w
	seen := &counted{}
	dec, err := d.runner.Decide(context.WithValue(ctx, countedKey{}, seen), false)
	if err != nil {
		return out, err
	}
	if w.Ready() != nil {
		dec.Reasons = append(dec.Reasons, "the files are still being read: more may be pending")
	}
	now, today := w.vault.Now(), vault.DayOf(w.vault.Now())
	mark, _, err := w.vault.Watermark()
	if err != nil {
		return out, err
	}
	out = api.Dream{Enabled: w.opt.Config.Consolidation.Enabled, Gate: list(dec.Reasons), Open: dec.Run, LastAttempt: rfc(d.runner.LastAttempt())}
	for _, p := range dream.Pending(mark, seen.days, now) {
		out.Pending += p.Facts
	}
	for _, p := range seen.days {
		if p.Day >= today {
			out.FactsToday += p.Facts
		}
	}
	for _, day := range dec.Days {
		out.NextDays = append(out.NextDays, string(day))
	}
	if !dec.Run {
		out.OpensAt = rfc(dec.Next)
	}
	if p, ok := d.runner.Running(); ok {
		out.Running = &api.DreamProgress{RunID: p.Run, Phase: p.Phase, Done: p.Done, Total: p.Total, Unit: p.Unit}
	}
	if len(dec.Days) > 0 {
		failed := d.runner.Failed(dec.Days[0])
		out.Failures, out.LastError = failed.Times, failed.Why
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if out.Running != nil {
		out.Running.JobID = d.job
	}
	if out.Enabled && d.scheduled {
		out.NextCheck = rfc(d.next)
	}
	if d.newest != nil {
		out.LastRun, out.LastReport = d.newest.Started, d.newest
	}
	if d.lastErr != "" {
		out.LastError = d.lastErr
	}
	out.Totals = d.totals
	out.Totals.Runs = maps.Clone(d.totals.Runs)
	return out, nil
}

// counted carries the days out of the gate's own question to [Workspace.factDays], so that status shows the very numbers that it
// was decided by.
type counted struct{ days []dream.DayCount }

type countedKey struct{}

// rfc writes a time for a program; "" for the zero time.
func rfc(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}
