package sense

import (
	"cmp"
	_ "embed"
	"maps"
	"math/bits"
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/vault"
)

// A token is a word as the model sees it.
type token struct {
	word  string // folded
	stem  string
	class string // what stands for it beside other words: the kind of numbers, dates, names and code, and of whoever speaks; else the stem
	cues  uint32 // the sides that it tells of, a bit each
}

// kind is the first side that the word tells of, or the word.
func (t token) kind() string {
	if t.cues != 0 {
		return names[bits.TrailingZeros32(t.cues)]
	}
	return t.stem
}

//go:embed cues.txt
var cueText string

// Cue is the side that a word alone tells of, in five languages; ok is false where it tells of none.
func Cue(word string) (side Side, ok bool) {
	if side, ok = Named(word); ok {
		return side, true
	}
	c := cuesOf(lexis.Fold(word), lexis.Stem(word))
	return Side(bits.TrailingZeros32(c)), c != 0
}

// cuesOf are the sides that a word tells of: by itself, by its stem, or as what a compound ends in.
func cuesOf(word, stem string) uint32 {
	if c := cues()[word]; c != 0 {
		return c
	}
	if c := cues()[stem]; c != 0 || len(word) < 9 {
		return c
	}
	for i := max(3, len(word)-longestCue()); i+5 <= len(word); i++ {
		if c := cues()[word[i:]]; c != 0 {
			return c
		}
	}
	return 0
}

// cues are the sides that words and stems tell of.
var cues = sync.OnceValue(func() map[string]uint32 {
	words, all := map[string]uint32{}, map[string]uint32{}
	for line := range strings.Lines(cueText) {
		fields := strings.Fields(line)
		side, ok := Named(fields[0])
		for _, w := range fields[1:] {
			if ok {
				words[lexis.Fold(w)] |= 1 << side
			}
		}
	}
	for w, c := range words {
		all[lexis.Stem(w)] |= c
	}
	maps.Copy(all, words) // a word itself says more than what has its stem
	return all
})

// longestCue is how many bytes the longest of cues has.
var longestCue = sync.OnceValue(func() (n int) {
	for w := range cues() {
		n = max(n, len(w))
	}
	return n
})

// maxTokens bounds the work for one statement.
const maxTokens = 60

// The classes of whoever speaks, and of what is theirs.
const (
	me = "#me"
	my = "#my"
)

// classes are the words that one class stands for.
var classes = func() map[string]string {
	m := map[string]string{}
	for class, list := range map[string]string{
		me: "i im ive id ill me we us ich mir mich wir uns je j moi nous yo nosotros nosotras io noi",
		my: `my mine our ours mein meine meinen meinem meiner unser unsere unserem unseren unserer mon ma mes notre nos mi mis nuestro nuestra
			nuestros nuestras mio mia miei mie nostro nostra`,
		"#date": `january february march april june july august september october november december monday tuesday wednesday thursday friday
			saturday sunday januar februar marz april mai juni juli oktober dezember montag dienstag mittwoch donnerstag freitag samstag
			sonntag janvier fevrier mars avril juin juillet aout septembre octobre novembre decembre lundi mardi mercredi jeudi vendredi
			samedi dimanche enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre lunes martes miercoles
			jueves viernes sabado domingo gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre lunedi martedi mercoledi
			giovedi venerdi sabato domenica`,
	} {
		for w := range strings.FieldsSeq(list) {
			m[w] = class
		}
	}
	return m
}()

// ofOthers are the words that mean whoever speaks where a clause began with their name.
var ofOthers = map[string]string{"she": me, "he": me, "they": me, "her": my, "his": my, "their": my}

// forms are the words that verbs have for somebody else.
var forms = map[string]string{"has": "have", "is": "am", "are": "am", "doesn": "don", "was": "were"}

// inserted are the dates that stand in somebody's words for their own.
var inserted = regexp.MustCompile(` ?\[[^\]]*\d[^\]]*\]`)

// tokens cuts a statement into words. Who says it, or whom it tells of first, has one class, by whatever name.
func tokens(statement string) []token {
	_, words, quoted := vault.CutQuote(statement)
	if quoted {
		words = inserted.ReplaceAllString(words, "")
	} else {
		words = statement
	}
	out := make([]token, 0, 24)
	pause, told := true, quoted
	for field := range strings.FieldsSeq(words) {
		w := strings.ReplaceAll(strings.TrimFunc(field, mark), "’", "'")
		if w == "" {
			continue
		}
		if owner, owns := strings.CutSuffix(w, "'s"); owns {
			w = owner
		}
		head, tail, cut := strings.Cut(w, "'")
		if cut && len(head) <= 2 && len(tail) > 2 { // l'école
			out, w = append(out, newToken(head, true)), tail
		} else if cut && head != "" { // I've
			w = head
		}
		t := newToken(w, pause)
		switch {
		case told:
		case t.class == me || t.class == my:
			told = true
		case len(out) < 8 && subjectName(t, out):
			if t.class, told = me, true; t.word == "user" {
				out = out[:max(0, len(out)-1)]
			}
			if strings.Contains(field, "'s") || strings.Contains(field, "’s") {
				t.class = my
			}
		}
		if out = append(out, t); len(out) >= maxTokens {
			break
		}
		pause = strings.ContainsAny(field[len(field)-1:], ".!?:")
	}
	if !quoted && told {
		for i := range out {
			if c := ofOthers[out[i].word]; c != "" {
				out[i].class = c
			}
		}
	}
	return out
}

func mark(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !strings.ContainsRune("$€£`", r)
}

// subjectName tells whether a clause begins with this name, or with the user.
func subjectName(t token, before []token) bool {
	if t.word == "user" {
		return len(before) == 0 || before[len(before)-1].word == "the"
	}
	return t.class == "#name"
}

// newToken makes a token of a word as it is written; first tells that a sentence begins with it.
func newToken(w string, first bool) token {
	t := token{word: lexis.Fold(w)}
	if f := forms[t.word]; f != "" {
		t.word = f
	}
	t.stem = lexis.Stem(t.word)
	t.stem = cmp.Or(t.stem, t.word)
	t.class, t.cues = t.stem, cuesOf(t.word, t.stem)
	r, _ := utf8.DecodeRuneInString(w)
	digits := strings.ContainsAny(w, "0123456789")
	letters := strings.ContainsFunc(w, unicode.IsLetter)
	switch {
	case classes[t.word] != "":
		t.class = classes[t.word]
	case strings.ContainsAny(w, "$€£"):
		t.class = "#money"
	case digits && !letters && len(w) == 4 && (w[0] == '1' || w[0] == '2'):
		t.class = "#year"
	case digits && !letters:
		t.class = "#number"
	case digits || strings.ContainsAny(w, "_`/.(") || strings.ContainsFunc(w[1:], unicode.IsUpper) && strings.ToUpper(w) != w:
		t.class = "#code"
	case unicode.IsUpper(r) && (!first || lexis.Frequency(t.word) <= lexis.FrequencyFloor && !lexis.IsStop(t.word)):
		t.class = "#name"
	}
	return t
}
