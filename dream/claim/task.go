package claim

import (
	"slices"
	"strings"
)

// Done tells whether a statement says that a task is done: "Renew the library card" by "Mara renewed the library card" or "The library
// card was renewed". All that the task names must come back, and nothing else. In doubt it is not: a task that is open too long is ticked
// by hand, one that is gone is forgotten.
func Done(task, later *Claim) bool {
	want, n := task.errand(), later.report()
	if later.Finished() && len(want) > 1 && slices.ContainsFunc(task.toks, func(x tok) bool {
		return x.roles&rMake != 0 && held(x.id,
			want[:1])
	}) {
		return about(want[1:], n.subj)
	}
	if len(want) < 2 || n == nil || !n.past && !n.passive || !task.before(later) || !slices.Equal(task.others(), later.others()) {
		return false
	}
	doer := task.doer()
	said := later.deeds(n, slices.Equal(doer, later.me))
	if !n.passive {
		if !slices.Equal(n.subj, doer) || slices.ContainsFunc(n.subj, func(w string) bool { return held(w, want) }) {
			return false
		}
		said = slices.DeleteFunc(said, func(w deed) bool { return slices.Contains(n.subj, w.id) })
	}
	said = slices.DeleteFunc(said, func(w deed) bool { return task.within(w.id) })
	return !slices.ContainsFunc(want, func(w string) bool {
		return !slices.ContainsFunc(said, func(x deed) bool { return x.is(w) })
	}) && !slices.ContainsFunc(said, func(x deed) bool { return !slices.ContainsFunc(want, x.is) })
}

// A deed is a word of a report: what it means, and the word itself, as "called" is both to name and to call.
type deed struct{ id, word string }

func (x deed) is(w string) bool {
	return akin(w, x.id) || akin(w, x.word) || akin(unge(w), x.id) || akin(w, unge(x.id))
}

// mine tells "my", "our".
func mine(x tok) bool { return x.roles&rSelf != 0 && x.roles&rPoss != 0 }

// deeds are the words of a report, without "my" where the task is the speaker's own. That something is done adds nothing to it: "called the
// landlord, done".
func (c *Claim) deeds(n *clause, own bool) []deed {
	var out []deed
	for i := range n.toks {
		x := &n.toks[i]
		if own && mine(*x) || finished(n.toks, i) {
			continue
		}
		word := x.id
		if x.kind == 0 {
			word = canonical(token{fold: x.fold})
		}
		for _, id := range ids(n.toks[i:i+1], c.me) {
			out = append(out, deed{id, word})
		}
	}
	return out
}

// finished tells a "done" at the end of a clause, behind a comma.
func finished(toks []tok, i int) bool {
	return toks[i].roles&rDone != 0 && i > 0 && i+1 == len(toks) && mark(toks[i-1].kind)
}

// before tells that what is reported came about after the task was told, as far as its words for time say: "yesterday" is before the day on
// which it is said. A date behind them tells by itself.
func (c *Claim) before(later *Claim) bool {
	for i := range later.toks {
		x := &later.toks[i]
		if x.roles&rRel == 0 || i+1 < len(later.toks) && later.toks[i+1].kind == 'D' {
			continue
		}
		back := later.table.words[x.fold].value
		if c.Day == "" || back == "" || back == "1" && c.Day >= later.Day {
			return false
		}
	}
	return true
}

// others are the words for whose it is, where that is neither the speaker's nor the subject's: his, in "I renewed his passport".
func (c *Claim) others() []string {
	var out []string
	own := !slices.ContainsFunc(c.toks, func(x tok) bool { return x.roles&rSelf != 0 && x.roles&rPoss == 0 }) &&
		slices.ContainsFunc(c.toks, func(x tok) bool { return x.roles&rUser != 0 || x.kind == 'P' })
	for i := range c.toks {
		if x := &c.toks[i]; x.roles&rPoss != 0 && x.roles&rSelf == 0 && !own {
			out = append(out, x.fold)
		}
	}
	return out
}

// doer is who has to do a task: whoever it names, else its speaker.
func (c *Claim) doer() []string {
	if at := slices.IndexFunc(c.toks, func(x tok) bool { return x.roles&rTodo != 0 }); at > 0 {
		if who := ids(c.toks[:at], c.me); len(who) > 0 {
			return who
		}
	}
	return c.me
}

// unge takes the syllable of German participles out of a word: abgegeben, abgeben.
func unge(w string) string {
	if at := strings.Index(w, "ge"); at >= 0 && at < 6 && len(w) > 6 {
		return w[:at] + w[at+2:]
	}
	return w
}

// within tells a day that is not before that of the task.
func (c *Claim) within(w string) bool {
	return len(w) == len("d01-02") && w[0] == 'd' && w[3] == '-' || len(w) == len("d2006-01-02") && w[0] == 'd' && w[1:] >= string(c.Day)
}

// report is the clause of a statement of one that says that something is so, without a condition.
func (c *Claim) report() *clause {
	if len(c.clauses) != 1 || c.question {
		return nil
	}
	k := c.clauses[0]
	if k.verb < 0 || k.hedged || k.neg || k.list || len(k.matches) > 0 && k.matches[0].kind == "end" {
		return nil
	}
	return k
}

// errand is what a task names: the deed and its object, without who has to do it and until when.
func (c *Claim) errand() []string {
	if c.question {
		return nil
	}
	toks := c.toks
	at := slices.IndexFunc(toks, func(x tok) bool { return x.roles&rTodo != 0 })
	switch {
	case at > 4:
		return nil
	case at >= 0:
		toks = toks[at+1:]
	case len(toks) == 0 || toks[0].roles&(rUser|rSelf|rPron|rHedge) != 0 || articles[toks[0].fold]:
		return nil
	}
	to := len(toks)
	for i := range toks {
		x := &toks[i]
		if x.roles&(rTail|rNeg|rAlso) != 0 || x.kind == '.' && i+1 < len(toks) {
			return nil
		}
		limit := i > 1 && x.roles&rPrep != 0 && slices.ContainsFunc(toks[i+1:min(i+5, len(toks))], func(x tok) bool {
			return x.kind == 'D' || x.kind == 'W' || x.kind == 'T'
		})
		if limit || x.kind == 'D' {
			to = i
			break
		}
	}
	toks = slices.Clone(toks[:to])
	if slices.Equal(c.doer(), c.me) { // my passport
		toks = slices.DeleteFunc(toks, mine)
	}
	out := ids(toks, c.me)
	if len(out) > 0 && at < 0 {
		out[0] = strings.TrimPrefix(out[0], "^") // the capital is that of the sentence
	}
	return out
}

// Finished tells a statement that says of a thing that it is done, and so is no task itself: "The ethics form is done".
func (c *Claim) Finished() bool {
	k := c.report()
	if k == nil {
		return false
	}
	at := k.verb + 1
	for at < len(k.toks) && k.toks[at].roles&(rFree|rWas|rNow) != 0 {
		at++
	}
	return at < len(k.toks) && k.toks[at].roles&rDone != 0 && k.toks[k.verb].roles&(rBe|rWas|rHave) != 0 &&
		!slices.ContainsFunc(k.toks[at+1:], func(x tok) bool { return x.says() && x.kind != 'D' && x.kind != 'T' })
}

// Errand is a word by which the tasks are found that a statement may say to be done, see [Claim.Words]; "" for what is no task.
func (c *Claim) Errand() string {
	best := ""
	if words := c.errand(); len(words) > 1 {
		for _, w := range words {
			made := slices.ContainsFunc(c.toks, func(x tok) bool { return x.id == w && x.roles&rMake != 0 })
			if w = strings.TrimPrefix(w, "^"); len(w) > len(best) && !made {
				best = w
			}
		}
	}
	return best[:min(len(best), 5)]
}

// Words are the words of a statement in the form of [Claim.Errand], each once; at most 40.
func (c *Claim) Words() []string {
	var out []string
	for i := range c.toks[:min(len(c.toks), 40)] {
		if x := &c.toks[i]; x.says() {
			w := strings.TrimPrefix(x.id, "^")
			out = add(add(out, w[:min(len(w), 5)]), unge(w)[:min(len(unge(w)), 5)])
		}
	}
	return out
}
