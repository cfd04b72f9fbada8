package claim

import "strings"

// A Clause is a part of a statement with one subject and one verb, for those who read what it says.
type Clause struct {
	Words   []string // as they stand, with commas; what this package takes for one word is in its words again
	Verb    int      // index of the verb, -1 for none
	Tail    bool     // a circumstance of the clause before: because, which
	Negated bool
	Hedged  bool // it may be so, is planned, or hangs on a condition
}

// Clauses are the parts of a statement; none of a question, and of a text that is not read. It is [Parse] without what claims are compared
// by.
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
