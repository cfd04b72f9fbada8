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

// gather asks the full text and the vectors at the same time. The vectors may be late or fail: the
// answer is then lexical and says so. The full text may fail as long as the vectors answer.
func (r *search) gather(ctx context.Context, allow func(catalog.Key) bool, info Info) ([]catalog.Scored, []vector.Match, error) {
	useVector, err := r.vectorsFit(info)
	if err != nil {
		return nil, nil, err
	}
	vecDone := make(chan vectorAnswer, 1)
	if useVector {
		budget := r.s.VectorBudget
		if budget <= 0 {
			budget = DefaultVectorBudget
		}
		vctx, cancel := context.WithTimeout(ctx, budget)
		defer cancel()
		go func() { vecDone <- r.s.nearest(vctx, r.q.Text, allow) }()
		defer r.clock.lap("gather")
		lex, lexErr := r.lexical(ctx, allow)
		select {
		case a := <-vecDone:
			return r.join(ctx, lex, lexErr, a)
		case <-vctx.Done():
			select { // both were ready
			case a := <-vecDone:
				return r.join(ctx, lex, lexErr, a)
			default:
			}
			return r.join(ctx, lex, lexErr, vectorAnswer{err: fmt.Errorf("no answer within %v", budget)})
		}
	}
	defer r.clock.lap("gather")
	lex, err := r.lexical(ctx, allow)
	if err != nil {
		return nil, nil, fmt.Errorf("full text: %w", err)
	}
	return lex, nil, nil
}

func (r *search) lexical(ctx context.Context, allow func(catalog.Key) bool) ([]catalog.Scored, error) {
	if !r.flags.on(FlagLexical) {
		return nil, nil
	}
	start := time.Now()
	defer func() { r.clock.add("lexical", time.Since(start)) }()
	terms, err := r.s.Index.QueryTerms(ctx, r.q.Text)
	if err != nil {
		return nil, err
	}
	r.floor.meant(terms)
	return r.s.Index.LexicalTerms(ctx, rarest(terms), lexicalRanking, lexicalDepth, allow)
}

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

// join puts both answers together and reports what is missing.
func (r *search) join(ctx context.Context, lex []catalog.Scored, lexErr error, a vectorAnswer) ([]catalog.Scored, []vector.Match, error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	r.clock.add("embed", a.embed)
	r.clock.add("vector", a.search)
	if lexErr != nil && a.err != nil {
		return nil, nil, fmt.Errorf("full text: %w", errors.Join(lexErr, a.err))
	}
	if a.err != nil {
		r.degrade(fmt.Sprintf("vectors: %v; the answer rests on the full text alone", a.err))
	}
	if lexErr != nil {
		r.degrade(fmt.Sprintf("full text: %v; the answer rests on the vectors alone", lexErr))
	}
	return lex, a.matches, nil
}

type vectorAnswer struct {
	matches       []vector.Match
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
	start = time.Now()
	a.matches, a.err = s.Index.Vector(ctx, vecs[0], vectorDepth, allow)
	a.search = time.Since(start)
	return a
}

func zero(v []float32) bool {
	for _, x := range v {
		if x != 0 {
			return false
		}
	}
	return true
}

// vectorsFit is the model guard: vectors of another embedder would be compared with nonsense.
func (r *search) vectorsFit(info Info) (bool, error) {
	if r.s.Embed == nil || !r.flags.on(FlagVector) {
		return false, nil
	}
	have := r.s.Embed.Fingerprint()
	if !r.flags.on(FlagGuard) || info.Fingerprint == "" || have == "" || info.Fingerprint == have {
		return true, nil
	}
	if r.flags.on(FlagStrict) {
		return false, fmt.Errorf("%w: index %s, embedder %s", ErrModel, info.Fingerprint, have)
	}
	r.degrade("vectors: the index was built with another embedder; the answer rests on the full text alone")
	return false, nil
}
