package claim

import (
	"cmp"
	"slices"
	"strings"
	"sync"
)

// A Relation is what a later statement is to an earlier one.
type Relation int

// The relations.
const (
	Unrelated  Relation = iota // both may stand
	Duplicate                  // they say the same
	Narrower                   // new says less than old and nothing else
	Wider                      // new says all of old and more
	Correction                 // new says that old was wrong
	Change                     // old was true until new
	Conflict                   // they cannot both be true, and nothing tells which is
)

var relationNames = [...]string{"unrelated", "duplicate", "narrower", "wider", "correction", "change", "conflict"}

func (r Relation) String() string {
	if r < 0 || int(r) >= len(relationNames) {
		return "relation?"
	}
	return relationNames[r]
}

// Compare tells what later, said at or after earlier, is to it. In doubt they are Unrelated.
func Compare(earlier, later *Claim) Relation {
	if earlier.dated && earlier.Day != later.Day && slices.Equal(earlier.bags, later.bags) ||
		earlier.exact && earlier.fold == later.fold && earlier.Text != later.Text {
		return Unrelated
	}
	if earlier.fold == later.fold && earlier.fold != "" && slices.Equal(earlier.bags, later.bags) && slices.Equal(earlier.me, later.me) {
		return Duplicate
	}
	if earlier.question != later.question || len(earlier.clauses) == 0 || len(later.clauses) == 0 {
		return Unrelated
	}
	if r := containment(earlier, later); r != Unrelated {
		return r
	}
	o := earlier.holds
	if earlier.question || o == nil || !later.active {
		return Unrelated
	}
	for _, n := range later.clauses {
		if n.tail || n.verb < 0 || n.neg || n.hedged || n.pron || n.decided && n.someday() {
			continue
		}
		for _, rule := range [...]func(earlier, later *Claim, o, n *clause) Relation{byEnd, bySwap, byFrame, byValue, byCorrection} {
			if r := rule(earlier, later, o, n); r != Unrelated {
				return r
			}
		}
	}
	return Unrelated
}

// replaced is what a new value is to an old one.
func replaced(earlier, later *Claim, cue bool) Relation {
	switch {
	case later.corr:
		return Correction
	case cue || later.Day > earlier.Day && earlier.Day != "":
		return Change
	}
	return Conflict
}

// someday tells a decision about a day to come.
func (c *clause) someday() bool {
	return slices.ContainsFunc(c.toks, func(x tok) bool { return x.kind == 'D' || x.roles&rRel != 0 })
}

// state is the clause of a statement that may end: a plain one, with nothing beside it but circumstances.
func (c *Claim) state() *clause {
	var out *clause
	for _, k := range c.clauses {
		switch {
		case k.tail && !k.scope:
		case out != nil || k.verb < 0 || k.hedged || k.denies() || k.list || k.pron || len(k.subj) == 0:
			return nil
		default:
			out = k
		}
	}
	return out
}

// containment finds the relations in which nothing differs.
func containment(earlier, later *Claim) Relation {
	a, b := earlier.main(), later.main()
	if a == nil || b == nil || a.pron || b.pron || len(earlier.bags) == 0 || earlier.dated && earlier.Day != later.Day {
		return Unrelated
	}
	if slices.Equal(earlier.bags, later.bags) {
		if sameOrder(earlier, later) && sameSubject(a, b) {
			return Duplicate
		}
		return Unrelated
	}
	switch {
	case fuller(earlier, later):
		return Wider
	case fuller(later, earlier):
		return Narrower
	}
	return Unrelated
}

func (c *Claim) main() *clause {
	for _, k := range c.clauses {
		if !k.tail {
			return k
		}
	}
	return nil
}

// sameSubject tells whether two clauses of the same words are about the same: "Lena wrote it", "it was written by Lena".
func sameSubject(a, b *clause) bool {
	return a.verb >= 0 && b.verb >= 0 && (slices.Equal(sorted(a.subj), sorted(b.subj)) || a.passive != b.passive) || a.verb < 0 &&
		b.verb < 0 && slices.Equal(says(a), says(b))
}

func sorted(s []string) []string { s = slices.Clone(s); slices.Sort(s); return s }

// sameOrder tells whether the values of two statements come in the same order: who lent whom how much. What belongs to the subject may
// stand in any.
func sameOrder(a, b *Claim) bool {
	if slices.Equal(a.values, b.values) {
		return true
	}
	x, y := a.main(), b.main()
	if x.passive != y.passive {
		return len(a.values) <= 2
	}
	in := func(c *clause, w string) bool { return slices.Contains(c.subj, w) }
	cut := func(c *Claim, k *clause) []string {
		return slices.DeleteFunc(slices.Clone(c.values), func(w string) bool { return in(k, w) })
	}
	return slices.Equal(cut(a, x), cut(b, y)) || len(cut(a, x)) < 2
}

// fuller tells whether long says all that short says, in the same words and order, and then a circumstance.
func fuller(short, long *Claim) bool {
	if len(short.clauses) != 1 || len(long.clauses) != 2 || !long.clauses[1].tail || long.clauses[1].scope || long.clauses[0].hedged {
		return false
	}
	x, y := says(short.clauses[0]), says(long.clauses[0])
	return len(x) > 1 && slices.Equal(x, y) && slices.Equal(short.me, long.me)
}

func says(c *clause) []string {
	var out []string
	for i := range c.toks {
		if x := &c.toks[i]; x.says() || x.roles&(rUser|rSelf|rNeg|rPrep|rWas) != 0 {
			out = append(out, x.id)
		}
	}
	return out
}

// about tells whether two subjects are one: Alice's sister Noor is Noor.
func about(a, b []string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return exact(a, b) && (exact(b, a) || len(a) == 1 && len(named(b)) == 1 && exact(a, named(b)))
}

// named is the last name of a subject that says whose relative it is, else all of it.
func named(subj []string) []string {
	for i, w := range subj {
		if i+1 < len(subj) && kin()[w] && subj[i+1][0] == '^' && i+2 == len(subj) {
			return subj[i+1:]
		}
	}
	return slices.Clone(subj)
}

var kin = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for _, t := range tables() {
		for w, e := range t.words {
			if e.roles&rKin != 0 {
				m[canonical(token{fold: w})], m[cmp.Or(e.id, w)] = true, true
			}
		}
	}
	return m
})

// exact is carried for names of things, of which no form is another's.
func exact(few, in []string) bool {
	return !slices.ContainsFunc(few, func(w string) bool {
		return !slices.ContainsFunc(in, func(x string) bool {
			a, b := strings.TrimPrefix(w, "^"), strings.TrimPrefix(x, "^")
			return a == b || a == w && b == x && (a == b+"s" || b == a+"s") || (a == w) != (b == x) && akin(w, x)
		})
	})
}

func without(list, of []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(w string) bool { return held(w, of) })
}

// action is the word of the verb: in "is learning Rust" the second.
func (c *clause) action() *tok {
	v := c.verb
	if v < 0 {
		return nil
	}
	for v+1 < len(c.toks) && c.toks[v].roles&(rBe|rWas|rHave|rGet) != 0 {
		k := v + 1
		for k+1 < len(c.toks) && c.toks[k].roles&(rFree|rNow|rDecide|rWas) != 0 {
			k++
		}
		if x := &c.toks[k]; x.roles&(rHolds|rNeutral|rPart|rPast) == 0 && !ended(x) && !strings.HasSuffix(x.fold, "ing") {
			break
		}
		v = k
	}
	return &c.toks[v]
}

// may tells whether the verb of a state allows that its object ends.
func (c *clause) may() bool {
	a := c.action()
	return a.roles&rEager == 0 && (a.roles&(rHolds|rBe|rHave|rNeutral) != 0 || c.toks[c.verb].roles&rBe != 0)
}

// meets finds the phrase that is over, or that was before: all that names it must be told in what, or in other, and how many there are.
// Only the first phrase counts, unless any may.
func (c *clause) meets(what, other []string, any bool) []tok {
	for _, p := range c.phrases() {
		if len(what) > 0 && !c.several(p) && fits(p, what, other) {
			return p
		}
		if !any {
			break
		}
	}
	return nil
}

func fits(phrase []tok, what, other []string) bool {
	var head *tok
	for i := range phrase {
		x := &phrase[i]
		if !x.says() || x.roles&rUser != 0 {
			continue
		}
		if x.kind == 'N' && i == 0 && !year(x.id) && !held(x.id, what) && !held(x.id, other) {
			return false
		}
		if x.kind != 'N' || head == nil {
			head = x
		}
		if phrase[0].kind != 'N' && i+1 < len(phrase) && ofs[phrase[i+1].fold] { // the flat of a friend is a flat
			break
		}
	}
	all := ids(phrase, nil)
	return head != nil && slices.ContainsFunc(what, func(w string) bool { return held(w, all) }) && (held(head.id, what) || held(head.id,
		other))
}

// byEnd finds what a statement says to be over: all that it names must be what the earlier one says.
func byEnd(earlier, later *Claim, o, n *clause) Relation {
	if o.past {
		return Unrelated
	}
	all := ids(o.toks, earlier.me)
	for i := range n.matches {
		m := &n.matches[i]
		if m.kind != "end" && m.kind != "stop" && m.kind != "gone" && m.kind != "fix" && (m.kind != "find" || !o.has(rSeek)) {
			continue
		}
		what, subj := n.over(m, later.me), n.subj
		if y := m.slot('Y'); !y.empty() {
			what = ids(n.toks[y.from:y.to], later.me)
			subj = without(subj, what)
			if len(without(dateless(ids(n.toks[m.to:], later.me)), what)) > 0 {
				continue
			}
		}
		if m.kind == "stop" && !about(o.subj, subj) && about(o.subj, what) { // Sam and I broke up
			what, subj = subj, what
		}
		if len(what) == 0 && m.kind != "end" && m.kind != "stop" {
			what, subj = n.subj, nil
			if _, kinds := valuesOf(o); m.kind == "gone" && !later.dated && strings.Contains(kinds, "D") && about(o.subj, what) &&
				len(dateless(without(ids(n.toks, later.me), what))) == 1 {
				return later.correctionOr(Change)
			}
		}
		if m.kind == "fix" {
			if subj == nil && o.has(rTrouble) && carried(o.subj, append(what, "user")) && carried(plain(n, what), all) {
				return later.correctionOr(Change)
			}
			continue
		}
		if len(what) == 0 || !carried(what, all) || !carried(n.limits(m), all) {
			continue
		}
		if subj == nil && !carried(without(o.subj, []string{"user"}), what) || subj != nil && !about(o.subj, subj) {
			continue
		}
		rest := without(what, []string{o.action().id})
		if o.among(what) {
			continue
		}
		deed := len(rest) < len(what) && m.kind != "gone"
		if deed && len(rest) == 0 || (deed || m.kind == "find" || o.may()) && o.meets(rest, counts(o, m), deed) != nil {
			return later.correctionOr(Change)
		}
	}
	return Unrelated
}

// counts are the amounts of a state that is over whatever they are: who drinks no coffee does not drink two cups of it.
func counts(o *clause, m *match) []string {
	var out []string
	for i := range o.toks {
		if x := &o.toks[i]; x.kind == 'N' && (m.kind == "end" || m.kind == "stop") {
			out = append(out, x.id)
		}
	}
	return out
}

// among tells that one of the words stands beside an "and".
func (c *clause) among(words []string) bool {
	for i := 1; i+1 < len(c.toks); i++ {
		if c.toks[i].roles&rConj != 0 && (held(c.toks[i-1].id, words) || held(c.toks[i+1].id, words)) {
			return true
		}
	}
	return false
}

// has tells whether a clause has a word of a role.
func (c *clause) has(r role) bool {
	return slices.ContainsFunc(c.toks, func(x tok) bool { return x.roles&r != 0 })
}

// plain leaves out the words that only say that something was amiss.
func plain(c *clause, words []string) []string {
	return slices.DeleteFunc(slices.Clone(words), func(w string) bool {
		return slices.ContainsFunc(c.toks, func(x tok) bool { return x.id == w && x.roles&rTrouble != 0 })
	})
}

func (c *Claim) correctionOr(r Relation) Relation {
	if c.corr {
		return Correction
	}
	return r
}

var indefinite = wordSet("a an ein eine einen un una")

// limits are what stands before the subject, but for the day of an event: "In the evening the user no longer …".
func (c *clause) limits(m *match) []string {
	var out []tok
	for i := range c.toks[:min(c.from, len(c.toks))] {
		if x := &c.toks[i]; m.kind == "end" || !typed(x.kind) {
			out = append(out, *x)
		}
	}
	return ids(out, nil)
}

// over is what a clause says to be over: what is left of it without its subject and the cue, up to a circumstance. The day of an event
// does not count.
func (c *clause) over(m *match, me []string) []string {
	var left []tok
	for i := max(c.verb, 0); i < len(c.toks); i++ {
		x := &c.toks[i]
		if slices.Contains(m.hit, i) {
			continue
		}
		if len(left) > 0 && (x.kind == ',' || m.kind == "find" && x.fold == "for" || m.kind == "gone" && x.fold == "to" && i+2 < len(c.toks) &&
			c.toks[i+2].roles&rKin != 0 && !indefinite[c.toks[m.to].fold] || x.fold == "to" && i+1 < len(c.toks) && c.toks[i+1].roles&rPoss == 0 &&
			!articles[c.toks[i+1].fold] && c.toks[i+1].kind == 0) {
			break
		}
		if m.kind != "end" && (x.kind == 'D' || x.roles&rRel != 0) || x.roles&(rWas|rBe|rHave) != 0 {
			continue
		}
		if x.says() && !x.aside || x.roles&rUser != 0 {
			left = append(left, *x)
		}
	}
	return ids(left, me)
}

// bySwap finds an old value that the later statement names: from X to Y, X replaced by Y, Y instead of X, Y, not X.
func bySwap(earlier, later *Claim, o, n *clause) Relation {
	all, said := ids(o.toks, earlier.me), ids(n.toks, later.me)
	for i := range n.matches {
		m := &n.matches[i]
		if m.kind != "swap" && m.kind != "not" || o.past && m.kind == "swap" && !later.corr {
			continue
		}
		x := ids(n.toks[m.slot('X').from:m.slot('X').to], later.me)
		subj := n.subj
		if m.before {
			x, subj = n.subj, nil
			if n.verb >= 0 && m.from > n.verb+1 && !n.passive {
				x, subj = ids(n.toks[n.verb+1:m.from], later.me), n.subj
			}
		}
		y := ids(n.toks[m.slot('Y').from:m.slot('Y').to], later.me)
		if len(y) == 0 {
			y = ids(n.object(), later.me)
		}
		moved := ids(n.toks[m.slot('O').from:m.slot('O').to], later.me)
		rest := without(without(without(without(said, x), y), ids(n.who, later.me)), moved)
		rest = slices.DeleteFunc(dateless(rest), func(w string) bool { return n.isCue(w) || n.passive && n.by(w) })
		if len(x) == 0 || carried(y, x) || !carried(x, all) || !carried(rest, all) || !carried(moved, all) || m.kind == "swap" && !o.may() {
			continue
		}
		old := o.meets(x, said, true)
		if old == nil || len(rest) > 0 && o.joins() {
			continue
		}
		topic := without(o.subj, []string{"user"})
		switch {
		case m.kind == "not":
			if carried(topic, ids(later.toks, later.me)) && carried(without(without(n.subj, x), []string{"user"}), all) {
				return Correction
			}
		case about(o.subj, n.first(subj)), len(subj) > 0 && carried(topic, said) && carried(n.valueless(subj), append(all, "user")),
			len(moved) > 0 && carried(topic, said),
			len(moved) == 0 && len(subj) > 0 && o.toks[o.verb].roles&rBe != 0 && carried(subj, o.subj) && !relates(o.who, said):
			return later.correctionOr(Change)
		}
	}
	return Unrelated
}

// by tells whether a word is of who did what a passive clause says.
func (c *clause) by(w string) bool {
	at := slices.IndexFunc(c.toks, func(x tok) bool { return x.fold == "by" })
	return at >= 0 && slices.ContainsFunc(c.toks[at:min(at+4, len(c.toks))], func(x tok) bool { return x.id == w && x.kind == 'P' })
}

// first is the first of several that a clause is about: where Marta and her family moved, Marta did.
func (c *clause) first(subj []string) []string {
	for i := range c.who {
		if c.who[i].roles&rConj != 0 && i > 0 && len(subj) > 1 {
			return slices.DeleteFunc(slices.Clone(subj), func(w string) bool {
				return !slices.ContainsFunc(c.who[:i],
					func(x tok) bool { return x.id == w })
			})
		}
	}
	return subj
}

// valueless leaves out the words of a subject that name an attribute: the dose, the price.
func (c *clause) valueless(subj []string) []string {
	return slices.DeleteFunc(slices.Clone(subj), func(w string) bool {
		return slices.ContainsFunc(c.who, func(x tok) bool { return x.id == w && x.one != 0 })
	})
}

// joins tells that a clause says several things of one, such as what it is used for.
func (c *clause) joins() bool {
	return c.verb >= 0 && slices.ContainsFunc(c.toks[c.verb:], func(x tok) bool { return x.roles&rConj != 0 })
}

// isCue tells whether a word of the clause is there for the cue only.
func (c *clause) isCue(w string) bool {
	return slices.ContainsFunc(c.toks, func(x tok) bool { return x.id == w && x.roles&rCorr != 0 }) ||
		slices.ContainsFunc(c.matches, func(m match) bool {
			return m.kind != "" && slices.ContainsFunc(m.hit, func(i int) bool { return c.toks[i].id == w })
		})
}

// relates tells a subject that is somebody of somebody, whom the other words do not name: the user's sister.
func relates(who []tok, but []string) bool {
	return slices.ContainsFunc(who, func(x tok) bool { return (x.roles&(rKin|rGeneric) != 0 || x.kind == 'P') && !held(x.id, but) })
}

// byFrame finds another value of an attribute that has one at a time.
func byFrame(earlier, later *Claim, o, n *clause) Relation {
	for i := range later.frames {
		f := &later.frames[i]
		if f.from != n || later.also || earlier.also {
			continue
		}
		for k := range earlier.frames {
			e := &earlier.frames[k]
			if e.from != o || e.attr != f.attr || !about(e.subj, n.first(f.subj)) || e.among || o.past && !later.corr && !e.change ||
				!f.change && n.past && !later.corr {
				continue
			}
			x, y := ids(e.val, earlier.me), ids(f.val, later.me)
			if len(x) == 0 || len(y) == 0 || carried(x, y) || carried(y, x) || strings.HasPrefix(x[0], y[0]) || strings.HasPrefix(y[0],
				x[0]) || (e.val[0].roles^f.val[0].roles)&rCountry != 0 ||
				typed(e.val[0].kind) != typed(f.val[0].kind) {
				continue
			}
			p, q := e.rest, dateless(f.rest)
			if e.attr == "lead" || f.change && (e.attr == "home" || e.attr == "employer" || e.attr == "bond") {
				p, q = nil, without(q, f.detail)
			}
			if e.attr == "bond" && f.change {
				q = nil
			}
			cue := f.change || n.new()
			switch {
			case f.asks && !cue && !later.corr, !about(append(units(e.val), "x"), append(units(f.val), "x")),
				slices.ContainsFunc(n.toks, func(x tok) bool { return x.kind == 'W' || x.kind == 'T' }) && !typed(f.val[0].kind),
				!carried(q, ids(o.toks, earlier.me)), !cue && !carried(p, q):
				continue
			case f.fixed && !later.corr:
				return Conflict
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
	topic := func(c *clause, me []string) []string {
		act := c.action()
		return slices.DeleteFunc(ids(c.toks, me), func(w string) bool {
			return c.isCue(w) || w == act.id && (act.roles&rNeutral != 0 && act.one == 0 || moved && act.roles&(rHolds|rNeutral|rCue) != 0) ||
				slices.ContainsFunc(c.toks, func(t tok) bool {
					return t.id == w && (typed(t.kind) && !held(t.id, c.subj) || t.roles&rNeutral != 0 && t.one == 0)
				})
		})
	}
	a, b := topic(o, earlier.me), topic(n, later.me)
	if moved {
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
	one := slices.ContainsFunc(o.toks, func(t tok) bool {
		return t.one == 'D' && strings.ContainsAny(kinds, "D") || t.one == 'N' && kinds == "N" || t.one == 'V' && kinds == "N"
	}) && slices.ContainsFunc(n.toks, func(t tok) bool { return t.one != 0 })
	switch {
	case moved, n.new() && (kinds != "W" || o.action().roles&(rBe|rNeutral) != 0):
		return later.correctionOr(Change)
	case later.corr:
		return Correction
	case one && !n.past && !later.dated:
		return replaced(earlier, later, false)
	}
	return Unrelated
}

// due tells a day or an amount that may be extended: not when a thing begins.
func due(c *clause) bool {
	return slices.ContainsFunc(c.toks, func(x tok) bool { return x.one == 'D' || x.kind == 'N' })
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
	rest := func(c *clause, me, val []string) []string {
		return slices.DeleteFunc(without(ids(c.toks, me), val), func(w string) bool { return w == "user" || c.isCue(w) })
	}
	a, b := rest(o, earlier.me, x), rest(n, later.me, y)
	_, p := valuesOf(o)
	_, q := valuesOf(n)
	if len(x) == 0 || len(y) == 0 || carried(x, y) || carried(y, x) || p != q || !carried(a, b) || !carried(b, a) || len(b) == 0 ||
		p == "" && (o.past || !o.may()) || p != "" && !about(append(units(o.object()), "x"), append(units(n.object()), "x")) {
		return Unrelated
	}
	return Correction
}
