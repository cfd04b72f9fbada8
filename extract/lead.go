package extract

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/lexis"
)

// What a sentence does, as far as extraction cares.
const (
	plain  = iota
	errand // something to do: its words begin with a bare verb
	wish   // tells an assistant how to behave: always, never, call me
	rule   // says what holds for all work to come
	choice // let's
)

// openers are words before a statement that add nothing to it, by their first word.
var openers = sync.OnceValue(func() map[string][]string {
	return byFirstWord(`to be honest|to be fair|by the way|just so you know|for the record|for your information|` +
		`good news|great news|bad news|` +
		`guess what|no worries|of course|in fact|as i said|like i said|as i mentioned|you know what|you know|i mean|on another note|` +
		`one more thing|on the other hand|long story short|fun fact|thanks again|thank you so much|thank you|thanks so much|thanks a lot|` +
		`thanks|thats right|that's right|sounds good|sounds great|not much|not really|and yes|oh no|oh well|oh wow|as well|well|so|oh|yeah|yea|` +
		`yep|yup|yes|no|nope|ok|okay|hey|hi|hello|also|and|but|actually|btw|anyway|anyways|honestly|basically|fyi|wow|woah|whoa|haha|hahaha|` +
		`hehe|lol|lmao|sure|right|plus|ah|ahh|aww|aw|um|uh|hmm|hm|ooh|ohh|omg|cool|nice|great|awesome|perfect|congrats|sorry|absolutely|` +
		`definitely|totally|exactly|agreed|same|true|luckily|unfortunately|sadly|fortunately|update|edit|ps|p.s|correction|quick update|then|` +
		`now|besides|still|thankfully|seriously|alright|welcome|nah|however|for instance|for example|in my opinion|really|interestingly|` +
		`personally|meanwhile|likewise|additionally|moreover|furthermore|in addition|in any case|overall|first of all|firstly|secondly|` +
		`finally|lastly|in short|in the meantime|since we last spoke|since we last talked|since we last chatted|` +
		`since our last chat|since the last chat|` +
		`tbh|ngl|dude|bro|man|girl`)
})

// bare are the openers that need no comma behind them when a subject follows.
var bareOpeners = lexis.Set(`and but so also plus actually yeah yea oh well ok okay btw fyi yes no haha hahaha lol hey hi hello
	honestly basically anyway wow
	then now besides luckily unfortunately sadly fortunately thankfully tbh ngl ah aww omg really dude`)

// interjections are no part of a clause whatever follows them.
var interjections = lexis.Set(`yes yeah yea yep yup haha hahaha lol lmao omg btw aww`)

// greetings are those behind which a name alone is that of who is spoken to.
var greetings = map[string]bool{
	"hey": true, "hi": true, "hello": true, "thanks": true, "thanks again": true, "thanks so much": true, "thanks a lot": true,
	"thank you": true, "thank you so much": true, "congrats": true, "welcome": true, "sorry": true, "wow": true, "aww": true,
}

// strip takes openers off the front of a sentence.
func strip(c clause) clause {
	for n := opener(c); n > 0; n = opener(c) {
		c = c.from(n)
	}
	return c
}

// opener returns how many words an opener at the front has, with the name of who is called: before a pause, or before a subject.
func opener(c clause) int {
	for _, o := range openers()[c.at(0)] {
		n, ok := c.hasPhrase(0, o)
		if !ok {
			continue
		}
		if n < len(c.words) && upperFirst(c.words[n].text) && !selfWord(c.at(n)) &&
			(n+1 == len(c.words) && greetings[o] || n+1 < len(c.words) && pause(c.words[n+1].gap)) { // thanks, Mel! hey Mel,
			n++
		}
		if n >= len(c.words) || pause(c.words[n].gap) || (bareOpeners[o] || n > 1) && (subject(c.at(n)) || interjections[o]) {
			return n
		}
	}
	return 0
}

// trailers are words behind a statement that add nothing to it, by their last word.
var trailers = map[string]string{
	"way": "by the way", "well": "as well", "either": "either", "too": "too", "btw": "btw", "though": "though", "haha": "haha", "lol": "lol",
	"lmao": "lmao", "right": "right", "huh": "huh", "know": "you know", "guess": "i guess", "course": "of course", "please": "please",
	"thanks": "thanks", "sure": "for sure", "fact": "in fact", "tbh": "tbh", "xd": "xd", "hahaha": "hahaha", "dude": "dude", "man": "man",
}

// bareTrailers are those that need no comma before them.
var bareTrailers = lexis.Set(`btw haha hahaha lol lmao xd either too though`)

// trim takes openers off the front and trailers off the end.
func trim(c clause) clause {
	c = strip(c)
	for {
		t := trailers[c.at(len(c.words)-1)]
		at := len(c.words) - strings.Count(t, " ") - 1
		if at <= 2 {
			return c
		}
		if _, ok := c.hasPhrase(at, t); !ok || !pause(c.words[at].gap) && !bareTrailers[t] && t != "as well" {
			return c
		}
		c.words = c.words[:at]
	}
}

func pause(gap string) bool {
	return strings.ContainsAny(gap, ",.!?:;—–…") || strings.Contains(gap, " -")
}

// subject tells words that a clause can begin with.
func subject(w string) bool {
	return selfWord(w) || subjects[head(w)]
}

func selfWord(w string) bool { return selves[head(w)] }

// head is a word without what is glued to it: i of i'm.
func head(w string) string {
	w, _, _ = strings.Cut(w, "'")
	return w
}

var (
	subjects = lexis.Set("he she it they you this that there the a his her their your")
	selves   = lexis.Set("i my me mine myself we our us ours im ive")
)

func upperFirst(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(r)
}

var timeWords = lexis.Set(`yesterday today tomorrow tonight recently lately last next currently later soon this monday tuesday
	wednesday thursday friday
	saturday sunday`)

// leads are phrases that introduce something to remember or to do, by the first word, and what follows them.
var leads = sync.OnceValue(func() map[string][]string {
	return byFirstWord("remind me to|don't let me forget to|can you remind me to|could you remind me to|i must not forget to|" +
		"note to self|todo|" +
		"to do|to-do|remind me that|remember that|don't forget that|do not forget that|note that|please note that|keep in mind that|" +
		"be aware that|remind me|remember|note|keep in mind|reminder|can you remember that|could you remember that|remember this")
})

// own are those that name what the speaker has to do, and not what the listener should.
var own = map[string]bool{"note to self": true, "todo": true, "to do": true, "to-do": true}

// lead takes openers off a sentence, and what says that the rest is to be remembered, and tells its kind.
func lead(c clause) (clause, int) {
	c = strip(c)
	skip := 0
	for w := c.at(skip); w == "please" || w == "also" || w == "just" || w == "and"; w = c.at(skip) {
		skip++
	}
	for _, p := range leads()[c.at(skip)] {
		n, ok := c.hasPhrase(skip, p)
		if !ok || skip+n >= len(c.words) {
			continue
		}
		rest, paused := c.from(skip+n), pause(c.words[skip+n].gap)
		switch {
		case strings.HasSuffix(p, " to") || paused && isBase(rest.at(0)) && own[p]:
			return rest, errand
		case strings.HasSuffix(p, " that") || paused || subject(rest.at(0)), p == "remind me" && finite(rest.at(1)) && !leaning[rest.at(0)]:
			return strip(rest), plain
		}
	}
	switch next := c.at(skip + 1); c.at(skip) {
	case "always", "never":
		if isBase(next) && !felt[next] {
			return c.from(skip), wish
		}
	case "call":
		if next == "me" && skip+2 < len(c.words) && upperFirst(c.words[skip+2].text) {
			return c.from(skip), wish
		}
	case "let's", "lets":
		if isBase(next) {
			return c, choice
		}
	}
	if manner(c.from(skip)) {
		if isBase(c.at(skip)) && c.at(skip) != "stop" {
			return c.from(skip), wish
		}
		return c.from(skip), rule
	}
	if rest, ok := standing(c.from(skip)); ok {
		if len(rest.words) < len(c.words)-skip {
			if wished, kind := lead(rest); kind == wish {
				return wished, wish
			}
		}
		return c.from(skip), rule
	}
	return c, plain
}

// asks tells whether the words from i on begin a question or a request, as "can you" and "what is" do. A relative clause ("which has",
// "who's 59") is none.
func asks(c clause, i int) bool {
	w, next := c.at(i), c.at(i+1)
	first, short, _ := strings.Cut(w, "'")
	switch first {
	case "which", "who", "whose", "whom":
		return auxiliary(next) && subject(c.at(i+2))
	case "what", "how", "why", "where", "when":
		return short == "s" || auxiliary(next) || next == "about" || next == "if" || first == "how" && (next == "many" || next == "much" ||
			next == "long")
	case "please", "pls", "wondering", "any":
		return first != "any" || c.asking()
	case "maybe", "perhaps":
		return c.asking()
	case "nice", "glad", "hope", "thanks", "thank":
		return addresses(c.from(i))
	case "i":
		return unsure(c, i+1)
	case "help", "show", "give", "tell", "let":
		return next == "me" || next == "us"
	}
	return auxiliary(w) && subject(next) && (next != "that" && next != "the" && next != "a" || c.asking())
}

// unsure tells whether the words from i on, behind I, put a question as a statement: 'm not sure how, was wondering, would like to know.
func unsure(c clause, i int) bool {
	for adverbs[c.at(i)] || c.at(i) == "am" || c.at(i) == "was" || c.at(i) == "just" || c.at(i) == "now" {
		i++
	}
	switch c.at(i) {
	case "wonder", "wondering":
		return true
	case "not":
		return c.at(i+1) == "sure"
	}
	return false
}

// asking tells a clause that ends in a question mark.
func (c clause) asking() bool { return strings.ContainsAny(c.tail, "?？؟") }

// auxiliary tells the verbs that questions begin with, with not or without.
func auxiliary(w string) bool { return helpers[strings.TrimSuffix(w, "n't")] }

var helpers = lexis.Set("do does did is are was were am can could would will should shall may might must has have had ca wo")

// A span of a sentence is a clause that has a subject of its own.
type span struct {
	from, to int
	free     bool // its form lets it stand without the one before
	more     bool // and says something else than that one
}

// statements cuts a sentence into clauses, and returns the runs of those that state something: between them something is asked or said to
// the listener. What depends on a condition is not cut.
func statements(c clause, kind int) (runs [][]span) {
	var run []span
	p, asked := span{free: true}, asks(c, 0)
	bound := conditional[c.at(0)] || asked && c.at(1) == "if"
	end := func(i int) {
		p.to = i
		if said := c.between(p.from, i); !asked && (kind == wish || !addresses(said)) {
			p.more = p.free && p.more && !points(said) && (!inPast(said, -1) || dated(said)) &&
				!slices.ContainsFunc(said.words[:min(len(said.words), 5)], func(w word) bool { return aims[w.low] })
			run = append(run, p)
		} else if len(run) > 0 {
			runs, run = append(runs, run), nil
		}
	}
	for i := 2; i < len(c.words); i++ {
		j := i
		for conjunctions[c.at(j)] && (j > i || !times[c.at(j)] || pause(c.words[i].gap)) {
			j++
		}
		question := asks(c, j)
		if j == i && !pause(c.words[i].gap) || strings.Contains(c.words[i].gap, "(") || !question && (bound || !opensClause(c, p.from, i, j)) {
			continue
		}
		if c.at(i) == "and" && !question && !asked && slices.ContainsFunc(c.words[p.from:i], func(w word) bool { return scopes[w.low] }) {
			continue // I hope I pass and I get the job
		}
		whole := !bound && hasClause(c.words[p.from:i])
		asked = asked || question && bound && oneSubject(c.words[p.from:i]) // as we are moving, do you know …
		end(i)
		asked = question || asked && !pause(c.words[i].gap)
		p.from, bound = j, conditional[c.at(j)] || question && c.at(j+1) == "if"
		p.more = c.at(i) == "and" || c.at(i) == "also" || c.at(i) == "plus" || strings.Contains(c.words[i].gap, ";")
		p.free = (p.more || j == i || reasons[c.at(j-1)] && c.at(j+1) != "last") && hasClause(c.words[j:]) // and not: since we last spoke
		p.more = p.more && whole
		i = j
	}
	asked = asked || c.asking()
	end(len(c.words))
	if len(run) > 0 {
		runs = append(runs, run)
	}
	return runs
}

// oneSubject tells words in which the speaker is not named twice, as in a condition and in what follows from it.
func oneSubject(ws []word) bool {
	first := slices.IndexFunc(ws, func(w word) bool { return selfWord(w.low) })
	return first < 0 || !slices.ContainsFunc(ws[first+1:], func(w word) bool { return selfWord(w.low) })
}

// apart divides clauses where one says something else than those before it.
func apart(spans []span) (groups [][]span) {
	from := 0
	for i := 1; i <= len(spans); i++ {
		if i == len(spans) || spans[i].more {
			groups = append(groups, spans[from:i])
			from = i
		}
	}
	return groups
}

// runOn returns the word at which a sentence begins without a full stop before it ("I was in Rome it was hot"), or 0. Only behind a name, a
// day or what someone likes doing is that certain.
func (c clause) runOn() int {
	for i := 3; i+1 < len(c.words); i++ {
		w, next := c.at(i), c.at(i+1)
		begins := w == "it's" || w == "i'm" || (w == "it" || w == "i") && (next == "is" || next == "was" || next == "am" || next == "have")
		if _, day := dayWords[c.at(i-1)]; !begins || c.words[i].gap != " " || !day && !activity(c, i-1) && !named(c, i-1) {
			continue
		}
		front := c.words[:i]
		if hasClause(front) && !slices.ContainsFunc(front, func(w word) bool { return w.quoted || conditional[w.low] || w.low == "because" }) {
			return i
		}
	}
	return 0
}

// opensClause tells whether the speaker is the subject of a new clause at word j, before which the one from word from ends at word i.
// Without a verb that one is none: "my friends and I went", "on weekends, I swim".
func opensClause(c clause, from, i, j int) bool {
	w, next, gap := c.at(j), c.at(j+1), c.words[i].gap
	switch {
	case w == "you":
		return pause(gap)
	case !selfWord(w), w == "me", w == "us", c.at(j-1) == "so" && (next == "can" || next == "could"): // a purpose
		return false
	case pause(gap) && strings.TrimSpace(gap) != ",":
		return true
	}
	if pause(gap) {
		return hasClause(c.words[from:i])
	}
	for k := i - 1; k > from; k-- { // because my family and I
		if pause(c.words[k].gap) || conjunctions[c.at(k-1)] {
			from = k
		}
	}
	return w != "my" && w != "our" && hasClause(c.words[from:i])
}

var (
	conjunctions = lexis.Set("and but so because since especially then now also although though plus")
	times        = lexis.Set("now then") // of those, what ends a clause as well
	reasons      = lexis.Set("because since")
	// scopes are words whose clause an "and" may go on with.
	scopes = lexis.Set("if whether hope wish said says told think thought thinks imagine suppose")
	// aims are verbs of what is wanted for the sake of something that was said before.
	aims = lexis.Set("want wanna need hope hoping waiting trying looking like")
	// conditional are words that make the clause behind theirs depend on it.
	conditional = lexis.Set("if when unless once whenever after before while as until")
)
