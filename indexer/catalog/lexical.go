package catalog

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/lexis"
)

// Ranking sets BM25. A term's frequency in a row is Body times that in the text plus Context times
// that in the context. A row is as long as its text: what stands above it makes it no longer.
type Ranking struct {
	Body, Context float64
	K1, B         float64
	// MaxDF is the share of rows above which a term is left out, unless nothing else remains; 0 leaves
	// none out. Terms that most rows have hardly change an order: leaving them out saves time in large indexes.
	MaxDF float64
}

// DefaultRanking is what Lexical uses.
func DefaultRanking() Ranking { return Ranking{Body: 1, Context: 1, K1: 1.2, B: 0.75} }

// WeightedTerm is an index term and its weight in a query.
type WeightedTerm struct {
	Term   string
	Weight float64
	Absent bool   // no row holds it
	For    string // the term of the query that no row holds and in whose place it stands; "" for one of the query itself
}

// Lexical finds the k rows that fit the query best by BM25, of those that allow lets through (nil:
// all). Rows of equal score come in an order that does not depend on when they were written.
func (r *Reader) Lexical(ctx context.Context, query string, k int, allow func(Key) bool) ([]Scored, error) {
	terms, err := r.QueryTerms(ctx, query)
	if err != nil {
		return nil, err
	}
	return r.LexicalTerms(ctx, terms, DefaultRanking(), k, allow)
}

// LexicalTerms is Lexical for terms that were cut already.
func (r *Reader) LexicalTerms(ctx context.Context, terms []WeightedTerm, rank Ranking, k int, allow func(Key) bool) ([]Scored, error) {
	s := r.g.scorer()
	defer r.g.scorers.Put(s)
	if err := s.run(ctx, r.g, terms, rank); err != nil {
		return nil, wrap("search the full text", err)
	}
	best := newTop(k, func(a, b candidate) int {
		if c := cmp.Compare(b.score, a.score); c != 0 { // nearly always, and asked of every row
			return c
		}
		return cmp.Or(cmp.Compare(a.tie, b.tie), cmp.Compare(a.key, b.key))
	})
	for _, c := range s.touched {
		c.score = s.sum[c.slot]
		if best.wants(c) && (allow == nil || allow(Key(c.key))) {
			best.offer(c)
		}
	}
	found := best.sorted()
	return slice.Map(found, func(c candidate) Scored { return Scored{Key: Key(c.key), Score: c.score} }), nil
}

// LexicalScores is the BM25 of given rows, in their order; 0 for a row with none of the terms.
func (r *Reader) LexicalScores(ctx context.Context, terms []WeightedTerm, rank Ranking, keys []Key) ([]float64, error) {
	s := r.g.scorer()
	defer r.g.scorers.Put(s)
	if err := s.run(ctx, r.g, terms, rank); err != nil {
		return nil, wrap("score rows", err)
	}
	want := make(map[uint32]float64, len(keys))
	for _, k := range keys {
		want[uint32(k)] = 0
	}
	for _, c := range s.touched {
		if _, ok := want[c.key]; ok {
			want[c.key] = s.sum[c.slot]
		}
	}
	return slice.Map(keys, func(k Key) float64 { return want[uint32(k)] }), nil
}

// DocFreqs is how many rows hold each term.
func (r *Reader) DocFreqs(ctx context.Context, terms []string) ([]int, error) {
	s := r.g.scorer()
	defer r.g.scorers.Put(s)
	r.g.mu.RLock()
	defer r.g.mu.RUnlock()
	out := make([]int, len(terms))
	for i, t := range terms {
		list, err := s.postings(ctx, r.g, t, nil)
		if err != nil {
			return nil, wrap("count rows of terms", err)
		}
		out[i] = len(list)
	}
	return out, nil
}

// A candidate is a row with one of the terms.
type candidate struct {
	key, slot uint32
	tie       int64
	score     float64
}

// A scorer is the memory of one search, kept for the next.
type scorer struct {
	sum     []float64 // by slot; zero but for touched ones
	touched []candidate
	lists   [][]posting
}

func (g *Generation) scorer() *scorer {
	if s, ok := g.scorers.Get().(*scorer); ok {
		return s
	}
	return &scorer{}
}

// run fills sum and touched. run holds the lock, so that rows, postings and counts belong together.
func (s *scorer) run(ctx context.Context, g *Generation, terms []WeightedTerm, rank Ranking) error {
	for _, c := range s.touched {
		s.sum[c.slot] = 0
	}
	s.touched = s.touched[:0]
	g.mu.RLock()
	defer g.mu.RUnlock()
	if g.closed.Load() {
		return ErrClosed
	}
	if n := g.cols.slots; len(s.sum) < n {
		s.sum = make([]float64, n+n/8)
	}
	for len(s.lists) < len(terms) {
		s.lists = append(s.lists, nil)
	}
	for i, t := range terms {
		list, err := s.postings(ctx, g, t.Term, s.lists[i][:0])
		if err != nil {
			return err
		}
		s.lists[i] = list
	}
	limit := g.cols.rows
	if rank.MaxDF > 0 && rank.MaxDF < 1 {
		limit = int(rank.MaxDF * float64(g.cols.rows))
		if !slices.ContainsFunc(s.lists[:len(terms)], func(l []posting) bool { return len(l) > 0 && len(l) <= limit }) {
			limit = g.cols.rows
		}
	}
	for i, t := range terms {
		if err := ctx.Err(); err != nil {
			return err
		}
		if len(s.lists[i]) <= limit && t.Weight > 0 {
			if err := s.add(g.cols, s.lists[i], t.Weight, rank); err != nil {
				return err
			}
		}
	}
	return nil
}

// add scores one term.
func (s *scorer) add(c *columns, list []posting, weight float64, rank Ranking) error {
	n, df := float64(c.rows), float64(len(list))
	idf := weight * math.Log(1+(n-df+0.5)/(df+0.5))
	mean := float64(c.body) / max(n, 1)
	if mean <= 0 {
		mean = 1
	}
	base, slope := rank.K1*(1-rank.B), rank.K1*rank.B/mean
	gain := idf * (rank.K1 + 1)
	for _, p := range list {
		ch, i, ok := c.at(Key(p.key))
		if !ok {
			return corrupt("postings of a row that is not there")
		}
		tf := rank.Body*float64(p.body) + rank.Context*float64(p.cntx)
		if tf <= 0 {
			continue
		}
		length := float64(ch.body[i])
		slot := uint32(ch.base + i)
		if s.sum[slot] == 0 {
			s.touched = append(s.touched, candidate{key: p.key, slot: slot, tie: ch.tie[i]})
		}
		s.sum[slot] += gain * tf / (tf + base + slope*length)
	}
	return nil
}

// postings gathers the live rows of a term, from the table and from memory.
func (s *scorer) postings(ctx context.Context, g *Generation, term string, list []posting) ([]posting, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var block int64
	var data rawBytes
	rows, err := ask(context.Background(), g.db.reading, sqlBlocks, term) // short: the context is looked at between blocks
	err = each(rows, err, func() error {
		var err error
		list, err = decodeBlock(list, term, block, data)
		return cmp.Or(err, ctx.Err())
	}, &block, &data)
	if err != nil {
		return nil, err
	}
	return append(list, g.mem.terms[term]...), nil
}

// QueryTerms are the terms of a query as [Reader.Lexical] uses them, each once. A term that no row
// holds is marked, and a few join it that are spelt nearly so, or that begin with it, at less weight.
func (r *Reader) QueryTerms(ctx context.Context, query string) ([]WeightedTerm, error) {
	var out []WeightedTerm
	seen := map[string]bool{}
	for _, t := range lexis.Terms(query) {
		if seen[t] {
			continue
		}
		seen[t] = true
		out = append(out, WeightedTerm{Term: t, Weight: 1})
	}
	near, err := r.expand(ctx, out)
	if err != nil {
		return nil, wrap("read the vocabulary", err)
	}
	for _, t := range near {
		if !seen[t.Term] {
			seen[t.Term] = true
			out = append(out, t)
		}
	}
	return out, nil
}
