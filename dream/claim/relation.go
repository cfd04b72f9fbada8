package claim

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/reverie-memory/reverie/lexis"
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
	Overtaken                  // old says several things, and new ends or corrects one of them
)

var relationNames = [...]string{"unrelated", "duplicate", "narrower", "wider", "correction", "change", "conflict", "overtaken"}

func (r Relation) String() string {
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
	if earlier.by == later.by {
		switch {
		case later.quotes(earlier):
			return Wider
		case earlier.Day == later.Day && earlier.quotes(later): // on another day it may be said because it holds again
			return Narrower
		}
	}
	if earlier.question != later.question || len(earlier.clauses) == 0 || len(later.clauses) == 0 {
		return Unrelated
	}
	if r := containment(earlier, later); r != Unrelated {
		return r
	}
	if earlier.question {
		return Unrelated
	}
	for _, o := range earlier.states {
		for _, n := range later.clauses {
			if r := after(earlier, later, o, n); r != Unrelated && earlier.sole {
				return r
			} else if r == Change || r == Correction || r == Overtaken {
				return Overtaken
			}
		}
	}
	if h := later.hearsay; h != nil && slices.ContainsFunc(h.clauses, (*clause).denies) {
		if r := Compare(earlier, h); r == Change || r == Correction || r == Conflict {
			return Conflict // somebody else said so: the person is asked
		}
	}
	return Unrelated
}

// after is what a clause of a later statement is to one of an earlier one that may end.
func after(earlier, later *Claim, o, n *clause) Relation {
	if n.tail || n.verb < 0 || n.hedged || n.pron || n.decided && slices.ContainsFunc(later.clauses, (*clause).ahead) {
		return Unrelated
	}
	if r := byDenial(earlier, later, o, n); r != Unrelated || n.neg || o.denies() || !later.active {
		return r
	}
	for _, rule := range [...]func(earlier, later *Claim, o, n *clause) Relation{byEnd, bySwap, byFrame, byValue, byCorrection} {
		if r := rule(earlier, later, o, n); r != Unrelated {
			return r
		}
	}
	return Unrelated
}

// byDenial finds the same words of the same subject, of which one statement denies what the other says.
func byDenial(earlier, later *Claim, o, n *clause) Relation {
	past := n.past && !o.past && slices.ContainsFunc(n.toks, func(x tok) bool { return never[x.fold] })
	if o.neg == n.neg || o.past || n.past && !past || !about(o.subj, n.subj) || !sameWords(o, n) ||
		earlier.dated || later.dated || o.limited() || n.limited() {
		return Unrelated
	}
	switch {
	case later.corr, past:
		return Correction
	case n.new():
		return Change
	}
	return Conflict
}

// limited tells a clause with a circumstance, which words are not compared for, or one that says so of several.
func (c *clause) limited() bool {
	return slices.ContainsFunc(c.toks, func(x tok) bool { return x.aside || x.roles&rAlso != 0 })
}

var never = lexis.Set("never nie niemals nunca jamas")

// sameWords tells whether two clauses say the same, or one the opposite of the other, whoever they are about and whatever their order.
func sameWords(a, b *clause) bool {
	rest := func(c *clause) []string {
		said := slices.DeleteFunc(slices.Clone(c.toks), func(x tok) bool { return x.roles&rNeg != 0 })
		return slices.Sorted(slices.Values(without(ids(said, nil), c.subj)))
	}
	return slices.Equal(rest(a), rest(b))
}

// minQuoted is how many bytes of a quotation tell that it is another one's, when it stands in that.
const minQuoted = 12

// quotes tells whether a quotation is all that short is one of, behind the same words of others and of the same day where that counts.
func (c *Claim) quotes(short *Claim) bool {
	return (!short.dated || short.Day == c.Day) && (short.heard == "" || strings.Contains(c.heard, short.heard)) &&
		quotes(c.quoted, short.quoted)
}

// quotes tells whether whole sentences of a quotation are all of another.
func quotes(long, short string) bool {
	if len(short) < minQuoted || len(long) <= len(short) {
		return false
	}
	for from := 0; ; from++ {
		i := strings.Index(long[from:], short)
		if i < 0 {
			return false
		}
		from += i
		before, after := strings.TrimRight(long[:from], " "), strings.TrimLeft(long[from+len(short):], " ")
		if (before == "" || strings.HasSuffix(before, ".") || strings.HasSuffix(before, "!") || strings.HasSuffix(before, "…")) &&
			(after == "" || strings.HasPrefix(after, ".") || strings.HasPrefix(after, "!") || strings.HasPrefix(after, "…")) {
			return true
		}
	}
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

// ahead tells a clause about what is to come, or may: what was decided beside it has not happened yet.
func (c *clause) ahead() bool {
	return c.hedged || slices.ContainsFunc(c.toks, func(x tok) bool { return x.kind == 'D' || x.roles&rRel != 0 })
}

// mayEnd finds the clauses of a statement that may end, plain ones; sole tells that there is one, with nothing beside it but circumstances.
func (c *Claim) mayEnd() (states []*clause, sole bool) {
	others := 0
	for _, k := range c.clauses {
		switch {
		case k.tail && !k.scope:
		case k.tail || k.verb < 0 || k.hedged || k.list || k.pron || len(k.subj) == 0:
			others++
		default:
			states = append(states, k)
		}
	}
	return states, len(states)+others == 1
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
	if a.verb < 0 || b.verb < 0 {
		return a.verb < 0 && b.verb < 0 && slices.Equal(says(a), says(b))
	}
	return a.passive != b.passive || slices.Equal(slices.Sorted(slices.Values(a.subj)), slices.Sorted(slices.Values(b.subj)))
}

// sameOrder tells whether the values of two statements come in the same order: who lent whom how much. What belongs to the subject may
// stand in any.
func sameOrder(a, b *Claim) bool {
	cut := func(c *Claim) []string {
		subj := c.main().subj
		return slices.DeleteFunc(slices.Clone(c.values), func(w string) bool { return slices.Contains(subj, w) })
	}
	return slices.Equal(cut(a), cut(b)) || len(cut(a)) < 2
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
