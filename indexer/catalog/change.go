package catalog

import "github.com/reverie-memory/reverie/vault"

// FileState is what a file looked like when its rows were made.
type FileState struct {
	Size    int64
	ModTime int64 // Unix nanoseconds
	Hash    vault.Hash
	Env     string // what else the rows depended on
	Rows    int    // filled by [Generation.Files]
	Changed int64  // of [vault.FileInfo]; 0: not known, as after a start, since no file keeps it
}

// RowState is what a Sync compares with the rows that a file should have.
type RowState struct {
	Key      Key
	ID       string
	Digest   Hash // over all fields
	TextHash Hash // over Context and Text: the vector depends on these
}

// A Change makes one file's rows right. State nil says that the file is gone: whatever rows it has
// left are deleted as well.
type Change struct {
	Path   vault.Path
	State  *FileState
	Delete []Key
	Insert []Row
	Move   []Moved
}

// Moved gives a row other metadata, such as its line. Text and Context must be as they were:
// the key stands for the vector.
type Moved struct {
	Key Key
	Row Row
}

// PendingVector is a row whose vector the engine has not acknowledged.
type PendingVector struct {
	Key       Key
	TextHash  Hash
	EmbedText string
}

// CachedVector is an embedding of a text under one embedder.
type CachedVector struct {
	Hash   Hash
	Vector []float32
}

// GenInfo describes a generation: what its rows and vectors were made with.
type GenInfo struct {
	ID          int
	Schema      int    // of the rows' makers; the catalog's own is checked apart
	Fingerprint string // of the embedder
	Dim         int
	Engine      string
	Complete    bool // was made current once
}
