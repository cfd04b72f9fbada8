package claim

import (
	"slices"
	"strings"
)

// neutral is asked where the rules have no better words.
const neutral = "Which of these is right?"

var questions = map[string]string{
	"home": "Where does %s live?", "employer": "Where does %s work?", "job": "What is %s's job?", "age": "How old is %s?",
	"bond": "What is %s's marital status?", "lead": "Who leads %s?", "status": "What is the status of %s?",
}

// Question asks a person which of two conflicting claims is right: "Where does Noor live?". Question falls back to a neutral question.
func Question(a, b *Claim) string {
	for i := range a.frames {
		f := &a.frames[i]
		if !slices.ContainsFunc(b.frames, func(g frame) bool { return g.attr == f.attr && about(f.subj, g.subj) }) {
			continue
		}
		who := f.name()
		switch {
		case who == "":
		case f.word != "" && typed(f.val[0].kind) && f.val[0].kind != 'N':
			return "When is " + who + "'s " + f.word + "?"
		case f.word != "":
			return "What is " + who + "'s " + f.word + "?"
		case questions[f.attr] != "":
			return strings.Replace(questions[f.attr], "%s", who, 1)
		}
	}
	return neutral
}

// Option is the short text of this side of a conflict with other, "birthday on 4 March". Option falls back to Text.
func (c *Claim) Option(other *Claim) string {
	for i := range c.frames {
		f := &c.frames[i]
		if f.word == "" || !slices.ContainsFunc(other.frames, func(g frame) bool { return g.attr == f.attr && about(f.subj, g.subj) }) {
			continue
		}
		words := []string{f.word}
		if f.val[0].kind == 'D' {
			words = append(words, "on")
		}
		for j := range f.val {
			words = append(words, f.val[j].raw)
		}
		return strings.Join(words, " ")
	}
	return c.Text
}

// name is the subject as a person reads it.
func (f *frame) name() string {
	var words []string
	subj := named(f.subj)
	for i := range f.from.toks {
		if x := &f.from.toks[i]; slices.Contains(subj, x.id) || x.roles&rUser != 0 && slices.Contains(subj, "user") {
			if i > 0 && f.from.toks[i-1].fold == "'s" && len(words) > 0 {
				words[len(words)-1] += "'s"
			}
			words = append(words, x.raw)
		}
	}
	return strings.Join(words, " ")
}
