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
	byAssigned
	byHeader
	byHeading
	byAnswer
	byFlag
	byParts
	byText
	byPrefix
	byNamed
	byTopic
)

// features puts what the model sees of a value: its shape, the words and cues around it, and what joins it to them.
func (r *reader) features(v value) {
	r.found, r.sum = r.found[:0], 0
	text, look := r.text, uint32(v.look)
	s := text[v.start:v.stop]
	size := min(uint32(len(s)), 8+max(uint32(len(s)), 8)/4-2, 20)
	shape := shapeOf(s)
	sorts := uint32(kinds(s) & (alnum | under | dash | dot | base))
	if signs(s) > 0 {
		sorts |= 1 << 20
	}
	r.put(of(byLook).and(look))
	r.put(of(byLook).and(look).and(size))
	r.put(of(byShape).and(shape))
	r.put(of(byKinds).and(sorts))
	r.put(of(byKinds).and(sorts).and(size))
	last := v.first // the first term behind the value
	for last < len(r.terms) && int(r.terms[last].from) < v.stop {
		last++
	}
	if worded[v.look] {
		r.within(v, last)
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
	r.put(of(byGap).and(gap).and(lead))
	r.put(of(byGap).and(gap).and(look).and(1))
	r.put(of(byAfter).and(after(text, v.stop)).and(look))
	r.put(of(byAfter).and(ends).and(look).and(1))
	r.put(of(byAfter).and(ends).and(look).and(gap))

	nearest, pattern, named := uint32(0), uint32(0), 0
	g, stops := byte(gap), uint32(0) // stops: sentences and lines between
	for d := 1; d <= ahead && d <= v.first; d++ {
		if parting[g] {
			if stops++; stops > 3 {
				break
			}
		}
		t := &r.terms[v.first-d]
		c, near := uint32(t.cue), min(uint32(d), 3+uint32(d)/4)
		if d <= 6 {
			r.put(of(byWordBefore).and(t.hash).and(min(near, 3)).and(min(stops, 2)))
			r.put(of(byWordBefore).and(t.hash).and(look))
		}
		if d <= 4 {
			r.put(of(byPrefix).and(t.prefix).and(min(uint32(d), 3)).and(min(stops, 2)))
			r.put(of(byPrefix).and(t.prefix).and(look))
		}
		if d <= 2 {
			r.put(of(byNextWord).and(t.hash).and(gap).and(uint32(d)))
		}
		if d == 1 {
			r.put(of(byLastCue).and(c).and(gap).and(look).and(tight))
			r.put(of(byLastCue).and(c).and(gap).and(sorts))
			r.put(of(byAssigned).and(c).and(gap).and(quoted(text, v)))
			r.put(of(byAssigned).and(c).and(gap).and(quoted(text, v)).and(ends).and(1))
			r.put(of(byAssigned).and(c).and(gap).and(quoted(text, v)).and(boolean(int(t.line) == v.first-1)).and(2))
			r.named(v, gap, ends, look, sorts)
			if v.first > 1 {
				u := &r.terms[v.first-2]
				r.put(of(byTwoWords).and(t.hash).and(u.hash))
				r.put(of(byTwoWords).and(c).and(uint32(u.cue)).and(gap).and(look))
				r.put(of(byTwoWords).and(t.hash).and(uint32(u.cue)).and(look))
			}
		}
		if g = t.gap; c == 0 {
			continue
		}
		r.put(of(byCueBefore).and(c).and(near).and(min(stops, 2)))
		r.put(of(byCueBefore).and(c).and(look).and(min(stops, 2)).and(min(near, 4)))
		if t.cue != cueRest && named < 4 {
			named++
			pattern = pattern*31 + c
			r.put(of(byPattern).and(pattern).and(gap).and(1))
			r.put(of(byPattern).and(pattern).and(look))
			r.put(of(byPattern).and(pattern).and(look).and(gap))
		}
		if nearest == 0 && opening[t.cue] {
			nearest = c
			r.put(of(byNearest).and(c).and(near).and(gap).and(look))
			r.put(of(byNearest).and(c).and(gap).and(shape))
			r.put(of(byNearestLook).and(c).and(ends).and(look).and(gap))
			r.put(of(byNearestLook).and(c).and(min(stops, 2)).and(look).and(ends).and(1))
			r.put(of(byNearestKinds).and(c).and(sorts).and(size))
		}
	}
	if nearest == 0 {
		r.put(of(byNoCue).and(look).and(gap))
		r.put(of(byNoCue).and(look).and(size).and(1))
	}
	r.following(last, look, nearest)
	r.among(v, last, shape, sorts, gap, nearest)
	r.around(v, look, gap, ends, nearest)
	r.parts(s, look)
	topic := uint32(max(-8, min(r.topic(v.first, last)/16, 8)) + 8)
	r.put(of(byTopic).and(topic))
	r.put(of(byTopic).and(topic).and(look))
	r.put(of(byTopic).and(topic).and(look).and(size).and(1))
	r.put(of(byTopic).and(topic).and(look).and(gap).and(ends))
	r.put(of(byTopic).and(topic).and(look).and(nearest).and(2))
	r.put(of(byTopic).and(topic).and(nearest).and(gap).and(2).and(2))
}

// worded are the looks of values that words may be part of.
var worded = bytes("wplqmsu")

// buckets is how many features the model tells apart.
const (
	bits    = 20
	buckets = 1 << bits
)

func (r *reader) put(m mark) {
	f := uint32(m >> (64 - bits))
	if r.sum += int32(int8(r.model[f])); r.learning {
		r.found = append(r.found, f)
	}
}

// A mark is what [linear.Hash] makes of the first parts of a feature, part by part: that compiles to straight code.
type mark uint64

func of(kind uint32) mark { return mark(linear.Start).and(kind) }

func (m mark) and(part uint32) mark { return mark(linear.Mix(uint64(m), part)) }

// parting are the gaps between sentences and lines.
var parting = bytes("\n.?!;")

// after is the byte behind a value, and whether the next one begins a sentence.
func after(text string, stop int) uint32 {
	c := at(text, stop)
	switch {
	case c == ' ' && is(at(text, stop+1), upper):
		return 2
	case c >= 0x80 && closes(text[stop:]):
		return '"'
	}
	return min(uint32(c), 0x80)
}

// within adds what words a value is made of, up to the term last.
func (r *reader) within(v value, last int) {
	look := uint32(v.look)
	small, rare, told := uint32(0), uint32(0), uint32(0)
	for i := v.first; i < last; i++ {
		t := &r.terms[i]
		switch r.sort(i) {
		case smallWord:
			small++
		case rareWord:
			rare++
		}
		if t.cue != 0 {
			told++
			r.put(of(byCueWithin).and(uint32(t.cue)).and(look))
		}
		r.put(of(byWordWithin).and(t.hash).and(look))
	}
	r.put(of(byWords).and(look).and(small))
	r.put(of(byRarity).and(look).and(rare).and(uint32(last - v.first)))
	r.put(of(byCuesWithin).and(look).and(told))
	if v.look != 'w' {
		return
	}
	s := fold(r.text[v.start:v.stop])
	rank := uint32(0)
	for f := lexis.Frequency(s); f > 0.5 && rank < 12; f /= 3 {
		rank++
	}
	r.put(of(byFrequency).and(rank))
	for n, e := 1, uint32(0); n < 5 && n < len(s); n++ {
		if e = e*31 + uint32(s[len(s)-n]); n > 1 {
			r.put(of(byEnding).and(e))
		}
	}
}

// following adds the words behind a value.
func (r *reader) following(last int, look, nearest uint32) {
	opened, stops := false, uint32(0)
	for d := 0; d < behind && last+d < len(r.terms); d++ {
		t := &r.terms[last+d]
		if parting[t.gap] {
			if stops++; stops > 2 {
				break
			}
		}
		c, next := uint32(t.cue), min(stops, 1)
		if d < 3 {
			r.put(of(byWordBehind).and(t.hash).and(uint32(d)).and(next))
			r.put(of(byWordBehind).and(t.hash).and(look).and(next).and(1))
		}
		if d == 0 {
			r.put(of(byFirstBehind).and(c).and(uint32(t.gap)).and(look))
			r.put(of(byFirstBehind).and(t.hash).and(uint32(t.gap)))
			r.put(of(byFirstBehind).and(c).and(nearest).and(look).and(next))
		}
		if c != 0 {
			r.put(of(byCueBehind).and(c).and(min(stops, 2)).and(min(uint32(d), 4)))
			r.put(of(byCueBehind).and(c).and(min(stops, 2)).and(look).and(1))
			if opening[t.cue] && !opened {
				opened = true
				r.put(of(byCueBehind).and(c).and(look).and(nearest).and(next))
			}
		}
	}
}

// among adds what else stands around: a value that was taken, a secret whose format is known, and what kind of line it is.
func (r *reader) among(v value, last int, shape, sorts, gap, nearest uint32) {
	const far = 80
	look := uint32(v.look)
	if t := r.taken; t.stop > 0 && v.start-t.stop < far {
		same := uint32(0)
		if shapeOf(r.text[t.start:t.stop]) == shape {
			same = 1
			if t.stop-t.start == v.stop-v.start {
				same = 2
			}
		}
		r.put(of(byTaken).and(same).and(look))
		r.put(of(byTaken).and(same).and(gap).and(1))
		r.put(of(byTaken).and(same).and(sorts).and(look))
	}
	if r.past > 0 && v.start-r.known[r.past-1].End < far {
		known := of(byKnown).and(uint32(len(r.known[r.past-1].Rule)))
		r.put(known.and(look))
		r.put(of(byKnown).and(nearest).and(look).and(1))
		r.put(known.and(look).and(uint32(min(v.stop-v.start, 8))).and(gap))
		r.put(known.and(look).and(uint32(min(v.stop-v.start, 8))).and(boolean(endsLine(r.text, v.stop))).and(2))
	}
	line := int(r.terms[v.first].line)
	if r.line != line || r.next == 0 {
		for r.line, r.next = line, v.first; r.next < len(r.terms) && int(r.terms[r.next].line) == line; {
			r.next++
		}
	}
	end := r.end
	if r.next < len(r.terms) {
		end = r.terms[r.next]
	}
	code := min(uint32(end.code-r.terms[line].code), 6)
	r.put(of(byCode).and(code).and(look))
	r.put(of(byCode).and(code).and(nearest).and(look))
	if end.asked > r.terms[v.first].asked {
		r.put(of(byQuestion).and(look))
		r.put(of(byQuestion).and(look).and(nearest).and(gap))
	}
	if line == v.first {
		r.put(of(byLine).and(look).and(nearest))
		if last >= r.next {
			r.put(of(byLine).and(look).and(nearest).and(1))
		}
	}
}

// around adds what the lines above say of the one in which a value stands, and what kind of line that is.
func (r *reader) around(v value, look, gap, ends, nearest uint32) {
	r.reach(v.first)
	line := int(r.terms[v.first].line)
	place := min(uint32(v.first-line), 6)
	if c, ok := r.header(v); ok {
		r.put(of(byHeader).and(uint32(c)).and(look))
		r.put(of(byHeader).and(uint32(c)).and(look).and(ends).and(1))
		r.put(of(byHeader).and(uint32(c)).and(nearest).and(2))
	}
	r.put(of(byHeading).and(uint32(r.lines.heading)).and(look))
	r.put(of(byHeading).and(uint32(r.lines.heading)).and(look).and(place).and(ends))
	r.put(of(byHeading).and(uint32(r.lines.heading)).and(gap).and(ends).and(1))
	above, asked := uint32(r.lines.above), boolean(r.lines.asked)
	r.put(of(byAnswer).and(above).and(asked).and(look))
	r.put(of(byAnswer).and(above).and(asked).and(look).and(place).and(ends))
	r.put(of(byAnswer).and(above).and(asked).and(gap).and(place).and(1))
	if l := &r.lines; l.answer != 0 {
		r.put(of(byAnswer).and(uint32(l.answer)).and(min(l.ago, 3)).and(look).and(ends).and(2))
		r.put(of(byAnswer).and(min(l.ago, 3)).and(min(place, 3)).and(ends).and(look).and(3).and(3))
	}
	if v.first > 0 {
		if t := r.terms[v.first-1]; r.text[t.from] == '-' && int(t.line) == line {
			r.put(of(byFlag).and(look).and(gap).and(uint32(t.to - t.from)))
			r.put(of(byFlag).and(r.terms[line].hash).and(t.hash))
			r.put(of(byFlag).and(r.terms[line].hash).and(look).and(1))
		}
	}
	size := uint32(0)
	for n := len(r.terms); n > 4; n /= 2 {
		size++
	}
	r.put(of(byText).and(size).and(look))
	r.put(of(byText).and(min(r.cued, 5)).and(look).and(1))
	r.put(of(byText).and(min(r.cued, 5)).and(size).and(nearest).and(2))
}

// parts adds of what runs of letters, figures and signs a value consists.
func (r *reader) parts(s string, look uint32) {
	if len(s) > 40 {
		return
	}
	pattern, longest, from := uint32(0), "", 0
	letters, numbers := uint32(0), uint32(0) // runs of letters, and those that are words for figures
	for i := 0; i < len(s); {
		stop, sort := run(s, i, digit, len(s)), uint32(1)
		if stop == i {
			for stop, sort = i, 2; stop < len(s) && (is(s[stop], alpha) || s[stop] >= 0x80); stop++ {
			}
			if stop-i > len(longest) {
				longest, from = s[i:stop], i
			}
			if letters++; look != 'd' && stop-i > 1 && stop-i < 8 && figures[fold(s[i:stop])] {
				numbers++
			}
		}
		if stop == i {
			stop, sort = i+1, uint32(s[i])
		}
		if sort == 2 && is(s[i], upper) {
			sort = 3
		}
		pattern = pattern*31 + sort*8 + min(uint32(stop-i), 5)
		i = stop
	}
	if numbers > 0 {
		r.put(of(byParts).and(min(numbers, 3)).and(boolean(numbers == letters)).and(4).and(4))
	}
	r.put(of(byParts).and(pattern))
	r.put(of(byParts).and(pattern).and(look).and(1))
	rank := uint32(0)
	if len(longest) > 2 {
		rank = 1
		for f := lexis.Frequency(fold(longest)); f > 0.5 && rank < 8; f /= 6 {
			rank++
		}
	}
	r.put(of(byParts).and(rank).and(min(uint32(len(longest)), 10)).and(look).and(2))
	r.put(of(byParts).and(rank).and(min(uint32(len(s)-len(longest)), 6)).and(boolean(from == 0)).and(look).and(3))
}

// figures are the words for figures.
var figures = lexis.Set("zero one two three four five six seven eight nine oh null eins zwei zwo drei vier fünf sechs sieben acht " +
	"neun zéro un deux trois quatre cinq sept huit neuf cero uno dos tres cuatro cinco seis siete ocho nueve due tre quattro cinque sei " +
	"sette otto nove um dois três quatro sete oito double doppel doble")

// named adds how the name before a value is written, as programs do or as words are, and whether the value is all that it is set to.
func (r *reader) named(v value, gap, ends, look, sorts uint32) {
	name := &r.terms[v.first-1]
	form := uint32(0)
	switch s := r.text[name.from:name.to]; {
	case kinds(s)&under != 0:
		form = 3
	case kinds(s)&lower == 0 && len(s) > 2:
		form = 2
	case kinds(s[1:])&upper != 0 || gap == '>' || gap == '"' || gap == '\'' || int(name.line) == v.first-1:
		form = 1
	}
	filled := quoted(r.text, v) | boolean(ends == 2)<<1
	cue := boolean(naming[name.cue])<<1 | boolean(name.cue == cuePassword)
	r.put(of(byNamed).and(cue).and(form).and(gap).and(filled).and(look))
	r.put(of(byNamed).and(cue).and(form).and(filled).and(look).and(1))
	r.put(of(byNamed).and(cue).and(form).and(filled).and(sorts).and(2).and(2))
	r.put(of(byNamed).and(cue).and(boolean(form > 0)).and(boolean(filled > 0)).and(boolean(gap != ' ')))
}

// quoted tells whether a value fills a quote.
func quoted(text string, v value) uint32 {
	q := at(text, v.start-1)
	return boolean(quoting[q] && at(text, v.stop) == q)
}

func boolean(b bool) uint32 {
	if b {
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
