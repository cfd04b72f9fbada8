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
	if len(want) < 2 || n == nil || later.dated || !n.past && !n.passive {
		return false
	}
	said := ids(n.toks, later.me)
	if !n.passive {
		if !slices.Equal(n.subj, task.doer()) || slices.ContainsFunc(n.subj, func(w string) bool { return held(w, want) }) {
			return false
		}
		said = slices.DeleteFunc(said, func(w string) bool { return slices.Contains(n.subj, w) })
	}
	said = slices.DeleteFunc(said, func(w string) bool { return task.within(w) })
	deed := func(w string, in []string) bool {
		return held(w, in) || held(unge(w), in) || slices.ContainsFunc(in, func(x string) bool { return akin(w, unge(x)) })
	}
	return !slices.ContainsFunc(want, func(w string) bool { return !deed(w, said) }) &&
		!slices.ContainsFunc(said, func(w string) bool { return !deed(w, want) })
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
	out := ids(toks[:to], c.me)
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
