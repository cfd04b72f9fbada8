package extract

import (
	"slices"

	"github.com/reverie-memory/reverie/lexis"
)

// replies tells a sentence that answers the listener, and says nothing of the speaker: your focus on data is excellent; thank you so much;
// I'm glad to hear that you like it. What an activity is like in general is said of nobody either: exploring theories can be enlightening.
func replies(s sentence) bool {
	c := strip(s.clause)
	if len(c.words) == 0 || thanks[s.at(0)] && !c.aboutSelf() || addresses(c) && (!c.aboutSelf() || rejoices(c)) {
		return true
	}
	return isIng(c.at(0)) && !c.aboutSelf() && hasClause(c.words) && !dated(c) && !slices.ContainsFunc(c.words[1:], func(w word) bool {
		return startsWithDigit(w.text)
	})
}

// rejoices tells a clause by which the speaker shares what the listener feels.
func rejoices(c clause) bool {
	i := 1
	if c.at(0) == "i" {
		i++
	}
	for adverbs[c.at(i)] || c.at(i) == "so" || c.at(i) == "very" || c.at(i) == "really" || c.at(i) == "am" {
		i++
	}
	return (head(c.at(0)) == "i" || c.at(0) == "im") && feelings[c.at(i)]
}

var (
	thanks   = lexis.Set("thanks thank thx ty congrats congratulations kudos bravo")
	feelings = lexis.Set(`glad happy sorry proud thrilled excited pleased delighted jealous impressed amazed rooting appreciate admire
		hope wish`)
)

// opens is the first sentence of the message that is more than an answer to what was said before it: no thanks, no praise, no question.
func (t talk) opens() int {
	for i, s := range t.read {
		if !s.asking() && !replies(s) && !IsNoise(s.String()) && (!dangles(trim(s.clause)) || s.aboutSelf()) {
			return i
		}
	}
	return len(t.read)
}

// offers tells a question that asks nothing of anybody but whether they want more: would you like any further tips?
func offers(s sentence) bool {
	more, wants := false, false
	for i, w := range s.words {
		more = more || furthers[w.low]
		wants = wants || w.low == "you" && (s.at(i+1) == "like" || s.at(i+1) == "need" || s.at(i+1) == "want")
	}
	return s.asking() && more && wants
}

var furthers = lexis.Set("more any further additional anything other else specific help")
