// Package lance is the vector engine over LanceDB: a large indexed base table, a small delta table
// and a tail in memory, searched together.
//
// LanceDB comes as a native library, so the engine is built only with the tag lancedb; without it
// [Open] returns [ErrNotBuilt].
package lance
