package trust

import (
	"regexp"
	"strings"
	"sync"
	"unicode"

	"github.com/reverie-memory/reverie/lexis"
)

// spaced is how many single letters in a row are a word that is spelt apart.
const spaced = 5

// disguised tells whether words are spelt with the letters of two alphabets, as no language does, or letter by letter.
func (v *sight) disguised() bool {
	apart := 0
	for w := range strings.FieldsFuncSeq(v.words, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) }) {
		letters := []rune(w)
		if len(letters) > 1 {
			apart = 0
		} else if apart++; apart == spaced && unicode.IsLower(letters[0]) {
			return true
		}
		latin, other := 0, 0
		for _, r := range letters {
			switch {
			case unicode.Is(unicode.Latin, r):
				latin++
			case unicode.IsUpper(r), unicode.IsLower(r): // alphabets with capitals look like each other
				other++
			}
		}
		if latin > 0 && other > 0 && len(letters) > 3 { // "µm", "kΩ"
			return true
		}
	}
	return false
}

// unread tells whether a clause of the text is in a language that the rules do not read.
func (v *sight) unread() bool {
	for clause := range strings.FieldsFuncSeq(address().ReplaceAllString(v.words, ""), func(r rune) bool {
		return strings.ContainsRune(".:;!?\n()—。！？；：、，", r)
	}) {
		if _, known := lexis.Language(clause); !known {
			return true
		}
	}
	return false
}

// address is what has no language: where something lies.
var address = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\S+://\S+|\S+@\S+`) })
