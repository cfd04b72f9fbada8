// Package catalog is the SQLite side of the index: rows, full text, file states and cached vectors.
//
// Only the indexer opens it. Each generation is a folder with one database of files, rows and postings
// (docs/decisions/0002, 0008); one more database, shared by the generations, holds the vectors by
// embedder fingerprint and text hash, and says which generation is current. Everything here can be rebuilt from the
// vault, and what is damaged says so ([ErrCorrupt]).
package catalog
