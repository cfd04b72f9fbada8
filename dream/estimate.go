package dream

import (
	"context"
	"fmt"

	"github.com/reverie-memory/reverie/vault"
)

// Estimate tells what the next run would ask of the model, at most. Nothing is asked.
func (r *Runner) Estimate(ctx context.Context) (Estimate, error) {
	d, err := r.Decide(ctx, true)
	if err != nil {
		return Estimate{}, err
	}
	r = New(r.o) // apart from a run that may be under way
	r.o.Progress = nil
	facts, err := r.collect(ctx, "", d.Days)
	if err != nil {
		return Estimate{}, err
	}
	if r.o.Model == nil {
		return Estimate{Facts: len(facts)}, nil
	}
	p, err := r.newPlanner(ctx, "", vault.DayOf(r.o.Vault.Now()))
	if err != nil {
		return Estimate{}, err
	}
	p.take(facts)
	e := r.o.Model.Estimate(p.groups())
	e.Facts, e.Model = len(facts), r.o.Model.Name()
	if r.o.Budget != nil {
		if e.Budget, err = r.o.Budget(ctx); err != nil {
			return e, fmt.Errorf("reading the budget: %w", err)
		}
	}
	return e, nil
}
