package derive

import (
	_ "embed"
	"maps"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/graph"
	"github.com/reverie-memory/reverie/lexis"
)

//go:embed core.txt
var coreText string

// A pattern is a way to say something: a line of the table has several.
type pattern struct {
	predicate, kind, object    string
	self, one, alone, reversed bool
	tokens                     [][]string // words of which one stands there, or a slot
}

// A table is what is known of words.
type table struct {
	patterns map[string][]*pattern // by the first word
	phrases  map[string][]*pattern // behind states, by the first word of the phrase
	people   map[string]string     // what somebody is to somebody, by what it is called
	pets     map[string]bool
	offices  map[string]bool
	groups   map[string]bool
}

var core = sync.OnceValue(func() table {
	t := table{map[string][]*pattern{}, map[string][]*pattern{}, map[string]string{}, map[string]bool{}, map[string]bool{}, map[string]bool{}}
	for line := range strings.Lines(coreText) {
		head, body, ok := strings.Cut(strings.TrimSpace(line), " : ")
		if !ok || head[0] == '#' {
			continue
		}
		fields := strings.Fields(head)
		switch {
		case fields[0] == "people":
			for w := range strings.FieldsSeq(body) {
				t.people[lexis.Fold(w)] = fields[1]
			}
			continue
		case fields[0] == "pets", fields[0] == "offices", fields[0] == "groups":
			of := map[string]map[string]bool{"pets": t.pets, "offices": t.offices, "groups": t.groups}[fields[0]]
			for w := range strings.FieldsSeq(body) {
				of[lexis.Fold(w)] = true
			}
			continue
		}
		for way := range strings.SplitSeq(body, ", ") {
			p := &pattern{predicate: fields[0], kind: fields[1], object: fields[2]}
			way, p.self = strings.CutPrefix(way, "^")
			way, p.one = strings.CutPrefix(way, "=")
			way, p.alone = strings.CutPrefix(way, "!")
			way, p.reversed = strings.CutPrefix(way, "<")
			p.read(way)
			for _, first := range p.tokens[0] {
				t.patterns[first] = append(t.patterns[first], p)
			}
		}
	}
	for _, ph := range graph.Phrases() {
		object := "name"
		if ph.Object == "group" {
			object = ph.Object
		}
		for _, verb := range []string{states, states + " a/an/the/ein/eine/der/die/un/una/el/la", "have/has been"} {
			p := &pattern{predicate: ph.Predicate, kind: "hold", object: object, reversed: ph.Reversed}
			p.read(verb + " " + ph.Words + " O")
			first := lexis.Fold(strings.Fields(ph.Words)[0])
			t.phrases[first] = append(t.phrases[first], p)
		}
	}
	return t
})

// states are verbs that say with a phrase of the graph's own what holds: is written in, ist Mitglied von, está alojado en.
const states = "am/is/are/bin/ist/sind/estoy/esta/estan/soy/es/son"

var stative = lexis.Set(strings.ReplaceAll(states, "/", " ") + " have has")

// read takes in the words of a pattern.
func (p *pattern) read(way string) {
	for token := range strings.FieldsSeq(way) {
		if !slots[token] {
			token = lexis.Fold(token)
		}
		p.tokens = append(p.tokens, strings.Split(token, "/"))
	}
}

var slots = lexis.Set("O W T R P _")

var (
	selves   = lexis.Set("i me we us ich wir mich yo nosotros")
	ownings  = lexis.Set("my our mein meine meinen meiner meinem unser unsere unseren mi mis nuestro nuestra")
	others   = lexis.Set("his her their sein seine ihr ihre su sus")
	pronouns = lexis.Set("he she they er sie el ella")
	articles = lexis.Set("the a an der die das den dem ein eine einen el la los las un una")
	named    = lexis.Set("called named namens llamado llamada")
	// fresh say that it is so now; former, that it was: "my old boss" is nobody's now, if he is not just old.
	fresh   = lexis.Set("new current latest neue neuer neues neuen aktuelle aktueller nueva nuevo actual")
	former  = lexis.Set("old former ex previous late last first alte alter ehemalige ehemaliger fruhere fruherer antigua antiguo anterior")
	ands    = lexis.Set("and und y e &")
	small   = lexis.Set("of de van von der den la le di da del")
	fillers = lexis.Set(`now also currently still already just recently finally too both even actually well then so back since
		meanwhile today yesterday
		jetzt auch noch schon gerade inzwischen mittlerweile seit kurzem heute ahora también tambien todavía todavia
		actualmente aún ya hoy`)
	cuts = lexis.Set(`in at on near from into onto over by for about with without to because since so that which who whom whose
		where while although but
		if when as until before after than instead and or together still again either here there anymore mehr this that thats
		hier aquí full-time part-time now too also
		auf aus bei mit für fur von zu und oder aber weil wo seit als nach en con por para desde porque que y pero donde`)
)

// between are the words that may stand within a pattern.
var between = func() map[string]bool {
	out := maps.Clone(fillers)
	maps.Copy(out, selves)
	out[timeMark] = true
	return out
}()

func capital(w string) bool {
	r, _ := utf8.DecodeRuneInString(w)
	return unicode.IsUpper(r) || unicode.IsDigit(r) && strings.ContainsFunc(w, unicode.IsUpper)
}

// owner takes a possessive off a word: Maria's.
func owner(w string) (string, bool) {
	for _, end := range []string{"'s", "’s", "'", "’"} {
		if name, ok := strings.CutSuffix(w, end); ok && name != "" {
			return name, true
		}
	}
	return w, false
}

// A match is where a pattern stands in words, and what stands in its slots.
type match struct {
	*pattern
	self  bool // the speaker is named behind the verb
	bare  bool // the verb is not in the form for one who is named
	slots map[string][]string
}

// misses are the tokens that stand nowhere in words from some place on. Whoever looks for patterns at one word after the other keeps them,
// so that what follows a slot is looked for once.
type misses map[*[]string]bool

// matches finds the patterns that stand at the beginning of words.
func matches(words []string, lost misses) (out []match) {
	first := lexis.Fold(words[0])
	try := func(list []*pattern) {
		for _, p := range list {
			m := match{pattern: p}
			if m.at(words, p.tokens, lost) {
				out = append(out, m)
			}
		}
	}
	try(core().patterns[first])
	for i := 1; i < min(len(words), 6) && stative[first]; i++ {
		try(core().phrases[lexis.Fold(words[i])])
	}
	return out
}

// at says whether tokens stand at the beginning of words.
func (m *match) at(words []string, tokens [][]string, lost misses) bool {
	if len(tokens) == 0 {
		return m.object != "none" || len(object(words)) == 0
	}
	if slot := tokens[0][0]; slots[slot] {
		if len(tokens) == 1 {
			m.fill(slot, words)
			return len(object(words)) > 0
		}
		for n := 1; n < len(words) && !lost[&tokens[1]]; n++ {
			if m.at(words[n:], tokens[1:], lost) {
				m.fill(slot, words[:n])
				return true
			}
		}
		lost[&tokens[1]] = true
		return false
	}
	for i, w := range words {
		f := lexis.Fold(w)
		for _, token := range tokens[0] {
			if f == token && m.at(words[i+1:], tokens[1:], lost) {
				other := tokens[0][len(tokens[0])-1]
				m.bare = m.bare || f != other && (other == f+"s" || other == "has" || strings.HasSuffix(other, "ies"))
				return true
			}
		}
		if i == 3 || !between[f] {
			return false
		}
		m.self = m.self || selves[f]
	}
	return false
}

func (m *match) fill(slot string, words []string) {
	if m.slots == nil {
		m.slots = map[string][]string{}
	}
	m.slots[slot] = words
}

// object cuts off what follows an object. What begins with an article goes on over a place, as in "the library in Mainz".
func object(words []string) []string {
	for len(words) > 0 && (words[0] == "," || lexis.Fold(words[0]) == timeMark || fillers[lexis.Fold(words[0])]) {
		words = words[1:]
	}
	for i, w := range words {
		f := lexis.Fold(w)
		place := i > 0 && articles[lexis.Fold(words[0])] && (f == "in" || f == "at" || f == "on" || f == "en") &&
			i+1 < len(words) && capital(words[i+1])
		if f == timeMark || w == "," || (i > 0 || !capital(w)) && cuts[f] && !place {
			return words[:i]
		}
	}
	return words
}
