package extract

import (
	"strings"
	"time"
)

// dangles tells a clause with a pronoun or pointing word for which nothing before it in the clause can stand.
func dangles(c clause) bool {
	introduced := false
	for i, w := range c.words {
		h := head(w.low)
		switch {
		case w.quoted:
		case anaphors[h]:
			if !introduced && !expletive(c, i) {
				return true
			}
		case demonstratives[h]:
			if (!introduced || h == "this") && pointing(c, i) {
				return true
			}
		case selfWord(w.low):
			introduced = introduced || h == "my" || h == "our"
		case determiners[c.at(i-1)] || named(c, i) || plural(w.low) || i > 0 && isIng(w.low) && !auxiliary(c.at(i-1)):
			introduced = true
		}
	}
	return false
}

var (
	anaphors       = set("it its they them their theirs he him his she her hers")
	demonstratives = set("this that these those")
	determiners    = set("a an my our some another two three four five six many several few other one no every each the")
)

func plural(w string) bool {
	return len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !finite(w)
}

// expletive tells an it that stands for nothing: it is important to, it was great that.
func expletive(c clause, i int) bool {
	if c.at(i) != "it" && c.at(i) != "it's" {
		return false
	}
	for j := i + 1; j < len(c.words) && j < i+6; j++ {
		switch c.at(j) {
		case "to", "that", "when", "how", "like", "if":
			return true
		}
	}
	return false
}

// pointing tells a demonstrative that points: no conjunction, no part of a date, and not the this of a story: I met this cute dog.
func pointing(c clause, i int) bool {
	if w, ok := relative(c, i, time.Time{}); ok && w.words > 0 {
		return false
	}
	w, next, before := c.at(i), c.at(i+1), c.at(i-1)
	if head(w) != "that" {
		return !vivid[next] && (w != "this" || !strings.HasSuffix(next, "ing"))
	}
	return w != "that" || i == 0 || i+1 == len(c.words) || pause(c.words[i+1].gap) || prepositions[before] || places[before] ||
		finite(next) && isBase(before)
}

// points tells a clause with a word that may stand for something before it.
func points(c clause) bool {
	for i, w := range c.words {
		switch h := head(w.low); {
		case anaphors[h], demonstratives[h] && pointing(c, i), pointers[h], h == "the" && !partOfName(c, i+1):
			return true
		}
	}
	return false
}

var (
	pointers = set("there each then too either far another other ones same")
	places   = set("in at with of into")
	// vivid are words behind a "this" that point to nothing said before.
	vivid = set(`amazing awesome beautiful big cool cozy crazy cute delicious fun funny great huge incredible little lovely new nice old one
		really small super weird wonderful semester term quarter season time`)
)
