package indexer

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/vault"
)

// schemaVersion is raised when generations of earlier versions cannot be brought up to date file by
// file. A changed Source needs no new generation: its Version is part of each file's state.
const schemaVersion = 1

// build is a next generation in the making. The current one answers meanwhile and follows the
// files; a crash leaves an incomplete generation, which the next start goes on with.
type build struct {
	g       *generation
	sweeps  int                  // that went over it
	until   map[vault.Path]int64 // how far files are read at least that are read in parts: as they were at its first look at them
	behind  int64                // bytes of these that it has to read before it can take over
	waiters []chan<- answer
	report  []func(done, total int)
	reason  string
}

// maxSweeps bounds the looks at what changed meanwhile that let requests in between. What is left then is done in one go: where many
// files are written to all the time, no look would ever find few.
const maxSweeps = 2

// Rebuild builds the next generation from the files, serves the old one meanwhile, and switches. Projections are folded anew.
// Vectors come from the cache where they are there. Cancelling ctx ends the waiting, not the work.
func (ix *Indexer) Rebuild(ctx context.Context, progress func(done, total int)) error {
	done, folded := make(chan answer, 1), make(chan struct{})
	ok := ix.queue.put(func(j *job) {
		j.calls = append(j.calls, func(ctx context.Context) {
			defer close(folded)
			projected := ix.project(ctx, &job{all: true}, true)
			ix.startBuild(ctx, "", done, progress) // which may end, and answer, at once
			projected()
		})
	})
	if !ok {
		return ErrClosed
	}
	select {
	case a := <-done:
		<-folded // the call that asked is running, or over
		return a.err
	case <-ctx.Done():
		return fmt.Errorf("waiting for the rebuild: %w", ctx.Err())
	case <-ix.stopped:
		return ErrClosed
	}
}

// wanted is what a generation made now would be.
func (ix *Indexer) wanted() catalog.GenInfo {
	return catalog.GenInfo{
		Schema: schemaVersion, Fingerprint: ix.o.Embedder.Fingerprint(), Dim: ix.o.Embedder.Dim(), Engine: ix.o.EngineName,
	}
}

// outdated says why the current generation must be replaced, "" when it need not.
func (ix *Indexer) outdated(have catalog.GenInfo) string {
	want := ix.wanted()
	switch {
	case have.Schema != want.Schema:
		return "index: of an earlier version, being built anew"
	case have.Engine != want.Engine:
		return fmt.Sprintf("index: moving from engine %s to %s", have.Engine, want.Engine)
	case want.Dim != 0 && (have.Fingerprint != want.Fingerprint || have.Dim != want.Dim):
		return "index: the embedder changed; search is by words only until the new vectors are made"
	}
	return ""
}

// renew starts the next generation when the current one is outdated.
func (ix *Indexer) renew(ctx context.Context) bool {
	if ix.cur == nil || ix.build != nil || ix.sweep != nil || !ix.buildRetry.ready(time.Now()) {
		return false
	}
	reason := ix.outdated(ix.cur.info)
	if reason == "" {
		return false
	}
	ix.log.Info("building the next generation of the index", "reason", reason)
	ix.startBuild(ctx, reason, nil, nil)
	return true
}

// startBuild begins a next generation, or joins the one in the making.
func (ix *Indexer) startBuild(ctx context.Context, reason string, done chan<- answer, report func(done, total int)) {
	b := ix.build
	if b == nil {
		b = &build{reason: reason}
		ix.build = b
	}
	if done != nil {
		b.waiters = append(b.waiters, done)
	}
	if report != nil {
		b.report = append(b.report, report)
		if ix.sweep != nil && b.g != nil && ix.sweep.g == b.g {
			ix.sweep.report = append(ix.sweep.report, report)
		}
	}
	ix.notes.say("build", b.reason)
	ix.notes.set(func(n *notes) { n.building = true })
	ix.stepBuild(ctx)
}

// stepBuild brings the next generation one step on, unless a sweep is under way: that ends in
// endBuild or is followed by another step.
func (ix *Indexer) stepBuild(ctx context.Context) {
	if ix.build == nil || ix.sweep != nil {
		return
	}
	if ix.cur == nil {
		ix.finishBuild(errUnopened)
		return
	}
	if err := ix.tryBuild(ctx); err != nil {
		ix.failBuild(ctx, err)
	}
}

func (ix *Indexer) tryBuild(ctx context.Context) error {
	b := ix.build
	if b.g == nil {
		g, err := ix.nextGeneration(ctx)
		if err != nil {
			return fmt.Errorf("creating the next generation: %w", err)
		}
		b.g, b.sweeps, b.until, b.behind = g, 0, nil, 0
	}
	j := job{all: true}
	if err := ix.refreshEnv(&j); err != nil {
		return err
	}
	if j.env { // the current generation has to follow as well
		ix.queue.put(func(q *job) { q.all = true })
	}
	targets, _, err := ix.plan(ctx, b.g, &j)
	if err != nil {
		return err
	}
	if some := slices.DeleteFunc(slices.Clone(targets), ix.inParts); len(some) > inlineTargets && b.sweeps < maxSweeps {
		b.sweeps++
		ix.startSweep(ctx, b.g, some, nil).report = b.report
		return nil
	}
	t := newTally()
	if err := ix.writeAll(ctx, b.g, targets, t); err != nil {
		return err
	}
	if b.until == nil {
		b.until = t.growing
	}
	b.behind = 0
	for p := range t.growing {
		b.behind += max(0, b.until[p]-b.g.files[p].Size, ix.cur.files[p].Size-b.g.files[p].Size)
	}
	if ix.pace(); b.behind > 0 {
		return nil // the next step goes on
	}
	for _, report := range b.report {
		report(len(targets), len(targets))
	}
	if err := ix.switchTo(ctx, b.g); err != nil || len(t.growing) == 0 {
		return err
	}
	ix.Notify(sorted(t.growing)...) // which go on from where the one before was
	return nil
}

// inParts says whether a file has grown so much that it is read in parts, which a sweep does not.
func (ix *Indexer) inParts(t target) bool {
	return !t.gone && follows(t.srcs) && t.info.Size-t.old.Size > 2*int64(ix.part)
}

// endBuild is what follows a sweep over the next generation.
func (ix *Indexer) endBuild(ctx context.Context, s *sweep, err error) {
	if ix.build == nil || ix.build.g != s.g {
		return
	}
	if err != nil {
		ix.failBuild(ctx, err)
		return
	}
	ix.stepBuild(ctx) // what changed meanwhile, then the switch
}

// failBuild gives up the build, or what damaged it; it is tried again later. Where the catalog itself is damaged everything is filled
// anew, which is what was asked for.
func (ix *Indexer) failBuild(ctx context.Context, err error) {
	b := ix.build
	if b.g != nil {
		ix.release(b.g)
	}
	if isCorrupt(err) && (b.g == nil || isCorrupt(ix.cache.Check(ctx))) {
		ix.build = nil
		ix.pace()
		ix.queue.put(func(j *job) {
			j.all = true
			for _, done := range b.waiters {
				j.waiters = append(j.waiters, waiter{done: done})
			}
		})
		_ = ix.repair(ctx, err) // where that fails, those who wait hear of it from the next try
		return
	}
	if isCorrupt(err) {
		if derr := ix.cache.Drop(ctx, b.g.info.ID); derr != nil {
			ix.log.Warn("a damaged next generation stays on disk", "error", derr)
		}
	}
	if ctx.Err() == nil {
		ix.log.Error("building the next generation failed", "error", err)
		ix.buildRetry = ix.buildRetry.failed(time.Now(), otherPause)
	}
	ix.finishBuild(fmt.Errorf("building the next generation: %w", err))
}

func (ix *Indexer) finishBuild(err error) {
	for _, done := range ix.build.waiters {
		done <- answer{err: err}
	}
	ix.build = nil
	ix.pace()
	ix.notes.set(func(n *notes) { n.building = ix.sweep != nil })
	if err == nil {
		ix.notes.say("build", "")
		ix.buildRetry = ix.buildRetry.reset()
	}
}

// switchTo makes g the current generation: vectors durable, one transaction, then readers.
func (ix *Indexer) switchTo(ctx context.Context, g *generation) error {
	if err := ix.flush(ctx, g); err != nil {
		return err
	}
	if err := ix.cache.Switch(ctx, g.info.ID); err != nil {
		return fmt.Errorf("switching to generation %d: %w", g.info.ID, err)
	}
	old := ix.cur
	ix.cur = g
	ix.show(g)
	ix.retire(ctx, old)
	if n, err := g.store.PendingCount(ctx); err == nil {
		g.pending = n
	}
	ix.sayPending(g)
	ix.notes.say("damage", "")
	ix.whole, ix.probed = true, false
	ix.log.Info("switched to the next generation of the index", "generation", g.info.ID, "files", len(g.files))
	ix.finishBuild(nil)
	_ = ix.prune(ctx, g.info.Fingerprint, old.info.Fingerprint) // has said so; the next one may succeed
	return nil
}

// show lets readers see g.
func (ix *Indexer) show(g *generation) *view {
	g.view = &view{reader: g.store.Reader(), engine: g.engine, cache: ix.cache, info: g.info}
	return ix.views.swap(g.view)
}

// retire closes a generation once its last reader has let go, and drops it from disk.
func (ix *Indexer) retire(ctx context.Context, g *generation) {
	ix.retired.Go(func() {
		g.view.users.Wait()
		ix.release(g)
		if err := ix.cache.Drop(context.WithoutCancel(ctx), g.info.ID); err != nil {
			ix.log.Warn("an old generation stays on disk", "generation", g.info.ID, "error", err)
		}
	})
}

// prune drops cached vectors that no row needs, and those of embedders before the last: who tries
// another embedder and goes back shall not pay twice.
func (ix *Indexer) prune(ctx context.Context, keep ...string) error {
	live := map[catalog.Hash]bool{}
	err := ix.cur.store.TextHashes(ctx, func(_ Key, h catalog.Hash) bool {
		live[h] = true
		return true
	})
	if err == nil {
		_, err = ix.cache.PruneVectors(ctx, keep, func(h catalog.Hash) bool { return live[h] })
	}
	if err != nil {
		ix.log.Warn("old vectors stay in the cache", "error", err)
	}
	return err
}
