package claim

import (
	"slices"
	"strings"
)

// A clause is a part of a statement with one subject and one verb.
type clause struct {
	toks    []tok
	subj    []string // what it is about, in the form of tok.id
	who     []tok    // the subject as it stands
	from    int      // where the subject begins
	verb    int      // index of the verb, -1 for none
	tail    bool     // a circumstance of the clause before: because, which
	scope   bool     // it limits what the clause before says
	joined  bool     // has the subject of the clause before
	neg     bool
	hedged  bool
	decided bool
	past    bool
	passive bool
	list    bool // joins several things, so that none of them is all it says
	pron    bool // it is open who it is about
	matches []match
	words   []string // what it says, see ids
}

// read finds the parts of a clause. before is the clause before it in the statement, me who says it.
func (c *clause) read(before *clause, me []string, t *table) {
	toks := c.toks
	from := c.begin()
	c.from = from
	c.verb = c.finite(from, before, t)
	if c.verb >= 0 {
		c.who = toks[from:c.verb]
	}
	for i := range c.who {
		c.pron = c.pron || c.who[i].roles&(rPron|rPoss|rUser) == rPron
	}
	c.subj = topic(c.who, me)
	if (len(c.subj) == 0 || c.pron) && before != nil && c.verb >= 0 && len(before.subj) > 0 && (!c.pron || before.alone()) {
		c.subj, c.pron, c.hedged = before.subj, before.pron, c.hedged || c.joined && before.hedged
	} else if len(c.subj) == 0 && c.verb >= 0 && t.prodrop(toks, c.verb) {
		c.subj = me
	}
	c.flags()
	for i := max(from, 0); i < len(toks) && len(c.matches) < maxMatches; i++ {
		if toks[i].roles&(rCue|rSign) == 0 {
			continue
		}
		for _, p := range t.cues[toks[i].fold] {
			if p.kind == "not" && toks[i].roles&rNeg != 0 && (i == 0 || toks[i-1].kind != ',') {
				continue
			}
			m, ok := p.find(toks, i)
			switch o := m.slot('O'); {
			case !ok, p.attr != "" && i < c.verb-1 && !p.change:
			case p.attr != "" && i > 0 && toks[i-1].roles&rPoss != 0 && o.from < o.to: // my work makes a difference for …
			default:
				c.matches = append(c.matches, m)
			}
		}
	}
	c.circumstances()
	if c.past && slices.ContainsFunc(c.matches, func(m match) bool { return m.kind == "move" || m.kind == "swap" }) {
		c.hedged = c.hedged && slices.ContainsFunc(toks, func(x tok) bool { return x.roles&(rHedge|rTodo) != 0 && x.roles&rRel == 0 })
	}
	for i := range toks {
		if toks[i].roles&rNeg != 0 && !slices.ContainsFunc(c.matches, func(m match) bool {
			return (m.kind == "end" || m.kind == "not") && slices.Contains(m.hit, i)
		}) {
			c.neg = true
		}
	}
}

// finite is the index of the verb of a clause whose subject begins at from, -1 for none: a word that is known for one, else the word behind
// whoever it is about, else one that looks like a verb.
func (c *clause) finite(from int, before *clause, t *table) int {
	toks := c.toks
	noun := -1
	for i := from; i < len(toks); i++ {
		if !verbal(toks, i) || i == from && !(len(toks) > 1 && before != nil && c.joined || t.prodrop(toks, i)) {
			continue
		}
		switch x := &toks[i]; {
		case i > 0 && x.roles&(rBe|rWas|rHave) == 0 && (toks[i-1].roles&rPrep != 0 && toks[i-1].fold != "to" || strings.HasSuffix(x.fold, "ing")):
			noun = max(noun, i) // at work, for cloud hosting
		default:
			return i
		}
	}
	for i := from + 1; i < len(toks); i++ {
		p := i - 1
		for p > from && toks[p].roles&(rNeg|rNow|rAlso|rSign) != 0 {
			p--
		}
		if x := &toks[p]; toks[i].kind == 0 && toks[i].roles&(rFree|rConj|rPrep|rPoss|rKin|rUser|rNeg|rNow) == 0 && toks[i].fold != "'s" &&
			(x.roles&(rUser|rPron) != 0 || x.roles&rSelf != 0 && x.roles&rPoss == 0 || x.kind == 'P') {
			return i
		}
	}
	for i := from + 1; i+1 < len(toks); i++ {
		if x, n := &toks[i], &toks[i+1]; x.kind == 0 && x.roles == 0 && (strings.HasSuffix(x.fold, "s") && !strings.HasSuffix(x.fold, "ss") &&
			(n.roles&rPrep != 0 || typed(n.kind)) || articles[n.fold]) {
			return i
		}
	}
	return noun
}

// circumstances marks what only says when, why or by whom something came about, so that it is no condition of it. What a pattern has for a
// value is none.
func (c *clause) circumstances() {
	cue := slices.ContainsFunc(c.matches, func(m match) bool { return m.kind != "" })
	taken := func(i int) bool {
		return slices.ContainsFunc(c.matches, func(m match) bool {
			return slices.ContainsFunc(m.slots[:], func(s span) bool { return s.from <= i && i < s.to })
		})
	}
	for i := max(c.verb, 0); i < len(c.toks); i++ {
		x := &c.toks[i]
		to := i + 1
		switch {
		case x.roles&(rAt|rPrep|rAside) == 0 && x.fold != "by", taken(i):
			continue
		case x.roles&rAt != 0:
			when := false
			for ; to < len(c.toks) && !taken(to); to++ {
				y := &c.toks[to]
				when = when || y.roles&rTime != 0 || x.roles&rAside != 0 && (y.kind == 'D' || y.roles&rRel != 0)
				if y.roles&(rTime|rFree|rNum|rRel|rMonth) == 0 && y.kind != 'D' && y.fold != "of" {
					break
				}
			}
			if !when {
				continue
			}
		case x.roles&(rPrep|rAside) == rPrep|rAside || x.fold == "by" && c.passive && cue && to < len(c.toks) && !typed(c.toks[to].kind):
			for to < len(c.toks) && !taken(to) && c.toks[to].roles&(rPrep|rConj|rTail|rCue) == 0 && !mark(c.toks[to].kind) {
				to++
			}
		default:
			continue
		}
		for ; i < to; i++ {
			c.toks[i].aside = true
		}
		i--
	}
}

// alone tells that nobody but the subject is named, so that a pronoun that follows can mean nobody else.
func (c *clause) alone() bool {
	return len(c.subj) == 1 && !slices.ContainsFunc(c.toks[max(c.verb, 0):], func(x tok) bool {
		return x.kind == 'P' &&
			x.roles&rCountry == 0
	})
}

// prodrop tells a verb in whose form its subject is told: "vivo en Graz".
func (t *table) prodrop(toks []tok, i int) bool {
	return t.words["usuario"] != nil && (toks[i].roles&(rCue|rHolds|rHave|rBe|rPast) != 0)
}

// begin is where the subject begins: behind what stands before it, as "On Fridays the user …".
func (c *clause) begin() int {
	i := 0
	skip := func() {
		for i < len(c.toks) && (c.toks[i].roles&(rConj|rCorr|rNow|rRel|rTold) != 0 || mark(c.toks[i].kind) ||
			c.toks[i].roles&rFree != 0 && c.toks[i].roles&rPoss == 0 && i+1 < len(c.toks) && c.toks[i+1].kind == ',') {
			i++
		}
	}
	skip()
	if i < len(c.toks) && c.toks[i].roles&(rPrep|rTail) != 0 {
		for k := i + 1; k < len(c.toks); k++ {
			x := &c.toks[k]
			if x.kind == ',' {
				i = k + 1
				break
			}
			if k > i+1 && (x.roles&(rUser|rSelf|rPron) != 0 || articles[x.fold] || typed(c.toks[k-1].kind) && x.kind == 'P') {
				i = k
				break
			}
		}
	}
	skip()
	return i
}

func (c *clause) flags() {
	detail := false
	for i := range c.toks {
		x := &c.toks[i]
		if i >= c.verb && x.roles&rPrep != 0 {
			detail = x.roles&rDetail != 0
		}
		if i < c.verb && x.roles&(rHedge|rTodo|rNeg) == 0 {
			continue
		}
		switch {
		case x.roles&rBe != 0 && slices.ContainsFunc(c.toks[i:], func(x tok) bool { return ended(&x) }): // wird gehostet
		case x.roles&(rHedge|rTodo) != 0 && !(x.roles&rTold != 0 && i < c.verb):
			c.hedged = true
		case !detail && (x.roles&rConj != 0 || x.kind == ',' && i+1 < len(c.toks) && lists(&c.toks[i+1]) && !finished(c.toks, i+1)):
			c.list = true
		}
		c.decided = c.decided || x.roles&rDecide != 0
	}
	if c.verb < 0 {
		return
	}
	v := c.verb
	for v < len(c.toks) && c.toks[v].roles&(rDecide|rFree|rNow) != 0 {
		v++
	}
	if v >= len(c.toks) {
		return
	}
	x := &c.toks[v]
	next := v + 1
	for next < len(c.toks) && c.toks[next].roles&(rFree|rNow|rAlso|rNeg|rWas) != 0 {
		next++
	}
	if x.roles&rHave != 0 { // the participle may stand at the end
		c.past = slices.ContainsFunc(c.toks[next:], func(x tok) bool { return ended(&x) })
	}
	participle := next < len(c.toks) && (ended(&c.toks[next]) || c.toks[next].roles&(rPart|rPast) != 0)
	c.passive = participle && x.roles&(rBe|rWas|rGet) != 0 || participle && x.roles&rHave != 0 && next > v+1 && c.toks[next-1].roles&rWas != 0
	c.past = c.past || x.roles&(rWas|rPast) != 0 || ended(x) && !c.passive || x.roles&rHave != 0 && participle
}

// topic are the words that name what a clause is about. A word such as team or project says nothing beside the name that it goes with.
func topic(who []tok, me []string) []string {
	var out []tok
	for i := range who {
		x := &who[i]
		with := i > 0 && who[i-1].says() || i+1 < len(who) && who[i+1].kind == 'P'
		if x.roles&(rFresh|rSign) == 0 && !(x.roles&rGeneric != 0 && with) {
			out = append(out, *x)
		}
	}
	return ids(out, me)
}

// ids are the words of some tokens that say something, each once.
func ids(toks []tok, me []string) []string { return addIDs(nil, toks, me) }

// addIDs adds those of tokens to others.
func addIDs(out []string, toks []tok, me []string) []string {
	for i := range toks {
		x := &toks[i]
		switch {
		case x.roles&rUser != 0:
			out = add(out, "user")
		case x.roles&rSelf != 0:
			for _, w := range me {
				out = add(out, w)
			}
		case x.says() && !x.aside:
			out = add(out, x.id)
		}
	}
	return out
}

// says tells words with a meaning of their own.
func (x *tok) says() bool {
	return !mark(x.kind) && x.id != "" && x.fold != "'s" &&
		(x.roles&(rFree|rPron|rConj|rPrep|rBe|rWas|rHave|rNow|rAlso|rTail|rDecide|rTold|rPoss|rRel) == 0 || typed(x.kind))
}

func add(list []string, w string) []string {
	if slices.Contains(list, w) {
		return list
	}
	return append(list, w)
}

// before is the token before some of the clause.
func (c *clause) before(some []tok) *tok {
	for i := range c.toks {
		if i > 0 && &c.toks[i] == &some[0] {
			return &c.toks[i-1]
		}
	}
	return &c.toks[0]
}

// lists tells that a comma is one of a list, by what follows on it.
func lists(x *tok) bool { return x.roles&(rPrep|rFree|rNeg|rRel|rCorr|rNow) == 0 && !typed(x.kind) }

// phrases are the things that the verb is about, each with what names it: the words behind it, cut at prepositions and other joints.
func (c *clause) phrases() [][]tok {
	var out, details [][]tok
	from, detail := -1, false
	end := func(i int) {
		switch {
		case from < 0:
		case detail:
			details = append(details, c.toks[from:i])
		default:
			out = append(out, c.toks[from:i])
		}
		from = -1
	}
	for i := c.verb + 1; c.verb >= 0 && i < len(c.toks); i++ {
		x := &c.toks[i]
		switch {
		case mark(x.kind) || x.roles&(rConj|rTail|rRel|rNow) != 0 || x.roles&rPrep != 0 && !ofs[x.fold]:
			end(i)
			detail = x.roles&rDetail != 0 || detail && x.roles&rConj != 0
		case from >= 0 || !x.says():
		case len(out) > 0 || x.roles&(rNeutral|rHolds|rNeg) == 0 && !ended(x) && x.roles&rPart == 0:
			from = i
		}
	}
	end(len(c.toks))
	if len(out) == 0 {
		return details
	}
	return out
}

// object is the first of them.
func (c *clause) object() []tok {
	if p := c.phrases(); len(p) > 0 {
		return p[0]
	}
	return nil
}

// joined tells that a phrase is one of several: no value by itself.
func (c *clause) several(phrase []tok) bool {
	at := 0
	for at < len(c.toks) && &c.toks[at] != &phrase[0] {
		at++
	}
	to := at + len(phrase)
	for at > 0 && !c.toks[at-1].says() && c.toks[at-1].roles&(rConj|rPrep) == 0 && !mark(c.toks[at-1].kind) {
		at--
	}
	if at > c.verb+1 && (c.toks[at-1].roles&rConj != 0 || c.toks[at-1].kind == ',') {
		return true
	}
	if to >= len(c.toks) {
		return false
	}
	if n := &c.toks[to]; n.roles&rConj != 0 {
		return true
	} else if n.kind != ',' || to+1 >= len(c.toks) {
		return false
	}
	return lists(&c.toks[to+1])
}

// A Clause is a part of a statement with one subject and one verb, for those who read what it says.
type Clause struct {
	Words   []string // as they stand, with commas; what this package takes for one word is in its words again
	Verb    int      // index of the verb, -1 for none
	Tail    bool     // a circumstance of the clause before: because, which
	Negated bool
	Hedged  bool // it may be so, is planned, or hangs on a condition
}

// Clauses are the parts of a statement; none of a question, and of a text that is not read. Clauses is [Parse] without what claims are
// compared by.
func Clauses(text, speaker string) []Clause {
	c := &Claim{Text: text, Speaker: speaker}
	if c.parse(); c.question {
		return nil
	}
	out := make([]Clause, 0, len(c.clauses))
	for _, k := range c.clauses {
		o := Clause{Verb: -1, Tail: k.tail, Negated: k.neg, Hedged: k.hedged}
		for i := range k.toks {
			if i == k.verb {
				o.Verb = len(o.Words)
			}
			if x := &k.toks[i]; x.fold == "'s" && len(o.Words) > 0 && i != k.verb {
				o.Words[len(o.Words)-1] += "'s"
			} else {
				o.Words = append(o.Words, strings.Fields(x.raw)...)
			}
		}
		out = append(out, o)
	}
	return out
}
