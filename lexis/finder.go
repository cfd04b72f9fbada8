package lexis

import "slices"

// A Finder tells which texts have all of some terms, without the terms of a text that cannot be one of them. A Finder is for one goroutine.
type Finder struct {
	terms []string
	cut   cutter
}

// NewFinder returns a finder of terms as [Terms] gives them.
func NewFinder(terms []string) *Finder {
	f := &Finder{terms: terms, cut: cutter{terms: true, begin: &[256]bool{}}}
	for i := range f.cut.begin { // of other scripts no more is said: some stems lose their beginning
		f.cut.begin[i] = i >= 0x80
	}
	for _, t := range terms {
		if t != "" {
			f.cut.begin[t[0]] = true
		}
	}
	for form, base := range irregular() {
		if slices.Contains(terms, lookup([]byte(base)).stem) {
			f.cut.begin[form[0]] = true
		}
	}
	return f
}

// In says whether the text has every term; for no terms it says yes.
func (f *Finder) In(text string) bool {
	f.cut.out = f.cut.out[:0]
	f.cut.cut(normalise(text))
	return !slices.ContainsFunc(f.terms, func(t string) bool { return !slices.Contains(f.cut.out, t) })
}
