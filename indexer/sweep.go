package indexer

import (
	"context"
	"fmt"
	"maps"
	"time"

	"github.com/reverie-memory/reverie/vault"
)

// A sweep writes what takes long into one generation: the first filling, a long absence, the next
// generation, or large files that were changed. One goroutine prepares batches, the owner applies them between other requests.
type sweep struct {
	g       *generation
	tally   *tally
	total   int
	done    int
	waiters []waiter
	more    []waiter     // those who want another look when this sweep has ended
	named   []vault.Path // what it was started for; none: the whole vault
	rerun   bool
	hash    bool
	late    []target
	report  []func(done, total int)
	batches chan result[*prepared]
	cancel  context.CancelFunc
	ended   chan struct{} // closed when the preparing goroutine has returned
}

type result[T any] struct {
	value T
	err   error
}

// again asks for a look at everything after this sweep.
func (s *sweep) again(j job) {
	s.rerun, s.hash = true, s.hash || j.hash
	s.more = append(s.more, j.waiters...)
}

// startSweep begins to write the targets.
func (ix *Indexer) startSweep(ctx context.Context, g *generation, targets []target, waiters []waiter, named ...vault.Path) *sweep {
	ctx, cancel := context.WithCancel(ctx)
	s := &sweep{
		g: g, tally: newTally(), total: len(targets), waiters: waiters, named: named, cancel: cancel,
		batches: make(chan result[*prepared], 1), ended: make(chan struct{}),
	}
	budget := ix.o.EmbedWait
	if g != ix.cur { // the old generation answers meanwhile: the new one shall be complete
		budget = 24 * time.Hour
	}
	pr := ix.preparer(g, budget)
	pr.hot = false
	go s.prepare(ctx, pr, targets)
	ix.sweep = s
	ix.notes.set(func(n *notes) { n.building = true })
	ix.tell(s)
	return s
}

// prepare works one batch ahead of the owner.
func (s *sweep) prepare(ctx context.Context, pr *preparer, targets []target) {
	defer close(s.ended)
	defer close(s.batches)
	for len(targets) > 0 {
		b, err := pr.next(ctx, targets)
		r := result[*prepared]{b, err}
		select {
		case s.batches <- r:
		case <-ctx.Done():
			return
		}
		if err != nil {
			return
		}
		targets = b.rest
	}
}

// stop ends the preparing goroutine and waits for it.
func (s *sweep) stop() {
	s.cancel()
	for range s.batches {
	}
	<-s.ended
}

// advance takes one batch of the sweep. ok is false when the sweep has no more.
func (ix *Indexer) advance(ctx context.Context, r result[*prepared], ok bool) {
	s := ix.sweep
	if !ok {
		s.stop()
		ix.endSweep(ctx, ctx.Err())
		return
	}
	err := r.err
	if err == nil {
		var late []target
		late, err = ix.apply(ctx, s.g, r.value)
		s.late = append(s.late, late...)
	}
	if err != nil {
		s.stop()
		ix.endSweep(ctx, err)
		return
	}
	s.tally.add(r.value)
	ix.readable(r.value)
	s.done += len(r.value.files) + len(r.value.failed)
	ix.tell(s)
	if len(s.g.put) >= batchRows {
		if err := ix.flush(ctx, s.g); err != nil {
			ix.log.Warn("vectors could not be made durable yet", "error", err)
		}
	}
}

// endSweep answers those who waited, or goes on with what is left.
func (ix *Indexer) endSweep(ctx context.Context, err error) {
	s := ix.sweep
	ix.sweep = nil
	if err == nil && len(s.late) > 0 {
		err = ix.writeAll(ctx, s.g, s.late, s.tally)
	}
	if s.g != ix.cur {
		ix.endBuild(ctx, s, err)
		return
	}
	ix.notes.set(func(n *notes) { n.building = ix.build != nil })
	ix.notes.say("filling", "")
	j := job{hash: s.hash, waiters: s.waiters}
	j.add(s.named)
	maps.Copy(s.tally.growing, ix.growing) // which the sweep reads nothing of
	if err == nil {
		ix.unfilled = ix.unfilled || j.all
		ix.goOn(&j, s.tally)
	}
	ix.afterSync(ctx, &j, s.tally, err)
	if s.rerun {
		ix.queue.put(func(q *job) {
			q.all, q.hash = true, q.hash || s.hash
			q.waiters = append(q.waiters, s.more...)
		})
	}
}

// tell reports a sweep's progress.
func (ix *Indexer) tell(s *sweep) {
	phase := "sync"
	if s.g != ix.cur {
		phase = "rebuild"
	} else if !ix.whole {
		ix.notes.say("filling", fmt.Sprintf("index: being filled, %d of %d files", s.done, s.total))
	}
	if ix.o.Progress != nil {
		ix.o.Progress(Progress{Phase: phase, Done: s.done, Total: s.total, Unit: "files"})
	}
	for _, report := range s.report {
		report(s.done, s.total)
	}
}

// filled notes that everything that the vault held was looked at once.
func (ix *Indexer) filled() {
	ix.measure()
	ix.whole, ix.unfilled = true, false
	ix.notes.say("damage", "")
	ix.notes.say("filling", "")
}

// postpone keeps a failed job for a later try.
func (ix *Indexer) postpone(j *job) {
	ix.retry = ix.retry.failed(time.Now(), filePause)
	if j.all || j.env { // of what changed in Env nothing else would tell the next try
		ix.later.all = true
	}
	for p := range j.paths {
		ix.later.add([]vault.Path{p})
	}
}
