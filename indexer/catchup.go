package indexer

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/indexer/vector"
	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/llm"
)

// Sizes of the background work on vectors.
const (
	pendingPage = 4000        // rows looked at at once
	embedRound  = time.Second // how long the embedder is given texts of such a page before the owner hears of it
	embedLimit  = 2 * time.Minute
)

// embedded is the outcome of one round of the background embedder.
type embedded struct {
	print   string // fingerprint of the vectors
	vectors []catalog.CachedVector
	asked   int
	failed  catalog.Hash // the text that was refused when asked for alone
	alone   bool
	err     error
}

// catchUp gives vectors to rows that wait for them: cached ones at once, others by asking the
// embedder beside the owner. catchUp does one piece of that, and says whether there may be more to do now.
func (ix *Indexer) catchUp(ctx context.Context) bool {
	g := ix.cur
	if g == nil || g.pending <= 0 || ix.embedding.running || !ix.engineRetry.ready(time.Now()) {
		return false
	}
	if g.engine == nil && g.info.Dim != 0 && g.info.Engine == ix.o.EngineName { // it could not be replaced before
		if err := ix.refillEngine(ctx, g); err != nil && ctx.Err() == nil {
			ix.engineRetry = ix.engineRetry.failed(time.Now(), filePause)
			ix.log.Error("filling the vectors again failed", "error", err)
			return false
		}
	}
	if g.engine == nil {
		ix.learnDim(ctx)
		return false
	}
	did, missing, err := ix.putCached(ctx, g)
	switch {
	case err != nil && ctx.Err() == nil:
		ix.engineRetry = ix.engineRetry.failed(time.Now(), filePause)
		ix.indexFailed(ctx, fmt.Errorf("catching up with vectors: %w", err))
		return false
	case did:
		return true
	}
	if len(missing) > 0 && ix.embedderFits(g.info) && !time.Now().Before(ix.health.next()) {
		ix.startRound(ctx, g.info, missing)
	}
	ix.sayPending(g)
	return false
}

// putCached puts the vectors of pending rows that are in the cache. putCached returns the texts that are not.
func (ix *Indexer) putCached(ctx context.Context, g *generation) (did bool, missing []embedText, err error) {
	if err := ix.flush(ctx, g); err != nil {
		return false, nil, err
	}
	rows, err := g.store.Pending(ctx, pendingPage)
	if err != nil {
		return false, nil, err
	}
	if g.pending = max(g.pending, len(rows)); len(rows) < pendingPage { // these are all
		g.pending = len(rows)
	}
	if len(rows) == 0 {
		ix.sayPending(g)
		return false, nil, nil
	}
	hashes := slice.Map(rows, func(r catalog.PendingVector) catalog.Hash { return r.TextHash })
	cached, err := ix.cache.Vectors(ctx, g.info.Fingerprint, hashes)
	if err != nil {
		return false, nil, err
	}
	var puts []vector.Record
	given := 0
	seen := map[catalog.Hash]bool{}
	for _, r := range rows {
		v, ok := cached[r.TextHash]
		switch {
		case !ok || len(v) != g.info.Dim:
			if !seen[r.TextHash] {
				seen[r.TextHash] = true
				missing = append(missing, embedText{r.TextHash, r.EmbedText})
			}
		case isZero(v):
			g.put = append(g.put, r.Key)
			given++
		default:
			puts = append(puts, vector.Record{Key: r.Key, Vector: v})
			given++
		}
	}
	if given == 0 {
		return false, missing, nil
	}
	if !ix.toEngine(ctx, g, puts) {
		return false, nil, nil
	}
	if err := ix.flush(ctx, g); err != nil {
		return false, nil, err
	}
	if g.pending -= given; len(rows) == pendingPage { // the next page tells
		g.pending = max(g.pending, 1)
	}
	ix.sayPending(g)
	return true, missing, nil
}

// startRound asks the embedder beside the owner. Texts that were refused before come last, and
// batches shrink after a failure, so that one bad text does not keep the others waiting.
func (ix *Indexer) startRound(ctx context.Context, info catalog.GenInfo, missing []embedText) {
	e := &ix.embedding
	slices.SortStableFunc(missing, func(a, b embedText) int { return e.refused[a.hash] - e.refused[b.hash] })
	e.size = cmp.Or(e.size, embedBatch)
	size := e.size
	e.running = true
	go func() {
		ctx, cancel := context.WithTimeout(ctx, embedLimit)
		defer cancel()
		out := embedded{print: info.Fingerprint}
		for began := time.Now(); len(missing) > 0 && out.err == nil && time.Since(began) < embedRound; {
			batch := missing[:min(size, len(missing))]
			missing = missing[len(batch):]
			got, err := e.embed(ctx, info.Dim, batch)
			out.asked += len(batch)
			for _, t := range batch {
				if v, ok := got[t.hash]; ok {
					out.vectors = append(out.vectors, catalog.CachedVector{Hash: t.hash, Vector: v})
				}
			}
			if out.err = err; err != nil && len(batch) == 1 {
				out.failed, out.alone = batch[0].hash, true
			}
		}
		ix.rounds <- out
	}()
}

// endRound takes in what the embedder gave. The vectors go into the cache, and from there to
// whichever rows still wait for them.
func (ix *Indexer) endRound(ctx context.Context, r embedded) {
	e := &ix.embedding
	e.running = false
	if len(r.vectors) > 0 {
		if err := ix.cache.PutVectors(ctx, r.print, r.vectors); err != nil {
			ix.engineRetry = ix.engineRetry.failed(time.Now(), filePause) // or the same texts are paid for again at once
			ix.indexFailed(ctx, fmt.Errorf("caching vectors: %w", err))
			return
		}
	}
	if r.err == nil {
		e.size = min(2*e.size, embedBatch)
		ix.health.well()
		return
	}
	if ctx.Err() != nil {
		return
	}
	e.size = max(1, e.size/2)
	if r.alone {
		e.refused[r.failed]++
	}
	ix.embedderFailed(r.err)
}

// learnDim asks a remote embedder for one vector, to learn how long its vectors are.
func (ix *Indexer) learnDim(ctx context.Context) {
	if ix.o.Embedder.Dim() != 0 || time.Now().Before(ix.health.next()) {
		return
	}
	ix.embedding.running = true
	go func() {
		ctx, cancel := context.WithTimeout(ctx, embedLimit)
		defer cancel()
		_, err := ix.o.Embedder.Embed(ctx, []string{"dimension"}, llm.Document)
		if err == nil && ix.o.Embedder.Dim() == 0 {
			err = fmt.Errorf("%w: it does not say of which dimension", errVector)
		}
		ix.rounds <- embedded{err: err}
	}()
}

// embedderFailed notes a failure; any goroutine may call it.
func (ix *Indexer) embedderFailed(err error) {
	if _, was := ix.health.isDown(); !was {
		ix.log.Warn("the embedder failed; rows are found by their words until it answers", "error", err)
	}
	ix.health.failed(time.Now(), err)
	ix.notes.say("embedder", "embedder: "+err.Error())
}

func (ix *Indexer) embedderDown() bool {
	_, down := ix.health.isDown()
	return down
}

// sayPending tells how many rows are found by their words only.
func (ix *Indexer) sayPending(g *generation) {
	pending := max(0, g.pending)
	ix.notes.set(func(n *notes) { n.pending = pending })
	reason, down := ix.health.isDown()
	switch {
	case down && pending > 0:
		ix.notes.say("embedder", fmt.Sprintf("embedder: %s; %d rows are found by their words only", reason, pending))
		return
	case down:
		ix.notes.say("embedder", "embedder: "+reason)
		return
	}
	ix.notes.say("embedder", "")
	if pending == 0 && g.engine != nil {
		ix.notes.say("engine", "")
		ix.engineRetry = ix.engineRetry.reset()
	}
	if pending > 0 {
		ix.notes.say("pending", fmt.Sprintf("index: %d rows are found by their words only until their vectors are made", pending))
	} else {
		ix.notes.say("pending", "")
	}
}

// embedderFits says that vectors of the embedder belong into that generation. A remote embedder
// that has not answered yet is taken to be the one that it was.
func (ix *Indexer) embedderFits(info catalog.GenInfo) bool {
	dim := ix.o.Embedder.Dim()
	return info.Dim != 0 && (dim == 0 || dim == info.Dim && ix.o.Embedder.Fingerprint() == info.Fingerprint)
}
