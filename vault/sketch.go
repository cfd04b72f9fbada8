package vault

import (
	"encoding/hex"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/reverie-memory/reverie/lexis"
)

// The sketch of a text is a keyed hash of what is left when the ways are taken away in which people say the same
// thing again: fillers, contractions, "4 March" for "March 4th", "the code for the door" for "the door code", a place or
// time moved to the front, the sides of a plain "is" swapped. Everything else has to be there word for word: a similarity
// measure would let one changed number, name, colour or "not" pass in a long enough text, and a wrong match hides a
// memory. The order of words counts as well ("Alice beats Bob"), except where turning it round keeps the meaning.

// maxTurned is the number of words up to which the order may be turned.
const maxTurned = 16

// sketch is the 64-bit sketch of a text, in hex; "" when too little is left to tell texts apart.
func sketch(key []byte, text string) string {
	words := canonical(text)
	if len(words) < 2 {
		return ""
	}
	return hex.EncodeToString(keyed(key, "sketch", strings.Join(words, " "))[:8])
}

// SameWords tells whether two texts have the same sketch, whatever the key: the same but for the ways in which people say a thing again.
func SameWords(a, b string) bool {
	x, y := canonical(a), canonical(b)
	return len(x) > 1 && slices.Equal(x, y) || a == b
}

// Turned tells whether two texts have the words of one sketch in different orders, so that they say different things: who lent whom what.
func Turned(a, b string) bool {
	x, y := canonical(a), canonical(b)
	return !slices.Equal(x, y) && slices.Equal(slices.Sorted(slices.Values(x)), slices.Sorted(slices.Values(y)))
}

// The word lists are made when they are first needed: most starts of the program never do.
type wordLists struct {
	fillers, copulas, determiners, rigid, places, times, ends map[string]bool
	numbers, months                                           map[string]string
	leadIns                                                   [][]string // what only announces a statement
}

var lists = sync.OnceValue(newWordLists)

func newWordLists() *wordLists {
	l := &wordLists{
		fillers: lexis.Set(`a an the that just really actually basically simply also so oh please very
				currently now already still do does definitely certainly honestly literally hey hi yes yeah ok okay um uh btw fyi`),
		copulas:     lexis.Set("is are am be"),
		determiners: lexis.Set("the a an my our your his her their its this"),
		// After these, or between them, order is meaning.
		rigid: lexis.Set(`not no never without nobody nothing none neither nor but than over instead rather except unless
				before after from to into against above below under via until while because if when then versus vs`),
		places: lexis.Set("in on at for during near since"),
		times:  lexis.Set("yesterday today tomorrow tonight"),
		ends: lexis.Set(`is are am be was were has have had will would can could should does do did in on at by from to with
				since until and or but because`),
		numbers: map[string]string{},
		months:  map[string]string{},
	}
	for i, w := range strings.Fields("two three four five six seven eight nine ten eleven twelve") {
		l.numbers[w] = string("23456789"[min(i, 7)])
		if i > 7 {
			l.numbers[w] = []string{"10", "11", "12"}[i-8]
		}
	}
	for _, lead := range []string{"remember", "note", "by way", "as i said", "i told you", "you know", "for record"} {
		l.leadIns = append(l.leadIns, strings.Fields(lead))
	}
	for m := range strings.FieldsSeq("january february march april may june july august september october november december") {
		l.months[m] = m
		if m != "may" {
			l.months[m[:3]] = m
		}
	}
	return l
}

// A word is a token of a text on its way to the sketch.
type word struct {
	s   string
	det bool // an article or the like stands before it
	cap bool // written with a capital within a sentence: a name, whatever the word
}

// canonical is the sequence of words that paraphrases share.
func canonical(text string) []string {
	ws, commas, sentences, commaAt := tokens(text)
	l := lists()
	ws = invert(dates(ws, l), l)
	out := make([]string, 0, len(ws))
	copulas := 0
	for _, w := range ws {
		switch {
		case l.copulas[w.s] && !w.cap:
			copulas++
		case w.cap || !l.fillers[w.s]:
			out = append(out, w.s)
		}
	}
	out = trimLeadIn(out, l)
	out = sortPairs(out, l)
	if len(out) <= maxTurned && sentences <= 1 && turns(out, copulas, commas, commaAt, l) {
		out = leastRotation(out)
	}
	return out
}

// turns tells whether the words may be read from another starting point without another meaning.
func turns(ws []string, copulas, commas, commaAt int, l *wordLists) bool {
	adverbials, groups, inNumber := 0, 0, false
	for _, w := range ws {
		if l.rigid[w] || w == "?" {
			return false
		}
		if l.places[w] || l.times[w] {
			adverbials++
		}
		number := strings.ContainsFunc(w, unicode.IsDigit) || l.months[w] != ""
		if number && !inNumber {
			groups++
		}
		inNumber = number
	}
	if groups > 1 || adverbials > 1 || commas > 1 {
		return false
	}
	if commas == 1 { // only the one that sets a fronted place or time off
		return adverbials == 1 && (l.places[ws[0]] || l.times[ws[0]]) && commaAt <= 4
	}
	return adverbials == 1 || copulas == 1
}

// leastRotation is the rotation that sorts first, the same for all rotations of a sequence.
func leastRotation(ws []string) []string {
	twice, best := append(slices.Clone(ws), ws...), 0
	for i := 1; i < len(ws); i++ {
		if slices.Compare(twice[i:i+len(ws)], twice[best:best+len(ws)]) < 0 {
			best = i
		}
	}
	return twice[best : best+len(ws)]
}

// trimLeadIn takes off what only announces a statement.
func trimLeadIn(ws []string, l *wordLists) []string {
	for _, lead := range l.leadIns {
		if len(ws) >= len(lead)+2 && slices.Equal(ws[:len(lead)], lead) {
			ws = ws[len(lead):]
			break
		}
	}
	if n := len(ws); n > 3 && ws[n-1] == "lot" {
		ws = ws[:n-1]
	}
	return ws
}

// dates writes a day before its month and takes the "of" between them away.
func dates(ws []word, l *wordLists) []word {
	out := make([]word, 0, len(ws))
	for i := 0; i < len(ws); i++ {
		month := l.months[ws[i].s]
		n := len(out)
		switch {
		case month != "" && n > 1 && out[n-1].s == "of" && isDayNumber(out[n-2].s):
			out = append(out[:n-1], word{s: month})
		case month != "" && n > 0 && isDayNumber(out[n-1].s):
			out = append(out, word{s: month})
		case month != "" && i+1 < len(ws) && isDayNumber(ws[i+1].s):
			out = append(out, ws[i+1], word{s: month})
			i++
		default: // "mar" alone may be anything
			out = append(out, ws[i])
		}
	}
	return out
}

func isDayNumber(s string) bool {
	return len(s) == 1 && s[0] >= '1' && s[0] <= '9' ||
		len(s) == 2 && s[0] >= '1' && s[0] <= '3' && s[1] >= '0' && s[1] <= '9' && s <= "31"
}

// invert turns "the code for the front door" into "front door code".
func invert(ws []word, l *wordLists) []word {
	for i := 1; i+1 < len(ws); i++ {
		if ws[i].s != "of" && (ws[i].s != "for" || !ws[i-1].det) || l.ends[ws[i-1].s] || l.fillers[ws[i-1].s] {
			continue
		}
		var noun []word
		j := i + 1
		for ; j < len(ws) && !l.ends[ws[j].s] && len(noun) < 4; j++ {
			if !l.fillers[ws[j].s] {
				noun = append(noun, ws[j])
			}
		}
		if len(noun) == 0 || len(noun) > 3 {
			continue
		}
		turned := slices.Clone(ws[:i-1])
		turned = append(turned, noun...)
		turned = append(turned, word{s: ws[i-1].s})
		return append(turned, ws[j:]...)
	}
	return ws
}

// sortPairs orders the two sides of an "and" or "or" where nothing else can belong to either.
func sortPairs(ws []string, l *wordLists) []string {
	for i := 1; i+1 < len(ws); i++ {
		if ws[i] != "and" && ws[i] != "or" {
			continue
		}
		last := i+2 == len(ws)
		if (last || i == 1) && ws[i-1] > ws[i+1] && !l.rigid[ws[i-1]] && !l.rigid[ws[i+1]] {
			ws[i-1], ws[i+1] = ws[i+1], ws[i-1]
		}
	}
	return ws
}

// alike writes signs of one meaning in one way.
var alike = strings.NewReplacer("’", "'", "‘", "'", "−", "-")

// tokens splits a text into words, numbers and symbols, and counts its commas and sentences. commaAt is the number of
// words before the first comma.
func tokens(text string) (ws []word, commas, sentences, commaAt int) {
	l := lists()
	s := text
	if strings.ContainsFunc(text, beyondASCII) {
		s = alike.Replace(norm.NFKC.String(text))
	}
	ws = make([]word, 0, len(s)/5+1)
	det, ended := false, true
	push := func(t string, capital bool) {
		ws = append(ws, word{t, det && !l.determiners[t], capital && !ended})
		det = l.determiners[t]
		if ended {
			sentences++
			ended = false
		}
	}
	before := ' '
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case isWordRune(r), r == '-' && !isWordRune(before) && i+1 < len(s) && isDigit(s[i+1]):
			end := wordEnd(s, i+n)
			first, second := expand(strings.ToLower(s[i:end]), l)
			push(first, unicode.IsUpper(r))
			if second != "" {
				push(second, unicode.IsUpper(r))
			}
			before = 'a'
			i = end
			continue
		case r == '?':
			push("?", false)
			ended = true
		case r == ',':
			if commas++; commas == 1 {
				commaAt = len(ws)
			}
		case r == '.' || r == ';' || r == '!' || r == '\n' || r == ':':
			ended = true
		case unicode.IsSymbol(r), strings.ContainsRune("%#@&*/_\\§¶", r):
			push(string(r), false)
		}
		before = r
		i += n
	}
	return ws, commas, sentences, commaAt
}

func beyondASCII(r rune) bool { return r >= utf8.RuneSelf }

func isWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	}
	return unicode.In(r, unicode.L, unicode.M, unicode.N)
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// wordEnd finds the end of the word: an apostrophe joins letters, and .,:/- join digits.
func wordEnd(s string, i int) int {
	for i < len(s) {
		r, n := utf8.DecodeRuneInString(s[i:])
		if !isWordRune(r) {
			next, _ := utf8.DecodeRuneInString(s[i+n:])
			digits := isDigit(s[i-1]) && unicode.IsDigit(next) && strings.ContainsRune(".,:/-", r)
			if !digits && (r != '\'' || !unicode.IsLetter(next)) {
				return i
			}
		}
		i += n
	}
	return i
}

// expand undoes a contraction, which may give two words, and writes numbers in digits.
func expand(w string, l *wordLists) (first, second string) {
	if d := l.numbers[w]; d != "" {
		return d, ""
	}
	if len(w) > 2 && isDigit(w[0]) {
		for _, end := range [...]string{"st", "nd", "rd", "th"} {
			if n, ok := strings.CutSuffix(w, end); ok && strings.Trim(n, "0123456789") == "" {
				return n, ""
			}
		}
	}
	switch {
	case w == "cannot", w == "can't":
		return "can", "not"
	case w == "won't":
		return "will", "not"
	case !strings.Contains(w, "'"):
		return w, ""
	}
	if base, ok := strings.CutSuffix(w, "n't"); ok {
		return base, "not"
	}
	for _, c := range [...][2]string{{"'s", ""}, {"'m", "am"}, {"'re", "are"}, {"'ve", "have"}, {"'ll", "will"}} {
		if base, ok := strings.CutSuffix(w, c[0]); ok {
			return base, c[1]
		}
	}
	return w, ""
}
