package dreams

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/robfig/cron/v3"

	"github.com/reverie-memory/reverie/dream"
)

const (
	// firstCheck is how long after the start the gate is first looked at: late enough for whoever started the daemon to have
	// got their answer, early enough for a machine that is on for minutes a day.
	firstCheck = time.Minute
	// heartbeat is how often the wall clock is read. A timer of half an hour would stand still while the machine sleeps.
	heartbeat = 30 * time.Second
)

// Run goes on with what a crash left, once ready returns, and then looks at the gate by the clock until ctx ends. Run is called once, and
// only where the dreams are scheduled.
func (d *Dreams) Run(ctx context.Context, ready func(context.Context) error) {
	err := ready(ctx)
	if err == nil {
		d.recover(ctx)
	}
	close(d.settled)
	if err != nil {
		return
	}
	log := cronLog{d.opt.Log}
	clock := cron.New(cron.WithLogger(log), cron.WithChain(cron.SkipIfStillRunning(log), cron.Recover(log)))
	clock.Schedule(cron.Every(min(heartbeat, max(time.Second, d.opt.Interval))), cron.FuncJob(func() { d.beat(ctx) }))
	clock.Start()
	<-ctx.Done()
	<-clock.Stop().Done()
}

// beat looks at the gate when it is time to.
func (d *Dreams) beat(ctx context.Context) {
	now := d.opt.Now().Round(0)
	d.mu.Lock()
	look := due(now, d.next, d.opt.Interval)
	if look {
		d.next = now.Add(d.opt.Interval)
	}
	d.mu.Unlock()
	if look && ctx.Err() == nil {
		d.tick(ctx)
	}
}

// due tells whether it is time: next is reached, or so far away that the clock must have been set back.
func due(now, next time.Time, interval time.Duration) bool {
	return !now.Before(next) || next.Sub(now) > interval
}

// tick runs a dream if the gate is open, or if people asked something of the pages.
func (d *Dreams) tick(ctx context.Context) {
	if d.later() || !d.recover(ctx) {
		return
	}
	ran := false
	rep, err := d.run(ctx, nil, func(ctx context.Context) (rep dream.Report, err error) {
		ran, rep, err = d.Dreamer.Tick(ctx)
		return rep, err
	})
	switch {
	case errors.Is(err, dream.ErrRunning), errors.As(err, new(*HeldError)): // somebody asked for one just now
	case err != nil && ctx.Err() == nil && !errors.Is(err, dream.ErrCanceled):
		d.opt.Log.Error("the dream failed", "err", err)
	case err == nil && ran && rep.Run != "":
		d.opt.Log.Info("dreamt", "run", rep.Run, "status", rep.Status, "facts", rep.Facts, "pages", len(rep.Pages), "seconds", rep.Seconds)
	}
}

// recover goes on with a run that was interrupted, be it by a crash or by whoever had asked for it. false: there is one, and it
// cannot be gone on with now.
func (d *Dreams) recover(ctx context.Context) bool {
	err := d.goOn(ctx)
	if err != nil && ctx.Err() == nil && !errors.Is(err, dream.ErrRunning) && !errors.Is(err, context.Canceled) {
		d.failed(err)
	}
	return err == nil
}

// failed notes what kept the schedule from running.
func (d *Dreams) failed(err error) {
	d.opt.Log.Error("cannot consolidate", "err", err)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.lastErr = err.Error()
}

// cronLog keeps the scheduler's errors. What it says of each beat helps nobody.
type cronLog struct{ log *slog.Logger }

func (cronLog) Info(string, ...any) {}

func (l cronLog) Error(err error, msg string, keysAndValues ...any) {
	l.log.Error("schedule: "+msg, append([]any{"err", err}, keysAndValues...)...)
}
