package redact

import (
	"slices"
	"sort"
	"strings"

	"github.com/reverie-memory/reverie/lexis"
)

// What is secret in most lines of a list or a table is secret in its other lines: here are the values that stand in a column, or have the
// shape, of others that were found.

// separators part the cells of a line, in the order in which they are tried.
var separators = []string{"|", "\t", ";", ",", " / ", " – ", " — ", " - ", " · ", "  "}

const (
	longest = 64 // bytes of a cell that may be a secret
	wide    = 12 // cells of a line that are looked at
	masked  = 8  // shapes that are looked for
	nearby  = 400
)

// alike returns what stands in a column or has the shape of the findings, besides them. The findings are sorted.
func alike(text string, found []Finding) (more []Finding) {
	if len(found) < 2 && (len(found) == 0 || strings.Count(text, "\n") < 2) {
		return nil
	}
	for _, sep := range separators {
		if !strings.Contains(text, sep) {
			continue
		}
		var rows []row
		for start := 0; start <= len(text); {
			end := len(text)
			if i := strings.IndexByte(text[start:], '\n'); i >= 0 {
				end = start + i
			}
			if r, drawn := cells(text, start, end, sep); !drawn {
				if len(rows) > 0 && len(rows[0]) != len(r) {
					more = append(more, columns(text, rows, found)...)
					rows = rows[:0]
				}
				if len(r) > 1 {
					rows = append(rows, r)
				}
			}
			start = end + 1
		}
		more = append(more, columns(text, rows, found)...)
	}
	return append(more, twins(text, found)...)
}

// A span is a part of a text.
type span struct{ start, stop int }

// A row is the cells of a line without the blanks and marks around them.
type row []span

// cells returns the row of a line and whether the line only draws the table that it is in.
func cells(text string, start, end int, sep string) (r row, drawn bool) {
	if !strings.Contains(text[start:end], sep) {
		return nil, false
	}
	drawn = true
	for at := start; at <= end && len(r) < wide; {
		stop := end
		if i := strings.Index(text[at:end], sep); i >= 0 {
			stop = at + i
		}
		c := span{at, stop}
		for c.start < c.stop && strings.IndexByte(" \t\r*\"'`", text[c.start]) >= 0 {
			c.start++
		}
		for c.stop > c.start && strings.IndexByte(" \t\r*\"'`", text[c.stop-1]) >= 0 {
			c.stop--
		}
		if c.start < c.stop || sep != "  " { // as many blanks as the column wants are one separator
			r = append(r, c)
		}
		drawn = drawn && strings.Trim(text[c.start:c.stop], "-:=+") == ""
		at = stop + len(sep)
	}
	return r, drawn
}

// columns returns the cells that are secret as most of their column is, or as its heading says.
func columns(text string, rows []row, found []Finding) (more []Finding) {
	if len(rows) < 3 {
		return nil
	}
	for k := range rows[0] {
		rule, taken, figures := "", 0, false
		var open []span
		for i, r := range rows {
			if f, ok := over(found, r[k]); ok && fills(text, f, r[k]) {
				rule, taken, figures = f.Rule, taken+1, figures || run(text, f.Start, digit, len(text)) >= f.End
			} else if i > 0 || k > 0 {
				open = append(open, r[k])
			}
		}
		if taken == 0 || len(open) == 0 {
			continue
		}
		_, filled := over(found, rows[0][k])
		headed := !filled && names(text, rows[0][k])
		if !headed && (taken < 2 || taken*2 < len(rows)) && (len(rows[0]) < 3 || !allPut(text, open)) {
			continue
		}
		for _, c := range open {
			v := text[c.start:c.stop]
			if secretCell(v, headed, figures) && (c != rows[0][k] || !headed && strict(v)) || !headed && put(v) {
				more = append(more, Finding{rule, c.start, c.stop})
			}
		}
	}
	return more
}

// allPut tells whether all cells look as if somebody had put a password together, as then a single one that was found tells of all.
func allPut(text string, cells []span) bool {
	return !slices.ContainsFunc(cells, func(c span) bool { return !put(text[c.start:c.stop]) })
}

// put tells a word that somebody put together: of letters and figures, with a sign, or of several words that begin with capitals.
func put(v string) bool {
	letters, digits, _, blanks := count(v)
	if len(v) < 6 || len(v) > longest || blanks > 0 || letters < 2 || strings.IndexByte("dchmw", lookOf(v, 0)) < 0 || datum(v) ||
		strings.ContainsAny(v, `/\[]()`) {
		return false
	}
	parts := humps(v)
	for i := 1; i+1 < len(v); i++ {
		parts += int(boolean(strings.IndexByte("-_.", v[i]) >= 0 && is(v[i+1], upper) && is(v[i-1], lower)))
	}
	return digits > 0 || signs(v) > 0 || parts > 0 && is(v[len(v)-1], lower)
}

// over returns the first finding that a cell holds a part of.
func over(found []Finding, c span) (Finding, bool) {
	i := sort.Search(len(found), func(i int) bool { return found[i].End > c.start })
	if i == len(found) || found[i].Start >= c.stop {
		return Finding{}, false
	}
	return found[i], true
}

// fills tells whether a cell holds a finding of one line and hardly a sign more: of a name with its value no column is made.
func fills(text string, f Finding, c span) bool {
	if f.End-f.Start > 4*longest || strings.IndexByte(text[f.Start:f.End], '\n') >= 0 {
		return false
	}
	before, behind := text[c.start:max(c.start, f.Start)], text[min(c.stop, f.End):c.stop]
	letters, digits, others, blanks := count(before + behind)
	return letters+digits == 0 && others+blanks < 8
}

// names tells whether a cell is the heading of a column of secrets.
func names(text string, c span) bool {
	if c.stop-c.start > 30 {
		return false
	}
	ts, _ := terms(text[c.start:c.stop])
	return slices.ContainsFunc(ts, func(t term) bool { return naming[t.cue] })
}

// secretCell tells whether a cell can be a secret: one word that fills no place, and no common one. Under no heading it has a figure or
// a sign in it and is no expression of a program, and is a number only where another of its column is one.
func secretCell(v string, headed, figures bool) bool {
	if len(v) < 3 || len(v) > longest || strings.ContainsAny(v, " \t[]") || placeholder(v) || email(v) || datum(v) {
		return false
	}
	letters, digits, others, _ := count(v)
	if letters+digits == 0 {
		return false
	}
	if digits == 0 && len(v) < 8 && kinds(v)&lower == 0 { // SSO, (TBD)
		return false
	}
	if digits == 0 && others == 0 {
		return headed && lexis.Frequency(fold(v)) <= 4
	}
	return headed || strict(v) && lookOf(v, 0) != 'e' || figures && digits == len(v)
}

// twins returns what has the shape of three or more of the findings, letters and figures alike, and stands near them: 3126 4162.
func twins(text string, found []Finding) (more []Finding) {
	type group struct {
		rule        string
		n           int
		first, last int
	}
	shapes := map[string]*group{}
	look := func(m string, g *group) {
		if g.n < 3 {
			return
		}
		end := min(len(text), g.last+nearby) - len(m)
		for i := max(0, g.first-nearby); i <= end; i++ {
			if !is(at(text, i-1), word|dot) && masks(text[i:i+len(m)], m) && !is(at(text, i+len(m)), word) {
				more = append(more, Finding{g.rule, i, i + len(m)})
				i += len(m)
			}
		}
	}
	for _, f := range found {
		if f.End-f.Start < 6 || f.End-f.Start > 40 {
			continue
		}
		m := mask(text[f.Start:f.End])
		if !strings.ContainsAny(m, "0x") || strings.Trim(m, "0") == "" { // a sentence may hold a number for another reason
			continue
		}
		g := shapes[m]
		if g != nil && f.Start > g.last+nearby {
			look(m, g)
			g.n, g.first = 0, f.Start
		}
		if g == nil {
			if len(shapes) == masked {
				continue
			}
			g = &group{rule: f.Rule, first: f.Start}
			shapes[m] = g
		}
		g.n, g.last = g.n+1, f.End
	}
	for m, g := range shapes {
		look(m, g)
	}
	return more
}

// mask is the shape of a value: a, A and 0 for a small letter, a capital and a figure, all else as it is. Where letters of one kind and
// figures change often, as in 7c8e9-64ee2, they are one: x.
func mask(v string) string {
	b, turns := []byte(v), 0
	for i, c := range b {
		b[i] = masking(c)
		turns += int(boolean(i > 0 && is(c, alnum) && is(v[i-1], alnum) && is(c, digit) != is(v[i-1], digit)))
	}
	if k := kinds(v) & alpha; turns > 2 && (k == lower || k == upper) {
		for i, c := range b {
			if is(c, alnum) {
				b[i] = 'x'
			}
		}
	}
	return string(b)
}

func masks(v, m string) bool {
	merged := false
	for i := range len(v) {
		if c := masking(v[i]); c != m[i] {
			if merged = m[i] == 'x'; !merged || !is(c, alnum) {
				return false
			}
		}
	}
	return !merged || kinds(v)&digit != 0 && kinds(v)&alpha != alpha
}

func masking(c byte) byte {
	switch {
	case is(c, lower):
		return 'a'
	case is(c, upper):
		return 'A'
	case is(c, digit):
		return '0'
	}
	return c
}
