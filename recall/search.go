package recall

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/llm"
)

// DefaultVectorBudget is how long a search waits for the embedder and the vector engine.
const DefaultVectorBudget = 2 * time.Second

// A Searcher answers queries over one index. Its fields are not changed after its first use; it may
// be used from several goroutines.
type Searcher struct {
	Index        Index
	Embed        llm.Embedder           // nil: full text alone
	Sink         Sink                   // nil: nothing is recorded
	Now          func() time.Time       // nil: time.Now
	Forgotten    func(text string) bool // nil: nothing is; rows that it knows are never hits
	VectorBudget time.Duration          // 0: DefaultVectorBudget
	Degraded     func() []string        // nil: nothing; what the index says about itself
}

// Errors of a query.
var (
	ErrEmpty = errors.New("the query is empty")
	ErrK     = fmt.Errorf("k must lie between 1 and %d", MaxK)
	// ErrModel reports vectors in the index of another embedder than the one in use, under model_guard_strict.
	ErrModel = errors.New("the index holds vectors of another embedder")
)

// Search answers a query. An empty index gives no hits and no error.
func (s *Searcher) Search(ctx context.Context, q Query) (Result, error) {
	run := search{s: s, q: q, now: s.now(), clock: newStopwatch()}
	if err := run.check(); err != nil {
		return Result{}, err
	}
	if err := run.find(ctx); err != nil {
		return Result{}, fmt.Errorf("searching: %w", err)
	}
	return run.finish(ctx)
}

func (s *Searcher) now() time.Time {
	if s.Now != nil {
		return s.Now()
	}
	return time.Now()
}

// search is one run of a query.
type search struct {
	s     *Searcher
	q     Query
	now   time.Time
	flags flags
	clock *stopwatch

	question question
	weights  *weights
	floor    floor
	pool     *pool
	ranked   []ranked
	result   Result
}

// ranked is a group with its rows, best row first.
type ranked struct {
	group int
	rows  []scoredRow
}

type scoredRow struct {
	cand  int
	row   catalog.Row
	parts parts
	score float64
}

// check completes the query and refuses what it cannot mean.
func (r *search) check() error {
	q := &r.q
	q.Profile = cmp.Or(q.Profile, "default")
	q.K = cmp.Or(q.K, DefaultK)
	switch {
	case q.K < 1 || q.K > MaxK:
		return ErrK
	case strings.TrimSpace(q.Text) == "":
		return ErrEmpty
	}
	var err error
	if r.flags, err = parseFlags(q.Profile, q.Flags); err != nil {
		return err
	}
	if !q.AsOf.IsZero() {
		r.travel()
	}
	r.question = parseQuestion(q.Text, r.now)
	r.weights = weightsFor(r.flags, r.s.Embed == nil || strings.HasPrefix(r.s.Embed.Name(), "builtin"))
	least, _ := floorOf(q.Flags[FlagMinScore])
	r.floor = newFloor(&r.question, least)
	r.clock.lap("parse")
	return nil
}

// travel narrows the filter to what was there at AsOf. Pages show their present text, so they are
// left out.
func (r *search) travel() {
	q := &r.q
	r.now = q.AsOf
	end := q.AsOf.Truncate(time.Second).Add(time.Second)
	if q.Filter.To.IsZero() || end.Before(q.Filter.To) {
		q.Filter.To = end
	}
	timed := []catalog.SourceType{catalog.ArchiveLog, catalog.DrawerText, catalog.Diary}
	if len(q.Filter.Source) == 0 {
		q.Filter.Source = timed
		r.warn("as_of searches logs, drawers and diaries; pages and core files only exist as they are now")
		return
	}
	kept := make([]catalog.SourceType, 0, len(q.Filter.Source))
	for _, s := range q.Filter.Source {
		if slices.Contains(timed, s) {
			kept = append(kept, s)
		} else {
			r.warn(fmt.Sprintf("as_of leaves out source type %q: it only exists as it is now", s))
		}
	}
	if len(kept) == 0 {
		kept = append(kept, "none")
	}
	q.Filter.Source = kept
}

func (r *search) warn(s string)    { r.result.Warnings = append(r.result.Warnings, s) }
func (r *search) degrade(s string) { r.result.Degraded = append(r.result.Degraded, s) }

// find fills r.ranked.
func (r *search) find(ctx context.Context) error {
	if r.s.Degraded != nil {
		r.result.Degraded = append(r.result.Degraded, r.s.Degraded()...)
	}
	info := r.s.Index.Info()
	r.result.Trace.Engine, r.result.Trace.Generation = info.Engine, info.Generation
	if info.Rows == 0 {
		return nil
	}
	allow := r.s.Index.Allow(r.q.Filter)
	lex, vec, err := r.gather(ctx, allow, info)
	if err != nil {
		return err
	}
	fold := r.flags.on(FlagFold)
	r.pool = newPool(lex, vec, r.s.Index.Metas, r.weights, fold)
	r.clock.lap("fuse")
	r.pool.place(r.s.Index, allow, fold)
	r.pool.weigh(r.weights)
	r.clock.lap("context")
	return r.rank(ctx)
}

// rank reads the text of the best groups and orders them.
func (r *search) rank(ctx context.Context) error {
	rk := &ranker{w: r.weights, q: &r.question, now: r.now}
	r.estimate(rk)
	groups := r.pool.best(max(readGroups, 2*r.q.K), func(g *group) float64 { return g.rank })
	var cands []int
	for _, g := range groups {
		cands = append(cands, r.pool.bestRows(g, r.weights)...)
	}
	slices.Sort(cands)
	keys := make([]catalog.Key, len(cands))
	for i, c := range cands {
		keys[i] = r.pool.cands[c].key
	}
	rows, err := aligned(ctx, r.s.Index, keys)
	if err != nil {
		return fmt.Errorf("reading rows: %w", err)
	}
	r.clock.lap("read")
	r.order(rk, cands, rows)
	r.clock.lap("rank")
	return nil
}

// aligned reads one row for each key; the zero row for a key that went away.
func aligned(ctx context.Context, ix Index, keys []catalog.Key) ([]catalog.Row, error) {
	rows, err := ix.Rows(ctx, keys)
	if err != nil || len(rows) == len(keys) {
		return rows, err
	}
	out := make([]catalog.Row, len(keys)) // rare: a row went away since it was found
	for i, k := range keys {
		one, err := ix.Rows(ctx, []catalog.Key{k})
		if err != nil {
			return nil, err
		}
		if len(one) == 1 {
			out[i] = one[0]
		}
	}
	return out, nil
}

// estimate is the score without what only the text tells.
func (r *search) estimate(rk *ranker) {
	speakers := r.speakers()
	for i := range r.pool.groups {
		g := &r.pool.groups[i]
		c := &r.pool.cands[g.rows[0]]
		g.rank = (g.top + g.support.sum()) * (1 + rk.date(c.meta.Unix))
		for _, by := range speakers {
			if by(c.key) {
				g.rank *= 1 + r.weights.speaker
				break
			}
		}
	}
}

// speakers are tests for rows by somebody whom the question names by one word.
func (r *search) speakers() []func(catalog.Key) bool {
	var out []func(catalog.Key) bool
	for _, w := range r.question.words {
		if len(out) == 16 || r.weights.speaker == 0 {
			break
		}
		if !lexis.IsStop(w) {
			if by := r.s.Index.Allow(catalog.Filter{Speaker: w}); by != nil {
				out = append(out, by)
			}
		}
	}
	return out
}

// bestRows are the candidates of a group whose text is read.
func (p *pool) bestRows(g int, w *weights) []int {
	rows := slices.Clone(p.groups[g].rows)
	slices.SortStableFunc(rows, func(a, b int) int {
		return cmp.Compare(p.cands[b].base(w), p.cands[a].base(w))
	})
	return rows[:min(readRows, len(rows))]
}

// order scores the rows and sorts groups by their best one. Ties go to the newer, then by id, which
// is the same after a rebuild.
func (r *search) order(rk *ranker, cands []int, rows []catalog.Row) {
	byID := make(map[int]*ranked)
	for i, row := range rows {
		if row.ID == "" || r.s.Forgotten != nil && r.s.Forgotten(row.Text) {
			continue
		}
		c := &r.pool.cands[cands[i]]
		p := rk.score(c, r.pool.groups[c.group].support, &row)
		g := byID[c.group]
		if g == nil {
			g = &ranked{group: c.group}
			byID[c.group] = g
		}
		g.rows = append(g.rows, scoredRow{cand: cands[i], row: row, parts: p, score: p.sum()})
	}
	for _, g := range byID {
		slices.SortFunc(g.rows, r.compareRows)
		r.ranked = append(r.ranked, *g)
	}
	slices.SortFunc(r.ranked, func(a, b ranked) int { return r.compareRows(a.rows[0], b.rows[0]) })
	if r.flags.on(FlagFold) {
		r.absorb()
	}
	if r.weights.variety > 0 {
		r.vary()
	}
}

// vary takes the best group again and again, where a session that was taken often has to be better.
// Scores still fall from hit to hit, since what a session pays only grows.
func (r *search) vary() {
	taken := map[int32]int{}
	pays := func(g *ranked) float64 {
		n := taken[r.pool.groups[g.group].session] - varietyFree
		return min(varietyMost, r.weights.variety*float64(max(0, n)))
	}
	for i := range min(r.q.K, len(r.ranked)) {
		best, most := i, math.Inf(-1)
		for j := i; j < len(r.ranked); j++ {
			if s := r.ranked[j].rows[0].score * (1 - pays(&r.ranked[j])); s > most {
				best, most = j, s
			}
		}
		g := r.ranked[best]
		copy(r.ranked[i+1:best+1], r.ranked[i:best])
		g.rows[0].parts.scale(partVariety, -pays(&g))
		g.rows[0].score = g.rows[0].parts.sum()
		r.ranked[i] = g
		if s := r.pool.groups[g.group].session; s != 0 {
			taken[s]++
		}
	}
}

func (r *search) compareRows(a, b scoredRow) int {
	ca, cb := &r.pool.cands[a.cand], &r.pool.cands[b.cand]
	return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(cb.meta.Unix, ca.meta.Unix), cmp.Compare(a.row.ID, b.row.ID))
}

// finish makes the answer.
func (r *search) finish(ctx context.Context) (Result, error) {
	res := &r.result
	res.Hits = make([]Hit, 0, r.shown())
	for _, g := range r.ranked[:r.shown()] {
		res.Hits = append(res.Hits, r.hit(g))
	}
	res.Hits = r.answered(res.Hits)
	res.Receipt = newReceipt()
	if r.q.CandidateTrace {
		if err := r.traceCandidates(ctx); err != nil {
			return Result{}, fmt.Errorf("tracing candidates: %w", err)
		}
	}
	r.clock.lap("finish")
	res.Trace.Profile = r.q.Profile
	res.Trace.Phases, res.Trace.TimingMS = r.clock.report()
	if r.s.Sink != nil && !r.q.DryRun {
		r.s.Sink.Record(r.record())
	}
	return *res, nil
}

// shown is how many of the ranked are hits: at most K, and behind the first none that nothing speaks for.
// The first stays even so: in a vault of one memory it has no others to stand out from.
func (r *search) shown() int {
	n := min(r.q.K, len(r.ranked))
	for n > 1 && r.ranked[n-1].rows[0].score <= 0 {
		n--
	}
	return n
}

func (r *search) hit(g ranked) Hit {
	best := &g.rows[0]
	c := &r.pool.cands[best.cand]
	above := c.above
	if r.pool.blind {
		above = usual
	}
	h := Hit{Row: best.row, Key: c.key, Score: best.score, Relevance: r.floor.relevance(g.rows, r.question.closeness(c.meta.Unix), above), Via: r.via(g)}
	h.Refs = append(h.Refs, best.row.Refs...)
	for _, o := range g.rows[1:] {
		h.Also = append(h.Also, o.row.ID)
		for _, ref := range o.row.Refs {
			if !slices.Contains(h.Refs, ref) {
				h.Refs = append(h.Refs, ref)
			}
		}
	}
	if r.q.Explain {
		h.Breakdown = make(map[string]float64, numParts)
		for i, v := range best.parts {
			if v != 0 {
				h.Breakdown[partNames[i]] = v
			}
		}
	}
	return h
}

// via says how a group was found: by any of its rows.
func (r *search) via(g ranked) string {
	var text, space bool
	for _, i := range r.pool.groups[g.group].rows {
		c := &r.pool.cands[i]
		text, space = text || c.inText, space || c.nearby > 0
	}
	switch {
	case text && space:
		return ViaBoth
	case text:
		return ViaLexical
	case !space && r.pool.groups[g.group].support.sum() > 0:
		return ViaContext
	}
	return ViaVector
}

func (r *search) record() Record {
	rec := Record{Time: r.s.now().UTC(), QueryHash: QueryHash(r.q.Text), Receipt: r.result.Receipt, Rows: []string{}}
	for i, h := range r.result.Hits {
		rec.Rows = append(rec.Rows, h.Row.ID)
		if i == 0 {
			rec.Snippet = clip(oneLine(h.Row.Text), 120)
		}
	}
	return rec
}

// QueryHash is what the recall log keeps of a query: enough to see that one comes back.
func QueryHash(text string) string {
	sum := sha256.Sum256([]byte(lexis.Fold(text)))
	return hex.EncodeToString(sum[:8])
}

// newReceipt is a random name for an answer.
func newReceipt() string {
	var b [10]byte
	_, _ = rand.Read(b[:]) // never fails
	return "r_" + strings.ToLower(base32.HexEncoding.WithPadding(base32.NoPadding).EncodeToString(b[:]))
}
