package extract

import (
	"context"
	"slices"
	"strings"
	"time"
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
		var err error
		if facts, err = extractMessage(ctx, facts, m, castOf(m, names)); err != nil {
			return facts, err
		}
	}
	return facts, ctx.Err()
}

// extractMessage adds the facts of one message to those of the messages before it.
func extractMessage(ctx context.Context, facts []Fact, m Message, p cast) ([]Fact, error) {
	b := read(m.Text)
	before := len(facts)
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
			if len(facts) == cap(facts) {
				facts = slices.Grow(facts, 2+len(facts))
			}
			facts = append(facts, f)
		}
	}
	return append(facts[:before], addCaptions(facts[before:], b.captions, m, p)...), nil
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

// fact makes a fact of one sentence, whose words are c, and tells whom he or she in the next sentence would be.
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
	f := Fact{Category: category, Text: out, Tags: tags(c), Entities: entities(c)}
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
