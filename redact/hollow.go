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

// Same tells whether two texts are one, but for blanks and for what placeholders stand for: rules that find secrets change.
func Same(a, b string) bool { return covers(a, b) || covers(b, a) }

// covers tells whether a text reads as another one does, in which a placeholder of its own may stand for anything.
func covers(text, other string) bool {
	pieces := placeholders().Split(strings.Join(strings.Fields(text), " "), -1)
	other = strings.Join(strings.Fields(other), " ")
	last := len(pieces) - 1
	if last == 0 {
		return pieces[0] == other
	}
	rest, ok := strings.CutPrefix(other, pieces[0])
	if !ok || !strings.HasSuffix(rest, pieces[last]) {
		return false
	}
	rest = strings.TrimSuffix(rest, pieces[last])
	for _, p := range pieces[1:last] {
		if _, rest, ok = strings.Cut(rest, p); !ok {
			return false
		}
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
		return regexp.MustCompile(`(?i)(?:\b(?:is|are|was|were|be|to|as|ist|sind|war|lautet|auf|es|son|era|est|sont)\b|` +
			`[=:→]|['’]s)[\s"'“‘(]*\[redacted:`)
	})
	secretNouns = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(?:user(?:name)?|api|keys?|tokens?|pass(?:word|wort|phrase|code)s?|kennwort|secrets?|credentials?|` +
			`login|pin|codes?|cards?|numbers?|schlüssel|contraseñas?|claves?|clés?)(?:['’]s)?$`)
	})
)
