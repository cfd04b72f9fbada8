package graph

import (
	"math/bits"
	"slices"
	"time"
)

// wordy is how many words of a question may ask for something besides whom it names: what asks for more is no look-up.
const wordy = 4

// Answers gives the triples that answer a question: those that [Graph.Ask] gives which have every word that the question asks for, one of
// them in the predicate. Searches ask it, so it says nothing where a question only comes near to a triple. The newest come first. owner is
// called where the question is about the asker.
func (g *Graph) Answers(text string, today time.Time, owner func() string) []Triple {
	q := g.question(text, today)
	if q.doubtful || len(q.asks) == 0 || len(q.asks) > wordy {
		return nil
	}
	if len(q.before) > 0 || q.unknown {
		return g.superseded(&q)
	}
	return pick(g.lookUp(&q, owner))
}

// covers says whether a triple has every word that is asked for besides those that are known, a bit for each, and one in its predicate.
func (g *Graph) covers(q *question, t *Triple, known uint64) bool {
	calls := q.calls(t.Predicate) &^ known
	if calls == 0 && !(q.which && slices.ContainsFunc(q.asks, func(a string) bool { return slices.Contains(t.object.stems, a) })) {
		return false
	}
	if calls |= known; !used(t.Predicate) {
		calls |= q.purpose
	}
	if bits.OnesCount64(calls) == len(q.asks) {
		return true
	}
	kinds := g.kinds.get(t.object)
	for at, a := range q.asks {
		if calls&(1<<at) == 0 && !t.has(a, kinds) {
			return false
		}
	}
	return true
}

// calls are the words of a question that a predicate is called by, a bit for each.
func (q *question) calls(predicate string) uint64 {
	calls, ok := q.called[predicate]
	if !ok {
		for at, a := range q.asks {
			if called(predicate, []string{a}, true) {
				calls |= 1 << at
			}
		}
		q.called[predicate] = calls
	}
	return calls
}

// has says whether the subject, the object or what the object is said to be has a word.
func (t *Triple) has(stem string, kinds []*Triple) bool {
	return slices.Contains(t.object.stems, stem) || slices.Contains(t.subject.stems, stem) ||
		slices.ContainsFunc(kinds, func(k *Triple) bool { return slices.Contains(k.object.stems, stem) })
}
