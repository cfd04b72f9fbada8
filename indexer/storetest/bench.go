package storetest

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/indexer/vector"
)

// BenchDim is the length of the vectors in the benchmarks.
const BenchDim = 384

// Benchmark measures an engine at several sizes: filling, opening, searching, appending one record.
func Benchmark(b *testing.B, open indexer.EngineOpener) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		if testing.Short() && n > 10_000 {
			continue
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) { benchmark(b, open, n) })
	}
}

func benchmark(b *testing.B, open indexer.EngineOpener, n int) {
	ctx, dir := context.Background(), b.TempDir()
	d := Hashed(1, n, 64, BenchDim)
	e := benchFill(b, open, dir, d)
	defer func() { benchMust(b, e.Close()) }()
	b.Run("open", func(b *testing.B) {
		for b.Loop() {
			benchMust(b, e.Close())
			var err error
			e, err = open(ctx, dir, BenchDim)
			benchMust(b, err)
		}
	})
	for _, k := range []int{10, 50, 200} {
		b.Run(fmt.Sprintf("search/k=%d", k), func(b *testing.B) { benchSearch(b, e, d, k, nil) })
	}
	b.Run("search/k=50 of 1%", func(b *testing.B) {
		benchSearch(b, e, d, 50, func(k vector.Key) bool { return k%100 == 0 })
	})
	b.Run("put1+flush", func(b *testing.B) {
		next := vector.Key(n + 1)
		for b.Loop() {
			benchMust(b, e.Put(ctx, []vector.Record{{Key: next, Vector: d.Queries[0]}}))
			benchMust(b, e.Flush(ctx))
			next++
		}
	})
	b.ReportMetric(0, "ns/op")
}

// benchFill fills an engine as a rebuild does and reports how long that took.
func benchFill(b *testing.B, open indexer.EngineOpener, dir string, d Data) indexer.Engine {
	ctx, start := context.Background(), time.Now()
	e, err := open(ctx, dir, BenchDim)
	benchMust(b, err)
	for batch := range slices.Chunk(d.Records, 500) {
		benchMust(b, e.Put(ctx, batch))
	}
	benchMust(b, e.Flush(ctx))
	filled := time.Since(start)
	benchMust(b, e.Maintain(ctx, func(fn func(vector.Record) bool) error {
		for _, r := range d.Records {
			if !fn(r) {
				break
			}
		}
		return nil
	}))
	b.Logf("%d records: fill %v, maintain %v, %+v, %s", len(d.Records), filled.Round(time.Millisecond),
		(time.Since(start) - filled).Round(time.Millisecond), e.Stats(), Memory())
	return e
}

func benchSearch(b *testing.B, e indexer.Engine, d Data, k int, allow func(vector.Key) bool) {
	var took []time.Duration
	for i := 0; b.Loop(); i++ {
		start := time.Now()
		_, err := e.Search(context.Background(), d.Queries[i%len(d.Queries)], k, allow)
		benchMust(b, err)
		took = append(took, time.Since(start))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
	b.ReportMetric(recall10(b, e, d, k, allow), "recall@10")
}

// recall10 is the share of the exact ten nearest that the first ten of k matches hold, over all queries.
func recall10(b *testing.B, e indexer.Engine, d Data, k int, allow func(vector.Key) bool) float64 {
	found, wanted := 0, 0
	for _, q := range d.Queries {
		exact := make([]vector.Match, 0, len(d.Records))
		for _, r := range d.Records {
			if allow == nil || allow(r.Key) {
				exact = append(exact, vector.Match{Key: r.Key, Similarity: float32(dot(q, r.Vector))})
			}
		}
		slices.SortFunc(exact, func(x, y vector.Match) int {
			return cmp.Or(cmp.Compare(y.Similarity, x.Similarity), cmp.Compare(x.Key, y.Key))
		})
		got, err := e.Search(context.Background(), q, max(k, 10), allow)
		benchMust(b, err)
		for _, m := range exact[:min(10, len(exact))] {
			wanted++
			if slices.ContainsFunc(got[:min(10, len(got))], func(g vector.Match) bool { return g.Key == m.Key }) {
				found++
			}
		}
	}
	return float64(found) / float64(wanted)
}

// Memory is what the system says of this process's memory, where it says so.
func Memory() string {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return "memory unknown"
	}
	var out string
	for line := range strings.Lines(string(status)) {
		if strings.HasPrefix(line, "VmRSS:") || strings.HasPrefix(line, "RssAnon:") {
			out += strings.Join(strings.Fields(line), " ") + " "
		}
	}
	return out
}

func benchMust(b *testing.B, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}
