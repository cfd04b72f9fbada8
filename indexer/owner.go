package indexer

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/reverie-memory/reverie/vault"
)

// When the owner does what nobody waits for.
const (
	flushAfter    = 200 * time.Millisecond // of quiet: vectors become durable
	saveAfter     = time.Minute            // since projections were saved: what a crash takes of them is folded again
	maintainAfter = 5 * time.Second        // of quiet: the engine may merge
)

// own is the owner goroutine: it alone writes. Between any two requests the background gets its turn, one piece of it; what is ready
// besides is taken in any order, so that neither keeps the other waiting for ever.
func (ix *Indexer) own(ctx context.Context) {
	defer close(ix.stopped)
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for !ix.ending(ctx) {
		if !ix.background(ctx) {
			timer.Reset(ix.nap(time.Now()))
		} else if ix.queue.waits() {
			timer.Reset(time.Hour) // not before those who wait: by chance the background would get several pieces done first
		} else {
			timer.Reset(0)
		}
		var batches chan result[*prepared]
		if ix.sweep != nil {
			batches = ix.sweep.batches
		}
		select {
		case <-ix.queue.wake:
			began := time.Now()
			ix.serve(ctx, ix.queue.take())
			ix.idleSince = time.Now()
			ix.share(ctx, time.Since(began))
		case r, ok := <-batches:
			ix.advance(ctx, r, ok)
		case r := <-ix.rounds:
			ix.endRound(ctx, r)
		case h := <-ix.hurt:
			ix.heal(ctx, h)
		case p := <-ix.probes:
			ix.endProbe(ctx, p)
		case <-timer.C:
			ix.tick(ctx)
		case <-ix.closing:
		case <-ctx.Done():
		}
	}
	ix.shut(ctx)
}

// share gives the sweep as much time as a request took, as far as it has batches at hand.
func (ix *Indexer) share(ctx context.Context, took time.Duration) {
	for end := time.Now().Add(took); ix.sweep != nil && time.Now().Before(end); {
		select {
		case r, ok := <-ix.sweep.batches:
			ix.advance(ctx, r, ok)
		default:
			return
		}
	}
}

// background does one piece of what nobody's request is: of the next generation, or of the vectors that are still to come. background says
// whether there may be more to do at once.
func (ix *Indexer) background(ctx context.Context) bool {
	ix.tryAgain(time.Now())
	if ix.sweep != nil {
		return false // its batches come by themselves
	}
	if ix.build != nil {
		ix.stepBuild(ctx)
		return true
	}
	return ix.catchUp(ctx) || ix.renew(ctx)
}

// tryAgain asks once more for what failed, when its time has come.
func (ix *Indexer) tryAgain(now time.Time) {
	if ix.later.empty() || !ix.retry.ready(now) {
		return
	}
	later := ix.later
	ix.later = job{}
	ix.queue.put(func(j *job) {
		j.all, j.hash = j.all || later.all, j.hash || later.all
		for p := range later.paths {
			j.add([]vault.Path{p})
		}
	})
}

// ending says whether the owner is to stop: at once when its context ended, and when Close was
// called as soon as nothing waits.
func (ix *Indexer) ending(ctx context.Context) bool {
	if ctx.Err() != nil {
		return true
	}
	select {
	case <-ix.closing:
		if j := ix.queue.take(); !j.empty() {
			ix.serve(ctx, j)
		}
		return true
	default:
		return false
	}
}

// nap is how long the owner may sleep.
func (ix *Indexer) nap(now time.Time) time.Duration {
	until := now.Add(time.Minute)
	soon := func(t time.Time) {
		if t.Before(until) {
			until = t
		}
	}
	if g := ix.cur; g != nil {
		if len(g.put) > 0 || g.dirty || len(g.drop) > 0 {
			soon(later(ix.idleSince.Add(flushAfter), ix.engineRetry.at))
		}
		if ix.mayMerge(g) {
			soon(later(ix.idleSince.Add(maintainAfter), ix.engineRetry.at))
		} else if ix.engineOwes(g) && ix.sweep == nil {
			soon(ix.engineRetry.at)
		}
		if g.pending > 0 && !ix.embedding.running {
			soon(later(ix.health.next(), ix.engineRetry.at))
		}
	}
	if ix.unsaved {
		soon(later(ix.idleSince.Add(flushAfter), ix.saved.Add(saveAfter)))
	}
	if !ix.later.empty() {
		soon(ix.retry.at)
	}
	if ix.buildRetry.at.After(now) { // past that, renew has looked
		soon(ix.buildRetry.at)
	}
	if !ix.probed && ix.o.ProbeDelay > 0 {
		soon(ix.idleSince.Add(ix.o.ProbeDelay))
	}
	return max(until.Sub(now), 10*time.Millisecond)
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// tick is upkeep.
func (ix *Indexer) tick(ctx context.Context) {
	now := time.Now()
	g := ix.cur
	if g == nil || ix.sweep != nil {
		return
	}
	quiet := now.Sub(ix.idleSince)
	if quiet >= flushAfter && ix.unsaved && now.Sub(ix.saved) >= saveAfter {
		ix.saveProjections()
	}
	if quiet >= flushAfter && ix.engineRetry.ready(now) {
		if len(g.drop) > 0 {
			ix.toEngine(ctx, g, nil)
		}
		if err := ix.flush(ctx, g); err != nil {
			ix.engineRetry = ix.engineRetry.failed(now, filePause)
			ix.indexFailed(ctx, err)
			return
		}
	}
	if quiet >= maintainAfter && ix.mayMerge(g) && ix.engineRetry.ready(now) {
		ix.maintain(ctx, g)
	}
	if ix.engineOwes(g) && ix.engineRetry.ready(time.Now()) && len(g.drop) == 0 && !g.dirty && !g.touched {
		ix.notes.say("engine", "") // all that had failed was done since
		ix.engineRetry = ix.engineRetry.reset()
	}
	if !ix.probed && ix.whole && ix.o.ProbeDelay > 0 && quiet >= ix.o.ProbeDelay {
		ix.startProbe(ctx)
	}
}

// mayMerge says whether there is something to merge, and no more vectors are on their way: what must not stay does not wait for these.
func (ix *Indexer) mayMerge(g *generation) bool {
	return g.touched && (g.dead || !ix.embedding.running)
}

// engineOwes says whether the engine failed and no row that waits for its vector will show that it works again.
func (ix *Indexer) engineOwes(g *generation) bool {
	return ix.engineRetry.wait > 0 && g.engine != nil && g.pending <= 0
}

// maintain lets the engine merge its fragments.
func (ix *Indexer) maintain(ctx context.Context, g *generation) {
	g.touched = false
	ix.measure()
	if g.engine == nil {
		return
	}
	merge := g.engine.Maintain
	if g.dead {
		merge = g.engine.Compact
	}
	if err := merge(ctx, ix.live(ctx, g)); err == nil {
		g.dead = false
	} else if ctx.Err() == nil {
		g.touched = true
		ix.engineFailed(g, fmt.Errorf("merging vectors: %w", err))
	}
}

// measure adds up the index's files.
func (ix *Indexer) measure() {
	var size int64
	_ = filepath.WalkDir(ix.o.Dir, func(_ string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if info, err := d.Info(); err == nil {
				size += info.Size()
			}
		}
		return nil
	})
	ix.notes.set(func(n *notes) { n.bytes = size })
}

// shut ends what is under way and closes the files. The mark of a good end is left only when
// everything that was asked for is on disk.
func (ix *Indexer) shut(ctx context.Context) {
	clean := ctx.Err() == nil && ix.later.empty()
	quit := context.WithoutCancel(ctx)
	if s := ix.sweep; s != nil {
		s.stop()
		s.tally.reply(append(s.waiters, s.more...), ErrClosed)
		clean = clean && s.g != ix.cur
		ix.sweep = nil
	}
	if b := ix.build; b != nil {
		if b.g != nil {
			if err := ix.flush(quit, b.g); err != nil {
				ix.log.Warn("closing", "error", err)
			}
			ix.release(b.g)
		}
		ix.finishBuild(ErrClosed)
	}
	j := ix.queue.take()
	newTally().reply(j.waiters, ErrClosed)
	ix.cancel() // what goes on beside the owner
	if ix.embedding.running {
		<-ix.rounds
	}
	ix.probing.Wait()
	if g := ix.cur; g != nil {
		if err := ix.flush(quit, g); err != nil {
			clean = false
			ix.log.Warn("closing", "error", err)
		}
		old := ix.views.swap(nil)
		old.users.Wait()
		ix.release(g)
	}
	ix.retired.Wait()
	ix.saveProjections()
	if ix.cache != nil {
		if err := ix.cache.Close(); err != nil {
			clean = false
			ix.log.Warn("closing the catalog", "error", err)
		}
	}
	if clean && ix.whole {
		if err := os.WriteFile(filepath.Join(ix.o.Dir, cleanMark), nil, 0o600); err != nil {
			ix.log.Warn("closing", "error", err)
		}
	}
}

// Close does what was asked for so far, as far as ctx allows, and closes the files. A first filling, a rebuild and all but one part of what
// a file has grown by are left for the next start to go on with.
func (ix *Indexer) Close(ctx context.Context) error {
	if ix.stopped == nil {
		return nil // never opened
	}
	ix.queue.close()
	ix.closeOnce.Do(func() { close(ix.closing) })
	select {
	case <-ix.stopped:
	case <-ctx.Done():
		ix.cancel()
		<-ix.stopped
	}
	ix.cancel()
	return nil
}

// Settle waits until nothing is under way: no sweep, no rebuild, and no row that waits for its vector.
func (ix *Indexer) Settle(ctx context.Context) error {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		done := make(chan bool, 1)
		ok := ix.queue.put(func(j *job) {
			j.calls = append(j.calls, func(ctx context.Context) { done <- ix.settled(ctx) })
		})
		if !ok {
			return ErrClosed
		}
		select {
		case settled := <-done:
			if settled {
				return nil
			}
		case <-ctx.Done():
			return fmt.Errorf("waiting for vectors: %w", ctx.Err())
		case <-ix.stopped:
			return ErrClosed
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return fmt.Errorf("waiting for vectors: %w", ctx.Err())
		}
	}
}

// Followed returns when the Syncs that anybody asked for before have ended, well or not, or with the error of ctx.
func (ix *Indexer) Followed(ctx context.Context) error {
	if _, err := ix.ask(ctx, func(*job) {}, waiter{}); ctx.Err() != nil || errors.Is(err, ErrClosed) {
		return err
	}
	return nil
}

func (ix *Indexer) settled(ctx context.Context) bool {
	if ix.cur == nil || ix.sweep != nil || ix.build != nil || ix.embedding.running || !ix.whole || len(ix.growing) > 0 {
		return false
	}
	return ix.flush(ctx, ix.cur) == nil && ix.cur.pending <= 0
}
