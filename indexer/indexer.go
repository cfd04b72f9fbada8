package indexer

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/llm"
	"github.com/reverie-memory/reverie/vault"
)

// Options are what an Indexer needs. Vault, Dir, Embedder and OpenEngine are required.
type Options struct {
	Vault       *vault.Vault
	Dir         string         // the index's folder, outside the vault; everything in it can be deleted
	Sources     []Source       // default: DefaultSources of the vault's layout
	Facets      []Facet        // what they depend on; default: DefaultFacets
	Mounts      []Mount        // files besides the Markdown of the vault
	Mounted     func() []Mount // those that come and go, such as mined folders; must be quick. Who changes them has the place synced
	Projections []Projector    // state that changes with time
	Embedder    llm.Embedder
	OpenEngine  EngineOpener
	EngineName  string // what OpenEngine opens: a change builds the next generation
	Log         *slog.Logger
	Now         func() time.Time
	Progress    func(Progress) // called from the owner goroutine; must be quick
	Added       func([]Row)    // told of rows that came with a file's change, not of those that a start or a rebuild reads; as Progress

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

// ErrClosed reports a call on an Indexer that is not open.
var ErrClosed = errors.New("the index is closed")

// Indexer keeps one index equal to one vault.
//
// One goroutine, the owner, holds everything that can change; see owner.go. What other goroutines
// touch is named first.
type Indexer struct {
	o         Options
	log       *slog.Logger
	queue     *queue
	views     views
	notes     notes
	health    embedState
	hurt      chan hurt     // damage that readers met
	rounds    chan embedded // from the background embedder
	probes    chan probe    // from the integrity probe
	closing   chan struct{} // Close was called
	closeOnce sync.Once
	stopped   chan struct{} // the owner has returned
	run       string        // names what is between Open and Close
	cancel    context.CancelFunc
	retired   sync.WaitGroup
	probing   sync.WaitGroup

	// Of the owner goroutine, and of Open before it starts:
	cache       *catalog.Catalog
	cur         *generation
	env         Env
	stamps      []vault.FileInfo
	hidden      Env // what was forgotten, for projections, and the looks of the files that said so
	hiddenAt    []vault.FileInfo
	looks       map[vault.Path]result[vault.FileInfo] // at files, while a job is planned
	sweep       *sweep
	build       *build
	embedding   embedding
	later       job // what failed and is tried again
	retry       backoff
	buildRetry  backoff
	engineRetry backoff
	unreadable  map[vault.Path]bool
	whole       bool                 // every file was looked at since Open
	growing     map[vault.Path]int64 // files of which a part is still to be read, with their sizes
	behind      atomic.Int64         // bytes of these that are still to be read, or of them what the next generation lacks if that is more
	unfilled    bool                 // that is all that whole lacks
	probed      bool
	unsaved     bool      // a projection may have changed
	saved       time.Time // when projections were saved
	idleSince   time.Time

	wrap func(rowStore) rowStore // faults for tests; nil otherwise
	part int                     // partSize, or less for tests
}

// New returns an Indexer that does nothing yet.
func New(o Options) *Indexer {
	if o.Sources == nil {
		o.Sources = DefaultSources(o.Vault.Layout())
	}
	if o.Facets == nil {
		o.Facets = DefaultFacets()
	}
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	if o.Now == nil {
		o.Now = time.Now
	}
	o.EmbedWait = cmp.Or(o.EmbedWait, 10*time.Second)
	o.ProbeDelay = cmp.Or(o.ProbeDelay, 15*time.Second)
	ix := &Indexer{o: o, log: o.Log, queue: newQueue(), part: partSize, growing: map[vault.Path]int64{}}
	ix.o.Facets = append(slices.Clip(ix.o.Facets), Facet{Name: problemsFacet, Load: ix.thisRun})
	return ix
}
