package claim

import (
	"slices"
	"strings"
)

// Who changes a thing is not what the change is about: "We raised the rate limit to 250" is read as "The rate limit was raised to 250".

// retold lists the verbs that give the thing behind them another value.
var retold = wordSet("extend switch move rename")

// retell makes of the thing that somebody changed the subject of the clause.
func (c *clause) retell(attr *unit, lang string) *unit {
	hosts := c.verb.id == "host" && (c.chunk("on") != nil || c.chunk("in") != nil || c.chunk("at") != nil)
	if !retold[c.verb.id] && !hosts {
		return attr
	}
	if lang == "de" && c.chunk("to") == nil && attr == nil { // auf 200 erhöht
		for i, k := range c.chunks {
			if k.prep == "on" {
				c.chunks = slices.Clone(c.chunks)
				c.chunks[i].prep = "to"
				break
			}
		}
	}
	if c.byBe || attr != nil || len(c.objs) == 0 || !hosts && c.chunk("to") == nil && c.chunk("dt") == nil && c.chunk("until") == nil {
		return attr
	}
	first := c.objs[0]
	if !first.det && first.kind != uAttr && !hasKind(c.objs, uPoss) && !oneOf(first.kind, uName, uIdent) ||
		first.kind == uPrep || c.verb.id == "extend" && measured(c.objs[:1]) {
		return attr
	}
	if first.kind == uName && !first.det && !hasKind(c.objs, uPoss) && !hasKind(c.objs, uAttr) && c.verb.id != "extend" {
		return attr // Ada moved Ben to tears
	}
	what := c.objs
	if len(c.gone) > 0 { // migrado la web de Heroku
		for i := 1; i < len(what)-1; i++ {
			if what[i].kind == uPrep && what[i].id == "of" && what[i+1].id == c.gone[0].id {
				what = what[:i]
			}
		}
	}
	s, a := readSubject(what)
	if s.head == "" {
		return attr
	}
	s.agent, s.bare = c.subj.head, a != nil && s.head == a.id
	if first.own {
		s.head = c.subj.head + ">" + s.head
		if s.bare {
			s.head = c.subj.head
		}
	}
	c.subj, c.who, c.objs, c.byBe = s, what, nil, true
	return a
}

// value is what a clause gives a thing by a form of to be, or with one preposition.
func (c *clause) value() []unit {
	if len(c.frames) == 1 && strings.HasPrefix(c.frames[0].attr, "count ") { // has 4 people
		return append(slices.Clone(c.frames[0].val), unit{kind: uWord, id: strings.TrimPrefix(c.frames[0].attr, "count ")})
	}
	if len(c.frames) == 1 && c.frames[0].main && c.frames[0].kind == '1' && c.frames[0].val[0].kind == uQty { // costs 30 euros
		return c.frames[0].val
	}
	if !c.copula || len(c.frames) > 0 {
		return nil
	}
	if len(c.objs) > 0 {
		return c.objs
	}
	for _, prep := range [...]string{"at", "on", "in", "to"} {
		if u := c.chunk(prep); len(u) > 0 && len(c.chunks) == 1 {
			return u
		}
	}
	return nil
}

// byRetold finds the value that later says has become another: "The log level is DEBUG", "The log level was set to INFO".
func byRetold(earlier, later *Claim, o, n *clause) Relation {
	if !retold[n.verb.id] || !n.holds() && n.mods != "decide" || !o.holds() || !o.subj.same(&n.subj) {
		return Unrelated
	}
	x := o.value()
	y := n.chunk("to")
	if len(n.frames) > 0 {
		attr := n.frames[0].attr
		if attr == "fee" && (len(o.frames) == 0 || o.frames[0].attr != "fee") ||
			len(o.frames) > 0 && strings.HasSuffix(attr, " "+o.frames[0].attr) {
			return Unrelated // what else a ticket costs, the travel budget
		}
		y = n.frames[0].val
	}
	if len(x) == 0 || len(y) == 0 || within(ids(x), ids(y)) || within(ids(y), ids(x)) || !sameScope(o, n) || !exchangeable(x, y) {
		return Unrelated
	}
	return replaced(earlier, later, n)
}

// exchangeable tells two values of one kind.
func exchangeable(x, y []unit) bool {
	a, b := x[0], y[0]
	if k := slotKind(a); k != "" || slotKind(b) != "" {
		return k == slotKind(b) && ids(x[1:]) == ids(y[1:])
	}
	return proper(x) && proper(y) && len(x) < 3 && len(y) < 3
}

// bound are the participles that give their subject an attribute: capped at 5, limited to 10 MB, priced at $9.
var bound = table(`limit=limit cap=limit restrict=limit price=price name=name`)

// part reads "are capped at 5" as what the limit is.
func (c *clause) part() bool {
	if len(c.objs) != 1 || !c.objs[0].past {
		return false
	}
	attr := bound[stem(c.objs[0].id)]
	if attr == "" {
		return false
	}
	for i, k := range c.chunks {
		if !oneOf(k.prep, "at", "to", "dt") || len(k.units) == 0 {
			continue
		}
		u := k.units
		if len(u) == 1 && u[0].kind == uTime && !strings.ContainsAny(u[0].raw, ":apu") { // at 5 is no time here
			u = []unit{u[0]}
			u[0].kind, u[0].id = uNum, u[0].raw
		}
		if !measured(u[:1]) {
			continue
		}
		c.chunks = slices.Delete(slices.Clone(c.chunks), i, i+1)
		c.objs = nil
		c.frames = append(c.frames, frame{subj: c.subj, attr: attr, kind: '1', val: u, main: true, word: attr})
		return true
	}
	return false
}

// once are what happens to a thing one time: whoever gives two days for it contradicts the other.
var once = wordSet(`build found die sign invent establish construct complet adopt publish inaugurat buy bought purchas creat`)

// byOnce finds two days of what happened once.
func byOnce(_, later *Claim, o, n *clause) Relation {
	if !o.subj.same(&n.subj) || o.pred != n.pred || o.sense() != n.sense() || o.neg || o.ended || o.question || o.mods != "" ||
		ids(o.objs) != ids(n.objs) || len(o.frames)+len(n.frames) > 0 && !wed(o, n) || o.again || n.again {
		return Unrelated
	}
	what := o.pred
	if o.copula && len(o.objs) == 1 && o.objs[0].past {
		what = stem(o.objs[0].id)
	} else if len(o.objs) > 0 {
		return Unrelated
	}
	if !once[stem(what)] && what != "@marital" || len(o.chunks) != 1 || len(n.chunks) != 1 {
		return Unrelated
	}
	x, y := o.chunk("dt"), n.chunk("dt")
	if !dates(x) || !dates(y) || !calendar(x[0].id) || !calendar(y[0].id) || !datesDiffer(x[0].id, y[0].id) {
		return Unrelated
	}
	return later.correctionOr(Conflict)
}

// calendarDay tells a value that begins with a day.
func calendarDay(us []unit) bool { return len(us) > 0 && us[0].kind == uDate && calendar(us[0].id) }

// wed tells that two clauses speak of one marriage.
func wed(o, n *clause) bool {
	return len(o.frames) == 1 && len(n.frames) == 1 && o.frames[0].attr == "marital" &&
		o.frames[0].marriage() != nil && ids(o.frames[0].val) == ids(n.frames[0].val)
}

func calendar(id string) bool { return len(id) >= 4 && id[0] >= '0' && id[0] <= '9' }
