package extract

import (
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/lexis"
)

// standing tells by its form a rule for whoever works with the speaker ("we use pnpm, never npm", "you don't commit, I do"), and returns
// what stands behind the words that announce one. What is about the step at hand is none.
func standing(c clause) (clause, bool) {
	if c.asking() || len(c.words) < 3 || c.hasAny(passing) {
		return c, false
	}
	for i := range min(len(c.words)-2, 8) { // one rule: never …
		if announced[c.at(i)] && strings.Contains(c.words[i+1].gap, ":") {
			return c.from(i + 1), true
		}
	}
	for _, p := range announcements[c.at(0)] {
		if n, ok := c.hasPhrase(0, p); ok && n < len(c.words) && (orders(c, n) || c.at(n) == "we") {
			return c.from(n), true
		}
	}
	switch w, next := c.at(0), c.at(1); {
	case w == "we" && frequency[next]:
		return c, isBase(c.at(2)) && !wants[c.at(2)] && !felt[c.at(2)]
	case w == "we" && next == "use", orders(c, 0):
		return c, (w == "only" || next == "ever" || c.at(2) == "ever") && (isBase(next) || isBase(c.at(2)) || isBase(c.at(3))) || c.excepts()
	case w == "before" && next == "you":
		return c, isBase(c.at(2))
	case w == "you" && (refusals[next] || next == "never" || next == "only"), w == "i" && next == "do":
		return c, c.hasAny(sharers[w])
	}
	return c, false
}

// orders tells an order at word i: a bare verb, or what must not be.
func orders(c clause, i int) bool {
	for c.at(i) == "please" || c.at(i) == "just" || c.at(i) == "also" {
		i++
	}
	w := c.at(i)
	return isBase(w) || refusals[w] || frequency[w] || w == "no" || w == "nothing" || w == "do" && c.at(i+1) == "not"
}

// excepts tells an order that says when it holds: without asking, unless I say so, every time; or ends in what must never be.
func (c clause) excepts() bool {
	for i := 2; i < len(c.words); i++ {
		w, next := c.at(i), c.at(i+1)
		switch {
		case w == "without" && (next == "asking" || next == "my"), w == "unless" && next == "i", w == "every" && next == "time",
			w == "from" && next == "now", frequency[w] && w != "only" && pause(c.words[i].gap), w == "before" && next == "asking":
			return true
		}
	}
	return false
}

// tells says whether a clause has a word that says something by itself: "please always do so" has none.
func (c clause) tells() bool {
	return slices.ContainsFunc(c.words, func(w word) bool { return !wordless[w.low] })
}

func (c clause) hasAny(words map[string]bool) bool {
	return slices.ContainsFunc(c.words, func(w word) bool { return words[w.low] })
}

var (
	announced     = lexis.Set("rule rules convention conventions policy regel")
	announcements = byFirstWord("from now on|in future|in the future|going forward|as a rule|by default")
	frequency     = lexis.Set("always never only")
	refusals      = lexis.Set("don't dont")
	wants         = lexis.Set("need have want know got get see")
	felt          = lexis.Set("love like enjoy hate adore dread miss crave hope wish wonder feel mind cry weep laugh smile blush sweat " +
		"sleep snore sneeze panic struggle faint shiver tremble") // what nobody can be told to do
	wordless = lexis.Set("i i'd we you please always never only just also do does did don't not so that this it them these those like way " +
		"such thus the same here there again now from on ever want prefer would have is must should will can to")
	passing = lexis.Set("yet today tonight tomorrow again mind worry give here lol haha")
	sharers = map[string]map[string]bool{"you": lexis.Set("i i'll i'm me"), "i": lexis.Set("you")}
)
