package claim

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/lexis"
)

type tokenKind uint8

const (
	tokWord tokenKind = iota
	tokNumber
	tokPunct
)

// A token is a word, a number or a punctuation mark as it stands.
type token struct {
	raw, fold string
	kind      tokenKind
	upper     bool // begins with a capital
}

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) }

func joins(r rune) bool { return strings.ContainsRune("-_.@/:+#&'’", r) }

// scan cuts a text, until it has more than maxTokens. Joiners belong to a token where a word character follows.
func scan(s string) []token {
	toks := make([]token, 0, len(s)/5+2)
	for i := 0; i < len(s) && len(toks) <= maxTokens; {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case unicode.IsSpace(r) || strings.ContainsRune("\"“”„«»*`()[]", r):
			i += n
		case wordRune(r) || r == '+' && digitAt(s, i+1) || r == '/' && letterAt(s, i+1) && (i == 0 || s[i-1] == ' '):
			end := tokenEnd(s, i)
			toks = addWord(toks, s[i:end])
			i = end
		case r == '-' && i+2 < len(s) && s[i+1] == '-' && letterAt(s, i+2) && (i == 0 || s[i-1] == ' '): // --dry-run
			end := tokenEnd(s, i+2)
			toks = append(toks, token{raw: s[i:end], fold: lexis.Fold(s[i:end])})
			i = end
		case (r == '\'' || r == '’') && len(toks) > 0 && i > 0 && s[i-1] != ' ' &&
			strings.HasSuffix(toks[len(toks)-1].fold, "s") && spaceAt(s, i+n):
			toks = append(toks, token{raw: "'s", fold: "'s", kind: tokWord})
			i += n
		case r == '.' && (abbreviated(toks, s, i) || !endsSentence(s[i+1:])):
			i += n
		default:
			if strings.ContainsRune(",;.:?!€$£¥%°&=<>-–—", r) {
				toks = append(toks, token{raw: s[i : i+n], fold: s[i : i+n], kind: tokPunct})
			}
			i += n
		}
	}
	return toks
}

// abbreviated tells a full stop that belongs to the word before it: Dr., J.
func abbreviated(toks []token, s string, i int) bool {
	if len(toks) == 0 || i == 0 || s[i-1] == ' ' {
		return false
	}
	switch f := toks[len(toks)-1].fold; f {
	case "mr", "mrs", "ms", "dr", "st", "prof", "no", "nr", "sr", "sra", "mme", "approx", "vs":
		return true
	default:
		return len(f) == 1 && f[0] >= 'a' && f[0] <= 'z' && toks[len(toks)-1].upper
	}
}

// endsSentence tells whether a sentence may begin with what follows a full stop.
func endsSentence(rest string) bool {
	t := strings.TrimLeft(rest, " \t\"”»)")
	if t == "" {
		return true
	}
	r, _ := utf8.DecodeRuneInString(t)
	return len(t) < len(rest) && !unicode.IsLower(r)
}

func letterAt(s string, i int) bool {
	return i < len(s) && (s[i] >= 'a' && s[i] <= 'z' || s[i] >= 'A' && s[i] <= 'Z')
}

func digitAt(s string, i int) bool { return i < len(s) && s[i] >= '0' && s[i] <= '9' }
func spaceAt(s string, i int) bool { return i < len(s) && s[i] == ' ' }

func tokenEnd(s string, i int) int {
	start := i
	for i < len(s) {
		r, n := utf8.DecodeRuneInString(s[i:])
		next, _ := utf8.DecodeRuneInString(s[i+n:])
		switch {
		case wordRune(r), (r == '+' || r == '/') && i == start:
		case r == '+' || r == '#': // C++, C#
			if wordRune(next) && r == '#' {
				return i
			}
		case joins(r) && i+n < len(s) && wordRune(next):
			if r == ':' && !(digitAt(s, i+n) && i > start && digitAt(s, i-1)) && !strings.HasPrefix(s[i:], "://") {
				return i
			}
		case r == ',' && i > start && digitAt(s, i-1) && digitAt(s, i+n):
		case r == ':' && strings.HasPrefix(s[i:], "://"), r == '/' && i > start &&
			(s[i-1] == ':' || s[i-1] == '/') && i+1 < len(s) && s[i+1] != ' ':
		default:
			return i
		}
		i += n
	}
	return i
}

// addWord adds a word, cut at English and French apostrophes.
func addWord(toks []token, w string) []token {
	w = strings.ReplaceAll(w, "’", "'")
	f := lexis.Fold(w)
	r, _ := utf8.DecodeRuneInString(w)
	up := unicode.IsUpper(r)
	if unicode.IsDigit(r) || r == '+' {
		return append(toks, token{raw: w, fold: f, kind: tokNumber})
	}
	if base, ok := strings.CutSuffix(f, "n't"); ok && base != "" {
		switch base {
		case "ca":
			base = "can"
		case "wo":
			base = "will"
		}
		return append(toks, token{raw: base, fold: base, upper: up}, token{raw: "not", fold: "not"})
	}
	if f == "cannot" {
		return append(toks, token{raw: "can", fold: "can"}, token{raw: "not", fold: "not"})
	}
	if at := strings.LastIndexByte(f, '\''); at > 0 && at < len(f)-1 {
		head, tail := f[:at], f[at+1:]
		raw := w
		if k := strings.LastIndexByte(w, '\''); k > 0 {
			raw = w[:k]
		}
		switch {
		case tail == "s" && oneOf(head, "it", "that", "he", "she", "there", "what"):
			return append(toks, token{raw: raw, fold: head, upper: up}, token{raw: "is", fold: "is"})
		case oneOf(tail, "s", "re", "ve", "ll", "d", "m"):
			return append(toks, token{raw: raw, fold: head, upper: up}, token{raw: "'" + tail, fold: "'" + tail})
		case len(head) == 1 || head == "qu":
			rest := w[strings.IndexByte(w, '\'')+1:]
			toks = append(toks, token{raw: raw, fold: head})
			return addWord(toks, rest)
		}
	}
	return append(toks, token{raw: w, fold: f, upper: up})
}

// canonical is what an ordinary word has in common with its other forms. The stem of a derived word
// keeps its ending, so that universe and university stay two.
func canonical(t token) string {
	f := t.fold
	switch {
	case strings.ContainsAny(f, "0123456789"),
		t.upper || len(f) < 4,
		strings.ContainsRune(f, '-'):
		return dashless(f)
	}
	s := lexis.Stem(f)
	p := 0
	for p < len(s) && p < len(f) && s[p] == f[p] {
		p++
	}
	if p < 3 {
		return s
	}
	switch rest := f[p:]; {
	case inflection(rest), len(rest) > 1 && p > 0 && rest[0] == f[p-1] && inflection(rest[1:]):
		return s
	case f[0] >= 0x80:
		return s
	default:
		return s + "~" + rest
	}
}

func inflection(s string) bool {
	return oneOf(s, "", "s", "es", "ed", "d", "ing", "e", "y", "ies", "ied", "ying")
}

// dashless takes out hyphens between letters: e-mail is email, but 1-2 is not 12.
func dashless(f string) string {
	if !strings.ContainsRune(f, '-') {
		return f
	}
	var b strings.Builder
	for i := 0; i < len(f); i++ {
		if f[i] == '-' && !(i > 0 && digitAt(f, i-1) && digitAt(f, i+1)) {
			continue
		}
		b.WriteByte(f[i])
	}
	return b.String()
}

// oneOf tells whether a value is among a few.
func oneOf[T comparable](x T, few ...T) bool { return slices.Contains(few, x) }
