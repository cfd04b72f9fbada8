package derive

import (
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
	switch s := strings.ToLower(r.speaker); {
	case s == "" && trust.Label(f.Origin) != "": // an assistant's "I" is not the person
	case s == "" || s == "user" || s == "the user":
		r.speaker = nobody
	}
	for _, at := range lexis.Sentences(body) {
		r.sentence(body[at.Start:at.End])
	}
	if len(r.events) > 0 { // the frames are English
		if code, _ := lexis.Language(body); code != "" && code != "en" {
			return nil
		}
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
	text, times := cutTimes(leadIn.ReplaceAllString(text, ""), r.said)
	r.before = ""
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
		k := &clauses[i]
		switch {
		case k.Verb < 0:
		case !k.Tail:
			r.clause(k, told[i])
		case i > 0 && k.Verb == 1 && k.Words[0] == "but": // am from Porto but live in Lyon
			k.Words, k.Verb = k.Words[1:], 0
			r.clause(k, told[i])
		case i > 0 && k.Verb == 1 && (k.Words[0] == "who" || k.Words[0] == "which"): // of whom the clause before ends with
			if at := lastName(clauses[i-1].Words); at != nil {
				k.Words, k.Verb = append(slices.Clone(at), k.Words[1:]...), len(at)
				r.clause(k, told[i])
			}
		}
	}
}

// lastName is the name with which words end.
func lastName(words []string) []string {
	end := len(words)
	for end > 0 && words[end-1] == "," {
		end--
	}
	at := end
	for at > 0 && capital(words[at-1]) && words[at-1] != "I" {
		at--
	}
	if at == end {
		return nil
	}
	return words[at:end]
}

// leadIn is what joins a sentence to the one before.
var leadIn = regexp.MustCompile(`^(?i:before that|after that|since then|in the end|in addition|by the way|besides that),? `)

// verb is where the verb of a clause stands: the first that the rules know behind its subject, else the one that was found.
func verb(k *claim.Clause) int {
	for i := 1; i < k.Verb; i++ {
		before := strings.ToLower(k.Words[i-1])
		if s := stem(k.Words[i]); (selves[before] || capital(k.Words[i-1]) && i == 1 && !articles[before] && !ownings[before] &&
			!others[before]) && !capital(k.Words[i]) && grammarOf().frames[s] != nil && !strings.HasSuffix(k.Words[i], "s") {
			return i
		}
	}
	return k.Verb
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

	insteadOf string // what the object takes the place of
}

func (r *reader) clause(k *claim.Clause, when period) {
	at := verb(k)
	v := view{subject: subject(k.Words[:at]), words: k.Words[at:], when: when}
	all := " " + strings.ToLower(strings.Join(k.Words, " ")) + " "
	has := func(list ...string) bool {
		return slices.ContainsFunc(list, func(s string) bool { return strings.Contains(all, " "+s+" ") })
	}
	v.over = has("no longer", "no more", "any more", "anymore", "any longer") || has("stopped", "stops") && !has("stopped by")
	v.former = has("used to", "formerly", "previously", "once", "back then") && !has("at once")
	v.also = has("also", "as well", "too", "besides", "in addition", "additionally", "another", "a second", "on the side", "side job")
	v.now = has("now", "nowadays", "these days", "from now on", "instead")
	perfect := has("has", "have", "'ve") && !has("had")
	v.past = k.Past && !perfect
	if k.Negated && !v.over || k.Hedged && !v.former || planned(k.Words[k.Verb:]) {
		return
	}
	if len(v.subject) == 0 && has("my last day") {
		v.subject = []string{"I"}
	}
	if len(v.subject) > 0 || r.before != "" {
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

var coming = set("go move start join leav quit switch marri relocat sell bui adopt get plan think consid hope look tri becom migrat " +
	"transfer return")

// subject are the words that name whom a clause is about, without what stands before: At Globex Priya.
func subject(words []string) []string {
	words = trimRight(slices.DeleteFunc(slices.Clone(words), func(w string) bool { return strings.EqualFold(w, timeMark) }))
	for len(words) > 0 && (words[0] == "," || adverbs[strings.ToLower(words[0])]) {
		words = words[1:]
	}
	for len(words) > 1 && (strings.HasSuffix(words[len(words)-1], "ly") || filler[words[len(words)-1]]) && !capital(words[len(words)-1]) {
		words = words[:len(words)-1] // I recently
	}
	if len(words) == 0 {
		return nil
	}
	// These days I
	if last := strings.ToLower(words[len(words)-1]); len(words) > 1 && (selves[last] || pronouns[last]) && words[len(words)-2] != "and" {
		return words[len(words)-1:]
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

var adverbs = set(`so then now also and but well yes today currently meanwhile finally eventually recently luckily unfortunately sadly
	actually apparently later afterwards since originally first initially nowadays still already by then by way fyi note update correction`)

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
		s.name = r.before
	}
	if s.name == "" {
		r.events = r.events[:at]
		return
	}
	if len(words) > 2 && words[0] == "used" && words[1] == "to" {
		words = words[2:]
	}
	v.words = words
	if !strings.EqualFold(s.name, r.speaker) && !(len(v.subject) > 0 && others[strings.ToLower(v.subject[0])]) {
		r.last = s.name
	}
	p := verbPhrase(words)
	_ = r.keeps(v, s, &p) || r.framed(v, s, &p) || r.being(v, s) || r.open(v, s, &p)
	r.before = s.name
}
