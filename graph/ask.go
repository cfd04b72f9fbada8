package graph

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/lexis/calendar"
	"github.com/reverie-memory/reverie/vault"
)

// askMost is how many triples a question gets at most.
const askMost = 8

// asksMost is how many words of a question count: each is a bit.
const asksMost = 64

// namesMost is how many words of a question may be one name, and nameLeast how many letters a single word has to have that is not written
// like a name.
const (
	namesMost = 5
	nameLeast = 4
)

// namesakes is how many things may have a word in their names that names one of them in a question.
const namesakes = 100

// A question is what the words of one say about the triples that answer it.
type question struct {
	today    vault.Day
	words    []string          // folded
	about    map[*Entity]bool  // entities that are named
	doubtful bool              // a name may mean several
	before   map[*Entity]bool  // entities behind before: what they took the place of is asked for
	unknown  bool              // something written like a name stands behind before
	self     bool              // asks about the asker
	from, to vault.Day         // the time that is named
	past     bool              // asks for what was
	asks     []string          // stems of what is asked for
	called   map[string]uint64 // which of them a predicate is called by, a bit for each
}

// Ask gives the triples that bear on a question in plain words: those of whom it names, of the predicate that it uses, of the time that it
// is about. "What did we use before PostgreSQL?" gives what PostgreSQL took the place of. Names are looked up as they are: words of
// four or more letters, words that are written like names, and names of several words.
// owner is whose memory it is, "" when unknown: whom "I" and "we" mean, besides "user".
func (g *Graph) Ask(text string, today time.Time, owner string) []Triple {
	q := g.question(text, today)
	if len(q.before) > 0 {
		if out := g.superseded(&q); len(out) > 0 {
			return out
		}
	} else if q.unknown {
		return nil
	}
	subjects := q.about
	if len(subjects) == 0 && q.self {
		subjects = g.selves(owner)
	}
	best := 1
	if len(q.asks) == 0 {
		best = 0 // else something of what is asked for
	}
	var found []*Triple
	seen := map[*Triple]bool{}
	for e := range subjects {
		for _, t := range slices.Backward(g.held.get(e)) {
			if !q.holds(t) || q.before[t.other(e)] || subjects[t.other(e)] && seen[t] {
				continue
			}
			if subjects[t.other(e)] { // and comes once more
				seen[t] = true
			}
			switch score := g.score(&q, t); {
			case score > best:
				found, best = []*Triple{t}, score
			case score == best:
				found = newest(append(found, t), askMost)
			}
		}
	}
	return pick(found)
}

// newest puts the last of some triples, which begin with the newest, where it belongs, and keeps so many.
func newest(list []*Triple, most int) []*Triple {
	for n := len(list) - 1; n > 0; n-- {
		a, b := list[n-1], list[n]
		if cmp.Or(strings.Compare(string(b.Start()), string(a.Start())), asSaid(a, b)) <= 0 {
			break
		}
		list[n-1], list[n] = b, a
	}
	return list[:min(len(list), most)]
}

// question reads the words of one.
func (g *Graph) question(text string, today time.Time) question {
	q := question{today: vault.DayOf(today), about: map[*Entity]bool{}, before: map[*Entity]bool{}, called: map[string]uint64{}}
	q.words = lexis.Words(strings.NewReplacer(idioms...).Replace(text))
	spans, _ := calendar.Find(q.words, today)
	if len(spans) > 0 {
		s := spans[len(spans)-1]
		if s.Year {
			q.from, q.to = vault.DayOf(s.From), vault.DayOf(s.To)
		}
	}
	written, last := map[string]bool{}, false
	for i, w := range strings.FieldsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '+' && r != '#'
	}) {
		if i > 0 && capital(w) {
			written[lexis.Fold(w)] = true
			q.unknown = q.unknown || last && len(spans) == 0
		}
		last = last || befores[lexis.Fold(w)]
	}
	after, folded := -1, lexis.Fold(text)
	taken := make([]bool, len(q.words))
	for i, w := range q.words {
		if befores[w] {
			after = i
		}
		what := w == "was" && i == 0 && slices.ContainsFunc(q.words, func(w string) bool { return german[w] })
		q.self, q.past = q.self || selfWords[w], q.past || pasts[w] && !what
	}
	q.past = q.past || participle(q.words)
	for i := 0; i < len(q.words); i++ {
		for n := min(namesMost, len(q.words)-i); n > 0; n-- {
			if n == 1 && len(q.words[i]) < nameLeast && !written[q.words[i]] || n == 1 && lexis.IsStop(q.words[i]) {
				break
			}
			list := g.named(strings.Join(q.words[i:i+n], " "), n)
			if len(list) == 0 {
				continue
			}
			list = g.besides(list, folded, q.words, i, i+n)
			q.doubtful = q.doubtful || len(list) > 1
			for _, e := range list {
				if after >= 0 && i > after {
					q.before[e] = true
				} else {
					q.about[e] = true
				}
			}
			for k := i; k < i+n; k++ {
				taken[k] = true
			}
			i += n - 1
			break
		}
	}
	q.self = q.self || len(q.about) == 0 && ourVerb(text, q.words)
	for i, w := range q.words {
		if len(q.asks) < asksMost && !taken[i] && len(w) > 2 && !lexis.IsStop(w) && !asking[w] {
			q.asks = append(q.asks, lexis.Stem(w))
		}
	}
	return q
}

// What words of a question tell, in the languages of the rules: whatever was before something, the asker, and the past.
var (
	befores   = lexis.Set("before replace replaced previously prior preceded vor ersetzt vorher antes reemplazo sustituyo")
	selfWords = lexis.Set(`we our us i my me mine ich wir mich mir uns mein meine meinen meinem meiner unser unsere unseren unserem
		yo nosotros mi mis nuestro nuestra nuestros nuestras`)
	pasts = lexis.Set("did was were had used former formerly ever war waren hatte hatten damals fruher era eran fue fueron antes")
)

// idioms are what asks for something by words that mean something else, and plain words for it.
var idioms = []string{"for a living", "as work", "se gana la vida", "trabaja", "gano la vida", "trabajo"}

// participle says whether a question in German ends in one, as in "Wo habe ich gewohnt?".
func participle(words []string) bool {
	if len(words) < 3 || !slices.ContainsFunc(words, func(w string) bool { return perfect[w] }) {
		return false
	}
	last := words[len(words)-1]
	return strings.HasSuffix(last, "t") || strings.HasSuffix(last, "en")
}

// Words by which a question is known to be in German, where "was" asks for what, or in Spanish, and those that stand with participles.
var (
	german  = lexis.Set("ich wir er habe haben hat ist sind der die das den ein eine zu bei vor jetzt heute")
	spanish = lexis.Set("donde que cual quien cuando como")
	perfect = lexis.Set("habe haben hat hast bin sind ist")
)

// ourVerb says whether a question in Spanish, which names nobody, asks about the one who asks: its verb says so.
func ourVerb(text string, words []string) bool {
	if !strings.Contains(text, "¿") && (len(words) == 0 || !spanish[words[0]]) {
		return false
	}
	return slices.ContainsFunc(words, func(w string) bool {
		return len(w) > 2 && !spanish[w] && (strings.HasSuffix(w, "mos") || strings.HasSuffix(w, "o") || strings.HasSuffix(w, "ia"))
	})
}

var asking = map[string]bool{
	"before": true, "replace": true, "replaced": true, "previously": true, "prior": true, "used": true, "currently": true, "former": true,
	"now": true, "today": true, "tell": true, "know": true, "about": true, "many": true, "currently in": true, "time": true,
	"january": true, "february": true, "march": true, "april": true, "june": true, "july": true, "august": true, "september": true,
	"october": true, "november": true, "december": true, "year": true, "month": true, "does": true, "name": true,
}

// besides leaves out of those whom words[from:to] of a question may name whom what stands beside it tells apart: who asks for "Anna from
// accounting", "Anna (accounting)" or "Marek's sister Anna" asks for no other Anna of whom it is known who she is.
func (g *Graph) besides(list []*Entity, text string, words []string, from, to int) []*Entity {
	var told []string
	behind := to
	for behind < len(words) && (words[to] == "from" || words[to] == "aus") && lexis.IsStop(words[behind]) {
		behind++
	}
	switch {
	case behind < len(words) && (behind > to || strings.Contains(text, words[to-1]+" ("+words[to])):
		told = words[behind : behind+1]
	case from > 1 && strings.Contains(strings.ReplaceAll(text, "’", "'"), words[from-2]+"'s "+words[from-1]):
		told = words[from-2 : from]
	}
	apart := func(e *Entity) bool {
		return e.key.qualifier != "" && slices.ContainsFunc(told, func(w string) bool { return !digits(w) && !g.tells(e, w) })
	}
	return slices.DeleteFunc(slices.Clone(list), apart)
}

func digits(w string) bool { return strings.Trim(w, "0123456789") == "" }

// tells says whether a word is one of an entity: of its names, or of a triple of it.
func (g *Graph) tells(e *Entity, w string) bool {
	return slices.Contains(e.words, w) || slices.ContainsFunc(g.held.get(e), func(t *Triple) bool {
		return slices.Contains(t.other(e).words, w) || slices.Contains(strings.Split(t.Predicate, "_"), w)
	})
}

// named are the entities that words of a question name.
func (g *Graph) named(words string, n int) []*Entity {
	if list := g.byName.get(keyOfName(words).base); len(list) > 0 {
		return list
	}
	if n == 1 {
		if len(g.byWord.get(words)) > namesakes {
			return nil
		}
		f := g.Lookup(words)
		switch {
		case f.Entity != nil && (f.Entity.Type == "person" || len(f.Candidates) > 0):
			return []*Entity{f.Entity}
		case len(f.Candidates) > 0 && f.Candidates[0].Type == "person":
			return f.Candidates
		}
		return nil
	}
	if len(nameWords(words)) == len(strings.Fields(words)) || n > 2 {
		if f := g.Lookup(words); f.Entity != nil && len(nameWords(f.Entity.Name)) == len(nameWords(words)) {
			return []*Entity{f.Entity}
		}
	}
	return nil
}

// holds says whether a triple is of the time that the question is about.
func (q *question) holds(t *Triple) bool {
	switch {
	case q.from != "":
		return t.Start() <= q.to && (t.ValidTo == "" || q.from < t.ValidTo)
	case q.past:
		return true
	}
	return t.On(q.today)
}

// score is how many of the words that are asked for a triple has: its predicate counts more than an entity.
func (g *Graph) score(q *question, t *Triple) int {
	calls := q.calls(t.Predicate)
	n, kinds := 0, []*Triple(nil)
	if len(q.asks) > bits.OnesCount64(calls) {
		kinds = g.kinds.get(t.object)
	}
	for at, a := range q.asks {
		if calls&(1<<at) != 0 {
			n += 2
		} else if t.has(a, kinds) {
			n++
		}
	}
	return n
}

// selves are whom a person means by I and we: the person, and what is the person's.
func (g *Graph) selves(owner string) map[*Entity]bool {
	out := map[*Entity]bool{}
	for _, name := range []string{owner, "user"} {
		if e := g.number(name, ""); e != nil {
			out[e] = true
		}
		for _, e := range g.belongs.get(keyOfName(name).base) {
			out[e] = true
		}
	}
	return out
}

// superseded are the triples whose place was taken by one that names what the question has behind before.
func (g *Graph) superseded(q *question) []Triple {
	var out []*Triple
	best := 0
	for e := range q.before {
		for _, now := range g.held.get(e) {
			for _, t := range g.replaced.get(now.ID) {
				if len(q.about) > 0 && !q.about[t.subject] && !q.about[t.object] {
					continue
				}
				s := g.score(q, t)
				if s > best {
					out, best = nil, s
				}
				if s == best {
					out = append(out, t)
				}
			}
		}
	}
	slices.SortFunc(out, inTime)
	return pick(slices.Compact(out))
}
