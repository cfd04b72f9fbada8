package derive

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/reverie-memory/reverie/graph"
	"github.com/reverie-memory/reverie/lexis"
)

// A view is how a clause says what it says.
type view struct {
	when  period
	marks []period // the times of the clause, in the order of its words
	over  bool     // it is so no longer
	also  bool
}

// tell adds what a pattern says of a subject, and says whether it did.
func (r *reader) tell(v view, subject []string, m match) bool {
	at := len(r.events)
	who := r.subjects(subject, m)
	if len(who) == 0 {
		return false
	}
	predicate := m.predicate
	if m.lasting && (v.when.from == "" || v.when.at) { // has been so at some time
		return false
	}
	if m.kind == "team" {
		if !v.when.told || v.when.at || !r.tellsOf(teams) {
			return false
		}
		p := *m.pattern
		m.pattern, p.kind = &p, "hold"
	}
	if m.vague && (v.when.at || v.when.from == "" && v.when.to == "") {
		return false
	}
	if of := m.slots["R"]; predicate == "works_at" && len(of) > 0 && !job(of) {
		return false
	}
	if predicate == "hosted_on" && r.code {
		predicate, r.code = "code_hosted_on", false
	}
	if predicate == "*" {
		held := slices.DeleteFunc(slices.Clone(m.slots["R"]), func(w string) bool { return fresh[lexis.Fold(w)] || articles[lexis.Fold(w)] })
		if len(held) == 0 || former[lexis.Fold(held[0])] {
			return false
		}
		office := strings.ToLower(strings.Join(held, " "))
		head := lexis.Fold(office[strings.LastIndex(office, " ")+1:])
		if !core().is("offices", head) && (core().people[head] == "" || m.kind != "hold") || len(m.slots["R"]) > 3 ||
			len(m.slots["R"]) > 1 && slices.ContainsFunc(m.tokens, func(t []string) bool { return t[0] == "to" }) {
			return false
		}
		if predicate = office + " of"; leaders[office] {
			predicate = "runs"
		}
	}
	if m.kind == "choose" {
		of := m.slots["P"]
		at := slices.IndexFunc(subject, func(w string) bool { return selves[lexis.Fold(w)] })
		if len(of) == 0 && at > 0 && lexis.Fold(subject[0]) == "for" {
			of = subject[1:at] // for the newsletter we
		}
		if of = object(of); len(of) == 0 || !core().is("systems", lexis.Fold(of[len(of)-1])) {
			return false
		}
		p := *m.pattern
		m.pattern, p.kind = &p, "begin"
		m.slots = map[string][]string{"O": m.slots["O"], "P": of}
	}
	if p := m.slots["P"]; len(p) > 0 {
		use := object(p)
		if at := len(use); at+1 < len(p) && ands[lexis.Fold(p[at])] && capital(p[at+1]) { // and Grafana for the charts
			next := m
			next.slots = map[string][]string{"O": p[at+1:]}
			if to := slices.Index(p, "for"); to > at+1 {
				next.slots = map[string][]string{"O": p[at+1 : to], "P": p[to+1:]}
			}
			defer r.tell(v, subject, next)
		}
		predicate = usesFor(use)
	}
	o, w, t := r.thing(m.slots["O"], m.object), r.thing(m.slots["W"], m.object), r.thing(m.slots["T"], "place")
	if of := m.slots["T"]; len(of) == 1 && (selves[lexis.Fold(of[0])] || pronouns[lexis.Fold(of[0])]) {
		t = r.name(of, true)
	}
	if t == "" && len(m.slots["T"]) > 0 && (strings.HasPrefix(m.kind, "of") || m.kind == "trade") && !m.reversed {
		t = r.topic(m.slots["T"])
	}
	if at := strings.IndexFunc(o, unicode.IsSpace); predicate == "role" && at > 0 {
		for _, prep := range []string{" at ", " in ", " im ", " bei ", " en ", " for "} {
			o, _, _ = strings.Cut(o, prep)
		}
	}
	if predicate == "hobby" && definite[lexis.Fold(m.slots["O"][0])] || predicate == "uses" && o != "" && core().school(lastWord(o)) {
		return false
	}
	if rest := m.slots["O"]; predicate == "owns" && len(object(rest)) > 0 { // a caravan, a Swift
		rest = rest[cap(rest)-cap(object(rest))+len(object(rest)):]
		if len(rest) > 2 && rest[0] == "," && articles[lexis.Fold(rest[1])] && proper(object(rest[2:])) {
			o = strings.Join(object(rest[2:]), " ")
		}
	}
	if rest := m.slots["T"]; len(rest) == 1 && toOrFro[lexis.Fold(rest[0])] { // moved away from W
		delete(m.slots, "T")
		t = ""
	}
	kind, of := strings.CutPrefix(m.kind, "of")
	if it := m.slots["W"]; len(it) == 1 && it[0] == "it" {
		if w = r.it; kind == "swap" {
			kind = "trade" // it may be another thing, which was never told of
		}
	}
	if m.object == "domain" && !strings.ContainsRune(t, '.') {
		return false
	}
	if m.object == "day" {
		o, v.when = v.dayAt(m), period{}
	}
	switch kind = cmp.Or(strings.Trim(kind, "-"), "hold"); {
	case m.kind == "takes":
		if w == "" || !capital(who[0]) || who[0] == r.speaker {
			return false
		}
		r.add(graph.Event{Kind: graph.Replace, Was: w, Object: who[0], ValidFrom: v.when.from})
	case m.kind == "get":
		if o == "" {
			return false
		}
		if t != "" {
			r.say(v, "end", t, predicate, o)
		}
		r.say(v, "begin", who[0], predicate, o)
	case of, m.kind == "with-begin":
		if predicate == "due" {
			t = r.attributeOf(m.slots["T"], predicate)
		}
		if o == "" || t == "" {
			return false
		}
		if r.code {
			predicate, r.code = "code_hosted_on", false
		}
		r.say(v, strings.TrimPrefix(kind, "with-"), t, predicate, o)
	case m.kind == "next":
		return r.next(v, who[0], predicate, o)
	case len(m.slots["W"]) > 0 && w == "":
		return false
	case kind == "trade" && o != "" && (t != "" || len(m.slots["T"]) == 0):
		e := graph.Event{Kind: graph.Replace, Subject: cmp.Or(t, who[0]), Was: w, Object: o, ValidFrom: v.when.from, Also: true}
		if predicate != "uses" {
			e.Predicate = predicate
		}
		r.add(e)
		if what := object(m.slots["T"]); predicate == "uses" && len(what) > 0 { // used for the newsletter, which was moved
			e.Subject, e.Predicate = who[0], usesFor(what)
			r.add(e)
		}
		r.code = false
	case m.kind == "after":
		return len(who) == 1 && r.after(v, who[0])
	case m.object == "none":
		if m.kind == "end" && len(who) == 1 && who[0] != "" {
			e := graph.Event{Kind: graph.Invalidate, Subject: who[0], Predicate: predicate, ValidTo: v.when.day()}
			if predicate == graph.AnyOffice { // on whichever side
				e.Subject, e.Object = "", who[0]
			}
			r.add(e)
			break
		}
		if len(who) != 2 {
			return false
		}
		r.say(v, m.kind, who[0], predicate, who[1])
	case m.kind == "gone" && strings.Contains(who[0], "'s "):
		return false
	case m.kind == "gone":
		if capital(who[0]) && predicate == "owns" { // what is called so may be the speaker's
			r.add(graph.Event{Kind: graph.Invalidate, Subject: r.speaker, Predicate: predicate, Object: who[0], ValidTo: v.when.day()})
		}
		r.add(graph.Event{Kind: graph.Invalidate, Predicate: predicate, Object: who[0], ValidTo: v.when.day()})
	case m.kind == "pass" && m.reversed && t != "":
		r.add(graph.Event{Kind: graph.Invalidate, Predicate: predicate, Object: who[0], ValidTo: v.when.day()})
		r.say(v, "begin", t, predicate, who[0])
	case m.kind == "pass" && t != "" && o != "":
		r.say(v, "end", who[0], predicate, o)
		r.say(v, "begin", t, predicate, o)
	case o == "" || len(m.slots["T"]) > 0:
		return false
	case m.object == "school" && !core().school(o) && (v.when.from == "" || v.when.to == "" || v.when.at):
		return false
	case m.kind == "swap" && m.reversed:
		r.add(graph.Event{Kind: graph.Replace, Was: who[0], Object: o, ValidFrom: v.when.from})
	case m.kind == "swap":
		r.add(graph.Event{Kind: graph.Replace, Subject: who[0], Was: w, Object: o, ValidFrom: v.when.from})
	default:
		for _, s := range who {
			if w != "" { // from there
				r.add(graph.Event{Kind: graph.Assert, Subject: s, Predicate: predicate, Object: w, ValidTo: cmp.Or(v.when.day(), r.said)})
			}
			for _, o := range r.several(predicate, m.slots["O"], o) {
				if m.reversed {
					s, o = o, s
				}
				r.say(v, m.kind, s, predicate, o)
			}
		}
	}
	r.before = who[0]
	return len(r.events) > at
}

// usesFor is the predicate of what is used for something.
func usesFor(what []string) string {
	for len(what) > 1 && (articles[lexis.Fold(what[0])] || ownings[lexis.Fold(what[0])] || others[lexis.Fold(what[0])] || what[0] == "all") {
		what = what[1:]
	}
	return "uses for " + strings.Join(what, " ")
}

// leaders are the offices of whom the predicate is that they run something.
var leaders = lexis.Set("leader lead head maintainer manager")

// after says that somebody is what another one was whom the fact had end: Ines stepped down as treasurer of the choir, Omar took over.
func (r *reader) after(v view, who string) bool {
	for at := len(r.events) - 1; at >= 0; at-- {
		if end := r.events[at]; end.Kind == graph.Invalidate && end.Object != "" && end.Subject != who && end.Subject != "" {
			v.over, v.also = false, false
			if v.when.from == "" {
				v.when = period{from: end.ValidTo, told: true}
			}
			r.say(v, "begin", who, end.Predicate, end.Object)
			return true
		}
	}
	return false
}

// next says that something takes the place of what the sentence had end, if that was known: left Fiat and joined Lego.
func (r *reader) next(v view, who, predicate, o string) bool {
	if o == "" {
		return false
	}
	for at := len(r.events) - 1; at >= r.left; at-- {
		end := r.events[at]
		if end.Kind != graph.Invalidate || end.Subject != who || end.Predicate != predicate {
			continue
		}
		n := len(r.events)
		if end.Object == "" {
			r.say(v, "begin", who, predicate, o)
			return true
		}
		r.add(graph.Event{
			Kind: graph.Replace, Subject: who, Predicate: predicate, Was: end.Object, Object: o, Also: true,
			ValidFrom: cmp.Or(v.when.from, end.ValidTo),
		})
		if len(r.events) > n { // before that end
			r.events = slices.Insert(r.events[:n], at, r.events[n])
		}
		return true
	}
	return false
}

// many are the predicates of which a list of objects is taken apart at and.
var many = lexis.Set("speaks hobby uses plays allergic_to supports subscribes_to flatmate_of")

func (r *reader) several(predicate string, words []string, one string) (out []string) {
	if !many[predicate] {
		return []string{one}
	}
	like := func(part []string) (article, name bool) {
		return articles[lexis.Fold(part[0])], capital(part[len(part)-1])
	}
	var article, name bool
	for i, part := range split(words) {
		part = object(part)
		if len(part) == 0 {
			break
		}
		if a, n := like(part); i == 0 {
			article, name = a, n
		} else if a != article || n != name ||
			selves[lexis.Fold(part[0])] || pronouns[lexis.Fold(part[0])] || len(part) > 2 && !a || len(part) > 3 {
			break
		}
		out = append(out, r.thing(part, "any"))
	}
	return slices.DeleteFunc(out, func(s string) bool { return s == "" })
}

func split(words []string) (parts [][]string) {
	start := 0
	for i := 0; i <= len(words); i++ {
		if i == len(words) || words[i] == "," || ands[lexis.Fold(words[i])] {
			if i > start {
				parts = append(parts, words[start:i])
			}
			start = i + 1
		}
	}
	return parts
}

// renewed are the predicates of which whoever has another value from now on has no other: I drive a Corsa now.
var renewed = lexis.Set("drives banks_at")

// say adds that something holds, begins or ends, in the time of the clause.
func (r *reader) say(v view, kind, subject, predicate, object string) {
	e := graph.Event{Kind: graph.Assert, Subject: subject, Predicate: predicate, Object: object, Also: v.also}
	w := v.when
	switch {
	case kind == "end" || v.over:
		e.Kind, e.Also, e.ValidTo = graph.Invalidate, false, w.day()
	case kind == "was":
		if e.ValidFrom, e.ValidTo = w.from, cmp.Or(w.to, r.said); w.from != "" && w.to == "" && !w.at {
			e.ValidTo = r.said
		}
	case kind == "hold":
		if e.ValidTo = w.to; !w.at {
			e.ValidFrom = w.from
		} else {
			e.ValidTo = ""
		}
	default:
		if e.ValidFrom = cmp.Or(w.from, r.said); !w.at {
			e.ValidTo = w.to
		}
	}
	if e.ValidTo != "" && e.ValidFrom > e.ValidTo {
		e.ValidFrom = ""
	}
	if kind == "was" && e.ValidTo == "" {
		return // it is over since nobody knows when
	}
	if e.Kind == graph.Assert && !e.Also && (kind == "hold" && r.anew || kind == "begin") && renewed[predicate] {
		r.add(graph.Event{Kind: graph.Invalidate, Subject: subject, Predicate: predicate, ValidTo: cmp.Or(e.ValidFrom, r.said)})
	}
	r.add(e)
}
