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
	speaker string       // "" for an unknown one who is not the person
	last    string       // whom a pronoun means
	code    bool         // it is the code of something that the clause is about
	before  string       // whom the clause before is about
	about   string       // whom a sentence without a subject is about
	left    int          // the first event of the sentence
	anew    bool         // the clause says that somebody is so from now on, and nobody else
	german  bool         // the verb of the clause is a German one
	opens   bool         // the pattern stands at the beginning of a sentence, with a capital
	text    string       // the sentence
	it      string       // what it means: the thing that the clause before is about
	judged  map[int]bool // what of the clause is sure, see [reader.sure]
	full    []fullName   // for which marks stand, see [reader.bracketed]
	undated bool         // nobody knows when it was said
	brief   bool         // a note, of which other words are known as well
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
	if r.brief = len(body) <= noteMost; !mayTell(body) && !(r.brief && mayBeReworded(body)) {
		return nil
	}
	switch s := strings.ToLower(r.speaker); {
	case s == "" && f.Origin == vault.OriginAgent && ofUs(body): // an assistant that notes what "we" do is not alone
		r.speaker = nobody
	case s == "" && trust.Label(f.Origin) != "": // an assistant's "I" is not the person
	case s == "" || s == "user" || s == "the user":
		r.speaker = nobody
	}
	for _, at := range lexis.Sentences(body) {
		r.sentence(body[at.Start:at.End])
	}
	return r.events
}

// noteMost is how many bytes a note of an assistant has at most that may tell of us; in what is longer it is people in general, or
// others whose words it drafts.
const noteMost = 300

// ofUs says whether words tell of us, and nothing of one who says I.
func ofUs(text string) bool {
	if len(text) > noteMost {
		return false
	}
	words := lexis.Words(text)
	one := func(of map[string]bool) bool { return slices.ContainsFunc(words, func(w string) bool { return of[w] }) }
	return one(us) && !one(ego)
}

var (
	us  = lexis.Set("we us our ours wir uns unser unsere unseren unserem unserer nosotros nosotras nuestro nuestra nuestros nuestras")
	ego = lexis.Set("i me my mine myself ich mich mir mein meine meinen meinem meiner yo mi mis conmigo")
)

// States says whether words of a speaker say for certain what somebody or something is, has or does, so that they are a triple: who keeps
// facts keeps these, whatever else they are worth.
func States(words, speaker string) bool {
	return len(Events(Fact{ID: "f", Text: words, Speaker: speaker, At: undatedDays[1].Time()})) > 0
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

const properName = `(\p{Lu}[\p{L}\p{N}.'’+#-]*(?: (?:& )?\p{Lu}[\p{L}\p{N}.'’+#-]*){0,3})`

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
	} else if strings.HasPrefix(text, "Every") || strings.HasPrefix(text, "We all") { // without a comma
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
	if strings.Count(text, ",") > 1 {
		text = r.apposed(text)
	}
	r.text = text
	if text != "" && len(text) < 120 && r.renamed(text) {
		return
	}
	text = unwound(interjection.ReplaceAllString(text, ""))
	if r.brief {
		text = reworded(text)
	}
	list := pieces(text)
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
	clauses := r.spliced(claim.Clauses(text, r.fact.Speaker))
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

// splices is how many commas of a clause are tried, from the last on, as the end of one statement and the beginning of another.
const splices = 3

// spliced parts clauses at a comma behind which another statement begins: Ravi stepped down, Bettina does the money now.
func (r *reader) spliced(clauses []claim.Clause) (out []claim.Clause) {
	for _, k := range clauses {
		tried := 0
		for i := len(k.Words) - 3; i > max(k.Verb, 0) && tried < splices; i-- {
			if k.Words[i] != "," {
				continue
			}
			tried++
			next := k.Words[i+1:]
			f := lexis.Fold(next[0])
			if !capital(next[0]) && !selves[f] && !pronouns[f] && !ownings[f] && !definite[f] && !leadsOn[f] {
				continue
			}
			tail := claim.Clauses(strings.Join(next, " "), r.fact.Speaker)
			head := claim.Clauses(shortened.Replace(strings.Join(k.Words[:i], " ")), r.fact.Speaker)
			states := len(tail) == 1 && (tail[0].Verb > 0 || leadsOn[f] && core().patterns[lexis.Fold(next[1])] != nil)
			if states && len(head) == 1 && !tail[0].Tail && head[0].Verb >= 0 {
				head[0].Tail = k.Tail
				out = append(out, head[0])
				k = tail[0]
				i, tried = len(k.Words)-3, 0
			}
		}
		out = append(out, k)
	}
	return out
}

// shortened writes verbs back to what they were cut off from: I 'm.
var shortened = strings.NewReplacer(" '", "'", " ’", "’")

// leadsOn are words that begin another statement behind a comma.
var leadsOn = lexis.Set("now so everyone ahora jetzt")

// conditional says whether clauses begin with a condition, so that whatever follows hangs on it.
func conditional(clauses []claim.Clause) bool {
	return len(clauses) > 1 && len(clauses[0].Words) > 1 && ifs[lexis.Fold(clauses[0].Words[0])] && !anybody[lexis.Fold(clauses[0].Words[1])]
}

// opens are words that begin a circumstance, behind which a statement may follow without a comma: after the move my boss is Eva.
var opens = lexis.Set("after following nach tras")

// suffered says whether words end in what makes the verb behind them one that the subject suffers: was recently [moved].
func suffered(folds []string) bool {
	for i := len(folds) - 1; i >= 0; i-- {
		if !fillers[folds[i]] {
			return suffers[folds[i]]
		}
	}
	return false
}

var suffers = lexis.Set("was were is are am be been being got get gets")

// together are the kinds that the same words may tell of several predicates.
var together = []string{"hold", "begin", "was", "end", "trade"}

// verbsMost is how many words of a clause are tried as its verb. What has more is no clause, and each of them costs a look at all of it.
const verbsMost = 12

// clause reads a clause by the pattern that stands where its subject ends.
func (r *reader) clause(k *claim.Clause, when period, marks []period) {
	words, over := noLonger(plainly(k))
	words = slices.DeleteFunc(words, func(w string) bool { return w == "but" })
	folds, lost := folded(words), misses{}
	doubt := k.Negated && !over || k.Hedged && !slices.Contains(words, "used") ||
		slices.ContainsFunc(folds, func(f string) bool { return ifs[f] })
	also := slices.ContainsFunc(folds, func(f string) bool { return alsos[f] })
	v := view{when: when, marks: marks, over: over, also: also}
	r.judged, r.anew = nil, slices.ContainsFunc(folds, func(f string) bool { return fresh[f] || nows[f] })
	for i, tried := 0, 0; i < len(words) && tried < verbsMost; i++ {
		if i > 0 && infinite[words[i-1]] { // to use, can use
			continue
		}
		r.opens = i == 0 && capital(words[0])
		if has[folds[i]] != "" && r.keeps(v, words[:i], words[i:], doubt) || is[folds[i]] && r.being(v, words[:i], words[i:], doubt) {
			return
		}
		list := matches(words[i:], folds[i:], lost)
		if has[folds[i]] != "" || is[folds[i]] || len(list) > 0 {
			tried++
		}
		slices.SortStableFunc(list, func(a, b match) int { return len(b.tokens) - len(a.tokens) })
		told, said := "", 0 // said: how often the rest of the clause is read
		for _, m := range list {
			if told == m.predicate || told != "" && !slices.Contains(together, m.kind) || m.event && suffered(folds[:i]) ||
				doubt && (i > subjectMost || !r.sure(words, len(words)-m.left, over)) {
				continue
			}
			if m.bare = m.bare && !over; r.tell(v, words[:i], m) {
				told = m.predicate
				rest := words[len(words)-m.left:]
				if len(rest) > 2 && !k.Tail && (m.object == "none" || ands[lexis.Fold(rest[0])] && said == 0) { // Eva retired, and Tom …
					said++
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
	if who := words[:min(max(k.Verb, 0), len(words))]; !k.Tail && len(who) > 0 && len(who) < 4 && ownings[lexis.Fold(who[0])] {
		r.before = r.name(who, true) // my parents sold up and moved to Ulm
	}
	common := func(w string) bool { return !capital(w) || lexis.IsStop(lexis.Fold(w)) }
	if who := k.Words[:max(k.Verb, 0)]; len(who) > 0 && !slices.ContainsFunc(who, common) {
		named := func(w string) bool { return !common(w) && !is[lexis.Fold(w)] }
		if r.last = strings.Join(who, " "); slices.ContainsFunc(k.Words[k.Verb:], named) {
			r.last = "" // it may be whoever else is named
		}
	}
}
