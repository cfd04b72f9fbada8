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

// related tells whether two statements have a word in common, or an attribute, and neither names somebody else.
func related(earlier, later *Claim) bool {
	a, b := ids(earlier.toks, earlier.me), ids(later.toks, later.me)
	shared := slices.ContainsFunc(without(a, []string{"user"}), func(w string) bool { return held(w, b) }) ||
		slices.ContainsFunc(earlier.frames, func(e frame) bool {
			return slices.ContainsFunc(later.frames, func(f frame) bool { return e.attr == f.attr && about(e.subj, f.subj) })
		})
	x, y := earlier.main(), later.main()
	if !shared || x == nil || y == nil {
		return false
	}
	names := func(c *clause) []string {
		return slices.DeleteFunc(slices.Clone(c.subj), func(w string) bool { return w[0] != '^' })
	}
	others := func(one *clause, two *Claim, words []string) bool { // a person or thing with a name, whom the other does not mention
		who := names(one)
		return len(who) > 0 && !slices.ContainsFunc(who, func(w string) bool { return exact([]string{w}, words) }) &&
			slices.ContainsFunc(two.clauses, func(k *clause) bool { return len(names(k)) > 0 || slices.Equal(k.subj, []string{"user"}) })
	}
	kin := func(c *clause) bool { return slices.ContainsFunc(c.who, func(x tok) bool { return x.roles&rKin != 0 }) }
	return !others(x, later, b) && (slices.Equal(y.subj, []string{"user"}) || !others(y, earlier, a) || len(names(x)) == 0 && !slices.Equal(x.subj, []string{"user"})) &&
		(kin(x) == kin(y) || len(names(x))+len(names(y)) > 0)
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
		if k.list && !k.tail && !carried(ids(k.object(), earlier.me), ids(c.toks, c.me)) && slices.ContainsFunc(k.toks[max(k.verb, 0):], func(x tok) bool {
			return x.roles&rConj != 0
		}) {
			return "what it would end says more than that"
		}
	}
	return ""
}
