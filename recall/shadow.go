package recall

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/indexer/vector"
	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/llm"
)

// A Shadow has the vectors that another embedder gives the rows of an index, in memory: what would be found with that one is seen before
// the index is built with it. A Shadow may be used from several goroutines.
type Shadow struct {
	embed llm.Embedder
	vecs  map[string][]float32 // by the ids of rows

	mu         sync.Mutex
	generation int // of which keyed is
	keyed      map[catalog.Key][]float32
}

// shadowBatch is how many rows are embedded at once, for which a generation of the index stays pinned.
const shadowBatch = 64

// ErrShadow reports more rows than a Shadow may have.
var ErrShadow = fmt.Errorf("there are more than %d rows to embed", mostShadowed)

const mostShadowed = 100_000

// NewShadow embeds all rows of an index as those of the background, which takes long. open gives the index, nil for none; it is asked
// anew for each batch, so that nobody waits for the end.
func NewShadow(ctx context.Context, open func() (Index, func()), embed llm.Embedder) (*Shadow, error) {
	s := &Shadow{embed: embed, vecs: map[string][]float32{}, generation: -1}
	ix, release := open()
	if ix == nil {
		release()
		return s, nil
	}
	keys := ix.Heaviest(catalog.Filter{}, mostShadowed+1, nil)
	ids, err := ix.IDs(ctx, keys)
	release()
	if err != nil {
		return nil, err
	}
	if len(ids) > mostShadowed {
		return nil, ErrShadow
	}
	for batch := range slices.Chunk(ids, shadowBatch) {
		if err := s.add(ctx, open, batch); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (s *Shadow) add(ctx context.Context, open func() (Index, func()), ids []string) error {
	ix, release := open()
	defer release()
	keys, err := ix.KeysByID(ctx, ids)
	if err != nil {
		return err
	}
	rows, err := ix.Rows(ctx, keys)
	if err != nil {
		return err
	}
	texts := make([]string, len(rows))
	for i := range rows {
		texts[i] = catalog.EmbedText(rows[i].Context, rows[i].Text)
	}
	vecs, err := s.embed.Embed(ctx, texts, llm.Document)
	if err == nil && len(vecs) != len(texts) {
		err = fmt.Errorf("%d vectors for %d texts", len(vecs), len(texts))
	}
	if err != nil {
		return err
	}
	for i := range rows {
		if !zero(vecs[i]) {
			s.vecs[rows[i].ID] = vecs[i]
		}
	}
	return nil
}

// Len is how many rows have a vector.
func (s *Shadow) Len() int { return len(s.vecs) }

// Over is the index with the vectors of the shadow in place of its own.
func (s *Shadow) Over(ix Index) Index { return shadowed{ix, s} }

type shadowed struct {
	Index
	*Shadow
}

// of are the vectors by the keys of the index's generation.
func (x shadowed) of(ctx context.Context) (map[catalog.Key][]float32, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if now := x.Index.Info().Generation; now != x.generation {
		ids := make([]string, 0, len(x.vecs))
		ids = slices.AppendSeq(ids, maps.Keys(x.vecs))
		keys, err := x.KeysByID(ctx, ids)
		if err != nil {
			return nil, err
		}
		if ids, err = x.IDs(ctx, keys); err != nil {
			return nil, err
		}
		x.generation, x.keyed = now, map[catalog.Key][]float32{}
		for i, key := range keys {
			x.keyed[key] = x.vecs[ids[i]]
		}
	}
	return x.keyed, nil
}

// Vector implements Index.
func (x shadowed) Vector(ctx context.Context, query []float32, k int, allow func(catalog.Key) bool) ([]vector.Match, error) {
	keyed, err := x.of(ctx)
	if err != nil {
		return nil, err
	}
	var out []vector.Match
	for key, v := range keyed {
		if allow != nil && !allow(key) || len(v) != len(query) {
			continue
		}
		var dot float32
		for i, x := range v {
			dot += x * query[i]
		}
		out = append(out, vector.Match{Key: key, Similarity: dot})
	}
	slices.SortFunc(out, func(a, b vector.Match) int {
		return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), cmp.Compare(a.Key, b.Key))
	})
	return out[:min(k, len(out))], nil
}

// Vectors implements Index.
func (x shadowed) Vectors(ctx context.Context, keys []catalog.Key) ([][]float32, error) {
	keyed, err := x.of(ctx)
	return slice.Map(keys, func(key catalog.Key) []float32 { return keyed[key] }), err
}

// Info implements Index.
func (x shadowed) Info() Info {
	info := x.Index.Info()
	info.Fingerprint, info.Dim = x.embed.Fingerprint(), x.embed.Dim()
	return info
}
