package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/activity"
	"github.com/reverie-memory/reverie/capture"
	"github.com/reverie-memory/reverie/config"
	"github.com/reverie-memory/reverie/dream"
	"github.com/reverie-memory/reverie/dream/agent"
	"github.com/reverie-memory/reverie/dreams"
	"github.com/reverie-memory/reverie/durable"
	"github.com/reverie-memory/reverie/follower"
	"github.com/reverie-memory/reverie/forget"
	"github.com/reverie-memory/reverie/graph"
	"github.com/reverie-memory/reverie/graph/journal"
	"github.com/reverie-memory/reverie/imports"
	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/llm"
	"github.com/reverie-memory/reverie/mine"
	notebooktemplate "github.com/reverie-memory/reverie/notebook-template"
	"github.com/reverie-memory/reverie/palace"
	"github.com/reverie-memory/reverie/palace/drawers"
	"github.com/reverie-memory/reverie/palace/findings"
	"github.com/reverie-memory/reverie/palace/tier"
	"github.com/reverie-memory/reverie/palace/worker"
	"github.com/reverie-memory/reverie/project"
	"github.com/reverie-memory/reverie/reads"
	"github.com/reverie-memory/reverie/recall"
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

// Workspace is one vault at work. Use [New], then Open; every method may be called from several
// goroutines until Close.
type Workspace struct {
	opt      Options
	log      *slog.Logger
	engine   Engine
	lock     *vault.Lock
	data     *vault.Lock // of the data folder
	vault    *vault.Vault
	models   *Guarded
	index    indexes
	intake   *palace.Intake
	folders  *palace.Folders
	drawers  *drawers.Journal
	graph    *journal.Journal
	workers  *worker.Room
	found    findings.Index
	follower *follower.Follower
	watcher  *watcher.Watcher
	reads    *reads.Log
	profiles recall.Profiles
	places   palace.Places
	visits   *reads.Visits
	news     activity.News
	jobs     activity.Jobs
	dreams   *dreams.Dreams
	capture  *capture.Room
	mine     *mine.Room
	forget   *forget.Room
	imports  *imports.Room

	stop context.CancelFunc
	done sync.WaitGroup
	made chan struct{} // closed when makeGraph has ended, which no context cuts off
}

// New returns a workspace that is not open yet.
func New(o Options) *Workspace {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Workspace{opt: o, log: o.Log}
}

// Listening writes the address of the server into the locks, for whoever finds them held.
func (w *Workspace) Listening(addr string) error {
	info := vault.LockInfo{PID: os.Getpid(), Addr: addr}
	err := w.lock.Update(info)
	info.Vault = w.opt.Vault
	return errors.Join(err, w.data.Update(info))
}

// takeLocks makes the vault and the data folder this process's own: two programs that write one index spoil it.
func (w *Workspace) takeLocks() (err error) {
	info := vault.LockInfo{PID: os.Getpid()}
	if w.lock, err = vault.Acquire(w.opt.Vault, info); err != nil {
		return err
	}
	if err := durable.MkdirAll(w.opt.DataDir, 0o700); err != nil {
		return fmt.Errorf("make the data folder: %w", err)
	}
	info.Vault = w.opt.Vault
	w.data, err = vault.AcquireData(w.opt.DataDir, info)
	return err
}

// Template is the vault that init copies.
func Template() fs.FS { return notebooktemplate.Files }

// Open takes the locks of vault and data folder and opens vault, index and intake in this order; questions can be asked when it
// returns. The first look at all files runs behind it.
func (w *Workspace) Open(ctx context.Context) (err error) {
	if _, err := os.Stat(w.opt.Vault); err != nil {
		return &vault.Error{Op: "open", Err: err, Hint: fmt.Sprintf("make the vault with `reverie init --vault %s`", w.opt.Vault)}
	}
	if w.profiles, err = recall.Own(w.opt.Config.Recall.Profiles); err != nil {
		return fmt.Errorf("settings recall.profiles: %w", err)
	}
	if w.places, err = palace.OwnPlaces(w.opt.Config.Palace.Places); err != nil {
		return fmt.Errorf("settings palace.places: %w", err)
	}
	if err := w.profiles.Check(w.opt.Config.Recall.Profile, w.opt.Config.Recall.Flags); err != nil {
		return fmt.Errorf("settings recall.profile and recall.flags: %w", err)
	}
	if w.engine, err = chooseEngine(w.opt.Config.Index.Engine); err != nil {
		return err
	}
	w.log.Info("vector engine", "engine", w.engine.Name, "note", w.engine.Note)
	defer func() {
		if err != nil {
			err = errors.Join(err, w.release(context.WithoutCancel(ctx)))
		}
	}()
	if err := w.takeLocks(); err != nil {
		return err
	}
	if w.vault, err = vault.Open(w.opt.Vault, vault.WithCopies(w.opt.DataDir)); err != nil {
		return fmt.Errorf("open the vault: %w", err)
	}
	for _, p := range w.vault.Repairs() {
		w.log.Warn("mended a file that a crash had cut off", "file", p.Path, "line", p.Line, "what", p.Reason)
	}
	if err := w.mendTombstones(ctx); err != nil {
		return err
	}
	w.models = w.opt.Models.guard(w.vault, w.log)
	if err := w.openMine(); err != nil {
		return err
	}
	if err := w.openIndex(ctx); err != nil {
		return err
	}
	if err := w.openIntake(ctx); err != nil {
		return err
	}
	background, stop := context.WithCancel(context.Background())
	w.stop = stop
	w.reads, w.visits = reads.New(w.vault, w.log, w.opt.Config.Replay.Days()), &reads.Visits{Vault: w.vault}
	w.done.Go(func() { w.reads.Run(background) })
	scheduled := w.opt.Schedule && w.opt.Config.Consolidation.Enabled
	w.openDreams(ctx, scheduled)
	if err := w.openWorkers(); err != nil {
		return err
	}
	w.openForgetting()
	w.folders = &palace.Folders{Vault: w.vault, Clean: w.nameless, Known: w.knownWing}
	w.openCapture()
	w.imports = imports.New(w.vault, w.intake, &w.jobs, &w.news, w.log)
	w.done.Go(func() { w.graph.Names.Run(background) })
	w.done.Go(func() { w.follower.Run(background, w.intake) })
	w.done.Go(func() { w.imports.Resume(background, w.follower.WaitReady) })
	if w.opt.Schedule {
		w.done.Go(func() { w.capture.Run(background, w.follower.WaitReady) })
		w.done.Go(func() { w.workers.Run(background, w.follower.WaitReady) })
		w.done.Go(func() { w.followMined(background) })
		w.made = make(chan struct{})
		go func() {
			defer close(w.made)
			w.makeGraph(background, w.follower.WaitReady)
		}()
	}
	if scheduled {
		w.done.Go(func() { w.dreams.Run(background, w.follower.WaitReady) })
	}
	return nil
}

func (w *Workspace) openIndex(ctx context.Context) error {
	known := &indexer.Projection[drawers.State, drawers.State]{
		Name: "drawers", Version: drawers.FoldVersion, Match: func(p vault.Path) bool { return p == drawers.File },
		Fold: func(before drawers.State, _ vault.Path, lines []byte) drawers.State {
			return drawers.Fold(before, lines)
		}, Join: drawers.Join,
	}
	w.drawers = &drawers.Journal{Vault: w.vault, Sync: w.sync, Known: known.State}
	pages := indexer.PageSource(w.vault.Layout()).Match
	files := journal.Files{Layout: w.vault.Layout(), Pages: pages}
	told := &indexer.Projection[journal.FileState, *journal.Told]{
		Name: "graph", Version: journal.FoldVersion, Match: files.Folded, Whole: pages, Shown: files.Fold, Join: journal.Join,
	}
	w.graph = &journal.Journal{
		Vault: w.vault, Sync: w.sync, Notify: func(p ...vault.Path) { w.index.Notify(p...) }, Known: told.State,
		Names: &journal.Names{
			Embed: func(ctx context.Context, names []string) ([][]float32, error) {
				return w.models.Embedder.Embed(ctx, names, llm.Document)
			}, Fingerprint: w.models.Embedder.Fingerprint,
		},
		Functional: w.opt.Config.Graph.FunctionalPredicates,
		Isolated:   func() (project.Isolation, error) { return palace.Isolated(w.vault) }, Moved: w.drawers.State,
	}
	o := indexer.Options{
		Vault: w.vault, Dir: w.opt.DataDir, Embedder: w.models.Embedder,
		Sources: append(indexer.DefaultSources(w.vault.Layout()), w.mine.Sources()...), Facets: append(indexer.DefaultFacets(), mine.Facet()),
		Mounted:     w.mine.Mounts,
		Mounts:      []indexer.Mount{indexer.StateFiles(w.vault, drawers.FileName, findings.FileName, graph.StateName)},
		Projections: []indexer.Projector{known, told},
		OpenEngine:  w.engine.open, EngineName: w.engine.Name, Log: w.log, Progress: w.indexed, Added: w.added,
	}
	ix := indexer.New(o)
	if err := ix.Open(ctx); err != nil {
		return fmt.Errorf("open the index: %w", err)
	}
	w.index.Indexer = ix
	if err := w.openClosets(ctx, o); err != nil {
		return fmt.Errorf("open the closets: %w", err)
	}
	w.openFollower()
	return nil
}

// openFollower prepares what has the index follow the files. Nothing runs yet.
func (w *Workspace) openFollower() {
	c := w.opt.Config.Watcher
	w.watcher = &watcher.Watcher{
		Root: w.opt.Vault, Quiet: c.Quiet.Duration(), MaxWait: c.MaxWait.Duration(), Sweep: c.Sweep.Duration(), Log: w.log,
	}
	o := follower.Options{Vault: w.vault, Watcher: w.watcher, Index: w.index.Indexer, Mend: w.mendTombstones, Log: w.log}
	if w.index.closets != nil {
		o.Closets = func() { w.index.closets.Notify() }
	}
	w.follower = follower.New(o)
}

// sync makes the index follow files.
func (w *Workspace) sync(ctx context.Context, paths ...vault.Path) error {
	_, err := w.index.Sync(ctx, paths...)
	return err
}

func (w *Workspace) openIntake(ctx context.Context) error {
	c := w.opt.Config
	workers := c.Intake.Workers
	if c.LLM.Provider == llm.ProviderCommand { // who waits for the program has less time for its answer
		workers = min(workers, c.LLM.Parallel)
	}
	in := palace.NewIntake(palace.Options{
		Vault: w.vault, Dir: w.opt.DataDir, Extractor: w.models.Extractor, Rules: w.opt.Models.rules(), Batch: w.models.batch,
		Sync:   w.sync,
		Notify: w.index.Notify, KnownDrawers: w.follower.Drawers, Graph: w.graph, Drawers: w.drawers, Findings: w.Findings(),
		Published: func(text string) { w.news.Send("write", text, nil) }, Filed: w.filed,
		Workers: workers, Queue: c.Intake.Queue, TurnTimeout: c.Intake.TurnTimeout.Duration(), Guarded: c.Guard.Platforms,
		Places: w.places, Topics: c.Palace.Topics, Log: w.log,
	})
	if err := in.Open(ctx); err != nil {
		return fmt.Errorf("open the intake: %w", err)
	}
	w.intake = in
	return nil
}

// openWorkers prepares the palace's workers. Nothing runs yet.
func (w *Workspace) openWorkers() error {
	c := w.opt.Config.Palace
	nights, err := config.Times(c.Maintain)
	if err != nil {
		return fmt.Errorf("palace.maintain: %w", err)
	}
	sundays, err := config.Times(c.Centroids)
	if err != nil {
		return fmt.Errorf("palace.centroids: %w", err)
	}
	o := worker.Options{
		Vault: w.vault, Reader: w.index.Reader, Journal: w.drawers, Findings: w.Findings(), Reads: w.reads, Dir: w.opt.DataDir, Log: w.log,
		Left: w.models.palaceLeft, Batch: c.Batch, Decay: drawers.DefaultDecay,
		High: w.opt.Config.Tiers.HeuristicHigh, Low: w.opt.Config.Tiers.HeuristicLow,
		Fading: worker.DefaultFading, Compaction: w.Compaction(), Hooks: w.opt.Hooks, File: w.file,
		When: map[string]worker.When{
			worker.Process: {Every: c.Process.Duration()}, worker.Enrich: {Every: c.Enrich.Duration()},
			worker.Maintain: {At: nights}, worker.Centroids: {At: sundays},
		},
		Fingerprint: w.models.Embedder.Fingerprint,
		Isolated:    func() (project.Isolation, error) { return palace.Isolated(w.vault) },
	}
	o.Fading.Keep = c.KeepMin
	if m := w.models.palace; m != nil {
		o.Chat = m
	}
	w.workers = worker.New(o)
	return nil
}

// file files a drawer by hand.
func (w *Workspace) file(ctx context.Context, d vault.Drawer, then func(filed vault.Drawer) error) error {
	return w.intake.File(ctx, d, func(f palace.Filed) error { return then(f.Drawer) })
}

// openDreams prepares consolidation. Nothing runs yet.
func (w *Workspace) openDreams(ctx context.Context, scheduled bool) {
	c := w.opt.Config.Consolidation
	var model dream.Proposer // nil: rules alone
	if m := w.models.dreamer; m != nil {
		model = agent.New(agent.Options{Chat: m, Tools: c.Tools, Budget: w.models.left})
	}
	isolated := func() (project.Isolation, error) { return palace.Isolated(w.vault) }
	ix := dreams.Index{
		Vault: w.vault, Indexer: w.index.Indexer, Isolated: isolated, Counted: w.reads,
		Searcher: func() (*recall.Searcher, func(), error) {
			view, err := w.View("", "")
			if err != nil {
				return nil, nil, err
			}
			s, release := w.Searcher("", view)
			return s, release, nil
		},
	}
	w.dreams = dreams.New(dreams.Options{
		Jobs: &w.jobs, News: &w.news, Now: w.vault.Now, Log: w.log, Scheduled: scheduled,
		Interval: c.Interval.Duration(), StepTimeout: c.StepTimeout.Duration(), Sheet: agent.Bounds{Facts: c.StepFacts, Chars: c.StepChars},
	})
	w.dreams.Open(ctx, dream.New(dream.Options{
		Vault: w.vault, Index: ix, Watch: w.watcher,
		Gate:    dream.Gate{MinHours: c.MinHours, MinFacts: c.MinFacts, MaxDays: c.MaxDays, MaxRetries: c.MaxRetries},
		Enabled: c.Enabled, Timeout: c.Timeout.Duration(), MemoryMaxLines: c.MemoryMaxLines, KeepRuns: c.KeepRuns, KeepCopies: c.KeepCopies,
		Model: model, Days: ix.Days, Isolated: isolated, Moved: w.drawers.State,
		Reads: ix.Reads, Budget: w.models.left, Progress: w.dreams.Progress, Log: w.log,
	}))
}

// Close ends the workspace: intake, then a dream that runs (its plan is gone on with), watcher, index, stores, lock.
func (w *Workspace) Close(ctx context.Context) error {
	var errs []error
	if w.intake != nil {
		errs = append(errs, w.intake.Close(ctx))
	}
	if w.stop != nil {
		w.jobs.Stop()
		w.stop()
		w.done.Wait()
	}
	if w.made != nil { // the graph is made of memory alone: it may outlast what is closed
		select {
		case <-w.made:
		case <-ctx.Done():
		}
	}
	w.news.Close()
	return errors.Join(append(errs, w.release(ctx))...)
}

// release closes what Open opened, in reverse.
func (w *Workspace) release(ctx context.Context) error {
	var errs []error
	if w.index.Indexer != nil {
		errs = append(errs, w.index.Close(ctx))
	}
	if w.models != nil {
		errs = append(errs, w.models.close(ctx))
	}
	if w.vault != nil {
		errs = append(errs, w.vault.Close())
	}
	if w.lock != nil {
		errs = append(errs, w.lock.Release())
	}
	if w.data != nil { // the last thing of all: who gets it knows that everything is closed
		errs = append(errs, w.data.Release())
	}
	return errors.Join(errs...)
}

// filed tells the event stream of drawers.
func (w *Workspace) filed(drawers []vault.Drawer) {
	if !w.news.Heard() {
		return
	}
	for _, d := range drawers {
		kind, _ := tier.Classify(d.Text)
		w.news.SendFiled(activity.Filed{
			Drawer: d.ID, Wing: d.Wing, Room: d.Room, Type: kind, Agent: d.Agent, Length: utf8.RuneCountInString(d.Text),
		})
	}
}

// added tells the event stream of the drawers of mined folders, which nobody files.
func (w *Workspace) added(rows []indexer.Row) {
	if !mine.Mined(rows[0].File) || !w.news.Heard() {
		return
	}
	for i := range rows {
		r := &rows[i]
		kind, _ := tier.Classify(r.Text)
		w.news.SendFiled(activity.Filed{
			Drawer: r.Drawer, Wing: r.Wing, Room: r.Room, Type: kind, Length: utf8.RuneCountInString(r.Text),
		})
	}
}

// indexed tells the event stream how far long work on the index is.
func (w *Workspace) indexed(p indexer.Progress) {
	w.mine.Read(p.Phase, p.Done, p.Total)
	w.news.Send("index", fmt.Sprintf("%s: %d of %d %s", p.Phase, p.Done, p.Total, p.Unit), nil)
}
