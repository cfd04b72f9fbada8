package palace

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/alitto/pond/v2"

	"github.com/reverie-memory/reverie/extract"
	"github.com/reverie-memory/reverie/palace/drawers"
	"github.com/reverie-memory/reverie/palace/findings"
	"github.com/reverie-memory/reverie/vault"
)

// Options are the parts an [Intake] is made of and its limits. Every field but Dir, Filed, Findings, Batch and Log is needed.
type Options struct {
	Vault     *vault.Vault
	Dir       string // data folder, which remembers what needs no second look; "": nothing is remembered
	Extractor extract.Extractor
	Rules     extract.Extractor // takes the facts of imports
	// Sync makes the rows of the paths searchable before it returns.
	Sync func(ctx context.Context, paths ...vault.Path) error
	// Notify asks for the same without waiting.
	Notify func(paths ...vault.Path)
	Graph  Asserter // nil: what exports assert is left out
	// Findings keeps what was found out besides the words; one of Vault without an index where it is not set.
	Findings findings.Store
	// Drawers is the journal of what became of drawers; nil: what exports tell of that is left out.
	Drawers *drawers.Journal
	// KnownDrawers tells of the drawers that the index already holds in what file they are.
	KnownDrawers func(ctx context.Context, ids []string) (map[string]vault.Path, error)
	// Published is called after each write, for the event stream.
	Published func(text string)
	// Filed is called with drawers that were filed, for the same; nil: nobody wants to know.
	Filed func(drawers []vault.Drawer)

	Workers int // parallel extractions
	Queue   int // turns that wait in memory; the rest waits in the vault
	// Batch, where set, has turns wait and be read together. Nil: each turn is extracted by itself and at once.
	Batch *Batch
	// TurnTimeout limits the extraction of one turn; 0 is no limit.
	TurnTimeout time.Duration
	Guarded     []string // platforms that leave no trace
	Places      Places   // people's own, by the words of drawers for which nobody names a wing and a room
	Topics      bool     // drawers for which nobody names a wing and a room get them by what their words are
	Log         *slog.Logger
}

// Intake turns conversation turns into drawers and facts. Use [NewIntake], then Open; Close drains it.
type Intake struct {
	opt     Options
	pool    pond.Pool
	log     *slog.Logger
	cancel  context.CancelFunc // ends run and the backlog's goroutine
	run     func(job)          // extracts one turn; set by Open
	jobs    sync.WaitGroup     // jobs in the pool
	done    sync.WaitGroup     // the backlog's goroutine
	wake    chan struct{}      // backlog has work
	backlog backlog
	logged  logged
	talks   talks

	extracted records

	mu      sync.Mutex
	closed  bool
	seen    map[turnKey]*inflight // turn ids taken in by this process, the newest seenTurns
	order   []turnKey             // of seen, oldest first
	forgot  *vault.Tombstones
	imports map[string]bool // whether the facts of an import are the model's to take
	// undone are imports of which an earlier run took back a part: what of them stays is not known.
	undone   map[string]bool
	went     map[brought]bool       // drawers that went with an import
	underway map[chan struct{}]bool // turns in the pool; each is closed when the turn has given its facts

	// writing is held for reading from the look at what is forgotten to the end of the write that rests on it.
	writing sync.RWMutex

	failed   atomic.Int64
	degraded atomic.Pointer[string] // why the last extraction was worse than usual
}

// inflight is a turn that is being stored; done is closed when it is.
type inflight struct {
	done     chan struct{}
	ok       bool // valid after done
	messages int
	before   *inflight     // what was stored of the turn already, until done
	filed    *vault.Drawer // of a text that was filed by hand
}

// Counts says how much is on its way.
type Counts struct {
	Queued   int // in the pool
	Deferred int // waiting in the vault
	Resting  int // waiting in the vault until their conversation rests or ends
	Failed   int // given up after maxAttempts or TurnTimeout; the drawers are kept
}

// seenTurns is how many turn ids are kept in memory. Older ones are in the index by then.
const seenTurns = 20_000

// maxAttempts is how often a turn's extraction is tried before it is left to a person.
const maxAttempts = 3

// NewIntake returns an intake that does nothing before Open.
func NewIntake(opt Options) *Intake {
	if opt.Log == nil {
		opt.Log = slog.New(slog.DiscardHandler)
	}
	if opt.Findings.Vault == nil {
		opt.Findings.Vault = opt.Vault
	}
	return &Intake{
		opt: opt, log: opt.Log, wake: make(chan struct{}, 1), seen: map[turnKey]*inflight{}, imports: map[string]bool{},
		undone: map[string]bool{}, went: map[brought]bool{}, underway: map[chan struct{}]bool{},
	}
}

// Open starts the pool and takes up what an earlier run left without an extraction record.
func (in *Intake) Open(context.Context) error {
	t, err := in.opt.Vault.Tombstones()
	if err != nil {
		return fmt.Errorf("read tombstones: %w", err)
	}
	in.forgot = t
	if err := in.loadImports(); err != nil {
		return err
	}
	// The pool outlives any request, so it does not inherit the caller's context.
	ctx, cancel := context.WithCancel(context.Background())
	in.cancel = cancel
	in.run = func(j job) { _ = in.process(ctx, j) }
	in.pool = pond.NewPool(in.opt.Workers, pond.WithQueueSize(in.opt.Queue), pond.WithNonBlocking(true))
	in.done.Add(1)
	go in.runBacklog(ctx)
	return nil
}

// Reload takes over a change of the tombstones. When it returns, nothing is written any more that was let through before: what is
// in the files then is all that there will be of what was forgotten.
func (in *Intake) Reload() error {
	t, err := in.opt.Vault.Tombstones()
	if err != nil {
		return fmt.Errorf("read tombstones: %w", err)
	}
	in.mu.Lock()
	in.forgot = t
	in.mu.Unlock()
	in.writing.Lock()
	defer in.writing.Unlock()
	return nil
}

// Counts tells how much is on its way.
func (in *Intake) Counts() Counts {
	if in.pool == nil {
		return Counts{}
	}
	return Counts{
		Queued:   int(in.pool.WaitingTasks()) + int(in.pool.RunningWorkers()),
		Deferred: in.backlog.len(),
		Resting:  in.backlog.resting(),
		Failed:   int(in.failed.Load()),
	}
}

// Waits tells whether facts are still to be taken out of turns that are stored.
func (in *Intake) Waits() bool {
	c := in.Counts()
	return c.Queued+c.Deferred+c.Resting > 0
}

// Degraded says why extraction is worse than usual, "" when it is not.
func (in *Intake) Degraded() string {
	if p := in.degraded.Load(); p != nil {
		return *p
	}
	return ""
}

// Close stops taking turns up and waits until those in the pool are done, for half of the time that ctx leaves. What is left then waits
// in the vault and is taken up by the next Open, which is no error: the error says that a turn did not end when it was cancelled.
func (in *Intake) Close(ctx context.Context) error {
	if in.pool == nil {
		return nil
	}
	in.mu.Lock()
	in.closed = true
	in.mu.Unlock()
	stopped := make(chan struct{})
	go func() {
		in.jobs.Wait()
		close(stopped)
	}()
	drain, cancel := halfOf(ctx)
	defer cancel()
	select {
	case <-stopped:
	case <-drain.Done():
		in.log.Info("facts of some turns are not taken yet; the next start goes on", "turns", in.Counts().Queued)
	}
	in.cancel()
	select {
	case <-stopped:
	case <-ctx.Done():
		return fmt.Errorf("drain intake: %w", ctx.Err())
	}
	in.done.Wait()
	return nil
}

// halfOf ends when half of the time is over that ctx leaves; with ctx where ctx has no deadline.
func halfOf(ctx context.Context) (context.Context, context.CancelFunc) {
	end, limited := ctx.Deadline()
	if !limited {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, time.Until(end)/2)
}

// submit hands a turn to the pool, or leaves it to the backlog when the pool is full.
func (in *Intake) submit(j job) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.closed {
		return // stored already; the next Open finds it
	}
	in.jobs.Add(1)
	done := make(chan struct{})
	_, ok := in.pool.TrySubmit(func() {
		defer in.jobs.Done()
		defer func() {
			in.mu.Lock()
			delete(in.underway, done)
			in.mu.Unlock()
			close(done)
		}()
		in.run(j)
	})
	if ok {
		in.underway[done] = true
	} else {
		in.jobs.Done()
		in.log.Debug("intake queue is full, the turn waits in the vault", "turn", j.turn.id)
		in.postpone(j)
	}
}

// Settle returns when the turns that are in the pool now have given their facts, or with the error of ctx. Turns that wait in the vault are
// not waited for.
func (in *Intake) Settle(ctx context.Context) error {
	in.mu.Lock()
	turns := slices.Collect(maps.Keys(in.underway))
	in.mu.Unlock()
	for _, done := range turns {
		select {
		case <-done:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

func (in *Intake) postpone(j job) {
	for _, w := range j.waiters() {
		in.backlog.add(w, time.Time{})
	}
	in.poke()
}

func (in *Intake) poke() {
	select {
	case in.wake <- struct{}{}:
	default:
	}
}
