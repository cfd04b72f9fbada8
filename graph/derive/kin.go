package derive

import (
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/graph"
	"github.com/reverie-memory/reverie/lexis"
)

// keeps reads a relative or a pet that somebody has: have a cat named Figaro, adopted a greyhound called Comet, has a brother called Tom.
func (r *reader) keeps(v view, s noun, p *phrase) bool {
	kind, words := "begin", p.rest
	switch stem(p.verb) {
	case "have", "keep", "own":
		kind = "hold"
	case "adopt", "get", "buy", "take", "rescu", "bring", "welcom":
	default:
		return false
	}
	list := slices.Clone(words)
	if at := slices.Index(list, "and"); at > 0 && slices.ContainsFunc(list[at:], func(w string) bool {
		return w == "called" || w == "named"
	}) && slices.ContainsFunc(list[:at], func(w string) bool { return w == "called" || w == "named" }) {
		one, two := *p, *p // a tortoise called Achille and a goat called Bianca
		one.rest, two.rest = list[:at], list[at+1:]
		a, b := r.keeps(v, s, &one), r.keeps(v, s, &two)
		return a || b
	}
	at := slices.IndexFunc(list, func(w string) bool { return w == "called" || w == "named" })
	var names []string
	var what []string
	if at > 0 && at+1 < len(list) {
		what = list[:at]
		for _, n := range splitAnd(object(list[at+1:])) {
			names = append(names, run(n))
		}
	} else if i := slices.IndexFunc(list, capital); i > 0 && (articles[strings.ToLower(list[0])] || ownings[strings.ToLower(list[0])] ||
		cardinals[strings.ToLower(list[0])]) {
		what = list[:i]
		for _, n := range splitAnd(list[i:]) {
			names = append(names, run(n))
		}
	}
	what = slices.DeleteFunc(slices.Clone(what), func(w string) bool { return w == "," })
	if len(what) == 0 || len(names) == 0 || names[0] == "" {
		return false
	}
	head := strings.TrimSuffix(lexis.Fold(what[len(what)-1]), "s")
	for _, name := range names {
		switch {
		case name == "":
		case animals[head] || animals[head+"s"] ||
			slices.ContainsFunc(what, func(w string) bool { return animals[strings.TrimSuffix(lexis.Fold(w), "s")] }):
			r.tell(v, kind, s.name, "has_pet", name, true)
			r.add(graph.Event{
				Kind: graph.Assert, Subject: name, Predicate: "is_a",
				Object: strings.TrimSuffix(strings.Join(dropArticle(what), " "), "s"), Also: true,
			})
		case person(head):
			r.kinship(graph.Qualified(name, s.name+"'s "+head), head, s.name)
		default:
			return false
		}
	}
	return true
}

func dropArticle(words []string) []string {
	for len(words) > 1 && (articles[strings.ToLower(words[0])] || lexis.IsStop(words[0]) || cardinals[strings.ToLower(words[0])]) {
		words = words[1:]
	}
	return words
}

var cardinals = set("two three four five six both several")

func splitAnd(words []string) [][]string {
	var out [][]string
	start := 0
	for i := 0; i <= len(words); i++ {
		if i == len(words) || words[i] == "and" || words[i] == "," {
			if i > start {
				out = append(out, words[start:i])
			}
			start = i + 1
		}
	}
	return out
}

// couple reads what two are to each other: Alice and Bob are engaged.
func (r *reader) couple(v view, words []string) bool {
	at := slices.Index(v.subject, "and")
	if at < 1 || at+1 >= len(v.subject) {
		return false
	}
	text := strings.ToLower(strings.Join(dropLeading(words), " ")) + " "
	for _, c := range couples {
		if !strings.HasPrefix(text, c.words) {
			continue
		}
		a, b := r.name(v.subject[:at]), r.name(v.subject[at+1:])
		if a.name == "" || b.name == "" {
			return true
		}
		r.tell(v, c.kind, a.name, c.predicate, b.name, c.also)
		if c.predicate == "married_to" && c.kind != "end" {
			r.add(graph.Event{Kind: graph.Invalidate, Subject: a.name, Predicate: "engaged_to", Object: b.name, ValidTo: v.when.from})
		}
		return true
	}
	if what := strings.TrimSuffix(strings.TrimSpace(text), "s"); kin[what] && strings.HasPrefix(text, what+"s") { // are cousins
		if a, b := r.name(v.subject[:at]), r.name(v.subject[at+1:]); a.name != "" && b.name != "" {
			r.tell(v, "hold", a.name, what+" of", b.name, true)
		}
		return true
	}
	for _, who := range [][]string{v.subject[:at], v.subject[at+1:]} { // Alice and Bob live in Rome
		one := v
		one.subject = who
		one.words = words
		r.read(one)
	}
	return true
}

var couples = []struct {
	words, kind, predicate string
	also                   bool
}{
	{"got married ", "begin", "married_to", false},
	{"get married ", "begin", "married_to", false},
	{"married ", "hold", "married_to", false},
	{"tied the knot ", "begin", "married_to", false},
	{"wed ", "begin", "married_to", false},
	{"got engaged ", "begin", "engaged_to", false},
	{"became engaged ", "begin", "engaged_to", false},
	{"engaged ", "hold", "engaged_to", false},
	{"divorced ", "end", "", false},
	{"got divorced ", "end", "", false},
	{"separated ", "end", "", false},
	{"broke up ", "end", "", false},
	{"split up ", "end", "", false},
	{"parted ways ", "end", "", false},
	{"called off their engagement ", "end", "engaged_to", false},
	{"broke off their engagement ", "end", "engaged_to", false},
	{"couple ", "hold", "partner_of", false},
	{"together ", "hold", "partner_of", false},
	{"dating ", "hold", "partner_of", false},
	{"in a relationship ", "hold", "partner_of", false},
	{"friends ", "hold", "friend_of", true},
	{"colleagues ", "hold", "colleague_of", true},
	{"neighbours ", "hold", "neighbour_of", true},
	{"twins ", "hold", "twin_of", true},
	{"siblings ", "hold", "sibling_of", true},
	{"sisters ", "hold", "sibling_of", true},
	{"brothers ", "hold", "sibling_of", true},
}

// being reads what somebody or something is: Tom is Maria's brother; the owner of the mill is Ruth; my hobby is chess.
func (r *reader) being(v view, s noun) bool {
	words := v.words
	i := 0
	for i < len(words) && stem(words[i]) != "be" && stem(words[i]) != "becom" {
		if !filler[strings.ToLower(words[i])] {
			return false
		}
		i++
	}
	if i == len(words) {
		return false
	}
	rest := dropAdverbs(words[i+1:])
	if len(rest) > 0 && (rest[0] == "called" || rest[0] == "named") {
		rest = rest[1:]
	}
	if len(rest) == 0 || r.attribute(v, rest) {
		return true
	}
	kind, became := "hold", stem(words[i]) == "becom"
	if v.now || became {
		kind = "begin"
	}
	first := strings.ToLower(rest[0])
	if at := slices.IndexFunc(rest[:min(len(rest), 4)],
		func(w string) bool { _, ok := owner(w); return ok }); at >= 0 && at+1 < len(rest) ||
		ownings[first] || others[first] {
		of := r.speaker
		if at >= 0 {
			o, _ := owner(rest[at])
			of = r.name(append(slices.Clone(rest[:at]), o)).name
			rest = rest[at+1:]
		} else {
			if others[first] {
				of = r.last
			}
			rest = rest[1:]
		}
		role := object(append([]string{"the"}, rest...))
		if at := slices.Index(role, "and"); at > 1 {
			role = role[:at]
		}
		if len(role) < 2 || of == "" {
			return false
		}
		what := role[1:]
		for len(what) > 1 && traits[lexis.Fold(what[0])] {
			what = what[1:]
		}
		if person(what[len(what)-1]) {
			who := s.name
			if !strings.Contains(who, "(") && !strings.EqualFold(who, r.speaker) && !strings.Contains(who, "'s ") {
				who = graph.Qualified(who, of+"'s "+strings.Join(what, " "))
			}
			r.kinship(who, strings.Join(what, " "), of)
		} else {
			r.tell(v, kind, s.name, strings.Join(what, " ")+" of", of, false)
		}
		return true
	}
	switch first {
	case "a", "an", "one":
		r.office(v, kind, s, rest[1:], slices.Contains(rest, "of"))
		return true
	case "the":
		r.office(v, kind, s, rest[1:], false)
		return true
	}
	if at := slices.IndexFunc(rest, func(w string) bool { return w == "of" || w == "at" }); at > 0 && at < 4 && !capital(rest[0]) &&
		(became || roleLike(rest[:at])) {
		r.office(v, kind, s, rest, false)
		return true
	}
	return false
}

func dropAdverbs(words []string) []string {
	for len(words) > 1 && filler[strings.ToLower(words[0])] && !articles[strings.ToLower(words[0])] &&
		!ownings[strings.ToLower(words[0])] &&
		!others[strings.ToLower(words[0])] {
		words = words[1:]
	}
	return words
}

// attribute reads a subject that is an attribute of somebody: my hobby is chess; the main language of Atlas is Go.
func (r *reader) attribute(v view, value []string) bool {
	words := v.subject
	for len(words) > 0 && (words[0] == "," || words[0] == timeMark) {
		words = words[1:]
	}
	if len(words) < 2 {
		return false
	}
	of, what := "", []string(nil)
	first := strings.ToLower(words[0])
	switch at := slices.IndexFunc(words, func(w string) bool { _, ok := owner(w); return ok }); {
	case ownings[first]:
		of, what = r.speaker, words[1:]
	case others[first]:
		of, what = r.last, words[1:]
	case at >= 0 && at+1 < len(words):
		o, _ := owner(words[at])
		of, what = r.name(append(slices.Clone(words[:at]), o)).name, words[at+1:]
	case first == "the":
		at := slices.Index(words, "of")
		if at < 2 || at+1 == len(words) {
			return false
		}
		of, what = r.name(words[at+1:]).name, words[1:at]
	default:
		return false
	}
	fresh := false
	what = slices.DeleteFunc(slices.Clone(what), func(w string) bool {
		f := strings.ToLower(w)
		fresh = fresh || f == "new" || f == "current"
		return f == "new" || f == "current" || f == "own" || filler[f]
	})
	if of == "" || len(what) == 0 || len(what) > 3 || slices.ContainsFunc(what, capital) || slices.Contains(what, ",") {
		return false
	}
	head := what[len(what)-1]
	named := capital(value[0]) || articles[strings.ToLower(value[0])] && len(value) > 1 && capital(value[1]) ||
		value[0][0] >= '0' && value[0][0] <= '9'
	attr := strings.ToLower(strings.Join(what, " "))
	kind := "hold"
	if fresh || v.now {
		kind = "begin"
	}
	switch {
	case person(head) && named:
		for _, n := range splitAnd(object(value)) {
			who := r.name(n)
			e := len(r.events)
			r.kinship(graph.Qualified(who.name, of+"'s "+head), strings.Join(what, " "), of)
			if len(r.events) > e && kind == "begin" {
				r.events[len(r.events)-1].Also = false
			}
		}
		return true
	case roleLike(what) && named && capital(value[0]) && len(v.subject) > 2 && (slices.Contains(v.subject, "of") || of != r.speaker):
		if o := r.objects(value, false); len(o) > 0 {
			r.tell(v, kind, o[0].name, attr+" of", of, false)
		}
		return true
	case animals[lexis.Fold(head)] && named:
		r.tell(v, kind, of, "has_pet", run(value), true)
		return true
	case slices.Contains([]string{"hobby", "hobbies", "sport", "pastime", "hobbie"}, lexis.Fold(head)):
		for _, o := range r.objects(value, true) {
			r.tell(v, kind, of, "hobby", o.name, false)
		}
		return true
	case person(head), animals[lexis.Fold(head)], !named && !valued[lexis.Fold(head)] && !strings.HasPrefix(attr, "favo"):
		return false
	}
	o := r.objects(value, false)
	if len(o) == 0 {
		return false
	}
	r.tell(v, kind, of, attr, o[0].name, false)
	return true
}

// valued are attributes whose value is no name.
var valued = set("language job profession role title colour color deadline birthday instrument sport subject major password size version " +
	"occupation position name")
