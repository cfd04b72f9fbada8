package lexis

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed words.txt
var wordList string

// FrequencyFloor is the frequency of a word that is not in the table, in parts per million.
const FrequencyFloor = 2.0

// Frequency returns how often a word occurs in general English, in parts per million, and
// FrequencyFloor for one that the table does not hold. A word stands for its other forms as well.
//
// The table is a list of common words of ours in the order of their rank, judged and not counted;
// the numbers come from that rank by the law of Zipf and Mandelbrot. The number weighs words and is no statistic.
func Frequency(word string) float64 {
	return lookup([]byte(foldWord(word))).frequency
}

// frequencyOf is the frequency of a word whose stem is known.
func frequencyOf(e *entry) float64 {
	t := frequencies()
	if f, ok := t[e.word]; ok {
		return f
	}
	stem := e.stem
	if w := foldWord(normalise(e.word)); w != e.word {
		stem = lookup([]byte(w)).stem
	}
	if f, ok := t[stem]; ok {
		return f
	}
	return FrequencyFloor
}

var frequencies = sync.OnceValue(func() map[string]float64 {
	t := make(map[string]float64, 8192)
	rank := 0
	for w := range strings.FieldsSeq(wordList) {
		if _, dup := t[w]; dup {
			continue
		}
		rank++
		f := zipf(rank)
		t[w] = f
		if s := stem(w); s != w {
			if _, dup := t[s]; !dup {
				t[s] = f
			}
		}
	}
	return t
})

// zipf is the frequency of the word at a rank. The constants give the first word about 4 % and let
// the first 50,000 words make up the whole.
func zipf(rank int) float64 { return 0.103 * 1e6 / (float64(rank) + 1.5) }
