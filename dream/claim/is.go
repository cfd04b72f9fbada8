package claim

import (
	"slices"
	"strings"
	"sync"
)

var relations = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for _, l := range languages() {
		for _, es := range l.phrases {
			for _, e := range es {
				if e.class == "rel" {
					m[e.id] = true
				}
			}
		}
	}
	return m
})

// is reads the clauses of to be that have no attribute in their subject.
func (c *clause) is() {
	if len(c.objs) == 0 {
		c.where()
		return
	}
	first := c.objs[0]
	if owner, rel, ok := c.relation(); ok {
		val := []unit{{kind: uName, id: c.subj.head, raw: c.subj.raw}}
		c.objs = nil
		c.kin(owner, rel, val)
		return
	}
	if owner, rel, ok := cutLast(c.subj.head); ok && allNames(c.objs) && c.subj.desc == "" {
		s := c.subj
		s.head, s.raw = owner, strings.TrimSuffix(s.raw, "'s "+rel)
		val := c.objs
		c.objs = nil
		c.kin(s, unit{kind: uRel, id: rel, raw: rel}, val)
		return
	}
	if (hasKind(c.objs, uPoss) || first.the && hasOf(c.objs) || len(c.objs) > 2 && c.objs[1].kind == uPrep && c.objs[1].id == "of") &&
		!strings.Contains(c.subj.head, ">") && c.subj.raw != "" {
		if s, attr := readSubject(c.objs); attr != nil { // "Jollof is Kofi's favourite food"
			val := []unit{{kind: uName, id: c.subj.head, raw: c.subj.raw}}
			c.subj, c.objs = s, val
			c.owned(attr)
			return
		}
	}
	// Victor is the scrum master of the blue team
	if first.the && len(c.objs) > 2 && len(c.who) > 0 && allNames(c.who) &&
		!strings.Contains(c.subj.head, ">") && c.subj.desc == "" && hasOf(c.objs) {
		if s, attr := readSubject(c.objs); attr == nil && strings.Contains(s.head, ">") {
			c.subj, c.objs = s, c.who
			return
		}
	}
	if c.charge() {
		return
	}
	switch {
	case first.kind == uMarital && len(c.objs) == 1:
		c.objs = nil
		c.marital(first.id)
	case first.kind == uVerb && first.id == "marry":
		c.objs = c.objs[1:]
		c.marital("married")
	case c.years():
	case c.part():
	case c.role():
	case len(c.objs) == 1 && classes()[first.id] != "":
		if isAttr(classes()[first.id]) == "status" && c.verb.past && !c.neg && c.settled(first) {
			c.past = false // was merged, and is
		}
		c.frames = append(c.frames, frame{subj: c.subj, attr: isAttr(classes()[first.id]), kind: '1', val: c.objs, main: true})
		c.objs = nil
	}
}

// settled tells a state that stays when it was reached: a pull request that was merged, a ticket that was closed.
func (c *clause) settled(state unit) bool {
	switch strings.ToLower(state.raw) {
	case "merged", "approved", "rejected", "deployed", "archived", "published", "released":
		return true
	case "closed", "blocked":
		return hasKind(c.who, uNum) || hasKind(c.who, uIdent)
	}
	return false
}

// hasOf tells "the master of the team", not "the master".
func hasOf(us []unit) bool {
	at := slices.IndexFunc(us, func(u unit) bool { return u.kind == uPrep })
	return at > 0 && at < len(us)-1 && us[at].id == "of"
}

// isAttr is the attribute that a bare word of a class gives.
func isAttr(class string) string {
	if class == "status" {
		return class
	}
	return "is " + class
}

// charge reads who is responsible for what.
func (c *clause) charge() bool {
	n := len(c.objs) - 1
	switch stem(c.objs[n].id) {
	case "respons", "responsibl", "zustandig", "verantwortlich", "charg", "encargad", "responsabl", "encargado", "encargada", "responsable":
	default:
		return false
	}
	who, what := c.who, c.chunk("for")
	if strings.HasPrefix(c.subj.head, "for ") && n > 0 { // Für die Webseite ist Ines zuständig
		who, what = c.objs[:n], c.who
	} else if n > 0 || len(what) == 0 {
		return false
	} else {
		c.chunkTake("for")
	}
	s := subject{raw: raws(what)}
	s.head, s.tail = title(what)
	c.subj, c.objs = s, nil
	c.frames = append(c.frames, frame{subj: s, attr: "responsible", kind: 'n', val: who, main: true, word: "responsible"})
	return true
}

// role reads "is a senior engineer at Bosch". One may be several things: only a statement that says so ends it.
func (c *clause) role() bool {
	last := c.objs[len(c.objs)-1]
	if last.kind != uWord && !(last.kind == uAttr && oneOf(last.id, "boss", "head", "leader")) ||
		last.kind == uWord && classes()[last.id] != "role" {
		return false
	}
	if c.subj.det || strings.Contains(c.subj.head, " ") && !hasKind(c.who, uName) || hasKind(c.objs, uConj) ||
		hasKind(c.objs, uPoss) || !c.objs[0].det && !oneOf(c.objs[0].kind, uWord, uAttr) {
		return false
	}
	for _, k := range c.chunks {
		if !oneOf(k.prep, "at", "dt", "since") {
			return false
		}
	}
	c.frames = append(c.frames, frame{subj: c.subj, attr: "job", kind: 'n', val: c.objs, main: true})
	c.objs = nil
	c.take(slot{"at", "employer", 'n'})
	return true
}

// years reads "is 34 years old" and "is 34".
func (c *clause) years() bool {
	o := c.objs
	aged := len(o) == 2 && o[0].kind == uQty && strings.HasPrefix(o[0].id, "month:") && oneOf(o[1].raw, "old", "alt")
	bare := len(o) == 1 && o[0].kind == uNum && len(o[0].id) <= 2 && !strings.Contains(o[0].id, ".") &&
		len(c.chunks) == 0 && !strings.Contains(c.subj.raw, " ")
	if !aged && !bare {
		return false
	}
	v := o[0]
	if bare {
		v.id = quantity(v.id, "month:12")
	}
	c.frames = append(c.frames, frame{subj: c.subj, attr: "age", kind: '1', val: []unit{v}, main: true})
	c.objs = nil
	return true
}

// states are what a thing is in or on.
var states = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq("hold progress review production development track pause beta testing planning draft maintenance") {
		m[canonical(token{raw: w, fold: w})] = true
	}
	return m
})

// where reads "is on 8 June" and "is on version 2.0".
func (c *clause) where() {
	if (len(c.chunks) < 2 || !allNames(c.who) || c.subj.det) && c.take(slot{"dt", "when", '1'}) {
		return
	}
	for _, prep := range [...]string{"on", "in", "at"} {
		if u := c.chunk(prep); len(u) > 1 && u[0].kind == uAttr && u[0].key == "1" {
			c.take(slot{prep, "runs", '1'})
			c.attrValue(&c.frames[0])
			return
		}
	}
	if u := c.chunk("on"); len(u) == 2 && u[0].kind <= uName && u[1].kind == uNum { // on Django 3.2
		c.take(slot{"on", "use", 'c'})
		return
	}
	for _, prep := range [...]string{"on", "from"} {
		// is on, is off
		if k := slices.IndexFunc(c.chunks, func(k chunk) bool { return k.prep == prep }); k == len(c.chunks)-1 &&
			k >= 0 && len(c.chunks[k].units) == 0 {
			c.chunks = c.chunks[:k]
			word := map[string]string{"on": "on", "from": "off"}[prep]
			c.frames = append(c.frames, frame{
				subj: c.subj, attr: "is switch", kind: '1',
				val: []unit{{kind: uWord, id: word, raw: word}}, main: true,
			})
			return
		}
	}
	for _, prep := range [...]string{"in", "at", "on"} {
		u := c.chunk(prep)
		if len(u) == 1 && prep != "at" && states()[u[0].id] {
			c.take(slot{prep, "status", '1'})
			c.frames[0].word = "status"
			return
		}
		if n := len(u) - 1; n > 0 && u[n].kind == uAttr && u[n].key == "1" { // in the CET time zone
			c.take(slot{prep, u[n].id, '1'})
			f := &c.frames[len(c.frames)-1]
			f.val, f.word = f.val[:n], u[n].raw
			return
		}
		if len(c.chunks) == 1 && proper(u) && (prep == "in" || u[0].kind == uIdent) {
			c.take(slot{prep, "place", '1'})
			return
		}
	}
}

// relation reads "Alice's sister" and "the sister of Alice" behind to be.
func (c *clause) relation() (owner subject, rel unit, ok bool) {
	if len(c.chunks) > 0 && c.objs[0].kind == uRel || c.subj.head == "" || strings.Contains(c.subj.head, ">") {
		return subject{}, unit{}, false
	}
	o := c.objs
	if len(o) > 2 && o[0].kind == uRel && o[1].kind == uPrep && o[1].id == "of" {
		s, attr := readSubject(o[2:])
		return s, o[0], attr == nil
	}
	if n := len(o) - 1; n > 1 && o[n].kind == uRel && o[n-1].kind == uPoss {
		s, attr := readSubject(o[:n-1])
		return s, o[n], attr == nil
	}
	return subject{}, unit{}, false
}

// marital reads who is married, single and so on. A pair is the same in both orders.
func (c *clause) marital(state string) {
	val := []unit{{kind: uWord, id: state, raw: state}}
	other := c.chunkTake("to")
	if other == nil {
		other = c.chunkTake("with")
	}
	if other == nil {
		other, c.objs = c.objs, nil
	}
	if a, b, ok := strings.Cut(c.subj.head, " and "); ok && other == nil {
		c.subj.head = a
		other = []unit{{kind: uName, id: b, raw: b}}
	}
	if len(other) > 0 && allNames(other) {
		val = append(val, other...)
	} else if len(other) > 0 {
		c.objs = other
	}
	c.frames = append(c.frames, frame{subj: c.subj, attr: "marital", kind: '1', val: val, main: true})
}

// marriage gives the two sides of a pair.
func (f frame) marriage() []string {
	if f.attr != "marital" || len(f.val) < 2 {
		return nil
	}
	p := []string{f.subj.head, ids(f.val[1:])}
	slices.Sort(p)
	return p
}
