package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/reverie-memory/reverie/vault"
)

// factsPerDay spreads the corpus over days, as a person's logs are.
const factsPerDay = 500

// corpus makes facts of about 170 characters whose words follow Zipf's law, from a fixed seed. All seeds share their words: what one
// asks, the facts of another can answer.
type corpus struct {
	rng   *rand.Rand
	zipf  *rand.Zipf
	words []string
}

func newCorpus(seed uint64) *corpus {
	rng := rand.New(rand.NewPCG(seed, 1))
	return &corpus{rng: rng, zipf: rand.NewZipf(rng, 1.05, 8, 19_999), words: vocabulary()}
}

// vocabulary is 20,000 made-up words, the common ones first.
var vocabulary = sync.OnceValue(func() (words []string) {
	rng := rand.New(rand.NewPCG(1, 1))
	syllables := strings.Fields("ba be bi bo bu da de di do du fa fe fi ka ke ki ko ku la le li lo lu ma me mi mo mu na ne ni no nu pa " +
		"pe pi po ra re ri ro ru sa se si so su ta te ti to tu va ve vi vo")
	seen := map[string]bool{}
	for len(words) < 20_000 {
		var w strings.Builder
		for range 2 + rng.IntN(3) {
			w.WriteString(syllables[rng.IntN(len(syllables))])
		}
		if !seen[w.String()] {
			seen[w.String()] = true
			words = append(words, w.String())
		}
	}
	return words
})

func (c *corpus) word() string { return c.words[c.zipf.Uint64()] }

// fact is a sentence of about 170 characters.
func (c *corpus) fact() string {
	var b strings.Builder
	for b.Len() < 165 {
		b.WriteString(c.word())
		b.WriteByte(' ')
	}
	return strings.TrimSpace(b.String())
}

// question is five words: what a person types.
func (c *corpus) question() string {
	w := make([]string, 5)
	for i := range w {
		w[i] = c.word()
	}
	return strings.Join(w, " ")
}

// fill writes daily logs with n facts into a vault and returns the bytes of their texts.
func (c *corpus) fill(dir string, n int) (text int64, err error) {
	day := time.Date(2025, 1, 1, 9, 0, 0, 0, time.UTC)
	if err := os.MkdirAll(filepath.Join(dir, filepath.FromSlash(vault.ArchiveDir)), 0o755); err != nil {
		return 0, err
	}
	for ; n > 0; day = day.AddDate(0, 0, 1) {
		var b strings.Builder
		fmt.Fprintf(&b, "# Daily Log - %s\n", vault.DayOf(day))
		for s := 0; s < factsPerDay && n > 0; s += 5 {
			var facts []vault.Fact
			for range min(5, n) {
				f := vault.Fact{ID: vault.DeriveID('f', string(vault.DayOf(day)), fmt.Sprint(s, len(facts))), Category: "general", Text: c.fact()}
				text += int64(len(f.Text))
				facts = append(facts, f)
			}
			n -= len(facts)
			b.WriteByte('\n')
			b.Write(vault.FormatSection(vault.Section{
				At: day.Add(time.Duration(s) * time.Minute), ChatID: fmt.Sprintf("chat-%d", s/50),
				Origin: vault.OriginUser,
			}, facts))
		}
		path := filepath.Join(dir, filepath.FromSlash(string(vault.LogPath(vault.DayOf(day)))))
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			return 0, err
		}
	}
	return text, nil
}
