package claim

import (
	"slices"
	"strings"
)

// What is over ends a statement only if that statement as a whole is about it, and if it is over in all cases. A list of which one item
// went still holds the others; who drinks no coffee after 15:00 drinks coffee. In doubt both stand.

// partly tells that later speaks of a part of earlier, or of some cases only.
func partly(earlier, later *Claim, o, n *clause) bool {
	return earlier.compound(later) || n.limited(earlier, later, o)
}

// compound tells that a statement says several things of which new does not name all: a list, or a second predicate.
func (c *Claim) compound(later *Claim) bool {
	said := func(u unit) bool { return slices.ContainsFunc(later.units, func(w unit) bool { return w.id == u.id }) }
	us, commas, verb := c.units, 0, false
	if len(c.clauses) > 1 {
		return true
	}
	for i, u := range us {
		verb = verb || predicative(u) || u.kind == uStop && u.id == ":"
		if i == 0 || i+1 == len(us) {
			continue
		}
		before, after := us[i-1], us[i+1]
		for k := i + 1; k+1 < len(us) && after.kind == uPrep; k++ {
			after = us[k+1]
		}
		switch {
		case u.kind == uConj && u.id == "because":
			return false
		case u.kind == uConj && (u.id == "and" || u.id == "or"):
			if u.raw != "&" && !(said(before) && said(after)) {
				return true
			}
		case u.kind == uConj && u.id == "while":
			return true
		case u.kind == uComma && verb && (content(after) || after.kind == uDate):
			if commas++; commas > 1 || us[i+1].the && !said(after) {
				return true
			}
		}
	}
	return false
}

// limited tells that a clause holds in some cases that o does not name: at a time, in a place, for somebody, for a while. Another
// value in the same place is for the rules to compare, unless later gives nothing instead of what is over.
func (n *clause) limited(earlier, later *Claim, o *clause) bool {
	event := n.verb.past || n.ended
	filled := func(preps ...string) bool {
		return !later.Retracts && slices.ContainsFunc(preps, func(p string) bool { return o.chunk(p) != nil })
	}
	return slices.ContainsFunc(n.chunks, func(k chunk) bool {
		if within(ids(k.units), ids(earlier.units)) || within(ids(k.units), n.come) {
			return false
		}
		switch k.prep {
		case "dt", "in", "on", "at":
			if at := slices.IndexFunc(k.units, func(u unit) bool { return u.kind == uDate && !n.recurs(u) }); at >= 0 {
				return !event || o.chunk("dt") == nil && ago(k.units[at].id, earlier.Day, 365)
			}
			return !filled("in", "on", "at", "dt")
		case "with":
			return len(n.frames) == 0
		case "during", "every", "before", "after", "while", "for", "until":
			return !filled(k.prep)
		}
		return false
	})
}

// recurs tells a date that comes round: Mondays, winter.
func (c *clause) recurs(u unit) bool {
	return strings.HasPrefix(u.id, "season") || strings.HasPrefix(u.id, "wd") && (!c.verb.past || strings.HasSuffix(u.raw, "s"))
}
