package derive

import (
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/graph"
	"github.com/reverie-memory/reverie/vault"
)

// tell adds what a relation says, in the tense of the clause.
func (r *reader) tell(v view, kind, subject, predicate, object string, also bool) {
	e := graph.Event{Kind: graph.Assert, Subject: subject, Predicate: predicate, Object: object, Also: also || v.also}
	w := v.when
	switch {
	case kind == "end" || v.over:
		e.Kind, e.Also = graph.Invalidate, false
		if e.ValidTo = w.to; w.at || w.to == "" {
			e.ValidTo = w.from
		}
	case kind == "hold" && (v.past || v.former) && !(w.from != "" && w.to == "" && !w.at && !v.former):
		e.ValidFrom, e.ValidTo = w.from, w.to
		if e.ValidTo == "" {
			e.ValidTo = r.said
		}
	case kind == "hold":
		if e.ValidTo = w.to; !w.at {
			e.ValidFrom = w.from
		} else {
			e.ValidTo = ""
		}
	default:
		e.ValidFrom = cmpDay(w.from, r.said)
		if !w.at {
			e.ValidTo = w.to
		}
	}
	e.Only = v.now && !e.Also && e.Kind == graph.Assert && (exclusive[predicate] || strings.HasPrefix(predicate, "uses for"))
	if e.ValidTo != "" && e.ValidFrom > e.ValidTo {
		e.ValidFrom = ""
	}
	r.add(e)
}

// exclusive are predicates of which a new value, said to be so now, leaves no older one.
var exclusive = set("built_with role is_a drives hosted_on written_in")

func cmpDay(a, b vault.Day) vault.Day {
	if a != "" {
		return a
	}
	return b
}

// relation reads what relations.txt says.
func (r *reader) relation(v view, s noun) bool {
	c, start, end := find(v.words, 0)
	if c.relation == nil || start > 6 {
		return false
	}
	if start > 0 { // a noun: is the captain of, is my driving instructor
		if f := strings.ToLower(v.words[start-1]); articles[f] || ownings[f] || others[f] {
			return false
		}
	}
	rest := v.words[end:]
	if len(rest) > 0 && stem(rest[0]) == "from" && c.predicate == "lives_in" {
		return false
	}
	several := map[string]bool{
		"hobby": true, "speaks": true, "allergic_to": true, "uses": true, "owns": true, "plays": true,
		"teaches": true,
	}[c.predicate]
	list := r.objects(rest, several)
	if len(list) == 0 || particles[strings.ToLower(rest[0])] {
		return false
	}
	kind, predicate := c.kind, c.predicate
	if predicate == "lives_in" && kind == "begin" && !isPerson(s) || predicate == "lives_in" && strings.Contains(s.name, "'s ") &&
		!person(s.head) && !animals[s.head] && !strings.Contains(s.name, "(") {
		predicate = "hosted_on"
	}
	if purpose := purposeOf(rest); predicate == "uses" && purpose != "" && kind != "end" {
		predicate = "uses for " + purpose
	}
	for _, o := range list {
		subject, object := s.name, o.name
		if c.swap {
			subject, object = object, subject
		}
		switch {
		case predicate == "lives_in" && strings.Contains(object, "'s ") && kind == "begin":
			continue
		case kind == "end" || v.over:
			r.ends(v, subject, predicate, object, kind)
		case animals[o.head] && (predicate == "owns" || predicate == "drives"):
			r.tell(v, kind, subject, "has_pet", object, c.also)
		default:
			r.tell(v, kind, subject, predicate, object, c.also)
		}
	}
	r.beside(v, s, kind, predicate, rest)
	return true
}

// particles make another verb of one: ran away, looks after.
var particles = set("away out off up down over through along after")

// ends has the object end in whatever relations the verb may mean.
func (r *reader) ends(v view, subject, predicate, object, kind string) {
	of := []string{predicate}
	switch {
	case kind == "end" && stem(v.words[0]) == "leav": // not what was left somewhere
		of = []string{"works_at", "member_of", "studies_at", "lives_in", "married_to", "partner_of"}
	case kind == "end":
		of = []string{""} // quit and gave up end whatever there was
	}
	for _, p := range of {
		r.tell(v, "end", subject, p, object, false)
	}
	if kind == "end" && roleLike(strings.Fields(object)) { // retired as harbour master
		r.add(graph.Event{Kind: graph.Invalidate, Subject: subject, Predicate: object + " of", ValidTo: v.when.from})
	}
}

// purposeOf is what something is used for: "for tickets".
func purposeOf(words []string) string {
	at := slices.Index(words, "for")
	if at < 1 || at+1 >= len(words) {
		return ""
	}
	what := object(words[at+1:])
	if len(what) == 0 || len(what) > 4 || strings.EqualFold(what[0], "the") && len(what) > 2 && durations[what[len(what)-1]] ||
		slices.ContainsFunc(what, func(w string) bool { return durations[strings.ToLower(w)] }) {
		return ""
	}
	what = slices.DeleteFunc(slices.Clone(what), func(w string) bool {
		f := strings.ToLower(w)
		return articles[f] || ownings[f] || others[f] || f == "all"
	})
	return strings.ToLower(strings.Join(what, " "))
}

var durations = set("year years month months week weeks day days hour hours ages now decades decade long time years' while")

// beside reads what stands behind the object: as a nurse, at Siemens.
func (r *reader) beside(v view, s noun, kind, predicate string, rest []string) {
	for i, w := range rest {
		next := rest[i+1:]
		if len(next) == 0 {
			return
		}
		switch f := strings.ToLower(w); {
		case f == "as" && (predicate == "works_at" || predicate == "member_of" || predicate == "runs") && next[0] != "well":
			if o := r.objects(next, false); len(o) > 0 && kind != "end" {
				r.tell(v, kind, s.name, "role", o[0].name, predicate == "member_of")
			}
			return
		case (f == "at" || f == "for" || f == "with") && i > 0 && predicate == "role" && kind != "end":
			if o := r.objects(next, false); len(o) > 0 && (capital(next[0]) || articles[strings.ToLower(next[0])]) &&
				!durations[next[len(next)-1]] {
				r.tell(v, kind, s.name, "works_at", o[0].name, v.also)
			}
			return
		case (f == "at" || f == "in") && i > 0 && predicate == "studies":
			if o := r.objects(next, false); len(o) > 0 {
				r.tell(v, kind, s.name, "studies_at", o[0].name, false)
			}
			return
		}
	}
}

// death ends what somebody who died had, and what others had of him. What was rehomed or put to sleep is a pet alone.
func (r *reader) death(v view, s noun) bool {
	words := slices.DeleteFunc(slices.Clone(v.words), func(w string) bool { return filler[strings.ToLower(w)] })
	if len(words) == 0 {
		return false
	}
	verb := stem(words[0])
	then := strings.ToLower(strings.Join(words[1:min(len(words), 3)], " "))
	left := verb == "put" && (then == "to sleep" || then == "down") || verb == "rehom"
	dead := verb == "die" || verb == "dead" || verb == "pass" && strings.HasPrefix(then, "away") || then == "the rainbow"
	switch passive := len(v.words) > len(words) && slices.ContainsFunc(v.words, func(w string) bool { return stem(w) == "be" }); {
	case !dead && !(left && passive) && !(verb == "run" && then == "away" && !person(s.head)):
		return false
	case strings.EqualFold(s.name, r.speaker): // died of laughter
		return true
	case dead:
		for _, p := range []string{"lives_in", "works_at", "married_to", "role"} {
			r.add(graph.Event{Kind: graph.Invalidate, Subject: s.name, Predicate: p, ValidTo: v.when.from})
		}
	}
	r.add(graph.Event{Kind: graph.Invalidate, Predicate: "has_pet", Object: s.name, ValidTo: v.when.from})
	return true
}
