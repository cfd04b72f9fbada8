package derive

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/dream/claim"
	"github.com/reverie-memory/reverie/graph"
	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/trust"
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
const nobody = "user"

// A reader reads one fact.
type reader struct {
	fact    Fact
	said    vault.Day
	speaker string       // "" for an unknown one who is not the person
	last    string       // whom a pronoun means
	code    bool         // it is the code of something that the clause is about
	before  string       // whom the clause before is about
	about   string       // whom a sentence without a subject is about
	left    int          // the first event of the sentence
	opens   bool         // the pattern stands at the beginning of a sentence, with a capital
	text    string       // the sentence
	it      string       // what it means: the thing that the clause before is about
	judged  map[int]bool // what of the clause is sure, see [reader.sure]
	full    []fullName   // for which marks stand, see [reader.bracketed]
	undated bool         // nobody knows when it was said
	word    bool         // word for word, where "the user" is whoever uses what is spoken of
	events  []graph.Event
}

// Events is what a fact says of the graph, in the order of its words; none for most facts.
func Events(f Fact) []graph.Event {
	r := &reader{fact: f, said: vault.DayOf(f.At), speaker: f.Speaker}
	body := f.Text
	if name, words, ok := vault.CutQuote(body); ok {
		r.speaker, body, r.word = name, words, true
	} else if name, rest, ok := strings.Cut(body, ": "); ok && r.speaker != "" && lexis.Fold(name) == lexis.Fold(r.speaker) {
		body = rest
	}
	if !mayTell(body) {
		return nil
	}
	switch s := strings.ToLower(r.speaker); {
	case s == "" && trust.Label(f.Origin) != "": // an assistant's "I" is not the person
	case s == "" || s == "user" || s == "the user":
		r.speaker = nobody
	}
	for _, at := range lexis.Sentences(body) {
		r.sentence(body[at.Start:at.End])
	}
	return r.events
}

// States says whether words of a speaker say for certain what somebody or something is, has or does, so that they are a triple: who keeps
// facts keeps these, whatever else they are worth.
func States(words, speaker string) bool {
	return tells(words) && len(Events(Fact{ID: "f", Text: words, Speaker: speaker, At: undatedDays[1].Time()})) > 0
}

func (r *reader) add(e graph.Event) {
	e.At, e.Source, e.Speaker, e.Origin, e.Agent, e.Wing = r.fact.At, r.fact.ID, r.speaker, r.fact.Origin, r.fact.Agent, r.fact.Wing
	e.Confidence = confidence
	if e.Subject = tidy(r.inFull(e.Subject)); e.Kind == graph.Alias || e.Predicate != "" {
		e.Predicate = graph.PredicateKey(e.Predicate)
	}
	e.Object, e.Was = tidy(r.inFull(e.Object)), tidy(r.inFull(e.Was))
	if e.Validate() == nil && !slices.Contains(r.events, e) && fits(e.Subject) && fits(e.Object) &&
		lexis.Fold(e.Subject) != lexis.Fold(e.Object) {
		r.events = append(r.events, e)
	}
}

func tidy(name string) string {
	return strings.Trim(strings.Join(strings.Fields(name), " "), " ,.;:!\"“”")
}

// fits says whether words are short enough for a name.
func fits(name string) bool { return len(name) <= 80 && len(strings.Fields(name)) <= 9 }

const properName = `(\p{Lu}[\p{L}\p{N}.'’+#-]*(?: \p{Lu}[\p{L}\p{N}.'’+#-]*){0,3})`

// otherName tells another name of somebody who is spoken of.
var otherName = regexp.MustCompile(properName + `(?:,| \()(?: ?(?:` + otherWords + `))+ ` + properName + `[,)]`)

const otherWords = `whom|who|that|also|den|die|we|wir|all|alle|everyone|everybody|called|calls|call|known|as|aka|a\.k\.a\.|nicknamed|` +
	`genannt|nennen|alias|llamado|llamada|apodado|apodada`

// nickname tells the name by which everybody calls somebody.
var nickname = regexp.MustCompile(`^(?:Everyone|Everybody|We all) calls? (\p{Lu}[\p{L}'’-]+) (\p{Lu}[\p{L}'’-]+)[.!]*$`)

// sentence reads one sentence: another name first, which stands in no clause, then its clauses.
func (r *reader) sentence(text string) {
	if strings.ContainsAny(text, "?¿") {
		return
	}
	if aliased(text) {
		if m := otherName.FindStringSubmatch(text); m != nil {
			r.add(graph.Event{Kind: graph.Alias, Subject: m[1], Object: m[2]})
			text = strings.Replace(text, m[0], m[1], 1)
		}
	} else if nicknamed(text) { // without a comma
		if m := nickname.FindStringSubmatch(text); m != nil {
			r.add(graph.Event{Kind: graph.Alias, Subject: m[1], Object: m[2]})
			return
		}
	}
	text, times, sure := r.times(strings.Trim(text, " .!…¡"))
	if !sure {
		return
	}
	told := len(r.events)
	defer func() {
		if len(r.events) > told && slices.ContainsFunc(asides, func(s string) bool { return strings.Contains(r.text, s) }) {
			r.events = r.events[:told]
		}
	}()
	r.before, r.left, r.it = r.about, told, ""
	full := len(r.full)
	text = r.bracketed(text)
	r.text = text
	if text != "" && len(text) < 120 && r.renamed(text) {
		return
	}
	list := pieces(unwound(interjection.ReplaceAllString(text, "")))
	for i, part := range list {
		if part.quotes() {
			break // somebody else's words, or none that are meant
		}
		r.mentions(strings.Fields(part.text))
		if part.lead != "" && r.attributeOf(strings.Fields(part.lead), "due") != "" { // Deadline for Osprey: 3 May
			part.text = part.lead + " is " + part.text
		}
		times = r.part(part.text, times)
		if i+1 < len(list) && len(r.events) == told && !r.undated {
			r.spoken(strings.Fields(part.text))
		}
	}
	if len(r.events) == told && !r.undated {
		r.spoken(strings.Fields(text))
	}
	for _, f := range r.full[full:] {
		if f.role != "" && len(r.events) > told {
			r.kin(f.name, f.role, f.of)
		}
	}
}

// subjectMost is how many words may stand before a verb in a clause of which something is in doubt.
const subjectMost = 8

// infinite are words behind which a verb says nothing that is so.
var infinite = lexis.Set("to can could will would should may might must shall")

// asides are said beside a statement by who is not sure of it.
var asides = []string{
	", it seems", ", I think", ", I guess", ", I suppose", ", I believe", ", apparently", ", supposedly",
	", glaube ich", ", creo",
}

// part reads the clauses of a part of a sentence, and returns the times that it does not have.
func (r *reader) part(text string, times []period) []period {
	clauses := claim.Clauses(text, r.fact.Speaker)
	told := make([]period, len(clauses))
	marks := make([][]period, len(clauses))
	before := -1
	for i := range clauses {
		k := &clauses[i]
		own := period{}
		for _, w := range k.Words {
			if strings.EqualFold(w, timeMark) && len(times) > 0 {
				own = own.join(times[0])
				marks[i] = append(marks[i], times[0])
				times = times[1:]
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
	if conditional(clauses) {
		return times
	}
	for i := range clauses {
		k := clauses[i].Words
		but := len(k) > 1 && k[0] == "but"
		if !clauses[i].Tail || but || i == 0 && len(k) > 4 && opens[lexis.Fold(k[0])] && articles[k[1]] {
			r.clause(&clauses[i], told[i], marks[i])
		}
	}
	return times
}

// conditional says whether clauses begin with a condition, so that whatever follows hangs on it.
func conditional(clauses []claim.Clause) bool {
	return len(clauses) > 1 && len(clauses[0].Words) > 1 && ifs[lexis.Fold(clauses[0].Words[0])] && !anybody[lexis.Fold(clauses[0].Words[1])]
}

// opens are words that begin a circumstance, behind which a statement may follow without a comma: after the move my boss is Eva.
var opens = lexis.Set("after following nach tras")

// together are the kinds that the same words may tell of several predicates.
var together = []string{"hold", "begin", "was", "end"}

// clause reads a clause by the pattern that stands where its subject ends.
func (r *reader) clause(k *claim.Clause, when period, marks []period) {
	words, over := noLonger(plainly(k))
	words = slices.DeleteFunc(words, func(w string) bool { return w == "but" })
	folds, lost := folded(words), misses{}
	doubt := k.Negated && !over || k.Hedged && !slices.Contains(words, "used") ||
		slices.ContainsFunc(folds, func(f string) bool { return ifs[f] })
	also := slices.ContainsFunc(folds, func(f string) bool { return alsos[f] })
	v := view{when: when, marks: marks, over: over, also: also}
	r.judged = nil
	for i := range words {
		if i > 0 && infinite[words[i-1]] { // to use, can use
			continue
		}
		r.opens = i == 0 && capital(words[0])
		if has[folds[i]] != "" && r.keeps(v, words[:i], words[i:], doubt) || is[folds[i]] && r.being(v, words[:i], words[i:], doubt) {
			return
		}
		list := matches(words[i:], folds[i:], lost)
		slices.SortStableFunc(list, func(a, b match) int { return len(b.tokens) - len(a.tokens) })
		told := ""
		for _, m := range list {
			if told == m.predicate || told != "" && !slices.Contains(together, m.kind) ||
				doubt && (i > subjectMost || !r.sure(words, len(words)-m.left, over)) {
				continue
			}
			if m.bare = m.bare && !over; r.tell(v, words[:i], m) {
				told = m.predicate
				if rest := words[len(words)-m.left:]; m.object == "none" && len(rest) > 2 && !k.Tail { // Eva retired, and Tom …
					for len(rest) > 2 && (rest[0] == "," || ands[lexis.Fold(rest[0])]) {
						rest = rest[1:]
					}
					defer r.clause(&claim.Clause{Words: rest, Verb: -1, Negated: k.Negated, Hedged: k.Hedged}, period{}, nil)
				}
			}
		}
		if told != "" {
			return
		}
	}
	if len(words) > 2 && definite[lexis.Fold(words[0])] && capital(words[1]) { // the Swift leaked
		r.it, _ = owner(strings.Join(trim(words[1:3], "name"), " "))
	}
	common := func(w string) bool { return !capital(w) || lexis.IsStop(lexis.Fold(w)) }
	if who := k.Words[:max(k.Verb, 0)]; len(who) > 0 && !slices.ContainsFunc(who, common) {
		r.last = strings.Join(who, " ")
	}
}

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
		for len(use) > 1 && (articles[lexis.Fold(use[0])] || ownings[lexis.Fold(use[0])] || others[lexis.Fold(use[0])] || use[0] == "all") {
			use = use[1:]
		}
		predicate = "uses for " + strings.Join(use, " ")
	}
	o, w, t := r.thing(m.slots["O"], m.object), r.thing(m.slots["W"], m.object), r.thing(m.slots["T"], "place")
	if t == "" && len(m.slots["T"]) > 0 && (strings.HasPrefix(m.kind, "of") || m.kind == "trade") && !m.reversed {
		t = r.topic(m.slots["T"])
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
		r.code = false
	case m.object == "none":
		if m.kind == "end" && len(who) == 1 && who[0] != "" {
			r.add(graph.Event{Kind: graph.Invalidate, Subject: who[0], Predicate: predicate, ValidTo: v.when.day()})
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

// leaders are the offices of whom the predicate is that they run something.
var leaders = lexis.Set("leader lead head maintainer manager")

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
	r.add(e)
}
