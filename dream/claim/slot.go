package claim

import (
	"slices"
	"strings"
)

// bySlot compares statements that differ in one value of a kind.
func bySlot(earlier, later *Claim, o, n *clause) Relation {
	if !o.subj.same(&n.subj) || o.pred != n.pred || o.sense() != n.sense() ||
		o.neg || o.ended || len(o.frames) > 0 && o.frames[0].kind == '*' {
		return Unrelated
	}
	x, y, ok := oneSlot(o, n)
	if !ok {
		return Unrelated
	}
	if n.now && o.pred == "have" && x.kind == uWord && y.kind == uWord && o.holds() && n.holds() &&
		len(o.objs) > 1 && x.id == o.objs[0].id && !x.det && o.objs[len(o.objs)-1].kind == uWord {
		return replaced(earlier, later, n) // has long hair, has short hair now
	}
	kind := slotKind(x)
	typed := kind != "" && kind == slotKind(y)
	if later.strong && (typed || x.kind == y.kind) {
		return Correction
	}
	if !typed {
		return Unrelated
	}
	switch o.pred {
	case "like", "love", "speak", "eat", "drink", "use":
		if n.now && o.chunk("every") != nil && o.holds() {
			return Change
		}
		return Unrelated
	}
	if later.corr {
		return Correction
	}
	switch {
	case n.now && o.holds() && o.chunk("every") != nil && x.kind == uDate,
		o.holds() && x.kind == uQty && o.lasts(x),
		o.holds() && (o.copula || measures(o) || n.now && (x.kind == uNum || x.kind == uQty)) && x.kind != uDate && x.kind != uTime:
		return replaced(earlier, later, n)
	}
	return Unrelated
}

// lasts tells that an amount is what a thing does something after or for: tokens expire after 30 minutes.
func (c *clause) lasts(u unit) bool {
	return slices.ContainsFunc(c.chunks, func(k chunk) bool {
		if len(k.units) == 0 || k.units[0].id != u.id {
			return false
		}
		switch k.prep {
		case "after", "within":
			return true
		case "at", "for", "in", "to":
			return c.subj.det && !hasKind(c.who, uRel)
		}
		return false
	})
}

// measures tells verbs and habits that have one amount at a time.
func measures(c *clause) bool {
	switch c.pred {
	case "weigh", "cost", "earn", "manage", "last":
		return true
	case "require": // Python 3.9, not three eggs
		return len(c.objs) == 2 && c.objs[0].kind == uName
	}
	if c.pred == "have" { // 16 GB of RAM
		return len(c.objs) > 2 && c.objs[0].kind == uQty && c.objs[1].kind == uPrep
	}
	if c.pred == "pay" && len(c.objs) == 1 { // for what?
		return false
	}
	// the hall seats 300 people
	if c.subj.det && !c.passive && len(c.objs) == 2 && c.objs[0].kind == uNum && c.objs[1].kind == uWord && c.verb.kind == uWord {
		return true
	}
	return c.chunk("every") != nil || c.chunk("per") != nil
}

// oneSlot finds the only unit in which two clauses differ.
func oneSlot(o, n *clause) (x, y unit, ok bool) {
	diff := 0
	walk := func(a, b []unit) {
		if len(a) != len(b) {
			diff = 9
			return
		}
		for i := range a {
			if a[i].id != b[i].id {
				diff++
				x, y = a[i], b[i]
			}
		}
	}
	walk(o.objs, n.objs)
	if len(o.chunks) != len(n.chunks) {
		return x, y, false
	}
	for i := range o.chunks {
		if o.chunks[i].prep != n.chunks[i].prep {
			return x, y, false
		}
		walk(o.chunks[i].units, n.chunks[i].units)
	}
	return x, y, diff == 1
}

func slotKind(u unit) string {
	switch u.kind {
	case uNum:
		return "number"
	case uQty:
		dim, _, _ := strings.Cut(u.id, ":")
		return dim
	case uDate:
		return "date"
	case uTime:
		return "time"
	case uIdent:
		return "ident"
	}
	return classes()[u.id]
}

// byRefill compares statements that are the same but for one name, where later says that it is so now, or that it is a correction.
func byRefill(earlier, later *Claim, o, n *clause) Relation {
	if n.verb.id == "rename" && o.copula && o.holds() && n.holds() && n.subj.same(&o.subj) &&
		len(o.frames) == 0 && len(o.chunks) == 0 && len(n.frames) == 1 &&
		n.frames[0].attr == "name" && proper(o.objs) && proper(n.frames[0].val) && ids(o.objs) != ids(n.frames[0].val) {
		return Change
	}
	if !n.now && !later.corr && !strings.Contains(n.subj.head, ">new ") || !o.holds() || !n.holds() {
		return Unrelated
	}
	head := strings.Replace(n.subj.head, ">new ", ">", 1)
	if head != o.subj.head && !n.subj.same(&o.subj) || o.pred != n.pred || len(o.frames)+len(n.frames) > 0 || len(n.contrast) > 0 {
		return Unrelated
	}
	if n.now && stored(o, n) {
		return Change
	}
	single := o.copula && (strings.Contains(o.subj.head, ">") || o.subj.det || !allNames(o.who)) || o.pred == "report"
	if !single && !later.strong {
		return Unrelated
	}
	x, y, ok := refilled(o, n)
	if !ok || !proper(x) || !proper(y) || within(ids(x), ids(y)) || within(ids(y), ids(x)) {
		return Unrelated
	}
	return later.correctionOr(Change)
}

// stored tells two places where a thing is kept, done or sent: "Files are stored on disk", "Files are now stored in S3".
func stored(o, n *clause) bool {
	if !o.copula || !n.copula || len(o.objs) != 1 || !o.objs[0].past || ids(o.objs) != ids(n.objs) ||
		len(o.chunks) != 1 || len(n.chunks) != 1 || allNames(o.who) {
		return false
	}
	place := func(k chunk) bool { return oneOf(k.prep, "in", "on", "at", "to") && len(k.units) > 0 }
	x, y := ids(o.chunks[0].units), ids(n.chunks[0].units)
	return place(o.chunks[0]) && place(n.chunks[0]) && !within(x, y) && !within(y, x)
}

// refilled finds the one object or adjunct in which two clauses differ.
func refilled(o, n *clause) (x, y []unit, ok bool) {
	if len(o.chunks) != len(n.chunks) {
		return nil, nil, false
	}
	diff := 0
	if ids(o.objs) != ids(n.objs) {
		x, y, diff = o.objs, n.objs, 1
	}
	for i := range o.chunks {
		if o.chunks[i].prep != n.chunks[i].prep {
			return nil, nil, false
		}
		if ids(o.chunks[i].units) != ids(n.chunks[i].units) {
			x, y = o.chunks[i].units, n.chunks[i].units
			diff++
		}
	}
	return x, y, diff == 1
}
