package extract

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/extract/thread"
	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/trust"
	"github.com/reverie-memory/reverie/vault"
)

const (
	listens = 10            // messages before one that may be needed to understand it
	rest    = 6 * time.Hour // without a message end a sitting
	tail    = 1500          // bytes at the end of a message before that are looked at
)

// A talk is a message with those before it, as package thread sees them.
type talk struct {
	thread.Place
	heard   *Heard
	message Message
	read    []sentence // of the message
	keep    []float64  // how probable it is of each that it is worth a line
	earlier []heard    // the newest first
	may     []bool     // of these, which may be told beside the message
	weights []byte     // of the models
}

// A stretch are the sentences of a message from one up to another.
type stretch struct{ from, to int }

// heard is a message before.
type heard struct {
	Message
	read []sentence
}

// newTalk prepares a message, whose sentences are read already.
func newTalk(m Message, said []sentence, heard *Heard) talk {
	t := talk{read: said, message: m, heard: heard, weights: thread.Trained()}
	t.Message = &thread.Message{Sentences: t.prepared(said)}
	return t
}

// listen prepares the messages before, of which the newest stand last, up to so many of them.
func (t *talk) listen(before []Message, most int) {
	for len(t.earlier) < min(len(before), most) {
		next := t.message.At
		if n := len(t.earlier); n > 0 {
			next = t.earlier[n-1].At
		}
		b := before[len(before)-1-len(t.earlier)]
		h := heard{b, read(ending(b.Text, tail)).all()}
		t.earlier = append(t.earlier, h)
		t.Earlier = append(t.Earlier, thread.Message{
			Sentences: t.prepared(h.read), Same: b.Speaker == t.message.Speaker && b.Role == t.message.Role, Apart: next.Sub(b.At) > rest,
		})
	}
}

// allow finds out which messages before may be told beside the message.
func (t *talk) allow() {
	for i := range t.earlier {
		t.may = append(t.may, t.tells(i))
	}
}

func (t *talk) prepared(said []sentence) (out []thread.Sentence) {
	for _, s := range said {
		out = append(out, t.heard.sentence(trim(s.clause).String(), s.asking()))
	}
	return out
}

// ending is so much of a long text's end, from a blank on.
func ending(text string, most int) string {
	if len(text) <= most {
		return text
	}
	text = text[len(text)-most:]
	return strings.ToValidUTF8(text[strings.IndexAny(text, " \n")+1:], "")
}

// Places returns each sentence of the last message in its place, with the words of the message that it was read from. Programs that train
// the models ask.
func Places(messages []Message) (places []thread.Place, quotes []string) {
	last := len(messages) - 1
	t := newTalk(messages[last], read(messages[last].Text).all(), nil)
	t.listen(messages[:last], listens)
	for i, s := range t.read {
		p := t.Place
		p.At = i
		places, quotes = append(places, p), append(quotes, s.quote)
	}
	return places, quotes
}

const (
	maxSaid    = 40   // sentences of a message that are judged in their place
	mayKeep    = 0.3  // how probable it must be that a sentence is worth a line that is quoted,
	needed     = 0.15 // that one of the last messages is needed,
	farNeeded  = 0.3  // or one before these
	plainly    = 0.55 // that a sentence by itself is worth a line, which is one then whatever was said before it
	muchBetter = 0.15 // how much better a line must be with what was said before where it stood alone so far
	usualFit   = 1.6  // what the logarithm of the odds is lifted by that a line fits: of all that may be written of a sentence few lines do
	fitShare   = 0.7  // of what is said of a line, by that it fits; the rest by that it is good
	mostNeeds  = 4    // last messages before of which each may stand in a fact, needed or not much
	maxMessage = 200  // bytes of the message that are quoted together,
	maxHeard   = 140  // of one before, where it has more than one sentence,
	maxTalk    = 420  // and of all
)

// hear looks at the sentences of the message in their place. What is worth a line only with what was said before is quoted with that,
// and a fact that the talk around it shows to be none goes.
func (w *writer) hear() {
	said := w.said[:min(len(w.said), maxSaid)]
	if len(said) == 0 || len(w.earlier) == 0 {
		return
	}
	t := newTalk(w.message, said, w.heard)
	t.listen(w.earlier, thread.LooksBack)
	t.judge()
	if len(w.facts) == 0 && slices.Max(t.keep) < mayKeep {
		return
	}
	t.listen(w.earlier, listens)
	t.allow()
	good := w.stand(t)
	var all []Candidate
	for i := range said {
		if t.keep[i] < mayKeep || strange(said[i]) || requests(said[i], w.me) || w.told(said[i]) && !w.over(i) {
			continue
		}
		all = append(all, t.candidates(w.me, i, func(at int) bool { return !w.firm(good, at) && !directs(t.read[at], w.me) })...)
	}
	slices.SortStableFunc(all, func(a, b Candidate) int { return cmp.Compare(b.good, a.good) })
	w.settle(t, all, good)
}

// firmly is how good a fact is that nothing takes the place of.
const firmly = 1

// stand drops the facts that are none where they were said, and tells how good the others are: [firmly] for wishes, which are some wherever
// they are said, for what is plainly worth a line by itself, and for what the models do not judge.
func (w *writer) stand(t talk) (good []float64) {
	plain := func(s thread.Sentence) bool { return s.Worth() >= plainly }
	w.part(func(i int) bool {
		of := w.of[i]
		p := float64(firmly)
		if of.to <= len(t.read) && w.facts[i].Category != Preference && !strange(w.said[of.from]) &&
			!slices.ContainsFunc(t.Message.Sentences[of.from:of.to], plain) {
			l := t.line(of.from, of.to, nil, w.said[of.from].size)
			l.Quoted = isQuote(w.facts[i].Text)
			p = t.good(l, t.needs(of.from, of.to))
		}
		if p >= w.worth {
			good = append(good, p)
		}
		return p < w.worth
	})
	return good
}

// strange tells a sentence in a script that the models have not learnt.
func strange(s sentence) bool {
	latin, other := letters(s.quote)
	return other > latin
}

// settle writes the best of the candidates, which stand in that order, that share no sentence with each other. Each takes the place of the
// facts of its sentences, where it is much better than these. Two that follow each other are one, where that is short.
func (w *writer) settle(t talk, all []Candidate, good []float64) {
	taken := make([]bool, len(t.read))
	drop := map[int]bool{}
	var out []Candidate
	for _, c := range all {
		if c.good < w.worth {
			break
		}
		var instead []int
		better := !slices.Contains(taken[c.At:c.To], true)
		for i, of := range w.of {
			if of.from < c.To && c.At < of.to {
				better = better && c.At <= of.from && of.to <= c.To && c.good >= good[i]+muchBetter
				instead = append(instead, i)
			}
		}
		if !better {
			continue
		}
		for i := c.At; i < c.To; i++ {
			taken[i] = true
		}
		for _, i := range instead {
			drop[i] = true
		}
		out = append(out, c)
	}
	w.part(func(i int) bool { return drop[i] })
	slices.SortFunc(out, func(a, b Candidate) int { return cmp.Compare(a.At, b.At) })
	for i := 0; i < len(out); i++ {
		c := out[i]
		for ; i+1 < len(out) && out[i+1].At == c.To && t.size(stretch{c.At, out[i+1].To}) <= maxMessage; i++ {
			c = t.joined(w.me, c, out[i+1])
		}
		w.put(w.quotation(t, c), stretch{c.At, c.To})
	}
}

// quotation is a candidate as a fact.
func (w *writer) quotation(t talk, c Candidate) Fact {
	var worthy []sentence // which tell what it is about
	for i := c.At; i < c.To; i++ {
		if i == c.core || t.keep[i] >= mayKeep {
			worthy = append(worthy, t.read[i])
		}
	}
	core := sequence(worthy)
	f := Fact{
		Drawer: w.message.Drawer, Text: c.text, About: c.about, Category: classify(core.low()), Tags: tags(core),
		Entities: w.entities(sequence(t.read[c.At:c.To]), nil), Quote: strings.TrimSpace(quoteOf(t.read[c.At:c.To])),
	}
	for _, i := range c.Beside {
		f.Beside = append(f.Beside, t.earlier[i].Drawer)
	}
	return f
}

// judge tells of each sentence how probable it is that it is worth a line.
func (t *talk) judge() {
	p := t.Place
	for p.At = range t.read {
		t.keep = append(t.keep, thread.Probability(t.weights, thread.Keep, p.Features()))
	}
}

// over tells a sentence that gave a fact.
func (w *writer) over(at int) bool {
	return slices.ContainsFunc(w.of, func(of stretch) bool { return of.from <= at && at < of.to })
}

// firm tells a sentence whose fact stays.
func (w *writer) firm(good []float64, at int) bool {
	for i, of := range w.of {
		if of.from <= at && at < of.to && good[i] == firmly {
			return true
		}
	}
	return false
}

// told tells a sentence that gave a fact, here or where the message has it as well.
func (w *writer) told(s sentence) bool {
	words := s.String()
	return slices.ContainsFunc(w.of, func(of stretch) bool {
		return slices.ContainsFunc(w.said[of.from:of.to], func(o sentence) bool { return o.String() == words })
	})
}

// part drops facts.
func (w *writer) part(with func(fact int) bool) {
	n := 0
	for i := range w.facts {
		if !with(i) {
			w.facts[n], w.of[n] = w.facts[i], w.of[i]
			n++
		}
	}
	w.facts, w.of = w.facts[:n], w.of[:n]
}

// directs tells a sentence that tells somebody to do something.
func directs(s sentence, speaker string) bool {
	c := trim(s.clause)
	return asks(c, 0) || speaker == unknownSpeaker && isBase(c.at(0))
}

// requests tells a sentence that asks for something, or tells somebody to do it.
func requests(s sentence, speaker string) bool { return s.asking() || directs(s, speaker) }

// isQuote tells a fact in the speaker's own words.
func isQuote(text string) bool {
	_, _, quoted := vault.CutQuote(text)
	return quoted
}

// tells tells a message before that says or asks something, and may be told beside the words of a person: an assistant's is only good for
// what it asks, and nobody's may give orders.
func (t talk) tells(i int) bool {
	h := &t.earlier[i]
	asks := slices.ContainsFunc(h.read, sentence.asking)
	if strings.Contains(h.Text, "[redacted") || (h.Noise || IsNoise(h.Text)) && !asks || !byPerson(h.Message) && !asks {
		return false
	}
	words := 0
	states := func(s sentence) bool { return !requests(s, nameOf(h.Speaker)) }
	if t.Earlier[i].Same && !slices.ContainsFunc(h.read, states) {
		return false
	}
	for _, s := range h.read {
		for _, w := range s.words {
			if known := lexis.WordOf(w.low); !known.Stop {
				words++
			}
		}
	}
	return (words > 1 || asks) && (t.Earlier[i].Same || trust.Bar(trust.Said{Text: h.by(), Origin: vault.OriginAgent}, trust.Name) == "" &&
		trust.Bar(trust.Said{Text: h.telling(t.Earlier[i].Lasting(), false, noMonth), Origin: vault.OriginAgent}, trust.Page) == "")
}

func quoteOf(said []sentence) string {
	var out []string
	for i, s := range said {
		if i == 0 || s.quote != said[i-1].quote {
			out = append(out, s.quote)
		}
	}
	return strings.Join(out, " ")
}

// sequence is several sentences as one clause.
func sequence(said []sentence) (c clause) {
	for i, s := range said {
		next := s.clause
		if i == 0 {
			next = strip(next)
		}
		if len(next.words) == 0 {
			continue
		}
		if len(c.words) > 0 {
			ws := slices.Clone(next.words)
			ws[0].gap = cmp.Or(strings.TrimSpace(c.tail), ".") + " " + opening(ws[0].gap)
			next.words = append(c.words, ws...)
		}
		c = next
	}
	return c
}

// heardAll is what was said before, the oldest first, as it stands before the words of a message.
func (t talk) heardAll(parts []int) string {
	var b strings.Builder
	for _, i := range parts {
		h := &t.earlier[i]
		said := h.telling(t.Earlier[i].Lasting(), t.Earlier[i].Same, func() time.Month { return t.month(nil, i+1) })
		if said == "" {
			continue
		}
		if said = strings.TrimRight(said, ".! "); t.Earlier[i].Same {
			b.WriteString(said + vault.Next)
		} else {
			b.WriteString(vault.Heard(h.by(), said) + " ")
		}
	}
	return b.String()
}

// month is the one that was named last in these sentences, or else in the messages of the sitting from one on; 0 where none was.
func (t talk) month(said []sentence, from int) time.Month {
	for {
		for _, s := range slices.Backward(said) {
			if m := lastMonth(s.clause, len(s.words)); m != 0 {
				return m
			}
		}
		if from >= len(t.earlier) || t.Earlier[from].Apart {
			return 0
		}
		said, from = t.earlier[from].read, from+1
	}
}

// by is what facts call who said it.
func (h *heard) by() string {
	if !byPerson(h.Message) {
		return lexis.Capital(h.Role)
	}
	return nameOf(h.Speaker)
}

// telling is what of a message before tells what the next ones are about: what it asks, all of it where it is short, or else the sentence
// that most probably lasts. Dates in the speaker's own words are made absolute; named gives the month that was named last before.
func (h *heard) telling(lasting int, own bool, named func() time.Month) string {
	from, to, size := 0, len(h.read), 0
	asked := -1
	for i, s := range h.read {
		if size += s.size; s.asking() {
			asked = i
		}
	}
	switch {
	case asked >= 0 && !own:
		from, to = asked, asked+1
		if s := h.read[asked]; asked > 0 && byPerson(h.Message) && (len(s.words) < 3 || leans(trim(s.clause), plain)) {
			from--
		}
	case size > maxHeard && lasting >= 0:
		from, to = lasting, lasting+1
	}
	for from+1 < to && IsNoise(h.read[from].String()) {
		from++
	}
	c := sequence(h.read[from:to])
	if own {
		c, _ = absolute(c, h.At, named, true)
	}
	return c.String()
}

// Lines returns a quote of the last message, which stands in a fact of that text with the messages that beside names, as package thread
// judges it, and which of the messages before may be told at all. Programs that train the models ask.
func Lines(messages []Message, quote, text string, beside []string) (l thread.Line, may []bool) {
	last := len(messages) - 1
	t := newTalk(messages[last], read(messages[last].Text).all(), nil)
	t.listen(messages[:last], listens)
	t.allow()
	from, to := 0, 0
	for i, s := range t.read {
		if strings.Contains(quote, s.quote) || strings.Contains(s.quote, quote) {
			if to == 0 {
				from = i
			}
			to = i + 1
		}
	}
	var parts []int
	for i := range t.earlier {
		if may = append(may, t.may[i]); slices.Contains(beside, t.earlier[i].Drawer) {
			parts = append(parts, i)
		}
	}
	l = t.line(from, to, parts, len(text))
	l.Quoted = isQuote(text)
	return l, may
}
