package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/vault"
)

// dreamCorpus makes facts about invented people, projects and things, from a fixed seed: who says something of whom, values that
// change, and now and then the same again.
type dreamCorpus struct {
	rng    *rand.Rand
	words  *corpus
	people []string
	things []string
	said   []string // of late, to be said again
}

func newDreamCorpus(pages int) *dreamCorpus {
	c := &dreamCorpus{rng: rand.New(rand.NewPCG(3, 1)), words: newCorpus(3)}
	name := func(i int) string { // the rare words, which no sentence holds by chance
		w := c.words.words[len(c.words.words)-1-i]
		return strings.ToUpper(w[:1]) + w[1:]
	}
	for i := range 60 {
		c.people = append(c.people, name(i))
	}
	for i := range 200 {
		c.things = append(c.things, name(100+i))
	}
	for i := range min(pages, 10_000) { // what existing pages are about is spoken of as well
		c.things = append(c.things, fmt.Sprintf("%s %s", name(300+i), name(300+(i*7)%10_000)))
	}
	return c
}

func pick(rng *rand.Rand, list []string) string { return list[rng.IntN(len(list))] }

// fact is a sentence and its category.
func (c *dreamCorpus) fact() (text, category string) {
	who, what, w := pick(c.rng, c.people), pick(c.rng, c.things), c.words.word
	switch n := c.rng.IntN(100); {
	case n < 5 && len(c.said) > 0:
		return pick(c.rng, c.said), "general"
	case n < 25:
		text, category = fmt.Sprintf("%s %s the %s and the %s of %s with %s", who,
			pick(c.rng, []string{"repaired", "painted", "sold", "found"}), w(), w(), w(), pick(c.rng, c.people)), "event"
	case n < 40:
		text, category = fmt.Sprintf("%s likes %s %s more than %s", who, w(), w(), w()), "preference"
	case n < 50:
		text, category = fmt.Sprintf("%s lives in %s", who, pick(c.rng, c.things)), "personal"
	case n < 70:
		text, category = fmt.Sprintf("%s runs on port %d and keeps its %s in %s", what, 1024+c.rng.IntN(60_000), w(), w()), "fact"
	case n < 80:
		text, category = fmt.Sprintf("%s decided to use %s for the %s of %s", who, w(), w(), what), "decision"
	case n < 88:
		text, category = fmt.Sprintf("Move the %s of %s to the %s by %d June", w(), what, w(), 1+c.rng.IntN(30)), "task"
	default:
		text, category = fmt.Sprintf("The %s of %s needs a %s %s since %s", w(), what, w(), w(), w()), "general"
	}
	if c.said = append(c.said, text); len(c.said) > 500 {
		c.said = c.said[1:]
	}
	return text, category
}

// logs writes n facts, factsPerDay a day, into a vault's daily logs.
func (c *dreamCorpus) logs(dir string, n int) error {
	day := time.Date(2025, 1, 1, 8, 0, 0, 0, time.UTC)
	for ; n > 0; day = day.AddDate(0, 0, 1) {
		var b strings.Builder
		fmt.Fprintf(&b, "# Daily Log - %s\n", vault.DayOf(day))
		for s := 0; s < factsPerDay && n > 0; s += 2 {
			at := day.Add(time.Duration(s) * time.Minute)
			var facts []vault.Fact
			for range min(2, n) {
				text, category := c.fact()
				facts = append(facts, vault.Fact{ID: vault.DeriveID('f', at.String(), fmt.Sprint(len(facts))), Category: category, Text: text})
			}
			n -= len(facts)
			b.WriteByte('\n')
			b.Write(vault.FormatSection(vault.Section{
				At: at, ChatID: fmt.Sprintf("chat-%d", s/50), Origin: vault.OriginUser, Speaker: pick(c.rng, c.people),
				Drawer: vault.DeriveID('d', at.String()), Ref: fmt.Sprint("m", at.Unix()),
			}, facts))
		}
		if err := put(dir, vault.LogPath(vault.DayOf(day)), b.String()); err != nil {
			return err
		}
	}
	return nil
}

// pages writes n pages of ten statements each, as earlier dreams would have left them.
func (c *dreamCorpus) pages(dir string, n int) error {
	for i := range n {
		title := c.things[200+i]
		var b strings.Builder
		fmt.Fprintf(&b, "---\ntitle: %s\naliases: []\ntags: [entity]\ntype: entity\ncreated: 2024-05-01\nupdated: 2024-05-01\nreverie: "+
			"page\n---\n# %s\n\n## Facts\n", title, title)
		for s := range 10 {
			fmt.Fprintf(&b, "- %s has a %s for its %s and %s ([[2024-05-%02d#^%s|%d May 2024]])\n", title, c.words.word(), c.words.word(),
				c.words.word(),
				1+s, vault.DeriveID('f', title, fmt.Sprint(s)), 1+s)
		}
		if err := put(dir, vault.Path("2_Wiki/Entities/"+title+".md"), b.String()); err != nil {
			return err
		}
	}
	return nil
}

func put(dir string, p vault.Path, text string) error {
	name := filepath.Join(dir, filepath.FromSlash(string(p)))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, []byte(text), 0o644)
}
