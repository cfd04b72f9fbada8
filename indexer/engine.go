package indexer

import (
	"context"
	"errors"

	"github.com/reverie-memory/reverie/indexer/vector"
)

// ErrCorrupt reports files of the index that are damaged or do not fit. The indexer clears them and fills them anew.
var ErrCorrupt = errors.New("index files are damaged")

// ErrFingerprint reports a vector search while the index holds another model's vectors, or none yet.
var ErrFingerprint = errors.New("the index holds vectors of another embedder")

// An Engine keeps the vectors of one generation in one folder.
//
// The indexer calls Put, Delete, Flush, Maintain, Compact and Close from one goroutine; Search, Count, Scan
// and Stats may run at any time beside them. Put is found at once and durable when Flush has
// returned; what a crash took, the indexer puts again (the catalog knows which keys the engine has
// acknowledged). Deleting a key that is not there, and putting a key again with the same vector,
// change nothing. A vector of another length or with a value that is not finite is refused, and its
// whole batch with it. Keys are from 0 to 2^53-1.
//
// Search and Scan may return an error that wraps [ErrCorrupt] as well: an engine can find damage
// only when it reads. Maintain with live then mends it.
type Engine interface {
	// Name is "lancedb" or "flat".
	Name() string
	Put(ctx context.Context, recs []vector.Record) error
	Delete(ctx context.Context, keys []vector.Key) error
	// Flush makes all earlier Puts and Deletes durable.
	Flush(ctx context.Context) error
	// Search returns up to k nearest live keys, best first; ties by lower key. allow, where not nil,
	// says which keys may be returned; an engine may call it from several goroutines at once, and only
	// until Search returns. A k past the count returns all.
	Search(ctx context.Context, query []float32, k int, allow func(vector.Key) bool) ([]vector.Match, error)
	Count(ctx context.Context) (int, error)
	// Scan calls fn for each live record until fn returns false. fn must not keep the slice.
	Scan(ctx context.Context, fn func(vector.Record) bool) error
	// Maintain merges fragments and drops dead rows when that is worth its cost. live gives the whole
	// truth again (from the vectors cached in the catalog), for engines that cannot compact in place:
	// it must give every key that was put and not deleted, or the engine keeps what it has and says so.
	// live may be nil; then only what needs no help is done.
	Maintain(ctx context.Context, live func(fn func(vector.Record) bool) error) error
	// Compact leaves no vector on the disk of a key that was deleted, whatever that costs. live is as for Maintain, and is needed.
	Compact(ctx context.Context, live func(fn func(vector.Record) bool) error) error
	Stats() EngineStats
	Close() error
}

// A KeySearcher is an Engine that can narrow a search by itself: one that keeps its vectors in another process, say, and cannot call a
// function for each. The [Reader] gives it the keys of a narrow filter; other filters go to Search.
type KeySearcher interface {
	// SearchKeys is Search among these keys, which rise and of which some may have no vector.
	SearchKeys(ctx context.Context, query []float32, k int, keys []vector.Key) ([]vector.Match, error)
}

// A NearSearcher is an Engine that finds what is near enough in less time than what is nearest.
type NearSearcher interface {
	// SearchNear is Search, which may leave out what has a smaller dot product with the query than least.
	SearchNear(ctx context.Context, query []float32, k int, least float32, allow func(vector.Key) bool) ([]vector.Match, error)
}

// narrow is up to how many keys a KeySearcher is given.
const narrow = 10_000

// EngineStats describes an engine's files.
type EngineStats struct {
	Fragments int
	Bytes     int64
	Dead      int // rows deleted but still on disk
}

// An EngineOpener opens the engine in dir, making it when it is not there. dim is the vectors'
// length. An engine whose files are damaged or of another dim returns an error that wraps
// [ErrCorrupt]; the indexer then clears dir and fills it anew.
type EngineOpener func(ctx context.Context, dir string, dim int) (Engine, error)
