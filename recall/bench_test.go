package recall_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/llm"
	"github.com/reverie-memory/reverie/recall"
)

// zipfText makes texts whose words are as unevenly frequent as those of a language.
type zipfText struct {
	rnd  *rand.Rand
	zipf *rand.Zipf
}

func newZipfText(seed uint64) *zipfText {
	rnd := rand.New(rand.NewPCG(seed, 7))
	return &zipfText{rnd, rand.NewZipf(rnd, 1.1, 8, 30000)}
}

func (z *zipfText) word() string {
	n := z.zipf.Uint64()
	var b strings.Builder
	for n += 60; n > 0; n /= 60 {
		b.WriteByte("bdfgklmnprst"[n%12])
		b.WriteByte("aeiou"[n/12%5])
	}
	return b.String()
}

func (z *zipfText) text(words int) string {
	w := make([]string, words)
	for i := range w {
		w[i] = z.word()
	}
	return strings.Join(w, " ")
}

// BenchmarkSearch is a search over the real catalog and the flat engine: chats of 40 messages, a drawer and a fact each.
func BenchmarkSearch(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		b.Run(fmt.Sprintf("rows=%d", n), func(b *testing.B) {
			z := newZipfText(1)
			rows := make([]catalog.Row, 0, n)
			start := time.Date(2025, 1, 1, 9, 0, 0, 0, time.UTC)
			for i := 0; len(rows) < n; i++ {
				chat := fmt.Sprintf("chat-%d", i/40)
				id := fmt.Sprintf("d%d", i)
				at := start.Add(time.Duration(i) * 7 * time.Minute)
				speaker := []string{"Alice", "Bob", "Carla"}[i%3]
				r := catalog.Row{
					ID: id, Source: catalog.DrawerText, File: "memory/drawers/x.md", Text: z.text(28), Context: speaker, Speaker: speaker,
					Chat: chat, Drawer: id, Origin: "user", At: at, Refs: []string{id}, Session: chat, Seq: i % 40,
				}
				rows = append(rows, r)
				r.ID, r.Source, r.File = "f"+r.ID, catalog.ArchiveLog, "memory/archive/x.md"
				r.Text = strings.Join(strings.Fields(r.Text)[:14], " ")
				rows = append(rows, r)
			}
			embed := llm.NewBuiltin()
			ix := newStoreIndex(b, rows[:n], embed)
			s := &recall.Searcher{Index: ix, Embed: embed}
			for name, words := range map[string]int{"question": 5, "page": 1500} {
				b.Run(name, func(b *testing.B) { benchSearch(b, s, z, words) })
			}
		})
	}
}

func benchSearch(b *testing.B, s *recall.Searcher, z *zipfText, words int) {
	var queries []string
	for range 64 {
		queries = append(queries, "When did Alice "+z.text(words)+"?")
	}
	var times []time.Duration
	spent := map[string]float64{}
	phases := []string{"embed", "vector", "lexical", "context", "read", "rank"} // the first three side by side
	i := 0
	b.ResetTimer()
	for b.Loop() {
		t := time.Now()
		res, err := s.Search(context.Background(), recall.Query{Text: queries[i%len(queries)], DryRun: true})
		if err != nil {
			b.Fatal(err)
		}
		for _, phase := range phases {
			spent[phase] += res.Trace.TimingMS[phase]
		}
		times = append(times, time.Since(t))
		i++
	}
	for _, phase := range phases {
		b.ReportMetric(spent[phase]/float64(i), phase+"-ms")
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(times[len(times)*95/100].Microseconds())/1000, "p95-ms")
}
