package extract

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/reverie-memory/reverie/lexis"
)

// Rules takes facts from text without any model: sentence by sentence, it drops what states
// nothing, names the speaker, turns relative dates into absolute ones and files the rest under one of the memory
// types. What it cannot make stand alone ("It was great") it leaves to the drawer.
//
// Only messages of people give facts: what an assistant or a tool wrote is in its drawer.
type Rules struct{}

// Name goes into the extraction record.
func (Rules) Name() string { return "rules/1" }

const (
	minSentence = 6           // bytes of the shortest sentence that states anything: "I quit"
	maxFact     = 300         // bytes of a fact
	maxPiece    = 4 * maxFact // bytes of what a fact is made of: what is longer cannot be shortened to one
)

// Extract returns the facts of a turn, in the order of the text. When ctx ends, it stops within a sentence's time and returns what it has
// with the error.
func (Rules) Extract(ctx context.Context, turn []Message) ([]Fact, error) {
	var facts []Fact
	names := speakers(turn)
	for _, m := range turn {
		if m.Noise || !byPerson(m) || IsNoise(m.Text) {
			continue
		}
		found, err := extractMessage(ctx, m, castOf(m, names))
		if facts = append(facts, found...); err != nil {
			return facts, err
		}
	}
	return facts, ctx.Err()
}

// byPerson tells a message that a person wrote.
func byPerson(m Message) bool { return m.Role == "" || m.Role == "user" }

// speakers lists the people of a turn.
func speakers(turn []Message) []string {
	var names []string
	for _, m := range turn {
		if !byPerson(m) || m.Speaker == "" || generic(m.Speaker) {
			continue
		}
		known := false
		for _, n := range names {
			known = known || n == m.Speaker
		}
		if !known {
			names = append(names, m.Speaker)
		}
	}
	return names
}

// generic tells speakers that are roles and not names.
func generic(s string) bool {
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "", "user", "human", "me", "you", "assistant", "system", "tool":
		return true
	}
	return false
}

func castOf(m Message, names []string) cast {
	p := cast{me: strings.TrimSpace(m.Speaker), team: sync.OnceValue(func() bool { return aboutWork(m.Text) })}
	if generic(p.me) {
		p.me = unknownSpeaker
	} else if !strings.ContainsAny(p.me, " @._-0123456789") {
		p.me = capital(p.me)
	}
	if len(names) == 2 {
		for _, n := range names {
			if n != m.Speaker {
				p.you = capital(n)
			}
		}
	}
	return p
}

// extractMessage returns the facts of one message.
func extractMessage(ctx context.Context, m Message, p cast) ([]Fact, error) {
	b := read(m.Text)
	var facts []Fact
	who := "" // whom he or she would be
	for _, s := range b.sentences {
		if err := ctx.Err(); err != nil {
			return facts, err
		}
		if len(s.text) < minSentence {
			who = ""
			continue
		}
		words := scan(s.text)
		for _, piece := range pieces(s.text, words) {
			if len(piece) > maxPiece {
				who = ""
				continue
			}
			if piece != s.text {
				words = scan(piece)
			}
			f, next, ok := p.fact(piece, words, s, m.At, who)
			who = next
			if !ok {
				continue
			}
			f.Drawer, f.Quote = m.Drawer, s.quote
			facts = append(facts, f)
		}
	}
	return addCaptions(facts, b.captions, m, p), nil
}

// pieces cuts a sentence, whose words are c, that is too long for one fact, and a statement off the request before it.
func pieces(s string, c clause) []string {
	var out []string
	if imperative(c) || c.at(0) == "always" || c.at(0) == "never" {
		for i := 2; i < len(c.words); i++ {
			if head, _, _ := strings.Cut(c.at(i), "'"); strings.HasPrefix(c.words[i].gap, ",") && (head == "i" || head == "we") {
				return []string{c.upTo(i).String(), c.from(i).String()}
			}
		}
	}
	if len(s) <= maxFact-40 {
		return []string{s}
	}
	for len(s) > maxFact-40 {
		cut := -1
		for _, sep := range [...]string{"; ", " – ", " — ", ", and ", ", but ", ", so ", ", which ", ", "} {
			if i := strings.LastIndex(s[:maxFact-40], sep); i > 40 {
				cut = i
				break
			}
		}
		if cut < 0 {
			break
		}
		out = append(out, s[:cut]+".")
		s = strings.TrimLeft(s[cut:], ",; –—")
	}
	return append(out, s)
}

// fact makes a fact of one sentence, whose words are c. It also returns whom he or she in the next sentence would be.
func (p cast) fact(text string, c clause, s sentence, at time.Time, who string) (Fact, string, bool) {
	if foreign(text, c) {
		f, ok := p.foreignFact(text)
		return f, "", ok
	}
	c = strip(c)
	if s.todo {
		c = toDo(c)
	}
	next := person(c)
	c, form := judge(c)
	c = trim(strip(c))
	if len(c.words) == 0 || form == question || form == request || strings.Contains(c.tail, ":") {
		return Fact{}, next, false
	}
	low := c.low()
	category, weight := classify(low)
	switch form {
	case wish:
		c = wishOf(c)
		category, weight = Preference, 9
	case proposal:
		category, weight = proposalOf(c, category), 9
		c = proposed(c, category)
	case reminder:
		if category == General && strings.HasPrefix(low, " i have to ") {
			category = Task
		}
		weight += 3
	default:
		if reaction(c, low) {
			return Fact{}, next, false
		}
		c = elliptic(c)
	}
	if category == General && isReminder(text) && hasTime(c) {
		category = Task
	}
	resolved := false
	if c, resolved = resolve(c, who); resolved && next == "" {
		next = who
	}
	if !p.worth(c, form, weight) {
		return Fact{}, next, false
	}
	c, about := absolute(c, at)
	c, named := p.name(c)
	if !named && !grounded(c, form, weight) {
		return Fact{}, next, false
	}
	c.tail = closing(c.tail)
	out := strings.TrimSpace(capital(strings.TrimRight(c.String(), " ,;:-–—.!")))
	if len(out) > maxFact {
		return Fact{}, next, false
	}
	f := Fact{Category: category, Text: out, Tags: tagsOf(out), Entities: entities(c)}
	if !about.IsZero() {
		f.About = about.Format(time.DateOnly)
	}
	return f, next, true
}

// closing keeps the quotes and brackets of what stands after the last word.
func closing(tail string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(")]”\"'`»", r) {
			return r
		}
		return -1
	}, tail)
}

func isReminder(text string) bool { return strings.HasPrefix(strings.ToLower(text), "remind") }

// hasTime tells a sentence that names a time.
func hasTime(c clause) bool {
	for i, w := range c.words {
		if _, ok := weekdays[w.low]; ok || w.low == "tomorrow" || w.low == "tonight" || w.low == "next" {
			return true
		}
		if _, ok := months[w.low]; ok && i > 0 {
			return true
		}
	}
	return false
}

// wishOf makes a statement of how the listener should behave.
func wishOf(c clause) clause {
	ws := []word{{text: "I", low: "i"}, {gap: " ", text: "want", low: "want"}}
	switch c.at(0) {
	case "call":
		ws = append(ws, word{gap: " ", text: "to", low: "to"}, word{gap: " ", text: "be", low: "be"}, word{gap: " ", text: "called", low: "called"})
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
	case "use", "go", "switch", "keep", "drop", "stick", "move", "pick", "choose", "make", "stay", "stop", "start", "replace", "revert", "call", "skip", "postpone", "settle":
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
	case mood[w] && (c.at(i+1) == "to" || c.at(i+1) == "about" || c.at(i+1) == "for" || c.at(i+1) == "that" || c.at(i+1) == "of" || c.at(i+1) == "with"):
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

var mood = set(`stoked pumped delighted fascinated keen curious excited happy glad proud sad tired worried nervous grateful thankful afraid scared sorry thrilled relieved ready`)

// participle are past forms that open a sentence as adjectives more often than as verbs.
var participle = set(`given known seen done gone written broken forgotten hidden stolen frozen taken shown based used born compared related fixed mixed limited united`)

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

// addCaptions tells what the pictures of a message show, behind its last fact or as one of its own.
func addCaptions(facts []Fact, captions []string, m Message, p cast) []Fact {
	if len(captions) == 0 {
		return facts
	}
	caption := strings.Join(captions, "; ")
	if n := len(facts); n > 0 && len(facts[n-1].Text)+len(caption) < maxFact-20 {
		facts[n-1].Text += " (picture: " + caption + ")"
		return facts
	}
	if len(caption) > maxFact-60 {
		return facts
	}
	text := p.me + " shared a picture: " + caption
	f := Fact{Drawer: m.Drawer, Category: General, Text: text, Tags: tagsOf(text), Quote: caption}
	if p.me != unknownSpeaker {
		f.Entities = []string{p.me}
	}
	return append(facts, f)
}

// worth tells whether a sentence says something that stands alone.
func (p cast) worth(c clause, f form, weight int) bool {
	if len(c.words) < 3 && f == statement {
		return len(c.words) == 2 && selfWord(c.at(0)) && weight >= 5 && !auxiliary(c.at(1))
	}
	switch head, _, _ := strings.Cut(c.at(0), "'"); head {
	case "it", "this", "that", "these", "those", "they", "he", "she", "you", "your", "his", "her", "their", "here", "what", "which", "who", "where", "why", "how", "them":
		return dateLeads(c) && content(c) > 0
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
	return content(c) > 0
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
	case "bet", "guess", "hope", "think", "know", "believe", "wish", "appreciate", "agree", "understand", "see", "mean", "suppose", "imagine", "hear", "get", "admire", "feel", "love", "like", "thank", "support", "want", "need":
		if object == "you" || object == "your" || object == "you're" || object == "you'll" || object == "so" || object == "that's" || object == "it's" ||
			object == "" || object == "what" || object == "how" || object == "why" {
			return true
		}
		if (object == "it" || object == "this" || object == "that") && (verb == "think" || verb == "hope" || verb == "guess" || verb == "bet" || verb == "believe") && c.at(i+2) != "the" {
			return true
		}
	}
	if verb == "wish" && (object == "i" || object == "we") && (c.at(i+2) == "could" || c.at(i+2) == "knew" || c.at(i+2) == "had") && len(c.words) < 7 {
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
		"sounds like|sounds great|sounds amazing|sounds fun|sounds good|sounds awesome|sounds really|sounds so|it sounds|let me know|i appreciate|" +
		"i'm here for|here to lend|keep it up|forward to it|i'll keep you|more about it|what a|no idea|be of assistance|of help|can't wait to hear")
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

var praise = set(`great good awesome amazing nice cool beautiful stunning gorgeous fantastic wonderful lovely fun funny interesting incredible inspiring perfect best picturesque breathtaking fascinating
	delicious impressive unbelievable unbelievably charming special important crucial super peaceful relaxing hilarious engaging mind-blowing adorable cute magical unreal sweet excellent brilliant
	terrible awful horrible boring overrated underrated timeless iconic legendary thrilling refreshing rewarding powerful meaningful essential priceless precious key helpful chill`)

func hasNumber(c clause) bool {
	for _, w := range c.words {
		if startsWithDigit(w.text) {
			return true
		}
	}
	return false
}
