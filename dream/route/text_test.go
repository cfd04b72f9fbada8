package route

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/vault"
)

func TestStatement(t *testing.T) {
	tests := []struct{ text, speaker, want string }{
		{"Alice moved to Berlin.", "Alice", "Alice moved to Berlin"},
		{"the service runs on port 8443", "", "The service runs on port 8443"},
		{"Alice: Ich lerne seit drei Wochen Deutsch", "Alice", "Alice: Ich lerne seit drei Wochen Deutsch"},
		{"Alice: Alice's flat is on the third floor.", "Alice", "Alice's flat is on the third floor"},
		{"Note: Alice is away", "Alice", "Note: Alice is away"},
		{"two\nlines\tand\r\na bell\a", "", "Two lines and a bell"},
		{"- a list item", "", "A list item"},
		{"- 5 degrees at night", "", "- 5 degrees at night"},
		{"#tag first", "", "#Tag first"},
		{"茶 。", "", "茶"},
		{"1984 is a novel", "", "1984 is a novel"},
		{"he works at Acme Inc.", "", "He works at Acme Inc."},
		{"she gets up at 6 a.m.", "", "She gets up at 6 a.m."},
		{"and so on...", "", "And so on..."},
		{"see https://example.org/a.b.", "", "See https://example.org/a.b"},
		{"iPhone and pg-stage-2 stay", "", "iPhone and pg-stage-2 stay"},
		{"pg-stage-2 is the database", "", "pg-stage-2 is the database"},
		{"`go vet` finds it", "", "`go vet` finds it"},
		{"a < b and <3", "", "A < b and <3"},
		{"él vive en Berlín", "", "Él vive en Berlín"},
		{"東京に住んでいる。", "", "東京に住んでいる"},
		{"", "", ""},
		{"…", "", "…"},
		{"Did it rain?", "", "Did it rain?"},
	}
	for _, tt := range tests {
		if got := Statement(tt.text, tt.speaker); got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.text, got, tt.want)
		}
	}
}

// FuzzStatement checks that no word is lost and that the line stays one.
func FuzzStatement(f *testing.F) {
	for _, s := range []string{
		"- [ ] a", "1) b.", "Alice: c", "a\u2028b", "x ^y", "<!--", "```", "ǆ a.", "\\- a", "A. B.", "- > # x",
		"b\u200bb", "b 。",
	} {
		f.Add(s, "Alice")
	}
	f.Fuzz(func(t *testing.T, text, speaker string) {
		got := Statement(text, speaker)
		if strings.ContainsAny(got, "\n\r\u2028\u2029\x00") || got != strings.TrimSpace(got) {
			t.Fatalf("%q: not one line: %q", text, got)
		}
		have := map[string]bool{}
		for _, w := range lexis.Words(got) {
			have[w] = true
		}
		clean := strings.Map(func(r rune) rune {
			if r < ' ' || 0x7f <= r && r < 0xa0 {
				return ' '
			}
			return r
		}, text)
		for _, w := range lexis.Words(clean) {
			if !have[w] {
				t.Fatalf("%q: %q is not in %q", text, w, got)
			}
		}
	})
}

func linkDirectory() *Directory {
	d := NewDirectory(vault.Layout{})
	for _, e := range []Entry{
		{Path: "3_Personal/Alice.md", Title: "Alice", Type: "person"},
		{Path: "3_Personal/Noor.md", Title: "Noor", Aliases: []string{"Nono"}, Type: "person"},
		{Path: "3_Personal/May.md", Title: "May", Type: "person"},
		{Path: "3_Personal/Zoë.md", Title: "Zoë", Type: "person"},
		{Path: "1_Projects/Billing.md", Title: "Billing", Aliases: []string{"billing service"}, Type: "project"},
		{Path: "2_Wiki/Concepts/Work.md", Title: "Work", Type: "concept"},
		{Path: "2_Wiki/Entities/Port Authority.md", Title: "Port Authority", Type: "entity"},
		{Path: "2_Wiki/Entities/PostgreSQL.md", Title: "PostgreSQL", Aliases: []string{"Postgres"}, Type: "entity"},
		{Path: "2_Wiki/Entities/C++.md", Title: "C++", Type: "entity"},
		{Path: "1_Projects/Mercury.md", Title: "Mercury", Type: "project"},
		{Path: "2_Wiki/Entities/Mercury.md", Title: "Mercury", Type: "entity"},
		{Path: "3_Personal/Alice - Food.md", Title: "Alice - Food", Type: "topic"},
		{Path: "2_Wiki/Entities/Sur.md", Title: "Big Sur", Type: "entity"},
		{Path: "1_Projects/Sur.md", Title: "Tour", Type: "project"},
	} {
		d.Add(e)
	}
	return d
}

func TestLink(t *testing.T) {
	tests := []struct{ text, self, want string }{
		{"Alice met Noor, and Alice paid", "", "[[Alice]] met [[Noor]], and Alice paid"},
		{"Alice's sister", "", "[[Alice]]'s sister"},
		{"Alice met Noor", "3_Personal/Alice.md", "Alice met [[Noor]]"},
		{"Alice met Noor", "3_Personal/Alice - Food.md", "Alice met [[Noor]]"},
		{"Nono sings", "", "[[Noor|Nono]] sings"},
		{"the billing service and billing", "", "the [[Billing|billing service]] and billing"},
		{"a billing address", "", "a billing address"},
		{"Work is hard, they say of Work", "", "Work is hard, they say of [[Work]]"},
		{"they work a lot", "", "they work a lot"},
		{"on 4 May 2026 it rained", "", "on 4 May 2026 it rained"},
		{"it may be May who called", "", "it may be [[May]] who called"},
		{"May 2026", "", "May 2026"},
		{"Zoe and Zoë", "", "[[Zoë|Zoe]] and Zoë"},
		{"the port authority said", "", "the [[Port Authority|port authority]] said"},
		{"Postgres or PostgreSQL", "", "[[PostgreSQL|Postgres]] or PostgreSQL"},
		{"postgresql", "", "postgresql"},
		{"Mercury is ambiguous", "", "Mercury is ambiguous"},
		{"they like Big Sur", "", "they like [[2_Wiki/Entities/Sur|Big Sur]]"},
		{"Alicea and XAlice and Alice_2", "", "Alicea and XAlice and Alice_2"},
		{"`Alice` and ``a ` Alice``", "", "`Alice` and ``a ` Alice``"},
		{"[[Alice]] and Alice", "", "[[Alice]] and Alice"},
		{"[[3_Personal/Alice|her]] and Alice", "", "[[3_Personal/Alice|her]] and Alice"},
		{"[Alice](https://example.org/Noor) and Noor", "", "[Alice](https://example.org/Noor) and [[Noor]]"},
		{"https://example.org/Alice and noor@Alice.org", "", "https://example.org/Alice and noor@Alice.org"},
		{"#Alice", "", "#Alice"},
		{"<https://Alice.example> Noor", "", "<https://Alice.example> [[Noor]]"},
		{"[not a link] Alice", "", "[not a link] [[Alice]]"},
		{"Alice - Food", "", "[[Alice]] - Food"},
		{"", "", ""},
	}
	r := &Router{Dir: linkDirectory()}
	for _, tt := range tests {
		got := r.Link(tt.text, vault.Path(tt.self))
		if got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.text, got, tt.want)
		}
		if again := r.Link(got, vault.Path(tt.self)); again != got {
			t.Errorf("%q: once %q, twice %q", tt.text, got, again)
		}
	}
}

var wikilink = regexp.MustCompile(`\[\[(?:[^\[\]|]*\|)?([^\[\]|]*)\]\]`)

// TestLinkKeepsText links random sentences of names and signs: twice is once, and without the links the text is the same.
func TestLinkKeepsText(t *testing.T) {
	r := &Router{Dir: linkDirectory()}
	pieces := strings.Split("Alice|Noor|May|Work|Zoë|billing service|Billing|Port "+
		"Authority|Postgres|is|the|and|'s|.|,|:|(|)|`|\"|C++|4|Big|Sur|Mercury|-|_|é|#|@|<|>|\\|…|Ünï", "|")
	rnd := rand.New(rand.NewPCG(1, 2))
	linked := 0
	for range 60000 {
		var b strings.Builder
		for range rnd.IntN(12) {
			b.WriteString(pieces[rnd.IntN(len(pieces))])
			if rnd.IntN(3) > 0 {
				b.WriteByte(' ')
			}
		}
		text := b.String()
		got := r.Link(text, "3_Personal/Noor.md")
		if shown := wikilink.ReplaceAllString(got, "$1"); shown != text {
			t.Fatalf("%q reads %q (%q)", text, shown, got)
		}
		if again := r.Link(got, "3_Personal/Noor.md"); again != got {
			t.Fatalf("%q: once %q, twice %q", text, got, again)
		}
		if got != text {
			linked++
		}
	}
	if linked < 10000 {
		t.Fatalf("only %d of 60,000 had a link", linked)
	}
}
