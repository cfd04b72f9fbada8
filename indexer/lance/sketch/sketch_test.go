package sketch_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/reverie-memory/reverie/indexer/flat/nearest"
	"github.com/reverie-memory/reverie/indexer/lance/sketch"
	"github.com/reverie-memory/reverie/indexer/storetest"
	"github.com/reverie-memory/reverie/indexer/vector"
)

func TestExperiment(t *testing.T) {
	for name, d := range map[string]storetest.Data{"hashed": storetest.Hashed(1, 100_000, 100, 384), "clustered": storetest.Clustered(1, 100_000, 100, 384)} {
		s, err := sketch.Create(filepath.Join(t.TempDir(), "s"), 384)
		if err != nil {
			t.Fatal(err)
		}
		t0 := time.Now()
		if err := s.Append(d.Records); err != nil {
			t.Fatal(err)
		}
		fmt.Println("append", time.Since(t0), s.Bytes())
		var truth [][]vector.Match
		for _, q := range d.Queries {
			b := nearest.NewBest(50)
			for _, r := range d.Records {
				b.Add(vector.Match{Key: r.Key, Similarity: nearest.Dot(q, r.Vector)})
			}
			truth = append(truth, b.Sorted())
		}
		fmt.Println("truth", truth[0][0], truth[0][9], truth[0][49])
		for _, keep := range []int{500, 1000, 2000, 4000, 8000, 100000} {
			var took []time.Duration
			h10, h50, e10 := 0, 0, 0
			for i, q := range d.Queries {
				t0 := time.Now()
				got := s.Search(context.Background(), q, 82, keep, nil)
				took = append(took, time.Since(t0))
				in := map[vector.Key]bool{}
				for _, g := range got {
					in[g.Key] = true
				}
				in10 := map[vector.Key]bool{}
				for _, g := range got[:10] {
					in10[g.Key] = true
				}
				for r, w := range truth[i] {
					if in[w.Key] {
						h50++
						if r < 10 {
							h10++
						}
					}
					if r < 10 && in10[w.Key] {
						e10++
					}
				}
			}
			slices.Sort(took)
			fmt.Println(name, keep, "p50", took[50], "r10", float64(h10)/1000, "r50", float64(h50)/5000, "est top10", float64(e10)/1000)
		}
	}
}
