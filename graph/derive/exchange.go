package derive

import (
	"regexp"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/graph"
)

var changing = set("switch chang migrat move convert port transit transfer shift went go upgrad relocat swap trade replac exchang " +
	"substitut supersed mov")

// exchange reads what takes the place of something: from A to B; A by B; B instead of A.
func (r *reader) exchange(v view, s noun) bool {
	words := v.words
	lower := func(i int) string {
		if i < len(words) {
			return strings.ToLower(words[i])
		}
		return ""
	}
	verb := -1
	for i := range words[:min(len(words), 5)] {
		if changing[stem(words[i])] {
			verb = i
			break
		}
	}
	next := func(from int, of ...string) int {
		for i := from; i < len(words); i++ {
			if slices.Contains(of, lower(i)) {
				return i
			}
		}
		return -1
	}
	was, now, hint := []string(nil), []string(nil), ""
	if lead := dropLeading(words); len(lead) > 2 && stem(lead[0]) == "leav" {
		if at := slices.Index(lead, "for"); at > 1 && at+1 < len(lead) && !durations[lead[len(lead)-1]] {
			if old, o := r.objects(lead[1:at], false), r.objects(lead[at+1:], false); len(old) > 0 && len(o) > 0 {
				r.replaced(v, s.name, "works_at", old[0].name, o)
				return true
			}
		}
	}
	if lead := dropLeading(words); len(lead) > 3 && (stem(lead[0]) == "rewrit" || stem(lead[0]) == "port" || stem(lead[0]) == "move" ||
		stem(lead[0]) == "migrat") {
		at := slices.IndexFunc(lead, func(w string) bool { return w == "in" || w == "to" || w == "from" })
		// what is moved, not who moves it
		if f := strings.ToLower(lead[1]); at > 1 && (articles[f] || ownings[f] || others[f] || capital(lead[1])) {
			what, o := r.name(lead[1:at]), []noun(nil)
			if articles[f] && r.speaker != "" {
				what.name = r.speaker + "'s " + what.name
			}
			if to := slices.IndexFunc(lead, func(w string) bool { return w == "to" || w == "in" }); to > 0 {
				o = r.objects(lead[to+1:], false)
			}
			hint = "hosted_on"
			if stem(lead[0]) == "rewrit" || stem(lead[0]) == "port" {
				hint = "written_in"
			}
			if what.name != "" && len(o) > 0 {
				r.tell(v, "begin", what.name, hint, o[0].name, false)
				return true
			}
		}
	}
	if c, _, _ := find(words, 0); c.relation != nil && c.object != nil && !slices.Contains(words, "from") {
		return false
	}
	if verb >= 0 {
		from := next(verb, "from", "off")
		to := next(verb, "to", "over")
		back := next(verb, "with", "by", "for", "against")
		passive := verb > 0 && stem(words[verb-1]) == "be"
		switch replacing := stem(words[verb]); {
		case from > 0 && to > from && lower(to-1) != "according":
			was, now = words[from+1:to], words[to+1:]
		case from > 0 && to > 0 && to < from:
			was, now = words[from+1:], words[to+1:from]
		case (replacing == "replac" || replacing == "swap" || replacing == "trade" || replacing == "exchang" || replacing == "supersed" ||
			replacing == "substitut") && back > verb:
			now = words[back+1:]
			if was = words[verb+1 : back]; passive || len(trimRight(was)) == 0 {
				r.replaced(v, "", "", s.name, r.objects(now, false))
				return true
			}
		case replacing == "replac" && len(words) > verb+1:
			if old := r.objects(words[verb+1:], false); len(old) > 0 && next(verb, "as") < 0 {
				r.replaced(v, "", "", old[0].name, []noun{s})
				return true
			}
		case to > 0 && (replacing == "switch" || replacing == "migrat" || replacing == "chang" || replacing == "transit") && to < verb+4:
			if o := r.objects(words[to+1:], false); len(o) > 0 {
				r.replaced(v, s.name, "", "", o)
				return true
			}
		}
		if was == nil {
			return false
		}
		if stem(words[verb]) == "move" || stem(words[verb]) == "relocat" {
			if hint = "lives_in"; verb > 0 && stem(words[verb-1]) == "be" || !isPerson(s) {
				hint = "hosted_on"
			}
		}
		if slices.ContainsFunc(was, func(w string) bool { return hasOne([]string{w}, []string{"university", "school", "college"}) }) {
			hint = "studies_at"
		}
	}
	if verb < 0 {
		for i := range words {
			if lower(i) == "instead" && lower(i+1) == "of" || lower(i) == "rather" && lower(i+1) == "than" {
				old := r.objects(words[i+2:], false)
				v.words, v.also = words[:i], false
				c, _, end := find(v.words, 0)
				if len(old) == 0 || c.relation == nil {
					return false
				}
				predicate := c.predicate
				o := r.objects(v.words[end:], false)
				r.replaced(v, s.name, predicate, old[0].name, o)
				return true
			}
		}
		return false
	}
	old := r.objects(was, false)
	o := r.objects(now, false)
	if len(old) == 0 || len(o) == 0 {
		return false
	}
	r.replaced(v, s.name, hint, old[0].name, o)
	return true
}

func isPerson(s noun) bool {
	return s.name != "" && capital(s.name) && !strings.HasPrefix(s.name, "Project ")
}

// replaced says that what held of one thing holds of another now. A subject that is not known is anybody's.
func (r *reader) replaced(v view, subject, predicate, was string, now []noun) {
	if len(now) == 0 {
		return
	}
	r.add(graph.Event{Kind: graph.Replace, Subject: subject, Predicate: predicate, Was: was, Object: now[0].name, ValidFrom: v.when.from})
}

var office = regexp.MustCompile(`(?i)^(?:took over|takes over|has taken over|have taken over|taken ` +
	`over|succeeded|succeeds|replaced|replaces|followed|follows)\b(?: from)? ?(.*?) ?\bas (?:the |our |a )?(?:new )?(.+)$`)

// succession reads who took an office over from whom: Ruth took over from Viktor as treasurer of the club.
func (r *reader) succession(v view, s noun) bool {
	m := office.FindStringSubmatch(strings.Join(dropLeading(v.words), " "))
	if m == nil {
		return false
	}
	if who := strings.Fields(m[1]); len(who) > 0 {
		if old := r.name(who); old.name != "" {
			noun0, of, _ := strings.Cut(m[2], " of ")
			if of != "" {
				r.add(graph.Event{
					Kind: graph.Invalidate, Subject: old.name, Predicate: noun0 + " of", Object: r.name(strings.Fields(of)).name,
					ValidTo: v.when.from,
				})
			}
		}
	}
	r.office(v, "begin", s, strings.Fields(m[2]), false)
	return true
}

func dropLeading(words []string) []string {
	for len(words) > 1 && filler[strings.ToLower(words[0])] {
		words = words[1:]
	}
	return words
}

// office says what somebody is of something: treasurer of the club, head of analytics, nurse at the hospital.
func (r *reader) office(v view, kind string, s noun, words []string, also bool) {
	if at := slices.IndexFunc(words, func(w string) bool { return w == "from" || w == "," || w == "and" || w == "who" }); at > 0 {
		words = words[:at]
	}
	words = object(append([]string{"the"}, words...))
	if len(words) < 2 {
		return
	}
	words = words[1:]
	at := slices.IndexFunc(words, func(w string) bool { f := strings.ToLower(w); return f == "of" || f == "at" || f == "for" || f == "in" })
	if at < 1 || at+1 == len(words) {
		predicate := "role"
		if len(words) > 0 && !roleLike(words) {
			predicate = "is_a"
		}
		r.tell(v, kind, s.name, predicate, strings.Join(trimRight(words), " "), also || predicate == "is_a")
		return
	}
	what, of := strings.ToLower(strings.Join(words[:at], " ")), r.name(words[at+1:])
	switch {
	case of.name == "":
	case what == "member" || strings.HasSuffix(what, " member"):
		r.tell(v, kind, s.name, "member_of", of.name, also)
	case (what == "student" || what == "pupil") && isPerson(s):
		r.tell(v, kind, s.name, "studies_at", of.name, also)
	case strings.ToLower(words[at]) == "of":
		r.tell(v, kind, s.name, what+" of", of.name, also)
	case strings.ToLower(words[at]) == "in":
		r.tell(v, kind, s.name, "role", strings.Join(words, " "), also)
	default:
		r.tell(v, kind, s.name, "role", what, also)
		r.tell(v, kind, s.name, "works_at", of.name, also)
	}
}

// roleLike tells what somebody does from what something is.
func roleLike(words []string) bool {
	if at := slices.IndexFunc(words, func(w string) bool { return places[strings.ToLower(w)] }); at > 0 {
		words = words[:at]
	}
	w := strings.ToLower(words[len(words)-1])
	return person(w) || slices.ContainsFunc([]string{
		"er", "or", "ist", "ian", "ant", "nurse", "pilot", "chef", "cook", "head", "lead", "judge", "clerk",
		"chief", "captain", "president", "chair", "chairman", "chairwoman", "host", "vet", "priest", "monk", "smith", "man", "woman",
	}, func(end string) bool {
		return strings.HasSuffix(w, end)
	})
}

// sale reads a thing that goes from one to another: sold, gave, passed on, lent.
func (r *reader) sale(v view, s noun) bool {
	words := dropLeading(v.words)
	if len(words) < 2 {
		return false
	}
	if stem(v.words[0]) == "be" && len(words) > 2 && words[1] == "to" && (stem(words[0]) == "sell" || stem(words[0]) == "give") {
		to := r.name(object(words[2:]))
		for _, p := range []string{"owns", "has_pet"} {
			r.add(graph.Event{Kind: graph.Invalidate, Predicate: p, Object: s.name, ValidTo: v.when.from})
		}
		if to.name != "" {
			r.tell(v, "begin", to.name, possession(s), s.name, true)
		}
		return true
	}
	switch stem(words[0]) {
	case "sell", "give", "pass", "hand", "donat", "gift", "rehom":
	case "buy", "purchas", "acquir", "adopt", "inherit", "get", "bought":
		at := slices.IndexFunc(words, func(w string) bool { return w == "from" })
		if at < 2 || at+1 == len(words) {
			return false
		}
		what, from := r.objects(words[1:at], false), r.name(object(words[at+1:]))
		if len(what) == 0 {
			return false
		}
		if from.name != "" && capital(from.name) {
			r.tell(v, "end", from.name, "", what[0].name, false)
		}
		r.tell(v, "begin", s.name, possession(what[0]), what[0].name, true)
		return true
	default:
		return false
	}
	if strings.EqualFold(words[1], "up") || strings.EqualFold(words[1], "birth") {
		return false
	}
	at := slices.IndexFunc(words, func(w string) bool { return w == "to" })
	if at < 2 || at+1 == len(words) {
		return false
	}
	what := r.objects(slices.DeleteFunc(slices.Clone(words[1:at]), func(w string) bool { return w == "away" || w == "on" || w == "over" }),
		false)
	to := r.name(object(words[at+1:]))
	if len(what) == 0 {
		return false
	}
	r.tell(v, "end", s.name, "", what[0].name, false)
	if to.name != "" && (capital(to.name) || to.own != "") {
		r.tell(v, "begin", to.name, possession(what[0]), what[0].name, true)
	}
	return true
}

func possession(o noun) string {
	if animals[o.head] {
		return "has_pet"
	}
	return "owns"
}
