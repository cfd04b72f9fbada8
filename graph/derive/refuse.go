package derive

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/lexis"
)

// heads are the words without one of which no clause says anything: those that patterns begin with, and verbs of having and being. Most
// words are told from all of them by their first byte and their length.
type heads struct {
	words   map[string]bool
	lengths [256]uint32 // by the first byte, a bit for each length
}

var headWords = sync.OnceValue(func() *heads {
	h := &heads{words: map[string]bool{}}
	add := func(w string) {
		h.words[w] = true
		h.lengths[w[0]] |= 1 << min(len(w), 31)
	}
	for w := range core().patterns {
		add(w)
	}
	for w := range has {
		add(w)
	}
	for _, set := range []map[string]bool{is, auxiliaries, lexis.Set("look looks looked looking divorce signed")} {
		for w := range set {
			add(w)
		}
	}
	return h
})

// has says whether a word, which may stand in the middle of others, is a head.
func (h *heads) has(w string) bool {
	var room [32]byte
	if len(w) > len(room) {
		return !isASCII(w) && h.words[lexis.Fold(w)]
	}
	for i := range len(w) {
		c := w[i]
		if c >= utf8.RuneSelf {
			return h.words[lexis.Fold(w)]
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		room[i] = c
	}
	return w != "" && h.lengths[room[0]]&(1<<min(len(w), 31)) != 0 && h.words[string(room[:len(w)])]
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// mayTell is false for most texts that say nothing of the graph. mayTell looks at the words alone, whichever signs part them: a word may
// end at any sign, at an accent that stands behind it, or behind that accent. What is read otherwise than it stands may tell something: a
// colon as a verb, and a word with n't.
func mayTell(text string) bool {
	h := headWords()
	run, part := -1, -1 // where a word began that accents belong to, and one that they end
	for i := 0; i <= len(text); {
		r, n := ' ', 1
		if i < len(text) {
			if r = rune(text[i]); r >= utf8.RuneSelf {
				r, n = utf8.DecodeRuneInString(text[i:])
			}
		}
		letter := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' ||
			r >= utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r))
		if !letter && part >= 0 {
			if h.has(text[part:i]) {
				return true
			}
		}
		switch {
		case letter:
			if run < 0 {
				run = i
			}
			if part < 0 {
				part = i
			}
		case r >= utf8.RuneSelf && (unicode.IsNumber(r) || unicode.IsMark(r)):
			if part = -1; run < 0 {
				run = i
			}
		default:
			if r == ':' || run >= 0 && (run != part && h.has(text[run:i]) || (r == '\'' || r == '’') && contracts(text[run:i], text[i+n:])) {
				return true
			}
			run, part = -1, -1
		}
		i += n
	}
	return aliased(text) || slices.ContainsFunc(signs, func(s string) bool { return strings.Contains(text, s) })
}

// signs are what a text has that is read otherwise than by its heads.
var signs = func() []string {
	out := []string{"Every", "We all", "New ", "Neue", "Nuev"}
	for _, w := range otherWays {
		out = append(out, w.sign)
	}
	return out
}()

// contracts says whether a word before an apostrophe has another one behind it that may tell something: it's, don't, we're.
func contracts(w, rest string) bool {
	if len(w) > 32 {
		w = w[len(w)-32:]
	}
	f := lexis.Fold(w)
	return strings.HasSuffix(f, "n") || contracted[f] || rest != "" && strings.IndexByte("mrvMRV", rest[0]) >= 0 && persons[f]
}

var persons = lexis.Set("i we they you")

var contracted = lexis.Set("it that he she there what")

// aliasWords are those of [otherName] by which another name is told, by their first letters.
var aliasWords = func() (by [256][]string) {
	for w := range strings.SplitSeq(otherWords, "|") {
		w = strings.ReplaceAll(w, `\`, "")
		by[w[0]] = append(by[w[0]], w)
	}
	return by
}()

// aliased is false where a text has nothing that [otherName] finds: that needs a comma or bracket, and one of its words behind it.
func aliased(text string) bool {
	for i := range len(text) {
		if text[i] != ',' && text[i] != '(' {
			continue
		}
		rest := strings.TrimPrefix(text[i+1:], " ")
		if rest == "" {
			return false
		}
		for _, w := range aliasWords[rest[0]] {
			if strings.HasPrefix(rest, w) {
				return true
			}
		}
	}
	return false
}
