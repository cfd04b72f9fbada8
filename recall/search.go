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
	"slices"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/indexer/vector"
	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/llm"
	"github.com/reverie-memory/reverie/vault"
)

// DefaultVectorBudget is how long a search waits for the embedder and the vector engine.
const DefaultVectorBudget = 2 * time.Second

// A Searcher answers queries over one index. Its fields are not changed after its first use; it may
// be used from several goroutines.
type Searcher struct {
	Index    Index
	Closets  Index        // closets and nothing else, in an index of their own; nil: there are none
	Embed    llm.Embedder // nil: full text alone
	Profiles Profiles     // nil: those of this package
	Rerank   Reranker     // nil: none
	Hooks    Hooks
	Layout   vault.Layout     // where pages of the notebook lie
	Sink     Sink             // nil: nothing is recorded
	Reads    Reads            // nil: nothing was read yet
	Now      func() time.Time // nil: time.Now

	// Importance is how much a row matters, 0 to 5, that was last read then. Nil: all matter alike.
	Importance func(row *catalog.Row, now, read time.Time) float64
	// Known is what the vault knows of whom and what a text names. Nil: nothing.
	Known func(text string, now time.Time) Known
	// Answers are the ids of rows that the knowledge graph takes for the answer to a question; none where it has no answer. owner is called
	// where it matters whose memory it is, see [Searcher.Owner]. Nil: none.
	Answers func(text string, now time.Time, owner func() string) []string

	VectorBudget time.Duration   // 0: DefaultVectorBudget
	Degraded     func() []string // nil: nothing; what the index says about itself

	// Past tells what was remembered at a time besides what the index holds and tells the time of. What the caller may not see is not
	// among it. Nil: pages and core files are left out of a search that looks back.
	Past func(ctx context.Context, as AsOf) (Past, error)
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
	q.Profile = cmp.Or(q.Profile, DefaultProfile)
	q.K = cmp.Or(q.K, DefaultK)
	switch {
	case q.K < 1 || q.K > MaxK:
		return Result{}, ErrK
	case strings.TrimSpace(q.Text) == "":
		return Result{}, ErrEmpty
	}
	p, err := s.Profiles.Named(q.Profile)
	if err != nil {
		return Result{}, err
	}
	return p.search(ctx, s, q)
}

// search runs the profile's phases.
func (p *Profile) search(ctx context.Context, s *Searcher, q Query) (Result, error) {
	s, notes, err := s.at(ctx, q.AsOf)
	if err != nil {
		return Result{}, err
	}
	r := search{s: s, profile: p, q: q, now: s.now(), clock: newStopwatch()}
	r.result.Warnings = notes
	if r.flags, err = p.values(q.Flags); err != nil {
		return Result{}, err
	}
	r.question = parseQuestion(q.Text, r.now)
	r.floor = newFloor(&r.question)
	r.clock.lap("parse")

	res, info := &r.result, s.Index.Info()
	res.Hits = []Hit{}
	res.Trace.Profile, res.Trace.Engine, res.Trace.Generation = p.Name, info.Engine, info.Generation
	if s.Degraded != nil {
		res.Degraded = append(res.Degraded, s.Degraded()...)
	}
	if info.Rows > 0 {
		r.allow = s.Index.Allow(r.q.Filter)
		if err := r.run(ctx, p.Phases); err != nil {
			return Result{}, fmt.Errorf("searching: %w", err)
		}
	}
	return r.finish(ctx)
}

func (r *search) run(ctx context.Context, phases []*Phase) error {
	for _, ph := range phases {
		if ph.Switch != "" && !r.flags.on(ph.Switch) {
			r.result.Trace.Skipped = append(r.result.Trace.Skipped, ph.Name)
			continue
		}
		if err := ph.Run(ctx, r); err != nil {
			return err
		}
		r.clock.lap(ph.Counted())
	}
	return nil
}

func (s *Searcher) now() time.Time {
	if s.Now != nil {
		return s.Now()
	}
	return time.Now()
}

// search is one run of a query: what the phases share.
type search struct {
	s       *Searcher
	profile *Profile
	q       Query
	now     time.Time
	flags   values
	clock   *stopwatch
	allow   func(catalog.Key) bool // rows that may be found; nil: all

	question question
	floor    floor
	worded   []catalog.Scored // what the full text found
	near     []vector.Match   // and the vectors
	asked    []float32        // the question's vector; nil: none
	pool     *pool
	rows     []scoredRow  // the rows that were read
	ranked   []ranked     // the same by groups, best first
	drops    map[int]Drop // why candidates were left out, as far as phases said
	result   Result
}

// ranked is a group with its rows, best row first.
type ranked struct {
	group int
	rows  []*scoredRow

	superseded string // the id of a row that was said later and is much the same
	gone       bool   // it is left out
}

type scoredRow struct {
	tally
	cand int          // into pool.cands
	meta catalog.Meta // of the candidate
	row  catalog.Row
}

func (r *search) warn(s string) { r.result.Warnings = append(r.result.Warnings, s) }

// detail says in the trace what a phase did.
func (r *search) detail(phase string, what map[string]any) {
	if r.result.Trace.Detail == nil {
		r.result.Trace.Detail = map[string]any{}
	}
	r.result.Trace.Detail[phase] = what
}

func (r *search) degrade(s string) { r.result.Degraded = append(r.result.Degraded, s) }

// without says in the answer what it has to do without. without returns an error only where the caller has gone: a part that fails makes an
// answer worse, and is no reason for none.
func (r *search) without(ctx context.Context, what string, err error) error {
	if err != nil && ctx.Err() == nil {
		r.degrade(fmt.Sprintf("%s: %v; the answer does without", what, err))
	}
	return ctx.Err()
}

// show makes hits of the best groups.
var show = &Phase{
	Name: "show", Step: Showing, Makes: true, Stage: "finish",
	Run: func(ctx context.Context, r *search) (err error) {
		for _, g := range r.ranked[:r.shown()] {
			h := r.hit(g)
			if h.Preview, err = r.preview(ctx, &r.pool.cands[g.rows[0].cand]); err != nil {
				return err
			}
			r.result.Hits = append(r.result.Hits, h)
		}
		return nil
	},
}

// finish completes the answer.
func (r *search) finish(ctx context.Context) (Result, error) {
	res := &r.result
	res.Receipt = NewReceipt()
	if r.q.CandidateTrace || r.q.DryRun && r.q.Explain {
		if err := r.traceCandidates(ctx); err != nil {
			return Result{}, fmt.Errorf("tracing candidates: %w", err)
		}
	}
	r.clock.lap("finish")
	if res.Trace.Out = len(res.Hits); r.pool != nil {
		res.Trace.In = len(r.pool.cands)
	}
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
	for n > 1 && r.ranked[n-1].rows[0].spoken() <= 0 {
		n--
	}
	return n
}

func (r *search) hit(g ranked) Hit {
	best := g.rows[0]
	c := &r.pool.cands[best.cand]
	relevance := r.relevance(g.rows, c)
	if slices.ContainsFunc(g.rows, func(row *scoredRow) bool { return r.pool.cands[row.cand].answers }) {
		relevance = max(relevance, defaultFloor)
	}
	h := Hit{Row: best.row, Key: c.key, Score: best.score, Cosine: c.cosine, Relevance: relevance, Via: r.via(g), SupersededBy: g.superseded}
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
		r.explain(&h, best)
	}
	return h
}

// via says how a group was found: by any of its rows.
func (r *search) via(g ranked) string {
	var text, space, pointed bool
	for _, i := range r.pool.groups[g.group].rows {
		c := &r.pool.cands[i]
		_, closet := c.of("closet")
		text, space, pointed = text || c.worded, space || c.above > 0, pointed || closet
	}
	switch {
	case pointed:
		return ViaCloset
	case text && space:
		return ViaBoth
	case text:
		return ViaLexical
	case !space && r.pool.groups[g.group].support.score > 0:
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

// NewReceipt is a random name for an answer.
func NewReceipt() string {
	var b [10]byte
	_, _ = rand.Read(b[:]) // never fails
	return "r_" + strings.ToLower(base32.HexEncoding.WithPadding(base32.NoPadding).EncodeToString(b[:]))
}
