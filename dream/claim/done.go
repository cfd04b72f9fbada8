package claim

import (
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/lexis"
)

// Done tells whether a statement says that a task is done: "Renew the library card" by "The library card is renewed", "Mara renewed the
// library card" or "The library card is done". The task begins with its verb. In doubt it is not: a task that is open too long is ticked
// by hand, one that is gone is forgotten.
func Done(task, later *Claim) bool {
	verb, object := task.errand()
	if verb == "" || !later.reports() {
		return false
	}
	y, rest := later.plain(), slices.DeleteFunc(slices.Clone(task.todo()[1+len(object):]), func(u unit) bool { return u.kind == uAux })
	if slices.ContainsFunc(rest, func(u unit) bool { return u.id == "every" || u.id == "each" }) {
		return false // once is not for good
	}
	at := occurs(y, object)
	if at < 0 {
		return false
	}
	after, full := y[at+len(object):], withoutLimit(rest)
	if at > 0 { // "Mara renewed the card"
		deed, who := y[at-1], y[:at-1]
		if n := len(who); n > 1 && who[n-1].kind == uHave { // has renewed
			who = who[:n-1]
		}
		return (deed.id != stem(deed.id) && stem(deed.id) == verb || deed.past && deed.id == verb) &&
			task.doer(later, who, object) && task.closes(after, full)
	}
	if len(after) > len(full) && len(full) > 0 && slices.EqualFunc(after[:len(full)], full, akin) { // the bug in the parser is fixed
		after, full = after[len(full):], nil
	}
	if len(after) > 1 && after[0].kind == uHave && after[1].kind == uBe { // have been
		after = after[1:]
	}
	if len(after) < 2 || after[0].kind != uBe { // "the card is renewed", "the card was done"
		return false
	}
	for after = after[1:]; len(after) > 0 && oneOf(after[0].kind, uAux, uBe); {
		if after[0].raw == "being" {
			return false
		}
		after = after[1:]
	}
	return len(after) > 0 && (stem(after[0].id) == verb || task.ends(after[0])) && task.closes(after[1:], full)
}

// reports tells a statement of one clause that says that something is so, without a condition.
func (c *Claim) reports() bool {
	if len(c.clauses) != 1 || c.question || slices.ContainsFunc(c.units, hedges) {
		return false
	}
	n := c.clauses[0]
	return !n.neg && n.mods == "" && !n.will && !n.question && len(n.contrast) == 0
}

// hedges tells words that a task may hang on, and units that no plain report has.
func hedges(u unit) bool { return oneOf(u.kind, uConj, uRel, uInstead) }

// doer tells whether who did it may be whoever the task is for: its speaker where one is known, somebody with a name where none is.
func (c *Claim) doer(later *Claim, who, object []unit) bool {
	if len(who) == 0 {
		return false
	}
	if me := lexis.Fold(c.Speaker); me != "" {
		return len(who) == 1 && (who[0].self && lexis.Fold(later.Speaker) == me || !who[0].self && lexis.Fold(who[0].raw) == me)
	}
	return allNames(who) && !slices.ContainsFunc(who, func(u unit) bool { return nobody[lexis.Fold(u.raw)] }) &&
		object[0].kind != uName // whom Tomas called, Mara may have to call as well
}

var nobody = wordSet("nobody noone somebody someone anybody anyone everybody everyone niemand jemand nadie alguien personne")

// closes tells whether what follows on a deed leaves nothing of the task open: what else the task names, and the day.
func (c *Claim) closes(after, full []unit) bool {
	if len(full) > 0 {
		if len(after) < len(full) || !slices.EqualFunc(after[:len(full)], full, akin) {
			return false
		}
		after = after[len(full):]
	}
	for len(after) > 0 {
		switch u := after[0]; {
		case u.kind == uComma, u.kind == uStop, c.within(u):
		case u.kind == uPrep && len(after) > 1 && oneOf(u.raw, "on", "am", "el") && c.within(after[1]):
		default:
			return false
		}
		after = after[1:]
	}
	return true
}

// within tells a day that is not before that of the task.
func (c *Claim) within(u unit) bool {
	return u.kind == uDate && len(u.id) == len("2006-01-02") && u.id[0] == '2' && u.id >= string(c.Day)
}

// withoutLimit takes "before 1 December" off what follows on the object of a task.
func withoutLimit(rest []unit) []unit {
	for i := 0; i+1 < len(rest); i++ {
		if rest[i].kind == uPrep && oneOf(rest[i+1].kind, uDate, uTime) {
			switch strings.ToLower(rest[i].raw) {
			case "before", "by", "until", "on", "bis", "vor", "am", "antes de":
				if i+2 == len(rest) {
					return rest[:i]
				}
			}
		}
	}
	return rest
}

// todo is a task from its verb on: without "The user has to", "Mara must".
func (c *Claim) todo() []unit {
	x := c.plain()
	for i := 1; i < min(len(x)-1, 5); i++ {
		switch x[i].kind {
		case uMod:
			if x[i].id == "must" {
				return x[i+1:]
			}
			return x
		case uName, uWord, uAttr, uRel:
		default:
			return x
		}
	}
	return x
}

// errand reads a task that begins with its verb: the verb and what it is done to.
func (c *Claim) errand() (verb string, object []unit) {
	x := c.todo()
	if len(c.clauses) != 1 || len(x) < 2 || x[0].det || !oneOf(x[0].kind, uName, uWord, uVerb) {
		return "", nil
	}
	object = x[1:]
	if i := slices.IndexFunc(object, func(u unit) bool {
		return oneOf(u.kind, uPrep, uConj, uDate, uTime, uBe, uVerb, uHave)
	}); i >= 0 {
		object = object[:i]
	}
	if len(object) == 0 || len(object) > 5 {
		return "", nil
	}
	if verb = stem(x[0].id); x[0].kind == uName { // the capital is that of the sentence
		verb = stem(canonical(token{raw: strings.ToLower(x[0].raw), fold: lexis.Fold(x[0].raw)}))
	}
	return verb, object
}

func akin(a, b unit) bool { return stem(a.id) == stem(b.id) }

// occurs finds the units of a phrase, one after the other.
func occurs(us, phrase []unit) int {
	for i := 0; i+len(phrase) <= len(us); i++ {
		if slices.EqualFunc(us[i:i+len(phrase)], phrase, akin) {
			return i
		}
	}
	return -1
}

// ends tells whether a word says of a thing that the task is done. A contract that is ready is not signed, and flour that is finished
// has to be bought: that tells only of what is made or dealt with.
func (c *Claim) ends(u unit) bool {
	verb := strings.ToLower(c.todo()[0].raw)
	if makes[verb] {
		return finished(u) || ready[lexis.Fold(u.raw)]
	}
	return handles[verb] && over[lexis.Fold(u.raw)]
}

var (
	makes   = wordSet("finish complete write do make draft compile terminar acabar escribir hacer")
	handles = wordSet(`prepare renew fix repair clean update fill rotate file submit settle rewrite refactor migrate wash preparar
		renovar arreglar reparar limpiar`)
	ready = wordSet("ready fertig lista listo")
	over  = wordSet("done completed sorted erledigt hecho hecha")
)

// finished tells words that say that anything is done.
func finished(u unit) bool { return ended[lexis.Fold(u.raw)] }

var ended = wordSet("done finished completed complete sorted erledigt abgeschlossen hecho hecha terminado terminada")

// Finished tells a statement that says of a thing that it is done, and so is no task itself: "The ethics form is done".
func (c *Claim) Finished() bool {
	if !c.reports() {
		return false
	}
	y := c.plain()
	i := slices.IndexFunc(y, func(u unit) bool { return u.kind == uBe })
	if i < 1 {
		return false
	}
	for i++; i < len(y) && oneOf(y[i].kind, uBe, uAux) && y[i].raw != "being"; {
		i++
	}
	return i < len(y) && (finished(y[i]) || lexis.Fold(y[i].raw) == "fertig") && !slices.ContainsFunc(y[i+1:], func(u unit) bool {
		return u.kind != uDate && u.kind != uTime && (u.kind != uPrep || !oneOf(u.raw, "on", "am", "since", "seit"))
	})
}

// Errand is what a task is about, for finding the tasks that a statement may say to be done: the last word of what its verb is done
// to, "" for what is no task.
func (c *Claim) Errand() string {
	_, object := c.errand()
	if len(object) == 0 {
		return ""
	}
	return stem(object[len(object)-1].id)
}

// Words are the words of a statement in the form of [Claim.Errand], each once; at most 40.
func (c *Claim) Words() []string {
	var out []string
	for _, u := range c.units[:min(len(c.units), 40)] {
		if w := stem(u.id); w != "" && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}
