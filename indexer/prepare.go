package indexer

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"runtime/debug"
	"time"

	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/vault"
)

// Sizes of one transaction.
const (
	batchFiles = 512
	batchRows  = 2000
	partSize   = 256 << 10 // of what a file that is followed has grown by; some 1,000 rows
)

// prepared is a batch of changes that only has to be written.
type prepared struct {
	files   []fileChange
	vectors map[catalog.Hash][]float32 // of the rows to insert, as far as there are any
	fresh   []catalog.CachedVector     // those among them that are not in the cache yet
	asked   int                        // texts that the embedder was given
	failed  map[vault.Path]error       // files that could not be read: their rows stay
	rest    []target                   // what did not go into this batch
}

// fileChange makes one file right.
type fileChange struct {
	target
	change   catalog.Change
	write    bool // there is something to write
	parsed   bool // problems are those of the file
	stats    Stats
	problems []vault.Problem
	texts    []embedText // of change.Insert, in its order
	added    []int       // those of change.Insert whose ids were not there
	hot      *hotFile
	states   []catalog.RowState // of the rows that follow hot.keep; Key 0: inserted, in order
	whole    int64              // bytes of the file, of which a part was read; 0: all of them
	goneOn   bool               // only what was appended was read
}

// preparer computes changes. preparer writes nothing but hot.
type preparer struct {
	ix      *Indexer
	g       *generation
	env     Env
	hot     bool                       // follow growing files
	part    int                        // bytes that a file which is followed grows by at once
	budget  time.Duration              // for the embedder; negative: none at all
	carried map[catalog.Hash][]float32 // vectors of the batch before, which may not be written yet
}

// next prepares as many of the targets as one transaction should hold.
func (pr *preparer) next(ctx context.Context, targets []target) (*prepared, error) {
	out := &prepared{failed: map[vault.Path]error{}}
	rows := 0
	for i, t := range targets {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if len(out.files) >= batchFiles || rows >= batchRows {
			out.rest = targets[i:]
			break
		}
		fc, err := pr.file(ctx, t)
		switch {
		case errors.Is(err, errUnreadable):
			out.failed[t.path] = err
			if t.known && forgottenSince(t.old.Env, t.key) { // its rows may tell it
				rows += t.old.Rows
				out.files = append(out.files, *removal(t))
			}
		case err != nil:
			return nil, err
		default:
			rows += len(fc.change.Insert) + len(fc.change.Delete) + len(fc.change.Move)
			out.files = append(out.files, *fc)
		}
	}
	return out, pr.vectors(ctx, out)
}

// errUnreadable wraps the failure of one file, which must not stop the others.
var errUnreadable = errors.New("a file cannot be read")

// file computes the change of one file. A parser that panics on strange bytes must not take the
// daemon with it: that file counts as unreadable.
func (pr *preparer) file(ctx context.Context, t target) (fc *fileChange, err error) {
	defer func() {
		if r := recover(); r != nil {
			pr.g.hot.forget(t.path)
			pr.ix.log.Error("parsing a file panicked", "file", t.path, "panic", r, "stack", string(debug.Stack()))
			fc, err = nil, fmt.Errorf("%w: %s: the parser failed: %v", errUnreadable, t.path, r)
		}
	}()
	if !t.gone {
		fc = &fileChange{target: t, change: catalog.Change{Path: t.path}}
		data, run, err := pr.read(fc)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return nil, fmt.Errorf("%w: %s: %w", errUnreadable, t.path, err)
		default:
			return fc, pr.content(ctx, fc, data, run)
		}
	}
	return removal(t), nil
}

// removal takes all that is known of a file away.
func removal(t target) *fileChange {
	t.gone = true
	fc := &fileChange{target: t, change: catalog.Change{Path: t.path}, write: t.known}
	fc.stats.Removed, fc.stats.Files = t.old.Rows, 1
	return fc
}

// read reads a file, of one that is followed no more than what was appended since, and only the next part of that. All of it is read where
// somebody else may have changed it, and where it has not grown, so that it is read once more when it has come to rest.
func (pr *preparer) read(fc *fileChange) (data []byte, run vault.Run, err error) {
	if !pr.hot || !follows(fc.srcs) || pr.ix.mount(fc.path) != nil {
		data, err = pr.ix.read(fc.path)
		return data, 0, err
	}
	if hot := pr.g.hot.of(fc.path); hot != nil && fc.info.Size > int64(len(hot.data)) {
		for most := int64(2 * pr.part); ; most = math.MaxInt64 {
			more, size, ok := pr.ix.o.Vault.ReadOn(fc.path, hot.run, int64(len(hot.data)), most)
			if !ok {
				break
			}
			data = append(hot.data, more...)
			if fc.goneOn = pr.cut(fc, &data, size); fc.goneOn {
				return data, hot.run, nil
			}
		}
	}
	if data, run, err = pr.ix.o.Vault.ReadRun(fc.path); err == nil {
		pr.cut(fc, &data, int64(len(data)))
	}
	return data, run, err
}

// cut ends data with the next part: a file that ends before a head is what this one was once, and in parts others get their turn. cut says
// false where more of the file, which has so many bytes, must be known for that.
func (pr *preparer) cut(fc *fileChange, data *[]byte, size int64) bool {
	end := partEnd(*data, int(min(fc.old.Size, int64(len(*data)))), pr.part)
	if end == len(*data) && int64(end) < size {
		return false
	}
	if *data = (*data)[:end]; int64(end) < size {
		fc.whole = size
	}
	return true
}

// content computes the change of a file from its bytes.
func (pr *preparer) content(ctx context.Context, fc *fileChange, data []byte, run vault.Run) error {
	fc.stats.Files = 1
	state := &catalog.FileState{Size: int64(len(data)), ModTime: fc.info.ModTime.UnixNano(), Env: fc.key, Changed: fc.info.Changed}
	if age := pr.ix.o.Now().Sub(fc.info.ModTime); age < racy || fc.whole > 0 || fc.goneOn {
		state.ModTime = 0 // it may change again, or have changed, without showing: never trust this time
	}
	fc.change.State = state

	var hot *hotFile
	if pr.hot && follows(fc.srcs) {
		if hot = pr.g.hot.find(fc.path, fc.key, data); hot == nil {
			hot = &hotFile{path: fc.path}
		}
		hot.run = run
		state.Hash = hot.grow(data)
	} else {
		state.Hash = vault.HashOf(data)
	}
	if fc.known && fc.old.Env == fc.key && fc.old.Hash == state.Hash {
		was := fc.old
		state.Rows, was.Changed = fc.old.Rows, state.Changed // which is not kept on disk
		fc.write = *state != was
		return nil
	}
	return pr.rows(ctx, fc, data, hot)
}

// rows computes the rows that the file should have and what is different from those that it has.
func (pr *preparer) rows(ctx context.Context, fc *fileChange, data []byte, hot *hotFile) error {
	fc.parsed = true
	var out followed
	trail := &vault.Trail{}
	env := pr.env.along(trail)
	if fc.hot = hot; hot == nil {
		var err error
		if out.want, out.problems, err = rowsOf(ctx, fc.srcs, fc.path, data, env); ctx.Err() != nil {
			return ctx.Err()
		} else if err != nil {
			return fmt.Errorf("%w: %s: %w", errUnreadable, fc.path, err)
		}
	} else {
		var again followed
		if len(hot.parts) > 0 && hot.key != fc.key {
			again, _ = hot.again(data, env)
		}
		if out = hot.next(fc.srcs, data, env); out.known {
			trail.Join(hot.trail)
			out.have, out.want = append(again.have, out.have...), append(again.want, out.want...)
			out.keep -= len(again.want) // which are among the wanted
		} else {
			hot.redo = nil
		}
		hot.trail, hot.stones = *trail, env.stones
	}
	fc.problems = out.problems
	if !out.known && fc.known {
		var err error
		if out.have, err = pr.g.store.RowsOf(ctx, fc.path); err != nil {
			return fmt.Errorf("reading the rows of %s: %w", fc.path, err)
		}
	}
	u := usesOf(fc.srcs, fc.path, data, trail)
	if len(fc.problems) > 0 {
		u[problemsFacet] = []string{""}
	}
	state := fc.change.State
	state.Env, state.Rows = pr.ix.key(fc.srcs, pr.env, u), out.keep+len(out.want)
	if hot != nil {
		hot.key = state.Env
	}
	fc.write = true
	fc.diff(out.have, out.want)
	return nil
}

// diff fills the change by comparing the rows that are there with those that should be.
func (fc *fileChange) diff(have []catalog.RowState, want []Row) {
	byID := make(map[string]*catalog.RowState, len(have))
	for i := range have {
		byID[have[i].ID] = &have[i]
	}
	fc.states = make([]catalog.RowState, len(want))
	for i := range want {
		row := &want[i]
		state := catalog.RowState{ID: row.ID, Digest: catalog.Digest(row), TextHash: catalog.TextHash(row.Context, row.Text)}
		old, ok := byID[row.ID]
		if ok {
			delete(byID, row.ID)
		}
		switch {
		case ok && old.Digest == state.Digest:
			state.Key = old.Key
		case ok && old.TextHash == state.TextHash:
			state.Key = old.Key
			fc.change.Move = append(fc.change.Move, catalog.Moved{Key: old.Key, Row: *row})
			fc.stats.Changed++
		default:
			if ok {
				fc.change.Delete = append(fc.change.Delete, old.Key)
				fc.stats.Changed++
			} else {
				fc.stats.Added++
				fc.added = append(fc.added, len(fc.change.Insert))
			}
			fc.change.Insert = append(fc.change.Insert, *row)
			fc.texts = append(fc.texts, embedText{state.TextHash, catalog.EmbedText(row.Context, row.Text)})
		}
		fc.states[i] = state
	}
	for i := range have { // in the order of the catalog, not of the map
		if old, left := byID[have[i].ID]; left && old.Key == have[i].Key {
			fc.change.Delete = append(fc.change.Delete, old.Key)
			fc.stats.Removed++
		}
	}
}

// vectors finds or makes the vectors of the rows to insert. Where one cannot be made
// there is no error: its row waits for it.
func (pr *preparer) vectors(ctx context.Context, out *prepared) error {
	out.vectors = map[catalog.Hash][]float32{}
	var hashes []catalog.Hash
	var texts []embedText
	seen := map[catalog.Hash]bool{}
	for i := range out.files {
		for _, t := range out.files[i].texts {
			if !seen[t.hash] {
				seen[t.hash] = true
				hashes, texts = append(hashes, t.hash), append(texts, t)
			}
		}
	}
	info := pr.g.info
	if len(hashes) == 0 || info.Dim == 0 {
		return nil
	}
	cached, err := pr.ix.cache.Vectors(ctx, info.Fingerprint, hashes)
	if err != nil {
		return fmt.Errorf("reading cached vectors: %w", err)
	}
	var missing []embedText
	for _, t := range texts {
		v, ok := cached[t.hash]
		if !ok || len(v) != info.Dim {
			v, ok = pr.carried[t.hash]
		}
		if ok {
			out.vectors[t.hash] = v
		} else {
			missing = append(missing, t)
		}
	}
	pr.embed(ctx, out, missing)
	pr.carried = map[catalog.Hash][]float32{}
	for _, c := range out.fresh {
		pr.carried[c.Hash] = c.Vector
	}
	return nil
}

// embed asks the embedder for what is missing, as long as it answers and there is time.
func (pr *preparer) embed(ctx context.Context, out *prepared, missing []embedText) {
	if len(missing) == 0 || pr.budget < 0 || !pr.ix.embedderFits(pr.g.info) || pr.ix.embedderDown() {
		return
	}
	start := time.Now()
	within, cancel := context.WithTimeout(ctx, pr.budget)
	defer cancel()
	for len(missing) > 0 && within.Err() == nil {
		batch := missing[:min(embedBatch, len(missing))]
		missing = missing[len(batch):]
		got, err := pr.ix.embedding.embed(within, pr.g.info.Dim, batch)
		out.asked += len(batch)
		for _, t := range batch {
			if v, ok := got[t.hash]; ok {
				out.vectors[t.hash] = v
				out.fresh = append(out.fresh, catalog.CachedVector{Hash: t.hash, Vector: v})
			}
		}
		if err != nil {
			if within.Err() == nil { // not just slow: what is left is tried again later
				pr.ix.embedderFailed(err)
			}
			break
		}
	}
	if pr.budget -= time.Since(start); pr.budget <= 0 {
		pr.budget = -1
	}
}

// preparer starts a run of batches against g. The next generation takes larger parts than the current one, with which it takes turns: so it
// catches up, however fast files grow.
func (ix *Indexer) preparer(g *generation, budget time.Duration) *preparer {
	pr := &preparer{ix: ix, g: g, env: ix.env, hot: true, part: ix.part, budget: budget}
	if g != ix.cur {
		pr.part *= 2
	}
	return pr
}
