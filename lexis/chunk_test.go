package lexis

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestChunk(t *testing.T) {
	text := strings.Repeat("This is a sentence of forty characters.. ", 60)
	pieces := Chunk(text, 800, 100)
	if len(pieces) < 3 {
		t.Fatalf("%d pieces", len(pieces))
	}
	for i, p := range pieces {
		if len(p.Text) > 800 || !strings.HasPrefix(p.Text, "This is") || !strings.HasSuffix(p.Text, "characters..") {
			t.Errorf("piece %d: %d bytes, %.20q … %q", i, len(p.Text), p.Text, p.Text[len(p.Text)-20:])
		}
		if i > 0 && (p.Start >= pieces[i-1].End || pieces[i-1].End-p.Start > 100) {
			t.Errorf("piece %d begins at %d, the one before ends at %d", i, p.Start, pieces[i-1].End)
		}
	}
	for name, s := range map[string]string{"empty": "", "space": " \n "} {
		if got := Chunk(s, 800, 100); got != nil {
			t.Errorf("%s: %v", name, got)
		}
	}
	if got := Chunk(" short ", 800, 100); len(got) != 1 || got[0].Text != " short " {
		t.Errorf("a text that fits is one piece, byte for byte: %v", got)
	}
	if got := Chunk(strings.Repeat("长", 1000), 800, 100); len(got) != 2 || utf8.RuneCountInString(got[0].Text) != 800 {
		t.Errorf("a text without any place to cut: %d pieces", len(got))
	}
}

// Sizes are characters: a text in another script is cut where the Latin one is.
func TestChunkCountsCharacters(t *testing.T) {
	latin := strings.Repeat("This is a sentence of forty characters.. ", 60)
	places := func(text string) (at [][2]int) {
		for _, p := range Chunk(text, 800, 100) {
			at = append(at, [2]int{utf8.RuneCountInString(text[:p.Start]), utf8.RuneCountInString(text[:p.End])})
		}
		return at
	}
	for script, letter := range map[string]rune{"Cyrillic": 'ж', "Chinese": '长', "emoji": '🜚'} {
		text := strings.Map(func(r rune) rune {
			if r >= 'a' && r <= 'z' {
				return letter
			}
			return r
		}, latin)
		if got, want := places(text), places(latin); !slices.Equal(got, want) {
			t.Errorf("%s: cut at %v, Latin at %v", script, got, want)
		}
	}
}

func FuzzChunk(f *testing.F) {
	f.Add("a. b. c", 3, 1)
	f.Add(strings.Repeat("word ", 50), 20, 10)
	f.Add("\xff\xfe\xfd\xfc\xfb\xfa", 4, 2)
	f.Add("长长长长", 5, 9)
	f.Fuzz(func(t *testing.T, text string, size, overlap int) {
		size, overlap = size%2000, overlap%2000
		last := 0
		for _, p := range Chunk(text, size, overlap) {
			if p.Text != text[p.Start:p.End] || p.End <= p.Start || size > 0 && utf8.RuneCountInString(p.Text) > size {
				t.Fatalf("piece %+v of %q at %d, %d", p, text, size, overlap)
			}
			if p.Start > last && strings.TrimSpace(text[last:p.Start]) != "" {
				t.Fatalf("%q is in no piece", text[last:p.Start])
			}
			last = p.End
		}
		if strings.TrimSpace(text[last:]) != "" {
			t.Fatalf("the end of %q is in no piece", text)
		}
	})
}
