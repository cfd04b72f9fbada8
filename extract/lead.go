package extract

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// A form is what a sentence does, as far as extraction cares.
type form int

const (
	statement form = iota
	question
	request  // asks the listener to do something
	reminder // asks to keep something in mind: its content counts
	wish     // tells the listener how to behave: always, never, call me
	proposal // let's
)

// openers are words before a statement that add nothing to it, longest first, by their first word.
var openers = sync.OnceValue(func() map[string][]string {
	return byFirstWord(`to be honest|to be fair|by the way|just so you know|for the record|for your information|good news|bad news|` +
		`guess what|no worries|of course|in fact|as i said|like i said|as i mentioned|you know what|you know|i mean|on another note|` +
		`one more thing|on the other hand|long story short|fun fact|thanks again|thank you so much|thank you|thanks so much|` +
		`thanks a lot|thanks|thats right|that's right|sounds good|sounds great|not much|not really|and yes|oh no|oh well|oh wow|as well|` +
		`well|so|oh|yeah|yep|yup|yes|no|nope|ok|okay|hey|hi|hello|also|and|but|actually|btw|anyway|anyways|honestly|basically|fyi|wow|` +
		`haha|hahaha|hehe|lol|sure|right|plus|ah|aww|aw|um|uh|hmm|hm|ooh|omg|cool|nice|great|awesome|perfect|congrats|sorry|absolutely|` +
		`definitely|totally|exactly|agreed|same|true|luckily|unfortunately|sadly|fortunately|update|edit|ps|p.s|correction|quick update|` +
		`then|now|besides|still|thankfully|seriously|alright|welcome|morning|evening|nah|however|for instance|for example|as such|` +
		`in my opinion|really|interestingly|hopefully|personally|meanwhile|likewise|additionally|moreover|furthermore|in addition|` +
		`in the meantime|in any case|overall|first|first of all|firstly|secondly|second|third|finally|lastly|in short|sometimes`)
})

// strip takes openers and vocatives off the front of a sentence.
func strip(c clause) clause {
	for first := true; ; first = false {
		n := opener(c)
		if n == 0 && first {
			n = vocative(c)
		}
		if n == 0 {
			return c
		}
		if n >= len(c.words) {
			return clause{}
		}
		c = c.from(n)
		// Hey Mel, … and thanks Bob! …
		if k := vocative(c); k > 0 && k < len(c.words) {
			c = c.from(k)
		}
	}
}

// trailers are words behind a statement that add nothing to it, by their last word.
var trailers = map[string]string{
	"way": "by the way", "well": "as well", "either": "either", "too": "too", "btw": "btw", "though": "though", "haha": "haha",
	"lol": "lol", "right": "right", "huh": "huh",
	"know": "you know", "guess": "i guess", "course": "of course", "please": "please", "thanks": "thanks", "you": "thank you",
	"sure": "for sure", "fact": "in fact",
}

// trim takes trailers off the end.
func trim(c clause) clause {
	for {
		t := trailers[c.at(len(c.words)-1)]
		at := len(c.words) - strings.Count(t, " ") - 1
		if at <= 2 {
			return c
		}
		if _, ok := c.hasPhrase(at, t); !ok || !pause(c.words[at].gap) && t != "as well" && t != "either" && t != "though" && t != "btw" {
			return c
		}
		c.words = c.words[:at]
	}
}

// opener returns how many words an opener at the front has. Words that can begin a clause of their
// own count only before a comma or a subject.
func opener(c clause) int {
	for _, o := range openers()[c.at(0)] {
		n, ok := c.hasPhrase(0, o)
		if !ok {
			continue
		}
		if n >= len(c.words) {
			return n
		}
		if pause(c.words[n].gap) {
			return n
		}
		switch o {
		case "and", "but", "so", "also", "plus", "actually", "yeah", "oh", "well", "ok", "okay", "btw", "fyi", "yes", "by the way",
			"you know", "haha", "lol", "hey", "hi", "hello",
			"honestly", "basically", "anyway", "wow", "then", "now", "besides", "luckily", "unfortunately", "sadly", "fortunately", "thankfully":
			if subject(c.at(n)) || o == "and" || o == "but" || o == "btw" || o == "fyi" {
				return n
			}
			if n+1 < len(c.words) && upperFirst(c.words[n].text) && !subject(c.at(n)) {
				if o == "hey" || o == "hi" || o == "hello" || strings.HasPrefix(c.words[n+1].gap, ",") { // Yeah John, …
					return n
				}
			}
		}
	}
	return 0
}

// vocative returns 1 when the sentence opens by calling someone: a capitalised word and a comma.
func vocative(c clause) int {
	if len(c.words) > 2 && upperFirst(c.words[0].text) && strings.ContainsAny(c.words[1].gap, ",!") &&
		(subject(c.at(1)) || questionLead(c, 1)) && !subject(c.at(0)) &&
		!timeWord(c.at(0)) && !strings.HasSuffix(c.at(0), "ly") && !isIng(c.at(0)) && !isBase(c.at(0)) {
		return 1
	}
	return 0
}

func pause(gap string) bool { return strings.ContainsAny(gap, ",.!?:;—–-…") }

func subject(w string) bool {
	switch w {
	case "he", "she", "it", "they", "it's", "he's", "she's", "they're", "you", "you're", "this", "that", "there", "the", "a", "his",
		"her", "their", "your":
		return true
	}
	return selfWord(w)
}

func upperFirst(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(r)
}

func timeWord(w string) bool {
	switch w {
	case "yesterday", "today", "tomorrow", "tonight", "recently", "lately", "last", "next", "currently", "monday", "tuesday",
		"wednesday", "thursday", "friday", "saturday", "sunday", "later", "afterwards", "soon":
		return true
	}
	return false
}

// questionLead tells whether the words from i on begin a question or a request, as "can you" and
// "what is" do.
func questionLead(c clause, i int) bool {
	w := c.at(i)
	switch w {
	case "what", "who", "whom", "whose", "which", "when", "where", "why", "how", "what's", "who's", "where's", "how's":
		n := c.at(i + 1)
		return strings.HasSuffix(w, "'s") || auxiliary(n) || n == "about" || n == "to" ||
			w == "how" && (n == "many" || n == "much" || n == "long" || n == "often" || n == "far" || n == "come") ||
			w == "what" && n != "i" && n != "we" && c.at(i+2) != "i" && endsAsking(c) || w == "which" && endsAsking(c) || w == "why" && endsAsking(c)
	case "any":
		return endsAsking(c)
	case "wondering", "wonder":
		return true
	}
	if auxiliary(w) {
		switch c.at(i + 1) {
		case "i", "you", "he", "she", "it", "we", "they", "the", "this", "that", "these", "those", "there", "my", "your", "his", "her",
			"our", "their", "anyone", "someone", "anybody", "anything", "everyone", "not":
			return true
		}
		return w != "may" && w != "will" && i+1 < len(c.words) && upperFirst(c.words[i+1].text) && endsAsking(c)
	}
	return false
}

func endsAsking(c clause) bool {
	return strings.Contains(c.tail, "?") || strings.Contains(c.tail, "？")
}

func auxiliary(w string) bool {
	switch w {
	case "do", "does", "did", "is", "are", "was", "were", "am", "can", "could", "would", "will", "should", "shall", "may", "might",
		"must", "has", "have", "had",
		"isn't", "aren't", "don't", "doesn't", "didn't", "can't", "couldn't", "won't", "wouldn't", "shouldn't", "haven't", "hasn't":
		return true
	}
	return false
}

// judge tells the form of a clause and returns what is left of it to extract from. A statement
// with a question behind it ("I'm allergic to cats, what pet should I get?") is cut before the question.
func judge(c clause) (clause, form) {
	if len(c.words) == 0 {
		return c, question
	}
	if rest, f, ok := instruction(c); ok {
		return rest, f
	}
	if questionLead(c, 0) {
		return c, question
	}
	for i := 2; i < len(c.words); i++ {
		if g := c.words[i].gap; pause(g) || c.at(i-1) == "so" || c.at(i-1) == "and" || c.at(i-1) == "but" {
			if questionLead(c, i) || asks(c, i) {
				return c.upTo(cutBefore(c, i)), statement
			}
		}
	}
	if endsAsking(c) {
		return beforeTag(c)
	}
	if imperative(c) {
		return c, request
	}
	return c, statement
}

// cutBefore moves back over the conjunction before a question.
func cutBefore(c clause, i int) int {
	for i > 1 {
		switch c.at(i - 1) {
		case "so", "and", "but", "then", "also":
			i--
			continue
		}
		break
	}
	return i
}

// asks tells whether the words from i on ask for something: "please …", "any tips".
func asks(c clause, i int) bool {
	switch c.at(i) {
	case "please", "pls":
		return true
	case "any":
		return endsAsking(c)
	case "right", "ok", "okay", "huh", "isn't", "aren't":
		return endsAsking(c) && i+2 >= len(c.words)
	case "help", "show", "explain", "suggest", "write", "give", "tell", "let":
		return c.at(i+1) == "me" || c.at(i+1) == "us" || isBase(c.at(i)) && pause(c.words[i].gap) && !finite(c.at(i+1)) && c.at(i) != "let"
	}
	return false
}

// beforeTag handles what ends in a question mark and does not begin like a question: a statement
// with a tag or a question without an auxiliary. Only the part before a pause can state anything.
func beforeTag(c clause) (clause, form) {
	for i := len(c.words) - 1; i > 2; i-- {
		if g := c.words[i].gap; strings.ContainsAny(g, ";—–") || strings.Contains(g, " - ") || strings.Contains(g, ":") {
			return c.upTo(i), statement
		}
	}
	return c, question
}

// What introduces something to remember, and something to do, by the first word.
var (
	reminders = sync.OnceValue(func() map[string][]string {
		return byFirstWord("remind me that|remember that|don't forget that|do not forget that|note that|please note that|keep in mind " +
			"that|be aware that|remember|" +
			"note|keep in mind|reminder|can you remember that|could you remember that|remember this|note to self")
	})
	errands = sync.OnceValue(func() map[string][]string {
		return byFirstWord("remind me to|don't let me forget to|don't forget to|can you remind me to|could you remind me to|todo|to " +
			"do|to-do|i must not forget to|action item")
	})
)

// instruction recognises what is said to the listener about remembering and behaving.
func instruction(c clause) (clause, form, bool) {
	skip := 0
	for c.at(skip) == "please" || c.at(skip) == "also" || c.at(skip) == "just" || c.at(skip) == "and" {
		skip++
	}
	for _, p := range reminders()[c.at(skip)] {
		if n, ok := c.hasPhrase(skip, p); ok && skip+n < len(c.words) {
			switch rest := c.from(skip + n); {
			case rest.at(0) == "to":
				return toDo(rest.from(1)), reminder, true
			case strings.HasSuffix(p, "that") || pause(c.words[skip+n].gap) || subject(rest.at(0)):
				return rest, reminder, true
			}
		}
	}
	for _, p := range errands()[c.at(skip)] {
		n, ok := c.hasPhrase(skip, p)
		if ok && skip+n < len(c.words) && (!strings.HasPrefix(p, "to") || pause(c.words[skip+n].gap)) {
			return toDo(c.from(skip + n)), reminder, true
		}
	}
	switch c.at(skip) {
	case "always", "never":
		if isBase(c.at(skip + 1)) {
			return c.from(skip), wish, true
		}
	case "call":
		if c.at(skip+1) == "me" && skip+2 < len(c.words) && upperFirst(c.words[skip+2].text) {
			return c.from(skip), wish, true
		}
	case "let's", "lets":
		if isBase(c.at(skip + 1)) {
			return c.from(skip + 1), proposal, true
		}
	}
	return c, statement, false
}

// toDo makes a statement of what is to be done.
func toDo(c clause) clause {
	if len(c.words) == 0 {
		return c
	}
	ws := []word{{text: "I", low: "i"}, {gap: " ", text: "have", low: "have"}, {gap: " ", text: "to", low: "to"}}
	first := c.words[0]
	if first.gap = " "; isBase(first.low) {
		first.text = first.low
	}
	return clause{append(append(ws, first), c.words[1:]...), c.tail}
}

// imperative tells a clause that begins with a bare verb and has no subject.
func imperative(c clause) bool {
	i := 0
	for c.at(i) == "please" || c.at(i) == "just" || c.at(i) == "kindly" || c.at(i) == "now" || c.at(i) == "maybe" ||
		c.at(i) == "also" || c.at(i) == "then" {
		i++
	}
	if i > 0 && c.at(i-1) == "please" || i >= len(c.words) {
		return true
	}
	if dateLeads(c) { // last week, I …
		return false
	}
	switch c.at(i) {
	case "don't", "do", "be", "let", "make", "thanks", "thank", "feel":
		return true
	}
	if !isBase(c.at(i)) || c.words[0].quoted {
		return false
	}
	for j := i + 1; j < len(c.words) && j <= i+2; j++ {
		if w := c.at(j); finite(w) && !isPast(w) || w == "is" || w == "was" {
			return false
		}
		if !isBase(c.at(j)) {
			break
		}
	}
	return true
}
