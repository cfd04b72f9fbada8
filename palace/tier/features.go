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

func (f *features) add(parts ...uint32) { *f = append(*f, linear.Feature(parts...)) }

// The first parts of features.
var (
	byStem, byPair, byStart = linear.Part("stem"), linear.Part("pair"), linear.Part("start")
	byHead, byTail          = linear.Part("head"), linear.Part("tail")
	byConcept, byMarker     = linear.Part("concept"), linear.Part("marker")
	byWords, byDigits       = linear.Part("words"), linear.Part("digits")
	bySign, byLower         = linear.Part("sign"), linear.Part("lower")
)

// ends are the first five and the last three letters of a word, of one that has more than five.
func ends(w string) (head, tail string, ok bool) {
	if utf8.RuneCountInString(w) <= 5 {
		return "", "", false
	}
	cut, from := 0, len(w)
	for range 5 {
		_, n := utf8.DecodeRuneInString(w[cut:])
		cut += n
	}
	for range 3 {
		_, n := utf8.DecodeLastRuneInString(w[:from])
		from -= n
	}
	return w[:cut], w[from:], true
}

// Features returns the buckets of a text in rising order, each once: its words, pairs and beginnings of words, the everyday concepts that
// they stand for, the markers that it holds, and its shape.
func Features(text string) []uint32 {
	folded := plain(text)
	words := strings.Fields(folded)
	words = words[:min(len(words), maxWords)]
	f := make(features, 0, 5*len(words)+32)
	before, first := linear.Part("^"), uint32(0)
	for i, w := range words {
		if w[0] >= '0' && w[0] <= '9' {
			w = "#"
		}
		stem, word := lexis.Stem(w), linear.Part(w)
		f.add(byStem, linear.Part(stem))
		f.add(byPair, before, word)
		if i == 0 {
			first = linear.Part(words[0])
		}
		if i < 2 {
			f.add(byStart, first, word)
		}
		if head, tail, ok := ends(w); ok {
			f.add(byHead, linear.Part(head))
			f.add(byTail, linear.Part(tail))
		}
		if !lexis.IsStop(w) {
			for _, c := range lexis.Concepts(stem) {
				f.add(byConcept, linear.Part(string(rune(c%0x10000))), linear.Part(string(rune(c>>16))))
			}
		}
		before = word
	}
	f.shape(text, folded, len(words))
	slices.Sort(f)
	return slices.Compact(f)
}

// shape adds what a text is like as a whole.
func (f *features) shape(text, folded string, words int) {
	for of, n := range count(folded) {
		for i := range min(n, 3) {
			f.add(byMarker, linear.Part(of), linear.Part(size(i+1)))
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
	f.add(byWords, linear.Part(size(words)))
	f.add(byDigits, linear.Part(size(digits)))
	for _, sign := range []string{"?", "!", ":", ";", "\"", "\n"} {
		if strings.Contains(text, sign) {
			f.add(bySign, linear.Part(sign))
		}
	}
	if first, _ := utf8.DecodeRuneInString(text); unicode.IsLower(first) {
		f.add(byLower)
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
