package claim

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/vault"
)

// A token is a word, a number or a mark as it stands.
type token struct {
	raw, fold string
	mark      bool
	number    bool
	upper     bool // begins with a capital
}

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) }

// joins tells signs that belong to a word where more of it follows.
func joins(r rune) bool { return strings.ContainsRune("-_.@/:+#&'’,", r) }

// scan cuts a text, until it has more than maxTokens.
func scan(s string) []token {
	toks := make([]token, 0, len(s)/5+2)
	for i := 0; i < len(s) && len(toks) <= maxTokens; {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case wordRune(r), r == '+' && digitAt(s, i+1), r == '-' && strings.HasPrefix(s[i:], "--") && i+2 < len(s) && wordRune(rune(s[i+2])):
			end := wordEnd(s, i)
			toks = addWord(toks, s[i:end])
			i = end
			continue
		case (r == '\'' || r == '’') && i > 0 && (s[i-1] == 's' || s[i-1] == 'z') && (i+n == len(s) || s[i+n] == ' '): // the users' wish
			toks = append(toks, token{raw: "'s", fold: "'s"})
		case i > 0 && strings.HasPrefix(s[i-1:], vault.Next):
			toks = append(toks, token{raw: ".", fold: ".", mark: true})
		case r == '.' && (abbreviated(toks, s, i) || !endsSentence(s[i+1:])):
		case strings.ContainsRune(",;.:!?€$£¥%°&=<>–—-", r):
			toks = append(toks, token{raw: s[i : i+n], fold: s[i : i+n], mark: true})
		}
		i += n
	}
	return toks
}

// abbreviated tells a full stop that belongs to the word before it: Dr., J.
func abbreviated(toks []token, s string, i int) bool {
	if len(toks) == 0 || i == 0 || s[i-1] == ' ' {
		return false
	}
	last := toks[len(toks)-1]
	return titles[last.fold] || len(last.fold) == 1 && last.upper
}

var titles = lexis.Set("mr mrs ms dr st prof no nr sr sra mme approx vs")

// endsSentence tells whether a sentence may begin with what follows a full stop.
func endsSentence(rest string) bool {
	t := strings.TrimLeft(rest, " \t\"”»)")
	r, _ := utf8.DecodeRuneInString(t)
	return t == "" || len(t) < len(rest) && !unicode.IsLower(r)
}

func digitAt(s string, i int) bool { return i >= 0 && i < len(s) && s[i] >= '0' && s[i] <= '9' }

// wordEnd is where the word ends that begins at s[i].
func wordEnd(s string, i int) int {
	start := i
	for i < len(s) {
		r, n := utf8.DecodeRuneInString(s[i:])
		next, _ := utf8.DecodeRuneInString(s[i+n:])
		numbers := digitAt(s, i-1) && digitAt(s, i+n)
		switch {
		case wordRune(r), i == start, r == '-' && i == start+1:
		case (r == '+' || r == '#') && !wordRune(next): // C++, C#
		case r == ',' && !numbers, r == ':' && !numbers && !strings.HasPrefix(s[i:], "://"):
			return i
		case !joins(r) || !wordRune(next) && !strings.HasPrefix(s[i:], "://") && !strings.HasSuffix(s[:i], ":") && !strings.HasSuffix(s[:i], "/"):
			return i
		}
		i += n
	}
	return i
}

// addWord adds a word, cut at English and French apostrophes.
func addWord(toks []token, w string) []token {
	w = strings.ReplaceAll(w, "’", "'")
	return addFolded(toks, w, lexis.Fold(w))
}

// addFolded adds a word whose folded form is f.
func addFolded(toks []token, w, f string) []token {
	r, _ := utf8.DecodeRuneInString(w)
	whole := token{raw: w, fold: f, upper: unicode.IsUpper(r), number: unicode.IsDigit(r) || r == '+'}
	if base, ok := strings.CutSuffix(f, "n't"); ok && base != "" {
		base = cmp.Or(map[string]string{"ca": "can", "wo": "will"}[base], base)
		return append(toks, token{raw: base, fold: base, upper: whole.upper}, token{raw: "not", fold: "not"})
	}
	if f == "cannot" {
		return append(toks, token{raw: "can", fold: "can"}, token{raw: "not", fold: "not"})
	}
	at := strings.IndexByte(f, '\'')
	if whole.number || at <= 0 || at == len(f)-1 || len(f) != len(w) && !strings.HasSuffix(f, "'s") {
		return append(toks, whole)
	}
	head, tail := f[:at], f[at+1:]
	raw := w[:strings.IndexByte(w, '\'')]
	switch {
	case tail == "s" && slices.Contains([]string{"it", "that", "he", "she", "there", "what"}, head):
		return append(toks, token{raw: raw, fold: head, upper: whole.upper}, token{raw: "is", fold: "is"})
	case slices.Contains([]string{"s", "re", "ve", "ll", "d", "m"}, tail):
		return append(toks, token{raw: raw, fold: head, upper: whole.upper}, token{raw: "'" + tail, fold: "'" + tail})
	case len(head) == 1 || head == "qu":
		if toks = append(toks, token{raw: raw, fold: head}); len(raw) == at {
			return addFolded(toks, w[at+1:], tail) // folded once, however many apostrophes follow
		}
		return addWord(toks, w[at+1:])
	}
	return append(toks, whole)
}

// canonical is what an ordinary word has in common with its other forms. The stem of a derived word keeps its ending, so that universe
// and university stay two.
func canonical(t token) string {
	f := t.fold
	if t.upper || len(f) < 4 || !letters(f) && strings.ContainsAny(f, "0123456789-") {
		return dashless(f)
	}
	s := lexis.Stem(f)
	p := 0
	for p < len(s) && p < len(f) && s[p] == f[p] {
		p++
	}
	rest := f[p:]
	if p < 3 || f[0] >= 0x80 || inflection[rest] || len(rest) > 1 && rest[0] == f[p-1] && inflection[rest[1:]] {
		return s
	}
	return s + "~" + rest
}

var inflection = map[string]bool{
	"": true, "s": true, "es": true, "ed": true, "d": true, "ing": true, "e": true, "y": true,
	"ies": true, "ied": true,
}

// dashless takes out hyphens between letters: e-mail is email, but 1-2 is not 12.
func dashless(f string) string {
	if !strings.ContainsRune(f, '-') {
		return f
	}
	var b strings.Builder
	for i := range len(f) {
		if f[i] != '-' || digitAt(f, i-1) && digitAt(f, i+1) {
			b.WriteByte(f[i])
		}
	}
	return b.String()
}
