package derive

import (
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/graph"
	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/lexis"
)

// keeps reads a relative or a pet that somebody has: have a cat named Figaro, have two cats, Pepper and Salt, habe eine Katze namens
// Figaro.
func (r *reader) keeps(v view, subject, words []string, doubt bool) bool {
	kind := has[lexis.Fold(words[0])]
	if kind == "" {
		return false
	}
	var kept [][2]string // name and what it is
	head, end := "", 0
	for _, part := range split(words[1:]) {
		end += len(part) + 1
		part = slices.DeleteFunc(slices.Clone(part), func(w string) bool { return loosely[lexis.Fold(w)] })
		at := slices.IndexFunc(part, func(w string) bool { return named[lexis.Fold(w)] })
		if at < 0 && head != "" && capital(part[0]) {
			part = append([]string{head}, part...)
			at = 0
		} else if at < 0 && len(part) > 2 && definite[lexis.Fold(part[0])] && keepable(part[1]) && capital(part[2]) { // the cat Figaro
			part, at = part[1:], 0
		} else if at < 0 && len(part) > 1 && keepable(part[len(part)-1]) && part[len(part)-1] != "," {
			if head != "" && len(kept) == 0 {
				return false
			}
			head = part[len(part)-1]
			continue
		} else if at > 0 {
			at--
			part = append(part[:at+1], part[at+2:]...)
		}
		if at < 0 || !keepable(part[at]) {
			break
		}
		head = part[at]
		name := object(part[at+1:])
		if len(name) == 0 || slices.ContainsFunc(name, func(w string) bool { return !capital(w) }) {
			break
		}
		kept = append(kept, [2]string{strings.Join(name, " "), head})
	}
	if len(kept) == 0 {
		return false
	}
	who := r.subjects(subject, match{self: len(subject) == 0 && r.before == ""})
	if len(who) != 1 || doubt && !r.sure(append(slices.Clone(subject), words...), len(subject)+min(end, len(words)), v.over) {
		return false
	}
	r.before = who[0]
	for _, k := range kept {
		head, one := lexis.Fold(k[1]), strings.TrimSuffix(k[1], "s")
		role := core().people[head]
		if role == "" {
			role = core().people[strings.TrimSuffix(head, "s")]
		}
		if core().is("pets", head) {
			r.pet(v, kind, who[0], k[0], one)
		} else {
			r.kin(graph.Qualified(k[0], who[0]+"'s "+strings.TrimSuffix(head, "s")), role, who[0])
		}
	}
	return true
}

// loosely are words within what is kept that say nothing: una gata que se llama Luna.
var loosely = lexis.Set("nur que se")

// keepable says whether a word is for a relative or a pet.
func keepable(w string) bool {
	f := lexis.Fold(w)
	return core().is("pets", f) || core().people[f] != "" || core().people[strings.TrimSuffix(f, "s")] != ""
}

// has are verbs by which somebody has what is named behind them.
var has = map[string]string{
	"have": "hold", "has": "hold", "got": "begin", "adopted": "begin", "bought": "begin", "habe": "hold", "hat": "hold", "haben": "hold",
	"tengo": "hold", "tiene": "hold", "tenemos": "hold", "adopte": "begin", "adopto": "begin",
}

// is are verbs by which something is something.
var is = lexis.Set("am is are ist sind bin es son soy was war era heisst llama")

// being reads what somebody is to somebody, and attributes: Tom is Maria's brother; my employer is Bosch; la jefa de Ana... is not read.
func (r *reader) being(v view, subject, words []string, doubt bool) bool {
	if !is[lexis.Fold(words[0])] || len(words) < 2 || len(subject) == 0 {
		return false
	}
	r.german = germanIs[lexis.Fold(words[0])]
	if doubt && !r.sure(append(slices.Clone(subject), words...), len(subject)+1+len(object(words[1:])), v.over) {
		return false
	}
	if r.lastDay(v, subject) {
		return true
	}
	if at := lastComma(subject); at > 0 && at+1 < len(subject) { // No, actually the deadline
		subject = subject[at+1:]
	}
	if at := slices.IndexFunc(subject, func(w string) bool { return leads[lexis.Fold(w)] }); at > 1 && !ofs[lexis.Fold(subject[at])] {
		subject = subject[:at] // my manager at Kestrel
	}
	subject = slices.DeleteFunc(slices.Clone(subject), func(w string) bool {
		f := lexis.Fold(w)
		return f == timeMark || fillers[f] || f == "se" || leads[f] && !ofs[f]
	})
	if len(subject) == 0 {
		return false
	}
	for i := 1; i < len(subject); i++ { // after the reorganisation my manager
		before := lexis.Fold(subject[i-1])
		if ownings[lexis.Fold(subject[i])] && !ands[before] && before != "of" && !slices.ContainsFunc(subject[:i], capitalWithin) {
			subject = subject[i:]
			break
		}
	}
	value, was := words[1:], wases[lexis.Fold(words[0])]
	if r.due(v, subject, value) {
		return true
	}
	for len(value) > 1 && (fillers[lexis.Fold(value[0])] || named[lexis.Fold(value[0])]) {
		value = value[1:]
	}
	of, what := r.whose(value)
	for len(what) > 1 && (fillers[lexis.Fold(what[len(what)-1])] || lexis.Fold(what[len(what)-1]) == timeMark) {
		what = what[:len(what)-1] // our scrum master now
	}
	for len(what) > 1 && fresh[lexis.Fold(what[0])] {
		what = what[1:]
	}
	if of != "" && len(what) == 1 && core().is("pets", lexis.Fold(what[0])) && proper(subject) && !was {
		r.pet(v, "hold", of, strings.Join(subject, " "), what[0])
		return true
	}
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
	whole := value
	if value = object(value); of == "" || len(what) == 0 || len(what) > 3 || len(value) == 0 ||
		was && sole[core().people[lexis.Fold(what[0])]] {
		return len(value) > 0 && r.attributes(v, subject, whole, was)
	}
	wording := strings.Join(what, " ")
	if key := graph.PredicateKey(wording); indefinite[lexis.Fold(value[0])] && len(value) > 1 && capital(value[1]) &&
		(key == "phone" || key == "drives") {
		value = value[1:]
	}
	role, name := core().people[lexis.Fold(what[len(what)-1])], capital(value[0])
	switch {
	case role != "" && name && len(what) == 1 && titles[lexis.Fold(value[0])] && len(value) > 1:
		r.kin(r.name(value, true), role, of) // her brother is Uncle Tim
	case role != "" && name && len(what) == 1:
		r.kin(graph.Qualified(strings.Join(value, " "), of+"'s "+lexis.Fold(what[0])), role, of)
	case core().is("pets", lexis.Fold(wording)) && name:
		r.add(graph.Event{Kind: graph.Assert, Subject: of, Predicate: "has_pet", Object: strings.Join(value, " ")})
		r.add(graph.Event{Kind: graph.Assert, Subject: strings.Join(value, " "), Predicate: "is_a", Object: wording, Also: true})
	case graph.Known(wording) && (name || modest[graph.PredicateKey(wording)] ||
		slices.ContainsFunc(value, digit) && numbered[graph.PredicateKey(wording)]) && !articles[lexis.Fold(value[0])]:
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
		return r.attributes(v, subject, whole, was)
	}
	r.before = of
	return true
}

// ofs are prepositions behind which stands whose something is.
var ofs = lexis.Set("of for von fur de para")

// germanIs are the verbs of being in German alone, and wases those that tell of the past.
var (
	germanIs = lexis.Set("ist sind heisst war waren")
	wases    = lexis.Set("was were war waren era eran fue fueron")
)

// capitalWithin is true of a name, but for the first word of a sentence, which has a capital in any case.
func capitalWithin(w string) bool {
	return capital(w) && !leads[lexis.Fold(w)] && !opens[lexis.Fold(w)]
}

// lastDay reads the day on which somebody works for the last time: my last day at Lego is 2022-04-29.
func (r *reader) lastDay(v view, subject []string) bool {
	if len(subject) < 5 || !v.when.told || !capital(subject[4]) {
		return false
	}
	of, what := r.whose(subject)
	if m := strings.ToLower(strings.Join(what[:min(3, len(what))], " ")); of == "" || !slices.Contains(lastDays, m) {
		return false
	}
	v.when.at, v.when.from = false, v.when.to
	r.say(v, "end", of, "works_at", strings.Join(what[3:], " "))
	return true
}

var lastDays = []string{"last day at", "last day with", "letzter tag bei"}

// pet says that somebody has a pet of a kind.
func (r *reader) pet(v view, kind, of, name, is string) {
	v.also = true
	r.say(v, kind, of, "has_pet", name)
	r.add(graph.Event{Kind: graph.Assert, Subject: name, Predicate: "is_a", Object: is, Also: true})
}

// due reads the day that is somebody's or something's: the deadline for Osprey is 2022-04-29.
func (r *reader) due(v view, subject, value []string) bool {
	of, predicate := r.attributeOf(subject, "due"), "due"
	if of == "" { // Bea's birthday is on 12 June; the launch is on 4 May
		what := []string(nil)
		if of, what = r.having(subject); of != "" && noun(what, r.inGerman(subject)) {
			predicate = strings.Join(what, " ")
		} else if of = r.event(subject); of == "" {
			return false
		}
	}
	m := match{pattern: &pattern{}, slots: map[string][]string{"O": value}}
	day := v.dayAt(m)
	if !strings.ContainsAny(day, "0123456789") && weekday(strings.Fields(day)) == "" || len(day) == len("2018") && day[0] < 'A' {
		return false // today, or a year
	}
	if predicate == "due" && !strings.ContainsAny(day, "0123456789") {
		predicate = "meets on" // on Mondays
	}
	v.when = period{}
	r.say(v, "hold", of, predicate, day)
	r.before = of
	return true
}

// event is what words name that is on a day: the launch, our next meeting; "" for anything else.
func (r *reader) event(words []string) string {
	first := lexis.Fold(words[0])
	if len(words) < 2 || len(words) > 4 || lexis.Fold(words[1]) == "most" || strings.HasSuffix(lastOf(words), "ally") ||
		!definite[first] && !ownings[first] || keepable(words[len(words)-1]) || r.thingly(lexis.Fold(lastOf(words))) {
		return ""
	}
	return r.name(words, true)
}

func lastOf(words []string) string { return words[len(words)-1] }

// dayAt is the time that stands where a pattern has its object, as it was told.
func (v view) dayAt(m match) string {
	words := m.slots["O"]
	for len(words) > 1 && lexis.Fold(words[0]) != timeMark && (fillers[lexis.Fold(words[0])] || articles[lexis.Fold(words[0])] ||
		cuts[lexis.Fold(words[0])]) {
		words = words[1:]
	}
	if len(words) == 0 || lexis.Fold(words[0]) != timeMark {
		return ""
	}
	later := slice.Count(words, func(w string) bool { return lexis.Fold(w) == timeMark })
	if at := len(v.marks) - later; at >= 0 {
		return v.marks[at].text
	}
	return ""
}

// numbered are the predicates of which a value may be one with a digit, and modest those of which it is no name.
var numbered = lexis.Set("costs version phone")

var modest = lexis.Set("hobby studies allergic_to takes")

// whose takes words that begin with whose something is apart: my employer; Maria's sister.
func (r *reader) whose(words []string) (of string, what []string) {
	switch first := lexis.Fold(words[0]); {
	case ownings[first]:
		return r.speaker, words[1:]
	case others[first]:
		return r.last, words[1:]
	}
	at := 0
	if articles[lexis.Fold(words[0])] {
		at = 1
	}
	for i := at + 1; i+1 < len(words) && i < at+4; i++ { // the deadline for Osprey
		f := lexis.Fold(words[i])
		if (f == "of" || f == "for" || f == "von" || f == "fur" || f == "de" || f == "para") && graph.Known(strings.Join(words[at:i], " ")) {
			return r.name(words[i+1:], false), words[at:i]
		}
	}
	for i, w := range words[:min(len(words), 3)] {
		if name, ok := owner(w); ok && capital(words[0]) {
			return r.owner(append(slices.Clone(words[:i]), name)), words[i+1:]
		}
	}
	return "", nil
}
