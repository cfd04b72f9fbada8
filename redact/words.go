package redact

import (
	"slices"
	"strings"
)

// phrase returns the end of a run of three to twelve words that is introduced, 0 without one.
func (r *reader) phrase(i int) int {
	if !r.introduced(i) {
		return 0
	}
	n := 0
	for ; n < 12 && i+n < len(r.terms); n++ {
		t := &r.terms[i+n]
		if n > 0 && (t.gap != ' ' || t.from != r.terms[i+n-1].to+1) || t.named || n > 2 && r.small(i+n) {
			break
		}
	}
	if n < 3 {
		return 0
	}
	return int(r.terms[i+n-1].to)
}

// title returns the end of a run of two to five words that begin with capitals, with small ones such as "von" between them, 0 where none
// starts: the name of a pet, a school.
func (r *reader) title(i int) int {
	capital := func(i int) bool { return is(r.text[r.terms[i].from], upper) && r.terms[i].to > r.terms[i].from+1 }
	next := func(i int) bool {
		return i < len(r.terms) && r.terms[i].gap == ' ' && r.terms[i].from == r.terms[i-1].to+1
	}
	if !capital(i) || i > 0 && next(i) && capital(i-1) {
		return 0
	}
	n := 1
	for n < 5 && next(i+n) {
		if capital(i + n) {
			n++
		} else if r.terms[i+n].to-r.terms[i+n].from < 5 && next(i+n+1) && capital(i+n+1) {
			n += 2
		} else {
			break
		}
	}
	if n < 2 {
		return 0
	}
	return int(r.terms[i+n-1].to)
}

// clause returns the end of a run of three to twelve words that fills the rest of its line behind a colon or the like, or a whole line
// below one that names a secret, 0 elsewhere.
func (r *reader) clause(i int) int {
	t := r.terms[i]
	if r.reach(i); i == 0 || t.gap != ':' && t.gap != '=' && t.gap != '"' && (t.gap != '\n' || !naming[r.lines.above]) {
		return 0
	}
	n := 1
	for ; r.goesOn(i, i+n); n++ {
		if u := r.terms[i+n]; n == 12 || u.gap != ' ' && u.gap != ',' {
			return 0
		}
	}
	if n < 3 {
		return 0
	}
	return int(r.terms[i+n-1].to)
}

// setting returns the end of the line where the term is the first of some words that a setting of a secret's name has for its value, 0
// elsewhere: SMTP_PASSWORD: two words. A remark behind the value is none of it.
func (r *reader) setting(i int) int {
	t := r.terms[i]
	if i == 0 || i-int(t.line) > 2 || t.gap != '=' && t.gap != ':' || !naming[r.terms[i-1].cue] {
		return 0
	}
	n := i + 1
	for r.goesOn(i, n) {
		n++
	}
	if n-i > 6 {
		return 0
	}
	return int(r.terms[n-1].to)
}

// goesOn tells whether a term stands in the line of one before it, and no remark begins right before it.
func (r *reader) goesOn(i, n int) bool {
	if n >= len(r.terms) || r.terms[n].line != r.terms[i].line {
		return false
	}
	between := strings.ReplaceAll(r.text[r.terms[n-1].to:r.terms[n].from], "\t", " ")
	return !slices.ContainsFunc([]string{" # ", " // ", " -- ", " ; "}, func(sign string) bool { return strings.Contains(between, sign) })
}
