package claim

import (
	"slices"
	"strings"
)

// byFrame finds another value of an attribute that has one at a time.
func byFrame(earlier, later *Claim, o, n *clause) Relation {
	for i := range later.frames {
		f := &later.frames[i]
		if f.from != n || f.taken || later.also || earlier.also {
			continue
		}
		for k := range earlier.frames {
			e := &earlier.frames[k]
			if e.from != o || e.attr != f.attr || !about(e.subj, n.first(f.subj)) || e.among || o.past && !later.corr && !e.change ||
				!f.change && n.past && !later.corr {
				continue
			}
			x, y := ids(e.val, earlier.me), ids(f.val, later.me)
			if f.change && f.val[0].roles&rRel != 0 && len(x) > 0 { // moved yesterday, who knows where to
				return Overtaken
			}
			if len(x) == 0 || len(y) == 0 || !carried(f.mate, x) || carried(x, y) || carried(y, x) || strings.HasPrefix(x[0], y[0]) ||
				strings.HasPrefix(y[0], x[0]) || (e.val[0].roles^f.val[0].roles)&rCountry != 0 ||
				typed(e.val[0].kind) != typed(f.val[0].kind) {
				continue
			}
			p, q := e.rest, dateless(f.rest)
			if e.attr == "lead" || f.change && (e.attr == "home" || e.attr == "employer" || e.attr == "bond") {
				p, q = nil, without(q, f.detail)
			}
			if e.attr == "bond" && f.change && f.mate == nil {
				q = nil
			}
			cue := f.change || n.new()
			switch {
			case f.asks && !cue && !later.corr, !about(append(units(e.val), "x"), append(units(f.val), "x")),
				slices.ContainsFunc(n.toks, func(x tok) bool { return x.kind == 'W' || x.kind == 'T' }) && !typed(f.val[0].kind),
				!carried(q, o.words), !cue && !carried(p, q):
				continue
			case f.fixed && !later.corr:
				return Conflict
			}
			if e.taken {
				return Overtaken
			}
			return replaced(earlier, later, cue)
		}
	}
	return Unrelated
}

func dateless(words []string) []string {
	return slices.DeleteFunc(slices.Clone(words), func(w string) bool { return len(w) > 2 && w[0] == 'd' && w[1] >= '0' && w[1] <= '9' })
}

// units are the words of a value that no number of it is.
func units(val []tok) []string {
	if !slices.ContainsFunc(val, func(x tok) bool { return x.kind == 'N' }) {
		return nil
	}
	var out []string
	for i := range val {
		switch {
		case val[i].kind == 0 && val[i].says():
			out = append(out, val[i].id)
		case val[i].kind == 'N' && unit(val[i].id) != "":
			out = append(out, unit(val[i].id))
		}
	}
	return out
}

// new tells that a clause says that it is so now.
func (c *clause) new() bool {
	return slices.ContainsFunc(c.toks, func(x tok) bool { return x.roles&rNow != 0 }) ||
		slices.ContainsFunc(c.who, func(x tok) bool { return x.roles&rFresh != 0 })
}

// byValue finds two statements of the same words but for their numbers, days or times, of which the later says that it is new, or that
// have a word that takes one value at a time.
func byValue(earlier, later *Claim, o, n *clause) Relation {
	moves := func(m match) bool { return m.kind == "move" }
	if later.also || earlier.also || o.past && !later.corr && !slices.ContainsFunc(o.matches, moves) {
		return Unrelated
	}
	agent := false
	moved := slices.ContainsFunc(n.matches, func(m match) bool {
		agent = agent || m.kind == "move" && !m.slot('O').empty()
		return (m.kind == "move" || m.kind == "extend" && due(o)) && slices.ContainsFunc(n.toks[m.slot('Y').from:m.slot('Y').to],
			func(x tok) bool { return typed(x.kind) })
	})
	x, kinds := valuesOf(o)
	y, others := valuesOf(n)
	if len(x) == 0 || kinds != others || !onlyOne(x, y, kinds) || slices.ContainsFunc(slices.Concat(o.toks, n.toks), func(t tok) bool {
		return t.roles&(rOnce|rStatus) != 0 && t.roles&rNow == 0
	}) {
		return Unrelated
	}
	topic := func(c *clause) []string {
		act := c.action()
		return slices.DeleteFunc(slices.Clone(c.words), func(w string) bool {
			return c.isCue(w) || w == act.id && (act.roles&rNeutral != 0 && act.one == 0 || moved && act.roles&(rHolds|rNeutral|rCue) != 0) ||
				slices.ContainsFunc(c.toks, func(t tok) bool {
					return t.id == w && (typed(t.kind) && !held(t.id, c.subj) || t.roles&rNeutral != 0 && t.one == 0)
				})
		})
	}
	a, b := topic(o), topic(n)
	if moved {
		a = slices.DeleteFunc(a, func(w string) bool { return o.rhythm(w) && !n.rhythm(w) }) // every morning
		a = slices.DeleteFunc(a, func(w string) bool { return w == "user" && !slices.Contains(b, w) })
	}
	if moved && agent {
		b = slices.DeleteFunc(b, func(w string) bool { return slices.Contains(n.subj, w) && !held(w, a) })
		a = slices.DeleteFunc(a, func(w string) bool { return w == "user" && !slices.Contains(b, w) })
	}
	if later.corr {
		a = slices.DeleteFunc(slices.Clone(a), func(w string) bool { return w == "user" })
		b = slices.DeleteFunc(b, func(w string) bool { return w == "user" })
	}
	if len(b) == 0 || !about(a, b) && !(moved && !strings.Contains(kinds, "N") && about(o.subj, n.subj) && carried(b, a)) {
		return Unrelated
	}
	if o.counts() && n.counts() && !n.new() && !later.corr {
		return Conflict
	}
	one := slices.ContainsFunc(o.toks, func(t tok) bool {
		return t.one == 'D' && strings.ContainsAny(kinds, "D") || t.one == 'N' && kinds == "N" || t.one == 'V' && kinds == "N"
	}) && slices.ContainsFunc(n.toks, func(t tok) bool { return t.one != 0 })
	switch {
	case moved, n.new() && (kinds != "W" || o.action().roles&(rBe|rNeutral) != 0):
		return later.change()
	case later.corr:
		return Correction
	case one && !n.past && !later.dated:
		return replaced(earlier, later, false)
	}
	return Unrelated
}

// rhythm tells a word that says how often: every morning.
func (c *clause) rhythm(w string) bool {
	for i := 1; i < len(c.toks); i++ {
		if x := &c.toks[i]; x.id == w && x.kind != 'P' && (c.toks[i-1].fold == "every" || c.toks[i-1].fold == "each") {
			return true
		}
	}
	return false
}

// due tells a day or an amount that may be extended: not when a thing begins.
func due(c *clause) bool {
	return slices.ContainsFunc(c.toks, func(x tok) bool { return x.one == 'D' || x.kind == 'N' })
}

// counts tells how many of their family somebody has.
func (c *clause) counts() bool {
	p := c.object()
	return len(p) == 2 && c.toks[c.verb].roles&rHave != 0 && p[0].kind == 'N' && kin()[p[1].id]
}

// onlyOne tells that two lists of values differ, and in no more than one number.
func onlyOne(x, y []string, kinds string) bool {
	n, any := 0, 0
	for i := range x {
		if x[i] != y[i] {
			if any++; kinds[i] == 'N' {
				n++
			}
			if kinds[i] == 'N' && unit(x[i]) != unit(y[i]) {
				return false
			}
		}
	}
	return any > 0 && n < 2
}

// unit is what is written onto a number.
func unit(number string) string { return strings.TrimLeft(number, "0123456789.,:-d") }

// valuesOf are the numbers, days and times of a clause, with their kinds.
func valuesOf(c *clause) (values []string, kinds string) {
	for i := range c.toks {
		if x := &c.toks[i]; typed(x.kind) && !held(x.id, c.subj) {
			values = append(values, x.id)
			kinds += string(x.kind)
		}
	}
	return values, kinds
}

// byCorrection finds the one thing in which a correction differs from what it corrects.
func byCorrection(earlier, later *Claim, o, n *clause) Relation {
	if !later.corr {
		return Unrelated
	}
	x, y := ids(o.object(), earlier.me), ids(n.object(), later.me)
	rest := func(c *clause, val []string) []string {
		return slices.DeleteFunc(without(c.words, val), func(w string) bool { return w == "user" || c.isCue(w) })
	}
	a, b := rest(o, x), rest(n, y)
	_, p := valuesOf(o)
	_, q := valuesOf(n)
	if len(x) == 0 || len(y) == 0 || carried(x, y) || carried(y, x) || p != q || !carried(a, b) || !carried(b, a) || len(b) == 0 ||
		p == "" && (o.past || !o.may()) || p != "" && !about(append(units(o.object()), "x"), append(units(n.object()), "x")) {
		return Unrelated
	}
	return Correction
}
