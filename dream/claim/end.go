package claim

import (
	"slices"
	"strings"
)

// byEnd finds what later says is over.
func byEnd(_, later *Claim, o, n *clause) Relation {
	if !o.holds() || !o.subj.same(&n.subj) || n.mods != "" || n.question || n.neg {
		return Unrelated
	}
	if f := n.departed(); f != "" && o.stays(f) { // is back from vacation
		return Change
	}
	if n.pred == "sell" && len(n.objs) > 0 {
		if o.pred == "have" && ids(o.objs) == ids(n.objs) ||
			len(o.frames) == 1 && o.frames[0].attr == "drives" && ids(o.frames[0].val) == ids(n.objs) {
			return Change
		}
	}
	switch {
	case (n.pred == "@use") && len(n.frames) > 0 && len(n.frames[0].from) > 0 && o.gives(ids(n.frames[0].from)),
		n.left() != "" && (n.endsPlan(o) || n.movedOut(o) || o.pred == "stay" && o.holdsObject(n.left())),
		n.left() != "" && (o.member(n.left()) || !o.copula && n.verb.raw != "left" && !fond(o.pred) && o.holdsObject(n.left())):
		return Change
	}
	switch {
	case !n.ended && !n.former,
		o.core != n.core && !o.includes(n) || !subset(n.adj, o.adj),
		n.former && !n.ended && o.copula != n.copula:
		return Unrelated
	}
	return Change
}

// fond tells what one may go on with although one has left or given up the thing.
func fond(pred string) bool { return oneOf(pred, "like", "love", "know", "prefer", "recommend") }

// endsPlan reads "cancelled his Times subscription" as the end of what he subscribes to.
func (c *clause) endsPlan(o *clause) bool {
	if len(c.objs) < 2 || o.copula || fond(o.pred) {
		return false
	}
	return oneOf(c.objs[len(c.objs)-1].id, "plan", "membership", "abo") && o.holdsObject(ids(c.objs[:len(c.objs)-1]))
}

// movedOut tells that a clause ends living with or at somebody: moved out of his parents' house.
func (c *clause) movedOut(o *clause) bool {
	if !strings.HasPrefix(strings.ToLower(c.verb.raw), "moved out") || o.pred != "live" {
		return false
	}
	with := o.chunk("with")
	return len(with) > 0 && within(ids(with), ids(c.objs))
}

// includes tells that all objects of what ended are said in a clause with the same verb, in whatever order.
func (c *clause) includes(n *clause) bool {
	if c.pred != n.pred || len(n.objs) == 0 || c.copula || len(n.frames)+len(c.frames) > 0 {
		return false
	}
	all := ids(c.objs)
	for _, k := range c.chunks {
		all += " " + ids(k.units)
	}
	return within(ids(n.objs), all)
}

// quit makes a verb of "quit the band" and "gave up the flat".
func quit(us []unit) []unit {
	for i, u := range us {
		if u.kind != uEnded || i == 0 || i+1 == len(us) {
			continue
		}
		switch strings.ToLower(u.raw) {
		case "quit", "quits", "gave up", "has given up", "given up", "gives up":
			if next := us[i+1]; next.det || oneOf(next.kind, uName, uIdent) {
				us = slices.Clone(us)
				us[i] = unit{kind: uVerb, id: "leave", raw: u.raw, past: true}
			}
		}
	}
	return us
}

// left is what a clause says its subject has left or given up.
func (c *clause) left() string {
	switch {
	// hat bei Bosch gekündigt, quit her job at Bosch
	case c.pred == "leave" && c.mods == "" && (len(c.objs) == 0 || len(c.objs) == 1 && c.objs[0].id == "job"):
		return ids(c.chunk("at"))
	case c.pred == "leave" && len(c.objs) > 0 && c.mods == "":
		return ids(c.objs)
	case c.pred == "breakup" && c.mods == "":
		return ids(c.objs)
	case c.ended && len(c.objs) > 0 && c.pred == "-":
		return ids(c.objs)
	case c.ended && len(c.objs) == 0 && len(c.frames) == 0 && c.verb.kind == uWord:
		return c.pred
	}
	return ""
}

// member tells whether a clause says that its subject belongs to a place of work, study or living.
func (c *clause) member(val string) bool {
	if c.copula && len(c.objs) > 2 && c.objs[0].id == "member" && ids(c.objs[2:]) == val {
		return true
	}
	return slices.ContainsFunc(c.frames, func(f frame) bool {
		switch f.attr {
		case "is role", "job":
			return ids(c.chunk("in")) == val || ids(c.chunk("at")) == val
		case "employer", "school":
			return ids(f.val) == val
		case "kin partner", "kin wife", "kin husband":
			return ids(f.val) == val
		case "marital":
			return len(f.val) > 1 && ids(f.val[1:]) == val
		}
		return false
	})
}

func partner(attr string) bool { return oneOf(attr, "kin partner", "kin wife", "kin husband") }

// sameWords tells a membership at FitHouse and a FitHouse membership.
func (c *clause) sameWords(val string) bool {
	if len(c.objs) == 0 || len(c.chunks) != 1 {
		return false
	}
	switch c.chunks[0].prep {
	case "at", "to", "with", "for", "of":
		all := ids(c.chunks[0].units) + " " + ids(c.objs)
		return within(all, val) && within(val, all)
	}
	return false
}

// holdsObject tells whether a value is the object of a clause, or stands with its verb.
func (c *clause) holdsObject(val string) bool {
	return ids(c.objs) == val || c.sameWords(val) || slices.ContainsFunc(c.chunks, func(k chunk) bool {
		switch k.prep {
		case "to", "in", "at", "for":
			return ids(k.units) == val
		case "with", "on":
			return ids(k.units) == val && len(c.objs) == 0
		}
		return false
	})
}

// gives tells whether a value is an object or an adjunct of a clause that is no mere liking.
func (c *clause) gives(val string) bool {
	switch c.pred {
	case "like", "love", "speak", "prefer":
		return false
	}
	if ids(c.objs) == val && !c.copula {
		return true
	}
	return slices.ContainsFunc(c.chunks, func(k chunk) bool { return (k.prep == "with" || k.prep == "on") && ids(k.units) == val })
}

// subset tells whether all adjuncts of a but its times and reasons are among b. Days of the week count: what ends or is not so
// on Mondays stands otherwise.
func subset(a, b []string) bool {
	for _, x := range a {
		if !slices.Contains(b, x) && (!strings.HasPrefix(x, "dt=") || strings.HasPrefix(x, "dt=wd")) &&
			!strings.HasPrefix(x, "since=") && !strings.HasPrefix(x, "because=") {
			return false
		}
	}
	return true
}
