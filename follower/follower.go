package follower

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/vault"
	"github.com/reverie-memory/reverie/watcher"
)

// settleWait is how long a question waits for files that changed a moment ago, and right after the start for the first
// look at the files. Reading an edited page takes some milliseconds.
const settleWait = 300 * time.Millisecond

// factsWait is how long somebody who asks for a dream waits for the facts of turns that were acknowledged before.
const factsWait = 10 * time.Second

// An Index follows files.
type Index interface {
	Reader() indexer.Reader
	// Sync reads these files, or all, and returns when it has.
	Sync(ctx context.Context, paths ...vault.Path) (indexer.Stats, error)
	// Notify has these files read soon, or all.
	Notify(paths ...vault.Path)
	// Followed waits until what was notified of before is read.
	Followed(ctx context.Context) error
}

// An Intake gives facts of turns.
type Intake interface {
	// Settle waits until the turns that were taken before have given their facts.
	Settle(ctx context.Context) error
	// Reload reads the tombstones anew.
	Reload() error
}

// Options are what a follower works with.
type Options struct {
	Vault   *vault.Vault
	Watcher *watcher.Watcher
	Index   Index
	Closets func() // is called after the first look: the closets follow behind it
	Log     *slog.Logger
}

// A Follower is made by [New].
type Follower struct {
	o      Options
	intake Intake
	lag    lag
	ready  chan struct{} // closed when the first look at all files has ended
	failed atomic.Pointer[error]

	scan func() (map[string]vault.Path, error) // the files of all drawers, read once
}

// New returns a follower that follows nothing yet.
func New(o Options) *Follower {
	return &Follower{o: o, ready: make(chan struct{}), scan: sync.OnceValues(func() (map[string]vault.Path, error) {
		known := map[string]vault.Path{}
		err := o.Vault.EachDrawer(context.Background(), nil, func(p vault.Path, d *vault.Drawer) { known[d.ID] = p })
		return known, err
	})}
}

// Run watches the files and has the index read what changes, until ctx ends. Run first looks at every file once, when the watches stand, so
// that no edit falls between the two; until then answers come from what the index held before. Turns are taken by intake.
func (f *Follower) Run(ctx context.Context, intake Intake) {
	f.intake = intake
	batches, watched := make(chan watcher.Batch), make(chan watcher.Batch, 1)
	var all sync.WaitGroup
	all.Go(func() {
		defer close(batches)
		if err := f.o.Watcher.Run(ctx, batches); err != nil && ctx.Err() == nil {
			f.o.Log.Error("the vault is not watched any more; `reverie reindex` looks at it by hand", "err", err)
			f.failed.Store(&err)
		}
	})
	all.Go(func() {
		b := <-batches // the watches stand, or there will be none
		watched <- b
		if b.RootGone {
			f.changed(b)
		}
		for b := range batches {
			f.changed(b)
		}
	})
	<-watched
	f.first(ctx)
	all.Wait()
}

// first looks at every file.
func (f *Follower) first(ctx context.Context) {
	stats, err := f.o.Index.Sync(ctx)
	f.o.Closets() // nobody waits for them
	if err != nil {
		if ctx.Err() == nil {
			f.o.Log.Error("the first look at the vault failed", "err", err)
			f.failed.Store(&err)
		}
	} else {
		f.o.Log.Info("the index is up to date", "files", stats.Files, "added", stats.Added, "changed", stats.Changed, "removed", stats.Removed,
			"engine", f.o.Index.Reader().Engine())
	}
	close(f.ready)
}

// Degraded tells why answers may miss what changed, nil where nothing does.
func (f *Follower) Degraded() (out []string) {
	if why := f.o.Watcher.Degraded(); why != "" {
		out = append(out, why)
	}
	if p := f.failed.Load(); p != nil {
		out = append(out, "background: "+(*p).Error())
	}
	return out
}

// Ready is nil once the files have been looked at.
func (f *Follower) Ready() error {
	select {
	case <-f.ready:
		return nil
	default:
		return errors.New("the files are still being looked at")
	}
}

// WaitReady waits until the files have been looked at.
func (f *Follower) WaitReady(ctx context.Context) error {
	select {
	case <-f.ready:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Drawers tells in what files drawers are. While the first look at the files is on its way the index may lack some, so the files themselves
// are asked.
func (f *Follower) Drawers(ctx context.Context, ids []string) (map[string]vault.Path, error) {
	rows, err := f.o.Index.Reader().RowsByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	out := map[string]vault.Path{}
	for _, r := range rows {
		out[r.ID] = r.File
	}
	if len(out) == len(ids) || f.Ready() == nil {
		return out, nil
	}
	known, err := f.scan()
	for _, id := range ids {
		if p := known[id]; p != "" {
			out[id] = p
		}
	}
	return out, err
}

// changed is called with each batch of the watcher, by the goroutine that receives them and by questions that take one.
func (f *Follower) changed(b watcher.Batch) {
	if b.RootGone {
		// Every file looks deleted now. The index keeps its rows until the folder is back.
		f.o.Log.Error("the vault's folder is gone; nothing is indexed until it is back", "why", b.Reason)
		return
	}
	if b.Rescan {
		f.o.Log.Debug("looking at the whole vault", "why", b.Reason)
		f.follow(b.Seen, nil)
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
			if err := errors.Join(MendTombstones(context.Background(), f.o.Vault, f.o.Log), f.intake.Reload()); err != nil {
				f.o.Log.Error("cannot read the tombstones", "err", err)
			}
		}
	}
	if len(paths) > 0 {
		f.follow(b.Seen, paths)
	}
}

// Settle is called before an answer is made: it gives the index a moment to read what changed just now. Settle returns why the
// answer may miss something all the same, "" when the index has read all that was seen to change.
func (f *Follower) Settle(ctx context.Context) string {
	ctx, cancel := context.WithTimeout(ctx, settleWait)
	defer cancel()
	if f.WaitReady(ctx) != nil {
		return "index: the files are still being read, some may be missing"
	}
	b, err := f.o.Watcher.Take(ctx)
	if err == nil {
		f.changed(b)
		err = f.lag.wait(ctx)
	}
	switch {
	case errors.Is(err, watcher.ErrHeldBack):
		return "index: a dream is changing pages, edits are read when it has"
	case err != nil:
		return "index: files that changed just now are not read yet"
	}
	return ""
}

// SettleFacts is called before a dream that somebody asked for: it waits, for a while, until the turns that were acknowledged before have
// given their facts and the index knows those. What takes longer waits for the next dream.
func (f *Follower) SettleFacts(ctx context.Context) error {
	if err := f.WaitReady(ctx); err != nil {
		return err
	}
	wait, cancel := context.WithTimeout(ctx, factsWait)
	defer cancel()
	err := f.intake.Settle(wait)
	if err == nil {
		err = f.o.Index.Followed(wait)
	}
	if wait.Err() != nil {
		return ctx.Err()
	}
	return err
}

// follow has the index read what was seen to change. Questions wait for it, but not for files to which nobody but this vault has appended
// since they were looked at: whoever appended has told the index, and a caller who wants to wait for that says so.
func (f *Follower) follow(seen bool, paths []vault.Path) {
	var end func()
	if seen {
		runs := map[vault.Path]vault.Run{}
		for _, p := range paths {
			runs[p] = f.o.Vault.OwnRun(p)
		}
		end = f.lag.begin(runs)
	}
	if end == nil {
		f.o.Index.Notify(paths...)
		return
	}
	go func() { // ends at the latest when the index is closed
		defer end()
		_, _ = f.o.Index.Sync(context.Background(), paths...) // a failure is in Degraded, and is tried again
	}()
}

// MendTombstones makes the tombstones whole from their copies: before they are read, and whenever somebody changed their file.
func MendTombstones(ctx context.Context, v *vault.Vault, log *slog.Logger) error {
	problems, err := v.MendTombstones(ctx)
	for _, p := range problems {
		log.Warn("tombstones were not whole", "file", p.Path, "line", p.Line, "what", p.Reason)
	}
	return err
}
