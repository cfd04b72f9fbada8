package lexis

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Set makes a set of the words of a list.
func Set(list string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		m[w] = true
	}
	return m
}

// Capital writes the first letter of s in upper case.
func Capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if !unicode.IsLower(r) {
		return s
	}
	return string(unicode.ToUpper(r)) + s[n:]
}

// OneLine makes one space of all white space and signs that are not seen, and of these signs.
func OneLine(s, signs string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || r == '\uFEFF' || strings.ContainsRune(signs, r)
	}), " ")
}
