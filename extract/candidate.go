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

	good  float64
	core  int // the sentence that it was made for
	text  string
	about string
}

// candidates are the quotations that have a sentence: it alone, with its neighbours or with the whole of a short message, behind some of
// the messages before.
func (t *talk) candidates(me string, at int, fits func(sentence int) bool) (out []Candidate) {
	for _, s := range t.stretches(at, fits) {
		told := sequence(t.read[s.from:s.to])
		if len(told.words) > maxTalk { // a word is a byte at least, and to date each takes all the others
			continue
		}
		own, about := absolute(told, t.message.At, func() time.Month { return t.month(t.read[:s.from], 0) }, true)
		own.tail = closing(own.tail)
		text, needs := finish(own.String()), t.needs(s.from, s.to)
		if strings.Contains(text, "[redacted") {
			continue
		}
		for _, parts := range t.reaches(needs) {
			if len(parts) == 0 && dangles(told) {
				continue
			}
			line := vault.Quote(me, t.heardAll(parts)+text)
			if len(line) > maxTalk {
				continue
			}
			c := Candidate{
				Line: t.line(s.from, s.to, parts, len(line)), Keeps: t.keep[s.from:s.to], Needs: needs,
				core: at, text: line, about: day(about),
			}
			c.Quoted = true
			c.good = t.good(c.Line, needs)
			out = append(out, c)
		}
	}
	return out
}

// stretches are a sentence with up to two before and three after it that fit, as far as that stays short. What is asked at the end is left
// out.
func (t *talk) stretches(at int, fits func(sentence int) bool) (out []stretch) {
	for from := at; from >= max(0, at-2) && (from == at || fits(from)); from-- {
		for to := at + 1; to <= min(len(t.read), at+4) && (to == at+1 || fits(to-1)); to++ {
			size := 0
			for _, s := range t.read[from:to] {
				size += s.size
			}
			if to-from == 1 || size <= maxMessage && !t.read[to-1].asking() {
				out = append(out, stretch{from, to})
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
