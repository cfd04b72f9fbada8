package extract

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/lexis"
)

type modelFact struct {
	Message  int      `json:"message"`
	Category string   `json:"category"`
	Text     string   `json:"text"`
	Tags     []string `json:"tags"`
	Entities []string `json:"entities"`
	Quote    string   `json:"quote"`
	About    string   `json:"about"`
	Triples  []Triple `json:"triples"`
}

// A turnAnswer is what an answer says about one turn: its facts that hold, or why it is of no use.
type turnAnswer struct {
	facts []Fact
	err   error
}

// errUseless is in errors about answers that arrived and say nothing that can be used.
var errUseless = errors.New("the model's answer is of no use")

// checkAnswer takes out of an answer the facts that hold, and puts those of each turn under it. A turn that the answer does not name was
// not read; neither was one that has facts of which none holds: then the model did not understand. What is said of turns that were not
// asked about counts for nothing.
func checkAnswer(text string, parts []part) ([]turnAnswer, error) {
	turns, err := parseAnswer(text, len(parts) == 1)
	if err != nil {
		return nil, err
	}
	answers := make([]turnAnswer, len(parts))
	first := 1 // number of the turn's first message
	for i, p := range parts {
		if given, named := turns[i+1]; named {
			answers[i] = p.check(given, first)
		} else {
			answers[i].err = errors.New("the answer leaves it out")
		}
		if answers[i].err != nil && err == nil {
			err = fmt.Errorf("%w: turn %d: %w", errUseless, i+1, answers[i].err)
		}
		first += len(p.messages)
	}
	return answers, err
}

// parseAnswer returns the facts of each turn that the answer names, by its number.
func parseAnswer(text string, single bool) (map[int][]modelFact, error) {
	type facts struct {
		Turn  int          `json:"turn"`
		Facts *[]modelFact `json:"facts"`
	}
	var answer struct {
		facts
		Turns []facts `json:"turns"`
	}
	start, end := strings.IndexByte(text, '{'), strings.LastIndexByte(text, '}')
	if start < 0 || end < start {
		return nil, fmt.Errorf("%w: it is not JSON", errUseless)
	}
	if err := json.Unmarshal([]byte(text[start:end+1]), &answer); err != nil {
		return nil, fmt.Errorf("%w: %w", errUseless, err)
	}
	if single && answer.Facts != nil {
		answer.Turns = []facts{{1, answer.Facts}}
	}
	turns := map[int][]modelFact{}
	for _, t := range answer.Turns {
		if t.Facts != nil {
			turns[t.Turn] = append(turns[t.Turn], *t.Facts...)
		}
	}
	if len(turns) == 0 {
		return nil, fmt.Errorf(`%w: it has no "%s"`, errUseless, map[bool]string{true: "facts", false: "turns"}[single])
	}
	return turns, nil
}

// check takes the facts of a turn that hold. first is the number of its first message.
func (p part) check(given []modelFact, first int) turnAnswer {
	slices.SortStableFunc(given, func(a, b modelFact) int { return cmp.Compare(a.Message, b.Message) })
	var facts []Fact
	for _, f := range given {
		f.Message -= first - 1
		if fact, ok := f.check(p.messages); ok && len(facts) < modelFacts {
			facts = append(facts, fact)
		}
	}
	if len(facts) == 0 && len(given) > 0 {
		return turnAnswer{err: errors.New("no fact rests on its messages: quotes must stand there letter by letter")}
	}
	return turnAnswer{facts: facts}
}

// check tells whether a fact holds and brings it into form.
func (f modelFact) check(turn []Message) (Fact, bool) {
	if f.Message < 1 || f.Message > len(turn) || !eligible(turn[f.Message-1]) {
		return Fact{}, false
	}
	m := turn[f.Message-1]
	text := strings.TrimRight(strings.Join(strings.Fields(f.Text), " "), ". ")
	quote := strings.TrimSpace(f.Quote)
	said, sure := ownWords(spoken(m.Text), nameOf(m.Speaker))
	if text == "" || len(text) > 2*maxFact || !utf8.ValidString(text) || quote == "" ||
		!strings.Contains(lexis.Fold(said), lexis.Fold(quote)) ||
		!strings.Contains(lexis.Fold(said[:sure]), lexis.Fold(quote)) && ordering(text) {
		return Fact{}, false
	}
	out := Fact{
		Drawer: m.Drawer, Category: f.Category, Text: text, Quote: quote, Entities: labels(f.Entities, maxEntities, false),
		Tags: labels(f.Tags, maxTags, true), Beside: beside(text, m, turn),
	}
	if !slices.Contains(Categories(), out.Category) {
		out.Category = General
	}
	out.About, out.Triples = isoDay(f.About), CheckTriples(f.Triples, text+" "+said, m.Speaker)
	return out, true
}

// beside are the drawers of the messages before a turn of which a fact has words that its own message does not.
func beside(text string, m Message, turn []Message) (drawers []string) {
	own := lexis.Terms(m.Text + " " + m.Speaker)
	text = strings.Join(slices.DeleteFunc(lexis.Terms(text), func(t string) bool { return slices.Contains(own, t) }), " ")
	for _, b := range turn {
		said := lexis.Terms(b.Text + " " + b.Speaker)
		if b.Before && slices.ContainsFunc(strings.Fields(text), func(t string) bool { return slices.Contains(said, t) }) {
			drawers = append(drawers, b.Drawer)
		}
	}
	return drawers
}

// isoDay is a day as YYYY-MM-DD, or "" for what is none.
func isoDay(s string) string {
	if _, err := time.Parse(time.DateOnly, s); err != nil {
		return ""
	}
	return s
}

// CheckTriples takes the triples of a model's answer that hold: both names stand in the text, or are the speaker's; of what tells a name
// from others of the name, in brackets behind it, each word does.
func CheckTriples(list []Triple, text, speaker string) []Triple {
	var out []Triple
	text, speaker = lexis.Fold(text), lexis.Fold(speaker)
	known := lexis.Words(text + " " + speaker + " " + speaker + "s")
	stands := func(name string) bool {
		base, told, _ := strings.Cut(strings.TrimSuffix(lexis.Fold(name), ")"), " (")
		own := strings.TrimPrefix(base, speaker+"'s ")
		return base != "" && (base == speaker || strings.Contains(text, base) || speaker != "" && strings.Contains(text, own)) &&
			!slices.ContainsFunc(lexis.Words(told), func(w string) bool { return w != "s" && !slices.Contains(known, w) })
	}
	for _, t := range list {
		ends := []string{oneLine(t.Subject), oneLine(t.Predicate), oneLine(t.Object)}
		t = Triple{ends[0], ends[1], ends[2], isoDay(t.From), isoDay(t.To)}
		if t.Predicate != "" && stands(t.Subject) && stands(t.Object) && !slices.Contains(out, t) && len(out) < maxTriples {
			out = append(out, t)
		}
	}
	return out
}

// CheckNames takes the names of a model's answer that stand in the text.
func CheckNames(list []string, text string) []string {
	text = lexis.Fold(text)
	return labels(slices.DeleteFunc(slices.Clone(list), func(name string) bool {
		return !strings.Contains(text, lexis.Fold(oneLine(name)))
	}), maxEntities, false)
}

// maxTriples are those of one text, the first ones stay; maxLabel is how many bytes a name has at most.
const (
	maxTriples = 8
	maxLabel   = 64
)

// oneLine brings a name into form; "" where it is too long for one.
func oneLine(s string) string {
	if s = strings.Join(strings.Fields(strings.ReplaceAll(s, "`", "")), " "); len(s) > maxLabel {
		return ""
	}
	return s
}

// labels brings names or tags into form: one line, no doubles, not too many. A tag is one word in lower case.
func labels(list []string, limit int, tag bool) []string {
	var out []string
	for _, s := range list {
		s = oneLine(s)
		if tag {
			s = strings.ReplaceAll(strings.ToLower(strings.Trim(s, "# ")), " ", "-")
		}
		if s != "" && !slices.Contains(out, s) && len(out) < limit {
			out = append(out, s)
		}
	}
	return out
}
