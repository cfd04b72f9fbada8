package claim

import (
	"slices"
	"strings"
)

// A clause may name what gave way: "from A to B", "B instead of A", "replaced A by B", "took X over from A". That ends a statement
// which gives A about the same thing, in whatever words it does so.

// shifts lists the verbs that tell of something that gives way to something else.
var shifts = wordSet("extend switch replace move rename promote takeover handover rewrite become")

// takeShift finds what the clause says is over, and what it is about. "Instead of A" is taken out of the clause.
func (c *clause) takeShift(us []unit, lang string) []unit {
	if !slices.ContainsFunc(us, func(u unit) bool { return u.kind == uInstead || u.kind == uVerb && shifts[u.id] }) {
		return c.became(us, lang)
	}
	if at := slices.IndexFunc(us, func(u unit) bool { return u.kind == uInstead }); at >= 0 {
		return c.takeInstead(us, at)
	}
	v := slices.IndexFunc(us, func(u unit) bool { return u.kind == uVerb && shifts[u.id] })
	var gone, come span
	switch us[v].id {
	case "takeover":
		gone, come = c.handed(us, v)
	case "handover":
		if gone, come = fromTo(us, lang); gone.empty() {
			gone, come = c.handed(us, v)
		}
	case "replace":
		gone, come = replacing(us, v)
	}
	if gone.empty() {
		gone, come = fromTo(us, lang)
	}
	if gone.empty() {
		return us
	}
	c.gone, c.come = sameUnit(us[gone.from:gone.to], us[come.from:come.to]), ids(us[come.from:come.to])
	for i, u := range us {
		if !gone.holds(i) && !come.holds(i) && content(u) {
			c.about = append(c.about, u)
		}
	}
	return us
}

// became reads "was relicensed from GPL to MIT": whatever was done, the first gave way to the second.
func (c *clause) became(us []unit, lang string) []unit {
	be := slices.IndexFunc(us, func(u unit) bool { return u.kind == uBe })
	if lang != "en" || be < 1 || be+1 == len(us) || us[be+1].kind != uWord || !us[be+1].past {
		return us
	}
	gone, come := fromTo(us, lang)
	if gone.empty() || !proper(gone.of(us)) || !proper(come.of(us)) || hasKind(gone.of(us), uNum) {
		return us
	}
	c.gone, c.come = slices.Clone(gone.of(us)), ids(come.of(us))
	for i, u := range us[:be] {
		if !gone.holds(i) && content(u) {
			c.about = append(c.about, u)
		}
	}
	return us
}

// A span is a run of units.
type span struct{ from, to int }

func (s span) empty() bool         { return s.to <= s.from }
func (s span) of(us []unit) []unit { return us[s.from:s.to] }
func (s span) holds(i int) bool    { return i >= s.from && i < s.to }
func value(u unit) bool            { return content(u) || oneOf(u.kind, uDate, uTime, uAttr) }
func run(us []unit, at int) span   { return runWhile(us, at, value) }

func runWhile(us []unit, at int, ok func(unit) bool) span {
	end := at
	for end < len(us) && ok(us[end]) {
		end++
	}
	return span{at, end}
}

// content tells the words that say what a clause is about.
func content(u unit) bool {
	return oneOf(u.kind, uWord, uName, uIdent, uNum, uQty, uAttr, uRel, uFav, uMarital)
}

// fromTo reads "from A to B", "von A auf B", "de A a B", and "to B from A".
func fromTo(us []unit, lang string) (gone, come span) {
	for i, u := range us {
		if u.kind != uPrep || u.id != "from" && (u.id != "of" || lang == "en") {
			continue
		}
		a := run(us, i+1)
		if a.empty() {
			continue
		}
		if a.to < len(us) && us[a.to].kind == uPrep {
			switch us[a.to].id {
			case "to", "on", "in":
				if b := run(us, a.to+1); !b.empty() {
					return a, b
				}
			}
		}
		if u.id != "from" {
			continue
		}
		for k := i - 1; k > 0; k-- {
			if us[k].kind == uPrep && us[k].id == "to" && run(us, k+1).to == i {
				return a, span{k + 1, i}
			}
		}
	}
	return span{}, span{}
}

// replacing reads "replaced A with B", "A was replaced by B" and "B replaced A".
func replacing(us []unit, v int) (gone, come span) {
	obj := run(us, v+1)
	by := func(at int) span {
		if at < len(us) && us[at].kind == uPrep && oneOf(us[at].id, "with", "by", "for") {
			return run(us, at+1)
		}
		return span{}
	}
	before := 0
	for i := range us[:v] {
		if oneOf(us[i].kind, uComma, uPrep) {
			before = i + 1
		}
	}
	subj := runWhile(us[:v], before, value)
	switch {
	case obj.empty() && !by(v+1).empty() && v > 0 && oneOf(us[v-1].kind, uBe, uHave):
		return subj, by(v + 1)
	case obj.empty(): // wurde A durch B ersetzt
		for i := 1; i < v; i++ {
			if us[i].kind == uPrep && us[i].id == "by" && run(us, i+1).to == v {
				return runBefore(us, i), span{i + 1, v}
			}
		}
		return span{}, span{}
	case !by(obj.to).empty():
		return obj, by(obj.to)
	case v > 0 && us[v-1].kind != uBe:
		return obj, subj
	}
	return span{}, span{}
}

// handed reads "B took X over from A" and "A handed X over to B".
func (c *clause) handed(us []unit, v int) (gone, come span) {
	subj := runWhile(us[:v], 0, value)
	if us[v].id == "handover" {
		for i := v + 1; i < len(us); i++ {
			if us[i].kind == uPrep && us[i].id == "to" {
				c.person = true
				return subj, run(us, i+1)
			}
		}
		return span{}, span{}
	}
	if len(subj.of(us)) < v {
		subj = runWhile(us[:v], 0, func(u unit) bool { return u.kind == uName })
	}
	for i := len(us) - 1; i >= 0; i-- {
		if us[i].kind == uPrep && oneOf(us[i].id, "from", "of") {
			if a := runWhile(us, i+1, func(u unit) bool { return u.kind == uName }); !a.empty() && allNames(us[a.from:a.to]) {
				c.person = true
				return a, subj
			}
		}
	}
	if a := runWhile(us, v+1, func(u unit) bool { return u.kind == uName }); !a.empty() &&
		a.to < len(us) && us[a.to].kind == uPrep && us[a.to].id == "as" {
		c.person = true // Petra succeeded Nils as chair
		return a, subj
	}
	return span{}, span{}
}

// active turns "the importer was written by Helen" round.
func (c *clause) active(attr *unit) *unit {
	by := c.chunk("by")
	if c.passive && len(by) > 0 && len(c.who) > 0 && len(c.objs) == 0 && oneOf(c.pred, "manage", "have", "support") {
		c.turn(by)
		return nil
	}
	made := c.pred == "written" || c.pred == "build" || c.copula && len(c.objs) == 1 && c.objs[0].past
	if attr != nil || len(by) == 0 || !proper(by) || !allNames(by) && hasKind(by, uNum) ||
		len(c.who) == 0 || !made || strings.Contains(c.subj.head, ">") {
		return attr
	}
	past := true
	if c.copula {
		past = c.verb.past
		c.pred, c.verb = c.objs[0].id, c.objs[0]
	} else {
		c.pred = c.verb.id
	}
	switch c.pred {
	case "written":
		c.pred = "write<"
	case "build":
		c.pred = "build<"
	}
	if base, _, ok := strings.Cut(c.pred, "~"); ok {
		c.pred = base + "<"
	}
	if !past {
		c.pred = strings.TrimSuffix(c.pred, "<")
		c.verb.past = false
	}
	c.turn(by)
	c.copula, c.past = false, past
	return nil
}

// byTurned finds who did something for a thing until later: "is handled by Auth0", "is handled by Keycloak now".
func byTurned(_, later *Claim, o, n *clause) Relation {
	if !o.turned || !n.turned || o.pred != n.pred || o.past || n.past || !o.holds() || !n.holds() ||
		ids(o.objs) != ids(n.objs) || len(o.chunks)+len(n.chunks)+len(o.frames)+len(n.frames) > 0 {
		return Unrelated
	}
	switch {
	case o.subj.head == n.subj.head:
		return Unrelated
	case later.corr:
		return Correction
	case n.now:
		return Change
	}
	return Unrelated
}

// turn makes of what acts the subject, and of the subject the object.
func (c *clause) turn(by []unit) {
	c.chunkTake("by")
	c.objs = make([]unit, 0, len(c.who))
	for _, u := range c.who {
		if u.kind == uWord {
			u.id = canonical(token{raw: u.raw, fold: strings.ToLower(u.raw)})
		}
		c.objs = append(c.objs, u)
	}
	c.subj, _ = readSubject(by)
	c.who, c.turned = by, true
	c.past = c.past && !c.passive
}

// takeInstead reads "B instead of A".
func (c *clause) takeInstead(us []unit, at int) []unit {
	gone := run(us, at+1)
	if gone.empty() {
		return slices.Delete(slices.Clone(us), at, at+1)
	}
	come := runBefore(us, at)
	c.gone, c.now, c.instead = us[gone.from:gone.to], true, true
	for i, u := range us {
		if !gone.holds(i) && !come.holds(i) && content(u) {
			c.about = append(c.about, u)
		}
	}
	return slices.Delete(slices.Clone(us), at, gone.to)
}

// runBefore is the value that ends at at.
func runBefore(us []unit, at int) span {
	come := span{at, at}
	for come.from > 0 && value(us[come.from-1]) {
		come.from--
		if us[come.from].det {
			break
		}
	}
	return come
}

// denies notes what "B, not A" says of A.
func (c *clause) denies(us, gone []unit, come span) {
	if come.empty() || !hasKind(us, uBe) || !allNames(gone) {
		return
	}
	c.gone, c.denied, c.person = gone, true, true
	for i, u := range us {
		if !come.holds(i) && content(u) && !slices.ContainsFunc(gone, func(g unit) bool { return g.id == u.id }) {
			c.about = append(c.about, u)
		}
	}
}

// sameUnit gives a bare number the unit of what follows it: from 40 to 32 hours. "React Native 0.72 to 0.74" needs none.
func sameUnit(a, b []unit) []unit {
	if len(a) == 1 && a[0].kind == uNum && len(b) > 0 && b[0].kind == uQty {
		word := b[0].raw[strings.LastIndexByte(b[0].raw, ' ')+1:]
		if factor := units[strings.ToLower(word)]; factor != "" {
			u := a[0]
			u.kind, u.id = uQty, quantity(u.id, factor)
			return []unit{u}
		}
	}
	if len(a) == 1 && a[0].kind == uNum && len(b) == 2 && b[0].kind == uNum && b[1].kind == uWord { // from 3 to 5 replicas
		return []unit{a[0], b[1]}
	}
	return slices.Clone(a)
}
