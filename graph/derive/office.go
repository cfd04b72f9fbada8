package derive

import (
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/lexis"
)

func isPerson(s noun) bool {
	return s.name != "" && capital(s.name) && !strings.HasPrefix(s.name, "Project ") &&
		!(strings.Contains(s.name, "'s ") && s.head != "" && !person(s.head) && !animals[s.head] && !strings.Contains(s.name, "("))
}

func dropLeading(words []string) []string {
	for len(words) > 1 && filler[strings.ToLower(words[0])] {
		words = words[1:]
	}
	return words
}

// office says what somebody is of something: treasurer of the club, head of analytics, nurse at the hospital.
func (r *reader) office(v view, kind string, s noun, words []string, also bool) {
	if len(words) > 4 && kin[lexis.Fold(words[0])] && words[1] == "of" { // the father of Ole and Liv
		for _, child := range splitAnd(words[2:]) {
			r.kinship(s.name, words[0], r.name(object(child)).name)
		}
		return
	}
	if at := slices.IndexFunc(words, func(w string) bool { return w == "from" || w == "and" || w == "who" }); at > 0 {
		words = words[:at]
	}
	words = object(append([]string{"the"}, words...))
	if len(words) < 2 {
		return
	}
	words = words[1:]
	at := slices.IndexFunc(words, func(w string) bool {
		return slices.Contains([]string{"of", "at", "for", "in", "near"}, strings.ToLower(w))
	})
	if at < 1 || at+1 == len(words) {
		if len(words) > 0 && kin[lexis.Fold(words[len(words)-1])] { // became a mother
			return
		}
		predicate := "role"
		if len(words) > 0 && !roleLike(words) && !(kind == "begin" && isPerson(s)) {
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
		if isPerson(s) && !kin[what] && !fellows[what] && what != "owner" { // of a club beside a job; of a department it is the job
			r.tell(v, kind, s.name, "role", what+" of "+of.name, also || capital(words[at+1]) || articles[strings.ToLower(words[at+1])])
		}
	case strings.ToLower(words[at]) == "in", strings.ToLower(words[at]) == "near":
		r.tell(v, kind, s.name, "role", what, also)
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
