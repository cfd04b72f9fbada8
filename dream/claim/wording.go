package claim

import (
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/lexis"
)

// neutral is asked where the rules have no better words.
const neutral = "Which of these is right?"

// apart finds the attribute in which two claims differ.
func apart(a, b *Claim) (fa, fb *frame) {
	for _, ca := range a.clauses {
		for i := range ca.frames {
			for _, cb := range b.clauses {
				for k := range cb.frames {
					x, y := &ca.frames[i], &cb.frames[k]
					if x.subj.head == y.subj.head && x.attr == y.attr && ids(x.val) != ids(y.val) {
						return x, y
					}
				}
			}
		}
	}
	return nil, nil
}

// optionVerbs are the words that a side of a conflict begins with, and questions what is asked about the attribute: %s is who it is
// about.
var (
	optionVerbs = map[string]string{
		"birthday": "born in ", "birthplace": "born in ", "home": "lives in ", "employer": "works at ", "job": "works as ",
	}
	questions = map[string]string{
		"birthday": "When is %s's birthday?", "birthplace": "Where was %s born?", "home": "Where does %s live?",
		"employer": "Where does %s work?", "job": "What is %s's job?", "age": "How old is %s?",
		"marital": "What is %s's marital status?", "when": "When is %s?",
	}
)

// Option is the short text of this side of a conflict with other, "birthday on 4 March". It falls back to Text.
func (c *Claim) Option(other *Claim) string {
	f, _ := apart(c, other)
	if f == nil {
		return c.Text
	}
	v, verb := raws(f.val), optionVerbs[f.attr]
	switch {
	case v == "":
		return c.Text
	case f.attr == "birthday" && f.val[0].kind == uDate && len(f.val[0].id) >= 6:
		return "birthday on " + v
	case verb != "":
		return verb + v
	case f.attr == "age":
		return v
	case strings.HasPrefix(f.attr, "count "):
		return v + " " + strings.TrimPrefix(f.word, "number of ")
	case f.word != "" && !strings.HasPrefix(f.attr, "kin "):
		return f.word + " " + v
	}
	return c.Text
}

// Question asks a person which of two conflicting claims is right: "When is
// Noor's birthday?". It falls back to a neutral question.
func Question(a, b *Claim) string {
	f, g := apart(a, b)
	if f == nil || f.subj.pron {
		return neutral
	}
	who := f.subj.name()
	if o := g.subj.name(); len(o) < len(who) && f.subj.desc != g.subj.desc {
		who = o
	}
	if who == "" {
		return neutral
	}
	switch {
	case f.attr == "birthday" && f.val[0].kind == uDate && len(f.val[0].id) == 4:
		return "In which year was " + who + " born?"
	case questions[f.attr] != "":
		return strings.Replace(questions[f.attr], "%s", who, 1)
	case strings.HasPrefix(f.attr, "kin "):
		return "Who is " + who + "'s " + strings.TrimPrefix(f.attr, "kin ") + "?"
	case strings.HasPrefix(f.attr, "count "):
		return "How many " + strings.TrimPrefix(f.word, "number of ") + " does " + who + " have?"
	case f.word != "":
		word := strings.TrimSpace(strings.TrimPrefix(f.word, who))
		return "What is " + who + "'s " + word + "?"
	}
	return neutral
}

// name is the subject as a person reads it, without what only describes it.
func (s subject) name() string {
	n := strings.TrimSpace(s.raw)
	n = strings.TrimSuffix(n, "'s")
	if at := strings.LastIndex(n, "'s "); at >= 0 {
		rest := n[at+3:]
		if s.desc != "" { // "Alice's sister Noor"
			if f := strings.Fields(rest); len(f) > 1 {
				return strings.Join(f[1:], " ")
			}
		}
		if !strings.Contains(s.head, ">") || strings.Count(n, "'s ") > strings.Count(s.head, ">") {
			return n[:at]
		}
	}
	for _, of := range [...]string{" of ", " for ", " de ", " del ", " von "} {
		if _, right, ok := strings.Cut(n, of); ok && lexis.Fold(right) == s.head {
			return right
		}
	}
	if f := strings.Fields(n); !strings.Contains(s.head, ">") && len(f) > 1 && len(strings.Fields(s.head)) == len(f)-1 && s.tail == "" {
		return strings.Join(f[:len(f)-1], " ")
	}
	return n
}

// Trivial tells whether a text says nothing worth a page, and why. It is very conservative.
func Trivial(text string) (reason string, ok bool) {
	ws := lexis.Words(text)
	if len(ws) == 0 {
		return "no words", true
	}
	body := ws
	if name, rest, found := strings.Cut(text, ": "); found && !strings.Contains(name, " ") {
		body = lexis.Words(rest)
	} else if len(ws) > 2 && (ws[1] == "says" || ws[1] == "said") {
		body = ws[2:]
	}
	if len(body) == 0 {
		return "no words", true
	}
	if len(body) <= 6 && !slices.ContainsFunc(body, func(w string) bool { return !courtesies[w] }) {
		return "only a courtesy", true
	}
	if smallTalk(text) {
		return "small talk", true
	}
	return "", false
}

var courtesies = wordSet(`hi hello hey thanks thank you ok okay yes no yeah yep nope sure great cool nice wow lol haha bye goodbye
	please good morning night afternoon evening see later sounds perfect awesome alright welcome so much very danke bitte hallo
	tschuss gracias hola adios vale merci bonjour salut`)
