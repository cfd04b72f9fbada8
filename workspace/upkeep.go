package workspace

import (
	"context"
	"errors"
	"runtime/debug"
	"time"

	"github.com/reverie-memory/reverie/vault"
	"github.com/reverie-memory/reverie/watcher"
)

// firstSync looks at every file once, when the watches stand, so that no edit falls between the two. Until then answers come
// from what the index held before.
func (w *Workspace) firstSync(ctx context.Context, watched <-chan struct{}) {
	<-watched
	stats, err := w.index.Indexer.Sync(ctx)
	if w.index.closets != nil {
		w.index.closets.Notify() // nobody waits for it
	}
	if err != nil {
		if ctx.Err() == nil {
			w.log.Error("the first look at the vault failed", "err", err)
			w.failed.Store(&err)
		}
	} else {
		w.log.Info("the index is up to date", "files", stats.Files, "added", stats.Added, "changed", stats.Changed, "removed",
			stats.Removed, "engine", w.engine.Name)
	}
	close(w.ready)
}

// graphAfter is how long the graph is left to whoever asks for it: what a start has to do comes first.
const graphAfter = 2 * time.Second

// makeGraph asks once for the graph as most see it, so that who asks for it later does not wait until it is made. A panic is
// as at a question: what somebody said must not end every start.
func (w *Workspace) makeGraph(ctx context.Context) {
	defer func() {
		if r := recover(); r != nil {
			w.log.Error("the graph cannot be made; this is a defect", "panic", r, "stack", string(debug.Stack()))
		}
	}()
	if w.WaitReady(ctx) != nil {
		return
	}
	select {
	case <-time.After(graphAfter):
	case <-ctx.Done():
		return
	}
	if _, err := w.graph.Graph(""); err != nil {
		w.log.Warn("the graph is made when somebody asks for it", "err", err)
	}
}

// watch keeps the index up to date with what people do to the files. watched is closed when the watches stand, or when there
// will be none.
func (w *Workspace) watch(ctx context.Context) (watched <-chan struct{}) {
	c := w.opt.Config.Watcher
	w.watcher = &watcher.Watcher{Root: w.opt.Vault, Quiet: c.Quiet.Duration(), MaxWait: c.MaxWait.Duration(), Sweep: c.Sweep.Duration(), Log: w.log}
	batches := make(chan watcher.Batch)
	w.done.Go(func() {
		defer close(batches)
		if err := w.watcher.Run(ctx, batches); err != nil && ctx.Err() == nil {
			w.log.Error("the vault is not watched any more; `reverie reindex` looks at it by hand", "err", err)
			w.failed.Store(&err)
		}
	})
	first := make(chan struct{})
	w.done.Go(func() {
		b := <-batches
		close(first)
		if b.RootGone {
			w.changed(b)
		}
		for b := range batches {
			w.changed(b)
		}
	})
	return first
}

// changed is called with each batch of the watcher, by the goroutine that receives them and by questions that take one.
func (w *Workspace) changed(b watcher.Batch) {
	if b.RootGone {
		// Every file looks deleted now. The index keeps its rows until the folder is back.
		w.log.Error("the vault's folder is gone; nothing is indexed until it is back", "why", b.Reason)
		return
	}
	if b.Rescan {
		w.log.Debug("looking at the whole vault", "why", b.Reason)
		w.follow(b.Seen, nil)
		return
	}
	var paths []vault.Path
	for _, s := range b.Paths {
		p, err := vault.ParsePath(s)
		if err != nil {
			continue
		}
		paths = append(paths, p)
		if p == vault.TombstonesPath {
			if err := errors.Join(w.mendTombstones(context.Background()), w.intake.Reload()); err != nil {
				w.log.Error("cannot read the tombstones", "err", err)
			}
		}
	}
	if len(paths) > 0 {
		w.follow(b.Seen, paths)
	}
}

// mendTombstones makes the tombstones whole from their copies.
func (w *Workspace) mendTombstones(ctx context.Context) error {
	problems, err := w.vault.MendTombstones(ctx)
	for _, p := range problems {
		w.log.Warn("tombstones were not whole", "file", p.Path, "line", p.Line, "what", p.Reason)
	}
	return err
}
