// Package catalog is the SQLite side of the index: rows, full text, file states and cached vectors.
//
// Only the indexer opens it. One database a generation holds files, rows and their full text; one more, shared by the
// generations, holds the vectors by embedder fingerprint and text hash, and the number of the current generation.
// Everything here can be rebuilt from the vault.
package catalog
