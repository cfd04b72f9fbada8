package graph

import (
	"cmp"
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

// A question is what the words of one say about the triples that answer it.
type question struct {
	today    vault.Day
	words    []string          // folded
	about    map[int]bool      // entities that are named
	doubtful bool              // a name may mean several
	before   map[int]bool      // entities behind before: what they took the place of is asked for
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
	}
	subjects := q.about
	if len(subjects) == 0 && q.self {
		subjects = g.selves(owner)
	}
	best := 1
	if len(q.asks) == 0 {
		best = 0 // else something of what is asked for
	}
	var found []int
	seen := make([]bool, len(g.triples))
	for e := range subjects {
		for _, i := range slices.Backward(g.of[e]) {
			if seen[i] || !q.holds(&g.triples[i]) {
				continue
			}
			seen[i] = true
			switch score := g.score(&q, i); {
			case score > best:
				found, best = []int{i}, score
			case score == best:
				found = g.newest(append(found, i), askMost)
			}
		}
	}
	return g.pick(found)
}

// newest puts the last of some triples, which begin with the newest, where it belongs, and keeps so many.
func (g *Graph) newest(list []int, most int) []int {
	for n := len(list) - 1; n > 0; n-- {
		a, b := list[n-1], list[n]
		if cmp.Or(strings.Compare(string(g.triples[b].Start()), string(g.triples[a].Start())), a-b) <= 0 {
			break
		}
		list[n-1], list[n] = b, a
	}
	return list[:min(len(list), most)]
}

// question reads the words of one.
func (g *Graph) question(text string, today time.Time) question {
	q := question{today: vault.DayOf(today), about: map[int]bool{}, before: map[int]bool{}, called: map[string]uint64{}}
	q.words = lexis.Words(text)
	spans, _ := calendar.Find(q.words, today)
	if len(spans) > 0 {
		s := spans[len(spans)-1]
		if s.Year {
			q.from, q.to = vault.DayOf(s.From), vault.DayOf(s.To)
		}
	}
	written := map[string]bool{}
	for i, w := range strings.FieldsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '+' && r != '#'
	}) {
		if i > 0 && capital(w) {
			written[lexis.Fold(w)] = true
		}
	}
	after := -1
	taken := make([]bool, len(q.words))
	for i, w := range q.words {
		switch w {
		case "before", "replace", "replaced", "previously", "prior", "preceded":
			after = i
		case "we", "our", "us", "i", "my", "me", "mine":
			q.self = true
		case "did", "was", "were", "had", "used", "former", "formerly", "ever":
			q.past = true
		}
	}
	for i := 0; i < len(q.words); i++ {
		for n := min(namesMost, len(q.words)-i); n > 0; n-- {
			if n == 1 && len(q.words[i]) < nameLeast && !written[q.words[i]] || n == 1 && lexis.IsStop(q.words[i]) {
				break
			}
			list := g.named(strings.Join(q.words[i:i+n], " "), n)
			if len(list) == 0 {
				continue
			}
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
	for i, w := range q.words {
		if len(q.asks) < asksMost && !taken[i] && len(w) > 2 && !lexis.IsStop(w) && !asking[w] {
			q.asks = append(q.asks, lexis.Stem(w))
		}
	}
	return q
}

var asking = map[string]bool{
	"before": true, "replace": true, "replaced": true, "previously": true, "prior": true, "used": true, "currently": true, "former": true,
	"now": true, "today": true, "tell": true, "know": true, "about": true, "many": true, "currently in": true, "time": true,
	"january": true, "february": true, "march": true, "april": true, "june": true, "july": true, "august": true, "september": true,
	"october": true, "november": true, "december": true, "year": true, "month": true, "does": true, "name": true,
}

// named are the entities that words of a question name.
func (g *Graph) named(words string, n int) []int {
	if list := g.byName[keyOfName(words).base]; len(list) > 0 {
		return list
	}
	if n == 1 {
		f := g.Lookup(words)
		switch {
		case f.Entity != nil && (f.Entity.Type == "person" || len(f.Candidates) > 0):
			return []int{f.number}
		case len(f.Candidates) > 0 && f.Candidates[0].Type == "person":
			var out []int
			for _, c := range f.Candidates {
				out = append(out, g.index[g.resolver.resolve(c.Name, "")])
			}
			return out
		}
		return nil
	}
	if len(nameWords(words)) == len(strings.Fields(words)) || n > 2 {
		if f := g.Lookup(words); f.Entity != nil && len(nameWords(f.Entity.Name)) == len(nameWords(words)) {
			return []int{f.number}
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
func (g *Graph) score(q *question, i int) int {
	t := &g.triples[i]
	calls, ok := q.called[t.Predicate]
	if !ok {
		for at, a := range q.asks {
			if called(t.Predicate, []string{a}, true) {
				calls |= 1 << at
			}
		}
		q.called[t.Predicate] = calls
	}
	all, n := g.asks(), 0
	subject, object := &all[t.subject], &all[t.object]
	for at, a := range q.asks {
		if calls&(1<<at) != 0 {
			n += 2
		} else if slices.Contains(object.kinds, a) || slices.Contains(object.names, a) || slices.Contains(subject.names, a) {
			n++
		}
	}
	return n
}

// asked is what an entity is asked for by, as stems.
type asked struct {
	names []string
	kinds []string // what it was said to be: of PostgreSQL, database
}

// asks fills asked when the first question comes.
func (g *Graph) asks() []asked {
	g.stems.Do(func() {
		g.asked = make([]asked, len(g.entities))
		for i, words := range g.words {
			for _, w := range words {
				g.asked[i].names = append(g.asked[i].names, lexis.Stem(w))
			}
		}
		for i := range g.triples {
			if t := &g.triples[i]; t.Predicate == "is_a" {
				of := &g.asked[t.subject]
				of.kinds = append(of.kinds, g.asked[t.object].names...)
			}
		}
	})
	return g.asked
}

// selves are whom a person means by I and we: the person, and what is the person's.
func (g *Graph) selves(owner string) map[int]bool {
	out := map[int]bool{}
	for _, name := range []string{owner, "user"} {
		i, ok := g.number(name, "")
		if ok {
			out[i] = true
		}
		for _, i := range g.belongs[keyOfName(name).base] {
			out[i] = true
		}
	}
	return out
}

// superseded are the triples whose place was taken by one that names what the question has behind before.
func (g *Graph) superseded(q *question) []Triple {
	var out []int
	best := 0
	for e := range q.before {
		for _, now := range g.of[e] {
			for _, i := range g.replaced[now] {
				t := &g.triples[i]
				if len(q.about) > 0 && !q.about[t.subject] && !q.about[t.object] {
					continue
				}
				s := g.score(q, i)
				if s > best {
					out, best = nil, s
				}
				if s == best {
					out = append(out, i)
				}
			}
		}
	}
	slices.SortFunc(out, func(a, b int) int {
		return cmp.Or(strings.Compare(string(g.triples[a].Start()), string(g.triples[b].Start())), a-b)
	})
	return g.pick(slices.Compact(out))
}
