package indexer

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/llm"
)

// embedBatch is how many texts go to the embedder at once.
const embedBatch = 64

// errVector reports vectors that cannot be used.
var errVector = errors.New("the embedder gave unusable vectors")

// embedText is what is embedded for one row.
type embedText struct {
	hash catalog.Hash
	body string
}

// embedding asks the embedder and trusts nothing that it says.
type embedding struct {
	embedder llm.Embedder
	asked    atomic.Int64 // texts that the embedder was given

	// Of the owner goroutine:
	running bool                 // a round is under way
	size    int                  // texts in one call of the next round
	refused map[catalog.Hash]int // how often a text failed on its own
}

// embed returns the vectors of the texts that the embedder could do. A non-nil error says why some
// are missing.
func (e *embedding) embed(ctx context.Context, dim int, texts []embedText) (map[catalog.Hash][]float32, error) {
	bodies := slice.Map(texts, func(t embedText) string { return t.body })
	e.asked.Add(int64(len(texts)))
	vectors, err := e.embedder.Embed(ctx, bodies, llm.Document)
	switch {
	case err != nil:
		return nil, fmt.Errorf("embedding %d texts: %w", len(texts), err)
	case ctx.Err() != nil:
		return nil, fmt.Errorf("embedding %d texts: %w", len(texts), context.Cause(ctx))
	case len(vectors) != len(texts):
		return nil, fmt.Errorf("%w: %d for %d texts", errVector, len(vectors), len(texts))
	}
	good := make(map[catalog.Hash][]float32, len(texts))
	for i, v := range vectors {
		unit, verr := checkVector(v, dim)
		if verr != nil {
			err = verr
			continue
		}
		good[texts[i].hash] = unit
	}
	return good, err
}

// checkVector refuses what cannot be searched, and brings a vector that is not quite of unit length
// to it. The zero vector (a text without any known feature) stays.
func checkVector(v []float32, dim int) ([]float32, error) {
	if len(v) != dim || dim == 0 {
		return nil, fmt.Errorf("%w: of dimension %d, not %d", errVector, len(v), dim)
	}
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if math.IsNaN(sum) || math.IsInf(sum, 0) {
		return nil, fmt.Errorf("%w: not finite", errVector)
	}
	if sum == 0 || math.Abs(sum-1) < 1e-3 {
		return v, nil
	}
	scale := float32(1 / math.Sqrt(sum))
	if math.IsInf(float64(scale), 0) {
		return make([]float32, dim), nil
	}
	unit := make([]float32, dim)
	for i, x := range v {
		unit[i] = x * scale
	}
	return unit, nil
}

// isZero says that a vector is near to nothing: it is cached, so that it is not asked for again, and
// not given to the engine.
func isZero(v []float32) bool {
	return !slices.ContainsFunc(v, func(x float32) bool { return x != 0 })
}
