package lexis

import (
	"strings"
	"unicode"
)

// Hidden tells the characters that a person does not see and a model reads: those that turn the direction of text, tags, marks of width,
// fillers and selectors. What joins letters and pictures, and chooses between their forms, is none.
func Hidden(r rune) bool {
	switch r {
	case 0x200c, 0x200d, 0xfe0e, 0xfe0f:
		return false
	}
	return r >= 0xad && unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) &&
		!unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}

// Shown is a text without what is [Hidden].
func Shown(text string) string {
	if isASCII(text) {
		return text
	}
	return strings.Map(func(r rune) rune {
		if Hidden(r) {
			return -1
		}
		return r
	}, text)
}
