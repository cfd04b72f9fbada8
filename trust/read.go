package trust

import (
	"regexp"
	"strings"
	"sync"
	"unicode"

	"github.com/reverie-memory/reverie/lexis"
)

// spaced is a word that is spelt apart: small letters in a row with one sign between them, or more capitals than abbreviations have.
var spaced = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:^|[^\pL\pN])(?:(?:\p{Ll}[ .-]){3,}\p{Ll}|(?:\p{Lu}[ .-]){5,}\p{Lu})(?:[^\pL\pN]|$)`)
})

// disguised tells whether words are spelt with the letters of two alphabets, as no language does, or letter by letter.
func (v *sight) disguised() bool {
	if spaced().MatchString(v.words) {
		return true
	}
	for w := range strings.FieldsFuncSeq(v.words, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) &&
			!unicode.IsMark(r)
	}) {
		latin, other := 0, 0
		for _, r := range w {
			switch {
			case unicode.Is(unicode.Latin, r):
				latin++
			case unicode.IsUpper(r), unicode.IsLower(r): // alphabets with capitals look like each other
				other++
			}
		}
		if latin > 0 && other > 0 && latin+other > 3 { // "µm", "kΩ"
			return true
		}
	}
	return false
}

// unread tells whether a clause of the text is in a language that the rules do not read.
func (v *sight) unread() bool {
	words := v.words
	if strings.Contains(words, "@") || strings.Contains(words, "://") {
		words = address().ReplaceAllString(words, "")
	}
	for clause := range strings.FieldsFuncSeq(words, func(r rune) bool {
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
