package route

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/lexis"
)

// A word of a sentence.
type word struct {
	start, end int    // bytes, without a possessive ending
	fold       string // in the form of comparison, without a possessive ending
	gap        byte   // first sign but white space between the word before and this one, 0 for none
	capital    bool   // begins with an upper-case letter
	coined     bool   // has a capital or digit inside: PostgreSQL, A380
	owns       bool   // stood in the possessive: Alice's
	num        bool   // begins with a digit
	lists      list   // of lexicon.txt
}

// is tells whether the word is in one of the lists.
func (w *word) is(l list) bool { return w.lists&l != 0 }

// cut cuts text into words. Signs inside a word (pg-stage-2, Node.js, don't) do not end it.
func cut(text string) []word {
	ws := make([]word, 0, len(text)/6+2)
	var gap byte
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if !wordRune(r) {
			if gap == 0 && !unicode.IsSpace(r) && r != '[' && r != ']' { // brackets of links: a sentence reads the same with them
				gap = byte(min(r, '~'))
			}
			i += n
			continue
		}
		w := scan(text, i)
		w.gap, gap = gap, 0
		i = w.end
		w.possessive(text)
		w.fold = lexis.Fold(text[w.start:w.end])
		w.lists = listsOf(w.fold)
		ws = append(ws, w)
	}
	return ws
}

func wordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_'
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
}

func scan(text string, start int) word {
	w := word{start: start, end: start}
	lower := false
	for i := start; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		switch {
		case wordRune(r):
			up, digit := unicode.IsUpper(r), unicode.IsDigit(r)
			if i == start {
				w.capital, w.num = up, digit
			} else if up && lower || digit && !w.num {
				w.coined = true
			}
			lower = lower || unicode.IsLower(r)
			w.end = i + n
		case strings.ContainsRune("'’-.", r) && i+n < len(text):
			next, _ := utf8.DecodeRuneInString(text[i+n:])
			if !wordRune(next) {
				return w
			}
			lower = lower && r != '-'
		default:
			return w
		}
		i += n
	}
	return w
}

// possessive takes 's off the end.
func (w *word) possessive(text string) {
	s := text[w.start:w.end]
	for _, end := range []string{"'s", "’s"} {
		if rest, ok := strings.CutSuffix(s, end); ok && rest != "" {
			w.end, w.owns = w.start+len(rest), true
			return
		}
	}
	if strings.HasSuffix(s, "s") && w.capital {
		after := text[w.end:]
		w.owns = strings.HasPrefix(after, "' ") || strings.HasPrefix(after, "’ ")
	}
}

// A list is a set of lists of words in lexicon.txt.
type list uint64

// The lists, in the order of listNames.
const (
	kin, friend, pet, opus, system, nosystem list = 1 << (6 * iota), 2 << (6 * iota), 4 << (6 * iota), 8 << (6 * iota),
		16 << (6 * iota), 32 << (6 * iota)
	bare, human, pronoun, copula, title, particle
	article, lead, filler, germanic, sides, jobs
	user, nobody, duty, dutyTo, month, idea
	wishes, owned, says, birth, theirs, mine
	venture, _, _, _, _, _
)

var listNames = strings.Fields(`kin friend pet opus system nosystem
	bare human pronoun copula title particle
	article lead filler germanic sides jobs
	user nobody duty duty-to month idea
	wishes owned says birth theirs mine
	venture`)

//go:embed lexicon.txt
var lexiconText string

//go:embed given.txt
var givenText string

// lex reads lexicon.txt once: the lists that each word is in.
var lex = sync.OnceValue(func() map[string]list {
	m := map[string]list{}
	var l list
	for line := range strings.Lines(lexiconText) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		for w := range strings.FieldsSeq(line) {
			if name, head := strings.CutPrefix(w, "{"); head {
				l = 1 << slices.Index(listNames, strings.TrimSuffix(name, "}"))
				continue
			}
			m[lexis.Fold(w)] |= l
		}
	}
	return m
})

// listsOf are the lists of a folded word, or of the word that it is the plural of.
func listsOf(fold string) list {
	l, ok := lex()[fold]
	if s, plural := strings.CutSuffix(fold, "s"); !ok && plural {
		l = lex()[s] & (kin | friend | pet)
	}
	return l
}

// isIn tells whether a folded word is in one of the lists.
func isIn(l list, fold string) bool { return lex()[fold]&l != 0 }

var given = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for line := range strings.Lines(givenText) {
		if !strings.HasPrefix(line, "#") {
			for name := range strings.FieldsSeq(line) {
				out[key(name)] = true
			}
		}
	}
	return out
})

// isGiven tells whether a key begins with a common given name: Hana, Hana Sato.
func isGiven(k string) bool {
	first, _, _ := strings.Cut(k, " ")
	return given()[first]
}

func spaced(s string) string {
	return strings.Join(strings.Fields(strings.NewReplacer("-", " ", "_", " ").Replace(s)), " ")
}
