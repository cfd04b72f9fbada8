package extract

import (
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/lexis"
)

// inPast tells by the nearest verb, looking back from word i first, whether a sentence speaks of the past there. inPast decides about "on
// Friday".
func inPast(c clause, i int) bool {
	past, _ := tenseAt(c, i)
	return past
}

// tenseAt is inPast, and whether the sentence has a verb that tells.
func tenseAt(c clause, i int) (past, sure bool) {
	for j := i - 1; j >= 0 && !ends(c, j+1); j-- {
		if past, sure := tense(c, j); sure {
			return past, true
		}
	}
	for j := i + 1; j < len(c.words) && !ends(c, j); j++ {
		if past, sure := tense(c, j); sure {
			return past, true
		}
	}
	return false, false
}

// ends tells that a sentence ends before word i, which is more than the point of a title.
func ends(c clause, i int) bool {
	if i >= len(c.words) {
		return false
	}
	gap := c.words[i].gap
	return strings.ContainsAny(gap, ".!?…") && !(titles[c.at(i-1)] && strings.TrimSpace(gap) == ".")
}

func tense(c clause, j int) (past, sure bool) {
	w := c.at(j)
	switch {
	case pastWords[w]:
		return true, true
	case comingWords[w] || arranged(c, j) || isIng(w) && going[c.at(j-1)]: // but talking is what they were at, and a meeting was had
		return false, true
	case isBase(w) && verbs().past[w] && persons[c.at(j-1)] && !pastWords[c.at(j-2)]: // I quit, on a day: that was
		return true, true
	case isBase(w) && !verbs().past[w] && persons[c.at(j-1)] && !pastWords[c.at(j-2)]:
		return false, true
	case w == "to":
		return false, isBase(c.at(j+1)) && (!isPast(c.at(j-1)) || pledges[c.at(j-1)])
	case isPast(w) || subject(c.at(j-1)) && strings.HasSuffix(w, "ed") && !isBase(w):
		before := c.at(j - 1)
		past = before != "be" && before != "is" && before != "are" && !(w == "got" && have[before])
		return past, past
	}
	return false, false
}

var (
	pastWords   = lexis.Set("was were did had didn't wasn't been since")
	comingWords = lexis.Set("will i'll we'll would i'd we'd going if must should tomorrow next is are i'm we're tickets ticket due")
	persons     = lexis.Set("i you we they")
	going       = lexis.Set("he's she's it's they're you're am is are")
	// have are the words with which got is no past: she's got her exam on the 6th.
	have = lexis.Set("has have hasn't haven't i've we've you've they've he's she's it's ive weve youve theyve hes shes")
	// pledges are the past forms whose infinitive is still to come: promised to call on Monday.
	pledges = lexis.Set("agreed asked decided invited offered promised reminded told")
	// meetings are what one has got by now for a day to come.
	meetings = lexis.Set("appointment exam interview meeting")
)

// arranged tells what was done by now for a day to come: invited to a wedding on Saturday, got an appointment on Monday.
func arranged(c clause, j int) bool {
	switch c.at(j) {
	case "booked", "invited", "postponed", "rescheduled", "scheduled":
		return c.at(j+1) != "on"
	case "signed":
		return c.at(j+1) == "up"
	case "registered":
		return going[c.at(j-1)] || c.at(j-1) == "i'm" || c.at(j-1) == "we're"
	case "got":
		for _, what := range c.words[j:min(j+5, len(c.words))] {
			if meetings[what.low] {
				return true
			}
		}
	}
	return false
}

// comes tells whether "in two weeks" at word i is when something will be, and not how long it took.
func comes(c clause, i int, unit string) bool {
	one := c.at(i+1) == "a"
	switch past, sure := tenseAt(c, i); {
	case past:
		return false
	case sure && !one:
		return true
	case unit == "year":
		return false
	}
	return !rate(c, i)
}

// rate tells that an amount is counted in a clause before word i: 500 km in a year.
func rate(c clause, i int) bool {
	return slices.ContainsFunc(c.words[:i], func(w word) bool {
		return numbers[w.low] > 1 || strings.ContainsAny(w.low, "0123456789") || w.low == "times" || w.low == "once" || w.low == "twice"
	})
}
