package indexer

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/reverie-memory/reverie/llm"
	"github.com/reverie-memory/reverie/vault"
)

// Options are what an Indexer needs. Vault, Dir, Embedder and OpenEngine are required.
type Options struct {
	Vault      *vault.Vault
	Dir        string   // the index's folder, outside the vault; everything in it can be deleted
	Sources    []Source // default: DefaultSources()
	Embedder   llm.Embedder
	OpenEngine EngineOpener
	EngineName string // what OpenEngine opens: a change builds the next generation
	Log        *slog.Logger
	Now        func() time.Time
	Progress   func(Progress) // called from the owner goroutine; must be quick

	EmbedWait  time.Duration // how long a Sync waits for vectors before its rows go in without; default 10 s
	ProbeDelay time.Duration // when the integrity probe runs after Open; default 15 s, negative: never
}

// Progress says how far long work is.
type Progress struct {
	Phase string // "sync", "rebuild" or "vectors"
	Done  int
	Total int
	Unit  string
}

// Stats say what a Sync changed.
type Stats struct {
	Files    int // files that were read
	Added    int // rows
	Changed  int
	Removed  int
	Embedded int // texts that the embedder was asked for
}

// Verification compares the index with a rebuild from the files.
type Verification struct {
	Rows         int
	Missing      int // rows that the files give and the index lacks or has otherwise
	Stale        int // rows that the index has and the files no longer give
	VectorsWrong int // vectors that are missing, doubled or differ from the cached ones
	Details      []string
}

// OK says that the index equals the files.
func (v Verification) OK() bool { return v.Missing == 0 && v.Stale == 0 && v.VectorsWrong == 0 }

// ErrClosed reports a call on an Indexer that is not open.
var ErrClosed = errors.New("the index is closed")

// Indexer keeps one index equal to one vault.
type Indexer struct{ o Options }

// New returns an Indexer that does nothing yet.
func New(o Options) *Indexer { return &Indexer{o: o} }

// Open opens the index, or makes it, and starts the goroutine that owns it. A damaged index is
// cleared and filled anew, which [Indexer.Degraded] says until it is done.
func (ix *Indexer) Open(ctx context.Context) error { return errors.New("unfinished") }

// Sync makes the rows of the given files (or of everything under a given folder) right; with no
// path, those of the whole vault. It returns when they are searchable.
func (ix *Indexer) Sync(ctx context.Context, paths ...vault.Path) (Stats, error) { return Stats{}, nil }

// Notify asks for a Sync and does not wait. With no path: of the whole vault.
func (ix *Indexer) Notify(paths ...vault.Path) {}

// Rebuild builds the next generation from the files, serves the old one meanwhile, and switches.
func (ix *Indexer) Rebuild(ctx context.Context, progress func(done, total int)) error { return nil }

// Verify compares the index with a rebuild from the files.
func (ix *Indexer) Verify(ctx context.Context) (Verification, error) { return Verification{}, nil }

// Settle waits until no row waits for its vector.
func (ix *Indexer) Settle(ctx context.Context) error { return nil }

// Degraded says why answers are worse than usual; empty when they are not.
func (ix *Indexer) Degraded() []string { return nil }

// Problems lists what the files hold that was kept but not understood.
func (ix *Indexer) Problems() []vault.Problem { return nil }

// Close finishes what was asked for, as far as ctx allows, and releases the files.
func (ix *Indexer) Close(ctx context.Context) error { return nil }

// Reader reads the current generation.
func (ix *Indexer) Reader() Reader { return Reader{ix} }

// A Reader reads the index and cannot write it. It follows the switch to a new generation.
type Reader struct{ ix *Indexer }

// Status describes the index for people.
type Status struct {
	Generation  int
	Engine      string
	Fingerprint string // of the vectors in the index
	Dim         int
	Fragments   int
	Bytes       int64
	Pending     int // rows whose vector is still to come
	StaleFiles  int // files that are known to have changed and not yet read
	Building    bool
}

// Status describes the index.
func (r Reader) Status() Status { return Status{} }
