package extract

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/extract/thread"
	"github.com/reverie-memory/reverie/extract/worth"
	"github.com/reverie-memory/reverie/graph/derive"
	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/vault"
)

// Rules takes facts from text without any language model: sentence by sentence, it leaves off what states nothing, asks a small linear
// model of ours whether the rest is worth a line (package worth), and writes that as a clause in the third person where subject and verb
// are certain, and as a quotation of the speaker everywhere else. What is not worth a line, or needs the sentences around it, stays in
// its drawer.
//
// Only messages of people give facts: what an assistant or a tool wrote is in its drawer.
type Rules struct {
	// Worth is how probable it must be, in percent, that a sentence lasts and stands alone. 0 is [DefaultWorth].
	Worth int
	// Heard spares looking at the same sentences again and again. Nil: they are.
	Heard *Heard
}

// DefaultWorth is where readers find two thirds of what is written true, understood by itself and lasting.
const DefaultWorth = 40

// Name goes into the extraction record.
func (Rules) Name() string { return "rules/3" }

const (
	minSentence   = 6    // bytes of the shortest sentence that states anything: "I quit"
	maxSentence   = 900  // bytes of the longest one that is looked at
	maxFact       = 300  // bytes of a fact
	maxClauses    = 240  // bytes of several clauses, or two sentences, that stay together
	splitWorth    = 0.4  // how probable it must be of each clause that it is worth a line where a sentence is cut
	ruleWorth     = 0.1  // how probable it must be of what has the form of a rule
	softwareWorth = 0.33 // and in talk about a software project, which is worth more lines than the model knows
	toldBy        = 200  // sentences of a message that tell whether it is about a software project
	triple        = 14   // words of the longest clause that is asked whether it is a triple
	joinWorth     = 0.5  // how probable it must be that a sentence lasts which is joined to the one before

	maxSentences = 4000 // of a message that are looked at: a longer one is no talk, and its text is in its drawer
)

// Extract returns the facts of a turn, in the order of the text. When ctx ends, it stops within a sentence's time and returns what it has
// with the error. Of a message of more than 4,000 sentences the rest is not looked at, and a [PartialError] comes with the facts.
func (r Rules) Extract(ctx context.Context, turn []Message) ([]Fact, error) {
	r.Worth = cmp.Or(r.Worth, DefaultWorth)
	var facts []Fact
	var part error
	for i, m := range turn {
		if m.Before || m.Noise || !byPerson(m) {
			continue
		}
		w := writer{
			worth: float64(r.Worth) / 100, me: nameOf(m.Speaker), message: m, earlier: turn[:i], heard: r.Heard,
			written: map[[2]string][]Fact{},
		}
		w.peopled = peopled(w.earlier, w.me)
		err := w.read(ctx)
		if err == nil {
			w.hear()
		}
		if err == nil && m.Note {
			w.note()
		}
		w.part(func(i int) bool {
			return slices.ContainsFunc(w.said[w.of[i].from:w.of[i].to], func(s sentence) bool { return s.loose }) && ordering(w.facts[i].Text)
		})
		if facts = append(facts, w.facts...); err != nil {
			return facts, err
		}
		if w.looked > maxSentences {
			part = &PartialError{fmt.Sprintf("a message has more than %d sentences", maxSentences)}
		}
	}
	return facts, cmp.Or(ctx.Err(), part)
}

// A PartialError says that the facts that come with it are those of a part of the turn. The same text has no more at another try.
type PartialError struct{ Reason string }

func (e *PartialError) Error() string { return e.Reason }

// peopled tells messages of which some are another person's, and none an assistant's.
func peopled(earlier []Message, me string) bool {
	other := func(m Message) bool {
		name := nameOf(m.Speaker)
		return ofSomebody(m) && name != me && name != unknownSpeaker && me != unknownSpeaker
	}
	return slices.ContainsFunc(earlier, other) && !slices.ContainsFunc(earlier, func(m Message) bool { return m.Role == "assistant" })
}

const unknownSpeaker = "The user"

// nameOf is what facts call a speaker.
func nameOf(speaker string) string {
	speaker = strings.Join(strings.Fields(speaker), " ")
	switch strings.ToLower(speaker) {
	case "", "user", "human", "me", "you", "assistant", "system", "tool":
		return unknownSpeaker
	}
	if strings.ContainsAny(speaker, " @._-0123456789") {
		return speaker
	}
	return lexis.Capital(speaker)
}

// byPerson tells a message that the person wrote whose memory this is.
func byPerson(m Message) bool { return m.Role == "" || m.Role == "user" }

// ofSomebody tells a message that a person wrote, this one or another of an imported talk.
func ofSomebody(m Message) bool {
	return byPerson(m) || m.Role == string(vault.OriginImport) && nameOf(m.Speaker) != unknownSpeaker
}

// A writer makes the facts of one message.
type writer struct {
	worth    float64
	me       string
	message  Message
	earlier  []Message // the oldest first
	heard    *Heard
	peopled  bool  // it is another person who is spoken to
	asked    bool  // the sentence is one that is to be remembered
	sure     []int // sentences that gave a fact, to a memory or an assistant, whatever the models think of it
	facts    []Fact
	of       []stretch            // the sentences of each fact
	before   sentence             // the one before, which may say what the next one is about
	sayings  *sayings             // of the message
	said     []sentence           // those that were read
	looked   int                  // how many were asked for
	software *bool                // whether the message is about a software project; nil: nobody has asked yet
	at       int                  // the sentence that is read
	open     int                  // 1 + the only fact of that sentence; 0: it gave none; -1: it gave several
	written  map[[2]string][]Fact // what sentences by themselves were worth, by their quotes and words
	dated    bool                 // a fact of the sentence asked for the month
	sitting  *talk                // what was said before, once the month was asked for
	months   int                  // so many sentences were looked at for the month that was named last
	named    time.Month
}

func (w *writer) read(ctx context.Context) error {
	w.sayings = read(w.message.Text, w.me)
	const needy = -2
	told := map[string]int{} // by what was said, the open that it left; what needs the sentence before is not the same behind another: needy
	for i := 0; ; i++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		if i == len(w.said) && !w.ahead() {
			return nil
		}
		w.at = i
		s := w.said[i]
		if s.size < minSentence || s.size > maxSentence {
			w.before, w.open = sentence{}, 0
			if s.size < minSentence && i >= toldBy { // nobody asks for it again but for its month
				if m := lastMonth(s.clause, len(s.words)); m != 0 {
					w.named, w.months = m, i
				}
				w.said, i = w.said[:i], i-1
			}
			continue
		}
		words := s.String()
		before, again := told[words]
		if again && before != needy {
			w.before, w.open = s, before
			continue
		}
		open := w.open
		if w.open = 0; goesOn(trim(s.clause)) {
			w.open = w.join(open, s)
		}
		if facts := len(w.facts); w.open == 0 {
			switch w.once(s, words); len(w.facts) - facts {
			case 0:
				w.open = w.join(open, s)
			case 1:
				w.open = len(w.facts)
			default:
				w.open = -1
			}
		}
		if c := trim(s.clause); !again && (leans(c, plain) || goesOn(c)) {
			told[words] = needy
		} else if !again {
			told[words] = w.open
		}
		w.before = s
	}
}

// ahead reads one more sentence of the message, if there is one that is looked at.
func (w *writer) ahead() bool {
	s, ok := w.sayings.next()
	if ok {
		w.looked++
	}
	if ok = ok && w.looked <= maxSentences; ok {
		w.said = append(w.said, s)
	}
	return ok
}

// once is sentence, which is asked once where a message says the same again and again.
func (w *writer) once(s sentence, words string) {
	key := [2]string{s.quote, words}
	facts, known := w.written[key]
	if !known {
		from := len(w.facts)
		w.dated = false
		if w.sentence(s); !w.dated {
			w.written[key] = slices.Clone(w.facts[from:])
		}
	}
	for _, f := range facts {
		f.Tags, f.Entities = slices.Clone(f.Tags), slices.Clone(f.Entities)
		w.put(f, w.this())
	}
}

// sentence adds what a sentence is worth, and first of two parts what each is worth where the second one is a wish: "I like short answers,
// and please use metric units".
func (w *writer) sentence(s sentence) {
	if parts := introduction(s.clause); len(parts) > 0 && !w.peopled && !s.loose {
		for _, s.clause = range parts {
			w.say(s)
		}
		return
	}
	if begins, ends := wishes(s.clause); begins > 0 {
		front := s
		front.clause = s.between(0, ends)
		w.sentence(front)
		s.clause = s.from(begins)
	}
	from := len(w.facts)
	if w.say(s); len(w.facts) == from {
		w.front(s)
	}
}

// front adds the beginning of a sentence that as a whole gave nothing, where it is vital: "I can't eat shrimps, it makes me sick".
func (w *writer) front(s sentence) {
	c, kind := lead(s.clause)
	for i := len(c.words) - 1; kind == plain && i > 1; i-- {
		if front := c.between(0, i); pause(c.words[i].gap) && !leans(front, plain) && vital(trim(front)) {
			w.add(front, plain, s)
			return
		}
	}
}

// say adds what a sentence says as a whole, or its clauses.
func (w *writer) say(s sentence) {
	c, kind := lead(s.clause)
	w.asked = kind == plain && !w.peopled && (w.message.Note || len(c.words) < len(strip(s.clause).words))
	if s.todo {
		kind = errand
	}
	if foreign(s.String()) {
		w.foreign(s, c)
		return
	}
	if (w.peopled || s.loose) && (kind == wish || kind == rule) {
		return // it is another person who is told so
	}
	if kind == rule {
		least := ruleWorth
		if manner(c) {
			least = 0
		}
		w.passage(c, []span{{to: len(c.words)}}, kind, least, s)
		return
	}
	for _, parts := range statements(c, kind) {
		w.statement(c, parts, kind, s)
		kind = plain
	}
}

// statement adds what clauses that follow each other are worth: those that say something each by themselves, or else all together.
func (w *writer) statement(c clause, spans []span, kind int, s sentence) {
	before := len(w.facts)
	if groups := apart(spans); len(groups) > 1 {
		kind := kind
		for _, group := range groups {
			w.passage(c, group, kind, max(w.worth, splitWorth), s)
			kind = plain
		}
	}
	if len(w.facts) == before {
		w.passage(c, spans, kind, w.worth, s)
	}
}

// passage adds clauses together, without those at the front that say nothing and those at the end that need another sentence.
func (w *writer) passage(c clause, spans []span, kind int, least float64, s sentence) {
	for from := 0; from < len(spans); from++ {
		if from+1 < len(spans) && spans[from+1].free &&
			w.idle(c.between(spans[from].from, spans[from].to), c.between(spans[from+1].from, spans[len(spans)-1].to)) {
			continue
		}
		for to := len(spans); to > from; to-- {
			whole := c.between(spans[from].from, spans[to-1].to)
			if len(whole.String()) <= maxClauses && w.worthy(whole, kind, least) {
				w.add(whole, kind, s)
				from = to - 1
				break
			}
		}
		kind = plain
	}
}

// idle tells the front of a sentence that is left out: what follows is worth a line, and the front neither is nor has the date of that.
func (w *writer) idle(front, rest clause) bool {
	return !front.hasAny(corrects) && !dated(front) && !points(rest) && worth.Of(trim(front).String()) < w.worth &&
		w.worthy(rest, plain, splitWorth)
}

// corrects are words with which the front of a sentence says that what was said before is wrong: I was wrong, my flight leaves at nine.
var corrects = lexis.Set("wrong mistaken misspoke mistake")

// worthy tells a clause that is understood by itself and at least so probably worth a line.
func (w *writer) worthy(c clause, kind int, least float64) bool {
	c = trim(c)
	judged := c
	if kind == errand {
		judged = c.after("I have to")
	}
	switch {
	case leans(c, kind):
		return false
	case w.certain(c, kind):
		return true
	case kind != plain:
	case w.isSoftware():
		least = min(least, softwareWorth)
	case !hasClause(c.words):
		return false
	case !c.aboutSelf():
		least *= 1.3                                                     // what is said of the world at large is seldom missed,
		if !strings.ContainsAny(c.String(), "0123456789") && !dated(c) { // least of all what anyone may say at any time
			least *= 1.3
		}
	}
	return kind == wish || worth.Of(judged.String()) >= least // a standing wish lasts by its form
}

// certain tells a clause that is worth a line whatever the model thinks of it: what is to be remembered, what is a triple of the graph,
// what is vital, and what is reported as done.
func (w *writer) certain(c clause, kind int) bool {
	return kind == plain && (w.asked && hasClause(c.words) || w.states(c) || vital(c) || reported(c))
}

// states tells a short clause that says for certain what somebody or something is, has or does: it is a triple of the graph, whatever the
// model thinks of it.
func (w *writer) states(c clause) bool {
	return len(c.words) <= triple && derive.States(c.String(), w.me)
}

// isSoftware tells a message about a software project: its parts are its people's, and what is said of them has often neither I nor verb.
func (w *writer) isSoftware() bool {
	if w.software == nil {
		for more := true; more && len(w.said) < toldBy; {
			more = w.ahead()
		}
		is := worth.IsSoftware(func(yield func(string) bool) {
			for _, s := range w.said[:min(len(w.said), toldBy)] {
				if !yield(s.String()) {
					return
				}
			}
		})
		w.software = &is
	}
	return *w.software
}

// add adds a clause as a fact.
func (w *writer) add(c clause, kind int, s sentence) {
	if f, ok := w.fact(trim(c), kind); ok {
		f.Drawer, f.Quote = w.message.Drawer, s.quote
		w.put(f, w.this())
		if w.certain(trim(c), kind) {
			w.assure()
		}
	}
}

// assure has the sentence that is read keep its fact whatever was said before, unless it is told to another person.
func (w *writer) assure() {
	if !w.peopled && len(w.earlier) > 0 {
		w.sure = append(w.sure, w.at)
	}
}

// put adds a fact of sentences.
func (w *writer) put(f Fact, of stretch) { w.facts, w.of = append(w.facts, f), append(w.of, of) }

// this is the sentence that is read.
func (w *writer) this() stretch { return stretch{w.at, w.at + 1} }

// goesOn tells a sentence that goes on with what the one before began to tell: who we are, and when that was.
func goesOn(c clause) bool { return c.at(0) == "we" && inPast(c, -1) && !dated(c) }

// join adds a sentence that lasts, but needs the one before to be understood ("Her name is Pepper"), as a quotation of both. join takes the
// place of the only fact of the one before, and returns 1 + its place, or 0 when there is none.
func (w *writer) join(open int, s sentence) int {
	c := trim(s.clause)
	if open < 0 || len(c.words) < 3 || c.asking() || addresses(c) || !leans(c, plain) && !goesOn(c) || lastingOf(s.clause) < joinWorth {
		return 0
	}
	before := trim(w.before.clause)
	if len(before.words) == 0 || leans(before, plain) || !leans(c, plain) && !inPast(before, -1) ||
		open == 0 && lastingOf(w.before.clause) < w.worth || foreign(s.String()) {
		return 0
	}
	both := clause{slices.Concat(before.words, c.words), c.tail}
	next := &both.words[len(before.words)]
	next.gap, next.text = ". ", lexis.Capital(next.text)
	if !both.aboutSelf() || dangles(both) || len(both.String()) > maxClauses {
		return 0
	}
	f, ok := w.fact(both, plain)
	if !ok {
		return 0
	}
	if f.Drawer, f.Quote = w.message.Drawer, s.quote; s.quote != w.before.quote {
		f.Quote = w.before.quote + " " + s.quote
	}
	if open > 0 {
		f.Category = w.facts[open-1].Category
		w.facts, w.of = w.facts[:open-1], w.of[:open-1]
	}
	w.put(f, stretch{w.at - 1, w.at + 1})
	return len(w.facts)
}

func lastingOf(c clause) float64 {
	lasting, _ := worth.Judge(c.String())
	return lasting
}

// fact writes a clause down: in the third person where that is certain, else as a quotation.
func (w *writer) fact(c clause, kind int) (Fact, bool) {
	if strings.EqualFold(strings.Trim(c.low(), " "), "my name is "+w.me) || !c.tells() {
		return Fact{}, false
	}
	f := Fact{Category: classify(c.low()), Tags: tags(c)}
	switch {
	case kind == wish, kind == rule:
		f.Category = Preference
	case kind == errand, f.Category == General && strings.HasPrefix(c.low(), " i have to "):
		f.Category = Task
	case kind == choice && f.Category != Decision:
		f.Category = Task
	}
	own, stated := c, c
	switch {
	case kind == errand:
		own, stated = c.after("[I have to]"), c.after("I have to")
	case kind == wish && c.at(0) == "call":
		stated = c.from(2).after("I want to be called")
	case kind == wish:
		stated = c.after("I want assistants to")
	case kind == plain:
		stated = elliptic(c, "I")
		own = elliptic(c, "[I]")
	}
	stated, about := absolute(stated, w.message.At, w.month, false)
	if said, ok := w.third(stated); ok && kind != rule {
		said.tail = closing(said.tail)
		f.Text, f.Entities = finish(said.String()), entities(said)
	} else {
		f.Text, about = w.quote(own)
		f.Entities = w.entities(c, nil)
	}
	f.About = day(about)
	return f, len(f.Text) <= maxFact
}

// quote writes a clause in the speaker's own words, with absolute dates behind relative ones.
func (w *writer) quote(c clause) (string, time.Time) {
	c, about := absolute(c, w.message.At, w.month, true)
	c.tail = closing(c.tail)
	return vault.Quote(w.me, finish(c.String())), about
}

// month is the one that was named last in the sitting before the sentence that is read; 0 where none was. month is asked for "on the 18th".
func (w *writer) month() time.Month {
	if w.dated = true; w.sitting == nil {
		t := newTalk(w.message, nil, w.heard)
		t.listen(w.earlier, thread.LooksBack)
		w.sitting, w.named = &t, cmp.Or(w.named, t.month(nil, 0))
	}
	for ; w.months < len(w.said)-1; w.months++ {
		w.named = cmp.Or(lastMonth(w.said[w.months].clause, len(w.said[w.months].words)), w.named)
	}
	return w.named
}

// entities adds the names in a clause to those of the speaker and of entities.
func (w *writer) entities(c clause, list []string) []string {
	if list == nil {
		list = append(list, w.me)
	}
	for _, e := range entities(c) {
		if !slices.Contains(list, e) && len(list) < maxEntities {
			list = append(list, e)
		}
	}
	return list
}

// finish trims what stands around a statement and begins it with a capital.
func finish(s string) string { return lexis.Capital(strings.Trim(s, " ,;:-–—.!")) }

// closing keeps the quotes and brackets of what stands after the last word.
func closing(tail string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(")]”\"'`»", r) {
			return r
		}
		return -1
	}, tail)
}

// foreign adds a sentence of another language in the speaker's words. Scripts that the model has not learnt are kept where they speak of
// the speaker.
func (w *writer) foreign(s sentence, c clause) bool {
	c = trim(c)
	if c.asking() || utf8.RuneCountInString(s.String()) < minSentence {
		return false
	}
	if latin, other := letters(s.String()); other > latin && !speaksOfSelf(s.String()) ||
		other <= latin && worth.Of(c.String()) < w.worth && !w.states(c) {
		return false
	}
	f := Fact{Drawer: w.message.Drawer, Quote: s.quote, Category: General, Tags: tags(c), Entities: []string{w.me}}
	c.tail = closing(c.tail)
	f.Text = vault.Quote(w.me, finish(c.String()))
	if len(f.Text) > maxFact {
		return false
	}
	if w.put(f, w.this()); w.states(c) {
		w.assure()
	}
	return true
}

// speaksOfSelf tells a sentence of a script without Latin letters that says I or my.
func speaksOfSelf(s string) bool {
	s = strings.ToLower(s)
	return slices.ContainsFunc([]string{
		"我", "私", "僕", "俺", "저는", "나는", "제가", "내가", "우리", "제 ", "내 ", "я ", "мой ", "моя ", "мои ", "мне ", "меня ", "мы ", "у меня", "أنا",
		"لدي", "عندي", "أسكن", "أعيش", "मैं", "मेरा", "मेरी", "मेरे",
	}, func(p string) bool { return strings.Contains(s, p) })
}

func day(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.DateOnly)
}
