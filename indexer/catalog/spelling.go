package catalog

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"github.com/reverie-memory/reverie/internal/nearest"
	"github.com/reverie-memory/reverie/lexis"
)

const (
	minSpelt   = 4     // letters of a term that may be misspelt
	longStart  = 5     // letters of one that may be so at its first two
	maxSpelt   = 24    // letters of the longest
	twoSlips   = 8     // letters of one that may be so twice
	sameStart  = 3     // letters at its start that are looked up as they stand; one slip among them is tried by itself
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
			out = append(out, WeightedTerm{Term: n, Weight: t.Weight * nearValue, For: t.Term})
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
	return n >= minSpelt && n <= maxSpelt
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

// near are the terms that stand in for one that no row has, the frequent ones first: those at one edit, else at two of a long word, else
// those that begin with the whole term. A word that general English knows is meant as it stands ("gold" is not "good"), and may only go on.
func (r *Reader) near(ctx context.Context, term string) ([]string, error) {
	found, err := r.candidates(ctx, term)
	if err != nil {
		return nil, err
	}
	list := found.longer
	if lexis.Frequency(term) == lexis.FrequencyFloor {
		list = found.once
		for _, more := range [][]string{found.twice, found.longer} {
			if len(list) == 0 {
				list = more
			}
		}
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

// spellings are terms near to one: at one edit and at two, and those that begin with it.
type spellings struct{ once, twice, longer []string }

func (s *spellings) look(term []rune, t string) {
	most := 1
	if len(term) >= twoSlips {
		most = 2
	}
	switch n := nearest.Distance(term, []rune(t), most); {
	case n == 1:
		s.once = append(s.once, t)
	case n <= most:
		s.twice = append(s.twice, t)
	case strings.HasPrefix(t, string(term)):
		s.longer = append(s.longer, t)
	}
}

// candidates looks through the terms that begin alike, and looks up those that one slip at the start may have been.
func (r *Reader) candidates(ctx context.Context, term string) (found spellings, err error) {
	letters := []rune(term)
	start := string(letters[:sameStart])
	tries := slips(letters)
	list, err := json.Marshal(tries)
	if err != nil {
		return found, err
	}
	r.g.mu.RLock()
	defer r.g.mu.RUnlock()
	for t := range r.g.mem.terms {
		if strings.HasPrefix(t, start) {
			found.look(letters, t)
		}
	}
	for _, t := range tries {
		if r.g.mem.terms[t] != nil {
			found.look(letters, t)
		}
	}
	err = r.g.read(func(d *database) error {
		read := func(query string, args ...any) error {
			var t string
			rows, err := ask(ctx, d.reading, query, args...)
			return each(rows, err, func() error {
				if r.g.mem.terms[t] == nil {
					found.look(letters, t)
				}
				return nil
			}, &t)
		}
		if err := read(`SELECT DISTINCT term FROM post WHERE term IN (SELECT value FROM json_each(?))`, string(list)); err != nil {
			return err
		}
		return read(`SELECT DISTINCT term FROM post WHERE term >= ? AND term < ? ORDER BY term LIMIT ?`,
			start, start+"\U0010ffff", maxVocab)
	})
	return found, err
}

// slips are the words that begin otherwise than term and of which one slip makes it.
func slips(term []rune) (out []string) {
	from := 0
	if len(term) < longStart {
		from = 2
	}
	first, last := 'a', 'z'
	switch {
	case unicode.Is(unicode.Cyrillic, term[0]):
		first, last = 'а', 'я'
	case unicode.Is(unicode.Greek, term[0]):
		first, last = 'α', 'ω'
	}
	add := func(parts ...[]rune) {
		if w := slices.Concat(parts...); !slices.Equal(w[:sameStart], term[:sameStart]) {
			out = append(out, string(w))
		}
	}
	for i := from; i < sameStart; i++ {
		before, at, after := term[:i], term[i:], term[i+1:]
		add(before, after)
		add(before, []rune{after[0], at[0]}, after[1:])
		for c := first; c <= last; c++ {
			add(before, []rune{c}, at)
			add(before, []rune{c}, after)
		}
	}
	return out
}
