package claim

import (
	"slices"
	"strings"
)

// byParting finds the couple that later says is one no more.
func byParting(_, _ *Claim, o, n *clause) Relation {
	if n.pred != "breakup" || n.neg || n.mods != "" || n.question || !o.holds() {
		return Unrelated
	}
	want := n.pair()
	if want == "" {
		return Unrelated
	}
	for _, f := range o.frames {
		p := []string{f.subj.head, ids(f.val)}
		switch {
		case f.attr == "marital" && f.marriage() != nil && f.val[0].id != "divorced":
			p = f.marriage()
		case !partner(f.attr):
			continue
		}
		slices.Sort(p)
		if strings.Join(p, "|") == want {
			return Change
		}
	}
	return Unrelated
}

// pair are the two who part, in order.
func (c *clause) pair() string {
	if len(c.objs) == 0 || c.pred != "breakup" {
		return ""
	}
	p := []string{c.subj.head, ids(c.objs)}
	slices.Sort(p)
	return strings.Join(p, "|")
}

// couple reads "Jonas and Clara broke up".
func (c *clause) couple() {
	if a, b, ok := strings.Cut(c.subj.head, " and "); ok && c.pred == "breakup" && len(c.objs) == 0 {
		c.subj.head = a
		c.objs = []unit{{kind: uName, id: b, raw: b}}
	}
	if len(c.objs) > 1 && c.objs[0].kind == uPrep { // von Clara getrennt
		c.objs = c.objs[1:]
	}
	if u := c.chunk("with"); len(c.objs) == 0 && allNames(u) {
		c.objs = u
	}
	c.past = false
}

// cancels tells a clause by which something planned is off: the trip was cancelled.
func (c *clause) cancels() bool { return c.pred == "cancel" && !c.neg && c.mods == "" && !c.question }

// called makes of what somebody called off the subject.
func (c *clause) called(attr *unit) *unit {
	if c.pred != "cancel" || c.byBe || len(c.objs) == 0 || attr != nil {
		return attr
	}
	first := c.objs[0]
	if first.own || !first.det { // her gym membership: she leaves it
		c.pred = "leave"
		return attr
	}
	s, a := readSubject(c.objs)
	if s.head == "" {
		return attr
	}
	c.subj, c.who, c.objs = s, c.objs, nil
	return a
}

// byCancel finds the plan that later says is off.
func byCancel(_, later *Claim, o, n *clause) Relation {
	if !n.cancels() || !o.subj.same(&n.subj) || o.neg || o.past || o.ended || o.former || o.question || o.mods != "" && o.mods != "plan" {
		return Unrelated
	}
	when := o.mods == "plan" || o.pred == "schedule" || o.copula && o.chunk("dt") != nil || slices.ContainsFunc(o.frames, func(f frame) bool {
		return oneOf(f.attr, "when", "starttime", "leavetime")
	})
	if !when || !subset(n.adj, o.adj) && hasDay(n) {
		return Unrelated
	}
	return later.correctionOr(Change)
}

// hasDay tells that a clause names a day of the week: Monday's lesson is off, not the one on Friday.
func hasDay(c *clause) bool {
	return slices.ContainsFunc(c.chunk("dt"), func(u unit) bool { return strings.HasPrefix(u.id, "wd") })
}

// departed is the place that a clause says its subject has left.
func (c *clause) departed() string {
	if c.neg || c.mods != "" || c.question {
		return ""
	}
	if c.pred != "depart" && c.pred != "graduate" && !(c.copula && len(c.objs) > 0 && c.objs[0].id == "back") {
		return ""
	}
	if u := c.chunk("from"); u != nil {
		return ids(u)
	}
	if at := slices.IndexFunc(c.objs, func(u unit) bool { return u.kind == uPrep && u.id == "of" }); at >= 0 {
		return ids(c.objs[at+1:])
	}
	return ""
}

// stays tells that a clause says its subject is at a place.
func (c *clause) stays(place string) bool {
	if !c.copula && c.pred != "stay" {
		return false
	}
	if ids(c.chunk("on")) == place || ids(c.chunk("in")) == place || ids(c.chunk("at")) == place {
		return true
	}
	return slices.ContainsFunc(c.frames, func(f frame) bool { return (f.attr == "place" || f.attr == "status") && ids(f.val) == place })
}

// removed is what a clause says was taken out of something, and of what.
func (c *clause) removed() (what, whence string) {
	if c.pred != "remove" || c.neg || c.mods != "" || c.question {
		return "", ""
	}
	from := c.chunk("from")
	if from == nil {
		return "", ""
	}
	whence, _ = title(from)
	if c.byBe || len(c.objs) == 0 {
		return ids(c.who), whence
	}
	return ids(c.objs), whence
}

// byRemoved finds what a thing had and later says was taken out of it.
func byRemoved(_, later *Claim, o, n *clause) Relation {
	what, whence := n.removed()
	if what == "" || !o.holds() || o.copula || len(o.frames) > 1 || o.subj.head != whence && !strings.HasSuffix(o.subj.head, ">"+whence) {
		return Unrelated
	}
	if ids(o.objs) != what && !(len(o.frames) == 1 && o.frames[0].attr == "use" && ids(o.frames[0].val) == what) {
		return Unrelated
	}
	return later.correctionOr(Change)
}

// workless tells that a clause says its subject has no work.
func (c *clause) workless() bool {
	return slices.ContainsFunc(c.frames, func(f frame) bool { return f.attr == "is workless" })
}

// byWork finds work that ends with later, and the lack of work that ends with it.
func byWork(_, later *Claim, o, n *clause) Relation {
	if !o.holds() || !n.holds() || !o.subj.same(&n.subj) || len(o.chunks) > 1 {
		return Unrelated
	}
	employed := func(c *clause) bool {
		return slices.ContainsFunc(c.frames, func(f frame) bool { return f.attr == "employer" || f.attr == "job" && c.pred == "@work" })
	}
	if o.workless() && employed(n) || employed(o) && n.workless() {
		return later.correctionOr(Change)
	}
	return Unrelated
}

// another reads "she" of a later clause as who the clause before it is about, where nobody else is named.
func (s subject) another(before subject, named bool) subject {
	if !s.pron || !before.told || named || before.head == "" {
		return s
	}
	word, rest, owns := strings.Cut(s.head, ">")
	switch word {
	case "she", "he", "her", "his":
	default:
		return s
	}
	if !before.people {
		return s
	}
	s.head, s.pron, s.desc, s.people, s.told = before.head, false, before.desc, true, true
	if owns {
		s.head += ">" + rest
	}
	return s
}

// others tells that a clause names somebody beside its subject.
func (c *clause) others() bool {
	switch c.pred {
	case "leave", "speak", "use", "drive", "@work", "@home", "@born", "@use", "@drives", "have", "like", "study", "@school":
	default:
		if hasKind(c.objs, uName) || hasKind(c.objs, uRel) {
			return true
		}
	}
	for _, k := range c.chunks {
		switch k.prep {
		case "with", "to", "by", "for", "about", "than", "against", "like":
			if hasKind(k.units, uName) || hasKind(k.units, uRel) {
				return true
			}
		}
	}
	return slices.ContainsFunc(c.frames, func(f frame) bool {
		return strings.HasPrefix(f.attr, "kin ") || f.attr == "marital" && len(f.val) > 1 || somebody[f.attr]
	})
}
