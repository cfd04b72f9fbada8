// Package vector holds the values that pass between the indexer and a vector engine.
//
// The package owns no state. The engines beside it (flat, lance) implement [indexer.Engine] over these values; vectors are unit length, so
// cosine is their dot product.
package vector

// A Key is the catalog's row number. Within one generation a key is never used twice and its
// vector never changes, so an engine needs no update.
type Key int64

// Record is a vector to keep.
type Record struct {
	Key    Key
	Vector []float32 // unit length
}

// Match is a search result. Similarity is the cosine, in [-1, 1]; higher is nearer.
type Match struct {
	Key        Key
	Similarity float32
}
