package claim

import (
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/vault"
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

// correctionOr is Correction where the claim says that it corrects something, and r where it does not.
func (c *Claim) correctionOr(r Relation) Relation {
	if c.corr {
		return Correction
	}
	return r
}

// Compare tells what later, said at or after earlier, is to it. In doubt they are Unrelated.
//
// A Change by a claim that Retracts says only that earlier is over; any other Change says what holds instead. Two questions can
// be duplicates, a question and a statement are Unrelated.
func Compare(earlier, later *Claim) Relation {
	if earlier.fold == later.fold && earlier.fold != "" && (!earlier.exact || earlier.Text == later.Text) &&
		(!earlier.dated || earlier.Day == later.Day) && (!earlier.pronoun() || earlier.Speaker == later.Speaker) {
		return Duplicate
	}
	if earlier.question != later.question || len(earlier.clauses) == 0 || len(later.clauses) == 0 {
		return Unrelated
	}
	if !earlier.pronoun() && !later.pronoun() {
		if r := containment(earlier, later); r != Unrelated {
			return r
		}
	}
	if earlier.question {
		return Unrelated
	}
	return contradiction(earlier, later)
}

// pronoun tells that the text leaves open who it is about.
func (c *Claim) pronoun() bool {
	return slices.ContainsFunc(c.clauses, func(k *clause) bool { return k.subj.pron })
}

// containment finds the relations in which nothing differs.
func containment(earlier, later *Claim) Relation {
	if earlier.gender != "" && later.gender != "" && earlier.gender != later.gender || len(later.contrasts()) > 0 {
		return Unrelated
	}
	if len(earlier.contrasts()) > 0 {
		if covers(earlier, later) {
			return Narrower
		}
		return Unrelated
	}
	up, down := covers(later, earlier), covers(earlier, later)
	switch {
	case up && down:
		return Duplicate
	case up:
		return Wider
	case down:
		return Narrower
	}
	return Unrelated
}

func (c *Claim) contrasts() []unit {
	for _, k := range c.clauses {
		if len(k.contrast) > 0 {
			return k.contrast
		}
	}
	return nil
}

// covers tells whether big says all that small says.
func covers(big, small *Claim) bool {
	used := 0
	for _, s := range small.clauses {
		if !slices.ContainsFunc(big.clauses, func(b *clause) bool { return b.covers(s) }) {
			return false
		}
		used++
	}
	if len(big.clauses) > len(small.clauses) {
		for _, b := range big.clauses {
			if b.mods != "" || b.question {
				return false
			}
		}
	}
	return used > 0
}

func (c *clause) covers(s *clause) bool {
	if (c.also != "" && c.also == s.core && slices.Equal(c.alsoAdj, s.adj) ||
		s.paired && s.also == c.core && slices.Equal(s.alsoAdj, c.adj)) && c.sense() == s.sense() && s.subj.desc == c.subj.desc {
		return true
	}
	if p := c.wedlock(); p != "" && p == s.wedlock() && c.sense() == s.sense() && len(c.chunks)+len(s.chunks) == 0 {
		return true
	}
	switch {
	case len(c.gone) > 0 && ids(c.gone) != ids(s.gone) && s.bears(c) || len(s.gone) > 0 && len(c.gone) == 0 && c.bears(s),
		len(c.gone) > 0 && len(s.gone) > 0 && ids(c.gone) != ids(s.gone), // replaced the battery, replaced the tyres
		c.past && c.again != s.again || c.today != "" && s.today != "" && c.today != s.today,
		c.core != s.core || c.sense() != s.sense() || !c.subj.same(&s.subj) || c.subj.desc == "" && s.subj.desc != "":
		return false
	}
	for _, a := range s.adj {
		if !slices.ContainsFunc(c.adj, func(b string) bool { return a == b || carries(b, a) }) {
			return false
		}
	}
	for _, b := range c.adj {
		if !slices.Contains(s.adj, b) && !slices.ContainsFunc(s.adj, func(a string) bool { return carries(b, a) }) && !c.safe(b) {
			return false
		}
	}
	return true
}

// wedlock is a pair with what they are to each other, the same from both sides.
func (c *clause) wedlock() string {
	if len(c.frames) != 1 || len(c.objs) > 0 {
		return ""
	}
	if p := c.frames[0].marriage(); p != nil {
		return c.frames[0].val[0].id + " " + p[0] + "|" + p[1]
	}
	return ""
}

// carries tells whether a fuller date holds a birthday without its year.
func carries(full, part string) bool {
	if strings.HasPrefix(part, "@marital=") {
		return strings.HasPrefix(full, part+" ")
	}
	d, ok := strings.CutPrefix(part, "@birthday=-")
	if !ok {
		return false
	}
	f, ok := strings.CutPrefix(full, "@birthday=")
	return ok && len(f) == 10 && strings.HasSuffix(f, d)
}

// safe tells whether an adjunct only adds to what a clause says without it.
func (c *clause) safe(adj string) bool {
	prep, rest, _ := strings.Cut(adj, "=")
	if strings.Contains(" "+rest+" ", " or ") {
		return false
	}
	switch prep {
	case "dt", "since", "because", "with":
		return true
	case "@job", "@employer", "@birthday", "@birthplace":
		return true
	case "in", "at", "for", "as", "to", "from", "during", "every", "on":
		return len(c.frames) > 0 || len(c.objs) > 0 && !c.copula
	}
	return false
}

// contradiction finds the relations in which something differs.
func contradiction(earlier, later *Claim) Relation {
	best := Unrelated
	for _, o := range earlier.clauses {
		for _, n := range later.clauses {
			if r := relate(earlier, later, o, n); rank(r) > rank(best) && !partly(earlier, later, o, n) {
				best = r
			}
		}
	}
	if best == Unrelated && !earlier.compound(later) {
		for _, f := range [...]func(earlier, later *Claim) Relation{aligned, moved, toggled, succeeded} {
			if best = f(earlier, later); best != Unrelated {
				break
			}
		}
	}
	if best == Conflict && retracted(earlier, later) {
		return Correction
	}
	return best
}

// retracted tells that later denies what earlier says and says in the same words what is so instead: "wasn't born in Pune, he was
// born in Nagpur".
func retracted(earlier, later *Claim) bool {
	for _, o := range earlier.clauses {
		for _, n := range later.clauses {
			if !n.neg || n.pred != o.pred || !n.subj.same(&o.subj) || n.core != o.core || o.neg || !slices.Equal(n.adj, o.adj) {
				continue
			}
			for _, k := range later.clauses {
				if k != n && !k.neg && k.pred == o.pred && k.mods == "" && k.past == o.past &&
					k.subj.same(&o.subj) && (k.core != o.core || !slices.Equal(k.adj, o.adj)) {
					return len(earlier.clauses) == 1
				}
			}
		}
	}
	return false
}

func rank(r Relation) int {
	switch r {
	case Correction:
		return 3
	case Change:
		return 2
	case Conflict:
		return 1
	}
	return 0
}

func relate(earlier, later *Claim, o, n *clause) Relation {
	if o.subj.pron || n.subj.pron {
		return Unrelated
	}
	type rule func(earlier, later *Claim, o, n *clause) Relation
	rules := [...]rule{
		byContrast, byFrame, byRetold, byEnd, byParting, byCancel, byRemoved,
		byTurned, byWork, byShift, byPolarity, byOnce, bySlot, byRefill,
	}
	few := [...]rule{byContrast, byEnd, byParting, byCancel, byRemoved, byShift, byPolarity}
	others := [...]rule{byFrame, byParting, byRemoved, byTurned, byShift}
	list := rules[:]
	switch {
	case beside(earlier, later, n):
		list = few[:]
	case len(n.contrast) == 0 && !o.subj.same(&n.subj) && !strings.Contains(n.subj.head, ">new "):
		list = others[:]
	}
	for _, f := range list {
		if r := f(earlier, later, o, n); r != Unrelated {
			return r
		}
	}
	return Unrelated
}

// beside tells that one of two values came in addition to another: "Alice also works at Bosch". What moves or is switched
// leaves the old place all the same.
func beside(earlier, later *Claim, n *clause) bool {
	if later.corr || changeVerb[n.verb.id] {
		return false
	}
	return later.also || earlier.also && !n.now
}

// replaced decides between Correction, Change and Conflict for a value that may change.
func replaced(earlier, later *Claim, n *clause) Relation {
	switch {
	case later.corr:
		return Correction
	case n.now || changeVerb[n.verb.id] || oneOf(n.verb.id, "extend", "promote", "rename") || later.Day > earlier.Day && earlier.Day != "":
		return Change
	}
	return Conflict
}

// ago tells that a date lies so many days before another: what began well before is no news since.
func ago(date string, day vault.Day, days int) bool {
	if day == "" || len(date) < 4 || date[0] < '0' || date[0] > '9' {
		return false
	}
	limit := string(vault.DayOf(day.Time().AddDate(0, 0, -days)))
	return date < limit[:min(len(date), len(limit))]
}
