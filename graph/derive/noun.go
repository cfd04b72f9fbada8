package derive

import (
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/graph"
	"github.com/reverie-memory/reverie/lexis"
)

// subjects are those whom words name, and nobody else: none where they say anything besides.
func (r *reader) subjects(words []string, m match) []string {
	if at := slices.Index(words, ","); at > 0 && at+2 < len(words) && ownings[lexis.Fold(words[at+1])] && capital(words[0]) {
		// Ben, my tutor
		return nonempty(r.owned(r.speaker, append(slices.Clone(words[at+2:]), words[:at]...)))
	}
	if n := len(words); n > 2 && words[n-1] == "," { // Desmond, a friend of mine,
		if at := slices.Index(words, ","); at < n-1 && !slices.ContainsFunc(words[:at], func(w string) bool { return !capital(w) }) {
			words = words[:at]
		}
	}
	if n := len(words); n > 2 && words[n-1] == "," && lexis.Fold(words[0]) == "i" && m.pattern != nil && m.event { // I did it, moved
		words = words[:1]
	}
	if at := lastComma(words); !slices.ContainsFunc(words, func(w string) bool { return ands[lexis.Fold(w)] }) {
		words = words[at+1:] // Luckily, I
	}
	joined := slices.ContainsFunc(words, func(w string) bool { return ands[lexis.Fold(w)] })
	words = slices.DeleteFunc(slices.Clone(words), func(w string) bool {
		f := lexis.Fold(w)
		return w == "," && !joined || f == timeMark || fillers[f] || f == "because"
	})
	words = r.told(withoutLead(words))
	if len(words) > 1 && lexis.Fold(words[0]) == "a" && capital(words[1]) { // a Marcos lo han ascendido
		words = words[1:]
	}
	if m.pattern != nil && attributive[m.predicate] {
		of := r.attributeOf(words, m.predicate)
		if of == "" && m.predicate == "due" && len(words) > 0 {
			of = r.event(words)
		}
		if of != "" || m.predicate == "due" {
			return nonempty(of)
		}
	}
	if m.pattern != nil && len(words) > 1 && strings.HasSuffix(lastOf(words), "ally") { // the kit typically costs
		return nil
	}
	if m.pattern != nil && m.thing {
		return nonempty(r.thingAlone(words, m.data, m.third))
	}
	switch {
	case len(words) == 0 && (m.self || m.pattern != nil && (m.ours() || r.before == "" && (m.pattern.self || m.event && r.dropped(m)))):
		return nonempty(r.speaker)
	case len(words) == 0:
		return nonempty(r.before)
	}
	parts := split(words)
	var out []string
	for _, part := range parts {
		name := r.name(part, true)
		if name == "" && len(parts) == 1 && m.pattern != nil && things[m.predicate] && m.predicate != "works_at" && !capital(part[0]) {
			name = bare(part, m.third)
		}
		if name != "" {
			out = append(out, name)
		}
	}
	first := lexis.Fold(words[0])
	switch p := m.pattern; {
	case len(out) != len(parts), len(out) == 0: // a conjunction alone names nobody
		return nil
	case p == nil:
	case personal[p.predicate] && strings.Contains(out[0], "'s ") && !strings.Contains(out[0], "(") &&
		core().people[lexis.Fold(lastWord(out[0]))] == "":
		return nil // Ada's home internet comes from nowhere
	case m.bare && len(out) == 1 && !selves[first] && first != "they" && !(ownings[first] && plural(lexis.Fold(lastOf(words)))),
		p.one && (len(out) > 1 || first == "we"), p.alone && out[0] != r.speaker,
		articles[first] && out[0] != nobody && !strings.Contains(out[0], "(") && !elders[lexis.Fold(lastWord(out[0]))] &&
			!p.reversed && !things[p.predicate]:
		return nil
	}
	return out
}

// ours says whether a verb without a subject is in a form that only the speaker has: vivo, dejé, but not vivía.
func (m match) ours() bool {
	return m.pattern.self && !strings.HasSuffix(m.tokens[0][0], "a") && m.kind != "was"
}

// attributive are the predicates of which the subject may be named by the attribute: the rent of the flat rose to 900.
var attributive = lexis.Set("due costs version")

// attributeOf is of what words name the attribute that a predicate is: of Osprey, in "the deadline for Osprey".
func (r *reader) attributeOf(words []string, predicate string) string {
	if len(words) == 0 {
		return ""
	}
	of, what := r.whose(words)
	if of == "" && len(words) > 1 && graph.PredicateKey(words[len(words)-1]) == predicate { // the Osprey deadline
		if definite[lexis.Fold(words[0])] {
			words = words[1:]
		}
		if of, what = "", words[len(words)-1:]; len(words) > 1 && proper(words[:len(words)-1]) {
			of = strings.Join(words[:len(words)-1], " ")
		}
	}
	if of == "" || len(what) == 0 || graph.PredicateKey(strings.Join(what, " ")) != predicate {
		return ""
	}
	return of
}

// withoutLead takes off what stands before the subject: at the general meeting Lavinia; on the side I. What stands before has to begin with
// a preposition, and what is left has to be a pronoun, somebody's or a name.
func withoutLead(words []string) []string {
	for len(words) > 1 && strings.HasSuffix(words[0], "ly") && !capital(words[1]) == selves[lexis.Fold(words[1])] {
		words = words[1:]
	}
	if len(words) < 2 || !leads[lexis.Fold(words[0])] || slices.ContainsFunc(words, func(w string) bool { return fictions[lexis.Fold(w)] }) {
		return words
	}
	for i := 1; i < len(words); i++ {
		f := lexis.Fold(words[i])
		if i > 1 && ownings[f] && !leads[lexis.Fold(words[i-1])] || (selves[f] || pronouns[f]) && i+1 == len(words) {
			return words[i:]
		}
	}
	at := len(words)
	for at > 1 && capital(words[at-1]) {
		at--
	}
	if before := lexis.Fold(words[at-1]); at < len(words) && at > 1 && !capital(words[at-1]) && !articles[before] &&
		!cuts[before] && !small[before] && !ands[before] {
		return words[at:]
	}
	return words
}

var (
	leads = lexis.Set(`at on in after for since during by with as of from under over these those this before nach seit im am auf mit bei für
		fur en desde por con tras despues durante`)
	// fictions are words by which what follows is only told.
	fictions = lexis.Set(`dream dreams film movie book novel story stories game play theory life fantasy series show song
		traum film buch roman geschichte spiel sueno pelicula libro novela cuento`)
)

// things are the predicates of which a subject may be something with an article.
var things = lexis.Set("uses hosted_on costs version meets_on meets_at on_call_for supplied_by works_at " +
	" written_in stored_in located_in built_with code_hosted_on registered_with connected_to")

// lastComma is where the last comma stands that has something behind it.
func lastComma(words []string) int {
	for i := len(words) - 2; i >= 0; i-- {
		if words[i] == "," && lexis.Fold(words[i+1]) != timeMark {
			return i
		}
	}
	return -1
}

func nonempty(name string) []string {
	if name == "" {
		return nil
	}
	return []string{name}
}

// thing is what words name as an object; "" where that is not what it has to be.
func (r *reader) thing(words []string, kind string) string {
	words = object(words)
	if at := slices.IndexFunc(words, func(w string) bool { return named[lexis.Fold(w)] }); at > 0 && at+1 < len(words) {
		words = words[at+1:] // a studio called Barro Azul
	}
	if words = trim(words, kind); len(words) == 0 || len(words) > 6 {
		return ""
	}
	first := lexis.Fold(words[0])
	last := lexis.Fold(words[len(words)-1])
	if len(words) == 1 && its[first] || len(words) == 2 && definite[first] && generic[last] { // and Jens leads it
		return r.meant()
	}
	sure := slices.ContainsFunc(words[:min(len(words), 3)], capital) || others[first] && slices.ContainsFunc(words, capital) ||
		kind == "place" && definite[first]
	switch t := core(); kind {
	case "diet", "condition":
		if !t.is(kind+"s", last) || len(words) > 3 || capital(words[0]) && !capital(last) && len(words) > 1 {
			return ""
		}
		kind = "any"
	case "job":
		if !job(words) {
			return ""
		}
		kind = "any"
	case "medicine":
		if !t.medicine(words) {
			return ""
		}
		kind = "any"
	case "weekday":
		return weekday(words)
	case "clock":
		if strings.Trim(words[0], "0123456789:.") != "" || !digit(words[0]) || len(words) > 1 && !t.is("clocks", lexis.Fold(words[1])) {
			return ""
		}
		return strings.Join(words[:min(len(words), 2)], " ")
	case "rooms", "grades":
		listed := func(w string) bool { return t.is(kind, lexis.Fold(w)) }
		if !slices.ContainsFunc(words, digit) || len(words) > 3 || !slices.ContainsFunc(words, listed) {
			return ""
		}
		kind = "any"
	case "domain":
		kind = "name"
	case "group":
		other := func(w string) bool {
			f := lexis.Fold(w)
			return !capital(w) && !small[f] && !articles[f] && !ownings[f]
		}
		of := slices.IndexFunc(words, func(w string) bool { return w == "de" || w == "of" || w == "von" })
		sure = t.is("groups", last) || t.is("clubs", last) || of > 0 && t.is("groups", lexis.Fold(words[of-1])) ||
			!slices.ContainsFunc(words, other)
	case "club":
		if !slices.ContainsFunc(words, func(w string) bool { return t.is("clubs", lexis.Fold(w)) }) ||
			len(words) < 2 && !t.compound("clubs", last) ||
			len(words) == 2 && (articles[first] || ownings[first]) || indefinite[first] {
			return ""
		}
		kind = "any"
	case "school":
		kind = "name"
	case "trade":
		at := 0
		if articles[first] {
			at = 1
		}
		none := func(w string) bool { return former[lexis.Fold(w)] || praise[lexis.Fold(w)] }
		if !t.is("trades", last) || slices.ContainsFunc(words[at:], none) {
			return ""
		}
		kind = "any"
	case "game":
		if !t.is("games", last) || len(words) > 2 {
			return ""
		}
		kind = "any"
	case "possession":
		bare := words
		if indefinite[first] || ownings[first] || definite[first] {
			bare = words[1:]
		} else if kind != "" && !t.is("possessions", last) {
			return ""
		}
		common := func(w string) bool {
			return !capital(w) && !digit(w) && !sizes[lexis.Fold(w)] && !t.is("possessions", lexis.Fold(w))
		}
		whole := len(bare) == len(words) && slices.ContainsFunc(bare[:max(len(bare)-1, 0)], common)
		named := len(bare) > 0 && !slices.ContainsFunc(bare, common) && (capital(bare[len(bare)-1]) || digit(last))
		if len(bare) == 0 || whole || !t.is("possessions", last) && !named {
			return ""
		}
		kind = "any"
	case "number":
		if !slices.ContainsFunc(words, func(w string) bool { return digit(w) || t.is("numbers", lexis.Fold(w)) }) {
			return ""
		}
		return strings.TrimPrefix(strings.Join(words, " "), "version ")
	}
	if kind != "any" && (len(words) == 1 && weekday(words) != "" || articles[first] && !definite[first] || !sure) ||
		len(words) == 1 && articles[first] ||
		!capital(words[0]) && lexis.IsStop(first) && !articles[first] && !ownings[first] && !others[first] {
		return ""
	}
	return r.name(words, false)
}

// meant is what it, or the project, means: of what the statement before says that somebody gives it up, else what that is about.
func (r *reader) meant() string {
	if n := len(r.events); n > r.left && r.events[n-1].Kind == graph.Invalidate && r.events[n-1].Object != "" {
		return r.events[n-1].Object
	}
	return r.before
}

// trim cuts off what follows a name: Waitrose during the week. One common word that says of what kind it is belongs to it.
func trim(words []string, kind string) []string {
	at := 0
	if len(words) > 0 && articles[lexis.Fold(words[0])] {
		at = 1
	}
	if kind != "name" && kind != "place" && kind != "group" && kind != "school" || at >= len(words) || !capital(words[at]) {
		return words
	}
	for i := at + 1; i < len(words); i++ {
		f := lexis.Fold(words[i])
		switch t := core(); {
		case capital(words[i]) || digit(words[i]), small[f] && i+1 < len(words),
			(articles[f] || f == "for") && i+1 < len(words) && capital(words[i+1]):
		case (i == at+1 || kind == "group" || kind == "name") &&
			(t.is("groups", f) || t.is("clubs", f) || t.is("schools", f) || generic[f] || f == "family"):
			return words[:i+1]
		default:
			return words[:i]
		}
	}
	return words
}

// its are pronouns for the thing that the clause before is about.
var its = lexis.Set("it es")

func digit(w string) bool { return strings.ContainsAny(w, "0123456789") }

// generic are words beside a name that say of what kind it is, and are no part of it.
var generic = lexis.Set(`project app application library parser site website blog tool system platform package module repo repository server
	framework plugin bot script codebase programme program projekt bibliothek seite proyecto biblioteca aplicacion boat yacht`)

// praise are words beside a trade that make it none.
var praise = lexis.Set("good great bad better real total born natural terrible big huge retired would-be aspiring future amateur hobby")

// ours are the words of what somebody has in languages in which only a name has a capital.
var ours = lexis.Set("my our mi nuestro nuestra")

// common says whether a word is no name of somebody: what is written in capitals alone is somebody's.
func common(w string) bool {
	return !capital(w) || strings.ToUpper(w) == w || core().people[lexis.Fold(w)] != "" || core().is("pets", lexis.Fold(w))
}

var indefinite = lexis.Set("a an ein eine einen un una")

var definite = lexis.Set("the der die das den dem el la los las")

// name reads words as the name of somebody or something. Who is named beside what they are to somebody gives an event as well. All words
// have to belong to it where strict.
func (r *reader) name(words []string, strict bool) string {
	first := lexis.Fold(words[0])
	switch {
	case len(words) == 1 && selves[first]:
		return r.speaker
	case len(words) == 1 && words[0] == "Ella" && !r.spanish():
		return words[0]
	case len(words) == 1 && pronouns[first]:
		return r.last
	case theUser(words):
		return r.user()
	case len(words) > 1 && len(words) < 4 && ours[first] && !slices.ContainsFunc(words[1:], common):
		return strings.Join(words[1:], " ") // our Ida
	case len(words) > 1 && ownings[first]:
		return r.owned(r.speaker, words[1:])
	case len(words) > 1 && others[first]:
		return r.owned(r.last, words[1:])
	}
	if len(words) == 2 && definite[first] && elders[lexis.Fold(words[1])] { // el abuelo
		return r.owned(r.speaker, words[1:])
	}
	if capital(words[0]) && titles[first] {
		switch {
		case len(words) > 1 && capital(words[1]):
			return r.owned(r.speaker, append([]string{strings.ToLower(words[0])}, words[1:]...))
		case len(words) == 1 && lexis.Kin(first):
			return r.owned(r.speaker, []string{strings.ToLower(words[0])})
		}
	}
	for i, w := range words[:min(len(words), 4)] { // Maria's brother Tom
		if name, ok := owner(w); ok && i+1 < len(words) && core().people[lexis.Fold(words[i+1])] != "" {
			return r.owned(r.owner(append(slices.Clone(words[:i]), name)), words[i+1:])
		}
	}
	common := articles[first] && len(words) > 1 && !(capital(words[0]) && !strict && capital(words[1]))
	if common {
		words = words[1:]
	}
	if n := len(words); n > 2 && codes[lexis.Fold(words[n-3])] && (words[n-2] == "of" || words[n-2] == "for" || words[n-2] == "de" ||
		words[n-2] == "von") && n < 5 && capital(words[n-1]) { // the code of Ibis
		r.code = true
		return words[n-1]
	} else if name, ok := owner(words[0]); ok && n == 2 && codes[lexis.Fold(words[1])] && capital(name) { // Ibis's code
		r.code = true
		return name
	}
	if n := len(words); n > 1 && generic[lexis.Fold(words[0])] && !capital(words[0]) && capital(words[1]) { // the parser Ibis
		words = words[1:]
	} else if n > 1 && generic[lexis.Fold(words[n-1])] && !capital(words[n-1]) && capital(words[n-2]) {
		words = words[:n-1]
	}
	if name, from := fromWhere(words); strict && name != "" {
		r.last = graph.Qualified(name, from)
		return r.last
	}
	if strict && (len(words) > 4 || !common && lexis.IsStop(first)) {
		return ""
	}
	for i, w := range words {
		f := lexis.Fold(w)
		loose := capital(w) || small[f] || articles[f] || common && (!cuts[f] || f == "in") || i > 0 && articles[lexis.Fold(words[i-1])]
		if strict && !loose {
			return ""
		}
	}
	name := strings.Join(words, " ")
	if capital(words[0]) && !strings.EqualFold(name, r.speaker) && strict {
		r.last = name
	}
	return name
}

var (
	// titles are what relatives are called by.
	titles = lexis.Set(`uncle aunt auntie grandma grandpa granny onkel tante oma opa tio tia cousin mum mom dad mama papa nana brother-in-law
		sister-in-law father-in-law mother-in-law stepbrother stepsister`)
	elders = lexis.Set("abuelo abuela opa oma papa mama")
	codes  = lexis.Set("code repo repository codebase source sources quellcode codigo")
)

// fromWhere takes what tells somebody from others of the name apart: David from accounting.
func fromWhere(words []string) (name, from string) {
	at := slices.IndexFunc(words, func(w string) bool { return w == "from" || w == "aus" })
	if at < 1 || at > 2 || at+1 == len(words) || len(words) > at+3 || !capital(words[0]) || !capital(words[at-1]) {
		return "", ""
	}
	return strings.Join(words[:at], " "), strings.Join(words[at+1:], " ")
}

// theUser says whether words are those by which facts tell of a speaker without a name.
func theUser(words []string) bool {
	return len(words) == 2 && lexis.Fold(words[0]) == "the" && lexis.Fold(words[1]) == nobody
}

// user is the person whose memory it is, where no name is known; "" where the user may be whoever uses what is spoken of.
func (r *reader) user() string {
	if r.word || r.speaker != nobody && r.speaker != "" {
		return ""
	}
	return nobody
}

// spanish says whether a sentence is in Spanish, where Ella is a pronoun and nobody's name.
func (r *reader) spanish() bool {
	code, _ := lexis.Language(r.text)
	return code == "es"
}

// owner is whose something is.
func (r *reader) owner(words []string) string {
	switch {
	case theUser(words):
		return r.user()
	case len(words) == 1 && lexis.Kin(lexis.Fold(words[0])) && capital(words[0]):
		return r.owned(r.speaker, []string{strings.ToLower(words[0])})
	}
	return strings.Join(words, " ")
}

// owned reads what belongs to somebody: sister Anna, cat Figaro, team. A relative without a name is named after whose he is.
func (r *reader) owned(of string, words []string) string {
	words = slices.DeleteFunc(slices.Clone(words), func(w string) bool { return named[lexis.Fold(w)] || w == "," })
	for len(words) > 1 && fresh[lexis.Fold(words[0])] {
		words = words[1:]
	}
	if of == "" || len(words) == 0 || len(words) > 1 && former[lexis.Fold(words[0])] && sole[core().people[lexis.Fold(words[1])]] {
		return ""
	}
	at := 1
	for at < len(words) && !capital(words[at]) {
		at++
	}
	head := lexis.Fold(words[at-1])
	name := strings.Join(words[at:], " ")
	role := core().people[head]
	switch {
	case name == "":
		return of + "'s " + strings.Join(words, " ")
	case core().is("pets", head):
		r.add(graph.Event{Kind: graph.Assert, Subject: of, Predicate: "has_pet", Object: name})
	case role != "":
		full := graph.Qualified(name, of+"'s "+head)
		r.kin(full, role, of)
		r.last = full
		return full
	default: // our parser Ibis
		return name
	}
	return name
}

// family are those who stay what they are to somebody whoever else becomes that too.
var family = lexis.Set("sister brother mother father son daughter child cousin aunt uncle niece nephew grandmother grandfather friend " +
	"colleague stepmother stepfather grandson granddaughter brother_in_law sister_in_law father_in_law mother_in_law stepbrother stepsister " +
	"godfather godmother godchild twin husband wife partner boss")

// sole are those of whom one has one at a time.
var sole = lexis.Set("husband wife partner mother father boss doctor godfather godmother")

// kin says what somebody is to somebody.
func (r *reader) kin(who, role, of string) {
	if r.anew && !family[role] && len(r.events) < 64 { // my new landlord is Mrs Gill
		r.add(graph.Event{Kind: graph.Invalidate, Predicate: role + " of", Object: of})
	}
	r.add(graph.Event{Kind: graph.Assert, Subject: who, Predicate: role + " of", Object: of, Also: !sole[role]})
}
