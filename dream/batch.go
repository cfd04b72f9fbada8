package dream

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/vault"
)

// ErrGivenUp says that the facts which wait have failed too often to be read in steps. [Runner.Run] passes over them.
var ErrGivenUp = errors.New("the days that wait have failed too often; the next dream passes over them and lists their facts for a person")

// A Batch is the facts that waited at one time, for a run over several requests: what comes later waits for the next run.
type Batch struct {
	days  []vault.Day
	facts map[page.Source]bool
}

// Len is how many facts there are.
func (b *Batch) Len() int { return len(b.facts) }

// of are those of the facts that are in the batch; all of them where there is none.
func (b *Batch) of(facts []vault.Fact) []vault.Fact {
	if b == nil {
		return facts
	}
	return slices.DeleteFunc(facts, func(f vault.Fact) bool { return !b.facts[page.Source{Day: f.Day, ID: f.ID}] })
}

// Batch names the facts that a run would read now if a person asked for it.
func (r *Runner) Batch(ctx context.Context) (*Batch, error) {
	end, err := r.wait(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	if err := r.ages.look(ctx, r.o.Vault, r.where); err != nil {
		return nil, err
	}
	d, _, err := r.decide(ctx, true, false)
	if err != nil {
		return nil, err
	}
	if d.Skip {
		return nil, ErrGivenUp
	}
	facts, err := r.collect(ctx, "", d.Days)
	if err != nil {
		return nil, err
	}
	b := &Batch{days: d.Days, facts: map[page.Source]bool{}}
	for _, f := range facts {
		b.facts[page.Source{Day: f.Day, ID: f.ID}] = true
	}
	return b, nil
}

// Draft plans what is left of a batch until where model is asked to propose, over the pages and the logs as they are now, and throws the
// plan away when that returns. Nothing is written, so that a draft may be made as often as it takes; [Runner.Run] plans anew.
func (r *Runner) Draft(ctx context.Context, b *Batch, model Proposer) error {
	end, err := r.wait(ctx)
	if err != nil {
		return err
	}
	defer end()
	st, err := r.store.state()
	if err != nil {
		return fmt.Errorf("reading the dream's state: %w", err)
	}
	facts, err := r.collect(ctx, "", b.days)
	if err != nil {
		return err
	}
	p, err := r.newPlanner(ctx, "", vault.DayOf(r.o.Vault.Now()))
	if err != nil {
		return err
	}
	defer p.wait()
	if err := p.prepare(ctx, st, b.of(facts)); err != nil {
		return err
	}
	if use := p.propose(ctx, model); use.Stopped != "" {
		return fmt.Errorf("planning a step: %s", use.Stopped)
	}
	return nil
}
