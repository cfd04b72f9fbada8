package derive

import (
	"cmp"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/graph"
	"github.com/reverie-memory/reverie/lexis"
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
		e.ValidFrom = cmp.Or(w.from, r.said)
		if !w.at {
			e.ValidTo = w.to
		}
	}
	if e.ValidTo != "" && e.ValidFrom > e.ValidTo {
		e.ValidFrom = ""
	}
	if e.Kind == graph.Assert && v.insteadOf != "" {
		r.add(graph.Event{Kind: graph.Replace, Subject: subject, Predicate: predicate, Was: v.insteadOf, Object: object, ValidFrom: w.from})
		return
	}
	r.add(e)
}

// framed reads what a verb says, by its frames.
func (r *reader) framed(v view, s noun, p *phrase) bool {
	p.cut()
	if words := p.args["instead"]; len(words) > 0 {
		if old := r.objects(words, false); len(old) > 0 {
			v.insteadOf = old[0].name
		}
	}
	for _, strict := range []bool{true, false} {
		for _, f := range p.frames {
			if f.demands() == strict && r.frame(v, s, p, f) {
				r.name(object(p.args["with"])) // moved with his wife Vera: what she is to him
				return true
			}
		}
	}
	return false
}

// demands says whether a frame is for objects of a class.
func (f *frame) demands() bool {
	return slices.ContainsFunc(f.ops, func(o op) bool {
		return slices.ContainsFunc(o.object, func(p place) bool { return p.class != "" })
	})
}

func (r *reader) frame(v view, s noun, p *phrase, f *frame) bool {
	used := map[string]bool{}
	for _, o := range f.ops {
		for _, list := range [][]place{o.subject, o.object, o.was} {
			for _, at := range list {
				used[at.name] = true
			}
		}
	}
	did := false
	for _, o := range f.ops {
		did = r.op(v, s, p, o, used) || did
	}
	return did
}

// fill are the names at the first of some places where there is one.
func (r *reader) fill(s noun, p *phrase, places []place, used map[string]bool, several bool) ([]noun, []string, bool) {
	for _, at := range places {
		name := at.name
		switch {
		case name == "_":
			return []noun{{}}, nil, true
		case name == "V":
			return []noun{{name: p.last}}, []string{p.last}, true
		case name == "N" && (p.passive || strings.EqualFold(s.name, r.speaker)):
			continue
		case name == "S" && p.passive:
			name = "by"
		case name == "O" && p.passive:
			if of := strings.Fields(s.head + " " + s.name); isA(at.class, of) {
				return []noun{s}, of, true
			}
			continue
		case name == "S", name == "N":
			return []noun{s}, nil, true
		case name == "C" && p.passive:
			name = "O"
		case name == "C":
			continue
		}
		words := p.words(name, used)
		taken := func(at string) bool { return used[at] || at == "for" }
		if name == "O" && several && at.class == "" && len(words) > 0 && !slices.ContainsFunc(p.order[1:], taken) {
			// Farsi at home and English at work
			words = p.rest
		}
		if len(words) == 0 || !isA(at.class, words) {
			continue
		}
		before := len(r.events)
		if list := r.objects(words, several); len(list) > 0 {
			return list, words, true
		}
		r.events = r.events[:before]
	}
	return nil, nil, false
}

// several are predicates of which one clause may give many values.
var several = set("hobby speaks allergic_to uses owns teaches has_pet")

// op adds the triples of one part of a frame, and says whether its places are filled.
func (r *reader) op(v view, s noun, p *phrase, o op, used map[string]bool) bool {
	subjects, _, ok := r.fill(s, p, o.subject, used, false)
	if !ok && o.kind == "end" && p.passive && o.subject[0].name == "S" {
		subjects, ok = []noun{{}}, true // was sold: whoever had it
	}
	if !ok {
		return false
	}
	if o.kind == "swap" {
		if p.passive {
			subjects = []noun{{}} // was replaced: for whoever had it
		}
		return r.exchange(v, s, p, subjects[0], o, used)
	}
	objects, words, ok := r.fill(s, p, o.object, used, len(o.predicates) == 1 && several[o.predicates[0]])
	if !ok {
		return false
	}
	kind := o.kind
	if p.aspect != "" && kind != "end" {
		kind = p.aspect
	}
	predicates := o.predicates
	if len(predicates) == 0 {
		predicates = []string{""}
	}
	for _, subject := range subjects {
		for _, object := range objects {
			for _, predicate := range predicates {
				r.triple(v, kind, subject, predicate, object, words, o.also, p)
			}
		}
	}
	return true
}

func (r *reader) triple(v view, kind string, s noun, predicate string, o noun, words []string, also bool, p *phrase) {
	switch {
	case predicate == "role" && kind != "end" && !v.over && slices.Contains(words, "of"):
		r.office(v, kind, s, dropArticle(words), also)
		return
	case predicate == "role" && o.name != "" && kind == "end":
		what, of, _ := strings.Cut(o.name, " of ")
		r.add(graph.Event{
			Kind: graph.Invalidate, Subject: s.name, Predicate: what + " of", Object: strings.TrimPrefix(of, "the "), ValidTo: v.when.from,
		})
	case (predicate == "lives_in" || predicate == "hosted_on") && s.own != "" && isA("code", strings.Fields(s.head)):
		s.name, predicate = s.own, "code_hosted_on"
	case predicate == "lives_in" && kind != "end" && !isPerson(s):
		predicate = "hosted_on"
	case predicate == "owns" && v.now && kind == "hold" && isPerson(s): // and no longer to anybody else
		r.add(graph.Event{Kind: graph.Invalidate, Predicate: predicate, Object: o.name, ValidTo: v.when.from})
	case animals[o.head] && (predicate == "owns" || predicate == "drives"):
		predicate = "has_pet"
	case predicate == "uses" && kind != "end":
		if purpose := purposeOf(p.args["for"]); purpose != "" {
			predicate = "uses for " + purpose
		}
	}
	if predicate == "has_pet" && kind != "end" && !v.over {
		also = true
		if what := kindOf(words); o.head != "" && o.name != what {
			r.add(graph.Event{Kind: graph.Assert, Subject: o.name, Predicate: "is_a", Object: cmp.Or(what, o.head), Also: true})
		}
	}
	r.tell(v, kind, s.name, predicate, o.name, also)
}

// kindOf is what something is that is called something: a tabby cat called Figaro.
func kindOf(words []string) string {
	at := slices.IndexFunc(words, func(w string) bool { return w == "called" || w == "named" || w == "," || capital(w) })
	if at < 1 {
		return ""
	}
	return strings.TrimSuffix(strings.Join(dropArticle(words[:at]), " "), "s")
}

// exchange adds that one thing takes the place of another.
func (r *reader) exchange(v view, s noun, p *phrase, subject noun, o op, used map[string]bool) bool {
	now, _, ok := r.fill(s, p, o.object, used, false)
	if !ok {
		return false
	}
	old := []noun{{}}
	if len(o.was) > 0 {
		if old, _, ok = r.fill(s, p, o.was, used, false); !ok {
			return false
		}
	} else if v.insteadOf != "" {
		old[0].name = v.insteadOf
	}
	predicate := ""
	switch {
	case len(o.predicates) > 0:
		predicate = o.predicates[0]
	case slices.ContainsFunc(o.subject, func(p place) bool { return p.name == "O" }): // moved the site from A to B
		predicate = "hosted_on"
	}
	r.add(graph.Event{
		Kind: graph.Replace, Subject: subject.name, Predicate: predicate, Was: old[0].name, Object: now[0].name, ValidFrom: v.when.from,
	})
	return true
}

// purposeOf is what something is used for: "for tickets".
func purposeOf(words []string) string {
	what := object(words)
	if len(what) == 0 || len(what) > 4 || slices.ContainsFunc(what, func(w string) bool { return durations[strings.ToLower(w)] }) {
		return ""
	}
	what = slices.DeleteFunc(slices.Clone(what), func(w string) bool {
		f := strings.ToLower(w)
		return articles[f] || ownings[f] || others[f] || f == "all"
	})
	return strings.ToLower(strings.Join(what, " "))
}

var durations = set("year years month months week weeks day days hour hours ages now decades decade long time years' while")

// open keeps what no frame knows in the words of its verb: the pipeline writes to Snowflake. A single deed is none.
func (r *reader) open(v view, s noun, p *phrase) bool {
	f := lexis.Fold(p.verb)
	if v.past || p.passive || p.aspect != "" || v.over || f == "" || strings.HasSuffix(f, "ing") || stem(f) == "be" ||
		stem(f) == "have" || idle[stem(f)] || strings.Contains(f, "'") || capital(p.verb) || strings.HasSuffix(f, "ed") {
		return false
	}
	p.cut()
	for _, at := range p.order {
		words := p.words(at, nil)
		list := r.objects(words, true)
		if len(list) == 0 || at == "_" || at == "instead" || len(strings.Fields(list[0].name)) > 5 ||
			slices.ContainsFunc(words, func(w string) bool { return durations[strings.ToLower(w)] }) || idle[stem(words[0])] {
			continue
		}
		predicate := third(f)
		if at != "O" {
			predicate += " " + at
		}
		for _, o := range list {
			r.tell(v, "hold", s.name, predicate, o.name, false)
		}
		return true
	}
	return false
}

// idle are verbs, and words of no thing, that tell nothing of whom they are about.
var idle = func() map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(`say tell think know mean see look feel seem want need hope guess wonder try ask let make do go come get
		take give put find happen believe remember forget agree sound appear turn keep show help wish suppose call hear ` +
		"it that this them him her me you us what how why when all something anything nothing everything everyone to not") {
		m[stem(w)] = true
	}
	return m
}()

// third is the form of a verb that goes with he, she or it.
func third(verb string) string {
	n := len(verb)
	switch {
	case strings.HasSuffix(verb, "s"):
		return verb
	case strings.HasSuffix(verb, "y") && n > 1 && !strings.ContainsRune("aeiou", rune(verb[n-2])):
		return verb[:n-1] + "ies"
	case strings.HasSuffix(verb, "ch"), strings.HasSuffix(verb, "sh"), strings.HasSuffix(verb, "o"), strings.HasSuffix(verb, "x"):
		return verb + "es"
	}
	return verb + "s"
}
