package route

import (
	"cmp"
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/lexis"
)

// Statement is what a fact of a speaker says as a page shows it: one line with all its words. What would open a block, a comment or HTML in
// it is escaped by whoever writes it into a list.
func Statement(text, speaker string) string {
	said, _ := Corrects(lexis.OneLine(text, ""), speaker)
	s := strings.ReplaceAll(withoutStop(withoutSpeaker(said, speaker)), "$$", `$\$`)
	if rest, ok := strings.CutPrefix(s, "- "); ok && strings.IndexFunc(rest, unicode.IsLetter) == 0 { // not "- 5 degrees"
		s = rest
	}
	return capitalised(s)
}

// withoutSpeaker takes "Alice: " off a sentence that names Alice itself. Any other keeps it: who said it is its subject.
func withoutSpeaker(s, speaker string) string {
	name, rest, ok := strings.Cut(s, ": ")
	if !ok || speaker == "" || key(name) != key(speaker) {
		return s
	}
	k := cut(name)
	for _, w := range cut(rest) {
		if len(k) == 1 && w.capital && w.fold == k[0].fold {
			return rest
		}
	}
	return s
}

// Corrects cuts "Alice was wrong, " off a sentence of Alice's: what she says then stands, and corrects what it is about.
func Corrects(s, speaker string) (rest string, ok bool) {
	m := wrong().FindStringSubmatch(s)
	if m == nil || key(m[1]) != key(cmp.Or(speaker, theUser)) && key(m[1]) != theUser {
		return s, false
	}
	return s[len(m[0]):], true
}

var wrong = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(\p{Lu}[\p{L} -]{0,40}?) (?:(?:was|is) (?:wrong|mistaken)|got (?:that|this|it) wrong|made a mistake|` +
		`misspoke|hat sich geirrt|lag falsch|se equivocó)(?:[,:;.]| -) `)
})

// withoutStop drops one full stop at the end, unless it belongs to an abbreviation or an ellipsis.
func withoutStop(s string) string {
	if rest, ok := strings.CutSuffix(s, "。"); ok {
		return strings.TrimRight(rest, " ")
	}
	rest, ok := strings.CutSuffix(s, ".")
	if !ok || rest == "" || strings.HasSuffix(rest, ".") {
		return s
	}
	last := rest[strings.LastIndexByte(rest, ' ')+1:]
	letters := strings.TrimLeft(last, "(\"'")
	if strings.Contains(letters, ".") && !strings.ContainsAny(letters, "/@") || abbreviations[strings.ToLower(letters)] {
		return s
	}
	if r, n := utf8.DecodeRuneInString(letters); n == len(letters) && unicode.IsUpper(r) { // an initial
		return s
	}
	return strings.TrimRight(rest, " ")
}

var abbreviations = map[string]bool{
	"etc": true, "inc": true, "ltd": true, "co": true, "corp": true, "jr": true, "sr": true, "st": true, "mr": true, "mrs": true, "ms": true,
	"dr": true, "prof": true, "no": true, "vs": true, "approx": true, "usw": true,
	"bzw": true, "nr": true, "str": true, "ave": true, "bros": true,
}

// capitalised writes the first letter as a capital, but leaves names that have their own way: iPhone, pg-stage-2, https.
func capitalised(s string) string {
	i := strings.IndexFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) || r == '`' || r == '[' })
	if i < 0 || s[i] == '`' || s[i] == '[' {
		return s
	}
	head := s[i:]
	if j := strings.IndexByte(head, ' '); j >= 0 {
		head = head[:j]
	}
	bare := strings.TrimRight(head, ",;:.!?")
	for _, r := range bare[1:] {
		if unicode.IsUpper(r) || unicode.IsDigit(r) || strings.ContainsRune("_/.@\\=(", r) {
			return s
		}
	}
	if one, _, ok := strings.Cut(bare, "-"); ok && len(one) < 3 { // rv-core
		return s
	}
	return s[:i] + lexis.Capital(s[i:])
}
