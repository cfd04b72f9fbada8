package extract

import (
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/lexis"
)

// leans tells a clause that says something only to who has heard what was said before, or to the person spoken to.
func leans(c clause, kind int) bool {
	first := head(c.at(0))
	switch {
	case len(c.words) < 2, dangles(c), shows(c), kind == plain && (c.asking() || len(c.words) == 2 && !selfWord(first)), leaning[first],
		selfWord(first) && auxiliary(c.at(1)) && (len(c.words) == 2 || c.at(2) == "and" || c.at(2) == "but"): // I would, and …
		return true
	}
	return kind != wish && kind != rule && addresses(c)
}

// shows tells a clause that comes with a picture: I have a photo of my desk.
func shows(c clause) bool {
	for i := 2; i < min(6, len(c.words)); i++ {
		if next := c.at(i + 1); pictures[c.at(i)] && (next == "" || selfWord(next) || next == "of" || next == "from") {
			return true
		}
	}
	return false
}

var (
	pictures = lexis.Set("pic pics picture pictures photo photos image")
	leaning  = lexis.Set("what which who where why how")
	yours    = lexis.Set("you your yours u ur youre yall")
)

// addresses tells a clause that speaks to someone.
func addresses(c clause) bool {
	return slices.ContainsFunc(c.words, func(w word) bool { return !w.quoted && yours[head(w.low)] })
}

// elliptic gives the subject i to a clause that left its I out: "Just got back from Rome".
func elliptic(c clause, i string) clause {
	at := 0
	for adverbs[c.at(at)] {
		at++
	}
	switch w := c.at(at); {
	case len(c.words) < 4 || c.words[0].quoted || pause(c.words[at+1].gap):
	case isPast(w) && w != "was" && c.at(at+1) != "by" && (i != "I" || !hasClause(c.words[at+1:])):
		return c.after(i)
	}
	return c
}

// reported tells a clause that reports to have done something: "Called the landlord, done".
func reported(c clause) bool {
	n := len(c.words) - 1
	return n > 2 && c.at(n) == "done" && pause(c.words[n].gap) && (isPast(c.at(0)) || c.at(0) == "i" && isPast(c.at(1)))
}

// pronoun tells the words that make a clause unfit for the third person: who they stand for is not certain, or they agree with I.
func pronoun(w string) bool {
	h := head(w)
	return anaphors[h] || demonstratives[h] || selfWord(w) || yours[h] || h == "there" || h == "them" || h == "themselves" || h == "am"
}

// third puts a clause into the third person, where that is certain: its first word is I or my, or stands behind a date; no other pronoun
// follows, the verb is known, and no second verb would have to agree. A clause without any pronoun that begins with what it is about
// stays as it is.
func (w *writer) third(c clause) (clause, bool) {
	at := 0
	if len(c.words) > 0 && c.words[0].date {
		at = 1
	}
	if at >= len(c.words)-1 {
		return c, false
	}
	first, short, _ := strings.Cut(c.at(at), "'")
	if first == "im" || first == "ive" {
		first, short = "i", first[1:]
	}
	for i, word := range c.words {
		if word.quoted || i != at && pronoun(word.low) && (word.low != "am" || i > at+1) || word.date && c.at(i-1) != "since" && perfect(c, at) {
			return c, false
		}
	}
	me := word{gap: c.words[at].gap, text: w.me, low: strings.ToLower(w.me), fixed: true}
	if me.text == unknownSpeaker && at > 0 {
		me.text = "the user"
	}
	rest := c.words[at+1:]
	switch first {
	case "my":
		if !hasClause(rest) {
			return c, false
		}
		me.text += "'s"
	case "i":
		verbs, ok := agreeing(rest, short)
		if !ok {
			return c, false
		}
		rest = verbs
	default:
		return c, at == 0 && topical(c)
	}
	words := append(append(append([]word(nil), c.words[:at]...), me), rest...)
	return clause{words, c.tail}, true
}

// perfect tells I have done: a tense that no day goes with.
func perfect(c clause, at int) bool {
	i := at + 2
	for adverbs[c.at(i)] {
		i++
	}
	if c.at(at) == "i've" || c.at(at) == "ive" {
		return c.at(at+1) != "got"
	}
	return (c.at(at+1) == "have" || c.at(at+1) == "haven't") && isPast(c.at(i))
}

// topical tells a clause that begins with what it is about: a name, or a thing with an article, and has a verb.
func topical(c clause) bool {
	return (named(c, 0) || c.at(0) == "the") && hasClause(c.words[1:])
}

// hasClause tells words that a verb is among: one that agrees, or the base behind I, we or they, or one glued to a pronoun.
func hasClause(ws []word) bool {
	for i, w := range ws {
		j := i - 1
		for j > 0 && adverbs[ws[j].low] {
			j--
		}
		base := j >= 0 && plurals[ws[j].low] && isBase(w.low)
		if short := len(head(w.low)) < len(w.low); base || finite(w.low) || short && (selfWord(w.low) || anaphors[head(w.low)]) {
			return true
		}
	}
	return false
}

// agreeing gives the words after I in the form that they have after a name. short is what was glued to the I.
func agreeing(ws []word, short string) ([]word, bool) {
	v := 0
	for v < len(ws) && (adverbs[ws[v].low] || strings.HasSuffix(ws[v].low, "ly") && !isBase(ws[v].low)) {
		v++
	}
	if v == len(ws) {
		return nil, false
	}
	verb := ws[v].low
	if short != "" { // 'd is had or would
		insert := map[string]string{"m": "is", "ve": "has", "ll": "will"}[short]
		if short == "m" && twoVerbs(ws[v:]) {
			return nil, false
		}
		return append([]word{{gap: " ", text: insert, low: insert}}, ws...), insert != ""
	}
	form := agree(verb)
	switch {
	case form == "":
		return nil, false
	case form == verb:
		return ws, true
	}
	if !auxiliary(verb) && twoVerbs(ws[v:]) {
		return nil, false
	}
	out := append([]word(nil), ws...)
	out[v].text, out[v].low = form, form
	return out, true
}

// twoVerbs tells words behind I of which a second verb would have to agree as well: "cook and clean", "41 and live in Graz".
func twoVerbs(ws []word) bool {
	for i := 1; i+1 < len(ws); i++ {
		if w := ws[i].low; (w == "and" || w == "but" || w == "or" || w == "then") && isBase(ws[i+1].low) || adverbs[ws[i+1].low] && w == "and" {
			return true
		}
	}
	return false
}

var plurals = lexis.Set("i we you they")

var adverbs = lexis.Set(`really just also always never usually still already only often finally currently recently probably
	actually sometimes now
	even mostly mainly rarely barely hardly almost nearly simply once both`)

// foreign tells a sentence that is not English: most of its letters are not Latin, or its words are those of another language, known or
// not.
func foreign(s string) bool {
	latin, other := letters(s)
	language, known := lexis.Language(s)
	return other > latin || language != "en" && (language != "" || !known)
}
