package extract

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/reverie-memory/reverie/lexis"
)

//go:embed vital.txt
var vitalList string

// A kind of vital.txt holds phrases, by the words that they are written with.
type vitalKind struct {
	exact map[string]bool // phrases of up to vitalWords words
	parts [][2]string     // beginnings and ends that any letters may go with
}

const vitalWords = 4

var vitals = sync.OnceValue(func() map[string]*vitalKind {
	kinds := map[string]*vitalKind{}
	for line := range strings.SplitSeq(vitalList, "\n") {
		kind, words, ok := strings.Cut(line, ": ")
		if !ok || line[0] == '#' {
			continue
		}
		if kinds[kind] == nil {
			kinds[kind] = &vitalKind{exact: map[string]bool{}}
		}
		for w := range strings.FieldsSeq(words) {
			w = strings.ReplaceAll(w, "_", " ")
			if head, end, open := strings.Cut(w, "*"); open {
				kinds[kind].parts = append(kinds[kind].parts, [2]string{head, end})
			} else {
				kinds[kind].exact[w] = true
			}
		}
	}
	return kinds
})

// holds tells a phrase of a kind of vital.txt at one of the words from i to n of a clause, before it pauses.
func (c clause) holds(kind string, i, n int) bool {
	k := vitals()[kind]
	for ; i < min(n, len(c.words)); i++ {
		phrase := ""
		for j := i; j < min(i+vitalWords, len(c.words)) && (j == i || !pause(c.words[j].gap)); j++ {
			if j > i {
				phrase += " "
			}
			if phrase += c.at(j); nouns[kind] && !c.headed(j) {
				continue
			}
			if k.exact[phrase] || slices.ContainsFunc(k.parts, func(p [2]string) bool {
				return len(phrase) >= len(p[0])+len(p[1])+2 && strings.HasPrefix(phrase, p[0]) && strings.HasSuffix(phrase, p[1])
			}) {
				return true
			}
		}
		if c.ends(i) {
			return false
		}
	}
	return false
}

// nouns are the kinds whose phrases are nouns.
var nouns = lexis.Set("has goes drug pet role")

// headed tells that word i may be the last one of a noun: depression, but not depression charts.
func (c clause) headed(i int) bool {
	next := c.at(i + 1)
	return c.ends(i) || lexis.IsStop(next) || finite(next) || strings.HasSuffix(next, "ly") || isDigits(next[:min(1, len(next))]) ||
		next == "every" || next == "twice" || next == "called" || next == "named" || next == "aged" || next == "since"
}

// reach is how many words behind a verb say what it is about.
const reach = 7

// vital tells a clause that does harm when nobody remembers it: an illness, a medicine, what somebody must or will not eat, who they are,
// who belongs to them. It speaks of the speaker, of someone of theirs, or of a name.
func vital(c clause) bool {
	if c.asking() || conditional[c.at(0)] {
		return false
	}
	if first := c.at(0); (first == "the" || first == "our" || first == "my") && named(c, 1) && c.holds("lost", 2, 5) {
		return true
	}
	v, verb := c.holder()
	if v < 0 {
		return false
	}
	self := selfWord(c.at(0)) && c.at(0) != "my" && c.at(0) != "our"
	to := v + 1 + reach
	if self && (verb == "have" || verb == "need") && c.at(v+1) == "to" { // what has to be done by a day
		return dated(c) && !c.hasAny(passing)
	}
	switch verb {
	case "am", "is", "are", "was", "be", "been", "became":
		switch w := c.at(v + 1); {
		case c.holds("is", v+1, v+5) && !c.hasAny(figures), c.holds("goes", v+1, v+3),
			(w == "on" || w == "off" || isIng(w)) && c.holds("drug", v+2, to):
			return true
		case self && verb == "am":
			n, err := strconv.Atoi(w)
			return err == nil && n >= 10 && n < 110 && (c.ends(v+1) || strings.HasPrefix(c.at(v+2), "year"))
		case c.at(0) == "my" && (c.at(v) == "name's" || c.at(v-1) == "name"):
			return upperFirst(c.words[min(v+1, len(c.words)-1)].text)
		case c.at(0) == "the" || c.at(0) == "our":
			return v == 2 && vitals()["role"].exact[c.at(1)] && c.isNamed(v+1)
		}
	case "have", "has", "had", "got":
		return c.holds("has", v+1, to) || self && counted(c, v+1) || c.holds("drug", v+1, v+3)
	case "take", "takes", "taking", "need", "needs", "stopped", "started", "put", "switched", "raised", "increased", "lowered", "reduced",
		"prescribed":
		return c.holds("drug", v+1, to) || verb == "prescribed"
	case "keep", "keeps", "eat", "eats":
		return c.holds("is", v+1, v+3)
	case "can't", "cannot", "don't", "doesn't", "mustn't", "never", "won't":
		return slices.Contains([]string{"eat", "eats", "drink", "tolerate", "digest"}, c.at(v+1)) && liked(c, v+2) ||
			c.at(v+1) == "stand" && liked(c, v+2)
	case "like", "love", "hate", "dislike", "enjoy", "detest", "loathe", "adore":
		return self && liked(c, v+1)
	case "use", "uses":
		return c.holds("has", v+1, v+4)
	}
	return false
}

// holder is the verb that says something of the speaker, of someone of theirs or of a name, and where it stands: glued to I it is at I. -1
// where there is none.
func (c clause) holder() (at int, verb string) {
	first, short, _ := strings.Cut(c.at(0), "'")
	glued := map[string]string{"m": "am", "re": "are", "ve": "have"}[short]
	skip := func(i int) int {
		for adverbs[c.at(i)] || strings.HasSuffix(c.at(i), "ly") && !isBase(c.at(i)) {
			i++
		}
		return i
	}
	switch {
	case (first == "i" || first == "we") && glued != "":
		return skip(1) - 1, glued
	case first == "im" || first == "ive":
		return skip(1) - 1, map[string]string{"im": "am", "ive": "have"}[first]
	case (first == "i" || first == "we") && short == "":
		v := skip(1)
		return v, c.at(v)
	case len(c.words) < 3 || first != "my" && first != "our" && !(first == "the" && vitals()["role"].exact[c.at(1)]) && !named(c, 0):
		return -1, ""
	}
	for i := 1; i < min(len(c.words), 6); i++ {
		w := c.at(i)
		if pause(c.words[i].gap) {
			break
		}
		if name, is := strings.CutSuffix(w, "'s"); is && name == "name" {
			return i, "is" // my name's
		}
		if finite(w) || verbs().past[w] {
			at := skip(i)
			return at, c.at(at)
		}
	}
	return -1, ""
}

// isNamed tells a name at word i, behind a title.
func (c clause) isNamed(i int) bool {
	for titles[strings.TrimSuffix(c.at(i), ".")] || c.at(i) == "herr" || c.at(i) == "frau" {
		i++
	}
	return i < len(c.words) && upperFirst(c.words[i].text) && named(c, i)
}

// counted tells how many animals or relatives somebody has, or which: three cats, a dog.
func counted(c clause, i int) bool {
	if c.at(i) == "got" {
		i++
	}
	return numbers[c.at(i)] > 0 && c.holds("pet", i+1, i+3) || isDigits(c.at(i)) && c.holds("pet", i+1, i+3)
}

func isDigits(w string) bool { _, err := strconv.Atoi(w); return err == nil }

// liked tells that the words from i on name a kind of thing that is liked or not, and nothing at hand: figs, hiking, phone calls.
func liked(c clause, i int) bool {
	n := i
	for ; n < len(c.words) && (n == i || !pause(c.words[n].gap)); n++ {
		if handy[c.at(n)] || selfWord(c.at(n)) {
			return false
		}
	}
	return i < n && n-i <= 5 && !lexis.IsStop(c.at(i)) && !numbersOrMore(c.at(i))
}

func numbersOrMore(w string) bool { return numbers[w] > 0 || isDigits(w) }

// figures are words with which illness is told of what has none: blind to the problem.
var figures = lexis.Set("server build code test tests problem comments requests community")

// handy are words for what is before the eyes of those who talk.
var handy = lexis.Set(`that this these those it the your you one ones option options version variant idea approach answer answers suggestion
	first second third both either what how when where to code bug bugs error errors`)

// manner tells an order about how answers are to be, and about nothing at hand: "don't use emojis", "write in British English".
func manner(c clause) bool {
	if len(c.words) < 2 || len(c.words) > 14 || c.asking() || c.hasAny(athand) {
		return false
	}
	i := 0
	for c.at(i) == "please" || c.at(i) == "just" || c.at(i) == "also" {
		i++
	}
	w, next := c.at(i), c.at(i+1)
	switch {
	case c.definite():
		return false
	case w == "no", w == "stop" && strings.HasSuffix(next, "ing"), w == "avoid", w == "skip", w == "use" && next != "a" && next != "an":
	case refusals[w], w == "do" && next == "not":
	case speaking[w]:
		return (next == "in" || next == "with" || next == "without" || next == "only") && c.holds("manner", i+2, i+6)
	default:
		return false
	}
	return c.holds("manner", i+1, i+6)
}

// definite tells a "the" of something at hand, and not of "all the time".
func (c clause) definite() bool {
	for i := range c.words {
		if c.at(i) == "the" && c.at(i-1) != "all" {
			return true
		}
	}
	return false
}

// wishes is where a wish begins that stands behind something else in a sentence, and where that ends; 0 for none.
func wishes(c clause) (begins, ends int) {
	if c.asking() || conditional[c.at(0)] {
		return 0, 0
	}
	for i := 2; i+2 < len(c.words); i++ {
		j := i
		for c.at(j) == "and" || c.at(j) == "so" || c.at(j) == "but" {
			j++
		}
		gap := strings.TrimSpace(c.words[i].gap)
		begins := c.at(j) == "please" || pause(gap) && (gap != "," || j > i) // I was there, never again
		if !begins || strings.Contains(gap, "(") || !hasClause(c.words[:i]) {
			continue
		}
		if _, kind := lead(c.from(j)); kind == wish || kind == rule && c.at(j) == "please" {
			return j, i
		}
	}
	return 0, 0
}

var (
	speaking = lexis.Set("answer reply respond write speak talk")
	athand   = lexis.Set("this that these those here it yet now today tonight again one its below above")
)
