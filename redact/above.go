package redact

import "strings"

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
