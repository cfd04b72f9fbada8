package main

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/reverie-memory/reverie/operations"
)

// baseline times what a first version would do: one loop over all vectors in memory and a sort of the scores, without words, sources or
// filters. An index has to justify itself against that loop.
func (c *child) baseline(ctx context.Context, w *operations.Memory) error {
	st, err := w.Status(ctx)
	if err != nil {
		return err
	}
	dim := st.Embedder.Dim
	rng := rand.New(rand.NewPCG(1, 1))
	vectors := make([][]float32, c.rows)
	for i := range vectors {
		vectors[i] = randomUnit(rng, dim)
	}
	var took []float64
	for range 20 {
		q := randomUnit(rng, dim)
		start := time.Now()
		scores := make([]scored, len(vectors))
		for i, v := range vectors {
			var dot float32
			for j := range v {
				dot += v[j] * q[j]
			}
			scores[i] = scored{i, dot}
		}
		slices.SortFunc(scores, func(a, b scored) int {
			if a.score > b.score {
				return -1
			}
			return 1
		})
		took = append(took, since(start))
	}
	c.out.BaselineP50 = quantile(took, .5)
	return nil
}

type scored struct {
	row   int
	score float32
}

func randomUnit(rng *rand.Rand, dim int) []float32 {
	v := make([]float32, dim)
	var norm float64
	for i := range v {
		v[i] = float32(rng.NormFloat64())
		norm += float64(v[i]) * float64(v[i])
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(norm))
	}
	return v
}
