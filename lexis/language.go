package lexis

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"
)

//go:embed languages.txt
var languageList string

// A language is known by its most common words.
type language struct {
	code    string
	letters string // those beside a to z; any in English, which takes words from all over
	common  map[string]bool
}

var languages = sync.OnceValue(func() (list []language) {
	for line := range strings.Lines(languageList) {
		f := strings.Fields(line)
		if len(f) < 3 || f[0] == "#" {
			continue
		}
		l := language{code: f[0], letters: f[1], common: map[string]bool{}}
		for _, w := range f[2:] {
			l.common[w] = true
		}
		list = append(list, l)
	}
	return list
})

// namesMost is how many words that no language has, in all, are names.
const namesMost = 2.5

// Language guesses in which language a clause is: "en", "de", "es" or "fr", "" where it has no word that tells. It is known where it is in
// one of these, as far as one can see: a fourth of its words are common ones, or half of them known in English. What has few words of no
// language is known as well. Names, which have a capital, and short words count half where no language has them.
func Language(clause string) (code string, known bool) {
	all, strange, elsewhere, small := 0.0, 0.0, 0.0, ""
	common, seen := make([]float64, len(languages())), map[string]bool{}
	for w := range strings.FieldsFuncSeq(clause, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && r != '\''
	}) {
		latin, other := scripts(w)
		if elsewhere += float64(other); latin == 0 {
			continue
		}
		capital := strings.IndexFunc(w, unicode.IsUpper) == 0
		if !capital {
			small += w
		}
		w, _ = strings.CutSuffix(Fold(w), "'s")
		if head, rest, ok := strings.Cut(w, "'"); ok && len(head) < 3 && len(rest) > 2 { // l'eau
			w = rest
		}
		english, some := Frequency(w) > FrequencyFloor, false
		for i, l := range languages() {
			if l.common[w] && !seen[w] {
				common[i]++
			}
			some = some || l.common[w]
		}
		seen[w] = true
		weight := 1.0
		if !english && !some && (capital || latin < 4) {
			weight = 0.5
		}
		if all += weight; !english {
			strange += weight
		}
	}
	if elsewhere > namesMost {
		return "", false
	}
	best := 0
	for i, l := range languages() {
		if common[i] > common[best] && !strings.ContainsFunc(small, func(r rune) bool {
			return r > unicode.MaxASCII && !strings.ContainsRune(l.letters, r)
		}) {
			best = i
		}
	}
	if common[best] > 0 {
		code = languages()[best].code
	}
	return code, strange <= namesMost || 2*strange <= all || 4*common[best] >= all
}

// scripts counts the Latin letters of a word, and how many words the other ones make: scripts without spaces have one for two letters.
func scripts(word string) (latin, words int) {
	dense, other := 0, 0
	for _, r := range word {
		switch {
		case unicode.Is(unicode.Latin, r):
			latin++
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar):
			dense++
		case unicode.IsLetter(r):
			other = 1
		}
	}
	return latin, other + (dense+1)/2
}
