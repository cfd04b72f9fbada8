package extract

import (
	"strings"
	"sync"

	"github.com/reverie-memory/reverie/lexis"
)

// worth tells whether a sentence says something that stands alone.
func (p cast) worth(c clause, f form, weight int) bool {
	if len(c.words) < 3 && f == statement {
		return len(c.words) == 2 && selfWord(c.at(0)) && weight >= 5 && !auxiliary(c.at(1))
	}
	switch head, _, _ := strings.Cut(c.at(0), "'"); head {
	case "it", "this", "that", "these", "those", "they", "he", "she", "you", "your", "his", "her", "their", "here", "what", "which",
		"who", "where", "why", "how", "them":
		return dateLeads(c) && hasContent(c)
	case "there":
		return hasName(c)
	case "if":
		if head, _, _ := strings.Cut(c.at(1), "'"); head == "you" || head == "your" {
			return false
		}
	}
	if addressed(c) {
		return false
	}
	if vague(c) {
		return false
	}
	return hasContent(c)
}

// vague tells sentences in the first person that rest on something said before.
func vague(c clause) bool {
	i := 0
	if head, _, _ := strings.Cut(c.at(0), "'"); head != "i" && head != "we" {
		return false
	}
	for i = 1; isAdverb(c, i) || auxiliary(c.at(i)) || c.at(i) == "would"; i++ {
	}
	verb, object := c.at(i), c.at(i+1)
	switch verb {
	case "bet", "guess", "hope", "think", "know", "believe", "wish", "appreciate", "agree", "understand", "see", "mean", "suppose",
		"imagine", "hear", "get", "admire", "feel", "love", "like", "thank", "support", "want", "need":
		if object == "you" || object == "your" || object == "you're" || object == "you'll" || object == "so" || object == "that's" ||
			object == "it's" ||
			object == "" || object == "what" || object == "how" || object == "why" {
			return true
		}
		if (object == "it" || object == "this" || object == "that") &&
			(verb == "think" || verb == "hope" || verb == "guess" || verb == "bet" || verb == "believe") && c.at(i+2) != "the" {
			return true
		}
	}
	if verb == "wish" && (object == "i" || object == "we") && (c.at(i+2) == "could" || c.at(i+2) == "knew" || c.at(i+2) == "had") &&
		len(c.words) < 7 {
		return true
	}
	switch object {
	case "it", "them", "him", "her":
		return true
	case "this", "that", "these", "those", "the":
		return demonstrative(c, i+1) && content(c) < 3
	}
	if verb == "" || verb == "not" && (object == "sure" || object == "certain") || object == "sure" && content(c) < 1 {
		return true
	}
	// "I want to see it": the object of an infinitive
	return object == "to" && (c.at(i+3) == "it" || c.at(i+3) == "them" || c.at(i+3) == "that" || c.at(i+3) == "this") && content(c) < 3
}

func demonstrative(c clause, i int) bool {
	switch c.at(i) {
	case "this", "that", "these", "those":
		switch c.at(i + 1) {
		case "i", "we", "my", "the", "he", "she", "they", "our", "week", "month", "year", "morning", "weekend", "summer":
			return false
		}
		return true
	}
	return false
}

// content counts the words of a sentence that say something: index terms without the verbs and
// adjectives that say little.
func content(c clause) int {
	n := 0
	for _, t := range lexis.Terms(c.String()) {
		if !faint()[t] {
			n++
		}
	}
	return n
}

// hasContent tells whether there is such a word.
func hasContent(c clause) bool {
	for _, w := range c.words {
		if lexis.IsStop(w.low) {
			continue
		}
		for _, t := range lexis.Terms(w.text) {
			if !faint()[t] {
				return true
			}
		}
	}
	return false
}

// faint holds the stems of words that say little by themselves.
var faint = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(`see like love think know hope feel say tell thing sometime really lot way good great nice cool
		get go come make take want need try let look sound seem guess bet wish mean agree understand appreciate believe sure idea time day
		bit kind sort stuff anything something everything nothing anyone someone everyone people thank sorry glad happy awesome amazing
		wonderful well right true maybe probably actually honestly much many little more most again later soon now always never ever keep
		give put use help talk ask answer question point case fact reason interesting fun best better fine okay perfect exactly absolutely
		definitely totally pretty quite still already even though yet else wait hear work out back`) {
		m[lexis.Stem(w)] = true
	}
	return m
})

func hasName(c clause) bool {
	for i := range c.words {
		if named(c, i) {
			return true
		}
	}
	return false
}

// grounded tells whether a sentence that does not speak of the speaker is about something definite:
// it has a verb and a name, a number, or a subject with an article and enough to say about it.
func grounded(c clause, f form, weight int) bool {
	verb := false
	for _, w := range c.words[1:] {
		verb = verb || finite(w.low)
	}
	if !verb {
		return false
	}
	if f == reminder {
		return true
	}
	if opinion(c) {
		return false
	}
	category, _ := classify(c.low())
	if category == Emotional || category == Preference {
		weight = 0
	}
	if isIng(c.at(0)) && !hasName(c) {
		return false
	}
	n := content(c)
	switch c.at(0) {
	case "the":
		return n >= 3 || n >= 2 && (weight >= 5 || hasName(c.from(1)) || hasNumber(c))
	case "a", "an", "some", "one", "two", "all", "every", "each", "most", "many", "no", "nothing", "everything", "everyone", "nobody":
		return n >= 3 && (hasName(c.from(1)) || hasNumber(c) || weight >= 5)
	}
	if named(c, 0) || hasName(c.from(1)) || hasNumber(c) {
		return n >= 2
	}
	return n >= 3 && weight >= 5
}

// addressed tells a sentence that speaks of the listener and not of the speaker: comfort, praise,
// advice, and the you that means anyone.
func addressed(c clause) bool {
	you := false
	for _, w := range c.words {
		if w.quoted {
			continue
		}
		if selfWord(w.low) {
			return false
		}
		head, _, _ := strings.Cut(w.low, "'")
		you = you || head == "you" || head == "your" || head == "yours"
	}
	return you
}

var reactions = sync.OnceValue(func() map[string][]string {
	return byFirstWord("good luck|congrats on|congratulations on|thanks for|thank you for|here's to|way to go|hats off|cheers to|" +
		"sounds like|sounds great|sounds amazing|sounds fun|sounds good|sounds awesome|sounds really|sounds so|it sounds|let me know|" +
		"i appreciate|" +
		"i'm here for|here to lend|keep it up|forward to it|i'll keep you|more about it|what a|no idea|be of assistance|of help|" +
		"can't wait to hear")
})

// reaction tells what people say to what they have just heard; low is [clause.low] of c.
func reaction(c clause, low string) bool {
	for i := range c.words {
		for _, p := range reactions()[c.at(i)] {
			if _, ok := c.hasPhrase(i, p); ok {
				return true
			}
		}
	}
	if !strings.Contains(low, " to hear ") {
		return false
	}
	for _, p := range [...]string{" glad ", " happy ", " sorry ", " good ", " great ", " nice ", " love ", " sad ", " thrilled "} {
		if strings.Contains(low, p) {
			return true
		}
	}
	return false
}

// opinion tells praise of things: "The sunset is stunning", "That cake is a great choice".
func opinion(c clause) bool {
	if hasNumber(c) {
		return false
	}
	for _, w := range c.words {
		if praise[w.low] {
			return true
		}
	}
	return false
}

var praise = set(`great good awesome amazing nice cool beautiful stunning gorgeous fantastic wonderful lovely fun funny interesting
	incredible inspiring perfect best picturesque breathtaking fascinating delicious impressive unbelievable unbelievably charming
	special important crucial super peaceful relaxing hilarious engaging mind-blowing adorable cute magical unreal sweet excellent
	brilliant terrible awful horrible boring overrated underrated timeless iconic legendary thrilling refreshing rewarding powerful
	meaningful essential priceless precious key helpful chill`)

func hasNumber(c clause) bool {
	for _, w := range c.words {
		if startsWithDigit(w.text) {
			return true
		}
	}
	return false
}
