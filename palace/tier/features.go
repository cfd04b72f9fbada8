package tier

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/internal/linear"
	"github.com/reverie-memory/reverie/lexis"
)

// maxWords bounds the work for one text.
const maxWords = 400

// features collects the buckets of a text.
type features []uint32

func (f *features) add(parts ...string) {
	var sums [4]uint32
	for i, p := range parts {
		h := uint32(2166136261) // FNV-1a
		for k := range len(p) {
			h = (h ^ uint32(p[k])) * 16777619
		}
		sums[i] = h
	}
	*f = append(*f, linear.Feature(sums[:len(parts)]...))
}

// Features returns the buckets of a text in rising order, each once: its words, pairs and beginnings of words, the everyday concepts that
// they stand for, the markers that it holds, and its shape.
func Features(text string) []uint32 {
	folded := plain(text)
	words := strings.Fields(folded)
	words = words[:min(len(words), maxWords)]
	f := make(features, 0, 5*len(words)+32)
	before := "^"
	for i, w := range words {
		if w[0] >= '0' && w[0] <= '9' {
			w = "#"
		}
		stem := lexis.Stem(w)
		f.add("stem", stem)
		f.add("pair", before, w)
		if i < 2 {
			f.add("start", words[0], w)
		}
		if r := []rune(w); len(r) > 5 {
			f.add("head", string(r[:5]))
			f.add("tail", string(r[len(r)-3:]))
		}
		if !lexis.IsStop(w) {
			for _, c := range lexis.Concepts(stem) {
				f.add("concept", string(rune(c%0x10000)), string(rune(c>>16)))
			}
		}
		before = w
	}
	f.shape(text, folded, len(words))
	slices.Sort(f)
	return slices.Compact(f)
}

// shape adds what a text is like as a whole.
func (f *features) shape(text, folded string, words int) {
	for of, n := range count(folded) {
		for i := range min(n, 3) {
			f.add("marker", of, size(i+1))
		}
	}
	digits, upper := 0, 0
	for _, r := range text {
		switch {
		case unicode.IsDigit(r):
			digits++
		case unicode.IsUpper(r):
			upper++
		}
	}
	f.add("words", size(words))
	f.add("digits", size(digits))
	for _, sign := range []string{"?", "!", ":", ";", "\"", "\n"} {
		if strings.Contains(text, sign) {
			f.add("sign", sign)
		}
	}
	if first, _ := utf8.DecodeRuneInString(text); unicode.IsLower(first) {
		f.add("lower")
	}
}

// size tells small numbers apart and larger ones roughly.
func size(n int) string {
	for _, bound := range []int{0, 1, 2, 3, 5, 8, 13, 21, 34, 55} {
		if n <= bound {
			return string(rune('0' + bound))
		}
	}
	return "~"
}
