package extract

// wishOf makes a statement of how the listener should behave.
func wishOf(c clause) clause {
	ws := []word{{text: "I", low: "i"}, {gap: " ", text: "want", low: "want"}}
	switch c.at(0) {
	case "call":
		ws = append(ws, word{gap: " ", text: "to", low: "to"}, word{gap: " ", text: "be", low: "be"},
			word{gap: " ", text: "called", low: "called"})
		return clause{append(ws, c.words[2:]...), c.tail}
	}
	first := c.words[0]
	first.gap, first.text = " ", first.low
	ws = append(ws, word{gap: " ", text: "assistants", low: "assistants"}, word{gap: " ", text: "to", low: "to"}, first)
	rest := append([]word(nil), c.words[1:]...)
	for i := range rest {
		if rest[i].low == "your" {
			rest[i].text, rest[i].low = "their", "their"
		}
	}
	return clause{append(ws, rest...), c.tail}
}

// proposalOf tells a plan from a decision in what follows let's.
func proposalOf(c clause, category string) string {
	switch c.at(0) {
	case "use", "go", "switch", "keep", "drop", "stick", "move", "pick", "choose", "make", "stay", "stop", "start", "replace",
		"revert", "call", "skip", "postpone", "settle":
		if category != Task || c.at(0) != "go" || c.at(1) == "with" {
			return Decision
		}
	}
	return Task
}

// proposed makes a statement of what follows let's.
func proposed(c clause, category string) clause {
	ws := []word{{text: "I", low: "i"}}
	if category == Decision {
		ws = append(ws, word{gap: " ", text: "decided", low: "decided"})
	} else {
		ws = append(ws, word{gap: " ", text: "want", low: "want"})
	}
	ws = append(ws, word{gap: " ", text: "to", low: "to"})
	first := c.words[0]
	first.gap, first.text = " ", first.low
	return clause{append(append(ws, first), c.words[1:]...), c.tail}
}

// elliptic gives a subject to a sentence that left its I out: "Just got back from Rome", "Can't wait".
func elliptic(c clause) clause {
	if len(c.words) < 3 || c.words[0].quoted {
		return c
	}
	i := 0
	for isAdverb(c, i) || intense(c.at(i)) {
		i++
	}
	w := c.at(i)
	verb := ""
	switch {
	case w == "been":
		verb = "have"
	case w == "can't" && c.at(i+1) == "wait", w == "had" && !questionLead(c, i):
	case (w == "haven't" || w == "couldn't" || w == "didn't") && !questionLead(c, i):
	case mood[w] && (c.at(i+1) == "to" || c.at(i+1) == "about" || c.at(i+1) == "for" || c.at(i+1) == "that" || c.at(i+1) == "of" ||
		c.at(i+1) == "with"):
		verb = "am"
	case w == "looking" && c.at(i+1) == "forward", isIng(w) && !laterVerb(c, i+1):
		verb = "am"
	case isPast(w) && !isBase(w) && !participle[w] && c.at(i+1) != "by" && !laterVerb(c, i+1):
	default:
		return c
	}
	ws := []word{{text: "I", low: "i"}}
	if verb != "" {
		ws = append(ws, word{gap: " ", text: verb, low: verb})
	}
	rest := append([]word(nil), c.words...)
	rest[0].gap = " "
	rest[0].text = rest[0].low
	return clause{append(ws, rest...), c.tail}
}

func intense(w string) bool {
	switch w {
	case "so", "super", "very", "pretty", "too":
		return true
	}
	return false
}

var mood = set(`stoked pumped delighted fascinated keen curious excited happy glad proud sad tired worried nervous grateful thankful
	afraid scared sorry thrilled relieved ready`)

// participle are past forms that open a sentence as adjectives more often than as verbs.
var participle = set(`given known seen done gone written broken forgotten hidden stolen frozen taken shown based used born compared
	related fixed mixed limited united`)

// laterVerb tells whether a verb follows that shows that the first word was none: "Baked beans are",
// "Reading at night helps".
func laterVerb(c clause, i int) bool {
	for j := i; j < len(c.words); j++ {
		if pause(c.words[j].gap) && j > i {
			return false
		}
		switch w := c.at(j); w {
		case "and", "but", "i", "because", "when", "so", "if":
			return false
		default:
			if finite(w) && !(isPast(w) && isPast(c.at(0))) {
				return true
			}
		}
	}
	return false
}
