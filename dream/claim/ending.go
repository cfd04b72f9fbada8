package claim

import (
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/lexis"
)

// action is the word of the verb: in "is learning Rust" the second.
func (c *clause) action() *tok {
	v := c.verb
	if v < 0 {
		return nil
	}
	for v+1 < len(c.toks) && c.toks[v].roles&(rBe|rWas|rHave|rGet|rDecide) != 0 {
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
	all := o.words
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
			what, subj = named(subj), what
		}
		if len(what) == 0 && m.kind != "end" && m.kind != "stop" {
			what, subj = n.subj, nil
			if _, kinds := valuesOf(o); m.kind == "gone" && !later.dated && strings.Contains(kinds, "D") && about(o.subj, what) &&
				len(dateless(without(n.words, what))) == 1 {
				return later.change()
			}
		}
		if m.kind == "gone" && subj == nil && !o.past && o.possession(n) {
			return later.change()
		}
		if m.kind == "fix" {
			if subj == nil && o.has(rTrouble) && carried(o.subj, append(what, "user")) && carried(plain(n, what), all) {
				return later.change()
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
		if deed && len(rest) == 0 || (deed || m.kind == "find" || o.may()) && o.meets(rest, nil, deed) != nil || o.worksAt(rest) {
			return later.change()
		}
	}
	return Unrelated
}

// possession tells that a clause says which car the speaker has, and another one tells of that car, by a part of its name: "our car is a
// Skoda Octavia", "the Skoda was scrapped".
func (c *clause) possession(of *clause) bool {
	p := c.object()
	if len(of.subj) != 1 || of.subj[0][0] != '^' || len(p) == 0 || c.several(p) || slices.ContainsFunc(c.subj, func(w string) bool {
		return w != "user" && !vehicles[w]
	}) || !slices.Contains(c.subj, "user") {
		return false
	}
	verb := &c.toks[c.verb]
	holds := verb.roles&rHave != 0 || verb.roles&rBe != 0 && len(c.subj) == 2 || owns[verb.id]
	return holds && slices.ContainsFunc(p, func(x tok) bool { return x.id == of.subj[0] })
}

var (
	vehicles = lexis.Set("car van bike motorbike motorcycle scooter caravan boat")
	owns     = lexis.Set("own drive ride")
)

// worksAt tells that a clause says what somebody is at a place of that name: a nurse at the UKE.
func (c *clause) worksAt(name []string) bool {
	p := c.meets(name, nil, true)
	if p == nil || p[0].kind != 'P' ||
		c.toks[c.verb].roles&rBe == 0 && !slices.ContainsFunc(c.matches, func(m match) bool { return m.attr == "employer" }) {
		return false
	}
	at := slices.IndexFunc(c.toks, func(x tok) bool { return x.raw == p[0].raw }) - 1
	for at > 0 && articles[c.toks[at].fold] {
		at--
	}
	return places[c.toks[at].fold]
}

var places = lexis.Set("at for bei fur en para")

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

// change is what a statement is to one that is not so any more.
func (c *Claim) change() Relation {
	if c.corr {
		return Correction
	}
	return Change
}

var indefinite = lexis.Set("a an ein eine einen un una")

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
	all, said := o.words, n.words
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
		rest = slices.DeleteFunc(dateless(rest), n.isCue)
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
			return later.change()
		}
	}
	return Unrelated
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
