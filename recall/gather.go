package recall

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/indexer/vector"
	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/llm"
)

// guard keeps vectors of another embedder from being compared with the index's, which is nonsense.
var guard = &Phase{
	Name: "model_guard", Switch: "model_guard",
	Flags: []Flag{
		{Name: "model_guard", Default: true, Doc: "vectors of another embedder than the index's are not compared"},
		{Name: "model_guard_strict", Default: false, Doc: "and are an error"},
	},
	Run: func(_ context.Context, r *search) error {
		if r.deaf() {
			return nil
		}
		info := r.s.Index.Info()
		have, want := r.s.Embed.Fingerprint(), info.Fingerprint
		match := want == "" || have == "" || want == have
		if hook := r.s.Hooks.PostModelGuard; hook != nil {
			hook(ModelGuard{Match: match, IngestModel: want, QueryModel: have})
		}
		if r.result.Trace.ModelGuard = "MATCH"; match {
			return nil
		}
		r.result.Trace.ModelGuard = "MISMATCH"
		r.detail("model_guard", map[string]any{
			"action":       map[bool]string{true: "block", false: "warn"}[r.flags.on("model_guard_strict")],
			"ingest_model": want, "query_model": have, "dim_ingest": info.Dim, "dim_query": r.s.Embed.Dim(),
		})
		r.warn(fmt.Sprintf("ingest model: %s (%d), query model: %s (%d) — results may be unreliable", want, info.Dim, have, r.s.Embed.Dim()))
		if r.flags.on("model_guard_strict") {
			return fmt.Errorf("%w: index %s, embedder %s", ErrModel, want, have)
		}
		r.flags["vector"] = false
		r.degrade("vectors: the index was built with another embedder; the answer rests on the full text alone")
		return nil
	},
}

// gather asks the full text and the vectors at the same time. The vectors may be late or fail: the
// answer is then lexical and says so. The full text may fail as long as the vectors answer.
var gather = &Phase{
	Name: "gather", Step: Finding, Makes: true,
	Flags: []Flag{
		{Name: "lexical", Default: true, Doc: "full-text candidates"},
		{Name: "vector", Default: true, Doc: "vector candidates"},
	},
	Run: func(ctx context.Context, r *search) error {
		if r.deaf() {
			if err := r.lexical(ctx); err != nil {
				return fmt.Errorf("full text: %w", err)
			}
			return nil
		}
		budget := r.s.VectorBudget
		if budget <= 0 {
			budget = DefaultVectorBudget
		}
		vctx, cancel := context.WithTimeout(ctx, budget)
		defer cancel()
		done := make(chan vectorAnswer, 1)
		go func() { done <- r.s.nearest(vctx, r.q.Text, r.allow) }()
		lexErr := r.lexical(ctx)
		select {
		case a := <-done:
			return r.join(ctx, lexErr, a)
		case <-vctx.Done():
			select { // both were ready
			case a := <-done:
				return r.join(ctx, lexErr, a)
			default:
			}
			return r.join(ctx, lexErr, vectorAnswer{err: fmt.Errorf("no answer within %v", budget)})
		}
	},
}

// deaf says whether the search goes without vectors.
func (r *search) deaf() bool { return r.s.Embed == nil || !r.flags.on("vector") }

func (r *search) lexical(ctx context.Context) error {
	if !r.flags.on("lexical") {
		return nil
	}
	start := time.Now()
	defer func() { r.clock.add("lexical", time.Since(start)) }()
	terms, err := r.s.Index.QueryTerms(ctx, r.q.Text)
	if err != nil {
		return err
	}
	r.floor.meant(terms)
	r.worded, err = r.s.Index.LexicalTerms(ctx, rarest(terms), lexicalRanking, lexicalDepth, r.allow)
	return err
}

// Of the full text, BM25 with frequent terms left in: they weigh little but tell long texts apart.
var lexicalRanking = catalog.DefaultRanking()

const (
	maxTerms     = 64   // of a query
	lexicalDepth = 1000 // full-text candidates
	vectorDepth  = 300  // nearest rows
)

// rarest bounds the terms of a query: of a pasted page, the rare words tell what it is about.
func rarest(terms []catalog.WeightedTerm) []catalog.WeightedTerm {
	if len(terms) <= maxTerms {
		return terms
	}
	terms = slices.Clone(terms)
	slices.SortStableFunc(terms, func(a, b catalog.WeightedTerm) int {
		return cmp.Compare(lexis.Frequency(a.Term), lexis.Frequency(b.Term))
	})
	return terms[:maxTerms]
}

// join takes the vectors' answer beside that of the full text and reports what is missing.
func (r *search) join(ctx context.Context, lexErr error, a vectorAnswer) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	r.clock.add("embed", a.embed)
	r.clock.add("vector", a.search)
	if lexErr != nil && a.err != nil {
		return fmt.Errorf("full text: %w", errors.Join(lexErr, a.err))
	}
	if a.err != nil {
		r.degrade(fmt.Sprintf("vectors: %v; the answer rests on the full text alone", a.err))
	}
	if lexErr != nil {
		r.degrade(fmt.Sprintf("full text: %v; the answer rests on the vectors alone", lexErr))
	}
	if r.near = a.matches; a.err == nil {
		r.asked = a.asked
	}
	return nil
}

type vectorAnswer struct {
	matches       []vector.Match
	asked         []float32 // the question's vector
	err           error
	embed, search time.Duration
}

func (s *Searcher) nearest(ctx context.Context, text string, allow func(catalog.Key) bool) (a vectorAnswer) {
	start := time.Now()
	vecs, err := s.Embed.Embed(ctx, []string{text}, llm.Query)
	a.embed = time.Since(start)
	switch {
	case err != nil:
		a.err = fmt.Errorf("embedder: %w", err)
		return a
	case len(vecs) != 1:
		a.err = fmt.Errorf("embedder: %d vectors for one text", len(vecs))
		return a
	case zero(vecs[0]): // no known feature: nothing is near
		return a
	}
	start, a.asked = time.Now(), vecs[0]
	a.matches, a.err = s.Index.Vector(ctx, vecs[0], vectorDepth, allow)
	a.search = time.Since(start)
	return a
}

func zero(v []float32) bool {
	return !slices.ContainsFunc(v, func(x float32) bool { return x != 0 })
}
