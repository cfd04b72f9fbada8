package indexer

import (
	"bytes"
	"context"
	"crypto/sha256"
	"hash"
	"slices"

	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/vault"
)

// rowStore is the writer's side of a generation. Nothing but the indexer has one.
type rowStore interface {
	Close() error
	Dir() string
	Info() catalog.GenInfo
	Reader() *catalog.Reader
	Files(context.Context) (map[vault.Path]catalog.FileState, error)
	RowsOf(context.Context, vault.Path) ([]catalog.RowState, error)
	Apply(context.Context, []catalog.Change) ([][]Key, error)
	Pending(context.Context, int) ([]catalog.PendingVector, error)
	PendingCount(context.Context) (int, error)
	MarkVectors(context.Context, []Key) error
	MarkPending(context.Context, []Key) error
	MarkAllPending(context.Context) error
	Check(context.Context) error
	TextHashes(context.Context, func(Key, catalog.Hash) bool) error
	CheckRows(context.Context, func(Key, vault.Path)) error
	Scrub(context.Context) error
}

// Key is a row's number in its generation.
type Key = catalog.Key

// generation is one generation of the index: rows in the catalog, vectors in the engine. A generation belongs
// to the owner goroutine; what prepares changes reads the store, and alone touches hot.
type generation struct {
	info    catalog.GenInfo
	store   rowStore
	engine  Engine // nil while there is no dimension, or after it failed
	files   map[vault.Path]catalog.FileState
	hot     hotFiles
	put     []Key // given to the engine and not yet marked: the next flush does
	drop    []Key // to be deleted from the engine, which failed to
	dirty   bool  // the engine was given something since the last flush
	touched bool  // … since the last maintenance
	dead    bool  // of what was deleted nothing may stay: the next maintenance rewrites
	pending int   // rows without a vector, put ones not counted
	view    *view
}

// hotFiles remembers files that were appended to of late, so that the next append costs no more
// than its own bytes.
type hotFiles struct {
	files []*hotFile // last used first
}

// Limits of what is remembered.
const (
	leastHot   = 2 // however large: a turn makes two files grow, which took each other's place
	maxHot     = 64
	maxHotSize = 32 << 20
)

type hotFile struct {
	path   vault.Path
	key    string // of the sources and what they depend on
	data   []byte
	run    vault.Run // to which data belongs
	sum    hash.Hash // of data
	trail  vault.Trail
	stones *vault.Tombstones // under which the rows were made
	redo   []reread          // of the one source, under what was forgotten since
	parts  []hotPart         // one for each source; none before the file was parsed
}

// hotPart is what is remembered of the rows of one source.
type hotPart struct {
	follower Follower           // nil: the source gives all rows each time
	keep     int                // rows before those in tail
	kept     []catalog.RowState // these, where the follower is a rereader
	rows     int                // rows that follow keep
	tail     []catalog.RowState // these rows, in their order, as the catalog has them
}

// followed is what a file's followers give.
type followed struct {
	keep     int                // rows that are as they were
	want     []Row              // those that follow
	have     []catalog.RowState // what the catalog has in their place, where known
	known    bool
	problems []vault.Problem
}

// next gives the rows of all sources. Where one cannot go on, or nothing is remembered, all start anew from the whole file.
func (f *hotFile) next(srcs []*Source, data []byte, env Env) followed {
	if len(f.parts) > 0 {
		if out, ok := f.advance(srcs, data, env); ok {
			out.known = true
			return out
		}
	}
	f.parts = make([]hotPart, len(srcs))
	for i, src := range srcs {
		if src.Follow != nil {
			f.parts[i].follower = src.Follow(f.path)
		}
	}
	out, _ := f.advance(srcs, data, env)
	return out
}

func (f *hotFile) advance(srcs []*Source, data []byte, env Env) (out followed, ok bool) {
	for i := range f.parts {
		part, keep := &f.parts[i], 0
		var rows []Row
		var problems []vault.Problem
		if part.follower == nil {
			rows, problems = srcs[i].Rows(f.path, data, env)
		} else if keep, rows, problems, ok = part.follower.Next(data, env); !ok {
			return out, false
		}
		part.settle(keep)
		out.have = append(out.have, part.tail...)
		part.rows = len(rows)
		out.keep, out.want, out.problems = out.keep+keep, append(out.want, rows...), append(out.problems, problems...)
	}
	return out, true
}

// settle has so many rows kept: the first of the tail are not looked at any more.
func (part *hotPart) settle(keep int) {
	n := keep - part.keep
	if _, ok := part.follower.(rereader); ok {
		part.kept = append(part.kept, part.tail[:n]...)
	}
	part.keep, part.tail = keep, part.tail[n:]
}

// again makes what is kept anew as far as something concerns it that was forgotten since, or taken back. again says false where only the
// whole file tells; nothing is remembered then.
func (f *hotFile) again(data []byte, env Env) (out followed, ok bool) {
	defer func() {
		if !ok {
			f.parts, f.trail = nil, vault.Trail{}
		}
	}()
	marks, ok := env.stones.Since(f.stones)
	if !ok || len(f.parts) != 1 {
		return out, false
	}
	part := &f.parts[0]
	follower, ok := part.follower.(rereader)
	if !ok {
		return out, false
	}
	kept, made, trail, ok := follower.Again(data, env, marks)
	if !ok {
		return out, false
	}
	part.settle(kept)
	for _, m := range made {
		out.have, out.want = append(out.have, part.kept[m.at:m.at+m.had]...), append(out.want, m.rows...)
		part.keep += len(m.rows) - m.had
	}
	f.trail, f.redo = trail, made
	return out, true
}

// applied notes the rows that the catalog has now: those that were made anew, and those past what was kept.
func (f *hotFile) applied(states []catalog.RowState) {
	var fresh [][]catalog.RowState
	for _, m := range f.redo {
		fresh, states = append(fresh, states[:len(m.rows)]), states[len(m.rows):]
	}
	for i, m := range slices.Backward(f.redo) {
		f.parts[0].kept = slices.Replace(f.parts[0].kept, m.at, m.at+m.had, fresh[i]...)
	}
	f.redo = nil
	for i := range f.parts {
		part := &f.parts[i]
		part.tail, states = states[:part.rows:part.rows], states[part.rows:]
	}
}

// of returns the file's memory, nil where there is none.
func (h *hotFiles) of(p vault.Path) *hotFile {
	i := slices.IndexFunc(h.files, func(f *hotFile) bool { return f.path == p })
	if i < 0 {
		return nil
	}
	return h.files[i]
}

// find returns the file's memory where data goes on from it under the same key, but for what was forgotten.
func (h *hotFiles) find(p vault.Path, key string, data []byte) *hotFile {
	f := h.of(p)
	if f == nil {
		return nil
	}
	if (f.key == key || otherwise(f.key) == otherwise(key)) && len(data) >= len(f.data) && bytes.Equal(f.data, data[:len(f.data)]) {
		return f
	}
	h.forget(p)
	return nil
}

func (h *hotFiles) forget(p vault.Path) {
	for i, f := range h.files {
		if f.path == p {
			h.files = append(h.files[:i:i], h.files[i+1:]...)
			return
		}
	}
}

func (h *hotFiles) keep(f *hotFile) {
	h.forget(f.path)
	size := len(f.data)
	kept := []*hotFile{f}
	for _, g := range h.files {
		if size += len(g.data); len(kept) < leastHot || len(kept) < maxHot && size <= maxHotSize {
			kept = append(kept, g)
		}
	}
	h.files = kept
}

// grow takes in the bytes of data past those that are known, and returns the whole's hash.
func (f *hotFile) grow(data []byte) vault.Hash {
	if f.sum == nil {
		f.sum = sha256.New()
	}
	f.sum.Write(data[len(f.data):])
	f.data = data
	var h vault.Hash
	f.sum.Sum(h[:0])
	return h
}
