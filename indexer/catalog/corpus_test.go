package catalog

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/reverie-memory/reverie/vault"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A corpus makes rows like those of a vault, with words by Zipf's law, the same for the same seed.
type corpus struct {
	rnd   *rand.Rand
	cum   []float64
	words []string
	n     int
}

func newCorpus(seed uint64, words int) *corpus {
	c := &corpus{rnd: rand.New(rand.NewPCG(seed, 7))}
	var sum float64
	for i := range words {
		sum += 1 / math.Pow(float64(i)+15, 1.05)
		c.cum = append(c.cum, sum)
		c.words = append(c.words, coin(i))
	}
	return c
}

// coin makes the word of a number: syllables that no stemmer cuts.
func coin(i int) string {
	var b strings.Builder
	for i += 97; i > 0; i /= 90 {
		b.WriteByte("bdfghjklmnprtvwz"[i%16])
		b.WriteByte("aou"[(i/16)%3])
		b.WriteByte("kmnprt"[(i/48+i)%6])
	}
	return b.String()
}

func (c *corpus) word() string {
	i, _ := slices.BinarySearch(c.cum, c.rnd.Float64()*c.cum[len(c.cum)-1])
	return c.words[min(i, len(c.words)-1)]
}

func (c *corpus) text(chars int) string {
	var b strings.Builder
	for b.Len() < chars {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(c.word())
		if c.rnd.IntN(4) == 0 {
			b.WriteString([]string{" the", " is", " and", " of", ","}[c.rnd.IntN(5)])
		}
	}
	return b.String()
}

func pick[T any](c *corpus, list ...T) T { return list[c.rnd.IntN(len(list))] }

var epoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// row makes the next row of a file: two of three are facts that derive from a drawer.
func (c *corpus) row(p vault.Path, chars int) Row {
	c.n++
	day := c.n / 200
	at := epoch.AddDate(0, 0, day).Add(time.Duration(c.n%200) * time.Minute)
	r := Row{
		ID: fmt.Sprintf("r%09d", c.n), Source: ArchiveLog, File: p, Line: c.n % 1000, Text: c.text(chars),
		Context: pick(c, "Alice", "Bob", "Carol", "Dave"), Category: pick(c, "general", "career", "family", "health"),
		Speaker: pick(c, "Alice", "bob", "Bob", "Carol"), Wing: pick(c, "", "work", "home", "home/garden"), Room: pick(c, "", "api",
			"garden", "car"),
		Chat: fmt.Sprintf("chat-%d", c.n/50), Turn: fmt.Sprintf("01JZ%022d", c.n/6), Drawer: fmt.Sprintf("d%09d", c.n/3),
		Origin: pick(c, vault.OriginUser, vault.OriginAssistant), Agent: pick(c, "claude", "codex"), At: at,
		Refs: []string{fmt.Sprintf("D%d:%d", day, c.n%200)}, Session: fmt.Sprintf("chat-%d %s", c.n/50, vault.DayOf(at)), Seq: c.n % 50 / 2,
	}
	r.Past, r.Aside = c.n%7 == 0, c.n%11 == 0
	if c.rnd.IntN(3) == 0 {
		r.Tags = []string{pick(c, "work", "city", "berlin"), pick(c, "x", "y")}
	}
	switch c.rnd.IntN(3) {
	case 0:
		r.Source, r.Category, r.Hall = DrawerText, "", []string{"", "events", "advice"}[c.n/3%3]
		r.Type, r.Sure = []string{"task", "fact"}[c.n/3%2], uint8(c.n%101)
		r.Guessed, r.Archived = c.n/3%5 == 0, c.n/3%7 == 0
		if c.n/3%2 == 0 {
			r.Filed = at.AddDate(0, 0, c.n%40)
		}
	case 1:
		if c.rnd.IntN(8) == 0 {
			r.Source, r.At, r.Session, r.Drawer, r.Turn, r.Refs = Notebook, time.Time{}, "", "", "", nil
			r.Cites, r.Origin = []string{"f1", r.ID}, pick(c, vault.OriginAgent, vault.OriginTool, "")
		}
	case 2:
		if c.n%8 == 0 {
			r.Source = Diary
		}
	}
	return r
}

func (c *corpus) change(p vault.Path, n, chars int) Change {
	ch := Change{Path: p, State: &FileState{Size: int64(n), ModTime: 1, Hash: vault.HashOf([]byte(p)), Env: "e"}}
	for range n {
		ch.Insert = append(ch.Insert, c.row(p, chars))
	}
	return ch
}

func mustOpen(tb testing.TB, dir string) *Catalog {
	tb.Helper()
	c, err := Open(context.Background(), dir)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = c.Close() })
	return c
}

func mustCreate(tb testing.TB, dir string) (*Catalog, *Generation) {
	tb.Helper()
	c := mustOpen(tb, dir)
	g, err := c.Create(context.Background(), GenInfo{Schema: 1, Fingerprint: "fp", Dim: 4, Engine: "flat"})
	if err != nil {
		tb.Fatal(err)
	}
	return c, g
}

func mustApply(tb testing.TB, g *Generation, changes ...Change) [][]Key {
	tb.Helper()
	keys, err := g.Apply(context.Background(), changes)
	if err != nil {
		tb.Fatal(err)
	}
	return keys
}
