package claim

import "slices"

// Veto tells why a model may not say that later ended what earlier says, or, with join, that both say the same. Veto returns "" where the
// rules do not object. Unlike [Compare] it finds no relation by itself: a model has read both, and the rules only hold it to what can be
// counted. Both must have been parsed with their speakers and days.
func Veto(earlier, later *Claim, join bool) (why string) {
	switch {
	case earlier.question != later.question:
		return "one of them is a question"
	case len(earlier.clauses) == 0 || len(later.clauses) == 0:
		return "one of them cannot be read"
	case !related(earlier, later):
		return "they are about different things"
	case opposed(earlier, later) && join:
		return "they say the opposite"
	case join:
		return apart(earlier, later)
	case later.Day < earlier.Day:
		return "it is older than what it would end"
	}
	return later.unable(earlier)
}

// related tells whether two statements have a word or an attribute in common, and neither is about somebody whom the other does not
// mention.
func related(earlier, later *Claim) bool {
	if slices.ContainsFunc(earlier.frames, func(e frame) bool {
		return slices.ContainsFunc(later.frames, func(f frame) bool { return e.attr == f.attr && about(e.subj, f.subj) })
	}) {
		return true
	}
	a, b := ids(earlier.toks, earlier.me), ids(later.toks, later.me)
	x, y := earlier.main(), later.main()
	if x == nil || y == nil || !slices.ContainsFunc(without(a, []string{"user"}), func(w string) bool { return held(w, b) }) {
		return false
	}
	who := func(c *clause) (names []string, kin bool) { // the user has a name as well
		for _, w := range c.subj {
			if w[0] == '^' || w == "user" {
				names = append(names, w)
			}
		}
		return names, slices.ContainsFunc(c.who, func(x tok) bool { return x.roles&rKin != 0 })
	}
	p, kin := who(x)
	q, other := who(y)
	foreign := func(names, words []string) bool {
		return len(names) > 0 && !slices.ContainsFunc(names, func(w string) bool { return exact([]string{w}, words) })
	}
	return !(len(q) > 0 && foreign(p, b)) && !(len(p) > 0 && foreign(q, a) && !slices.Contains(q, "user")) && (kin == other ||
		len(p)+len(q) > 2)
}

// opposed tells two statements of which one has a word, and the other only its opposite.
func opposed(a, b *Claim) bool {
	sides := func(c *Claim) (out []string) {
		for i := range c.toks {
			if p := c.toks[i].pair; p != "" {
				out = append(out, p)
			}
		}
		return out
	}
	x, y := sides(a), sides(b)
	return slices.ContainsFunc(x, func(p string) bool { return slices.Contains(y, other(p)) && !slices.Contains(y, p) })
}

// apart tells in what two statements differ that say the same.
func apart(a, b *Claim) string {
	value := func(c *Claim) []string {
		v := slices.Clone(c.values)
		slices.Sort(v)
		return slices.Compact(v)
	}
	sense := func(c *Claim) (neg, hedged bool) {
		for _, k := range c.clauses {
			neg, hedged = neg || k.denies(), hedged || k.hedged
		}
		return neg, hedged
	}
	n, h := sense(a)
	m, i := sense(b)
	switch {
	case n != m:
		return "one of them denies it"
	case h != i:
		return "one of them only says what may be"
	case !exact(value(a), value(b)) || !exact(value(b), value(a)):
		return "they have other names, numbers or days"
	}
	return ""
}

// unable tells why a statement ends nothing: it leaves open, denies or limits what happened, or names only a part of what it would end.
func (c *Claim) unable(earlier *Claim) string {
	plain := false
	for _, k := range c.clauses {
		if k.tail || k.hedged {
			continue
		}
		if k.neg && slices.ContainsFunc(k.matches, func(m match) bool { return m.kind != "" && m.kind != "not" }) {
			return "it denies that it happened"
		}
		if slices.ContainsFunc(k.matches, func(m match) bool { return m.kind == "end" }) && slices.ContainsFunc(k.toks, func(x tok) bool {
			return (x.kind == 'W' || x.kind == 'T') && !slices.Contains(earlier.values, x.id)
		}) {
			return "it ends it for some times only"
		}
		plain = true
	}
	if !plain {
		return "it only says what may be, is planned or is asked"
	}
	for _, k := range earlier.clauses {
		if !k.tail && k.joins() && !carried(ids(k.object(), earlier.me), ids(c.toks, c.me)) {
			return "what it would end says more than that"
		}
	}
	return ""
}
