package redact

import (
	"regexp"
	"strings"
	"sync"
	"unicode"

	"github.com/reverie-memory/reverie/lexis"
)

// Hollow tells whether a statement has a placeholder and says hardly more than that there was a secret: "The api key is [redacted: api
// key]". Each of its clauses is that, or says next to nothing.
func Hollow(text string) bool {
	if !strings.Contains(text, "[redacted:") {
		return false
	}
	first := true
	for _, clause := range clauses().Split(text, -1) {
		if !valued().MatchString(clause) && telling(placeholders().ReplaceAllString(clause, " "), first) > 1 {
			return false
		}
		first = first && strings.TrimSpace(clause) == ""
	}
	return true
}

// telling counts the words that tell something: not those that name a secret, or at the beginning somebody.
func telling(clause string, first bool) (n int) {
	for w := range strings.FieldsFuncSeq(clause, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' &&
			r != '’'
	}) {
		name := first && unicode.IsUpper([]rune(w)[0])
		if first = false; !name && !lexis.IsStop(w) && !secretNouns().MatchString(w) {
			n++
		}
	}
	return n
}

var (
	placeholders = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\[redacted:[^\]\n]*\]`) })
	// clauses are parted outside of placeholders, in which no sign stands before a space.
	clauses = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`[,;.!?] |\s+(?:and|but|or|und|aber|oder|y|pero|et|mais)\s+`)
	})
	// valued is a clause in which something is, or is set to, a secret.
	valued = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)(?:\b(?:is|are|was|were|be|to|as|ist|sind|war|lautet|auf|es|son|era|est|sont)\b|[=:→]|['’]s)[\s"'“‘(]*\[redacted:`)
	})
	secretNouns = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(?:user(?:name)?|api|keys?|tokens?|pass(?:word|wort|phrase|code)s?|kennwort|secrets?|credentials?|login|pin|codes?|` +
			`cards?|numbers?|schlüssel|contraseñas?|claves?|clés?)(?:['’]s)?$`)
	})
)
