package workspace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/reverie-memory/reverie/activity"
	"github.com/reverie-memory/reverie/capture"
	"github.com/reverie-memory/reverie/config"
	"github.com/reverie-memory/reverie/dreams"
	"github.com/reverie-memory/reverie/durable"
	"github.com/reverie-memory/reverie/follower"
	"github.com/reverie-memory/reverie/forget"
	"github.com/reverie-memory/reverie/graph/journal"
	"github.com/reverie-memory/reverie/imports"
	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/mine"
	notebooktemplate "github.com/reverie-memory/reverie/notebook-template"
	"github.com/reverie-memory/reverie/palace"
	"github.com/reverie-memory/reverie/palace/drawers"
	"github.com/reverie-memory/reverie/palace/findings"
	"github.com/reverie-memory/reverie/palace/worker"
	"github.com/reverie-memory/reverie/reads"
	"github.com/reverie-memory/reverie/recall"
	"github.com/reverie-memory/reverie/recall/view"
	"github.com/reverie-memory/reverie/vault"
	"github.com/reverie-memory/reverie/watcher"
)

// Options are what a Workspace needs.
type Options struct {
	Name    string
	Vault   string // folder; must exist
	DataDir string // folder of this workspace's index; made when it is not there
	Config  config.Config
	Models  *Models
	Version string
	PDF     []string // the program, with its arguments, that does [mine.PDFText]; none: PDFs are not read
	Log     *slog.Logger
	Hooks   recall.Hooks     // called while searches run
	Now     func() time.Time // the clock of searches; nil: time.Now. Several goroutines call it

	// Schedule lets dreams begin by themselves, and has transcripts captured. Who opens a vault for one question leaves it out.
	Schedule bool
}

// Workspace is one vault at work. Use [New], then Open. The fields are its rooms: they are there from Open to Close, nobody replaces
// them, and they may be used from several goroutines.
type Workspace struct {
	Options       Options // as given to New
	Engine        Engine
	Models        *Guarded     // as this workspace pays for them
	Vault         *vault.Vault // holds the files
	Index         Index        // follows the files
	Follower      *follower.Follower
	Intake        *palace.Intake // takes turns and facts
	Folders       *palace.Folders
	Drawers       *drawers.Journal // what becomes of drawers after they were filed
	Findings      findings.Store
	Workers       *worker.Room
	Graph         *journal.Journal
	Reads         *reads.Log
	Visits        *reads.Visits
	Profiles      recall.Profiles
	Searches      *view.Room
	Consolidation *dreams.Dreams
	Forgetting    *forget.Room
	Imports       *imports.Room
	Capture       *capture.Room // does nothing by itself without [Options.Schedule]
	Mining        *mine.Room
	Jobs          activity.Jobs
	News          activity.News

	log     *slog.Logger
	lock    *vault.Lock
	data    *vault.Lock // of the data folder
	index   *indexer.Pair
	watcher *watcher.Watcher
	places  palace.Places

	stop context.CancelFunc
	done sync.WaitGroup
	warm chan struct{} // closed when the graph was made at the start, which no context cuts off
}

// Index is what others than the workspace may have done with its index.
type Index interface {
	Reader() indexer.Reader
	Problems() []vault.Problem
	Degraded() []string
	Sync(ctx context.Context, paths ...vault.Path) (indexer.Stats, error)
	Under(ctx context.Context, p vault.Path) (indexer.Held, error)
	Rebuild(ctx context.Context, progress func(done, total int)) error
	Settle(ctx context.Context) error
	Pace(ctx context.Context)
	Verify(ctx context.Context) (indexer.Verification, error)
}

// New returns a workspace that is not open yet.
func New(o Options) *Workspace {
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	return &Workspace{Options: o, log: o.Log}
}

// Listening writes the address of the server into the locks, for whoever finds them held.
func (w *Workspace) Listening(addr string) error {
	info := vault.LockInfo{PID: os.Getpid(), Addr: addr, Data: w.Options.DataDir}
	err := w.lock.Update(info)
	info.Vault, info.Data = w.Options.Vault, ""
	return errors.Join(err, w.data.Update(info))
}

// takeLocks makes the vault and the data folder this process's own: two programs that write one index spoil it.
func (w *Workspace) takeLocks() (err error) {
	info := vault.LockInfo{PID: os.Getpid(), Data: w.Options.DataDir}
	if w.lock, err = vault.Acquire(w.Options.Vault, info); err != nil {
		return err
	}
	if err := durable.MkdirAll(w.Options.DataDir, 0o700); err != nil {
		return fmt.Errorf("make the data folder: %w", err)
	}
	info.Vault, info.Data = w.Options.Vault, ""
	w.data, err = vault.AcquireData(w.Options.DataDir, info)
	return err
}

// Template is the vault that init copies.
func Template() fs.FS { return notebooktemplate.Files }

// Open takes the locks of vault and data folder and opens vault, index and intake in this order; questions can be asked when it
// returns. The first look at all files runs behind it.
func (w *Workspace) Open(ctx context.Context) (err error) {
	if _, err := os.Stat(w.Options.Vault); err != nil {
		return &vault.Error{Op: "open", Err: err, Hint: fmt.Sprintf("make the vault with `reverie init --vault %s`", w.Options.Vault)}
	}
	if err := w.ownRanking(); err != nil {
		return err
	}
	if w.Engine, err = chooseEngine(w.Options.Config.Index.Engine); err != nil {
		return err
	}
	w.log.Info("vector engine", "engine", w.Engine.Name, "note", w.Engine.Note)
	defer func() {
		if err != nil {
			err = errors.Join(err, w.release(context.WithoutCancel(ctx)))
		}
	}()
	if err := w.takeLocks(); err != nil {
		return err
	}
	if w.Vault, err = vault.Open(w.Options.Vault, vault.WithCopies(w.Options.DataDir)); err != nil {
		return fmt.Errorf("open the vault: %w", err)
	}
	for _, p := range w.Vault.Repairs() {
		w.log.Warn("mended a file that a crash had cut off", "file", p.Path, "line", p.Line, "what", p.Reason)
	}
	if err := follower.MendTombstones(ctx, w.Vault, w.log); err != nil {
		return err
	}
	w.Models = w.Options.Models.guard(w.Vault, w.log)
	if err := w.openMine(); err != nil {
		return err
	}
	if err := w.openIndex(ctx); err != nil {
		return err
	}
	w.openFollower()
	if err := w.openIntake(ctx); err != nil {
		return err
	}
	background, stop := context.WithCancel(context.Background())
	w.stop = stop
	w.Reads, w.Visits = reads.New(w.Vault, w.log, w.Options.Config.Replay.Days()), &reads.Visits{Vault: w.Vault}
	w.done.Go(func() { w.Reads.Run(background) })
	w.openSearches()
	scheduled := w.Options.Schedule && w.Options.Config.Consolidation.Enabled
	w.openDreams(ctx, scheduled)
	if err := w.openWorkers(); err != nil {
		return err
	}
	w.openForgetting(w.kinds())
	w.openCapture()
	w.Imports = imports.New(w.Vault, w.Intake, &w.Jobs, &w.News, w.log)
	w.run(background, scheduled)
	return nil
}

// run begins what goes on by itself until ctx ends.
func (w *Workspace) run(ctx context.Context, scheduled bool) {
	ready := w.Follower.WaitReady
	w.done.Go(func() { w.Graph.Names.Run(ctx) })
	w.done.Go(func() { w.Follower.Run(ctx, w.Intake) })
	w.done.Go(func() { w.Imports.Resume(ctx, ready) })
	if w.Options.Schedule {
		w.done.Go(func() { w.Capture.Run(ctx, ready) })
		w.done.Go(func() { w.Workers.Run(ctx, ready) })
		w.done.Go(func() { w.Mining.Run(ctx, ready, w.index.Notify) })
		w.warm = make(chan struct{})
		go func() {
			defer close(w.warm)
			w.Graph.Warm(ctx, ready, w.log)
		}()
	}
	if scheduled {
		w.done.Go(func() { w.Consolidation.Run(ctx, ready) })
	}
}

// Close ends the workspace: intake, then a dream that runs (its plan is gone on with), watcher, index, stores, lock.
func (w *Workspace) Close(ctx context.Context) error {
	var errs []error
	if w.Intake != nil {
		errs = append(errs, w.Intake.Close(ctx))
	}
	if w.stop != nil {
		w.Jobs.Stop()
		w.stop()
		w.done.Wait()
	}
	if w.warm != nil { // the graph is made of memory alone: it may outlast what is closed
		select {
		case <-w.warm:
		case <-ctx.Done():
		}
	}
	w.News.Close()
	return errors.Join(append(errs, w.release(ctx))...)
}

// release closes what Open opened, in reverse.
func (w *Workspace) release(ctx context.Context) error {
	var errs []error
	if w.index != nil {
		errs = append(errs, w.index.Close(ctx))
	}
	if w.Models != nil {
		errs = append(errs, w.Models.close(ctx))
	}
	if w.Vault != nil {
		errs = append(errs, w.Vault.Close())
	}
	if w.lock != nil {
		errs = append(errs, w.lock.Release())
	}
	if w.data != nil { // the last thing of all: who gets it knows that everything is closed
		errs = append(errs, w.data.Release())
	}
	return errors.Join(errs...)
}
