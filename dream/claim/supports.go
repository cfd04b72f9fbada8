package claim

import (
	"regexp"
	"slices"
	"strings"
)

var (
	markup = regexp.MustCompile("[\\[\\]<>`|{}\\n\\r#*\\\\]|://|www\\.|!\\[")
	orders = regexp.MustCompile(`(?i)\b(ignore|disregard|override|forget)\b.{0,40}\b(instructions?|prompts?|rules|above` +
		`|previous|everything)\b|\b(system|developer) (prompt|message)\b|\byou (are now|must|should|have to|will)\b|^\s*(system` +
		`|assistant|user)\s*:|\b(as an ai|do not tell|execute|run the (command|tool)|call the (tool|function))\b`)
)

// Supports tells whether every name, number, date, unit, negation, modality
// and content word of the statement is carried by the facts, and if not, which
// one is not. It is for text that a model wrote: function words are free,
// synonyms of the lexicon are allowed, links, markup and instructions are not.
//
// The facts are read as said by nobody on no day: a day that only follows from
// when a fact was said must be written out in it.
func Supports(facts []string, statement string) (ok bool, why string) {
	if markup.MatchString(statement) {
		return false, "has links or markup"
	}
	if orders.MatchString(statement) {
		return false, "reads like an instruction"
	}
	s := Parse(statement, "", "")
	if len(s.clauses) == 0 {
		return false, "says nothing"
	}
	parsed := make([]*Claim, 0, len(facts))
	for _, f := range facts {
		p := Parse(f, "", "")
		if r := Compare(p, s); (r == Duplicate || r == Narrower) && s.question == p.question {
			return true, ""
		}
		parsed = append(parsed, p)
	}
	if s.question {
		return false, "is a question"
	}
	for _, c := range s.clauses {
		if why := c.unsupported(parsed); why != "" {
			return false, why
		}
	}
	return true, ""
}

// content lists the units that a clause must not invent, in order.
func (c *clause) content() []unit {
	var out []unit
	add := func(us []unit) {
		for _, u := range us {
			switch u.kind {
			case uPrep, uConj, uPoss, uComma, uBe, uHave, uStop:
			default:
				out = append(out, u)
			}
		}
	}
	if !c.copula && c.pred != "have" && len(c.frames) == 0 && c.pred != "" && c.pred != "-" {
		out = append(out, unit{kind: uVerb, id: c.pred, raw: c.verb.raw})
	}
	for _, f := range c.frames {
		out = append(out, unit{kind: uAttr, id: "@" + f.attr, raw: f.word})
		add(f.val)
	}
	add(c.objs)
	for _, k := range c.chunks {
		switch k.prep {
		case "by", "until", "before", "after", "since", "than", "over", "against", "to", "from", "every", "per", "near", "under", "above":
			out = append(out, unit{kind: uPrep, id: "^" + k.prep, raw: k.prep})
		}
		add(k.units)
	}
	return out
}

// unsupported names what of a clause no fact carries. Only facts about its subject, said in the
// same sense, can carry it.
func (c *clause) unsupported(facts []*Claim) string {
	if len(c.contrast) > 0 {
		return "denies something"
	}
	var cands [][]unit
	subject, sense := false, false
	for _, f := range facts {
		for _, k := range f.clauses {
			if !k.subj.same(&c.subj) {
				continue
			}
			subject = true
			if k.sense() != c.sense() || f.question {
				continue
			}
			sense = true
			if k.pred != c.pred {
				continue
			}
			cands = append(cands, k.content())
		}
	}
	switch {
	case !subject:
		return "no fact is about " + c.subj.raw
	case !sense:
		return "no fact says it in this sense (negation, time or possibility)"
	}
	want := c.content()
	for _, u := range want {
		if !slices.ContainsFunc(cands, func(k []unit) bool { return indexOf(k, u) >= 0 }) {
			return "no fact has " + strings.TrimLeft(u.label(), "@^")
		}
	}
	return c.disordered(want, cands)
}

func (u unit) label() string {
	if u.raw != "" {
		return "“" + u.raw + "”"
	}
	return u.id
}

func indexOf(us []unit, u unit) int {
	return slices.IndexFunc(us, func(x unit) bool { return x.id == u.id })
}

// disordered refuses values that stand together in no fact: who lent whom, which amount is whose.
func (c *clause) disordered(want []unit, cands [][]unit) string {
	for i := 1; i < len(want); i++ {
		a, b := want[i-1], want[i]
		if !isValue(b) {
			continue
		}
		fine := slices.ContainsFunc(cands, func(k []unit) bool {
			x, y := indexOf(k, a), indexOf(k, b)
			if x < 0 || y <= x {
				return false
			}
			for _, between := range k[x+1 : y] {
				if between.kind == b.kind {
					return false
				}
			}
			return true
		})
		if !fine {
			return "no fact has " + a.label() + " with " + b.label()
		}
	}
	return ""
}

func isValue(u unit) bool {
	switch u.kind {
	case uName, uIdent, uNum, uQty, uDate, uTime:
		return true
	}
	return classes()[u.id] != ""
}
