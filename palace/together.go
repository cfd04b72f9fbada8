package palace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/reverie-memory/reverie/extract"
)

// processAll has waiting turns read together, those of each conversation by themselves.
func (in *Intake) processAll(ctx context.Context, jobs []job) {
	var calls sync.WaitGroup
	free := make(chan struct{}, max(1, in.opt.Batch.Parallel))
	for _, call := range in.batches(jobs) {
		free <- struct{}{}
		calls.Go(func() {
			in.processTogether(ctx, call)
			<-free
		})
	}
	calls.Wait()
}

// batches shares jobs out to calls: turns of one conversation, in order, no more than a call takes.
func (in *Intake) batches(jobs []job) [][]job {
	var calls [][]job
	open := map[[2]string]int{} // the call that has room, of each conversation and project, whose words are not mixed
	for _, j := range jobs {
		at := [2]string{j.turn.chat, wingOf(&j.drawers[0])}
		i, ok := open[at]
		if !ok || len(calls[i]) >= in.opt.Batch.Turns {
			i = len(calls)
			open[at], calls = i, append(calls, nil)
		}
		calls[i] = append(calls[i], j)
	}
	return calls
}

// processTogether has a model read turns and writes the facts of each. Rules take what it does not read.
func (in *Intake) processTogether(ctx context.Context, jobs []job) {
	if ctx.Err() != nil {
		return // the next start finds them again
	}
	turns, before := make([][]extract.Message, len(jobs)), make([][]extract.Message, len(jobs))
	for i := range jobs {
		jobs[i], turns[i] = in.messages(jobs[i])
		n := max(0, slices.IndexFunc(turns[i], func(m extract.Message) bool { return !m.Before }))
		if before[i] = turns[i][:n:n]; i > 0 {
			turns[i] = turns[i][n:] // the model reads the turns before
		}
	}
	readings := in.opt.Batch.Read(ctx, turns)
	worse := ""
	for i, j := range jobs {
		if ctx.Err() != nil {
			return
		}
		r := readings[i]
		if len(r.Rest) > 0 && !r.Rest[0].Before { // the rules read each turn by itself
			r.Rest = append(before[i], r.Rest...)
		}
		worse = cmp.Or(worse, in.finishReading(ctx, j, r))
		in.backlog.done(1)
	}
	in.worse(worse)
}

// finishReading has rules take what the model left of a turn, and writes the facts. The result says why they are worse than usual.
func (in *Intake) finishReading(ctx context.Context, j job, r extract.Reading) (worse string) {
	f := found{facts: r.Facts, by: in.opt.Extractor.Name()}
	if len(r.Rest) > 0 {
		rest, err := in.find(ctx, in.opt.Batch.Rules, j.turn.id, r.Rest)
		if err != nil {
			in.failedOnce(ctx, j, fmt.Errorf("extract facts: %w", err))
			return ""
		}
		if len(f.facts) == 0 {
			f.by = rest.by
		}
		f.facts, f.givenUp = append(f.facts, rest.facts...), rest.givenUp
		worse = cmp.Or(rest.worse, "extraction: "+r.Why.Error())
	}
	switch err := in.writeAtLast(ctx, j, f); {
	case errors.Is(err, errForgotten): // the model may tell it in other words, and is not asked again
		j, msgs := in.messages(j)
		return in.finishReading(ctx, j, extract.Reading{Rest: msgs, Why: &extract.DegradedError{Reason: "something of the turn was forgotten"}})
	case err != nil:
		in.failedOnce(ctx, j, err)
	}
	return worse
}

// writeAtLast is write, again and again while the disk fails: what a model said is paid for and not asked for twice.
func (in *Intake) writeAtLast(ctx context.Context, j job, f found) error {
	for {
		_, err := in.write(ctx, j, f, in.written)
		if !isFault(err) || ctx.Err() != nil {
			return err
		}
		select {
		case <-ctx.Done():
		case <-time.After(faultPause):
		}
	}
}
