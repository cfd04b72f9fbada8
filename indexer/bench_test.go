package indexer_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/vault"
)

// filledWorld is an index of about rows facts over 100 days.
func filledWorld(b *testing.B, rows int) (*world, *editor) {
	b.Helper()
	w := newWorld(b)
	e := &editor{world: w, r: rand.New(rand.NewPCG(1, 1))}
	for d := range 100 {
		day := vault.DayOf(vault.Day("2026-01-01").Time().AddDate(0, 0, d))
		var file strings.Builder
		for c := range rows / 1000 {
			var facts []vault.Fact
			for i := range 10 {
				facts = append(facts, vault.Fact{ID: vault.NewID('f'), Text: fmt.Sprintf("%s %s number %d of %s in a sentence of usual length",
					e.phrase(), e.phrase(), i, day)})
			}
			file.Write(vault.FormatSection(vault.Section{At: day.Time(), ChatID: fmt.Sprint("c", c)}, facts))
			file.WriteByte('\n')
		}
		w.write(string(vault.LogPath(day)), "# Daily Log - "+string(day)+"\n\n"+file.String())
	}
	w.open()
	w.sync()
	w.settle()
	return w, e
}

func benchAppend(b *testing.B, today int) {
	w, e := filledWorld(b, 10_000)
	for i := range today {
		w.facts(day, fmt.Sprint("t", i%7), fmt.Sprintf("%s, said today as number %d", e.phrase(), i))
		if i%200 == 0 {
			w.sync()
		}
	}
	w.sync()
	p := vault.LogPath(day)
	b.ResetTimer()
	for i := range b.N {
		b.StopTimer()
		w.facts(day, "now", fmt.Sprintf("%s, said just now as number %d", e.phrase(), i))
		b.StartTimer()
		if _, err := w.ix.Sync(context.Background(), p); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAppendAt10k(b *testing.B)              { benchAppend(b, 0) }
func BenchmarkAppendAt10kWith2000Today(b *testing.B) { benchAppend(b, 2000) }

func BenchmarkRebuild10k(b *testing.B) {
	w, _ := filledWorld(b, 10_000)
	b.ResetTimer()
	for range b.N {
		if err := w.ix.Rebuild(context.Background(), nil); err != nil {
			b.Fatal(err)
		}
	}
}
