// Package recalltest holds an index in memory: slow, obvious, and equal in behaviour to the real
// one where recall can tell. Tests and experiments stand on it.
package recalltest

import (
	"cmp"
	"context"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/indexer/vector"
	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/llm"
	"github.com/reverie-memory/reverie/recall"
)

// Index is a recall.Index over rows in memory. Row i has key i+1.
type Index struct {
	Data  []catalog.Row
	Vecs  [][]float32 // may be nil
	Print string      // fingerprint of the vectors

	posts   map[string][]post
	lengths []post
	body    int // terms of all texts
	context int
	intern  map[string]int32
	seats   map[seat][]catalog.Key
}

// A post is how often a term stands in a row, or how many terms the row has.
type post struct{ row, body, context int }

type seat struct {
	source  catalog.SourceType
	session string
	seq     int
}

// New indexes rows. A row without Drawer, Session or At has none.
func New(rows []catalog.Row) *Index {
	x := &Index{Data: rows, posts: map[string][]post{}, intern: map[string]int32{"": 0}, seats: map[seat][]catalog.Key{}}
	for i, r := range rows {
		counts := map[string]*post{}
		all := post{row: i}
		count := func(text string, add func(*post)) {
			for _, t := range lexis.Terms(text) {
				if counts[t] == nil {
					counts[t] = &post{row: i}
				}
				add(counts[t])
				add(&all)
			}
		}
		count(r.Text, func(p *post) { p.body++ })
		count(r.Context, func(p *post) { p.context++ })
		for t, p := range counts {
			x.posts[t] = append(x.posts[t], *p)
		}
		x.lengths = append(x.lengths, all)
		x.body, x.context = x.body+all.body, x.context+all.context
		if r.Session != "" {
			s := seat{r.Source, r.Session, r.Seq}
			x.seats[s] = append(x.seats[s], catalog.Key(i+1))
		}
	}
	return x
}

// Embed fills the vectors.
func (x *Index) Embed(ctx context.Context, e llm.Embedder) error {
	x.Print = e.Fingerprint()
	texts := make([]string, len(x.Data))
	for i, r := range x.Data {
		texts[i] = strings.TrimSpace(r.Context + "\n" + r.Text)
	}
	for len(texts) > 0 {
		n := min(64, len(texts))
		vecs, err := e.Embed(ctx, texts[:n], llm.Document)
		if err != nil {
			return err
		}
		x.Vecs = append(x.Vecs, vecs...)
		texts = texts[n:]
	}
	return nil
}

// Info describes the index.
func (x *Index) Info() recall.Info {
	return recall.Info{Engine: "memory", Generation: 1, Rows: len(x.Data), Fingerprint: x.Print}
}

// QueryTerms cuts the query; it mends no spelling.
func (x *Index) QueryTerms(_ context.Context, query string) ([]catalog.WeightedTerm, error) {
	var out []catalog.WeightedTerm
	seen := map[string]bool{}
	for _, t := range lexis.Terms(query) {
		if !seen[t] {
			seen[t] = true
			out = append(out, catalog.WeightedTerm{Term: t, Weight: 1, Absent: len(x.posts[t]) == 0})
		}
	}
	return out, nil
}

// LexicalTerms is BM25 as the catalog computes it.
func (x *Index) LexicalTerms(_ context.Context, terms []catalog.WeightedTerm, rank catalog.Ranking, k int,
	allow func(catalog.Key) bool,
) ([]catalog.Scored, error) {
	n := float64(len(x.Data))
	limit := n
	if rank.MaxDF > 0 && slices.ContainsFunc(terms, func(t catalog.WeightedTerm) bool {
		return len(x.posts[t.Term]) > 0 && float64(len(x.posts[t.Term])) <= rank.MaxDF*n
	}) {
		limit = rank.MaxDF * n
	}
	mean := (rank.Body*float64(x.body) + rank.Context*float64(x.context)) / max(n, 1)
	scores := map[int]float64{}
	for _, t := range terms {
		df := float64(len(x.posts[t.Term]))
		if df > limit {
			continue
		}
		idf := t.Weight * math.Log(1+(n-df+0.5)/(df+0.5))
		for _, p := range x.posts[t.Term] {
			tf := rank.Body*float64(p.body) + rank.Context*float64(p.context)
			length := rank.Body*float64(x.lengths[p.row].body) + rank.Context*float64(x.lengths[p.row].context)
			if tf > 0 {
				scores[p.row] += idf * tf * (rank.K1 + 1) / (tf + rank.K1*(1-rank.B+rank.B*length/mean))
			}
		}
	}
	out := make([]catalog.Scored, 0, len(scores))
	for i, s := range scores {
		if key := catalog.Key(i + 1); allow == nil || allow(key) {
			out = append(out, catalog.Scored{Key: key, Score: s})
		}
	}
	slices.SortFunc(out, func(a, b catalog.Scored) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Key, b.Key))
	})
	return out[:min(k, len(out))], nil
}

// DocFreqs counts rows.
func (x *Index) DocFreqs(_ context.Context, terms []string) ([]int, error) {
	out := make([]int, len(terms))
	for i, t := range terms {
		out[i] = len(x.posts[t])
	}
	return out, nil
}

// Vector is an exact scan.
func (x *Index) Vector(_ context.Context, q []float32, k int, allow func(catalog.Key) bool) ([]vector.Match, error) {
	var out []vector.Match
	for i, v := range x.Vecs {
		key := catalog.Key(i + 1)
		if allow != nil && !allow(key) {
			continue
		}
		var dot float32
		for j := range v {
			dot += v[j] * q[j]
		}
		out = append(out, vector.Match{Key: key, Similarity: dot})
	}
	slices.SortFunc(out, func(a, b vector.Match) int {
		return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), cmp.Compare(a.Key, b.Key))
	})
	return out[:min(k, len(out))], nil
}

// Allow tests rows one by one.
func (x *Index) Allow(f catalog.Filter) func(catalog.Key) bool {
	if reflect.ValueOf(f).IsZero() {
		return nil
	}
	return func(k catalog.Key) bool {
		r := x.row(k)
		return r.ID != "" && f.Passes(&r)
	}
}

func (x *Index) row(k catalog.Key) catalog.Row {
	if k < 1 || int(k) > len(x.Data) {
		return catalog.Row{}
	}
	return x.Data[k-1]
}

func (x *Index) number(kind, s string) int32 {
	if s == "" {
		return 0
	}
	n, ok := x.intern[kind+s]
	if !ok {
		n = int32(len(x.intern))
		x.intern[kind+s] = n
	}
	return n
}

// Metas makes them from the rows. It is not safe for several goroutines.
func (x *Index) Metas(keys []catalog.Key) []catalog.Meta {
	out := make([]catalog.Meta, 0, len(keys))
	for _, k := range keys {
		r := x.row(k)
		if r.ID == "" {
			continue
		}
		m := catalog.Meta{
			Key: k, Source: r.Source, Seq: int32(r.Seq),
			Session: x.number("s", r.Session), Drawer: x.number("d", r.Drawer),
			Wish: lexis.Occasion(r.Text) != "",
		}
		if !r.At.IsZero() {
			m.Unix = r.At.Unix()
		}
		out = append(out, m)
	}
	return out
}

// Neighbours looks up the places beside the row's.
func (x *Index) Neighbours(k catalog.Key) (prev, next []catalog.Key) {
	r := x.row(k)
	if r.Session == "" {
		return nil, nil
	}
	return x.seats[seat{r.Source, r.Session, r.Seq - 1}], x.seats[seat{r.Source, r.Session, r.Seq + 1}]
}

// DrawerKeys scans for a drawer.
func (x *Index) DrawerKeys(drawer int32) []catalog.Key {
	var out []catalog.Key
	for i, r := range x.Data {
		if drawer != 0 && x.number("d", r.Drawer) == drawer {
			out = append(out, catalog.Key(i+1))
		}
	}
	return out
}

// Rows returns rows by key.
func (x *Index) Rows(_ context.Context, keys []catalog.Key) ([]catalog.Row, error) {
	out := make([]catalog.Row, len(keys))
	for i, k := range keys {
		out[i] = x.row(k)
	}
	return out, nil
}

// List returns rows newest first.
func (x *Index) List(_ context.Context, f catalog.Filter, limit, offset int) ([]catalog.Row, error) {
	allow := x.Allow(f)
	var out []catalog.Row
	for i := range x.Data {
		if allow == nil || allow(catalog.Key(i+1)) {
			out = append(out, x.Data[i])
		}
	}
	slices.SortStableFunc(out, func(a, b catalog.Row) int { return b.At.Compare(a.At) })
	if offset >= len(out) {
		return nil, nil
	}
	return out[offset:min(len(out), offset+limit)], nil
}

// Vectors are those that Embed made.
func (x *Index) Vectors(_ context.Context, keys []catalog.Key) ([][]float32, error) {
	out := make([][]float32, len(keys))
	for i, k := range keys {
		if k >= 1 && int(k) <= len(x.Vecs) {
			out[i] = x.Vecs[k-1]
		}
	}
	return out, nil
}

// Wings are those of the rows.
func (x *Index) Wings() []string {
	names := map[string]bool{}
	for _, r := range x.Data {
		names[r.Wing] = true
	}
	return slices.Collect(maps.Keys(names))
}

// Heaviest sorts all rows.
func (x *Index) Heaviest(f catalog.Filter, n int, weigh catalog.Weight) []catalog.Key {
	allow := x.Allow(f)
	weight := map[catalog.Key]int{}
	for i, r := range x.Data {
		w := 0
		if weigh != nil {
			w = weigh(r.Category, r.Wing, max(0, r.At.Unix()))
		}
		if key := catalog.Key(i + 1); w >= 0 && (allow == nil || allow(key)) {
			weight[key] = w
		}
	}
	keys := slices.SortedFunc(maps.Keys(weight), func(a, b catalog.Key) int {
		return cmp.Or(cmp.Compare(weight[b], weight[a]), x.row(b).At.Compare(x.row(a).At), cmp.Compare(a, b))
	})
	return keys[:min(n, len(keys))]
}

// Speakers counts.
func (x *Index) Speakers(f catalog.Filter) map[string]int {
	allow, said := x.Allow(f), map[string]int{}
	for i, r := range x.Data {
		if r.Speaker != "" && (allow == nil || allow(catalog.Key(i+1))) {
			said[r.Speaker]++
		}
	}
	return said
}

// IDs implements recall.Index.
func (x *Index) IDs(_ context.Context, keys []catalog.Key) ([]string, error) {
	ids := make([]string, len(keys))
	for n, key := range keys {
		if i := int(key) - 1; i >= 0 && i < len(x.Data) {
			ids[n] = x.Data[i].ID
		}
	}
	return ids, nil
}

// KeysByID scans for ids.
func (x *Index) KeysByID(_ context.Context, ids []string) (keys []catalog.Key, _ error) {
	for i, r := range x.Data {
		if slices.Contains(ids, r.ID) {
			keys = append(keys, catalog.Key(i+1))
		}
	}
	return keys, nil
}
