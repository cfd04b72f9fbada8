package graph

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/lexis"
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
	if len(q.asks) > 0 && len(q.asks) <= wordy {
		return pick(g.lookUp(&q, func() string { return owner }))
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

// lookUp are the triples that have every word that a question asks for, one of them in the predicate: of whom it names, else of the asker,
// else of what all of these words together name. Of whom nothing is found, whatever they have is asked about.
func (g *Graph) lookUp(q *question, owner func() string) []*Triple {
	subjects := q.about
	switch {
	case len(subjects) > 0:
	case q.self:
		subjects = g.selves(owner())
	default:
		subjects = map[*Entity]bool{}
		for _, w := range q.words {
			for _, e := range g.byWord.get(w) {
				if len(subjects) < namesakes && !q.idle(w) && e.Type != "person" {
					subjects[e] = true
				}
			}
		}
	}
	var found []*Triple
	for e := range subjects {
		for _, t := range slices.Backward(g.held.get(e)) {
			if q.holds(t) && q.fits(t, t.other(e)) && !q.before[t.other(e)] && g.covers(q, t, 0) && !slices.Contains(found, t) {
				found = newest(append(found, t), askMost)
			}
		}
	}
	if len(found) == 0 {
		found = g.beyond(q, subjects)
	}
	over := slice.Keep(found, func(t *Triple) bool { return !t.On(q.today) })
	if q.gone && q.from == "" && len(over) > 0 { // who was the chair before?
		return over
	}
	return found
}

// idle says whether a word of a question names nothing.
func (q *question) idle(w string) bool {
	return len(w) < 3 || lexis.IsStop(w) || asking[w] || lightVerbs[w]
}

// fits says whether an answer may be of the kind that is asked for: who is nobody's trade, and no place.
func (q *question) fits(t *Triple, answer *Entity) bool {
	switch q.answer {
	case "who":
		return !values[t.Predicate] && answer.Type != "place"
	case "where":
		return !values[t.Predicate] && answer.Type != "person"
	}
	return true
}

// values are predicates of which the object is neither anybody nor a place.
var values = lexis.Set(`role studies hobby plays is_a age costs due version diet allergic_to condition takes speaks learns school_year
	meets_on at_time`)

// beyond are the triples that answer a question about whoever or whatever somebody has: where my sister lives, what my cat eats.
func (g *Graph) beyond(q *question, subjects map[*Entity]bool) (found []*Triple) {
	for e := range subjects {
		for _, has := range g.held.get(e) {
			_, of := strings.CutSuffix(has.Predicate, "_of")
			whose := q.calls(has.Predicate)
			if whose == 0 || !q.holds(has) || has.subject == e == of || !of && !possessed[has.Predicate] {
				continue
			}
			for _, t := range g.held.get(has.other(e)) {
				if t != has && q.holds(t) && q.fits(t, t.other(has.other(e))) && !slices.Contains(found, t) && g.covers(q, t, whose) {
					found = newest(append(found, t), askMost)
				}
			}
		}
	}
	return found
}

// possessed are the predicates of which a question may ask for something of the object.
var possessed = map[string]bool{"has_pet": true, "owns": true, "drives": true, "doctor": true, "works_at": true}

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

// onlyKind says whether something is known as what others are, and as nothing else: a cat.
func (g *Graph) onlyKind(e *Entity) bool {
	held := g.held.get(e)
	return len(held) > 0 && !slices.ContainsFunc(held, func(t *Triple) bool { return t.Predicate != "is_a" || t.object != e })
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
	if len(out) == 0 {
		out = g.preceding(q)
	}
	slices.SortFunc(out, inTime)
	return pick(slices.Compact(out))
}

// preceding are the last triples that were over by the day on which one began of the same predicate and subject, or object, that names what
// the question has behind before.
func (g *Graph) preceding(q *question) (out []*Triple) {
	for e := range q.before {
		for _, now := range g.held.get(e) {
			if len(q.asks) > 0 && q.calls(now.Predicate) == 0 {
				continue
			}
			var last *Triple
			for _, t := range g.held.get(now.other(e)) {
				same := t.Predicate == now.Predicate && t.ValidTo != "" && t.ValidTo <= now.Start() && (t.subject == e) == (now.subject == e)
				if same && t.other(now.other(e)) != e && (last == nil || last.Start() <= t.Start()) {
					last = t
				}
			}
			if last != nil {
				out = append(out, last)
			}
		}
	}
	return out
}
