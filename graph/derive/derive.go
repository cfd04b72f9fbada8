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
	speaker string // "" for an unknown one who is not the person
	last    string // whom a pronoun means
	before  string // whom the clause before is about
	about   string // whom a sentence without a subject is about
	left    int    // the event of the sentence by which something ended, and one more; 0 for none
	undated bool   // nobody knows when it was said
	word    bool   // word for word, where "the user" is whoever uses what is spoken of
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
	r.before, r.left = r.about, 0
	clauses := claim.Clauses(text, r.fact.Speaker)
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
		if but := len(clauses[i].Words) > 1 && clauses[i].Words[0] == "but"; !clauses[i].Tail || but {
			r.clause(&clauses[i], told[i])
		}
	}
}

// overs are words by which something is no longer so.
var overs = [][]string{{"no", "longer"}, {"nicht", "mehr"}, {"ya", "no"}}

// together are the kinds that the same words may tell of several predicates.
var together = []string{"hold", "begin", "was", "end"}

// clause reads a clause by the pattern that stands where its subject ends.
func (r *reader) clause(k *claim.Clause, when period) {
	words, over := slices.Clone(k.Words), false
	for _, o := range overs {
		for i := 0; i+1 < len(words); i++ {
			if lexis.Fold(words[i]) == o[0] && lexis.Fold(words[i+1]) == o[1] {
				words, over = slices.Delete(words, i, i+2), true
			}
		}
	}
	has := func(list ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(list, lexis.Fold(w)) })
	}
	if k.Negated && !over || k.Hedged && !has("used") || has("if", "wenn", "si", "falls") {
		return
	}
	words = slices.DeleteFunc(words, func(w string) bool { return w == "but" })
	v := view{when: when, over: over, also: has("also", "too", "another", "besides", "auch", "tambien", "side")}
	lost := misses{}
	for i := range words {
		if r.keeps(v, words[:i], words[i:]) || r.being(v, words[:i], words[i:]) {
			return
		}
		list := matches(words[i:], lost)
		slices.SortStableFunc(list, func(a, b match) int { return len(b.tokens) - len(a.tokens) })
		told := ""
		for _, m := range list {
			if told == m.predicate || told != "" && !slices.Contains(together, m.kind) {
				continue
			}
			if r.tell(v, words[:i], m) {
				told = m.predicate
			}
		}
		if told != "" {
			return
		}
	}
	common := func(w string) bool { return !capital(w) || lexis.IsStop(lexis.Fold(w)) }
	if who := k.Words[:max(k.Verb, 0)]; len(who) > 0 && !slices.ContainsFunc(who, common) {
		r.last = strings.Join(who, " ")
	}
}

// A view is how a clause says what it says.
type view struct {
	when period
	over bool // it is so no longer
	also bool
}

// tell adds what a pattern says of a subject, and says whether it did.
func (r *reader) tell(v view, subject []string, m match) bool {
	at := len(r.events)
	who := r.subjects(subject, m)
	if len(who) == 0 {
		return false
	}
	predicate := m.predicate
	if predicate == "*" {
		held := slices.DeleteFunc(slices.Clone(m.slots["R"]), func(w string) bool { return fresh[lexis.Fold(w)] || articles[lexis.Fold(w)] })
		if len(held) == 0 || former[lexis.Fold(held[0])] {
			return false
		}
		office := strings.ToLower(strings.Join(held, " "))
		head := lexis.Fold(office[strings.LastIndex(office, " ")+1:])
		if !core().offices[head] && (core().people[head] == "" || m.kind != "hold") || len(m.slots["R"]) > 3 {
			return false
		}
		predicate = office + " of"
	}
	if p := m.slots["P"]; len(p) > 0 {
		predicate = "uses for " + strings.Join(object(p), " ")
	}
	o, w, t := r.thing(m.slots["O"], m.object), r.thing(m.slots["W"], m.object), r.thing(m.slots["T"], "place")
	switch {
	case m.kind == "next":
		return r.next(v, who[0], predicate, o)
	case len(m.slots["W"]) > 0 && w == "":
		return false
	case m.kind == "trade" && o != "" && (t != "" || len(m.slots["T"]) == 0):
		r.add(graph.Event{Kind: graph.Replace, Subject: cmp.Or(t, who[0]), Was: w, Object: o, ValidFrom: v.when.from, Also: true})
	case m.object == "none":
		if len(who) != 2 {
			return false
		}
		r.say(v, m.kind, who[0], predicate, who[1])
	case m.kind == "gone" && strings.Contains(who[0], "'s "):
		return false
	case m.kind == "gone":
		r.add(graph.Event{Kind: graph.Invalidate, Predicate: predicate, Object: who[0], ValidTo: v.when.day()})
	case m.kind == "pass" && m.reversed && t != "":
		r.add(graph.Event{Kind: graph.Invalidate, Predicate: predicate, Object: who[0], ValidTo: v.when.day()})
		r.say(v, "begin", t, predicate, who[0])
	case m.kind == "pass" && t != "" && o != "":
		r.say(v, "end", who[0], predicate, o)
		r.say(v, "begin", t, predicate, o)
	case o == "" || len(m.slots["T"]) > 0:
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
	if r.before = who[0]; m.kind == "end" && len(r.events) > at {
		r.left = len(r.events)
	}
	return len(r.events) > at
}

// next says that something takes the place of what the sentence had end, if that was known: left Fiat and joined Lego.
func (r *reader) next(v view, who, predicate, o string) bool {
	if r.left == 0 || o == "" {
		return false
	}
	end := r.events[r.left-1]
	if end.Subject != who || end.Predicate != predicate {
		return false
	}
	r.add(graph.Event{
		Kind: graph.Replace, Subject: who, Predicate: predicate, Was: end.Object, Object: o, Also: true,
		ValidFrom: cmp.Or(v.when.from, end.ValidTo),
	})
	if n := len(r.events); n > r.left { // before that end
		r.events = slices.Insert(r.events[:n-1], r.left-1, r.events[n-1])
	}
	return true
}

// many are the predicates of which a list of objects is taken apart at and.
var many = lexis.Set("speaks hobby")

func (r *reader) several(predicate string, words []string, one string) (out []string) {
	if !many[predicate] {
		return []string{one}
	}
	for _, part := range split(words) {
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
