package derive

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/dream/claim"
	"github.com/reverie-memory/reverie/graph"
	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/vault"
)

// confidence is that of what the rules read.
const confidence = 0.8

// A Fact is a statement with who said it, and when.
type Fact struct {
	ID      string
	Text    string
	At      time.Time
	Speaker string // "" when unknown
	Origin  vault.Origin
	Agent   string
	Wing    string
}

// nobody is who speaks where that is not known.
const nobody = "the user"

// A reader reads one fact.
type reader struct {
	fact    Fact
	said    vault.Day
	speaker string
	last    string // whom a pronoun means
	events  []graph.Event
}

// Events is what a fact says of the graph, in the order of its words; none for most facts.
func Events(f Fact) []graph.Event {
	r := &reader{fact: f, said: vault.DayOf(f.At), speaker: f.Speaker}
	body := f.Text
	if name, words, ok := vault.CutQuote(body); ok {
		r.speaker, body = name, words
	} else if name, rest, ok := strings.Cut(body, ": "); ok && r.speaker != "" && lexis.Fold(name) == lexis.Fold(r.speaker) {
		body = rest
	}
	if s := strings.ToLower(r.speaker); s == "" || s == "user" || s == "the user" {
		r.speaker = nobody
	}
	for _, at := range lexis.Sentences(body) {
		r.sentence(body[at.Start:at.End])
	}
	return r.events
}

func (r *reader) add(e graph.Event) {
	e.At, e.Source, e.Speaker, e.Origin, e.Agent, e.Wing = r.fact.At, r.fact.ID, r.speaker, r.fact.Origin, r.fact.Agent, r.fact.Wing
	e.Confidence = confidence
	if e.Subject = tidy(e.Subject); e.Kind == graph.Alias || e.Predicate != "" {
		e.Predicate = graph.PredicateKey(e.Predicate)
	}
	e.Object, e.Was = tidy(e.Object), tidy(e.Was)
	if e.Validate() == nil && fits(e.Subject) && fits(e.Object) && lexis.Fold(e.Subject) != lexis.Fold(e.Object) {
		r.events = append(r.events, e)
	}
}

func tidy(name string) string {
	return strings.Trim(strings.Join(strings.Fields(name), " "), " ,.;:!\"“”")
}

// fits says whether words are short enough for a name.
func fits(name string) bool { return len(name) <= 80 && len(strings.Fields(name)) <= 9 }

// sentence reads one sentence: aliases first, which stand in no clause, then its clauses.
func (r *reader) sentence(text string) {
	text = r.aliases(strings.Trim(text, " .!…"))
	text, times := cutTimes(text, r.said)
	clauses := claim.Parse(text, r.fact.Speaker, r.said).Clauses()
	told := make([]period, len(clauses))
	next, before := 0, -1
	for i := range clauses {
		k := &clauses[i]
		own := period{}
		for _, w := range k.Words {
			if strings.EqualFold(w, timeMark) && next < len(times) {
				own = own.join(times[next])
				next++
			}
		}
		switch main := !k.Tail && k.Verb >= 0; {
		case main:
			told[i] = told[i].join(own)
			before = i
		case before >= 0:
			told[before] = told[before].join(own)
		case i+1 < len(clauses):
			told[i+1] = told[i+1].join(told[i]).join(own)
		}
	}
	for i := range clauses {
		if k := &clauses[i]; !k.Tail && k.Verb >= 0 {
			r.clause(k, told[i])
		}
	}
}

// A clause as the rules see it.
type view struct {
	subject []string
	words   []string // from the verb
	when    period
	past    bool // it was so
	former  bool // it used to be so
	over    bool // it is so no longer
	also    bool
	now     bool
}

func (r *reader) clause(k *claim.Clause, when period) {
	v := view{subject: subject(k.Words[:k.Verb]), words: k.Words[k.Verb:], when: when}
	all := " " + strings.ToLower(strings.Join(k.Words, " ")) + " "
	has := func(list ...string) bool {
		return slices.ContainsFunc(list, func(s string) bool { return strings.Contains(all, " "+s+" ") })
	}
	v.over = has("no longer", "any more", "anymore", "any longer") || has("stopped", "stops") && !has("stopped by")
	v.former = has("used to", "formerly", "previously", "once", "back then") && !has("at once")
	v.also = has("also", "as well", "too", "besides", "in addition", "additionally", "another", "a second", "on the side", "side job")
	v.now = has("now", "nowadays", "these days", "from now on", "instead")
	perfect := has("has", "have", "'ve") && !has("had")
	v.past = k.Past && !perfect
	if k.Negated && !v.over || k.Hedged && !v.former || planned(k.Words[k.Verb:]) {
		return
	}
	if len(v.subject) > 0 || r.last != "" {
		r.read(v)
	}
}

// planned tells what is still to come: is moving to Rome, will join, is going to sell.
func planned(words []string) bool {
	for i, w := range words[:min(len(words), 4)] {
		switch f := strings.ToLower(w); {
		case f == "will" || f == "'ll" || f == "shall" || f == "would" || f == "could" || f == "might" || f == "may":
			return true
		case strings.HasSuffix(f, "ing") && i > 0 && stem(words[i-1]) == "be" && coming[stem(f)]:
			return true
		}
	}
	return false
}

var coming = set("go move start join leav quit switch marri relocat sell bui adopt get plan think consid hope look tri becom migrat transfer return")

// subject are the words that name whom a clause is about, without what stands before: At Globex Priya.
func subject(words []string) []string {
	words = trimRight(slices.DeleteFunc(slices.Clone(words), func(w string) bool { return strings.EqualFold(w, timeMark) }))
	for len(words) > 0 && (words[0] == "," || adverbs[strings.ToLower(words[0])]) {
		words = words[1:]
	}
	if len(words) == 0 {
		return nil
	}
	first := strings.ToLower(words[0])
	if !places[first] && !cuts[first] && first != "besides" {
		if at := slices.Index(words, ","); at > 0 && at+1 < len(words) && words[len(words)-1] != "," {
			rest := words[at+1:]
			if f := strings.ToLower(rest[0]); !capital(words[0]) || selves[f] { // Luckily, I
				return rest
			}
		}
		return words
	}
	if at := slices.Index(words, ","); at > 0 && at+1 < len(words) {
		return words[at+1:]
	}
	for i := len(words) - 1; i > 0; i-- {
		if f := strings.ToLower(words[i]); selves[f] || pronouns[f] || ownings[f] || others[f] || articles[f] && i > 1 {
			return words[i:]
		}
	}
	if capital(words[len(words)-1]) {
		at := len(words) - 1
		for at > 2 && capital(words[at-1]) {
			at--
		}
		return words[at:]
	}
	return nil
}

var adverbs = set(`so then now also and but well yes today currently meanwhile finally eventually recently luckily unfortunately sadly actually
	apparently later afterwards since originally first initially nowadays still already by then by way fyi note update correction`)

// read reads a clause by whatever rule fits first.
func (r *reader) read(v view) {
	words := slices.DeleteFunc(slices.Clone(v.words), func(w string) bool { return strings.EqualFold(w, timeMark) })
	if len(words) == 0 {
		return
	}
	if r.couple(v, words) {
		return
	}
	at := len(r.events)
	s := r.name(v.subject)
	if s.name == "" && len(v.subject) == 0 {
		s.name = r.last
	}
	if s.name == "" {
		r.events = r.events[:at]
		return
	}
	if len(words) > 2 && words[0] == "used" && words[1] == "to" {
		words = words[2:]
	}
	v.words = words
	for _, rule := range []func(*reader, view, noun) bool{
		(*reader).death, (*reader).exchange, (*reader).succession, (*reader).sale, (*reader).keeps, (*reader).relation, (*reader).being,
	} {
		if rule(r, v, s) {
			break
		}
	}
	if s.name != "" && !strings.EqualFold(s.name, r.speaker) {
		r.last = s.name
	}
}

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
	if e.ValidTo != "" && e.ValidFrom > e.ValidTo {
		e.ValidFrom = ""
	}
	r.add(e)
}

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
	rest := v.words[end:]
	if len(rest) > 0 && stem(rest[0]) == "from" && c.predicate == "lives_in" {
		return false
	}
	several := map[string]bool{"hobby": true, "speaks": true, "allergic_to": true, "uses": true, "owns": true, "plays": true, "teaches": true}[c.predicate]
	list := r.objects(rest, several)
	if len(list) == 0 {
		return false
	}
	kind, predicate := c.kind, c.predicate
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

// ends has the object end in whatever relations the verb may mean.
func (r *reader) ends(v view, subject, predicate, object, kind string) {
	if kind == "end" {
		predicate = "" // left, quit and gave up end whatever there was
	}
	r.tell(v, "end", subject, predicate, object, false)
}

// purposeOf is what something is used for: "for tickets".
func purposeOf(words []string) string {
	at := slices.Index(words, "for")
	if at < 1 || at+1 >= len(words) {
		return ""
	}
	what := object(words[at+1:])
	if len(what) == 0 || len(what) > 4 || strings.EqualFold(what[0], "the") && len(what) > 2 && durations[what[len(what)-1]] || slices.ContainsFunc(what, func(w string) bool { return durations[strings.ToLower(w)] }) {
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
			if o := r.objects(next, false); len(o) > 0 && (capital(next[0]) || articles[strings.ToLower(next[0])]) && !durations[next[len(next)-1]] {
				r.tell(v, kind, s.name, "works_at", o[0].name, v.also)
			}
			return
		case f == "at" && i > 0 && predicate == "studies":
			if o := r.objects(next, false); len(o) > 0 {
				r.tell(v, kind, s.name, "studies_at", o[0].name, false)
			}
			return
		}
	}
}

// death ends what somebody who died had, and what others had of him.
func (r *reader) death(v view, s noun) bool {
	text := " " + strings.ToLower(strings.Join(v.words, " ")) + " "
	gone := slices.ContainsFunc([]string{
		" died ", " passed away ", " put down ", " put to sleep ", " ran away ", " died, ", " dead ", " crossed the rainbow bridge ",
		" rehomed ", " has died ",
	}, func(s string) bool { return strings.Contains(text, s) })
	if !gone {
		return false
	}
	for _, p := range []string{"has_pet"} {
		e := graph.Event{Kind: graph.Invalidate, Predicate: p, Object: s.name, ValidTo: v.when.from}
		r.add(e)
	}
	for _, p := range []string{"lives_in", "works_at", "married_to", "role"} {
		r.add(graph.Event{Kind: graph.Invalidate, Subject: s.name, Predicate: p, ValidTo: v.when.from})
	}
	return true
}

var changing = set("switch chang migrat move convert port transit transfer shift went go upgrad relocat swap trade replac exchang substitut supersed mov")

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
		case (replacing == "replac" || replacing == "swap" || replacing == "trade" || replacing == "exchang" || replacing == "supersed" || replacing == "substitut") && back > verb:
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

var office = regexp.MustCompile(`(?i)^(?:took over|takes over|has taken over|have taken over|taken over|succeeded|succeeds|replaced|replaces|followed|follows)\b(?: from)? ?(.*?) ?\bas (?:the |our |a )?(?:new )?(.+)$`)

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
					Kind: graph.Invalidate, Subject: old.name, Predicate: noun0 + " of", Object: r.name(strings.Fields(of)).name, ValidTo: v.when.from,
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
		r.tell(v, kind, s.name, "role", strings.Join(words, " "), true)
	case strings.ToLower(words[at]) == "in":
		r.tell(v, kind, s.name, "role", strings.Join(words, " "), also)
	default:
		r.tell(v, kind, s.name, "role", what, also)
		r.tell(v, kind, s.name, "works_at", of.name, also)
	}
}

// roleLike tells what somebody does from what something is.
func roleLike(words []string) bool {
	w := strings.ToLower(words[len(words)-1])
	return person(w) || slices.ContainsFunc([]string{"er", "or", "ist", "ian", "ant", "nurse", "pilot", "chef", "cook", "head", "lead", "judge", "clerk",
		"chief", "captain", "president", "chair", "chairman", "chairwoman", "host", "vet", "priest", "monk", "smith", "man", "woman"}, func(end string) bool {
		return strings.HasSuffix(w, end)
	})
}

// sale reads a thing that goes from one to another: sold, gave, passed on, lent.
func (r *reader) sale(v view, s noun) bool {
	words := dropLeading(v.words)
	if len(words) < 2 {
		return false
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
	what := r.objects(slices.DeleteFunc(slices.Clone(words[1:at]), func(w string) bool { return w == "away" || w == "on" || w == "over" }), false)
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

// keeps reads a relative or a pet that somebody has: have a cat named Figaro, adopted a greyhound called Comet, has a brother called Tom.
func (r *reader) keeps(v view, s noun) bool {
	words := dropLeading(v.words)
	if len(words) == 0 {
		return false
	}
	kind := "hold"
	switch stem(v.words[0]) {
	case "have", "keep", "own":
	default:
		kind = "begin"
	}
	switch stem(words[0]) {
	case "adopt", "get", "buy", "take", "rescu", "bring", "have", "keep", "own", "welcom", "got", "found":
		if stem(words[0]) != "have" && stem(words[0]) != "keep" && stem(words[0]) != "own" {
			kind = "begin"
		}
		words = words[1:]
	default:
		if kind != "hold" {
			return false
		}
	}
	list := slices.Clone(words)
	at := slices.IndexFunc(list, func(w string) bool { return w == "called" || w == "named" })
	var names []string
	var what []string
	if at > 0 && at+1 < len(list) {
		what = list[:at]
		for _, n := range splitAnd(object(list[at+1:])) {
			names = append(names, run(n))
		}
	} else if i := slices.IndexFunc(list, capital); i > 0 && articles[strings.ToLower(list[0])] || i > 0 && ownings[strings.ToLower(list[0])] {
		what = list[:i]
		names = []string{run(list[i:])}
	}
	what = slices.DeleteFunc(slices.Clone(what), func(w string) bool { return w == "," })
	if len(what) == 0 || len(names) == 0 || names[0] == "" {
		return false
	}
	head := strings.TrimSuffix(lexis.Fold(what[len(what)-1]), "s")
	for _, name := range names {
		switch {
		case name == "":
		case animals[head] || animals[head+"s"] || slices.ContainsFunc(what, func(w string) bool { return animals[strings.TrimSuffix(lexis.Fold(w), "s")] }):
			r.tell(v, kind, s.name, "has_pet", name, true)
			r.add(graph.Event{Kind: graph.Assert, Subject: name, Predicate: "is_a", Object: strings.TrimSuffix(strings.Join(dropArticle(what), " "), "s"), Also: true})
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
	text := " " + strings.ToLower(strings.Join(words, " ")) + " "
	for _, c := range couples {
		if !strings.Contains(text, c.words) {
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
	{" got married ", "begin", "married_to", false},
	{" are married ", "hold", "married_to", false},
	{" married ", "begin", "married_to", false},
	{" tied the knot ", "begin", "married_to", false},
	{" wed ", "begin", "married_to", false},
	{" got engaged ", "begin", "engaged_to", false},
	{" became engaged ", "begin", "engaged_to", false},
	{" are engaged ", "hold", "engaged_to", false},
	{" divorced ", "end", "", false},
	{" separated ", "end", "", false},
	{" broke up ", "end", "", false},
	{" split up ", "end", "", false},
	{" parted ways ", "end", "", false},
	{" called off their engagement ", "end", "engaged_to", false},
	{" broke off their engagement ", "end", "engaged_to", false},
	{" a couple ", "hold", "partner_of", false},
	{" dating ", "hold", "partner_of", false},
	{" in a relationship ", "hold", "partner_of", false},
	{" together ", "hold", "partner_of", false},
	{" friends ", "hold", "friend_of", true},
	{" colleagues ", "hold", "colleague_of", true},
	{" neighbours ", "hold", "neighbour_of", true},
	{" twins ", "hold", "twin_of", true},
	{" siblings ", "hold", "sibling_of", true},
	{" sisters ", "hold", "sibling_of", true},
	{" brothers ", "hold", "sibling_of", true},
}

// being reads what somebody or something is: Tom is Maria's brother; the owner of the mill is Ruth; my hobby is chess.
func (r *reader) being(v view, s noun) bool {
	words := v.words
	i := 0
	for i < len(words) && stem(words[i]) != "be" {
		if !filler[strings.ToLower(words[i])] && stem(words[i]) != "becom" {
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
	kind := "hold"
	if v.now {
		kind = "begin"
	}
	first := strings.ToLower(rest[0])
	if at := slices.IndexFunc(rest[:min(len(rest), 4)], func(w string) bool { _, ok := owner(w); return ok }); at >= 0 && at+1 < len(rest) || ownings[first] || others[first] {
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
		if len(role) < 2 || of == "" {
			return false
		}
		what := role[1:]
		for len(what) > 1 && traits[lexis.Fold(what[0])] {
			what = what[1:]
		}
		if person(what[len(what)-1]) {
			r.kinship(s.name, strings.Join(what, " "), of)
		} else {
			r.tell(v, kind, s.name, strings.Join(what, " ")+" of", of, false)
		}
		return true
	}
	switch first {
	case "a", "an", "one":
		r.office(v, kind, s, rest[1:], true)
		return true
	case "the":
		r.office(v, kind, s, rest[1:], false)
		return true
	}
	if at := slices.IndexFunc(rest, func(w string) bool { return w == "of" || w == "at" }); at > 0 && at < 4 && !capital(rest[0]) && roleLike(rest[:at]) {
		r.office(v, kind, s, rest, false)
		return true
	}
	return false
}

func dropAdverbs(words []string) []string {
	for len(words) > 1 && filler[strings.ToLower(words[0])] && !articles[strings.ToLower(words[0])] && !ownings[strings.ToLower(words[0])] &&
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
	named := capital(value[0]) || articles[strings.ToLower(value[0])] && len(value) > 1 && capital(value[1]) || value[0][0] >= '0' && value[0][0] <= '9'
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
	case animals[lexis.Fold(head)] && named:
		r.tell(v, kind, of, "has_pet", run(value), true)
		return true
	case strings.HasSuffix(attr, "hobby") || strings.HasSuffix(attr, "hobbies"):
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
	at := len(r.events)
	r.tell(v, kind, of, attr, o[0].name, false)
	if len(r.events) > at {
		r.events[len(r.events)-1].Only = !v.also && !strings.HasSuffix(head, "s")
	}
	return true
}

// valued are attributes whose value is no name.
var valued = set("language job profession role title colour color deadline birthday instrument sport subject major password size version occupation position name")
