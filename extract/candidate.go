package extract

import (
	"slices"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/extract/thread"
	"github.com/reverie-memory/reverie/internal/linear"
	"github.com/reverie-memory/reverie/vault"
)

// A Candidate is a quotation that may be written of a message.
type Candidate struct {
	thread.Line
	Keeps []float64 // how probable it is of each of its sentences that it is worth a line
	Needs []float64 // and that each of the messages before is needed
	Led   int       // so many sentences stand at its front because the one behind leans on them, or because an answer begins with them

	good  float64
	core  int // the sentence that it was made for
	text  string
	about string
}

// candidates are the quotations that have a sentence: it alone, with its neighbours or with the whole of a short message, behind some of
// the messages before.
func (t *talk) candidates(me string, at int, fits func(sentence int) bool) (out []Candidate) {
	for _, s := range t.stretches(at, fits) {
		from := s.from
		if s.from = t.lead(from); t.size(s) > maxMessage && s.to-s.from > 1 {
			continue
		}
		told := sequence(t.read[s.from:s.to])
		if len(told.words) > maxTalk { // a word is a byte at least, and to date each takes all the others
			continue
		}
		text, about := t.dated(s)
		needs := t.needs(s.from, s.to)
		if strings.Contains(text, "[redacted") {
			continue
		}
		for _, parts := range t.reaches(needs) {
			if len(parts) == 0 && dangles(told) || t.answers(parts) && s.from > 0 {
				continue
			}
			line := vault.Quote(me, t.heardAll(parts)+text)
			if len(line) > maxTalk {
				continue
			}
			c := Candidate{
				Line: t.line(s.from, s.to, parts, len(line)), Keeps: t.keep[s.from:s.to], Needs: needs, Led: from - s.from,
				core: at, text: line, about: about,
			}
			if t.answers(parts) {
				c.Led = at
			}
			c.Quoted = true
			c.good = t.good(c.Line, needs)
			out = append(out, c)
		}
	}
	return out
}

// dated is what sentences say, with absolute dates, and the day that it is about, "" for none.
func (t *talk) dated(s stretch) (text, about string) {
	own, at := absolute(sequence(t.read[s.from:s.to]), t.message.At, func() time.Month { return t.month(t.read[:s.from], 0) }, true)
	own.tail = closing(own.tail)
	return finish(own.String()), day(at)
}

// joined is one quotation of two, of which one goes on where the other ends.
func (t *talk) joined(me string, a, b Candidate) Candidate {
	for _, i := range b.Beside {
		if !slices.Contains(a.Beside, i) {
			a.Beside = append(slices.Clone(a.Beside), i)
		}
	}
	slices.SortFunc(a.Beside, func(i, k int) int { return k - i })
	text, about := t.dated(stretch{a.At, b.To})
	a.To, a.about, a.text = b.To, about, vault.Quote(me, t.heardAll(a.Beside)+text)
	return a
}

// lead is where a quotation has to begin that is to begin with a sentence: before it, as far as that leans on what was said there.
func (t *talk) lead(from int) int {
	for from > 0 && leans(trim(t.read[from].clause), plain) && !t.read[from-1].asking() {
		from--
	}
	return from
}

// answers tells messages before of which the last asks what the message answers: an answer is told from its beginning.
func (t *talk) answers(parts []int) bool {
	return slices.Contains(parts, 0) && !t.Earlier[0].Same && slices.ContainsFunc(t.earlier[0].read, sentence.asking)
}

// size is how many bytes sentences have.
func (t *talk) size(of stretch) (n int) {
	for _, s := range t.read[of.from:of.to] {
		n += s.size
	}
	return n
}

// stretches are a sentence with those before and up to three after it that fit, as far as that stays short. What is asked at the end is
// left out.
func (t *talk) stretches(at int, fits func(sentence int) bool) (out []stretch) {
	for from := at; from >= 0 && (from == at || fits(from) && t.size(stretch{from, at + 1}) <= maxMessage); from-- {
		for to := at + 1; to <= min(len(t.read), at+4) && (to == at+1 || fits(to-1)); to++ {
			s := stretch{from, to}
			if to-from == 1 || t.size(s) <= maxMessage && !t.read[to-1].asking() {
				out = append(out, s)
			}
		}
	}
	return out
}

// Candidates are those of the last message by the models of these weights. Programs that train the models ask.
func Candidates(messages []Message, weights []byte) (out []Candidate) {
	last := len(messages) - 1
	t := newTalk(messages[last], read(messages[last].Text).all(), nil)
	t.weights = weights
	t.read = t.read[:min(len(t.read), maxSaid)]
	t.listen(messages[:last], listens)
	t.judge()
	t.allow()
	me := nameOf(messages[last].Speaker)
	for i := range t.read {
		if t.keep[i] >= mayKeep && !requests(t.read[i], me) {
			out = append(out, t.candidates(me, i, func(at int) bool { return !directs(t.read[at], me) })...)
		}
	}
	return out
}

// good is how probable it is that a line is one that a careful person would write.
func (t *talk) good(l thread.Line, needs []float64) float64 {
	f := l.Features(t.keep[l.At:l.To], needs)
	return linear.Sigmoid((1-fitShare)*thread.Odds(t.weights, thread.Good, f) + fitShare*(thread.Odds(t.weights, thread.Fit, f)+usualFit))
}

// reaches are the messages before that may be quoted together, the oldest first: none; one or two of those that may be needed, whatever
// stands between them; and all of the last up to one.
func (t *talk) reaches(needs []float64) (out [][]int) {
	out = append(out, nil)
	add := func(parts ...int) {
		slices.Sort(parts)
		slices.Reverse(parts)
		if !slices.ContainsFunc(out, func(o []int) bool { return slices.Equal(o, parts) }) {
			out = append(out, parts)
		}
	}
	var may []int
	for i, p := range needs {
		if t.may[i] && (i < mostNeeds && p >= needed || p >= farNeeded) {
			may = append(may, i)
		}
	}
	for n, i := range may {
		add(i)
		for _, j := range may[:n] {
			add(i, j)
		}
	}
	for reach := range min(mostNeeds, len(needs)) {
		var parts []int
		for i := range reach + 1 {
			if t.may[i] {
				parts = append(parts, i)
			}
		}
		if len(parts) > 0 {
			add(parts...)
		}
	}
	return out
}

// line is what the models judge of sentences with messages before, of so many bytes.
func (t *talk) line(from, to int, beside []int, size int) thread.Line {
	p := t.Place
	p.At = from
	return thread.Line{Place: p, To: to, Beside: beside, Words: size / 5}
}

// needs are how probable it is that sentences from one up to another are not understood without each of the messages before; 0 for one
// that may not be told.
func (t *talk) needs(from, to int) []float64 {
	p := t.Place
	p.At = from
	out := make([]float64, len(t.earlier))
	for i := range t.earlier {
		if t.may[i] {
			out[i] = thread.Probability(t.weights, thread.Need, p.Pair(to, i))
		}
	}
	return out
}
