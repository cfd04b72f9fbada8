package worker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/reverie-memory/reverie/forget"
	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/llm"
	"github.com/reverie-memory/reverie/palace/centroids"
	"github.com/reverie-memory/reverie/palace/drawers"
	"github.com/reverie-memory/reverie/palace/findings"
	"github.com/reverie-memory/reverie/palace/tier"
	"github.com/reverie-memory/reverie/project"
	"github.com/reverie-memory/reverie/reads"
	"github.com/reverie-memory/reverie/recall"
	"github.com/reverie-memory/reverie/vault"
)

// Options are what a [Room] works with.
type Options struct {
	Vault    *vault.Vault
	Reader   func() indexer.Reader
	Journal  *drawers.Journal
	Findings findings.Store
	Reads    interface {
		Counts() (map[string]reads.Count, error)
	}
	Dir string // the data folder
	Log *slog.Logger

	Chat llm.Chat // nil: enrich has nothing to do, and process only compares
	// Share is what the workers may spend today, and did.
	Share func(ctx context.Context) (Share, error)
	// Isolated are the wings that keep to themselves.
	Isolated func() (project.Isolation, error)
	// Fingerprint is the embedder's.
	Fingerprint func() string

	When   map[string]When
	Batch  int     // drawers that a model is asked about at once
	High   float64 // a type that is read in a drawer's words with so much confidence is left to them
	Low    float64 // from here on it is left to them and to the nearest centroid
	Decay  drawers.Decay
	Fading Fading

	Compaction Compaction
	Hooks      recall.Hooks
	// File files a drawer, and calls then when it is safe on disk, also for one that was filed before.
	File func(ctx context.Context, d vault.Drawer, then func(filed vault.Drawer) error) error
}

// ErrNoModel says that a worker needs a model and there is none.
var ErrNoModel = errors.New("no model is set, so that the words of drawers decide alone")

// A Room runs the workers of one vault. Its methods may be called from several goroutines.
type Room struct {
	opt     Options
	sweep   func(name string) sweep
	shelf   shelf         // of who holds busy
	dormant string        // of who holds busy: which types have no centroid
	busy    chan struct{} // held by the worker that runs: they run one at a time

	// writing is held for reading from the look at what is forgotten to the end of the write that rests on it.
	writing sync.RWMutex

	mu      sync.Mutex
	table   map[string]Run // nil until it is read
	more    map[string]bool
	running string
	spent   time.Duration // of this machine's time, without the model's, since the workers rested
}

// New returns a room in which nothing happens yet.
func New(o Options) *Room {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	r := &Room{opt: o, busy: make(chan struct{}, 1), more: map[string]bool{}}
	r.sweep = r.sweepOf
	return r
}

// A sweep is one round of a worker: how many drawers it was about, and whether there are more of them.
type sweep func(ctx context.Context) (done int, more bool, err error)

// sweepOf is a worker's round, nil for one that there is not.
func (r *Room) sweepOf(name string) sweep {
	return map[string]sweep{Process: r.process, Enrich: r.enrich, Maintain: r.maintain, Centroids: r.centroids}[name]
}

// heartbeat is how often the wall clock is read. A timer of a day would stand still while the machine sleeps.
const heartbeat = 10 * time.Second

// Run has the workers work by the clock, once ready returns, until ctx ends. Run is called once.
func (r *Room) Run(ctx context.Context, ready func(context.Context) error) {
	if ready(ctx) != nil {
		return
	}
	for ctx.Err() == nil {
		name, at := r.next()
		if wait := at.Sub(r.now()); name == "" || wait > 0 {
			if name == "" || wait > heartbeat {
				wait = heartbeat
			}
			select {
			case <-ctx.Done():
			case <-time.After(wait):
			}
			continue
		}
		if _, err := r.once(ctx, name); err != nil && ctx.Err() == nil {
			r.opt.Log.Warn("a worker of the palace failed and tries again later", "worker", name, "err", err)
		}
		var rest time.Duration
		r.told(func() { rest, r.spent = min(yield*r.spent, longestRest), 0 })
		select {
		case <-ctx.Done():
		case <-time.After(rest):
		}
	}
}

// yield is how many times as long as comparing drawers took the workers rest, which work by the clock: nobody waits for them, and others
// wait for the processor.
const yield = 3

// longestRest bounds that: what somebody ran by hand may have taken long.
const longestRest = 5 * time.Minute

// Work has one worker work until nothing is left for it, and returns how many drawers that was about. progress is told after each round.
func (r *Room) Work(ctx context.Context, name string, progress func(done int)) (done int, err error) {
	if r.sweep(name) == nil {
		return 0, fmt.Errorf("there is no worker %q", name)
	}
	if r.idle(name) != "" {
		return 0, ErrNoModel
	}
	for more := true; more && err == nil; {
		var n int
		n, err = r.once(ctx, name)
		done += n
		progress(done)
		r.mu.Lock()
		more = r.more[name]
		r.mu.Unlock()
	}
	return done, err
}

// once has a worker do one round, and writes down how it went.
func (r *Room) once(ctx context.Context, name string) (int, error) {
	select {
	case r.busy <- struct{}{}:
		defer func() { <-r.busy }()
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	r.told(func() { r.running = name })
	done, more, err := 0, false, r.opt.Journal.Follow(ctx) // what was written before is not written again
	if err == nil {
		done, more, err = r.sweep(name)(ctx)
		err = r.plainly(ctx, err)
	}
	if ctx.Err() != nil { // whoever ended it: it did not fail
		r.told(func() { r.running = "" })
		return done, ctx.Err()
	}
	var table map[string]Run
	r.told(func() {
		r.running, r.more[name] = "", more && err == nil
		r.load()
		run := r.table[name].took(r.now(), done, err)
		if err == nil && name == Centroids {
			run.Note = r.dormant
		}
		r.table[name] = run
		table = maps.Clone(r.table)
	})
	return done, errors.Join(err, writeTable(r.opt.Dir, table))
}

// told changes what is told of the workers.
func (r *Room) told(change func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	change()
}

// load reads the timetable once, and writes down which workers wait for their first time. r.mu is held.
func (r *Room) load() {
	if r.table != nil {
		return
	}
	var err error
	if r.table, err = readTable(r.opt.Dir); err != nil {
		r.opt.Log.Warn("each worker of the palace may run once more", "err", err)
	}
	waiting := 0
	for _, name := range Names {
		if run := r.table[name]; run.Last.IsZero() && run.Since.IsZero() {
			run.Since = r.now().UTC()
			r.table[name] = run
			waiting++
		}
	}
	if waiting > 0 {
		if err := writeTable(r.opt.Dir, r.table); err != nil {
			r.opt.Log.Warn("a restart may keep the palace's workers waiting", "err", err)
		}
	}
}

// now is the wall clock, so that a machine that slept knows.
func (r *Room) now() time.Time { return r.opt.Vault.Now().Round(0) }

// idle says why a worker has nothing to do, "" where it may have.
func (r *Room) idle(name string) string {
	if r.opt.Chat == nil && name == Enrich {
		return ErrNoModel.Error()
	}
	return ""
}

// next is the worker that is due first, and when that is; "" where none ever is.
func (r *Room) next() (name string, at time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.load()
	for _, n := range Names {
		if r.idle(n) != "" {
			continue
		}
		if due := r.due(n); name == "" || due.Before(at) {
			name, at = n, due
		}
	}
	return name, at
}

// due is when a worker is due. r.mu is held.
func (r *Room) due(name string) time.Time {
	run := r.table[name].seenAt(r.now())
	r.table[name] = run                 // a clock that was set back sets no worker back with it
	if r.more[name] && name != Enrich { // of which nothing waits: it keeps to its pace
		return run.Last
	}
	return run.due(r.opt.When[name], r.now())
}

// A Status tells how a worker stands.
type Status struct {
	Name    string
	Run     Run
	Next    time.Time // zero where it is idle
	Idle    string    // why it has nothing to do
	Running bool
}

// Status tells how the workers stand.
func (r *Room) Status() []Status {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.load()
	var out []Status
	for _, n := range Names {
		s := Status{Name: n, Run: r.table[n], Idle: r.idle(n), Running: r.running == n}
		if n == Centroids && s.Run.Last.IsZero() {
			s.Run.Note = r.lacking()
		}
		if s.Idle == "" {
			if s.Next = r.due(n); s.Next.Before(r.now()) {
				s.Next = r.now()
			}
		}
		out = append(out, s)
	}
	return out
}

// lacking says which types have too few drawers to learn from, before the worker ran and knows for sure.
func (r *Room) lacking() string {
	counts := map[tier.Type]int{}
	for _, k := range r.opt.Journal.State() {
		if k.Tier == drawers.LLM && k.Type != "" && k.Archived == 0 {
			counts[k.Type]++
		}
	}
	return centroids.Dormant(counts)
}

// Kind is the timetable with the scores as a kind of record. Kind holds no word of anybody. Nothing that rests on what was forgotten is
// written once Reload has returned.
func (r *Room) Kind() forget.Kind {
	return forget.Kind{
		Name: "run of a worker", Owns: forget.Files(forget.Data+TableFile, forget.Data+ScoreFile), Reload: func() error {
			r.writing.Lock()
			defer r.writing.Unlock()
			return nil
		},
		Purge: func(_ context.Context, p *forget.Purge) error { return r.purgeScores(p) },
	}
}

// write has fn write what is said of drawers, also when ctx ended meanwhile: it is paid for. Of those that were forgotten meanwhile nothing
// is said.
func (r *Room) write(ctx context.Context, list []*item, fn func(ctx context.Context, list []*item) error) error {
	r.writing.RLock()
	defer r.writing.RUnlock()
	stones, err := r.opt.Vault.Tombstones()
	if err != nil {
		return err
	}
	list = slices.DeleteFunc(slices.Clone(list), func(it *item) bool { return !it.shows(stones) })
	if len(list) == 0 {
		return nil
	}
	return fn(context.WithoutCancel(ctx), list)
}
