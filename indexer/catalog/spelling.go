package catalog

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	minSpelt   = 4     // letters of a term that may be misspelt
	sameStart  = 2     // letters at its start that must be right
	maxVocab   = 20000 // terms that are looked at
	maxCounted = 40    // near ones whose rows are counted
	maxNear    = 3     // near ones that take its place
	nearValue  = 0.6   // their weight
)

// expand marks the terms that no row holds, and gives terms near to them.
func (r *Reader) expand(ctx context.Context, terms []WeightedTerm) ([]WeightedTerm, error) {
	var out []WeightedTerm
	for i, t := range terms {
		known, err := r.known(ctx, t.Term)
		if err != nil {
			return nil, err
		}
		terms[i].Absent = !known
		if known || !speltByLetters(t.Term) {
			continue
		}
		near, err := r.near(ctx, t.Term)
		if err != nil {
			return nil, err
		}
		for _, n := range near {
			out = append(out, WeightedTerm{Term: n, Weight: t.Weight * nearValue})
		}
	}
	return out, nil
}

// speltByLetters says whether a term is a word of an alphabet: other scripts and numbers have no near terms.
func speltByLetters(term string) bool {
	n := 0
	for _, c := range term {
		if !unicode.In(c, unicode.Latin, unicode.Cyrillic, unicode.Greek) {
			return false
		}
		n++
	}
	return n >= minSpelt
}

func (r *Reader) known(ctx context.Context, term string) (bool, error) {
	r.g.mu.RLock()
	defer r.g.mu.RUnlock()
	if len(r.g.mem.terms[term]) > 0 {
		return true, nil
	}
	var n int
	err := r.g.read(func(d *database) error {
		st, err := d.reading(`SELECT count(*) FROM (SELECT 1 FROM post WHERE term = ? LIMIT 1)`)
		if err != nil {
			return err
		}
		return st.QueryRowContext(ctx, term).Scan(&n)
	})
	return n > 0, err
}

// near looks through the terms with the same first letters: those at one edit, or else those that
// begin with the whole term, the frequent ones first.
func (r *Reader) near(ctx context.Context, term string) ([]string, error) {
	edits, longer, err := r.candidates(ctx, term)
	if err != nil {
		return nil, err
	}
	list := edits
	if len(list) == 0 {
		list = longer
	}
	slices.SortFunc(list, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
	list = list[:min(len(list), maxCounted)]
	counts, err := r.DocFreqs(ctx, list)
	if err != nil {
		return nil, err
	}
	df := map[string]int{}
	for i, t := range list {
		df[t] = counts[i]
	}
	slices.SortFunc(list, func(a, b string) int { return cmp.Or(cmp.Compare(df[b], df[a]), cmp.Compare(a, b)) })
	return list[:min(len(list), maxNear)], nil
}

// candidates are the terms at one edit from term, and those that begin with it.
func (r *Reader) candidates(ctx context.Context, term string) (edits, longer []string, err error) {
	start := term
	for i := range term {
		if utf8.RuneCountInString(term[:i]) == sameStart {
			start = term[:i]
			break
		}
	}
	look := func(t string) {
		if oneEdit(term, t) {
			edits = append(edits, t)
		} else if strings.HasPrefix(t, term) {
			longer = append(longer, t)
		}
	}
	r.g.mu.RLock()
	defer r.g.mu.RUnlock()
	for t := range r.g.mem.terms {
		if strings.HasPrefix(t, start) {
			look(t)
		}
	}
	err = r.g.read(func(d *database) error {
		st, err := d.reading(`SELECT DISTINCT term FROM post WHERE term >= ? AND term < ? ORDER BY term LIMIT ?`)
		if err != nil {
			return err
		}
		rows, err := st.QueryContext(ctx, start, start+"\U0010ffff", maxVocab)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var t string
			if err := rows.Scan(&t); err != nil {
				return err
			}
			if r.g.mem.terms[t] == nil {
				look(t)
			}
		}
		return rows.Err()
	})
	return edits, longer, err
}

// oneEdit says whether one letter added, left out, changed or swapped with the next makes b of a.
func oneEdit(a, b string) bool {
	x, y := []rune(a), []rune(b)
	if len(x) > len(y) {
		x, y = y, x
	}
	if len(y)-len(x) > 1 {
		return false
	}
	i := 0
	for i < len(x) && x[i] == y[i] {
		i++
	}
	if len(x) < len(y) {
		return slices.Equal(x[i:], y[i+1:])
	}
	if i == len(x) {
		return false // the same
	}
	if slices.Equal(x[i+1:], y[i+1:]) {
		return true
	}
	return i+1 < len(x) && x[i] == y[i+1] && x[i+1] == y[i] && slices.Equal(x[i+2:], y[i+2:])
}
