package indexer

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/indexer/vector"
	"github.com/reverie-memory/reverie/vault"
)

// A view is what readers see of one generation. Its files are closed when the last reader has let go.
type view struct {
	reader *catalog.Reader
	engine Engine // nil: no vector search
	cache  *catalog.Catalog
	info   catalog.GenInfo
	users  sync.WaitGroup
}

// views hands out the current view. Switching it never waits for readers.
type views struct {
	mu  sync.RWMutex
	cur *view
}

func (vs *views) acquire() (*view, bool) {
	vs.mu.RLock()
	defer vs.mu.RUnlock()
	if vs.cur == nil {
		return nil, false
	}
	vs.cur.users.Add(1)
	return vs.cur, true
}

// now is the current view, nil for none. Only who takes it by acquire may read in it.
func (vs *views) now() *view {
	vs.mu.RLock()
	defer vs.mu.RUnlock()
	return vs.cur
}

// swap makes v the view of all later calls and returns the one before.
func (vs *views) swap(v *view) *view {
	vs.mu.Lock()
	defer vs.mu.Unlock()
	old := vs.cur
	vs.cur = v
	return old
}

// A Reader reads the index and cannot write it. A Reader is safe for use from several goroutines, at any
// time, and follows the switch to a new generation. Keys mean something within one generation only:
// who uses the keys of one call in another pins the generation first.
type Reader struct {
	ix  *Indexer
	pin *view
}

// Reader reads the index.
func (ix *Indexer) Reader() Reader { return Reader{ix: ix} }

// Pin returns a Reader that stays with the current generation until release is called. Pin is for
// one search: who holds it must not wait for a Sync, which may wait for the release.
func (r Reader) Pin() (pinned Reader, release func()) {
	if r.pin != nil {
		return r, func() {}
	}
	v, ok := r.ix.views.acquire()
	if !ok {
		return r, func() {}
	}
	return Reader{r.ix, v}, sync.OnceFunc(v.users.Done)
}

// with calls fn with the reader's view, unless the index is not open.
func (r Reader) with(fn func(*view)) {
	if r.pin != nil {
		fn(r.pin)
		return
	}
	if v, ok := r.ix.views.acquire(); ok {
		defer v.users.Done()
		fn(v)
	}
}

// ask is with for calls that can fail; damage that a reader meets is told to the owner.
func ask[T any](r Reader, fn func(*view) (T, error)) (T, error) {
	var out T
	err := fmt.Errorf("reading the index: %w", ErrClosed)
	r.with(func(v *view) {
		if out, err = fn(v); err != nil {
			r.ix.damaged(v, err)
		}
	})
	return out, err
}

// Lexical is full-text search; see [catalog.Reader.Lexical].
func (r Reader) Lexical(ctx context.Context, query string, k int, allow func(Key) bool) ([]catalog.Scored, error) {
	return ask(r, func(v *view) ([]catalog.Scored, error) { return v.reader.Lexical(ctx, query, k, allow) })
}

// LexicalTerms is full-text search for weighted terms.
func (r Reader) LexicalTerms(ctx context.Context, terms []catalog.WeightedTerm, rank catalog.Ranking, k int,
	allow func(Key) bool,
) ([]catalog.Scored, error) {
	return ask(r, func(v *view) ([]catalog.Scored, error) { return v.reader.LexicalTerms(ctx, terms, rank, k, allow) })
}

// LexicalScores is the BM25 of given rows, in their order.
func (r Reader) LexicalScores(ctx context.Context, terms []catalog.WeightedTerm, rank catalog.Ranking, keys []Key) ([]float64, error) {
	return ask(r, func(v *view) ([]float64, error) { return v.reader.LexicalScores(ctx, terms, rank, keys) })
}

// QueryTerms are the terms of a query, misspelt ones replaced by near ones.
func (r Reader) QueryTerms(ctx context.Context, query string) ([]catalog.WeightedTerm, error) {
	return ask(r, func(v *view) ([]catalog.WeightedTerm, error) { return v.reader.QueryTerms(ctx, query) })
}

// DocFreqs is how many rows hold each term.
func (r Reader) DocFreqs(ctx context.Context, terms []string) ([]int, error) {
	return ask(r, func(v *view) ([]int, error) { return v.reader.DocFreqs(ctx, terms) })
}

// Vector returns the rows nearest to q. Vectors of rows that the catalog no longer has are never a
// hit. Vector fails with [ErrFingerprint] while the index holds no vectors of the current embedder.
func (r Reader) Vector(ctx context.Context, q []float32, k int, allow func(Key) bool) ([]vector.Match, error) {
	return r.Near(ctx, q, k, -math.MaxFloat32, allow)
}

// Near is Vector, which may leave out rows whose similarity is below least: they cost less than those that are nearer.
func (r Reader) Near(ctx context.Context, q []float32, k int, least float32, allow func(Key) bool) ([]vector.Match, error) {
	return ask(r, func(v *view) ([]vector.Match, error) {
		if v.engine == nil || len(q) != v.info.Dim || !r.ix.embedderFits(v.info) {
			return nil, ErrFingerprint
		}
		live := v.reader.Has
		if allow != nil {
			live = func(key Key) bool { return allow(key) && v.reader.Has(key) }
			if engine, ok := v.engine.(KeySearcher); ok {
				keys := slices.DeleteFunc(v.reader.Keys(catalog.Filter{}), func(key Key) bool { return !allow(key) })
				if len(keys) <= narrow {
					return engine.SearchKeys(ctx, q, k, keys)
				}
			}
		}
		if engine, ok := v.engine.(NearSearcher); ok {
			return engine.SearchNear(ctx, q, k, least, live)
		}
		return v.engine.Search(ctx, q, k, live)
	})
}

// Vectors are those of the rows, in the order of the keys; nil for a row that has none yet or is gone. Vectors are of the embedder that the
// generation was made with, whatever [Reader.Vector] says, and must not be changed.
func (r Reader) Vectors(ctx context.Context, keys []Key) ([][]float32, error) {
	return ask(r, func(v *view) ([][]float32, error) {
		hashes, err := v.reader.TextHashes(ctx, keys)
		if err != nil {
			return nil, err
		}
		cached, err := v.cache.Vectors(ctx, v.info.Fingerprint, slices.Collect(maps.Values(hashes)))
		if err != nil {
			return nil, err
		}
		out := make([][]float32, len(keys))
		for i, key := range keys {
			if h, ok := hashes[key]; ok && len(cached[h]) == v.info.Dim {
				out[i] = cached[h]
			}
		}
		return out, nil
	})
}

// Metas is what ranking needs of the rows, in their order.
func (r Reader) Metas(keys []Key) (metas []catalog.Meta) {
	r.with(func(v *view) { metas = v.reader.Metas(keys) })
	return metas
}

// Has says whether there is a row with that key.
func (r Reader) Has(key Key) (has bool) {
	r.with(func(v *view) { has = v.reader.Has(key) })
	return has
}

// Len is the number of rows.
func (r Reader) Len() (n int) {
	r.with(func(v *view) { n = v.reader.Len() })
	return n
}

// Allow says which rows a filter lets through; nil for a filter that lets everything through.
func (r Reader) Allow(f catalog.Filter) (allow func(Key) bool) {
	r.with(func(v *view) { allow = v.reader.Allow(f) })
	return allow
}

// Neighbours are the rows said just before and just after the row.
func (r Reader) Neighbours(key Key) (prev, next []Key) {
	r.with(func(v *view) { prev, next = v.reader.Neighbours(key) })
	return prev, next
}

// SessionKeys are the rows of a session.
func (r Reader) SessionKeys(session int32) (keys []Key) {
	r.with(func(v *view) { keys = v.reader.SessionKeys(session) })
	return keys
}

// DrawerKeys are the rows that are, or derive from, a drawer.
func (r Reader) DrawerKeys(drawer int32) (keys []Key) {
	r.with(func(v *view) { keys = v.reader.DrawerKeys(drawer) })
	return keys
}

// Rows reads rows, in the order of the keys.
func (r Reader) Rows(ctx context.Context, keys []Key) ([]Row, error) {
	return ask(r, func(v *view) ([]Row, error) { return v.reader.Rows(ctx, keys) })
}

// KeyedRows is Rows, with the keys of those that are there.
func (r Reader) KeyedRows(ctx context.Context, keys []Key) (rows []Row, there []Key, err error) {
	rows, err = ask(r, func(v *view) ([]Row, error) {
		var rows []Row
		rows, there, err = v.reader.KeyedRows(ctx, keys)
		return rows, err
	})
	return rows, there, err
}

// RowsByID reads the rows with these ids; a line that was copied to another file gives two.
func (r Reader) RowsByID(ctx context.Context, ids []string) ([]Row, error) {
	return ask(r, func(v *view) ([]Row, error) { return v.reader.RowsByID(ctx, ids) })
}

// Keys lists the rows that a filter allows; see [catalog.Reader.Keys].
func (r Reader) Keys(f catalog.Filter) (keys []Key) {
	r.with(func(v *view) { keys = v.reader.Keys(f) })
	return keys
}

// KeysByID are the keys of the rows with these ids.
func (r Reader) KeysByID(ctx context.Context, ids []string) ([]Key, error) {
	return ask(r, func(v *view) ([]Key, error) { return v.reader.KeysByID(ctx, ids) })
}

// IDs are the ids of rows, in the order of keys; "" for a row that is not there.
func (r Reader) IDs(ctx context.Context, keys []Key) ([]string, error) {
	return ask(r, func(v *view) ([]string, error) { return v.reader.IDs(ctx, keys) })
}

// RowsByChat reads the rows of a chat.
func (r Reader) RowsByChat(ctx context.Context, chat string) ([]Row, error) {
	return ask(r, func(v *view) ([]Row, error) { return v.reader.RowsByChat(ctx, chat) })
}

// List reads rows that the filter lets through, newest first.
func (r Reader) List(ctx context.Context, f catalog.Filter, limit, offset int) ([]Row, error) {
	return ask(r, func(v *view) ([]Row, error) { return v.reader.List(ctx, f, limit, offset) })
}

// Heaviest are the rows that weigh most; see [catalog.Reader.Heaviest].
func (r Reader) Heaviest(f catalog.Filter, n int, weigh catalog.Weight) (keys []Key) {
	r.with(func(v *view) { keys = v.reader.Heaviest(f, n, weigh) })
	return keys
}

// Speakers tells in how many turns each speaker spoke; see [catalog.Reader.Speakers].
func (r Reader) Speakers(f catalog.Filter) (said map[string]int) {
	r.with(func(v *view) { said = v.reader.Speakers(f) })
	return said
}

// Count is the number of rows that the filter lets through.
func (r Reader) Count(f catalog.Filter) (n int) {
	r.with(func(v *view) { n = v.reader.Count(f) })
	return n
}

// Wings are the names of wings that rows have, or have had since this generation was built.
func (r Reader) Wings() (names []string) {
	r.with(func(v *view) { names = v.reader.Wings() })
	return names
}

// Places counts drawers where they lie; see [catalog.Reader.Places].
func (r Reader) Places(f catalog.Filter) (places []catalog.Place) {
	r.with(func(v *view) { places = v.reader.Places(f) })
	return places
}

// Drawers lists drawers, the newest first, page by page; see [catalog.Reader.Drawers].
func (r Reader) Drawers(ctx context.Context, f catalog.Filter, after *catalog.Mark, n int) (ids []string, next *catalog.Mark, err error) {
	ids, err = ask(r, func(v *view) (ids []string, err error) {
		ids, next, err = v.reader.Drawers(ctx, f, after, n)
		return ids, err
	})
	return ids, next, err
}

// Counts are the true numbers of rows by source type, and of drawers, wings and rooms.
func (r Reader) Counts(ctx context.Context) (bySource map[catalog.SourceType]int, drawers, wings, rooms int) {
	r.with(func(v *view) { bySource, drawers, wings, rooms = v.reader.Counts(ctx) })
	return bySource, drawers, wings, rooms
}

// HasTurn says whether rows of that turn are indexed.
func (r Reader) HasTurn(ctx context.Context, turn string) (bool, error) {
	return ask(r, func(v *view) (bool, error) { return v.reader.HasTurn(ctx, turn) })
}

// DrawersSince lists the drawers from a time on, and how many rows derive from each.
func (r Reader) DrawersSince(ctx context.Context, from time.Time) ([]catalog.DrawerState, error) {
	return ask(r, func(v *view) ([]catalog.DrawerState, error) { return v.reader.DrawersSince(ctx, from) })
}

// Engine is the name of the vector engine that answers.
func (r Reader) Engine() string {
	name := r.ix.o.EngineName
	r.with(func(v *view) {
		if v.engine != nil {
			name = v.engine.Name()
		}
	})
	return name
}

// Generation is the number of the generation that answers.
func (r Reader) Generation() (id int) {
	r.with(func(v *view) { id = v.info.ID })
	return id
}

// Degraded says why answers are worse than usual.
func (r Reader) Degraded() []string { return r.ix.Degraded() }

// Status describes the index for people.
type Status struct {
	Generation  int
	Engine      string
	Fingerprint string // of the vectors in the index
	Dim         int
	Rows        int
	Fragments   int
	Bytes       int64 // of the whole index, vectors and cache included
	Dead        int
	Pending     int  // rows whose vector is still to come
	StaleFiles  int  // files that are known to have changed and were not read yet
	Building    bool // a next generation, or the first filling, is under way
}

// Status describes the index.
func (r Reader) Status() Status {
	s := Status{Engine: r.ix.o.EngineName}
	r.with(func(v *view) {
		s.Generation, s.Fingerprint, s.Dim, s.Rows = v.info.ID, v.info.Fingerprint, v.info.Dim, v.reader.Len()
		if v.engine != nil {
			st := v.engine.Stats()
			s.Engine, s.Fragments, s.Dead = v.engine.Name(), st.Fragments, st.Dead
		}
	})
	r.ix.status(&s)
	return s
}

// Held is what the index holds of the files in a folder.
type Held struct {
	Files  int
	Silent int // files that give no row
	Rows   int
}

// Under counts what the index holds of the files in a folder.
func (ix *Indexer) Under(ctx context.Context, folder vault.Path) (Held, error) {
	return onOwner(ctx, ix, func(context.Context) (h Held, _ error) {
		if ix.cur == nil {
			return h, nil
		}
		for p, state := range ix.cur.files {
			if !under(p, folder) {
				continue
			}
			h.Files++
			h.Rows += state.Rows
			if state.Rows == 0 {
				h.Silent++
			}
		}
		return h, nil
	})
}
