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
)

// features returns what the model sees of a value: its shape, the words and cues around it, and what joins it to them. The slice is
// used again for the next value.
func (r *reader) features(v value) []uint32 {
	r.found = r.found[:0]
	text, look := r.text, uint32(v.look)
	s := text[v.start:v.stop]
	size := min(uint32(len(s)), 8+max(uint32(len(s)), 8)/4-2, 20)
	shape := shapeOf(s)
	sorts := uint32(kinds(s) & (alnum | under | dash | dot | base))
	if signs(s) > 0 {
		sorts |= 1 << 20
	}
	r.add(byLook, look)
	r.add(byLook, look, size)
	r.add(byShape, shape)
	r.add(byKinds, sorts)
	r.add(byKinds, sorts, size)
	last := v.first // the first term behind the value
	for last < len(r.terms) && int(r.terms[last].from) < v.stop {
		last++
	}
	if strings.IndexByte("wplqms", v.look) >= 0 {
		r.within(v, r.terms[v.first:last])
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
	r.add(byGap, gap, lead)
	r.add(byGap, gap, look, 1)
	r.add(byAfter, after(text, v.stop), look)
	r.add(byAfter, ends, look, 1)
	r.add(byAfter, ends, look, gap)

	nearest, pattern, named := uint32(0), uint32(0), 0
	g, stops := byte(gap), uint32(0) // stops: sentences and lines between
	for d := 1; d <= ahead && d <= v.first; d++ {
		if parting[g] {
			if stops++; stops > 3 {
				break
			}
		}
		t := r.terms[v.first-d]
		c, near := uint32(t.cue), min(uint32(d), 3+uint32(d)/4)
		if d <= 6 {
			r.add(byWordBefore, t.hash, min(near, 3), min(stops, 2))
			r.add(byWordBefore, t.hash, look)
		}
		if d <= 4 {
			r.add(byPrefix, t.prefix, min(uint32(d), 3), min(stops, 2))
			r.add(byPrefix, t.prefix, look)
		}
		if d <= 2 {
			r.add(byNextWord, t.hash, gap, uint32(d))
		}
		if d == 1 {
			r.add(byLastCue, c, gap, look, tight)
			r.add(byLastCue, c, gap, sorts)
			r.add(byAssigned, c, gap, quoted(text, v))
			r.add(byAssigned, c, gap, quoted(text, v), ends, 1)
			r.add(byAssigned, c, gap, quoted(text, v), boolean(int(t.line) == v.first-1), 2)
			r.named(v, gap, ends, look, sorts)
			if v.first > 1 {
				u := r.terms[v.first-2]
				r.add(byTwoWords, t.hash, u.hash)
				r.add(byTwoWords, c, uint32(u.cue), gap, look)
				r.add(byTwoWords, t.hash, uint32(u.cue), look)
			}
		}
		if g = t.gap; c == 0 {
			continue
		}
		r.add(byCueBefore, c, near, min(stops, 2))
		r.add(byCueBefore, c, look, min(stops, 2), min(near, 4))
		if t.cue != cueRest && named < 4 {
			named++
			pattern = pattern*31 + c
			r.add(byPattern, pattern, gap, 1)
			r.add(byPattern, pattern, look)
			r.add(byPattern, pattern, look, gap)
		}
		if nearest == 0 && opening[t.cue] {
			nearest = c
			r.add(byNearest, c, near, gap, look)
			r.add(byNearest, c, gap, shape)
			r.add(byNearestLook, c, ends, look, gap)
			r.add(byNearestLook, c, min(stops, 2), look, ends, 1)
			r.add(byNearestKinds, c, sorts, size)
		}
	}
	if nearest == 0 {
		r.add(byNoCue, look, gap)
		r.add(byNoCue, look, size, 1)
	}
	r.following(last, look, nearest)
	r.among(v, last, shape, sorts, gap, nearest)
	r.around(v, look, gap, ends, nearest)
	r.parts(s, look)
	return r.found
}

// buckets is how many features the model tells apart.
const (
	bits    = 18
	buckets = 1 << bits
)

func (r *reader) add(parts ...uint32) {
	r.found = append(r.found, uint32(linear.Hash(parts...)>>(64-bits)))
}

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

// within adds what words a value is made of.
func (r *reader) within(v value, words []term) {
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
			r.add(byCueWithin, uint32(t.cue), look)
		}
		r.add(byWordWithin, t.hash, look)
	}
	r.add(byWords, look, small)
	r.add(byRarity, look, rare, uint32(len(words)))
	r.add(byCuesWithin, look, told)
	if v.look != 'w' {
		return
	}
	s := fold(r.text[v.start:v.stop])
	rank := uint32(0)
	for f := lexis.Frequency(s); f > 0.5 && rank < 12; f /= 3 {
		rank++
	}
	r.add(byFrequency, rank)
	for n, e := 1, uint32(0); n < 5 && n < len(s); n++ {
		if e = e*31 + uint32(s[len(s)-n]); n > 1 {
			r.add(byEnding, e)
		}
	}
}

// following adds the words behind a value.
func (r *reader) following(last int, look, nearest uint32) {
	opened, stops := false, uint32(0)
	for d := 0; d < behind && last+d < len(r.terms); d++ {
		t := r.terms[last+d]
		if parting[t.gap] {
			if stops++; stops > 2 {
				break
			}
		}
		c, next := uint32(t.cue), min(stops, 1)
		if d < 3 {
			r.add(byWordBehind, t.hash, uint32(d), next)
			r.add(byWordBehind, t.hash, look, next, 1)
		}
		if d == 0 {
			r.add(byFirstBehind, c, uint32(t.gap), look)
			r.add(byFirstBehind, t.hash, uint32(t.gap))
			r.add(byFirstBehind, c, nearest, look, next)
		}
		if c != 0 {
			r.add(byCueBehind, c, min(stops, 2), min(uint32(d), 4))
			r.add(byCueBehind, c, min(stops, 2), look, 1)
			if opening[t.cue] && !opened {
				opened = true
				r.add(byCueBehind, c, look, nearest, next)
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
		r.add(byTaken, same, look)
		r.add(byTaken, same, gap, 1)
		r.add(byTaken, same, sorts, look)
	}
	if r.past > 0 && v.start-r.known[r.past-1].End < far {
		r.add(byKnown, uint32(len(r.known[r.past-1].Rule)), look)
		r.add(byKnown, nearest, look, 1)
		r.add(byKnown, uint32(len(r.known[r.past-1].Rule)), look, uint32(min(v.stop-v.start, 8)), gap)
		r.add(byKnown, uint32(len(r.known[r.past-1].Rule)), look, uint32(min(v.stop-v.start, 8)), boolean(endsLine(r.text, v.stop)), 2)
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
	r.add(byCode, code, look)
	r.add(byCode, code, nearest, look)
	if end.asked > r.terms[v.first].asked {
		r.add(byQuestion, look)
		r.add(byQuestion, look, nearest, gap)
	}
	if line == v.first {
		r.add(byLine, look, nearest)
		if last >= r.next {
			r.add(byLine, look, nearest, 1)
		}
	}
}

// around adds what the lines above say of the one in which a value stands, and what kind of line that is.
func (r *reader) around(v value, look, gap, ends, nearest uint32) {
	r.reach(v.first)
	line := int(r.terms[v.first].line)
	place := min(uint32(v.first-line), 6)
	if c, ok := r.header(v); ok {
		r.add(byHeader, uint32(c), look)
		r.add(byHeader, uint32(c), look, ends, 1)
		r.add(byHeader, uint32(c), nearest, 2)
	}
	r.add(byHeading, uint32(r.lines.heading), look)
	r.add(byHeading, uint32(r.lines.heading), look, place, ends)
	r.add(byHeading, uint32(r.lines.heading), gap, ends, 1)
	above, asked := uint32(r.lines.above), boolean(r.lines.asked)
	r.add(byAnswer, above, asked, look)
	r.add(byAnswer, above, asked, look, place, ends)
	r.add(byAnswer, above, asked, gap, place, 1)
	if l := &r.lines; l.answer != 0 {
		r.add(byAnswer, uint32(l.answer), min(l.ago, 3), look, ends, 2)
		r.add(byAnswer, min(l.ago, 3), min(place, 3), ends, look, 3, 3)
	}
	if v.first > 0 {
		if t := r.terms[v.first-1]; r.text[t.from] == '-' && int(t.line) == line {
			r.add(byFlag, look, gap, uint32(t.to-t.from))
			r.add(byFlag, r.terms[line].hash, t.hash)
			r.add(byFlag, r.terms[line].hash, look, 1)
		}
	}
	size := uint32(0)
	for n := len(r.terms); n > 4; n /= 2 {
		size++
	}
	r.add(byText, size, look)
	r.add(byText, min(r.cued, 5), look, 1)
	r.add(byText, min(r.cued, 5), size, nearest, 2)
}

// above is what the lines up to that of the value tell. What a line names is the last of its cues, and one of a secret before others.
type above struct {
	next    int     // the first term that was not read
	heading cue     // what the last heading names: a short line that begins the text or a paragraph, or is marked as one
	since   int     // and how many lines ago
	above   cue     // what the line before names
	asked   bool    // and whether it asks
	answer  cue     // what the last line named that asked
	ago     uint32  // and how many lines ago
	same    cue     // what the value's own line names
	asks    bool    // and whether it asks
	sign    byte    // what parts the columns of a table, 0 outside of one
	columns [16]cue // what their heads name
	at, col int     // how many such signs stand before the byte at in its line
}

// reach reads the lines up to that of the term i.
func (r *reader) reach(i int) {
	l := &r.lines
	for line := int(r.terms[i].line); l.next <= line; {
		from, to := l.next, l.next+1
		for to < len(r.terms) && int(r.terms[to].line) == int(r.terms[from].line) {
			to++
		}
		start, stop := int(r.terms[from].from), len(r.text)
		if to < len(r.terms) {
			stop = int(r.terms[to].from)
		}
		if from > 0 {
			for least := int(r.terms[from-1].to); start > least && r.text[start-1] != '\n'; {
				start--
			}
		}
		l.above, l.asked = l.same, l.asks
		if l.ago++; l.asked && l.above != 0 {
			l.answer, l.ago = l.above, 1
		} else if l.ago > 6 {
			l.answer = 0
		}
		l.same, l.asks = 0, false
		for _, t := range r.terms[from:to] {
			if opening[t.cue] && (!naming[l.same] || naming[t.cue]) {
				l.same = t.cue
			}
		}
		asked := r.end.asked
		if to < len(r.terms) {
			asked = r.terms[to].asked
		}
		l.asks = asked > r.terms[from].asked
		tail := r.text[r.terms[to-1].to:stop]
		if l.since++; l.since > 12 || start > 1 && r.text[start-2:start] == "\n\n" {
			l.heading = 0
		}
		if to-from <= 8 && (from == 0 && to < len(r.terms) || strings.IndexByte("#[=*", at(r.text, start)) >= 0 ||
			strings.HasPrefix(tail, ":\n") || strings.HasSuffix(r.text[:start], "\n\n")) {
			l.heading, l.since = l.same, 0
		}
		l.table(r, start, from, to, stop)
		l.next, l.at, l.col = to, start, 0
	}
}

// table reads the head of a table, a line that names a secret and has columns; the table ends with the first line that has none.
func (l *above) table(r *reader, start, from, to, stop int) {
	text := r.text[start:min(stop, start+1000)]
	if i := strings.IndexByte(text, '\n'); i >= 0 {
		text = text[:i]
	}
	if l.sign != 0 && strings.IndexByte(text, l.sign) >= 0 {
		return
	}
	l.sign = 0
	if !naming[l.same] || to-from > 24 {
		return
	}
	for _, c := range []byte("|;\t,") {
		if n := strings.Count(text, string(c)); n > 1 || n == 1 && c != ',' {
			l.sign = c
			break
		}
	}
	if l.sign == 0 {
		return
	}
	l.columns = [16]cue{}
	col, at := 0, start
	for _, t := range r.terms[from:to] {
		for ; at < int(t.from); at++ {
			if r.text[at] == l.sign {
				col++
			}
		}
		if col < len(l.columns) && opening[t.cue] && !naming[l.columns[col]] {
			l.columns[col] = t.cue
		}
	}
}

// header is what the head of the column names in which a value stands.
func (r *reader) header(v value) (cue, bool) {
	l := &r.lines
	if l.sign == 0 {
		return 0, false
	}
	for ; l.at < v.start; l.at++ {
		if r.text[l.at] == l.sign {
			l.col++
		}
	}
	if l.col >= len(l.columns) {
		return 0, false
	}
	return l.columns[l.col], true
}

// parts adds of what runs of letters, figures and signs a value consists.
func (r *reader) parts(s string, look uint32) {
	if len(s) > 40 {
		return
	}
	pattern, longest, from := uint32(0), "", 0
	for i := 0; i < len(s); {
		stop, sort := run(s, i, digit, len(s)), uint32(1)
		if stop == i {
			for stop, sort = i, 2; stop < len(s) && (is(s[stop], alpha) || s[stop] >= 0x80); stop++ {
			}
			if stop-i > len(longest) {
				longest, from = s[i:stop], i
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
	r.add(byParts, pattern)
	r.add(byParts, pattern, look, 1)
	rank := uint32(0)
	if len(longest) > 2 {
		rank = 1
		for f := lexis.Frequency(fold(longest)); f > 0.5 && rank < 8; f /= 6 {
			rank++
		}
	}
	r.add(byParts, rank, min(uint32(len(longest)), 10), look, 2)
	r.add(byParts, rank, min(uint32(len(s)-len(longest)), 6), boolean(from == 0), look, 3)
}

// named adds how the name before a value is written, as programs do or as words are, and whether the value is all that it is set to.
func (r *reader) named(v value, gap, ends, look, sorts uint32) {
	name := r.terms[v.first-1]
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
	r.add(byNamed, cue, form, gap, filled, look)
	r.add(byNamed, cue, form, filled, look, 1)
	r.add(byNamed, cue, form, filled, sorts, 2, 2)
	r.add(byNamed, cue, boolean(form > 0), boolean(filled > 0), boolean(gap != ' '))
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
