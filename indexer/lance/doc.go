// Package lance is the vector engine over LanceDB: a large table that LanceDB writes, codes of it in
// memory that choose candidates, which are measured by their vectors in its files, and a small delta for what is new.
//
// LanceDB comes as a native library, so the engine is built only with the tag lancedb; without it
// [Open] returns [ErrNotBuilt]. docs/decisions/0003-base-delta-tail.md and 0086 say why it is built so.
package lance
