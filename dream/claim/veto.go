package claim

import "slices"

// Veto tells why a model may not say that later ended what earlier says, or, with join, that both say the same. It returns "" where the
// rules do not object. Unlike [Compare] it finds no relation by itself: a model has read both, and the rules only hold it to what can be
// counted. Both must have been parsed with their speakers and days.
func Veto(earlier, later *Claim, join bool) (why string) {
	switch {
	case earlier.question != later.question:
		return "one of them is a question"
	case len(earlier.clauses) == 0 || len(later.clauses) == 0:
		return "one of them cannot be read"
	case !join && later.Day < earlier.Day:
		return "it is older than what it would end"
	}
	hedged := func(c *Claim) bool {
		return slices.ContainsFunc(c.clauses, func(k *clause) bool { return k.mods != "" || k.question })
	}
	about := func(a, b *Claim) bool {
		return slices.ContainsFunc(a.clauses, func(x *clause) bool {
			return slices.ContainsFunc(b.clauses, func(y *clause) bool { return x.subj.same(&y.subj) })
		})
	}
	switch {
	case !about(earlier, later):
		return "they are about different subjects"
	case !join && hedged(later):
		return "it only says what may be, is planned or is asked"
	case join && hedged(earlier) != hedged(later):
		return "one of them only says what may be"
	case join && slices.Contains([]Relation{Correction, Change, Conflict}, Compare(earlier, later)):
		return "they say different values"
	}
	return ""
}
