//go:build lancedb

package lance

import (
	"math/rand/v2"
	"os"
	"testing"

	"github.com/reverie-memory/reverie/indexer/vector"
)

func scattered(from, n int) []vector.Record {
	r := rand.New(rand.NewPCG(uint64(from), 5))
	recs := make([]vector.Record, n)
	for i := range recs {
		v := make([]float32, testDim)
		for j := range v {
			v[j] = float32(r.NormFloat64()) / 10
		}
		recs[i] = vector.Record{Key: vector.Key(from + i), Vector: v}
	}
	return recs
}

// A move that fails after its rows were appended leaves them in the base and the delta: neither a
// rewrite nor another move may stumble over that.
func TestAMoveThatFailedIsMended(t *testing.T) {
	for name, withLive := range map[string]bool{"rewrite": true, "move": false} {
		t.Run(name, func(t *testing.T) {
			e := open(t, t.TempDir())
			all := scattered(1, 2*fewDelta)
			must(t, e.Put(t.Context(), all[:fewDelta]))
			must(t, e.Maintain(t.Context(), nil))
			must(t, e.Put(t.Context(), all[fewDelta:]))
			next := e.m
			next.Delta = next.Epoch + 1
			inTheWay := e.path(next.delta())
			must(t, os.WriteFile(inTheWay, nil, 0o600))
			if err := e.Maintain(t.Context(), nil); err == nil {
				t.Fatal("the move did not fail")
			}
			must(t, os.Remove(inTheWay))
			if withLive {
				must(t, e.Maintain(t.Context(), live(all)))
			} else {
				must(t, e.Maintain(t.Context(), nil))
			}
			wantAll(t, e, all)
			if n := e.base.codes.Len(); n != len(all) {
				t.Errorf("%d rows in the base, want %d", n, len(all))
			}
			must(t, e.Close())
			wantAll(t, open(t, e.dir), all)
		})
	}
}
