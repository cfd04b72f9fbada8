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
	if at := lastComma(words); !slices.ContainsFunc(words, func(w string) bool { return ands[lexis.Fold(w)] }) {
		words = words[at+1:] // Luckily, I
	}
	words = slices.DeleteFunc(slices.Clone(words), func(w string) bool {
		f := lexis.Fold(w)
		return w == "," || f == timeMark || fillers[f] || f == "because"
	})
	switch {
	case len(words) == 0 && (m.self || m.pattern != nil && m.pattern.self && r.before == ""):
		return nonempty(r.speaker)
	case len(words) == 0:
		return nonempty(r.before)
	}
	parts := split(words)
	var out []string
	for _, part := range parts {
		if name := r.name(part, true); name != "" {
			out = append(out, name)
		}
	}
	first := lexis.Fold(words[0])
	switch p := m.pattern; {
	case len(out) != len(parts):
		return nil
	case p == nil:
	case m.bare && len(out) == 1 && !selves[first] && first != "they",
		p.one && (len(out) > 1 || first == "we"), p.alone && out[0] != r.speaker,
		articles[first] && out[0] != nobody && !strings.Contains(out[0], "(") && !p.reversed && !things[p.predicate]:
		return nil
	}
	return out
}

// things are the predicates of which a subject may be something with an article.
var things = lexis.Set("uses hosted_on works_at written_in stored_in located_in built_with code_hosted_on")

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
	if len(words) == 0 || len(words) > 6 {
		return ""
	}
	first := lexis.Fold(words[0])
	sure := slices.ContainsFunc(words[:min(len(words), 3)], capital) || kind == "place" && definite[first]
	if kind == "group" {
		common := func(w string) bool {
			f := lexis.Fold(w)
			return !capital(w) && !small[f] && !articles[f] && !ownings[f]
		}
		sure = core().groups[lexis.Fold(words[len(words)-1])] || !slices.ContainsFunc(words, common)
	}
	if kind != "any" && (articles[first] && !definite[first] || !sure) || len(words) == 1 && articles[first] ||
		!capital(words[0]) && lexis.IsStop(first) && !articles[first] && !ownings[first] && !others[first] {
		return ""
	}
	return r.name(words, false)
}

var definite = lexis.Set("the der die das den dem el la los las")

// name reads words as the name of somebody or something. Who is named beside what they are to somebody gives an event as well. All words
// have to belong to it where strict.
func (r *reader) name(words []string, strict bool) string {
	first := lexis.Fold(words[0])
	switch {
	case len(words) == 1 && selves[first]:
		return r.speaker
	case len(words) == 1 && pronouns[first]:
		return r.last
	case theUser(words):
		return r.user()
	case len(words) > 1 && ownings[first]:
		return r.owned(r.speaker, words[1:])
	case len(words) > 1 && others[first]:
		return r.owned(r.last, words[1:])
	}
	for i, w := range words[:min(len(words), 4)] { // Maria's brother Tom
		if name, ok := owner(w); ok && i+1 < len(words) && core().people[lexis.Fold(words[i+1])] != "" {
			return r.owned(r.owner(append(slices.Clone(words[:i]), name)), words[i+1:])
		}
	}
	common := articles[first] && len(words) > 1
	if common {
		words = words[1:]
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

// owner is whose something is.
func (r *reader) owner(words []string) string {
	if theUser(words) {
		return r.user()
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
	case core().pets[head]:
		r.add(graph.Event{Kind: graph.Assert, Subject: of, Predicate: "has_pet", Object: name})
	case role != "":
		full := graph.Qualified(name, of+"'s "+head)
		r.kin(full, role, of)
		r.last = full
		return full
	default:
		return strings.Join(words, " ")
	}
	return name
}

// sole are those of whom one has one at a time.
var sole = lexis.Set("husband wife partner mother father boss doctor")

// kin says what somebody is to somebody.
func (r *reader) kin(who, role, of string) {
	r.add(graph.Event{Kind: graph.Assert, Subject: who, Predicate: role + " of", Object: of, Also: !sole[role]})
}

// keeps reads a relative or a pet that somebody has: have a cat named Figaro, habe eine Katze namens Figaro.
func (r *reader) keeps(v view, subject, words []string) bool {
	kind := has[lexis.Fold(words[0])]
	if kind == "" {
		return false
	}
	at := slices.IndexFunc(words, func(w string) bool { return named[lexis.Fold(w)] })
	if at < 2 || at+1 >= len(words) {
		return false
	}
	if len(words) > at+2 && slices.ContainsFunc(words[at+1:], func(w string) bool { return named[lexis.Fold(w)] }) {
		return false // several, each of which would have to be told apart
	}
	head := lexis.Fold(words[at-1])
	who := r.subjects(subject, match{self: len(subject) == 0 && r.before == ""})
	if len(who) != 1 || !core().pets[head] && core().people[head] == "" {
		return false
	}
	r.before = who[0]
	for _, part := range split(words[at+1:]) {
		name := strings.Join(object(part), " ")
		switch {
		case name == "" || !capital(name):
		case core().pets[head]:
			v.also = true
			r.say(v, kind, who[0], "has_pet", name)
			r.add(graph.Event{Kind: graph.Assert, Subject: name, Predicate: "is_a", Object: words[at-1], Also: true})
		default:
			r.kin(graph.Qualified(name, who[0]+"'s "+head), core().people[head], who[0])
		}
	}
	return true
}

// has are verbs by which somebody has what is named behind them.
var has = map[string]string{
	"have": "hold", "has": "hold", "got": "begin", "adopted": "begin", "bought": "begin", "habe": "hold", "hat": "hold", "haben": "hold",
	"tengo": "hold", "tiene": "hold", "tenemos": "hold", "adopte": "begin", "adopto": "begin",
}

// is are verbs by which something is something.
var is = lexis.Set("am is are ist sind bin es son soy was heisst")

// being reads what somebody is to somebody, and attributes: Tom is Maria's brother; my employer is Bosch; la jefa de Ana... is not read.
func (r *reader) being(v view, subject, words []string) bool {
	if !is[lexis.Fold(words[0])] || len(words) < 2 || len(subject) == 0 {
		return false
	}
	value, was := words[1:], lexis.Fold(words[0]) == "was"
	for len(value) > 1 && (fillers[lexis.Fold(value[0])] || named[lexis.Fold(value[0])]) {
		value = value[1:]
	}
	of, what := r.whose(value)
	if of != "" && len(what) == 1 && core().people[lexis.Fold(what[0])] != "" {
		who := r.subjects(subject, match{})
		if len(who) != 1 || was && sole[core().people[lexis.Fold(what[0])]] {
			return false
		}
		if !strings.Contains(who[0], "(") && !strings.EqualFold(who[0], r.speaker) && !strings.Contains(who[0], "'s ") {
			who[0] = graph.Qualified(who[0], of+"'s "+lexis.Fold(what[0]))
		}
		r.kin(who[0], core().people[lexis.Fold(what[0])], of)
		r.before = who[0]
		return true
	}
	of, what = r.whose(subject)
	for len(what) > 1 && fresh[lexis.Fold(what[0])] {
		what = what[1:]
	}
	if value = object(value); of == "" || len(what) == 0 || len(what) > 3 || len(value) == 0 ||
		was && sole[core().people[lexis.Fold(what[0])]] {
		return false
	}
	wording := strings.Join(what, " ")
	role, name := core().people[lexis.Fold(what[len(what)-1])], capital(value[0])
	switch {
	case role != "" && name && len(what) == 1:
		r.kin(graph.Qualified(strings.Join(value, " "), of+"'s "+lexis.Fold(what[0])), role, of)
	case core().pets[lexis.Fold(wording)] && name:
		r.add(graph.Event{Kind: graph.Assert, Subject: of, Predicate: "has_pet", Object: strings.Join(value, " ")})
		r.add(graph.Event{Kind: graph.Assert, Subject: strings.Join(value, " "), Predicate: "is_a", Object: wording, Also: true})
	case graph.Known(wording) && (name || plainly[graph.PredicateKey(wording)]) && !articles[lexis.Fold(value[0])]:
		for _, o := range r.several(graph.PredicateKey(wording), value, strings.Join(value, " ")) {
			kind := "hold"
			if was {
				kind = "was"
			}
			if graph.Reversed(wording) {
				r.say(v, kind, o, wording, of)
			} else {
				r.say(v, kind, of, wording, o)
			}
		}
	default:
		return false
	}
	r.before = of
	return true
}

// plainly are the predicates of which a value is no name.
var plainly = lexis.Set("hobby studies allergic_to takes")

// whose takes words that begin with whose something is apart: my employer; Maria's sister.
func (r *reader) whose(words []string) (of string, what []string) {
	switch first := lexis.Fold(words[0]); {
	case ownings[first]:
		return r.speaker, words[1:]
	case others[first]:
		return r.last, words[1:]
	}
	for i, w := range words[:min(len(words), 3)] {
		if name, ok := owner(w); ok && capital(words[0]) {
			return r.owner(append(slices.Clone(words[:i]), name)), words[i+1:]
		}
	}
	return "", nil
}
