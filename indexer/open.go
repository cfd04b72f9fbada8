package indexer

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/llm"
	"github.com/reverie-memory/reverie/vault"
)

// cleanMark is a file that exists while the index is closed and was closed in good order.
const cleanMark = "clean"

// Open opens the index, or makes it, and starts the goroutine that owns it. A damaged index is
// cleared and filled anew, which [Indexer.Degraded] says until it is done. Open does not wait for the
// first look at the vault.
func (ix *Indexer) Open(ctx context.Context) error {
	for _, s := range ix.o.Sources {
		for _, d := range s.Facets {
			if !slices.ContainsFunc(ix.o.Facets, func(f Facet) bool { return f.Name == d.Facet }) {
				return fmt.Errorf("opening the index: source %s depends on the facet %s, which nobody reads", s.Name, d.Facet)
			}
		}
	}
	if err := os.MkdirAll(ix.o.Dir, 0o700); err != nil {
		return fmt.Errorf("making the index folder: %w", err)
	}
	ix.hurt, ix.rounds, ix.probes = make(chan hurt, 1), make(chan embedded, 1), make(chan probe, 1)
	ix.closing, ix.stopped = make(chan struct{}), make(chan struct{})
	ix.embedding = embedding{embedder: ix.o.Embedder, refused: map[catalog.Hash]int{}}
	ix.unreadable, ix.run = map[vault.Path]bool{}, strconv.FormatInt(time.Now().UnixNano(), 36)

	mark := filepath.Join(ix.o.Dir, cleanMark)
	_, err := os.Stat(mark)
	clean := err == nil
	if err := os.Remove(mark); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("opening the index: %w", err)
	}
	for _, pr := range ix.o.Projections {
		if err := pr.open(filepath.Join(ix.o.Dir, projectionsDir)); err != nil {
			return fmt.Errorf("opening a projection: %w", err)
		}
	}
	if err := ix.openStores(ctx); err != nil {
		if !isCorrupt(err) {
			return err
		}
		if err := ix.repair(ctx, err); err != nil {
			return err
		}
	}
	ix.queue.put(func(j *job) { j.all, j.hash = true, !clean })
	run, cancel := context.WithCancel(context.WithoutCancel(ctx))
	ix.cancel = cancel
	go ix.own(run)
	return nil
}

// openStores opens the catalog and the current generation, or makes the first.
func (ix *Indexer) openStores(ctx context.Context) error {
	cache, err := catalog.Open(ctx, ix.o.Dir)
	if err != nil {
		return fmt.Errorf("opening the catalog: %w", err)
	}
	ix.cache = cache
	info, ok := cache.Current()
	if !ok {
		return ix.firstGeneration(ctx)
	}
	g, err := ix.openGeneration(ctx, info)
	if err != nil {
		return fmt.Errorf("opening generation %d: %w", info.ID, err)
	}
	ix.take(g)
	return nil
}

// take makes g the current generation at Open or after a repair.
func (ix *Indexer) take(g *generation) {
	ix.cur = g
	ix.show(g)
	ix.sayPending(g)
}

func (ix *Indexer) firstGeneration(ctx context.Context) error {
	if ix.o.Embedder.Dim() == 0 { // a remote model that may answer at once: saves a second generation
		ask, cancel := context.WithTimeout(ctx, 3*time.Second)
		_, err := ix.o.Embedder.Embed(ask, []string{"dimension"}, llm.Document)
		cancel()
		if err != nil {
			ix.embedderFailed(err)
		}
	}
	store, err := ix.cache.Create(ctx, ix.wanted())
	if err != nil {
		return fmt.Errorf("creating the first generation: %w", err)
	}
	g, err := ix.fit(ctx, store)
	if err != nil {
		return err
	}
	if err := ix.cache.Switch(ctx, g.info.ID); err != nil {
		ix.release(g)
		return fmt.Errorf("creating the first generation: %w", err)
	}
	ix.whole = false
	ix.take(g)
	return nil
}

// nextGeneration goes on with an incomplete generation of the right make, or creates one. Others
// than it and the current one are dropped.
func (ix *Indexer) nextGeneration(ctx context.Context) (*generation, error) {
	all, err := ix.cache.Generations(ctx)
	if err != nil {
		return nil, err
	}
	want := ix.wanted()
	for _, info := range all {
		if info.ID == ix.cur.info.ID {
			continue
		}
		want.ID, want.Complete = info.ID, false
		if info == want {
			if g, err := ix.openGeneration(ctx, info); err == nil {
				ix.log.Info("going on with an unfinished generation of the index", "generation", info.ID, "files", len(g.files))
				return g, nil
			}
		}
		if err := ix.cache.Drop(ctx, info.ID); err != nil {
			return nil, err
		}
	}
	want.ID = 0
	store, err := ix.cache.Create(ctx, want)
	if err != nil {
		return nil, err
	}
	return ix.fit(ctx, store)
}

func (ix *Indexer) openGeneration(ctx context.Context, info catalog.GenInfo) (*generation, error) {
	store, err := ix.cache.OpenGeneration(ctx, info.ID)
	if err != nil {
		return nil, err
	}
	return ix.fit(ctx, store)
}

// fit puts a generation together: file states, and the engine in its folder. A damaged engine is
// cleared and filled again from the cached vectors.
func (ix *Indexer) fit(ctx context.Context, made *catalog.Generation) (*generation, error) {
	var store rowStore = made
	if ix.wrap != nil {
		store = ix.wrap(store)
	}
	g := &generation{info: store.Info(), store: store}
	var err error
	if g.files, err = store.Files(ctx); err == nil {
		err = ix.openEngine(ctx, g)
	}
	if err == nil {
		g.pending, err = store.PendingCount(ctx)
	}
	if err != nil {
		ix.release(g)
		return nil, err
	}
	return g, nil
}

// openEngine opens the engine of g, where there is a dimension and it is the engine of g.
func (ix *Indexer) openEngine(ctx context.Context, g *generation) error {
	if g.info.Dim == 0 || g.info.Engine != ix.o.EngineName {
		return nil
	}
	dir := filepath.Join(g.store.Dir(), "vectors")
	engine, err := ix.o.OpenEngine(ctx, dir, g.info.Dim)
	if isCorrupt(err) {
		ix.log.Warn("the vectors are damaged and are filled again", "error", err)
		ix.notes.say("engine", "index: the vectors were damaged and are being filled again")
		if err := os.RemoveAll(dir); err != nil {
			return fmt.Errorf("clearing damaged vectors: %w", err)
		}
		engine, err = ix.o.OpenEngine(ctx, dir, g.info.Dim)
	}
	if err != nil {
		return fmt.Errorf("opening the vector engine: %w", err)
	}
	g.engine = engine
	return ix.agree(ctx, g)
}

// agree finds an engine that holds less than the catalog thinks: its folder was cleared, or a crash
// took what was not durable yet. Everything is then put again, which changes nothing where it is there.
func (ix *Indexer) agree(ctx context.Context, g *generation) error {
	count, err := g.engine.Count(ctx)
	if err != nil {
		return fmt.Errorf("counting vectors: %w", err)
	}
	rows := g.store.Reader().Len()
	pending, err := g.store.PendingCount(ctx)
	if err != nil {
		return err
	}
	if count > 0 && count >= (rows-pending)*9/10 || rows == pending {
		return nil // near enough: rows without any known word have no vector; the probe compares key by key
	}
	return g.store.MarkAllPending(ctx)
}

// release closes a generation's files.
func (ix *Indexer) release(g *generation) {
	if g.engine != nil {
		if err := g.engine.Close(); err != nil {
			ix.log.Warn("closing vectors", "generation", g.info.ID, "error", err)
		}
	}
	if err := g.store.Close(); err != nil {
		ix.log.Warn("closing a generation", "generation", g.info.ID, "error", err)
	}
}

// clear deletes a damaged index and makes an empty one. The cached vectors stay, unless they are what is damaged.
func (ix *Indexer) clear(ctx context.Context, cause error) error {
	if ix.cache != nil {
		if err := ix.cache.Close(); err != nil {
			ix.log.Warn("closing the damaged index", "error", err)
		}
		ix.cache = nil
	}
	if err := catalog.Clear(ix.o.Dir, errors.Is(cause, catalog.ErrVectors)); err != nil {
		return fmt.Errorf("clearing the damaged index: %w", err)
	}
	if err := ix.openStores(ctx); err != nil {
		return fmt.Errorf("making the index anew: %w", err)
	}
	return nil
}
