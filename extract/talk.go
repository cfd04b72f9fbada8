package extract

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/extract/thread"
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
	all     bool       // what others wrote is read as well
}

// A stretch are the sentences of a message from one up to another.
type stretch struct{ from, to int }

// newTalk prepares a message, whose sentences are read already.
func newTalk(m Message, said []sentence, heard *Heard) talk {
	t := talk{read: said, message: m, heard: heard}
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
		h := heard{b, t.ending(b)}
		t.earlier = append(t.earlier, h)
		t.Earlier = append(t.Earlier, thread.Message{
			Sentences: t.prepared(h.read), Same: b.Speaker == t.message.Speaker && b.Role == t.message.Role, Apart: next.Sub(b.At) > rest,
		})
	}
}

// ending are the last sentences of a message before.
func (t *talk) ending(b Message) []sentence {
	if t.all {
		return readAll(ending(b.Text, tail)).all()
	}
	return readEnding(b.Text, nameOf(b.Speaker), tail).all()
}

// allow finds out which messages before may be told beside the message.
func (t *talk) allow() {
	for i := range t.earlier {
		t.may = append(t.may, t.tells(i))
	}
}

func (t *talk) prepared(said []sentence) (out []thread.Sentence) {
	for _, s := range said {
		out = append(out, t.heard.sentence(beginning(trim(s.clause).String(), 4*maxSentence), s.asking()))
	}
	return out
}

// beginning is so much of a long text's beginning. A sentence that is too long to be told is not read to its end.
func beginning(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "")
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
	t := newTalk(messages[last], readAll(messages[last].Text).all(), nil)
	t.all = true // the models were fitted to such
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
	mayKeep    = 0.3  // how probable it must be that a sentence is worth a line that has none yet,
	alongside  = 0.25 // and that a sentence goes with the one before, which is
	needed     = 0.15 // that one of the last messages is needed,
	farNeeded  = 0.3  // or one before these
	surely     = 0.6  // that a line is good which stands alone, so that no better one is looked for
	plainly    = 0.55 // that a sentence by itself is worth a line, which is one then whatever was said before it
	lasting    = 0.45 // that a sentence to an assistant is worth a line, which is one then,
	understood = 0.2  // where a line of it alone is at least so probably good
	muchBetter = 0.15 // how much better a line must be with what was said before where it stood alone so far
	mostNeeds  = 4    // messages before that stand in a fact without a gap
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
	for i := 0; i < len(said); i++ {
		from, to := i, i+1
		if latin, other := letters(said[i].quote); other > latin { // which the models have not learnt
			continue
		}
		if has := w.over(i); has.to > 0 {
			from, to = has.from, min(has.to, len(said))
			w.again(t, from, to)
			i = to - 1
			continue
		}
		if t.keep[i] < mayKeep || requests(said[i], w.me) || replies(said[i]) || w.told(said[i]) {
			continue
		}
		for to < len(said) && t.keep[to] >= alongside && w.over(to).to == 0 && !requests(said[to], w.me) && !replies(said[to]) {
			to++
		}
		from = w.begin(from)
		if f, of, good := w.best(t, from, to); good >= w.worth {
			w.part(func(i int) bool {
				return w.of[i].from >= of.from && w.of[i].to <= of.to && w.facts[i].Category != Preference
			})
			w.put(f, of)
			to = max(to, of.to)
		}
		i = to - 1
	}
}

// judge tells of each sentence how probable it is that it is worth a line.
func (t *talk) judge() {
	p := t.Place
	for p.At = range t.read {
		t.keep = append(t.keep, p.Worth())
	}
}

// over are the sentences of the facts that have a sentence.
func (w *writer) over(at int) (out stretch) {
	for _, of := range w.of {
		if of.from <= at && at < of.to {
			if out.to == 0 {
				out = of
			}
			out = stretch{min(out.from, of.from), max(out.to, of.to)}
		}
	}
	return out
}

// bare tells a sentence that gave a clause in the third person, or a wish.
func (w *writer) bare(at int) bool {
	for i, of := range w.of {
		if of.from <= at && at < of.to && (!isQuote(w.facts[i].Text) || w.facts[i].Category == Preference) {
			return true
		}
	}
	return false
}

// again looks at the facts of sentences once more: they stay where they are understood by themselves, and are quoted with what was said
// before where that is better.
func (w *writer) again(t talk, from, to int) {
	bare, quoted := false, true
	for i, of := range w.of {
		if of.from >= from && of.to <= to {
			bare, quoted = bare || w.facts[i].Category == Preference, quoted && isQuote(w.facts[i].Text)
		}
	}
	if bare || slices.ContainsFunc(w.sure, func(at int) bool { return from <= at && at < to }) {
		return // a wish is one wherever it is said, and what is told to a memory or an assistant for certain stays
	}
	l := t.line(from, to, nil, w.said[from].size)
	l.Quoted = quoted
	needs := t.needs(from, to)
	alone := l.Good(slices.Max(t.keep[from:to]), needs)
	plain := func(s thread.Sentence) bool { return s.Worth() >= plainly }
	if !w.peopled && alone >= understood && slices.Max(t.keep[from:to]) >= lasting {
		return
	}
	if alone >= surely || slices.ContainsFunc(t.Message.Sentences[from:to], plain) {
		return
	}
	f, of, good := w.best(t, w.begin(from), to)
	if alone >= w.worth && alone >= good-muchBetter {
		return
	}
	if good < w.worth {
		of = stretch{from, to} // what stands beside is judged by itself
	}
	w.part(func(i int) bool {
		return w.of[i].from >= of.from && w.of[i].to <= of.to && w.facts[i].Category != Preference
	})
	if good >= w.worth {
		w.put(f, of)
	}
}

// begin is where a quotation begins that has a sentence: before it, where that leans on what has no fact of its own.
func (w *writer) begin(at int) int {
	for at > 0 && leans(trim(w.said[at].clause), plain) && !w.said[at-1].asking() && w.over(at-1).to == 0 {
		at--
	}
	return at
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

// best quotes sentences from one up to another, alone or with the rest of a short message, and with as many of the last messages before as
// the reader needs, without a gap between them: of these lines, the one that is most probably good. best tells which sentences the line
// has, and how probable it is that it is good; 0 where there is none.
func (w *writer) best(t talk, from, to int) (best Fact, of stretch, good float64) {
	// Of messages of one person, with whom nobody talks, each stands by itself, unless its words show that they go on.
	notes, points := !slices.ContainsFunc(t.Earlier, func(m thread.Message) bool { return !m.Same }), from
	for notes && from > 0 && dangles(sequence(t.read[from:to])) && !requests(t.read[from-1], w.me) {
		from-- // what a note points at stands in it rather than in the one before
	}
	wide, of := stretch{}, stretch{from, to}
	core := sequence(t.read[from:to])
	if len(core.words) > maxTalk { // a word is a byte at least, and to date each takes all the others
		return best, of, 0
	}
	wide.from, wide.to = w.widen(t, from, to)
	opens := t.opens()
	start := w.start(t, opens, from)
	best = Fact{Drawer: w.message.Drawer, Category: classify(core.low()), Tags: tags(core)}
	var words clause
	for _, s := range slices.Compact([]stretch{wide, of, {start, to}}) {
		more := 0.0 // a part of a message is told alone where that is much better
		if s != wide {
			more = muchBetter
		}
		told := sequence(t.read[s.from:s.to])
		open := dangles(told) && (!notes || s.from == points || dangles(sequence(t.read[s.from:s.from+1])))
		goesOn := open || isIng(told.at(0))
		own, about := absolute(told, w.message.At, func() time.Month { return t.month(t.read[:s.from], 0) }, true)
		own.tail = closing(own.tail)
		text, keep, needs := finish(own.String()), slices.Max(t.keep[s.from:s.to]), t.needs(s.from, s.to)
		for _, parts := range t.reaches(needs) {
			if len(parts) == 0 && open || len(parts) > 0 && (notes && !goesOn || s.from > opens) || w.goesWith(t, s.from) ||
				strings.Contains(text, "[redacted") {
				continue // of one message nothing is left out behind another
			}
			line := vault.Quote(w.me, t.heardAll(parts)+text)
			if len(line) > maxTalk {
				continue
			}
			l := t.line(s.from, s.to, parts, len(line))
			l.Quoted = true
			if p := l.Good(keep, needs); p > good+more {
				good, of, words, more = p, s, told, 0
				best.Text, best.About, best.Beside = line, day(about), nil
				for _, i := range parts {
					best.Beside = append(best.Beside, t.earlier[i].Drawer)
				}
			}
		}
	}
	if good > 0 {
		best.Entities, best.Quote = w.entities(words, nil), strings.TrimSpace(quoteOf(t.read[of.from:of.to]))
	}
	return best, of, good
}

// reaches are the messages before that may be quoted together: as many of the last as there are up to one that is needed, and one from
// before these that is.
func (t talk) reaches(needs []float64) (out [][]int) {
	far := -1
	for i, p := range needs {
		if i >= mostNeeds && p >= farNeeded && (far < 0 || p > needs[far]) {
			far = i
		}
	}
	add := func(reach int, parts ...int) {
		for i := reach - 1; i >= 0; i-- {
			if t.may[i] {
				parts = append(parts, i)
			}
		}
		out = append(out, parts)
	}
	add(0)
	for i := range min(mostNeeds, len(needs)) {
		if needs[i] >= needed {
			add(i + 1)
		}
	}
	if far >= 0 {
		for _, parts := range out {
			out = append(out, append([]int{far}, parts...))
		}
	}
	return out
}

// isQuote tells a fact in the speaker's own words.
func isQuote(text string) bool {
	_, _, quoted := vault.CutQuote(text)
	return quoted
}

// start is where a quotation begins that has all that the message says before a sentence: what it opens with, or what follows a request or
// a clause of its own on which it does not lean.
func (w *writer) start(t talk, opens, from int) int {
	start := min(opens, from)
	for i := start; i < from; i++ {
		if requests(t.read[i], w.me) || w.bare(i) && !w.goesWith(t, i+1) {
			start = i + 1
		}
	}
	return start
}

// goesWith tells a sentence that goes on with a clause that the one before gave, and says nothing of the speaker anew.
func (w *writer) goesWith(t talk, at int) bool {
	return at > 0 && w.bare(at-1) && !t.read[at].aboutSelf()
}

// widen takes the rest of the message along, or a sentence on either side, as far as that stays short and is no clause of its own already.
// What is asked at the end is left out.
func (w *writer) widen(t talk, from, to int) (int, int) {
	size := 0
	for _, s := range t.read[from:to] {
		size += s.size
	}
	fits := func(i int) bool {
		return i >= 0 && i < len(t.read) && size+t.read[i].size <= maxMessage && !w.bare(i) && !directs(t.read[i], w.me) && !replies(t.read[i])
	}
	for more := true; more; {
		more = false
		if fits(from-1) && from > t.opens() {
			from--
			size, more = size+t.read[from].size, true
		}
		if fits(to) && !t.read[to].asking() {
			size, more = size+t.read[to].size, true
			to++
		}
	}
	return from, to
}

// line is what the models judge of sentences with messages before, of so many bytes.
func (t talk) line(from, to int, beside []int, size int) thread.Line {
	p := t.Place
	p.At = from
	return thread.Line{Place: p, To: to, Beside: beside, Words: size / 5}
}

// needs are how probable it is that sentences from one up to another are not understood without each of the messages before; 0 for one
// that may not be told.
func (t talk) needs(from, to int) []float64 {
	p := t.Place
	p.At = from
	out := make([]float64, len(t.earlier))
	for i := range t.earlier {
		if t.may[i] {
			out[i] = p.Needs(to, i)
		}
	}
	return out
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
			if told, kind := lead(next); kind == plain {
				next = told
			}
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

// Lines returns a quote of the last message, which stands in a fact of that text with the messages that beside names, as package thread
// judges it, and which of the messages before may be told at all. Programs that train the models ask.
func Lines(messages []Message, quote, text string, beside []string) (l thread.Line, may []bool) {
	last := len(messages) - 1
	t := newTalk(messages[last], readAll(messages[last].Text).all(), nil)
	t.all = true // the models were fitted to such
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
