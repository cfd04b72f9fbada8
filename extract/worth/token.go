package worth

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/lexis"
)

// A token is a word as the model sees it.
type token struct {
	word   string // folded
	stem   string
	kind   string // see kinds; of other words name, number, year or mixed, or ""
	class  string // what stands for it beside other words: the kind of numbers, dates and names, else the word
	rarity string // function, common, usual or rare
	form   string // a function word itself, of others the class, the ending or the rarity
}

// maxTokens bounds the work for one sentence.
const maxTokens = 80

// contractions are the words that short forms stand for.
var contractions = map[string]string{"'m": "am", "'re": "are", "'ve": "have", "'ll": "will", "'d": "would", "ca": "can", "wo": "will"}

// tokens cuts a sentence into words. Contractions count as two: I'm is i and am.
func tokens(text string) []token {
	out := make([]token, 0, 24)
	pause := true
	for field := range strings.FieldsSeq(text) {
		head := strings.TrimLeftFunc(field, mark)
		w := strings.TrimRightFunc(head, mark)
		if w == "" {
			pause = true
			continue
		}
		word, rest := lexis.Fold(strings.ReplaceAll(w, "’", "'")), ""
		first, _ := utf8.DecodeRuneInString(w)
		kind := kindOf(word, w, unicode.IsUpper(first) && (!pause || len(w) > 1 && strings.ToUpper(w) == w))
		if head, not := strings.CutSuffix(word, "n't"); not {
			word, rest = cmp.Or(contractions[head], head), "not"
		} else if i := strings.LastIndexByte(word, '\''); i > 0 && len(word)-i <= 3 {
			word, rest = word[:i], cmp.Or(contractions[word[i:]], word[i:])
		}
		if out = append(out, newToken(word, kind)); rest != "" {
			out = append(out, newToken(rest, ""))
		}
		if len(out) >= maxTokens {
			break
		}
		pause = len(w) < len(head) && strings.ContainsAny(head[len(w):], ".!?:;")
	}
	return out
}

func mark(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsNumber(r) && r != '$' && r != '€' && r != '£'
}

// newToken makes a token of a word of that kind; "" is as the word itself says.
func newToken(word, kind string) token {
	t := token{word: word, kind: cmp.Or(kind, kinds[word]), class: word}
	switch t.kind {
	case "name", "number", "year", "mixed", "month", "day":
		t.class = t.kind
	}
	known := lexis.WordOf(word)
	t.stem = known.Stem
	switch {
	case known.Stop || strings.HasPrefix(word, "'"):
		t.rarity = "function"
	case known.Frequency > 200:
		t.rarity = "common"
	case known.Frequency > 20:
		t.rarity = "usual"
	default:
		t.rarity = "rare"
	}
	switch {
	case t.class != word || t.rarity == "function":
		t.form = t.class
	default:
		t.form = cmp.Or(ending(word), t.rarity)
	}
	return t
}

func ending(word string) string {
	for _, s := range [...]string{"ing", "ed", "ly", "s"} {
		if len(word) > len(s)+2 && strings.HasSuffix(word, s) {
			return s
		}
	}
	return ""
}

// kindOf gives the kind of a word that its letters and digits show; a capital makes a name of a word that is of no other kind.
func kindOf(word, text string, upper bool) string {
	digits, letters := 0, 0
	for _, r := range text {
		switch {
		case unicode.IsDigit(r):
			digits++
		case unicode.IsLetter(r):
			letters++
		}
	}
	switch {
	case digits == 4 && letters == 0 && (text[0] == '1' || text[0] == '2'):
		return "year"
	case digits > 0 && letters == 0:
		return "number"
	case digits > 0:
		return "mixed"
	case upper && kinds[word] == "":
		return "name"
	}
	return ""
}

// subjectOf tells what kind of thing a sentence begins with.
func subjectOf(ts []token) string {
	for i, t := range ts {
		switch {
		case t.kind == "opener" || t.kind == "when":
			continue
		case (t.word == "my" || t.word == "our") && i+1 < len(ts) && ts[i+1].kind == "kin":
			return "my kin"
		case t.kind != "":
			return t.kind
		}
		return cmp.Or(ending(t.word), "other")
	}
	return "none"
}
