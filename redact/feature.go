package redact

import (
	"strings"

	"github.com/reverie-memory/reverie/internal/linear"
	"github.com/reverie-memory/reverie/lexis"
)

// What a feature is about. The numbers keep features apart; the weights depend on their order.
const (
	byLook = iota
	bySize
	byShape
	byKinds
	byWords
	byRarity
	byCuesWithin
	byCueWithin
	byWordWithin
	byFrequency
	byEnding
	byGap
	byAfter
	byWordBefore
	byNextWord
	byTwoWords
	byCueBefore
	byPattern
	byNearest
	byNearestLook
	byNearestKinds
	byLastCue
	byNoCue
	byWordBehind
	byCueBehind
	byFirstBehind
	byTaken
	byKnown
	byCode
	byQuestion
	byLine
)

// features returns what the model sees of a value: its shape, the words and cues around it, and what joins it to them. The slice is
// used again for the next value.
func (r *reader) features(v value) []uint16 {
	r.found = r.found[:0]
	add := func(parts ...uint32) { r.found = append(r.found, linear.Feature(parts...)) }
	text, look := r.text, uint32(v.look)
	s := text[v.start:v.stop]
	size := min(uint32(len(s)), 8+max(uint32(len(s)), 8)/4-2, 20)
	shape := shapeOf(s)
	sorts := uint32(kinds(s) & (alnum | under | dash | dot | base))
	if signs(s) > 0 {
		sorts |= 1 << 20
	}
	add(byLook, look)
	add(byLook, look, size)
	add(byShape, shape)
	add(byKinds, sorts)
	add(byKinds, sorts, size)
	last := v.first // the first term behind the value
	for last < len(r.terms) && int(r.terms[last].from) < v.stop {
		last++
	}
	if strings.IndexByte("wpqm", v.look) >= 0 {
		r.within(v, r.terms[v.first:last], add)
	}
	gap := uint32(1) // what joins the value to the term before
	if v.first > 0 {
		gap = uint32(r.terms[v.first].gap)
	}
	lead := uint32(at(text, v.start-1))
	tight := uint32(0)
	if lead == '=' || lead == ':' {
		tight = 1
	}
	ends := uint32(0)
	if endsLine(text, v.stop) {
		ends = 2
	} else if endsClause(text, v.stop) {
		ends = 1
	}
	add(byGap, gap, lead)
	add(byGap, gap, look, 1)
	add(byAfter, after(text, v.stop), look)
	add(byAfter, ends, look, 1)
	add(byAfter, ends, look, gap)

	nearest, pattern, named := uint32(0), uint32(0), 0
	g, stops := byte(gap), uint32(0) // stops: sentences and lines between
	for d := 1; d <= ahead && d <= v.first; d++ {
		if parts(g) {
			if stops++; stops > 3 {
				break
			}
		}
		t := r.terms[v.first-d]
		c, near := uint32(t.cue), min(uint32(d), 3+uint32(d)/4)
		if d <= 6 {
			add(byWordBefore, t.hash, min(near, 3), min(stops, 2))
			add(byWordBefore, t.hash, look)
		}
		if d <= 2 {
			add(byNextWord, t.hash, gap, uint32(d))
		}
		if d == 1 {
			add(byLastCue, c, gap, look, tight)
			add(byLastCue, c, gap, sorts)
			if v.first > 1 {
				u := r.terms[v.first-2]
				add(byTwoWords, t.hash, u.hash)
				add(byTwoWords, c, uint32(u.cue), gap, look)
				add(byTwoWords, t.hash, uint32(u.cue), look)
			}
		}
		if g = t.gap; c == 0 {
			continue
		}
		add(byCueBefore, c, near, min(stops, 2))
		add(byCueBefore, c, look, min(stops, 2), min(near, 4))
		if t.cue != cueRest && named < 4 {
			named++
			pattern = pattern*31 + c
			add(byPattern, pattern, gap, 1)
			add(byPattern, pattern, look)
			add(byPattern, pattern, look, gap)
		}
		if nearest == 0 && t.cue.in(opening) {
			nearest = c
			add(byNearest, c, near, gap, look)
			add(byNearest, c, gap, shape)
			add(byNearestLook, c, ends, look, gap)
			add(byNearestLook, c, min(stops, 2), look, ends, 1)
			add(byNearestKinds, c, sorts, size)
		}
	}
	if nearest == 0 {
		add(byNoCue, look, gap)
		add(byNoCue, look, size, 1)
	}
	r.following(last, look, nearest, add)
	r.among(v, shape, sorts, gap, nearest, add)
	return r.found
}

// parts tells the gaps between sentences and lines.
func parts(gap byte) bool { return gap != 0 && strings.IndexByte("\n.?!;", gap) >= 0 }

// after is the byte behind a value, and whether the next one begins a sentence.
func after(text string, stop int) uint32 {
	c := at(text, stop)
	if c == ' ' && is(at(text, stop+1), upper) {
		return 2
	}
	return min(uint32(c), 0x80)
}

// within adds what words a value is made of.
func (r *reader) within(v value, words []term, add func(...uint32)) {
	look := uint32(v.look)
	small, rare, told := uint32(0), uint32(0), uint32(0)
	for _, t := range words {
		w := fold(r.text[t.from:t.to])
		if lexis.IsStop(w) {
			small++
		} else if lexis.Frequency(w) < 5 {
			rare++
		}
		if t.cue != 0 {
			told++
			add(byCueWithin, uint32(t.cue), look)
		}
		add(byWordWithin, t.hash, look)
	}
	add(byWords, look, small)
	add(byRarity, look, rare, uint32(len(words)))
	add(byCuesWithin, look, told)
	if v.look != 'w' {
		return
	}
	s := fold(r.text[v.start:v.stop])
	rank := uint32(0)
	for f := lexis.Frequency(s); f > 0.5 && rank < 12; f /= 3 {
		rank++
	}
	add(byFrequency, rank)
	for n, e := 1, uint32(0); n < 5 && n < len(s); n++ {
		if e = e*31 + uint32(s[len(s)-n]); n > 1 {
			add(byEnding, e)
		}
	}
}

// following adds the words behind a value.
func (r *reader) following(last int, look, nearest uint32, add func(...uint32)) {
	opened, stops := false, uint32(0)
	for d := 0; d < behind && last+d < len(r.terms); d++ {
		t := r.terms[last+d]
		if parts(t.gap) {
			if stops++; stops > 2 {
				break
			}
		}
		c, next := uint32(t.cue), min(stops, 1)
		if d < 3 {
			add(byWordBehind, t.hash, uint32(d), next)
			add(byWordBehind, t.hash, look, next, 1)
		}
		if d == 0 {
			add(byFirstBehind, c, uint32(t.gap), look)
			add(byFirstBehind, t.hash, uint32(t.gap))
			add(byFirstBehind, c, nearest, look, next)
		}
		if c != 0 {
			add(byCueBehind, c, min(stops, 2), min(uint32(d), 4))
			add(byCueBehind, c, min(stops, 2), look, 1)
			if t.cue.in(opening) && !opened {
				opened = true
				add(byCueBehind, c, look, nearest, next)
			}
		}
	}
}

// among adds what else stands around: a value that was taken, a secret whose format is known, and what kind of line it is.
func (r *reader) among(v value, shape, sorts, gap, nearest uint32, add func(...uint32)) {
	const far = 80
	text, look := r.text, uint32(v.look)
	if t := r.taken; t.stop > 0 && v.start-t.stop < far {
		same := uint32(0)
		if shapeOf(text[t.start:t.stop]) == shape {
			same = 1
			if t.stop-t.start == v.stop-v.start {
				same = 2
			}
		}
		add(byTaken, same, look)
		add(byTaken, same, gap, 1)
		add(byTaken, same, sorts, look)
	}
	if r.past > 0 && v.start-r.known[r.past-1].End < far {
		add(byKnown, uint32(len(r.known[r.past-1].Rule)), look)
		add(byKnown, nearest, look, 1)
	}
	from, to, code := v.start, v.stop, uint32(0)
	for from > 0 && v.start-from < 2*far && text[from-1] != '\n' {
		from--
		code += program(text[from])
	}
	asked := false
	for to < len(text) && to-v.stop < 2*far && text[to] != '\n' {
		code += program(text[to])
		asked = asked || text[to] == '?'
		to++
	}
	add(byCode, min(code, 4), look)
	add(byCode, min(code, 4), nearest, look)
	if asked {
		add(byQuestion, look)
		add(byQuestion, look, nearest, gap)
	}
	if from == v.start {
		add(byLine, look, nearest)
	}
	if strings.TrimSpace(text[from:v.start]) == "" && strings.TrimSpace(text[v.stop:to]) == "" {
		add(byLine, look, nearest, 1)
	}
}

// program is 1 for the signs of programs.
func program(c byte) uint32 {
	if strings.IndexByte("(){};$<>\\|[]", c) >= 0 {
		return 1
	}
	return 0
}

// shapeOf is how the kinds of signs of s follow one another.
func shapeOf(s string) uint32 {
	shape, last, n := uint32(0), byte(0), 0
	for i := 0; i < len(s) && n < 8; i++ {
		c := s[i]
		switch {
		case is(c, lower) || c >= 0x80:
			c = 'a'
		case is(c, upper):
			c = 'A'
		case is(c, digit):
			c = '9'
		case strings.IndexByte("!#$%^&*+?~@=", c) >= 0:
			c = '!'
		}
		if c != last {
			n++
			shape = shape*31 + uint32(c)
		}
		last = c
	}
	return shape
}
