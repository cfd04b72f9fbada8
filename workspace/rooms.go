package workspace

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/reverie-memory/reverie/config"
	"github.com/reverie-memory/reverie/dream"
	"github.com/reverie-memory/reverie/dream/agent"
	"github.com/reverie-memory/reverie/dreams"
	"github.com/reverie-memory/reverie/follower"
	"github.com/reverie-memory/reverie/graph"
	"github.com/reverie-memory/reverie/graph/journal"
	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/llm"
	"github.com/reverie-memory/reverie/mine"
	"github.com/reverie-memory/reverie/palace"
	"github.com/reverie-memory/reverie/palace/closet"
	"github.com/reverie-memory/reverie/palace/drawers"
	"github.com/reverie-memory/reverie/palace/findings"
	"github.com/reverie-memory/reverie/palace/worker"
	"github.com/reverie-memory/reverie/project"
	"github.com/reverie-memory/reverie/recall"
	"github.com/reverie-memory/reverie/recall/view"
	"github.com/reverie-memory/reverie/vault"
	"github.com/reverie-memory/reverie/watcher"
)

// ownRanking reads the profiles and places that the settings have of their own.
func (w *Workspace) ownRanking() (err error) {
	c := w.Options.Config
	if w.Profiles, err = recall.Own(c.Recall.Profiles); err != nil {
		return fmt.Errorf("settings recall.profiles: %w", err)
	}
	if w.places, err = palace.OwnPlaces(c.Palace.Places); err != nil {
		return fmt.Errorf("settings palace.places: %w", err)
	}
	if err := w.Profiles.Check(c.Recall.Profile, c.Recall.Flags); err != nil {
		return fmt.Errorf("settings recall.profile and recall.flags: %w", err)
	}
	return nil
}

// isolated gives the wings that keep to themselves.
func isolated(v *vault.Vault) func() (project.Isolation, error) {
	return func() (project.Isolation, error) { return palace.Isolated(v) }
}

// openMine reads which folders are mined. The folders are looked at when the index is opened.
func (w *Workspace) openMine() error {
	o := w.Options
	c, clocks := o.Config.Mine, o.Config.Watcher
	w.Mining = mine.New(mine.Options{
		Vault: w.Vault, Dir: o.Vault, Data: o.DataDir, PDF: o.PDF, Own: []string{o.Vault, o.DataDir, o.Config.DataDir},
		MaxBytes: c.MaxFileBytes, Ignore: c.IgnoreFile, Watch: c.Watch, Log: w.log,
		Clocks: mine.Clocks{Quiet: clocks.Quiet.Duration(), MaxWait: clocks.MaxWait.Duration(), Sweep: clocks.Sweep.Duration()},
	})
	return w.Mining.Open()
}

// openIndex opens the index with the rooms that are folded from its files: what became of drawers, and the graph.
func (w *Workspace) openIndex(ctx context.Context) (err error) {
	known := &indexer.Projection[drawers.State, drawers.State]{
		Name: "drawers", Version: drawers.FoldVersion, Match: func(p vault.Path) bool { return p == drawers.File },
		Fold: func(before drawers.State, _ vault.Path, lines []byte) drawers.State {
			return drawers.Fold(before, lines)
		}, Join: drawers.Join,
	}
	sync := func(ctx context.Context, p ...vault.Path) error { return w.index.Follow(ctx, p...) }
	notify := func(p ...vault.Path) { w.index.Notify(p...) }
	w.Drawers = &drawers.Journal{Vault: w.Vault, Sync: sync, Known: known.State}
	w.Findings = findings.Store{Vault: w.Vault, Index: new(findings.Index), Notify: notify}
	pages := indexer.PageSource(w.Vault.Layout()).Match
	files := journal.Files{Layout: w.Vault.Layout(), Pages: pages}
	told := &indexer.Projection[journal.FileState, *journal.Told]{
		Name: "graph", Version: journal.FoldVersion, Match: files.Folded, Whole: pages, Shown: files.Fold, Join: journal.Join,
	}
	w.Graph = &journal.Journal{
		Vault: w.Vault, Sync: sync, Notify: notify, Known: told.State,
		Names: &journal.Names{
			Embed: func(ctx context.Context, names []string) ([][]float32, error) {
				return w.Models.Embedder.Embed(ctx, names, llm.Document)
			}, Fingerprint: w.Models.Embedder.Fingerprint,
		},
		Functional: w.Options.Config.Graph.FunctionalPredicates,
		Isolated:   isolated(w.Vault), Moved: w.Drawers.State,
	}
	w.index, err = indexer.OpenPair(ctx, indexer.Options{
		Vault: w.Vault, Dir: w.Options.DataDir, Embedder: w.Models.Embedder,
		Sources: append(indexer.DefaultSources(w.Vault.Layout()), w.Mining.Sources()...), Facets: append(indexer.DefaultFacets(), mine.Facet()),
		Mounted:     w.Mining.Mounts,
		Mounts:      []indexer.Mount{indexer.StateFiles(w.Vault, drawers.FileName, findings.FileName, graph.StateName)},
		Projections: []indexer.Projector{known, told},
		OpenEngine:  w.Engine.open, EngineName: w.Engine.Name, Log: w.log,
		Progress: func(p indexer.Progress) {
			w.Mining.Read(p.Phase, p.Done, p.Total)
			w.News.Send("index", fmt.Sprintf("%s: %d of %d %s", p.Phase, p.Done, p.Total, p.Unit), nil)
		},
		Added: func(rows []indexer.Row) {
			if mine.Mined(rows[0].File) {
				w.News.SendFiled(mine.Drawers(rows)) // nobody files these
			}
		},
	}, w.closets())
	w.Index = w.index
	return err
}

// closets are the sources of closets; none where the settings want none.
func (w *Workspace) closets() (sources []indexer.Source) {
	c := w.Options.Config.Closets
	if !c.Enabled {
		return nil
	}
	limits := closet.Limits{Chars: c.CharLimit, Topics: c.TopicsPer5000, Quotes: c.Quotes, Names: c.Entities, Refs: c.Refs}
	for _, s := range append([]indexer.Source{indexer.DrawerSource()}, w.Mining.Sources()...) {
		sources = append(sources, indexer.ClosetSource(s, limits))
	}
	return sources
}

// cookiesDir is the folder of the data folder with the watcher's empty files.
const cookiesDir = "watch"

// openFollower prepares what has the index follow the files. Nothing runs yet.
func (w *Workspace) openFollower() {
	c := w.Options.Config.Watcher
	w.watcher = &watcher.Watcher{
		Root: w.Options.Vault, Quiet: c.Quiet.Duration(), MaxWait: c.MaxWait.Duration(), Sweep: c.Sweep.Duration(), Log: w.log,
		Cookies: filepath.Join(w.Options.DataDir, cookiesDir),
	}
	w.Follower = follower.New(follower.Options{
		Vault: w.Vault, Watcher: w.watcher, Index: w.index.Indexer, Closets: func() { w.index.NotifyClosets() }, Log: w.log,
	})
}

func (w *Workspace) openIntake(ctx context.Context) error {
	c := w.Options.Config
	workers := c.Intake.Workers
	if c.LLM.Provider == llm.ProviderCommand { // who waits for the program has less time for its answer
		workers = min(workers, c.LLM.Parallel)
	}
	in := palace.NewIntake(palace.Options{
		Vault: w.Vault, Dir: w.Options.DataDir, Extractor: w.Models.Extractor, Rules: w.Options.Models.rules(), Batch: w.Models.batch,
		Sync: w.index.Follow, Notify: w.index.Notify, KnownDrawers: w.Follower.Drawers, Graph: w.Graph, Drawers: w.Drawers, Findings: w.Findings,
		Published: func(text string) { w.News.Send("write", text, nil) }, Filed: w.News.SendFiled,
		Workers: workers, Queue: c.Intake.Queue, TurnTimeout: c.Intake.TurnTimeout.Duration(), Guarded: c.Guard.Platforms,
		Places: w.places, Topics: c.Palace.Topics, Log: w.log,
	})
	if err := in.Open(ctx); err != nil {
		return fmt.Errorf("open the intake: %w", err)
	}
	w.Intake = in
	w.Folders = &palace.Folders{Vault: w.Vault, Wings: func(ctx context.Context) ([]string, error) {
		err := w.Follower.WaitReady(ctx)
		return w.index.Reader().Wings(), err
	}}
	return nil
}

// openSearches prepares searches, over what is open by then.
func (w *Workspace) openSearches() {
	o := view.Options{
		Vault: w.Vault, Index: w.index.Indexer, Graph: w.Graph, Drawers: w.Drawers, Reads: w.Reads, Profiles: w.Profiles,
		Embed: w.Models.Embedder, Rerank: w.Models.Reranker, Now: w.Options.Now, Hooks: w.Options.Hooks, Log: w.log,
	}
	if w.index.Closets != nil {
		o.Closets = w.index.Closets
	}
	w.Searches = view.New(o)
}

// openWorkers prepares the palace's workers. Nothing runs yet.
func (w *Workspace) openWorkers() error {
	all := w.Options.Config
	c, put := all.Palace, all.Compaction
	nights, err := config.Times(c.Maintain)
	if err != nil {
		return fmt.Errorf("palace.maintain: %w", err)
	}
	sundays, err := config.Times(c.Centroids)
	if err != nil {
		return fmt.Errorf("palace.centroids: %w", err)
	}
	o := worker.Options{
		Vault: w.Vault, Reader: w.index.Reader, Journal: w.Drawers, Findings: w.Findings, Reads: w.Reads, Dir: w.Options.DataDir, Log: w.log,
		Share: w.Models.palaceShare, Batch: c.Batch, Decay: drawers.DefaultDecay,
		High: all.Tiers.HeuristicHigh, Low: all.Tiers.HeuristicLow,
		Fading: worker.DefaultFading, Hooks: w.Options.Hooks,
		Compaction: worker.Compaction{
			Enabled: put.Enabled, Threshold: put.Threshold, Age: put.AgeDays, Decay: put.DecayEnabled, Lambda: put.DecayLambda,
			Batch: put.BatchSize, Depth: put.MaxScanDepth,
		},
		File: func(ctx context.Context, d vault.Drawer, then func(filed vault.Drawer) error) error {
			return w.Intake.File(ctx, d, func(f palace.Filed) error { return then(f.Drawer) })
		},
		When: map[string]worker.When{
			worker.Process: {Every: c.Process.Duration()}, worker.Enrich: {Every: c.Enrich.Duration()},
			worker.Maintain: {At: nights}, worker.Centroids: {At: sundays},
		},
		Fingerprint: w.Models.Embedder.Fingerprint,
		Isolated:    isolated(w.Vault),
	}
	o.Fading.Keep = c.KeepMin
	if m := w.Models.palace; m != nil {
		o.Chat = m
	}
	w.Workers = worker.New(o)
	return nil
}

// openDreams prepares consolidation. Nothing runs yet.
func (w *Workspace) openDreams(ctx context.Context, scheduled bool) {
	c := w.Options.Config.Consolidation
	var model dream.Proposer // nil: rules alone
	if m := w.Models.dreamer; m != nil {
		model = agent.New(agent.Options{Chat: m, Tools: c.Tools, Budget: w.Models.left})
	}
	isolated := isolated(w.Vault)
	ix := dreams.Index{Vault: w.Vault, Indexer: w.index.Indexer, Isolated: isolated, Counted: w.Reads, Searcher: w.Searches.Common}
	w.Consolidation = dreams.New(dreams.Options{
		Jobs: &w.Jobs, News: &w.News, Now: w.Vault.Now, Log: w.log, Scheduled: scheduled,
		Interval: c.Interval.Duration(), StepTimeout: c.StepTimeout.Duration(), Sheet: agent.Bounds{Facts: c.StepFacts, Chars: c.StepChars},
	})
	w.Consolidation.Open(ctx, dream.New(dream.Options{
		Vault: w.Vault, Index: ix, Watch: w.watcher,
		Gate:    dream.Gate{MinHours: c.MinHours, MinFacts: c.MinFacts, MaxDays: c.MaxDays, MaxRetries: c.MaxRetries},
		Enabled: c.Enabled, Timeout: c.Timeout.Duration(), MemoryMaxLines: c.MemoryMaxLines, KeepRuns: c.KeepRuns, KeepCopies: c.KeepCopies,
		Model: model, Days: ix.Days, Isolated: isolated, Moved: w.Drawers.State,
		Reads: ix.Reads, Budget: w.Models.left, Progress: w.Consolidation.Progress, Log: w.log,
	}))
}
