package claim

import (
	"regexp"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/lexis"
)

var (
	markup = regexp.MustCompile("[\\[\\]<>`|{}\\n\\r#*\\\\]|://|www\\.|!\\[")
	orders = regexp.MustCompile(`(?i)\b(ignore|disregard|override|forget)\b.{0,40}\b(instructions?|prompts?|rules|above` +
		`|previous|everything)\b|\b(system|developer) (prompt|message)\b|\byou (are now|must|should|have to|will)\b|^\s*(system` +
		`|assistant|user)\s*:|\b(as an ai|do not tell|execute|run the (command|tool)|call the (tool|function))\b`)
)

// Supports tells whether a text that a model wrote brings in nothing that the facts do not carry, and if it does, what. Supports judges no
// meaning: names, numbers and days of the text must be in a fact about what the text says them of; nothing is denied, or left open, that
// the facts say, nor the other way round; no word stands for its opposite; and of its other words at most one in seven may be new.
//
// The facts are read as said by nobody on no day: a day that only follows from when a fact was said must be written out in it.
func Supports(facts []string, statement string) (ok bool, why string) {
	if why := unfit(statement); why != "" {
		return false, why
	}
	src := sourcesOf(facts)
	s := Parse(statement, "", "")
	for _, f := range src.claims { // "Joanna said that she moved", of Joanna's own words
		if f.Speaker != "" && strings.HasPrefix(s.fold, lexis.Fold(f.Speaker)+" ") {
			s = Parse(statement, f.Speaker, "")
		}
	}
	for _, f := range src.claims {
		if r := Compare(f, s); r == Duplicate || r == Narrower {
			return true, ""
		}
	}
	if s.question {
		return false, "is a question"
	}
	if len(s.clauses) == 0 {
		return false, "says nothing"
	}
	if why := src.words(s); why != "" {
		return false, why
	}
	var last *tok
	for i, c := range s.clauses {
		if !c.tail || c.verb >= 0 { // "since 2012" goes on with what is before it
			last = nil
		}
		if i > 0 && c.tail && c.toks[0].roles&(rPron|rTail) == rPron|rTail { // about the last thing that the one before names: "…, who is 5"
			c.subj = s.clauses[i-1].last()
		}
		if why := src.sense(c); why != "" && (!c.tail || c.verb >= 0) {
			return false, why
		}
		if why := src.told(c, &last); why != "" {
			return false, why
		}
		if why := src.bound(c); why != "" {
			return false, why
		}
	}
	return true, ""
}

// Heading tells whether a title or heading says only what the facts carry, or names a topic as any page may have.
func Heading(facts []string, title string) (ok bool, why string) {
	if why := unfit(title); why != "" {
		return false, why
	}
	s, src := Parse(title, "", ""), sourcesOf(facts)
	for i := range s.toks {
		x := &s.toks[i]
		switch {
		case x.roles&rNeg != 0:
			return false, "denies something"
		case x.roles&(rTopic|rUser) != 0 || !x.says() || src.has(x):
		default:
			return false, "no fact has “" + x.raw + "”"
		}
	}
	return len(s.toks) > 0, ""
}

func unfit(text string) string {
	switch {
	case markup.MatchString(text):
		return "has links or markup"
	case orders.MatchString(text):
		return "reads like an instruction"
	}
	return ""
}

type sources struct {
	claims []*Claim
	all    []string // words of all
	alias  []string // names of the user
}

func sourcesOf(facts []string) *sources {
	s := &sources{}
	for _, f := range facts {
		c := Parse(f, "", "")
		s.claims = append(s.claims, c)
		s.all = append(s.all, ids(c.toks, c.me)...)
		for i := range c.toks { // also words that say nothing by themselves
			if x := &c.toks[i]; x.id != "" {
				s.all = append(s.all, x.id)
			}
		}
		for i := range c.frames {
			if fr := &c.frames[i]; fr.attr == "the name" && slices.Equal(fr.subj, []string{"user"}) {
				s.alias = append(s.alias, ids(fr.val, nil)...)
			}
		}
	}
	return s
}

func (s *sources) has(x *tok) bool {
	exact := slices.ContainsFunc(s.all, func(w string) bool { return strings.TrimPrefix(w, "^") == strings.TrimPrefix(x.id, "^") })
	return exact || (x.kind != 'P' || x.first) && !typed(x.kind) && held(x.id, s.all)
}

// words refuses what no fact has.
func (s *sources) words(c *Claim) string {
	fresh, known, opposite := "", 0, ""
	n := 0
	for i := range c.toks {
		x := &c.toks[i]
		if x.pair != "" && !s.pairs(x.pair) && s.pairs(other(x.pair)) {
			opposite = x.raw
		}
		switch {
		case !x.says() || x.roles&(rUser|rSelf|rNeg|rSign) != 0:
		case s.has(x):
			known++
		case x.kind == 'P' && !(x.first && x.roles != 0) || typed(x.kind) || x.kind == 'I':
			return "no fact has “" + x.raw + "”"
		case x.roles&rGloss == 0:
			fresh = x.raw
			n++
		}
	}
	switch {
	case opposite != "":
		return "the facts say the opposite of “" + opposite + "”"
	case n > 0 && known < 6*n:
		return "no fact has “" + fresh + "”"
	}
	return ""
}

// pairs tells whether a fact has a word of this side of a pair of opposites.
func (s *sources) pairs(side string) bool {
	return slices.ContainsFunc(s.claims, func(c *Claim) bool {
		return slices.ContainsFunc(c.toks, func(x tok) bool { return x.pair == side })
	})
}

// other is the other side of a pair of opposites.
func other(side string) string {
	return side[:len(side)-1] + string('1'+'2'-side[len(side)-1])
}

// sense refuses a clause that denies, or leaves open, what the facts that have most of its words do not, or the other way round.
func (s *sources) sense(c *clause) string {
	words := c.words
	best, same := 0, false
	for _, f := range s.claims {
		for _, k := range f.clauses {
			n := slice.Count(k.words, func(w string) bool { return held(w, words) })
			if n < best || n == 0 {
				continue
			}
			fits := k.denies() == c.denies() && k.hedged == c.hedged && !k.turned(c)
			same = fits || same && n == best
			best = n
		}
	}
	if best > 1 && !same {
		return "no fact says it in this sense (negation or possibility)"
	}
	if best <= 1 && c.denies() {
		return "no fact denies it"
	}
	return ""
}

func (c *clause) denies() bool {
	return c.neg || slices.ContainsFunc(c.matches, func(m match) bool { return m.kind == "end" || m.kind == "not" })
}

// told refuses values that the facts tell of something else, or in another order: who lent whom how much.
func (s *sources) told(c *clause, before **tok) string {
	words := slices.Concat(c.words, c.subj)
	open := len(c.subj) == 0 || c.pron || slices.ContainsFunc(c.toks, func(x tok) bool { return x.roles&(rUser|rSelf|rPoss|rPron) != 0 }) ||
		exact(c.subj, append(s.alias, "user"))
	deed := ""
	if a := c.action(); a != nil && a.says() && a.roles&(rGloss|rNeutral) == 0 && held(a.id, s.all) {
		deed = a.id
	}
	last := *before
	for i := range c.toks {
		v := &c.toks[i]
		if v.kind == ',' || v.roles&rConj != 0 {
			last, deed = nil, ""
		}
		if (v.kind != 'P' || v.first && v.roles != 0) && !typed(v.kind) || slices.Contains(s.alias, v.id) ||
			v.first && !slices.Contains(s.all, v.id) { // the capital is that of the sentence
			continue
		}
		found, both := false, last == nil
		for _, f := range s.claims {
			for _, k := range f.clauses {
				at := k.find(v)
				if deed != "" && !held(deed, ids(f.toks, f.me)) {
					continue
				}
				if at < 0 || k.hedged != c.hedged || k.denies() != c.denies() || k.left(at) && !c.left(i) {
					continue
				}
				about := without(k.subj, []string{"user"})
				same := len(about) == 0 && open || c.passive && len(c.subj) > 0 && exact(c.subj, k.words) || anyHeld(about, words)
				if !same || k.turned(c) {
					continue
				}
				found = true
				if c.tail { // what belongs together may be in two clauses of a fact
					both = both || f.find(last)
				}
				both = both || k.find(last) >= 0 && (c.passive || k.passive || !swapped(k, last, v))
			}
		}
		switch {
		case !found:
			return "no fact says “" + v.raw + "” of that"
		case !both:
			return "no fact has “" + last.raw + "” with “" + v.raw + "”"
		}
		last = v
	}
	*before = last
	return ""
}

// bound refuses what stands behind a word such as "from" or "than" where the facts have other things behind it.
func (s *sources) bound(c *clause) string {
	behind := func(c *clause, word string) (out []string) {
		for i := range c.toks {
			if c.toks[i].fold == word {
				to := i + 1
				for to < len(c.toks) && !mark(c.toks[to].kind) && c.toks[to].roles&(rPrep|rConj|rTail) == 0 {
					to++
				}
				out = append(out, ids(c.toks[i+1:to], nil)...)
			}
		}
		return out
	}
	for i := range c.toks {
		x := &c.toks[i]
		if x.roles&rBind == 0 || x.roles&rNeg != 0 {
			continue
		}
		var theirs []string
		for _, f := range s.claims {
			for _, k := range f.clauses {
				theirs = append(theirs, behind(k, x.fold)...)
			}
		}
		if mine := behind(c, x.fold); len(mine) > 0 && len(theirs) > 0 && !anyHeld(mine, theirs) {
			return "no fact has that behind “" + x.raw + "”"
		}
	}
	return ""
}

// last is the last name or thing that a clause names.
func (c *clause) last() []string {
	words := ids(c.toks, nil)
	return words[max(len(words)-1, 0):]
}

// find is where a clause has a value, -1 for nowhere.
func (c *clause) find(v *tok) int {
	return slices.IndexFunc(c.toks, func(x tok) bool { return strings.TrimPrefix(x.id, "^") == strings.TrimPrefix(v.id, "^") })
}

func (c *Claim) find(v *tok) bool {
	return v != nil && slices.ContainsFunc(c.clauses, func(k *clause) bool { return k.find(v) >= 0 })
}

// left tells whether a token is what was before: X in "from X to Y".
func (c *clause) left(at int) bool {
	return slices.ContainsFunc(c.matches, func(m match) bool { x := m.slot('X'); return x.from <= at && at < x.to })
}

// turned tells that one clause does to the other's subject what that does to its own: Bob lent Alice, Alice lent Bob.
func (c *clause) turned(o *clause) bool {
	in := func(subj []string, k *clause) bool {
		return slices.ContainsFunc(subj, func(w string) bool {
			return w != "user" && !slices.Contains(k.subj, w) && slices.ContainsFunc(k.toks, func(x tok) bool { return x.id == w })
		})
	}
	return c.passive == o.passive && c.verb >= 0 && c.toks[c.verb].roles&rBe == 0 && in(c.subj, o) && in(o.subj, c)
}

// swapped tells that a clause has two values the other way round, or with another of the kind of the second between them.
func swapped(k *clause, a, b *tok) bool {
	x, y := k.find(a), k.find(b)
	if held(a.id, k.subj) || held(b.id, k.subj) || a.kind == 'D' || b.kind == 'D' {
		return false
	}
	return y < x || y > x && slices.ContainsFunc(k.toks[x+1:y], func(t tok) bool { return t.kind == b.kind && t.id != b.id })
}

// anyHeld tells whether some of the words are held by others.
func anyHeld(some, words []string) bool {
	return slices.ContainsFunc(some, func(w string) bool { return held(w, words) })
}
