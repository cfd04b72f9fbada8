package flat

import (
	"context"
	"runtime"
	"sync"

	"github.com/reverie-memory/reverie/indexer/flat/nearest"
	"github.com/reverie-memory/reverie/indexer/vector"
)

// A share is what one goroutine scans at least: below it, starting another costs more than it saves.
const share = 4096

// search scans the arena with as many goroutines as pay, each over its own run of chunks.
func (a *arena) search(ctx context.Context, q []float32, k int, allow func(vector.Key) bool) ([]vector.Match, error) {
	v := a.v.Load()
	k = min(k, v.n)
	if k <= 0 {
		return nil, ctx.Err()
	}
	workers := max(1, min(runtime.GOMAXPROCS(0), v.n/share, len(v.chunks)))
	best := make([]*nearest.Best, workers)
	var wg sync.WaitGroup
	for w := 1; w < workers; w++ {
		wg.Go(func() { best[w] = a.scan(ctx, v, w, workers, q, k, allow) })
	}
	best[0] = a.scan(ctx, v, 0, workers, q, k, allow)
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for _, b := range best[1:] {
		best[0].Merge(b)
	}
	return best[0].Sorted(), nil
}

// scan searches every chunk of one worker's share; it stops early when the context ends.
func (a *arena) scan(ctx context.Context, v *view, worker, workers int, q []float32, k int, allow func(vector.Key) bool) *nearest.Best {
	best := nearest.NewBest(k)
	from, to := worker*len(v.chunks)/workers, (worker+1)*len(v.chunks)/workers
	for ci := from; ci < to && ctx.Err() == nil; ci++ {
		c := v.chunks[ci]
		for i := range min(a.per, v.n-ci*a.per) {
			if allow != nil && !allow(c.keys[i]) { // a bit to look at; the vector is hundreds of numbers
				continue
			}
			m := vector.Match{Key: c.keys[i], Similarity: nearest.Dot(q, c.vec(i, a.dim))}
			if best.Takes(m) && !c.isDead(i) {
				best.Add(m)
			}
		}
	}
	return best
}
