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
}

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

//go:embed lexicon.txt
var lexiconText string

// A lexicon is what the router knows about words.
type lexicon struct {
	topics []topic
	exact  map[string]int    // folded word: the same, for words whose stem means other things as well
	words  map[string]int    // stem: 1 + index of its topic
	lists  map[string]uint64 // folded word: bit n is set when it is in the list n
}

// A topic is a heading that facts about a person stand under.
type topic struct {
	heading string
	work    bool // belongs to work as well as to a person
	common  bool // its words say little: any other topic goes before
}

// lex reads lexicon.txt once: "# remark", "[Heading work]" and "{list}" begin a group of words.
var lex = sync.OnceValue(func() *lexicon {
	l := &lexicon{exact: map[string]int{}, words: map[string]int{}, lists: map[string]uint64{}}
	set := listNone
	for line := range strings.Lines(lexiconText) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			f := strings.Fields(strings.Trim(line, "[]"))
			l.topics = append(l.topics, topic{f[0], slices.Contains(f, "work"), slices.Contains(f, "common")})
			set = listNone
		case line[0] == '{':
			set = list(slices.Index(listNames[:], strings.Trim(line, "{}")))
		default:
			for w := range strings.FieldsSeq(line) {
				w = strings.ReplaceAll(w, "_", " ")
				if exact, ok := strings.CutPrefix(w, "="); ok {
					l.exact[lexis.Fold(exact)] = len(l.topics)
				} else if set != listNone {
					l.lists[lexis.Fold(w)] |= 1 << set
				} else if s := stem(lexis.Fold(w)); l.words[s] == 0 {
					l.words[s] = len(l.topics)
				}
			}
		}
	}
	return l
})

// stem is lexis.Stem for single words; a phrase of two words stays as it is.
func stem(w string) string {
	if strings.Contains(w, " ") {
		return w
	}
	return lexis.Stem(w)
}

// is tells whether a folded word is in a list.
func is(l list, fold string) bool { return lex().lists[fold]&(1<<l) != 0 }

// headingOf is the heading that a tag or a category names, "" for none.
func (l *lexicon) headingOf(tag string) int {
	k := key(tag)
	for i, t := range l.topics {
		if strings.EqualFold(t.heading, k) {
			return i + 1
		}
	}
	return l.topicOf(k)
}

// topicOf is 1 + the index of the topic of a folded word, 0 for none.
func (l *lexicon) topicOf(fold string) int {
	if t := l.exact[fold]; t > 0 {
		return t
	}
	return l.words[stem(fold)]
}

// upperFirst writes the first letter as a capital.
func upperFirst(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if !unicode.IsLower(r) {
		return s
	}
	return string(unicode.ToTitle(r)) + s[n:]
}
