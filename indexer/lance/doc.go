// Package lance is the vector engine over LanceDB: a large table that LanceDB keeps, codes of it in
// memory that choose candidates, and a small exact delta for what is new.
//
// LanceDB comes as a native library, so the engine is built only with the tag lancedb; without it
// [Open] returns [ErrNotBuilt]. docs/decisions/0003-base-delta-tail.md says why it is built so.
package lance
