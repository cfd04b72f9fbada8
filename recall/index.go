package recall

import (
	"context"

	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/indexer/vector"
)

// An Index is what recall reads: one generation of the index, which may lose rows between two calls.
// All methods may be called from several goroutines.
type Index interface {
	// QueryTerms are the index terms of a query, misspelt ones replaced by near ones.
	QueryTerms(ctx context.Context, query string) ([]catalog.WeightedTerm, error)
	// LexicalTerms returns the k best rows by BM25, best first. allow may be nil.
	LexicalTerms(ctx context.Context, terms []catalog.WeightedTerm, rank catalog.Ranking, k int,
		allow func(catalog.Key) bool) ([]catalog.Scored, error)
	// DocFreqs is how many rows hold each term.
	DocFreqs(ctx context.Context, terms []string) ([]int, error)
	// Vector returns the k nearest rows by cosine, best first. allow may be nil.
	Vector(ctx context.Context, query []float32, k int, allow func(catalog.Key) bool) ([]vector.Match, error)
	// Allow turns a filter into a test of keys; nil where the filter allows everything.
	Allow(f catalog.Filter) func(catalog.Key) bool
	// Metas returns what is known of the keys, in their order and without reading from disk. Of a key that went
	// away only Key is set.
	Metas(keys []catalog.Key) []catalog.Meta
	// Neighbours returns the rows of the same source that were said just before and just after.
	Neighbours(key catalog.Key) (prev, next []catalog.Key)
	// DrawerKeys returns the rows that are, or derive from, a drawer (a number from Meta).
	DrawerKeys(drawer int32) []catalog.Key
	// Rows reads rows, in the order of the keys; keys that went away are left out.
	Rows(ctx context.Context, keys []catalog.Key) ([]catalog.Row, error)
	// IDs are the ids of rows, in the order of the keys; "" of a key that went away.
	IDs(ctx context.Context, keys []catalog.Key) ([]string, error)
	// Heaviest are the n rows that weigh most, the newest of equal ones first; nil weighs all alike.
	Heaviest(f catalog.Filter, n int, weigh catalog.Weight) []catalog.Key
	// Speakers tells in how many turns each speaker said rows that a filter allows, "" standing for the person without a name.
	Speakers(f catalog.Filter) map[string]int
	// KeysByID are the keys of the rows with these ids.
	KeysByID(ctx context.Context, ids []string) ([]catalog.Key, error)
	// List returns rows that the filter allows, newest first.
	List(ctx context.Context, f catalog.Filter, limit, offset int) ([]catalog.Row, error)
	// Vectors are those of the rows, in the order of the keys; nil for a row that has none. Vectors must not be changed.
	Vectors(ctx context.Context, keys []catalog.Key) ([][]float32, error)
	// Wings are the names of all wings, in no order.
	Wings() []string
	Info() Info
}

// Info describes an index.
type Info struct {
	Engine      string
	Generation  int
	Rows        int
	Fingerprint string // of the vectors; "" when unknown
	Dim         int    // of the vectors; 0 when unknown
}
