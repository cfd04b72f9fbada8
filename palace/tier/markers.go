package tier

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/reverie-memory/reverie/lexis"
)

//go:embed markers.txt
var markerList string

// A marker is a phrase that speaks for something: for a type, or for what a text is like.
type marker struct {
	phrase string // with a space at its front, and at its end unless any ending of its last word will do
	of     string
}

// markers are found by the key of their first word.
var markers = sync.OnceValue(func() map[string][]marker {
	ms := map[string][]marker{}
	for line := range strings.Lines(markerList) {
		of, list, ok := strings.Cut(line, ":")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		for p := range strings.SplitSeq(list, ",") {
			p, open := strings.CutSuffix(strings.TrimSpace(p), "*")
			p = plain(p)
			if open {
				p = strings.TrimSuffix(p, " ")
			}
			ms[key(p[1:])] = append(ms[key(p[1:])], marker{p, of})
		}
	}
	return ms
})

// key is the beginning of the first word of a text: no more than what a word with a star has.
func key(text string) string {
	word, _, _ := strings.Cut(text[:min(len(text), 3)], " ")
	return word
}

// plain gives the words of a text as markers are compared with them: folded, with one space before and behind each.
func plain(text string) string {
	var b strings.Builder
	b.Grow(len(text) + 2)
	gap := true
	b.WriteByte(' ')
	for _, r := range lexis.Fold(text) {
		switch {
		case 'a' <= r && r <= 'z':
			gap = false
			b.WriteByte(byte(r))
			continue
		case r == '’':
			r = '\''
		case r != '\'' && !unicode.IsLetter(r) && !unicode.IsNumber(r):
			r = ' '
		}
		if r == ' ' && gap {
			continue
		}
		gap = r == ' '
		b.WriteRune(r)
	}
	if !gap {
		b.WriteByte(' ')
	}
	return b.String()
}

// count tells how many markers of each kind are in a plain text. Each counts once, and no more than one of a kind at one word.
func count(text string) map[string]int {
	var found []marker
	all, n := markers(), map[string]int{}
	for i := 0; i >= 0 && i+1 < len(text); {
		here := len(found) // where those of this word begin
		for _, m := range all[key(text[i+1:])] {
			if strings.HasPrefix(text[i:], m.phrase) && !slices.Contains(found, m) &&
				!slices.ContainsFunc(found[here:], func(o marker) bool { return o.of == m.of }) {
				found = append(found, m)
				n[m.of]++
			}
		}
		next := strings.IndexByte(text[i+1:], ' ')
		if next < 0 {
			break
		}
		i += 1 + next
	}
	return n
}
