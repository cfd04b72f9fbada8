package derive

import (
	_ "embed"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/graph"
	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/lexis"
)

//go:embed core.txt
var coreText string

// A pattern is a way to say something: a line of the table has several.
type pattern struct {
	predicate, kind, object    string
	self, one, alone, reversed bool
	thing, data                bool       // its subject is a thing, or what is kept and sent
	event                      bool       // the verb alone tells what happened: sold, moved
	lasting                    bool       // it has been so: true now where the time says since when
	vague                      bool       // it was so, at least once: said of a stretch of time only
	tokens                     [][]string // words of which one stands there, or a slot
}

// A table is what is known of words.
type table struct {
	patterns map[string][]*pattern // by the first word
	phrases  map[string][]*pattern // behind auxiliaries, by the first word of the phrase
	people   map[string]string     // what somebody is to somebody, by what it is called
	lists    map[string]map[string]bool
	rewrites []rewrite           // of what is said in other words
	forms    map[string][]string // of irregular verbs: third person, past, participle, with -ing
}

// school says whether a name is one of a school.
func (t table) school(name string) bool {
	return slices.ContainsFunc(strings.Fields(lexis.Fold(name)), func(w string) bool { return t.is("schools", w) })
}

// is says whether a word is on a list of the table.
func (t table) is(list, word string) bool {
	return t.lists[list][word] || (list == "clubs" || list == "schools" || list == "groups") && t.compound(list, word)
}

// compound says whether the last part of a word is one of a list: Turnverein, Goetheschule.
func (t table) compound(list, word string) bool {
	for part := range t.lists["compounds"] {
		if len(word) > len(part) && strings.HasSuffix(word, part) && t.lists[list][part] {
			return true
		}
	}
	return false
}

var core = sync.OnceValue(func() table {
	t := table{
		patterns: map[string][]*pattern{}, phrases: map[string][]*pattern{}, people: map[string]string{},
		lists: map[string]map[string]bool{}, forms: map[string][]string{},
	}
	var lines [][2]string
	for line := range strings.Lines(coreText) {
		head, body, ok := strings.Cut(strings.TrimSpace(line), " : ")
		if !ok || head[0] == '#' {
			continue
		}
		switch fields := strings.Fields(head); {
		case fields[0] == "people":
			for w := range strings.FieldsSeq(body) {
				t.people[lexis.Fold(w)] = fields[1]
			}
		case fields[0] == "rewrite":
			t.rewrites = append(t.rewrites, rewriteOf(body))
		case fields[0] == "forms":
			for verb := range strings.SplitSeq(body, ", ") {
				f := strings.Fields(verb)
				t.forms[f[0]] = f[1:]
			}
		case len(fields) == 1:
			if t.lists[fields[0]] == nil {
				t.lists[fields[0]] = map[string]bool{}
			}
			for w := range strings.FieldsSeq(body) {
				t.lists[fields[0]][lexis.Fold(w)] = true
			}
		default:
			lines = append(lines, [2]string{head, body})
		}
	}
	for _, line := range lines {
		f := strings.Fields(line[0])
		for way := range strings.SplitSeq(line[1], ", ") {
			p := pattern{predicate: f[0], kind: f[1], object: f[2]}
			way, p.self = strings.CutPrefix(way, "^")
			way, p.one = strings.CutPrefix(way, "=")
			way, p.alone = strings.CutPrefix(way, "!")
			way, p.reversed = strings.CutPrefix(way, "<")
			way, p.thing = strings.CutPrefix(way, "~")
			if way, p.data = strings.CutPrefix(way, "%"); p.data {
				p.thing = true
			}
			t.ways(p, way)
		}
	}
	for _, ph := range graph.Phrases() {
		object := "name"
		if ph.Object == "group" {
			object = ph.Object
		}
		for _, verb := range []string{states, states + " a/an/the/ein/eine/der/die/un/una/el/la", "have/has been"} {
			t.add(pattern{predicate: ph.Predicate, kind: "hold", object: object, reversed: ph.Reversed}, verb+" "+ph.Words+" O")
		}
	}
	return t
})

// states are verbs that say with a phrase of the graph's own what holds: is written in, ist Mitglied von, está alojado en.
const states = "am/is/are/bin/ist/sind/estoy/esta/estan/soy/es/son"

// auxiliaries begin many patterns, which are found by the first word behind them.
var auxiliaries = lexis.Set(strings.ReplaceAll(states, "/", " ") +
	" have has was were got been habe hat haben wurde wurden he ha hemos han fue fueron used started began stopped")

// add takes in a way to say something.
func (t table) add(p pattern, way string) {
	for token := range strings.FieldsSeq(way) {
		if !slots[token] {
			token = lexis.Fold(token)
		}
		p.tokens = append(p.tokens, strings.Split(token, "/"))
	}
	if auxiliaries[p.tokens[0][0]] {
		for _, token := range p.tokens[1:] {
			if first := token[0]; !slots[first] && !auxiliaries[first] && !articles[first] && first != "to" && first != "a" {
				for _, w := range token {
					t.phrases[w] = append(t.phrases[w], &p)
				}
				return
			}
		}
	}
	for _, first := range p.tokens[0] {
		t.patterns[first] = append(t.patterns[first], &p)
	}
}

// stretches are the predicates that nobody has for a moment only.
var stretches = lexis.Set("lives_in works_at studies_at role uses partner_of married_to hosted_on stored_in written_in")

// ways takes in what a way of the table stands for: the forms of a verb that say of a state that it holds, held, began or ended; of an
// event, behind +, that it came about; and behind @ that somebody had it done to them.
func (t table) ways(p pattern, way string) {
	happens, suffers := way[0] == '+', way[0] == '@'
	if p.kind != "state" && !happens && !suffers {
		t.add(p, way)
		return
	}
	verb, rest, _ := strings.Cut(strings.TrimLeft(way, "+@"), " ")
	if verbs := strings.Split(verb, "/"); len(verbs) > 1 {
		for _, v := range verbs {
			t.ways(p, strings.Replace(way, verb, v, 1))
		}
		return
	}
	f := t.inflect(verb)
	third, past, part, ing := f[0], f[1], f[2], f[3]
	switch say := func(kind string, lasting bool, words string) {
		q := p
		q.kind, q.lasting, q.vague = kind, lasting, kind == "was" && !strings.HasPrefix(words, "used") && !stretches[p.predicate]
		t.add(q, strings.TrimSpace(words+" "+rest))
	}; {
	case happens:
		p.event = past != verb
		say(p.kind, false, past)
		p.event = false
		say(p.kind, false, "have/has "+part)
	case suffers:
		say(p.kind, false, "was/were/got "+part)
		say(p.kind, false, "have/has been "+part)
	case verb == "be":
		say("hold", false, "am/is/are")
		say("hold", true, "have/has been")
		say("was", false, "was/were")
		say("was", false, "used to be")
	default:
		say("hold", false, verb+"/"+third)
		say("hold", false, "am/is/are "+ing)
		say("hold", true, "have/has "+part)
		say("hold", false, "have/has been "+ing)
		if past != verb {
			say("was", false, past)
		}
		say("was", false, "used to "+verb)
		say("was", false, "was/were "+ing)
		for _, start := range []string{"started/began", "have/has started/begun"} {
			say("begin", false, start+" "+ing)
			say("begin", false, start+" to "+verb)
		}
		for _, stop := range []string{"stopped/quit", "gave up", "have/has stopped", "have/has given up"} {
			say("end", false, stop+" "+ing)
		}
	}
}

// doubles says whether a verb of one syllable doubles its last consonant: stepped.
func doubles(verb string) bool {
	vowel := func(i int) bool { return strings.IndexByte("aeiou", verb[i]) >= 0 }
	n, vowels := len(verb), 0
	for i := range n {
		if vowel(i) {
			vowels++
		}
	}
	return n > 2 && vowels == 1 && !vowel(n-1) && vowel(n-2) && strings.IndexByte("wxy", verb[n-1]) < 0
}

// inflect gives the third person, the past, the participle and the form in -ing of an English verb.
func (t table) inflect(verb string) []string {
	if f := t.forms[verb]; f != nil {
		return f
	}
	third, past, ing := verb+"s", verb+"ed", verb+"ing"
	last := verb[len(verb)-1]
	switch {
	case last == 'e':
		past, ing = verb+"d", verb[:len(verb)-1]+"ing"
	case last == 'y' && !strings.ContainsRune("aeou", rune(verb[len(verb)-2])):
		third, past = verb[:len(verb)-1]+"ies", verb[:len(verb)-1]+"ied"
	case doubles(verb):
		past, ing = verb+string(last)+"ed", verb+string(last)+"ing"
	case strings.HasSuffix(verb, "sh"), strings.HasSuffix(verb, "ch"), strings.ContainsRune("sxo", rune(last)):
		third = verb + "es"
	}
	return []string{third, past, past, ing}
}

var slots = lexis.Set("O W T R P _")

var (
	selves   = lexis.Set("i me we us ich wir mich yo nosotros")
	ownings  = lexis.Set("my our mein meine meinen meiner meinem meines unser unsere unseren unserer unserem unseres mi mis nuestro nuestra")
	others   = lexis.Set("his her their sein seine ihr ihre su sus")
	pronouns = lexis.Set("he she they er sie el ella")
	articles = lexis.Set("the a an der die das den dem ein eine einen el la los las un una")
	named    = lexis.Set("called named namens llamado llamada")
	// fresh say that it is so now; former, that it was: "my old boss" is nobody's now, if he is not just old.
	fresh   = lexis.Set("new current latest neue neuer neues neuen aktuelle aktueller nueva nuevo actual")
	nows    = lexis.Set("now jetzt nun ahora")
	former  = lexis.Set("old former ex previous late last first alte alter ehemalige ehemaliger fruhere fruherer antigua antiguo anterior")
	ands    = lexis.Set("and und y e")
	small   = lexis.Set("of de van von der den la le di da del")
	fillers = lexis.Set(`now also currently still already just recently finally too both even actually well then so back since
		meanwhile today yesterday actually really officially proudly happily finally gladly eventually all
		jetzt auch noch schon gerade inzwischen nun endlich außerdem ausserdem además ademas selbst
		mittlerweile seit kurzem heute ahora también tambien todavía todavia
		actualmente aún ya hoy`)
	cuts = lexis.Set(`in at on near from into onto over by for about with without to because since so that which who whom whose
		where while although but
		if when as until before after than instead and or together still again either here there anymore mehr this that thats
		hier aquí full-time just during under via like except these those every each mostly only twice once within against near between
		along among behind next chiefly mainly especially despite towards across
		während wahrend unter über uber gegen sowie durante sobre entre sin hacia cerca part-time now too also
		statt anstatt vez
		auf aus bei mit für fur von zu und oder aber weil wo seit als nach en con por para desde porque que y pero donde`)
)

// sizes are words beside a thing that do not make it another.
var sizes = lexis.Set(`small little tiny big large old nice lovely cosy cheap red blue green black white grey gray silver used second-hand
	secondhand kleine kleiner kleines kleinen alte alter altes alten neue neuer neues neuen pequeño pequeña viejo vieja new`)

// between are the words that may stand within a pattern.
var between = func() map[string]bool {
	out := maps.Clone(fillers)
	maps.Copy(out, sizes)
	delete(out, "big") // a big fan
	maps.Copy(out, toOrFro)
	maps.Copy(out, selves)
	out[timeMark] = true
	return out
}()

// toOrFro are words that say which way something goes, besides where from and where to: moved it over to O, moved away from W to O.
var toOrFro = lexis.Set("over across away")

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
	left  int  // of the words, how many stand behind what the pattern has
	self  bool // the speaker is named behind the verb
	bare  bool // the verb is not in the form for one who is named
	third bool // its first word may be in that form
	slots map[string][]string
}

// misses are the tokens that stand nowhere in words from some place on. Whoever looks for patterns at one word after the other keeps them,
// so that what follows a slot is looked for once.
type misses map[*[]string]bool

// matches finds the patterns that stand at the beginning of words.
// folds are the words, folded.
func matches(words, folds []string, lost misses) (out []match) {
	first := folds[0]
	third := strings.HasSuffix(first, "s")
	try := func(list []*pattern) {
		for _, p := range list {
			m := match{pattern: p, third: third}
			if m.at(words, folds, p.tokens, lost) {
				out = append(out, m)
			}
		}
	}
	try(core().patterns[first])
	for i := 1; i < min(len(words), 12) && auxiliaries[first]; i++ {
		try(core().phrases[folds[i]])
	}
	return out
}

// at says whether tokens stand at the beginning of words.
func (m *match) at(words, folds []string, tokens [][]string, lost misses) bool {
	if len(tokens) == 0 {
		m.left = len(words)
		return m.object != "none" || len(words) > 0 && words[0] == "," || len(object(words)) == 0
	}
	if slot := tokens[0][0]; slots[slot] {
		if len(tokens) == 1 {
			m.fill(slot, words)
			if m.object == "day" {
				m.left = 0
				return slices.ContainsFunc(words[:min(len(words), 3)], func(w string) bool { return lexis.Fold(w) == timeMark })
			}
			o := object(words)
			m.left = cap(o) - len(o) - (cap(words) - len(words))
			return len(o) > 0
		}
		for n := 1; n < len(words) && !lost[&tokens[1]]; n++ {
			if m.at(words[n:], folds[n:], tokens[1:], lost) {
				m.fill(slot, words[:n])
				return true
			}
		}
		lost[&tokens[1]] = true
		return false
	}
	for i, f := range folds {
		for _, token := range tokens[0] {
			if f == token && m.at(words[i+1:], folds[i+1:], tokens[1:], lost) {
				other := tokens[0][len(tokens[0])-1]
				end, ok := strings.CutPrefix(other, f)
				m.bare = m.bare || ok && (end == "s" || end == "es") || f != other && (other == "has" || strings.HasSuffix(other, "ies"))
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
	place := len(words) > 0 && articles[lexis.Fold(words[0])]
	for i, w := range words {
		if w == "," {
			return words[:i]
		}
		if i == 0 && capital(w) && w != timeMark {
			continue
		}
		f := lexis.Fold(w)
		if !cuts[f] && f != timeMark {
			continue
		}
		if i > 0 && place && (f == "in" || f == "at" || f == "on" || f == "en") && i+1 < len(words) && capital(words[i+1]) {
			continue
		}
		if i > 1 && f == timeMark && small[lexis.Fold(words[i-1])] { // un Seat del 2008
			i--
		}
		return words[:i]
	}
	return words
}

// folded are words, folded.
func folded(words []string) []string {
	return slice.Map(words, lexis.Fold)
}
