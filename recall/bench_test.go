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
	"github.com/reverie-memory/reverie/vault"
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

// BenchmarkContext is a context over 100,000 rows: messages, and statements of pages that took the place of their facts.
func BenchmarkContext(b *testing.B) {
	const n = 100_000
	z := newZipfText(1)
	rows := make([]catalog.Row, 0, n)
	kinds := []string{"fact", "preference", "decision", "task", "general", "problem", "career"}
	start := time.Date(2020, 1, 1, 9, 0, 0, 0, time.UTC)
	reads := counted{}
	for i := 0; len(rows) < n; i++ {
		id, at := fmt.Sprintf("d%d", i), start.Add(time.Duration(i)*time.Hour)
		speaker := []string{"Alice", "Alice", "Alice", "Bob"}[i%4] // nobody owns the memory: each row is judged by its words
		r := catalog.Row{
			ID: id, Source: catalog.DrawerText, File: "memory/drawers/x.md", Text: z.text(28), Speaker: speaker, Chat: "c", Drawer: id,
			Origin: "user", At: at, Refs: []string{id}, Session: fmt.Sprint("s", i/40), Seq: i % 40,
		}
		rows = append(rows, r)
		r.ID, r.Source, r.File, r.Cites = "n"+r.ID, catalog.Notebook, vault.Path(fmt.Sprintf("3_Personal/P%d.md", i%500)), []string{"f" + r.ID}
		r.Text, r.Category = strings.Join(strings.Fields(r.Text)[:14], " "), kinds[i%len(kinds)]
		r.Wing = []string{"", "work", "home"}[i%3]
		rows = append(rows, r)
		if i%10 == 0 {
			reads[r.ID] = i % 50
		}
	}
	embed := llm.NewBuiltin()
	s := &recall.Searcher{Index: newStoreIndex(b, rows[:n], embed), Embed: embed, Reads: reads}
	memory := strings.Repeat("- "+z.text(12)+" ([[Alice]]) ([[2026-06-30#^f1|30 Jun 2026]])\n", 150)
	since := rows[n-1].At.AddDate(0, 0, -30)
	ctx := context.Background()
	for _, c := range []struct {
		name string
		ask  func(question string) error
	}{
		{"start", func(string) error { _, err := s.Context(ctx, recall.ContextRequest{Memory: memory}); return err }},
		{"question", func(q string) error {
			_, err := s.Context(ctx, recall.ContextRequest{Memory: memory, Query: q, Wing: "work"})
			return err
		}},
		{"brief", func(string) error {
			_, err := s.Brief(ctx, recall.BriefRequest{Since: since, Wing: "work"})
			return err
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			var times []time.Duration
			for b.Loop() {
				question, t := "When did Alice "+z.text(5)+"?", time.Now()
				if err := c.ask(question); err != nil {
					b.Fatal(err)
				}
				times = append(times, time.Since(t))
			}
			slices.Sort(times)
			b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "p50-ms")
			b.ReportMetric(float64(times[len(times)*95/100].Microseconds())/1000, "p95-ms")
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
