package claim

import (
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/lexis"
)

// Two statements may be the same word for word but for one value, in a form that no rule reads. Where the later one says that it corrects
// something, or that it is so now, the value has changed.

// plain are the units of a statement without the marks of how it is meant.
func (c *Claim) plain() []unit {
	out := make([]unit, 0, len(c.units))
	for _, u := range c.units {
		if !aside(u) {
			out = append(out, u)
		}
	}
	return out
}

// aside tells the marks of how a statement is meant.
func aside(u unit) bool { return oneOf(u.kind, uCorr, uNow, uComma, uStop) }

// opening is a key that such statements share: the words that they begin with.
func (c *Claim) opening() string {
	first := ""
	for _, u := range c.units {
		if aside(u) {
			continue
		}
		if first != "" {
			return "w|" + first + " " + strings.ToLower(u.raw)
		}
		if first = strings.ToLower(u.raw); first == "" {
			return ""
		}
	}
	return ""
}

// aligned compares statements that differ in one value.
func aligned(earlier, later *Claim) Relation {
	if earlier.open == "" || earlier.open != later.open {
		return Unrelated
	}
	y, now := lately(later.plain())
	now = now || slices.ContainsFunc(later.clauses, func(k *clause) bool { return k.now })
	if !later.corr && !now || len(earlier.clauses) != 1 || len(later.clauses) > 2 || later.also || !earlier.clauses[0].plainly() {
		return Unrelated
	}
	x := earlier.plain()
	same := func(a, b unit) bool { return a.id == b.id || a.raw != "" && lexis.Fold(a.raw) == lexis.Fold(b.raw) }
	head := 0
	for head < len(x) && head < len(y) && same(x[head], y[head]) {
		head++
	}
	tail := 0
	for tail < len(x)-head && tail < len(y)-head && same(x[len(x)-1-tail], y[len(y)-1-tail]) {
		tail++
	}
	a, b := x[head:len(x)-tail], y[head:len(y)-tail]
	if head < 2 || len(a) == 0 || len(b) == 0 || len(a) > 2 || len(b) > 2 || !alternative(a, b) ||
		!slices.ContainsFunc(x[:head], predicative) && !(later.strong && head > 2) {
		return Unrelated
	}
	switch {
	case later.strong:
		return Correction
	case several(earlier.clauses[0], slotKind(a[0]) != "") || len(a) != len(b):
		return Unrelated
	case later.corr:
		return Correction
	case weekday(a) != "": // open on Sundays now, and on Mondays as before
		return Unrelated
	}
	return Change
}

// plainly tells a clause that says nothing but what is or was so.
func (c *clause) plainly() bool {
	return !c.neg && !c.ended && !c.former && !c.question && c.mods == "" && len(c.contrast) == 0
}

// predicative tells a unit that may be the verb, so that what differs is no part of the subject.
func predicative(u unit) bool {
	switch u.kind {
	case uVerb, uBe, uHave:
		return true
	}
	return u.kind == uWord && !u.det && len(u.raw) > 3 && (u.past || oneOf(u.raw[len(u.raw)-1], 's', 't'))
}

// alternative tells two values of one kind, neither a part of the other.
func alternative(a, b []unit) bool {
	if within(ids(a), ids(b)) || within(ids(b), ids(a)) {
		return false
	}
	if k := slotKind(a[0]); k != "" || slotKind(b[0]) != "" {
		return k == slotKind(b[0]) && len(a) == 1 && len(b) == 1
	}
	if strings.HasSuffix(a[0].raw, "ly") && strings.HasSuffix(b[0].raw, "ly") { // synchronously, asynchronously
		return len(a) == 1 && len(b) == 1
	}
	return proper(a) && proper(b)
}

// several tells verbs of which one has many objects at a time.
func several(c *clause, typed bool) bool {
	switch stem(c.pred) {
	case "like", "love", "know", "speak", "eat", "drink", "visit", "sell", "offer", "support",
		"accept", "includ", "includ~e", "contain", "have", "serv", "serv~e", "teach",
		"play", "read", "watch", "study", "collect", "recommend", "meet", "learn", "see", "follow", "own", "be like":
		return true
	}
	for _, f := range c.frames {
		if oneOf(f.kind, '*', 'c', 'p') {
			return true
		}
	}
	if typed {
		return c.past
	}
	if c.verb.kind == uHave { // a branch in Kreuzberg
		return true
	}
	return !c.copula && c.past || len(c.who) > 0 && allNames(c.who) && !acronym(c.who[0]) && !c.subj.det && !c.copula && len(c.frames) == 0
}
