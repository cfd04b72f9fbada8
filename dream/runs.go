package dream

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/vault"
)

// Runs lists the reports of all runs, the newest first.
func (r *Runner) Runs(ctx context.Context) ([]Report, error) {
	runs, err := r.store.runs()
	if err != nil {
		return nil, err
	}
	out := []Report{}
	for _, run := range slices.Backward(runs) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		rep, err := r.store.report(run)
		if errors.Is(err, fs.ErrNotExist) {
			continue // under way, or cut off
		}
		if err != nil {
			r.log.Warn("a report cannot be read", "run", run, "err", err)
			continue
		}
		out = append(out, rep)
	}
	return out, nil
}

// RunOf finds the run whose word on a fact stands: the newest that was not taken back. [ErrNoRun] where none has read it.
func (r *Runner) RunOf(ctx context.Context, fact string) (string, error) {
	runs, err := r.Runs(ctx)
	if err != nil {
		return "", err
	}
	for _, rep := range runs {
		if rep.Undone {
			continue
		}
		lines, err := r.store.ledger(rep.Run)
		if err != nil {
			return "", err
		}
		if slices.ContainsFunc(lines, func(l LedgerLine) bool { return l.Fact == fact }) {
			return rep.Run, nil
		}
	}
	return "", unreadFact(fact)
}

// A Detail is all that is known of a run.
type Detail struct {
	Report
	Ops       []Op         `json:"ops"`
	LedgerOf  []LedgerLine `json:"outcomes"`
	PreImages vault.Path   `json:"pre_images"` // the folder
}

// Show describes a run; "" is the newest.
func (r *Runner) Show(_ context.Context, run string) (Detail, error) {
	if run == "" {
		runs, err := r.store.runs()
		if err != nil {
			return Detail{}, err
		}
		for _, id := range slices.Backward(runs) {
			if r.store.has(id, reportFile) {
				run = id
				break
			}
		}
	}
	if !isRun(run) || !r.store.has(run, reportFile) {
		return Detail{}, noRun(run)
	}
	var d Detail
	var err error
	if d.Report, err = r.store.report(run); err != nil {
		return d, err
	}
	if d.LedgerOf, err = r.store.ledger(run); err != nil {
		return d, err
	}
	plan, err := r.store.plan(run)
	if err != nil {
		return d, err
	}
	d.Ops = append(d.Ops, plan.Drops...)
	for i := range plan.Pages {
		d.Ops = append(d.Ops, plan.Pages[i].Ops...)
	}
	if r.store.has(run, imagesFile) {
		d.PreImages = runPath(run, "pre")
	}
	return d, nil
}

// isRun says whether the text can name a run: it comes from outside, and becomes part of a path.
func isRun(run string) bool { return strings.HasPrefix(run, "r-") && !strings.ContainsAny(run, `/\`) }

// Recover continues or forgets what an earlier program left: a run whose plan was saved is continued, any other never
// happened. The report is nil when there was nothing.
func (r *Runner) Recover(ctx context.Context) (*Report, error) {
	if left, err := r.leftover(); err == nil && !left {
		return nil, nil // without the lock: a look in passing must not turn a run away
	}
	end, err := r.begin()
	if err != nil {
		return nil, err
	}
	defer end()
	return r.recover(ctx)
}

// giveUp counts a failure of a saved plan. After as many as the gate allows the pages are brought back, and the batch is the
// next run's to skip: a plan that can never be carried out must not block all that come after it.
func (r *Runner) giveUp(ctx context.Context, plan *Plan, why error) bool {
	r.countFailure(plan.Days, why.Error())
	st, err := r.store.state()
	if err != nil || len(plan.Days) > 0 && st.Failures < r.o.Gate.MaxRetries {
		return false
	}
	rep := plan.report(RolledBack)
	rep.Watermark = plan.Was
	rep.Notes = append(rep.Notes, "it could not be carried out: "+why.Error())
	changed, err := r.bringBack(plan, &rep)
	if err != nil {
		r.log.Error("a run that cannot be carried out could not be taken back either", "run", plan.Run, "err", err)
		return false
	}
	if err := r.o.Index.Sync(ctx, changed...); err != nil {
		r.log.Warn("the index does not follow the pages that were brought back yet", "run", plan.Run, "err", err)
	}
	return true
}

// leftover says whether a run was cut off, or is under way.
func (r *Runner) leftover() (bool, error) {
	runs, err := r.store.runs()
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(runs, func(run string) bool {
		at := r.store.stage(run)
		return at == isOpen || at == isUndoing
	}), nil
}

func (r *Runner) recover(ctx context.Context) (*Report, error) {
	runs, err := r.store.runs()
	if err != nil {
		return nil, fmt.Errorf("looking for a run that was cut off: %w", err)
	}
	if half, err := r.store.newest(isUndoing); err != nil {
		return nil, err
	} else if half != "" {
		if _, err := r.takeBack(ctx, half); err != nil {
			return nil, fmt.Errorf("finishing the undo of %s: %w", half, err)
		}
	}
	var last *Report
	for _, run := range runs {
		if r.store.stage(run) != isOpen {
			continue
		}
		plan, err := r.store.plan(run)
		if err != nil {
			if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, errPlan) {
				return last, fmt.Errorf("continuing %s: %w", run, err)
			}
			if r.store.has(run, imagesFile) { // it had a plan, which was lost: what it wrote stays known as ours
				r.log.Warn("the plan of a run that was cut off cannot be read; its facts are planned again", "run", run, "err", err)
				if err := r.store.mark(run, failedFile); err != nil {
					return last, fmt.Errorf("giving up %s: %w", run, err)
				}
				continue
			}
			r.log.Info("a run that was cut off before its plan was saved is forgotten", "run", run)
			if err := r.store.v.RemoveState(vault.RunsState + "/" + run); err != nil {
				return last, fmt.Errorf("forgetting %s: %w", run, err)
			}
			continue
		}
		r.log.Info("continuing a run that was cut off", "run", run)
		plan.resumed = true
		start := time.Now()
		var rep Report
		if plan.Skip {
			rep, err = r.skip(ctx, plan)
		} else {
			rep, err = r.complete(ctx, plan)
		}
		if err != nil {
			err = fmt.Errorf("continuing %s: %w", run, err)
			if ctx.Err() != nil || isVaultTrouble(err) || !r.giveUp(ctx, plan, err) {
				return last, err
			}
			continue
		}
		rep.Resumed, rep.Seconds = true, time.Since(start).Seconds()
		if err := r.store.saveReport(&rep); err != nil {
			return last, err
		}
		last = &rep
	}
	if last == nil {
		return nil, nil
	}
	tombs, err := r.o.Vault.Tombstones()
	if err != nil {
		return last, fmt.Errorf("reading what was forgotten: %w", err)
	}
	if st, err := r.store.state(); err == nil && !tombs.Empty() && tombs.Version() != st.Forgotten { // while the plan lay there
		if _, err := r.unmention(ctx); err != nil {
			return last, fmt.Errorf("taking what was forgotten off the pages: %w", err)
		}
	}
	return last, nil
}
