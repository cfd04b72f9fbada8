package redact

import (
	"slices"
	"strings"
)

// join adds the doubtful values that stand in a place of the list where another was taken, each where it stands.
func (r *reader) join(found []Finding, open []doubt, taken map[place]bool) []Finding {
	out := make([]Finding, 0, len(found))
	for _, v := range open {
		for len(found) > 0 && found[0].End <= v.start {
			out, found = append(out, found[0]), found[1:]
		}
		if datum(r.text[v.start:v.stop]) || v.look == 'n' && !r.listed(v.value, out, found) {
			continue
		}
		if (taken[r.place(v.value)] || v.score >= likely && taken[r.column(v.value)]) &&
			(len(found) == 0 || found[0].Start >= v.stop) && (len(out) == 0 || out[len(out)-1].End <= v.start) {
			out = append(out, r.finding(v.value))
		}
	}
	return append(out, found...)
}

// listed tells whether a number stands in one list with the finding before it or the one behind it: no line between them is without
// figures.
func (r *reader) listed(v value, before, behind []Finding) bool {
	list := func(from, to int) bool {
		if from >= to || to-from > nearby {
			return from == to
		}
		lines := strings.Split(r.text[from:to], "\n")
		lines = lines[1:max(1, len(lines)-1)]
		return !slices.ContainsFunc(lines, func(l string) bool { return strings.TrimSpace(l) != "" && !strings.ContainsAny(l, "0123456789") })
	}
	return len(before) > 0 && list(before[len(before)-1].End, v.start) || len(behind) > 0 && list(v.stop, behind[0].Start)
}

// A place is where in its line a value stands, and what it looks like: the codes of a list have one place.
type place struct {
	before uint32 // the words of the line before it, figures alike
	look   byte
	size   int
	ends   bool // the line ends behind the value
}

func (r *reader) place(v value) place {
	before := uint32(0)
	for _, t := range r.ahead(v) {
		before = before*31 + t.hash
	}
	return place{before, v.look, v.stop - v.start, endsLine(r.text, v.stop)}
}

// column is a place of which only the signs and the number of the words before it count: what stands in a column need not look alike.
func (r *reader) column(v value) place {
	before, look := uint32(1), v.look
	for _, t := range r.ahead(v) {
		before = before*31 + uint32(t.gap)
	}
	if strings.IndexByte("dchq", look) >= 0 {
		look = 'm'
	}
	return place{before: before*31 + uint32(r.terms[v.first].gap), look: look, ends: endsLine(r.text, v.stop)}
}

// ahead are the terms before a value in its line, of a long one the nearest.
func (r *reader) ahead(v value) []term {
	return r.terms[max(int(r.terms[v.first].line), v.first-40):v.first]
}

// A doubt is a value that was not taken.
type doubt struct {
	value
	score float64
}
