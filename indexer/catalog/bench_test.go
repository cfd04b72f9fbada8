package catalog

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/reverie-memory/reverie/vault"
)

const benchRows = 100_000

// benchBatches are the rows of a vault in Applies of 1,000, and how many bytes their texts have.
func benchBatches(n int) (batches [][]Change, text int) {
	c := newCorpus(1, 60_000)
	for i := 0; i < n; i += 1000 {
		var batch []Change
		for j := range 5 {
			ch := c.change(vault.Path(fmt.Sprintf("memory/archive/%05d-%d.md", i, j)), 200, 160)
			for _, r := range ch.Insert {
				text += len(r.Text)
			}
			batch = append(batch, ch)
		}
		batches = append(batches, batch)
	}
	return batches, text
}

func fill(tb testing.TB, g *Generation, batches [][]Change) {
	for _, b := range batches {
		mustApply(tb, g, b...)
	}
}

func diskBytes(tb testing.TB, dir string) (n int64) {
	err := filepath.WalkDir(dir, func(p string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			st, err := os.Stat(p)
			if err != nil {
				return err
			}
			n += st.Size()
		}
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
	return n
}

func reportQuantiles(b *testing.B, times []time.Duration) {
	slices.Sort(times)
	at := func(q float64) float64 { return float64(times[int(q*float64(len(times)-1))].Microseconds()) / 1000 }
	b.ReportMetric(at(0.5), "p50-ms")
	b.ReportMetric(at(0.95), "p95-ms")
	b.ReportMetric(at(0.99), "p99-ms")
}

func BenchmarkApply100k(b *testing.B) {
	batches, text := benchBatches(benchRows)
	for b.Loop() {
		dir := b.TempDir()
		c, g := mustCreate(b, dir)
		fill(b, g, batches)
		if err := c.Close(); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(diskBytes(b, filepath.Join(dir, "gen-000001")))/1e6, "rows-MB")
		b.ReportMetric(float64(text)/1e6, "text-MB")
	}
}

func BenchmarkLexical(b *testing.B) {
	_, g := mustCreate(b, b.TempDir())
	batches, _ := benchBatches(benchRows)
	fill(b, g, batches)
	r, queries := g.Reader(), newCorpus(99, 60_000)
	for _, words := range []int{3, 6, 12} {
		b.Run(fmt.Sprintf("%d_words", words), func(b *testing.B) {
			var times []time.Duration
			for b.Loop() {
				var q []string
				for range words {
					q = append(q, queries.word())
				}
				start := time.Now()
				if _, err := r.Lexical(context.Background(), strings.Join(q, " "), 200, nil); err != nil {
					b.Fatal(err)
				}
				times = append(times, time.Since(start))
			}
			reportQuantiles(b, times)
		})
	}
	b.Run("misspelt", func(b *testing.B) {
		var times []time.Duration
		for b.Loop() {
			w := []byte(queries.word() + "xe")
			at := len(w) / 2
			w[at], w[at-1] = w[at-1], w[at]
			start := time.Now()
			if _, err := r.QueryTerms(context.Background(), string(w)); err != nil {
				b.Fatal(err)
			}
			times = append(times, time.Since(start))
		}
		reportQuantiles(b, times)
	})
	b.Run("rows", func(b *testing.B) {
		keys := r.Keys(Filter{})
		for i := 0; b.Loop(); i += 977 {
			if _, err := r.Rows(context.Background(), keys[i%(len(keys)-10):][:10]); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("allow", func(b *testing.B) {
		for b.Loop() {
			r.Allow(Filter{Source: []SourceType{ArchiveLog}, Speaker: "alice"})
		}
	})
	b.Run("has_turn", func(b *testing.B) {
		for b.Loop() {
			if _, err := r.HasTurn(context.Background(), fmt.Sprintf("01JZ%022d", 1)); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("list", func(b *testing.B) {
		for b.Loop() {
			if _, err := r.List(context.Background(), Filter{}, 20, 0); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("check", func(b *testing.B) {
		for b.Loop() {
			if err := g.Check(context.Background()); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkAppendOne(b *testing.B) {
	_, g := mustCreate(b, b.TempDir())
	batches, _ := benchBatches(benchRows)
	fill(b, g, batches)
	c := newCorpus(5, 60_000)
	c.n = benchRows
	var times []time.Duration
	for b.Loop() {
		ch := c.change("memory/archive/today.md", 1, 160)
		start := time.Now()
		mustApply(b, g, ch)
		times = append(times, time.Since(start))
	}
	reportQuantiles(b, times)
}

func BenchmarkOpen(b *testing.B) {
	dir := b.TempDir()
	c, g := mustCreate(b, dir)
	batches, _ := benchBatches(benchRows)
	fill(b, g, batches)
	if err := c.Close(); err != nil {
		b.Fatal(err)
	}
	batches, g = nil, nil
	var before, after runtime.MemStats
	for b.Loop() {
		b.StopTimer()
		runtime.GC()
		runtime.ReadMemStats(&before)
		b.StartTimer()
		c := mustOpen(b, dir)
		g, err := c.OpenGeneration(context.Background(), 1)
		if err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		runtime.GC()
		runtime.ReadMemStats(&after)
		b.ReportMetric(float64(int64(after.HeapAlloc)-int64(before.HeapAlloc))/1e6, "heap-MB")
		if g.Reader().Len() != benchRows {
			b.Fatal("rows missing")
		}
		if err := c.Close(); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
}

func BenchmarkVectorCache(b *testing.B) {
	for _, dim := range []int{256, 384, 768} {
		b.Run(fmt.Sprint(dim), func(b *testing.B) {
			const n = 20_000
			rnd := newCorpus(3, 10).rnd
			for b.Loop() {
				dir := b.TempDir()
				c := mustOpen(b, dir)
				var hashes []Hash
				start := time.Now()
				for i := 0; i < n; i += 500 {
					var vecs []CachedVector
					for j := range 500 {
						v := make([]float32, dim)
						for k := range v {
							v[k] = rnd.Float32()
						}
						h := TextHash("", fmt.Sprint(i+j))
						hashes, vecs = append(hashes, h), append(vecs, CachedVector{h, v})
					}
					if err := c.PutVectors(context.Background(), "fp", vecs); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(time.Since(start).Microseconds())/n, "put-us")
				start = time.Now()
				for run := range slices.Chunk(hashes, 1000) {
					if got, err := c.Vectors(context.Background(), "fp", run); err != nil || len(got) != len(run) {
						b.Fatal(len(got), err)
					}
				}
				b.ReportMetric(float64(time.Since(start).Microseconds())/n, "get-us")
				if err := c.Close(); err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(diskBytes(b, dir))/float64(n*dim*4), "x-raw")
			}
		})
	}
}
