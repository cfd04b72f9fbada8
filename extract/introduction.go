package extract

import (
	"slices"
	"strconv"
	"strings"

	"github.com/reverie-memory/reverie/lexis"
)

// introduction takes apart how people introduce themselves ("I'm Judith Brandt, 41, I live in Leipzig with my husband Tobias and our kids
// Emil (7) and Frieda (4)"): each part is a sentence that says one thing of them. introduction returns none of what is no introduction, or
// has a part that is not understood.
func introduction(c clause) []clause {
	if c = strip(c); c.asking() || c.aboutOther() {
		return nil
	}
	var parts []string
	met := false
	if at, end := c.ownName(); at > 0 {
		if end == len(c.words) {
			return nil
		}
		parts = append(parts, "My name is "+strings.TrimSpace(lexis.OneLine(clause{words: c.words[at:end]}.String(), "")))
		c, met = c.from(end), true
	}
	for len(c.words) > 0 {
		if w := c.at(0); w == "and" && len(c.words) > 1 {
			c = c.from(1)
			continue
		}
		n := c.partEnd()
		part := c.between(0, n)
		words := strings.Trim(part.String(), " ,.;:!")
		switch n1, err := strconv.Atoi(c.at(0)); {
		case err == nil && n1 > 1 && n1 < 120 && (n == 1 || strings.HasPrefix(c.at(1), "year")) && len(parts) > 0:
			parts = append(parts, "I'm "+words)
		case (c.at(0) == "a" || c.at(0) == "an" || c.at(0) == "from") && len(parts) > 0:
			parts = append(parts, "I'm "+words)
		case c.at(0) == "i" || c.at(0) == "i'm" || c.at(0) == "my" || c.at(0) == "we":
			own, theirs := part.companions()
			parts = append(append(parts, own), theirs...)
			met = met || len(theirs) > 0
		default:
			return nil
		}
		c = c.from(n)
	}
	if len(parts) < 2 || !met {
		return nil
	}
	out := make([]clause, len(parts))
	for i, p := range parts {
		out[i] = scan(p + ".")
	}
	return out
}

// aboutOther tells a clause that speaks to somebody or hangs on a condition.
func (c clause) aboutOther() bool { return addresses(c) || c.hasAny(supposing) }

// ownName is where the name stands that the speaker gives as theirs at the beginning of a clause, and where it ends; 0 for none.
func (c clause) ownName() (at, end int) {
	for _, p := range [...]string{"i'm", "im", "i am", "my name is", "my name's", "i'm called", "i am called"} {
		n, ok := c.hasPhrase(0, p)
		if !ok || n >= len(c.words) || !upperFirst(c.words[n].text) || !named(c, n) || peoples[c.at(n)] {
			continue
		}
		if end := nameEnd(c, n); end == len(c.words) || pause(c.words[end].gap) || c.at(end) == "and" {
			return n, end
		}
	}
	return 0, 0
}

// partEnd is where the first part of an introduction ends: at a pause behind which the next one begins, or at "and I".
func (c clause) partEnd() int {
	for i := 1; i < len(c.words); i++ {
		next, joined := c.at(i), false
		if next == "and" {
			next, joined = c.at(i+1), true
		}
		comma := pause(c.words[i].gap)
		switch {
		case !comma && !(joined && hasClause(c.words[:i])):
		case next == "i", next == "i'm", next == "i've", next == "my" && !c.listed(i),
			comma && (next == "a" || next == "an" || next == "from"):
			return i
		}
	}
	return len(c.words)
}

// listed tells that "my" at word i, or behind it, goes on with those who were named with "with my".
func (c clause) listed(i int) bool {
	return slices.ContainsFunc(c.words[:i], func(w word) bool { return w.low == "with" })
}

// companions takes from "I live in Leipzig with my husband Tobias and our kids Emil (7) and Frieda (4)" who else there is. What of
// it is not understood stays where it is.
func (c clause) companions() (own string, theirs []string) {
	own = strings.Trim(c.String(), " ,.;:!")
	with := slices.IndexFunc(c.words, func(w word) bool { return w.low == "with" })
	if with < 3 || c.at(1) != "live" && c.at(1) != "living" {
		return own, nil
	}
	var ages []string
	for i := with + 1; i < len(c.words); {
		if c.at(i) == "and" {
			i++
			continue
		}
		if (c.at(i) != "my" && c.at(i) != "our") || !people[strings.TrimSuffix(c.at(i+1), "s")] && c.at(i+1) != "children" {
			return own, nil
		}
		kin, from := c.at(i+1), i+2
		var names []string
		i = from
		for i < len(c.words) {
			at := i
			if c.at(at) == "and" {
				at++
			}
			if at >= len(c.words) || !upperFirst(c.words[at].text) || !named(c, at) {
				break
			}
			name := c.words[at].text
			for i = at + 1; i < len(c.words) && upperFirst(c.words[i].text) && strings.TrimSpace(c.words[i].gap) == ""; i++ {
				name += " " + c.words[i].text
			}
			if i < len(c.words) && isDigits(c.at(i)) && strings.Contains(c.words[i].gap, "(") {
				ages = append(ages, name+" is "+c.at(i)+" years old")
				i++
			}
			names = append(names, name)
		}
		switch len(names) {
		case 0:
			return own, nil
		case 1:
			theirs = append(theirs, "My "+kin+" is "+names[0])
		default:
			last := len(names) - 1
			theirs = append(theirs, "My "+kin+" are "+strings.Join(names[:last], ", ")+" and "+names[last])
		}
	}
	return strings.Trim(c.between(0, with).String(), " ,.;:!"), append(theirs, ages...)
}

// peoples are what one can be that is written like a name.
var peoples = lexis.Set(`german english french spanish italian dutch polish swiss austrian danish swedish norwegian finnish russian
	ukrainian turkish greek irish scottish british american canadian mexican brazilian indian chinese japanese korean jewish muslim
	christian catholic protestant hindu buddhist european african asian australian czech hungarian romanian portuguese`)

var supposing = lexis.Set("if when unless because hope whether")
