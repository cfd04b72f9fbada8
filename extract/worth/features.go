package worth

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/lexis"
)

// maxTokens bounds the work for one sentence.
const maxTokens = 80

// A token is a word as the model sees it.
type token struct {
	word  string // folded
	class string // what stands for it in features of several words: a kind for numbers, dates and names, else the word
	pause bool   // punctuation stands before it
}

// features collects the buckets of a sentence.
type features []uint16

const (
	offset = 2166136261
	prime  = 16777619
)

// add puts in the feature that consists of these parts.
func (f *features) add(parts ...string) {
	h := uint32(offset)
	for _, p := range parts {
		for i := range len(p) {
			h = (h ^ uint32(p[i])) * prime
		}
		h = (h ^ 0x1F) * prime
	}
	h ^= h >> 15
	*f = append(*f, uint16(h%Buckets))
}

// flag puts in a feature where it holds, alone and with the subject of the sentence.
func (f *features) flag(holds bool, name, subject string) {
	if holds {
		f.add("flag", name)
		f.add("flag", name, subject)
	}
}

// Features returns the buckets of a sentence in rising order, each once.
func Features(sentence string) []uint16 {
	ts := tokens(sentence)
	f := make(features, 0, 6*len(ts)+40)
	for i, t := range ts {
		f.add("stem", lexis.Stem(t.word))
		if i > 0 {
			f.add("pair", ts[i-1].class, t.class)
			f.add("form", ts[i-1].form(), t.form())
			f.add("mixed", ts[i-1].class, t.form())
		}
		if i > 1 {
			f.add("form3", ts[i-2].form(), ts[i-1].form(), t.form())
		}
	}
	f.shape(sentence, ts)
	slices.Sort(f)
	return slices.Compact(f)
}

// shape adds what the sentence is like as a whole.
func (f *features) shape(sentence string, ts []token) {
	at := func(i int) string {
		if i < 0 || i >= len(ts) {
			return "-"
		}
		return ts[i].class
	}
	subject := subjectOf(ts)
	f.add("subject", subject)
	f.add("start", at(0))
	f.add("start", at(0), at(1))
	f.add("start", at(0), at(1), at(2))
	count := map[string]int{}
	content, rare := 0, 0
	dangling := false
	noun := false // something was named that a pronoun may stand for
	for i, t := range ts {
		kind := kinds[t.word]
		if kind == "" && t.class != t.word {
			kind = t.class
		}
		if kind != "" {
			count[kind]++
		}
		if !lexis.IsStop(t.word) {
			content++
			if lexis.Frequency(t.word) < 30 {
				rare++
			}
		}
		if kind == "third" && !noun {
			dangling = true
		}
		if i > 0 && (kind == "name" || (ts[i-1].word == "my" || ts[i-1].word == "a" || ts[i-1].word == "an" || ts[i-1].word == "our") &&
			!lexis.IsStop(t.word)) {
			noun = true
		}
	}
	for _, k := range kindNames {
		n := count[k]
		f.flag(n > 0, k, subject)
		if n > 1 {
			f.add("many", k)
		}
		if n == 0 {
			f.add("none", k)
		}
	}
	f.flag(dangling, "dangling", subject)
	f.flag(strings.ContainsRune(sentence, '?'), "asks", subject)
	f.flag(strings.HasSuffix(sentence, "!"), "cries", subject)
	f.flag(strings.HasSuffix(sentence, "."), "stops", subject)
	f.flag(strings.ContainsAny(sentence, "`{}<>\\|="), "signs", subject)
	first, _ := utf8.DecodeRuneInString(sentence)
	f.flag(unicode.IsLower(first), "lower", subject)
	f.add("words", bucket(len(ts)))
	f.add("content", bucket(content), subject)
	f.add("content", bucket(content))
	f.add("rare", bucket(rare))
	f.add("specific", bucket(count["name"]+count["number"]+count["year"]+count["month"]+rare), subject)
}

// bucket tells small numbers apart and larger ones roughly.
func bucket(n int) string {
	switch {
	case n < 6:
		return string(rune('0' + n))
	case n < 9:
		return "6+"
	case n < 14:
		return "9+"
	case n < 22:
		return "14+"
	}
	return "22+"
}

// subjectOf tells what kind of thing a sentence begins with.
func subjectOf(ts []token) string {
	for i, t := range ts {
		switch k := kinds[t.word]; {
		case k == "opener" || k == "when":
			continue
		case k != "":
			if k == "me" && i+1 < len(ts) && (t.word == "my" || t.word == "our") && kinds[ts[i+1].word] == "kin" {
				return "my kin"
			}
			return k
		case t.class != t.word:
			return t.class
		case strings.HasSuffix(t.word, "ing"):
			return "ing"
		case strings.HasSuffix(t.word, "ed"):
			return "ed"
		}
		return "other"
	}
	return "none"
}

// form is what kind of word it is: itself where it is a function word, else how it looks and how common it is.
func (t token) form() string {
	switch {
	case t.class != t.word:
		return t.class
	case lexis.IsStop(t.word) || strings.HasPrefix(t.word, "'"):
		return t.word
	}
	for _, s := range [...]string{"ing", "ed", "ly", "s"} {
		if len(t.word) > len(s)+2 && strings.HasSuffix(t.word, s) {
			return s
		}
	}
	switch f := lexis.Frequency(t.word); {
	case f > 200:
		return "common"
	case f > 20:
		return "usual"
	}
	return "rare"
}

// contractions are the words that short forms stand for.
var contractions = map[string]string{"'m": "am", "'re": "are", "'ve": "have", "'ll": "will", "'d": "would", "ca": "can", "wo": "will"}

// tokens cuts a sentence into words. Contractions count as two: I'm is i and 'm.
func tokens(text string) []token {
	out := make([]token, 0, 24)
	pause := true
	for _, field := range strings.Fields(text) {
		head := strings.TrimLeftFunc(field, mark)
		w := strings.TrimRightFunc(head, mark)
		opened := len(head) < len(field)
		if w == "" {
			pause = true
			continue
		}
		word := lexis.Fold(strings.ReplaceAll(w, "’", "'"))
		first, _ := utf8.DecodeRuneInString(w)
		class := classOf(word, w, unicode.IsUpper(first) && (len(out) > 0 && !pause || len(w) > 1 && strings.ToUpper(w) == w))
		rest := ""
		if head, not := strings.CutSuffix(word, "n't"); not {
			word, rest = cmp.Or(contractions[head], head), "not"
		} else if i := strings.LastIndexByte(word, '\''); i > 0 && len(word)-i <= 3 {
			word, rest = word[:i], cmp.Or(contractions[word[i:]], word[i:])
		}
		if rest != "" && class != "name" {
			class = word
		}
		out = append(out, token{word, class, pause || opened})
		if rest != "" {
			out = append(out, token{rest, rest, false})
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

// classOf gives the kind of word that stands for it in features of several words.
func classOf(word, text string, upper bool) string {
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
	}
	switch k := kinds[word]; k {
	case "month", "day":
		return k
	case "":
		if upper {
			return "name"
		}
	}
	return word
}
