package indexer

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"slices"

	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/indexer/vector"
	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/vault"
)

// Verification compares the index with a rebuild from the files.
type Verification struct {
	Rows         int      // that the files give
	Missing      int      // rows that the files give and the index lacks or has otherwise
	Stale        int      // rows that the index has and the files no longer give
	VectorsWrong int      // vectors that are missing, doubled or differ from the cached ones
	Pending      int      // rows whose vector was never made, because the embedder does not answer
	Details      []string // the first of what is wrong, and what was noticed
}

// OK says that the index equals the files.
func (v Verification) OK() bool { return v.Missing == 0 && v.Stale == 0 && v.VectorsWrong == 0 }

const maxDetails = 20

func (v *Verification) detail(format string, args ...any) {
	if len(v.Details) < maxDetails {
		v.Details = append(v.Details, fmt.Sprintf(format, args...))
	}
}

// Verify compares the index with a rebuild from the files: every row by id and content, its full text, and every vector with the cached
// one, bit for bit. Files that changed and were not indexed yet are named in the details and indexed first. Each file is read, whatever its
// size and time say; what differs in one that looks as it did when it was indexed counts as missing and stale, and is indexed then. So is
// damage: where the index cannot be read, it is filled anew and compared then. What is appended to a file while it is compared is left out
// of account. Vectors that the engine lacks, or whose cached copy is damaged, count as wrong; they are put or made again beside what
// follows, so that a later Verify finds them right. Verify mends nothing else.
func (ix *Indexer) Verify(ctx context.Context) (Verification, error) {
	before := ix.views.now()
	v, err := ix.compare(ctx)
	if !isCorrupt(err) || before == nil {
		return v, err
	}
	_, herr := onOwner(ctx, ix, func(ctx context.Context) (struct{}, error) {
		ix.heal(ctx, hurt{before, err})
		return struct{}{}, nil
	})
	if herr != nil {
		return v, errors.Join(err, herr)
	}
	cause := err
	if v, err = ix.compare(ctx); err == nil {
		v.detail("the index was damaged and was filled anew: %v", cause)
	}
	return v, err
}

// compare is Verify of an index that can be read.
func (ix *Indexer) compare(ctx context.Context) (Verification, error) {
	var v Verification
	behind, err := ix.settleFiles(ctx)
	if err != nil {
		return v, err
	}
	for _, p := range behind {
		v.detail("%s: had changed and was not indexed yet; it is now", p)
	}
	c := checker{ix: ix, v: &v}
	if err := c.rows(ctx); err != nil {
		return v, err
	}
	if err := c.stores(ctx); err != nil {
		return v, err
	}
	return v, nil
}

// onOwner runs fn on the owner goroutine, when nothing is under way there.
func onOwner[T any](ctx context.Context, ix *Indexer, fn func(context.Context) (T, error)) (T, error) {
	var zero T
	done := make(chan result[T], 1)
	ok := ix.queue.put(func(j *job) {
		j.calls = append(j.calls, func(ctx context.Context) {
			value, err := fn(ctx)
			done <- result[T]{value, err}
		})
	})
	if !ok {
		return zero, ErrClosed
	}
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		return zero, fmt.Errorf("waiting for the index: %w", ctx.Err())
	case <-ix.stopped:
		return zero, ErrClosed
	}
}

// settleFiles brings the index up to date and returns the files for which it was not.
func (ix *Indexer) settleFiles(ctx context.Context) ([]vault.Path, error) {
	behind, err := onOwner(ctx, ix, func(ctx context.Context) ([]vault.Path, error) {
		if ix.cur == nil || !ix.whole || ix.sweep != nil {
			return nil, nil // still filling: the Sync below waits for that
		}
		j := job{all: true}
		if err := ix.refreshEnv(&j); err != nil {
			return nil, err
		}
		targets, _, err := ix.plan(ctx, ix.cur, &j)
		if err != nil {
			return nil, err
		}
		var behind []vault.Path
		pr := ix.preparer(ix.cur, -1)
		pr.hot = false
		for _, t := range targets {
			if fc, err := pr.file(ctx, t); err == nil && fc.changes() {
				behind = append(behind, t.path)
			}
		}
		return behind, nil
	})
	if err != nil {
		return nil, err
	}
	_, err = ix.Sync(ctx)
	return behind, err
}

// changes says whether the change alters any row.
func (fc *fileChange) changes() bool {
	return fc.gone && fc.known || len(fc.change.Insert)+len(fc.change.Delete)+len(fc.change.Move) > 0
}

// checker compares one generation with the files.
type checker struct {
	ix   *Indexer
	v    *Verification
	lost []Key // rows whose vector the engine lacks, or of which the cache has no sound copy
}

// snapshot is what the owner knows at one moment.
type snapshot struct {
	g     *generation
	env   Env
	files map[vault.Path]catalog.FileState
}

var errUnopened = errors.New("the index cannot be opened; see the log")

// now is the snapshot of this moment, for the owner goroutine.
func (c *checker) now() (snapshot, error) {
	if c.ix.cur == nil {
		return snapshot{}, errUnopened
	}
	return snapshot{c.ix.cur, c.ix.env, c.ix.cur.files}, nil
}

// rows compares every file's rows. Files go on changing meanwhile: one that differs is looked at again.
func (c *checker) rows(ctx context.Context) error {
	snap, err := onOwner(ctx, c.ix, func(context.Context) (snapshot, error) {
		snap, err := c.now()
		snap.files = maps.Clone(snap.files)
		return snap, err
	})
	if err != nil {
		return err
	}
	names := map[vault.Path]bool{}
	for p := range snap.files {
		names[p] = true
	}
	_, _, err = c.ix.walk(ctx, "", func(p vault.Path, _ vault.FileInfo) {
		if len(c.ix.sources(p)) > 0 {
			names[p] = true
		}
	})
	if err != nil {
		return fmt.Errorf("walking the vault: %w", err)
	}
	for _, p := range sorted(names) {
		if err := ctx.Err(); err != nil {
			return err
		}
		d, err := c.file(ctx, snap, p, math.MaxInt64)
		unseen := err == nil && d.unseen
		if unseen { // nothing would have indexed it
			c.v.detail("%s: its bytes are others than were indexed, at the same size and time; it is indexed now", p)
			c.differs(p, d)
		}
		if err != nil || d.behind || !d.equal() {
			d, err = c.settled(ctx, p)
		}
		if err != nil {
			return err
		}
		c.v.Rows += d.want
		c.differs(p, d)
	}
	return nil
}

// maxLooks is how often a file is looked at that somebody rewrites meanwhile. Of one that only grows, two looks are enough.
const maxLooks = 5

// settled compares a file on the owner goroutine, where nothing can change the rows meanwhile, and has it indexed first where its bytes are
// not those of its rows.
func (c *checker) settled(ctx context.Context, p vault.Path) (d difference, err error) {
	size := int64(math.MaxInt64)
	for range maxLooks {
		d, err = onOwner(ctx, c.ix, func(ctx context.Context) (difference, error) {
			snap, err := c.now()
			if err != nil {
				return difference{}, err
			}
			return c.file(ctx, snap, p, size)
		})
		if err != nil || !d.behind {
			break
		}
		size = d.size
		_, err = c.ix.ask(ctx, func(j *job) { j.add([]vault.Path{p}); j.hash = true }, waiter{paths: []vault.Path{p}})
		if err != nil {
			break
		}
	}
	return d, err
}

// difference is how the rows of one file differ from what they should be.
type difference struct {
	size    int64 // of the file
	behind  bool  // the index does not have the file as it is, so that the rows may differ
	unseen  bool  // and it looks as if it had
	want    int
	missing []string // which, and how they differ
	stale   []string
}

func (d *difference) equal() bool { return len(d.missing) == 0 && len(d.stale) == 0 }

// file compares the rows of a file with those that its bytes give. Of these the index must have so many, or all; of those that came
// behind them since it may lack some, and the rows are compared with what those give that it has.
func (c *checker) file(ctx context.Context, at snapshot, p vault.Path, size int64) (d difference, err error) {
	srcs := c.ix.sources(p)
	data, err := c.ix.read(p)
	there := err == nil && len(srcs) > 0
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return d, ctx.Err() // unreadable: its rows are left alone
	}
	d.size = int64(len(data))
	state, known := at.files[p]
	d.behind = known != there
	if known && there {
		has := data[:min(state.Size, d.size)]
		d.behind = state.Size < min(size, d.size) || vault.HashOf(has) != state.Hash || state.Env != c.ix.key(srcs, at.env, usesIn(state.Env))
		if !d.behind {
			data = has
		} else if info, err := c.ix.stat(p); err == nil {
			d.unseen = state.Hash != vault.HashOf(data) && looks(&state, info)
		}
	}
	var want []Row
	if there {
		if want, _, err = rowsOf(ctx, srcs, p, data, at.env); err != nil {
			return difference{}, ctx.Err() // as good as unreadable
		}
	}
	have, err := at.g.store.RowsOf(ctx, p)
	if err != nil {
		return d, fmt.Errorf("reading the rows of %s: %w", p, err)
	}
	d.compare(have, want)
	return d, nil
}

func (d *difference) compare(have []catalog.RowState, want []Row) {
	d.want = len(want)
	byID := map[string][]catalog.RowState{}
	for _, r := range have {
		byID[r.ID] = append(byID[r.ID], r)
	}
	for i := range want {
		row := &want[i]
		states := byID[row.ID]
		switch {
		case len(states) == 0:
			d.missing = append(d.missing, row.ID+" is missing")
			continue
		case states[0].TextHash != catalog.TextHash(row.Context, row.Text):
			d.missing = append(d.missing, row.ID+" has another text")
		case states[0].Digest != catalog.Digest(row):
			d.missing = append(d.missing, row.ID+" has its text, and something else differs")
		}
		byID[row.ID] = states[1:]
	}
	for _, states := range byID {
		for _, r := range states {
			d.stale = append(d.stale, r.ID)
		}
	}
	slices.Sort(d.stale)
}

// differs counts how the rows of a file differ.
func (c *checker) differs(p vault.Path, d difference) {
	c.v.Missing += len(d.missing)
	c.v.Stale += len(d.stale)
	for _, row := range d.missing {
		c.v.detail("%s: row %s", p, row)
	}
	for _, id := range d.stale {
		c.v.detail("%s: row %s should not be there", p, id)
	}
}

// stores checks the stores themselves on the owner goroutine: full text and columns of every row,
// and every vector.
func (c *checker) stores(ctx context.Context) error {
	_, err := onOwner(ctx, c.ix, func(ctx context.Context) (struct{}, error) {
		ix := c.ix
		if ix.cur == nil {
			return struct{}{}, errUnopened
		}
		if err := ix.flush(ctx, ix.cur); err != nil {
			return struct{}{}, err
		}
		err := c.onStores(ctx, ix.cur)
		if err == nil && len(c.lost) > 0 {
			err = ix.cur.pend(ctx, c.lost)
		}
		return struct{}{}, err
	})
	return err
}

func (c *checker) onStores(ctx context.Context, g *generation) error {
	if err := g.store.Check(ctx); err != nil {
		return fmt.Errorf("checking the rows: %w", err)
	}
	err := g.store.CheckRows(ctx, func(key Key, p vault.Path) {
		c.v.Missing++
		c.v.detail("%s: the stored row %d is not what was written", p, key)
	})
	if err != nil {
		return fmt.Errorf("checking the rows: %w", err)
	}
	if g.engine == nil {
		c.v.Pending = g.store.Reader().Len()
		return nil
	}
	return c.vectors(ctx, g)
}

// vectors compares the engine with the cache, bit for bit.
func (c *checker) vectors(ctx context.Context, g *generation) error {
	want := map[Key]catalog.Hash{}
	err := g.store.TextHashes(ctx, func(key Key, h catalog.Hash) bool { want[key] = h; return true })
	if err != nil {
		return fmt.Errorf("reading the rows' keys: %w", err)
	}
	seen := map[Key]bool{}
	var page []vector.Record
	var failed error
	compare := func() {
		failed = c.comparePage(ctx, g, page, want)
		page = page[:0]
	}
	err = g.engine.Scan(ctx, func(r vector.Record) bool {
		if seen[r.Key] {
			c.v.VectorsWrong++
			c.v.detail("vector %d is there twice", r.Key)
		}
		seen[r.Key] = true
		page = append(page, vector.Record{Key: r.Key, Vector: slices.Clone(r.Vector)})
		if len(page) >= 500 {
			compare()
		}
		return failed == nil && ctx.Err() == nil
	})
	if err == nil && failed == nil {
		compare()
	}
	if err = errors.Join(err, failed, ctx.Err()); err != nil {
		return fmt.Errorf("comparing vectors: %w", err)
	}
	return c.absent(ctx, g, want, seen)
}

func (c *checker) comparePage(ctx context.Context, g *generation, page []vector.Record, want map[Key]catalog.Hash) error {
	hashes := slice.Map(page, func(r vector.Record) catalog.Hash { return want[r.Key] })
	cached, err := c.ix.cache.Vectors(ctx, g.info.Fingerprint, hashes)
	if err != nil {
		return err
	}
	for i, r := range page {
		if _, live := want[r.Key]; !live {
			continue // an orphan: never a hit, dropped when the engine is tidied
		}
		switch v, ok := cached[hashes[i]]; {
		case !ok:
			c.v.VectorsWrong++
			c.v.detail("vector %d has no cached copy that is sound: it is made again", r.Key)
			c.lost = append(c.lost, r.Key)
		case !sameBits(v, r.Vector):
			c.v.VectorsWrong++
			c.v.detail("vector %d differs from the cached one", r.Key)
		}
	}
	return nil
}

// absent looks at the rows without a vector. One that was never made is no difference from a rebuild.
func (c *checker) absent(ctx context.Context, g *generation, want map[Key]catalog.Hash, seen map[Key]bool) error {
	var keys []Key
	for key := range want {
		if !seen[key] {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	for page := range slices.Chunk(keys, 500) {
		hashes := slice.Map(page, func(key Key) catalog.Hash { return want[key] })
		cached, err := c.ix.cache.Vectors(ctx, g.info.Fingerprint, hashes)
		if err != nil {
			return fmt.Errorf("comparing vectors: %w", err)
		}
		for i, key := range page {
			switch v, ok := cached[hashes[i]]; {
			case !ok:
				c.v.Pending++
			case !isZero(v):
				c.v.VectorsWrong++
				c.v.detail("vector %d is missing", key)
				c.lost = append(c.lost, key)
			}
		}
	}
	if c.v.Pending > 0 {
		c.v.detail("%d rows wait for their vectors", c.v.Pending)
	}
	return nil
}

// sameBits compares vectors as bytes; they are scaled by nobody on their way.
func sameBits(a, b []float32) bool {
	return slices.EqualFunc(a, b, func(x, y float32) bool { return math.Float32bits(x) == math.Float32bits(y) })
}
