package extract

import (
	"strings"
	"time"

	"github.com/reverie-memory/reverie/lexis"
)

// dangles tells a clause with a pronoun or pointing word for which nothing before it in the clause can stand: for an it, no thing.
func dangles(c clause) bool {
	thing, other := false, false
	for i, w := range c.words {
		h := head(w.low)
		known := thing || other && h != "it" && h != "its"
		switch {
		case w.quoted:
		case anaphors[h] && !known, demonstratives[h] && (!known || h == "this" || w.low == "that" && c.ends(i)) && pointing(c, i):
			return true
		case favorites[h] && auxiliary(c.at(i+1)) && !thing, i < 2 && (h == "another" || h == "other"):
			return true
		case h == "here" && c.at(i+1) != "in", h == "there" && !auxiliary(c.at(i+1)) && h == w.low && !other:
			return true
		case people[strings.TrimSuffix(h, "s")]:
			other = true
		case determiners[c.at(i-1)] && !units[w.low], named(c, i), plural(w.low), activity(c, i):
			thing, other = true, true
		}
	}
	return false
}

var (
	anaphors       = lexis.Set("it its they them their theirs he him his she her hers")
	demonstratives = lexis.Set("this that these those")
	determiners    = lexis.Set("a an my our some another two three four five six many several few other no every each the")
	favorites      = lexis.Set("favorite favorites favourite favourites")
	people         = lexis.Set(`friend mother father mom mum dad sister brother son daughter child kid wife husband partner
		girlfriend boyfriend gf bf
		aunt uncle cousin boss colleague neighbour neighbor roommate family parent grandma grandpa team guy girl man woman person doctor teacher`)
)

func plural(w string) bool {
	return len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !finite(w)
}

// activity tells an -ing form that names what someone does: I love skiing.
func activity(c clause, i int) bool { return likings[c.at(i-1)] && isIng(c.at(i)) }

var likings = lexis.Set("love loves like likes enjoy enjoys hate into of for about prefer")

// pointing tells a demonstrative that points: no conjunction, no part of a date, and not the this of a story: I met this cute dog.
func pointing(c clause, i int) bool {
	if w, ok := relative(c, i, time.Time{}); ok && w.words > 0 {
		return false
	}
	w, next, before := c.at(i), c.at(i+1), c.at(i-1)
	if head(w) != "that" {
		return !vivid[next] && (w != "this" || !strings.HasSuffix(next, "ing"))
	}
	return w != "that" || i == 0 || c.ends(i) || prepositions[before] || places[before] ||
		finite(next) && isBase(before)
}

// ends tells whether a clause, or a part of it, ends with word i.
func (c clause) ends(i int) bool { return i+1 == len(c.words) || pause(c.words[i+1].gap) }

// points tells a clause with a word that may stand for something before it.
func points(c clause) bool {
	for i, w := range c.words {
		switch h := head(w.low); {
		case anaphors[h], demonstratives[h] && pointing(c, i), pointers[h], h == "the" && !partOfName(c, i+1), h == "here":
			return true
		}
	}
	return false
}

var (
	pointers = lexis.Set("there each then too either far another other ones same")
	places   = lexis.Set("in at with of into")
	// vivid are words behind a "this" that point to nothing said before.
	vivid = lexis.Set(`amazing awesome beautiful big cool cozy crazy cute delicious fun funny great huge incredible little lovely new
		nice old one
		really small super weird wonderful days semester term quarter season time`)
)
