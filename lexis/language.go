package lexis

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

//go:embed languages.txt
var languageList string

// A language is known by its most common words.
type language struct {
	code    string
	letters string // those beside a to z; any in English, which takes words from all over
}

// A languageTable is all languages, and which words are common in which of them: a bit for each.
type languageTable struct {
	list  []language
	words map[string]uint8
}

var languages = sync.OnceValue(func() *languageTable {
	t := &languageTable{words: map[string]uint8{}}
	for line := range strings.Lines(languageList) {
		f := strings.Fields(line)
		if len(f) < 3 || f[0] == "#" {
			continue
		}
		for _, w := range f[2:] {
			t.words[w] |= 1 << len(t.list)
		}
		t.list = append(t.list, language{code: f[0], letters: f[1]})
	}
	return t
})

// namesMost is how many words that no language has, in all, are names.
const namesMost = 2.5

// Language guesses in which language a clause is: "en", "de", "es" or "fr", "" where it has no word that tells. The language is known where
// it is in one of these, as far as one can see: a fourth of its words are common ones, or half of them known in English. What has few words
// of no language is known as well. Names, which have a capital, and short words count half where no language has them.
func Language(clause string) (code string, known bool) {
	all, strange, elsewhere := 0.0, 0.0, 0.0
	var odd []rune // letters beside a to z of words without a capital
	var common [8]float64
	seen := make([]string, 0, 32) // common words, each of which counts once
	for w := range strings.FieldsFuncSeq(clause, func(r rune) bool {
		if r < utf8.RuneSelf {
			k := asciiClass[r]
			return k != lower && k != upper && k != digit && r != '\''
		}
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	}) {
		latin, other := scripts(w)
		if elsewhere += float64(other); latin == 0 {
			continue
		}
		capital := strings.IndexFunc(w, unicode.IsUpper) == 0
		if !capital && !isASCII(w) {
			for _, r := range w {
				if r > unicode.MaxASCII {
					odd = append(odd, r)
				}
			}
		}
		w, _ = strings.CutSuffix(Fold(w), "'s")
		if head, rest, ok := strings.Cut(w, "'"); ok && len(head) < 3 && len(rest) > 2 { // l'eau
			w = rest
		}
		e := lookup([]byte(w))
		english := e.frequency > FrequencyFloor
		if e.common != 0 && !slices.Contains(seen, w) {
			seen = append(seen, w)
			for i := range common {
				common[i] += float64(e.common >> i & 1)
			}
		}
		weight := 1.0
		if !english && e.common == 0 && (capital || latin < 4) {
			weight = 0.5
		}
		if all += weight; !english {
			strange += weight
		}
	}
	if elsewhere > namesMost {
		return "", false
	}
	best, list := 0, languages().list
	for i, l := range list {
		if common[i] > common[best] && !slices.ContainsFunc(odd, func(r rune) bool { return !strings.ContainsRune(l.letters, r) }) {
			best = i
		}
	}
	if common[best] > 0 {
		code = list[best].code
	}
	return code, strange <= namesMost || 2*strange <= all || 4*common[best] >= all
}

// scripts counts the Latin letters of a word, and how many words the other ones make: scripts without spaces have one for two letters.
func scripts(word string) (latin, words int) {
	dense, other := 0, 0
	for _, r := range word {
		switch {
		case r < utf8.RuneSelf:
			if k := asciiClass[r]; k == lower || k == upper {
				latin++
			}
		case unicode.Is(unicode.Latin, r):
			latin++
		case Unspaced(r):
			dense++
		case unicode.IsLetter(r):
			other = 1
		}
	}
	return latin, other + (dense+1)/2
}
