package claim

import (
	"slices"
	"strings"
)

// byShift finds a statement that gives what later says is over.
func byShift(_, later *Claim, o, n *clause) Relation {
	switch {
	case len(n.gone) == 0 || n.neg || n.mods != "" && n.mods != "decide" || n.question || n.former || n.ended,
		o.neg || o.past || o.ended || o.former || o.question ||
			o.mods != "" && o.mods != "decide" && o.pred != "@use" || len(o.contrast) > 0 && !later.corr,
		!o.bears(n) || !o.concerns(n) && !(n.instead && o.pred == n.pred && o.subj.same(&n.subj)):
		return Unrelated
	}
	if later.corr || n.denied {
		return Correction
	}
	return Change
}

// bears tells whether the clause gives what n says is over.
func (c *clause) bears(n *clause) bool {
	gone := ids(n.gone)
	startsWith := func(us []unit, gone string) bool {
		if startsWith(ids(us), gone) {
			return true
		}
		if len(us) < 2 || !n.names(us[0].id) { // "on React 17", of "React, from 17"
			return false
		}
		return ids(us[1:]) == gone
	}
	if n.person && hasKind(c.objs, uConj) {
		return false
	}
	if n.person {
		if c.subj.head == strings.ToLower(raws(n.gone)) || ids(c.who) == gone && responsible(c) {
			return true
		}
		return slices.ContainsFunc(c.frames, func(f frame) bool { return f.kind != '*' && ids(f.val) == gone && f.attr != "marital" }) ||
			c.copula && ids(c.objs) == gone
	}
	if c.turned && ids(c.who) == gone {
		return true
	}
	switch c.pred {
	case "like", "love", "speak", "prefer", "know", "recommend", "teach", "visit", "manage", "meet":
		return false
	}
	if n.instead && c.pred != n.pred && !(c.copula && classOfValue(n.gone) != "") && !slices.ContainsFunc(c.frames, func(f frame) bool {
		return slices.ContainsFunc(n.frames, func(g frame) bool { return f.attr == g.attr })
	}) {
		return false
	}
	for _, f := range c.frames {
		if f.kind != '*' && !oneOf(f.attr, "birthday", "birthplace", "prefer") && startsWith(f.val, gone) {
			return true
		}
	}
	if startsWith(c.objs, gone) {
		return true
	}
	if c.verb.past && !c.copula && !c.passive || c.copula && len(c.objs) > 0 && !c.objs[0].past { // a bike with brakes of that make
		return false
	}
	return slices.ContainsFunc(c.chunks, func(k chunk) bool { return bearing(k.prep) && startsWith(k.units, gone) })
}

// alike tells two forms of one word: license and licensed.
func alike(a, b unit) bool {
	x, y := stem(a.id), stem(b.id)
	if len(x) > len(y) {
		x, y = y, x
	}
	return x == y || len(x) > 4 && len(y) <= len(x)+1 && (a.kind == uAttr || b.kind == uAttr) && strings.HasPrefix(y, x)
}

// names tells whether a word is among those that n is about.
func (n *clause) names(id string) bool {
	return slices.ContainsFunc(n.about, func(u unit) bool { return u.id == id })
}

// stem is a word without the marks of its form.
func stem(id string) string {
	id, _, _ = strings.Cut(id, "~")
	return strings.TrimSuffix(id, "<")
}

// values are what another clause may say has given way.
func (c *clause) values() []string {
	var out []string
	add := func(us []unit) {
		switch {
		case len(us) > 1 && us[0].kind == uQty:
			out = append(out, us[0].id)
		case len(us) == 2 && us[0].kind != uNum && us[1].kind == uNum:
			out = append(out, ids(us), us[1].id)
		case len(us) > 0:
			out = append(out, ids(us))
		}
	}
	if c.neg || c.past || c.former || c.ended {
		return nil
	}
	if responsible(c) || c.turned {
		add(c.who)
	}
	add(c.objs)
	for _, f := range c.frames {
		if f.kind != '*' {
			add(f.val)
		}
	}
	for _, k := range c.chunks {
		if bearing(k.prep) {
			add(k.units)
		}
	}
	return out
}

func bearing(prep string) bool {
	return oneOf(prep, "on", "in", "at", "with", "to", "dt", "as", "under", "by", "every")
}

func startsWith(val, gone string) bool {
	return val == gone || strings.HasPrefix(val, gone+" of ") || strings.HasPrefix(val, gone+" per ")
}

// responsible tells that a clause may say who leads, owns or looks after something.
func responsible(c *clause) bool {
	if strings.HasPrefix(c.pred, "@") {
		return c.pred == "@responsible"
	}
	switch c.pred {
	case "like", "love", "prefer", "know", "visit", "meet", "use", "speak", "eat", "drink", "study", "need", "require", "want", "be like":
		return false
	}
	return true
}

// concerns tells whether a clause is about what n is about: all that n is about is said in it, and it says of whom.
func (c *clause) concerns(n *clause) bool {
	if !sameScopeOf(c, n) {
		return false
	}
	gone := map[string]bool{}
	for _, u := range n.gone {
		gone[u.id] = true
	}
	about := map[string]bool{}
	anchor := false
	for _, u := range n.about {
		about[u.id] = true
		switch {
		case slices.ContainsFunc(c.says, func(w unit) bool { return alike(w, u) }):
			anchor = anchor || !generic(u.id) || len(c.who) == 1
		case u.self: // we
		case generic(u.id) && (filler(u.id) || !n.person && !strings.Contains(n.subj.head, ">")), u.kind == uAttr && c.gives1(u.id),
			u.kind == uAttr && n.person && c.office() == u.id, measured(n.gone) && measure(u) && (u.kind != uAttr || len(c.frames) == 0):
		default:
			return false
		}
	}
	if !anchor {
		return false
	}
	missing, common := 0, false
	for _, u := range c.who {
		switch {
		case about[u.id], gone[u.id], u.self:
			common = true
		case u.kind == uName, u.kind == uRel, u.kind == uIdent:
			return false
		case u.kind == uAttr, generic(u.id) && (filler(u.id) || !strings.Contains(c.subj.head, ">")):
		default:
			missing++
		}
	}
	return common && (missing == 0 || missing == 1 && c.copula)
}

// sameScopeOf tells that no purpose tells the two apart.
func sameScopeOf(o, n *clause) bool {
	b := n.chunk("for")
	if len(b) == 0 || hasKind(b, uQty) || ids(b) == n.come {
		return true
	}
	a := o.chunk("for")
	return len(a) > 0 && ids(a) == ids(b) || slices.ContainsFunc(o.frames, func(f frame) bool { return f.attr == "home" })
}

func (c *clause) gives1(attr string) bool {
	return slices.ContainsFunc(c.frames, func(f frame) bool { return f.attr == attr || strings.HasSuffix(f.attr, " "+attr) })
}

// office is the attribute that a verb of duty gives its subject.
func (c *clause) office() string {
	switch c.verb.id {
	case "own":
		return "owner"
	case "manage":
		return "leader"
	}
	return ""
}

// duty says of "Tara owns the wiki" that it is "the owner of the wiki is Tara" as well.
func (c *clause) duty() {
	attr := c.office()
	if attr == "" || len(c.who) == 0 || !allNames(c.who) || len(c.objs) == 0 || !c.objs[0].the ||
		hasKind(c.objs, uPrep) || hasKind(c.objs, uConj) || strings.Contains(c.subj.head, ">") {
		return
	}
	head, _ := title(c.objs)
	c.also, c.alsoAdj, c.paired = head+"|@"+attr+"|", []string{"@" + attr + "=" + ids(c.who)}, len(c.chunks) == 0
}

// filler words are generic and stand for nothing of their own, as a team would.
func filler(id string) bool { return oneOf(id, "number", "valu", "valu~e", "new", "default", "old") }

// generic words say nothing of which thing is meant.
func generic(id string) bool {
	switch id {
	case "team", "servic", "servic~e", "service", "project", "projekt", "app", "system", "number", "valu", "valu~e", "new", "default", "old":
		return true
	}
	return false
}

func measured(us []unit) bool { return len(us) == 1 && oneOf(us[0].kind, uQty, uNum) }

// measure tells the words for an amount.
func measure(u unit) bool {
	switch u.id {
	case "dose", "dosag", "dosag~e", "amount", "level", "hour", "stund", "length", "durat", "durat~ion", "rate",
		"dosis", "period", "salary", "price", "weight", "size", "rent", "limit", "budget", "fee":
		return true
	}
	return false
}
