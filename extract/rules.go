package extract

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/extract/worth"
	"github.com/reverie-memory/reverie/vault"
)

// Rules takes facts from text without any language model: sentence by sentence, it leaves off what states nothing, asks a small linear
// model of ours whether the rest is worth a line (package worth), and writes that as a clause in the third person where subject and verb are
// certain, and as a quotation of the speaker everywhere else. What is not worth a line, or needs the sentences around it, stays in its drawer.
//
// Only messages of people give facts: what an assistant or a tool wrote is in its drawer.
type Rules struct {
	// Worth is how probable it must be, in percent, that a sentence lasts and stands alone. 0 is [DefaultWorth].
	Worth int
}

// DefaultWorth is where about half of what is kept is worth a line.
const DefaultWorth = 35

// Name goes into the extraction record.
func (Rules) Name() string { return "rules/2" }

const (
	minSentence = 6   // bytes of the shortest sentence that states anything: "I quit"
	maxSentence = 900 // bytes of the longest one that is looked at
	maxFact     = 300 // bytes of a fact
	maxClauses  = 180 // bytes of several clauses that stay together
	joinWorth   = 0.6 // how probable it must be that a sentence lasts which is joined to the one before
)

// Extract returns the facts of a turn, in the order of the text. When ctx ends, it stops within a sentence's time and returns what it has
// with the error.
func (r Rules) Extract(ctx context.Context, turn []Message) ([]Fact, error) {
	if r.Worth == 0 {
		r.Worth = DefaultWorth
	}
	var facts []Fact
	for _, m := range turn {
		if m.Noise || !byPerson(m) || IsNoise(m.Text) {
			continue
		}
		w := writer{worth: float64(r.Worth) / 100, me: nameOf(m.Speaker), message: m, facts: facts}
		err := w.read(ctx)
		if facts = w.facts; err != nil {
			return facts, err
		}
	}
	return facts, ctx.Err()
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
	return capital(speaker)
}

// byPerson tells a message that a person wrote.
func byPerson(m Message) bool { return m.Role == "" || m.Role == "user" }

// A writer makes the facts of one message.
type writer struct {
	worth   float64
	me      string
	message Message
	facts   []Fact
	open    int // 1 + the fact that is all of the sentence before, to which the next one may be joined; 0: none
}

func (w *writer) read(ctx context.Context) error {
	b := read(w.message.Text)
	for _, s := range b.sentences {
		if err := ctx.Err(); err != nil {
			return err
		}
		if open := w.open; len(s.text) < minSentence || len(s.text) > maxSentence || !w.sentence(s) && !w.join(open, s) {
			w.open = 0
		}
	}
	return nil
}

// sentence adds what a sentence is worth, and tells whether that is anything.
func (w *writer) sentence(s sentence) bool {
	before := len(w.facts)
	c, kind := lead(scan(s.text))
	if s.todo {
		kind = errand
	}
	if foreign(s.text) {
		return w.foreign(s, c)
	}
	for _, run := range statements(c) {
		whole := c.between(run[0], run[len(run)-1])
		if len(whole.String()) <= maxClauses && w.statement(whole, kind, s) {
			continue
		}
		for i := 1; i < len(run) && (len(run) > 2 || len(whole.String()) > maxClauses); i++ {
			w.statement(c.between(run[i-1], run[i]), kind, s)
			kind = plain
		}
	}
	w.open = 0
	if len(w.facts) == before+1 {
		w.open = len(w.facts)
	}
	return len(w.facts) > before
}

// statement adds a clause if it is worth a line, and tells whether it was.
func (w *writer) statement(c clause, kind int, s sentence) bool {
	c = trim(c)
	judged := c
	if kind == errand {
		judged = c.after("I have to")
	}
	least := w.worth
	if kind == plain && !slices.ContainsFunc(c.words, func(w word) bool { return selfWord(w.low) }) {
		least += (1 - least) / 4 // what is said of the world at large is seldom missed
	}
	if leans(c, kind) || kind != wish && worth.Of(judged.String()) < least { // a standing wish lasts by its form
		return false
	}
	f, ok := w.fact(c, kind)
	if !ok {
		return false
	}
	f.Drawer, f.Quote = w.message.Drawer, s.quote
	w.facts = append(w.facts, f)
	return true
}

// join adds a sentence that lasts but leans on the one before ("Her name is Pepper") to the fact of that one, as a quotation of both.
func (w *writer) join(open int, s sentence) bool {
	if open == 0 || open != len(w.facts) {
		return false
	}
	c := trim(scan(s.text))
	if lasting, _ := worth.Judge(s.text); lasting < joinWorth || len(c.words) < 3 || c.asking() || addresses(c) || !leans(c, plain) {
		return false
	}
	f := &w.facts[open-1]
	before := trim(scan(f.Quote))
	before.tail = "."
	text, about := w.quote(clause{append(before.words, append([]word{{gap: ". ", text: capital(c.words[0].text), low: c.at(0)}},
		c.words[1:]...)...), c.tail})
	if len(text) > maxFact {
		return false
	}
	f.Text, f.Quote = text, f.Quote+" "+s.quote
	if f.About == "" {
		f.About = day(about)
	}
	f.Entities = w.entities(c, f.Entities)
	w.open = open
	return true
}

// fact writes a clause down: in the third person where that is certain, else as a quotation.
func (w *writer) fact(c clause, kind int) (Fact, bool) {
	f := Fact{Category: classify(c.low()), Tags: tags(c)}
	switch {
	case kind == wish:
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
		stated = elliptic(c)
	}
	stated, about := absolute(stated, w.message.At, false)
	if said, ok := w.third(stated); ok {
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
	c, about := absolute(c, w.message.At, true)
	c.tail = closing(c.tail)
	return vault.Quote(w.me, finish(c.String())), about
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
func finish(s string) string { return capital(strings.Trim(s, " ,;:-–—.!")) }

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
	if c.asking() || utf8.RuneCountInString(s.text) < minSentence {
		return false
	}
	if latin, other := letters(s.text); other > latin && !speaksOfSelf(s.text) || other <= latin && worth.Of(c.String()) < w.worth {
		return false
	}
	f := Fact{Drawer: w.message.Drawer, Quote: s.quote, Category: General, Tags: tags(c), Entities: []string{w.me}}
	c.tail = closing(c.tail)
	f.Text = vault.Quote(w.me, finish(c.String()))
	for _, word := range c.words { // a capital means nothing in German
		if identifier(word.text) && len(f.Entities) < 4 {
			f.Entities = append(f.Entities, word.text)
		}
	}
	if len(f.Text) > maxFact {
		return false
	}
	w.facts = append(w.facts, f)
	return true
}

// speaksOfSelf tells a sentence of a script without Latin letters that says I or my.
func speaksOfSelf(s string) bool {
	for _, p := range [...]string{
		"我", "私", "僕", "俺", "저는", "나는", "제가", "내가", "우리", "제 ", "내 ", "я ", "мой ", "моя ", "мои ", "мне ", "меня ", "мы ", "у меня", "أنا",
		"لدي", "عندي", "أسكن", "أعيش", "मैं", "मेरा", "मेरी", "मेरे",
	} {
		if strings.Contains(strings.ToLower(s), p) {
			return true
		}
	}
	return false
}

func day(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.DateOnly)
}
