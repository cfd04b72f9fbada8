package claim

import (
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/lexis"
)

// Done tells whether a statement says that a task is done: "Renew the library card" by "The library card is renewed", "Mara renewed the
// library card" or "The library card is done". The task begins with its verb.
func Done(task, new *Claim) bool {
	verb, object := task.errand()
	if verb == "" || len(new.clauses) == 0 || new.question {
		return false
	}
	n := new.clauses[0]
	if n.neg || n.mods != "" || n.will || n.question || len(n.contrast) > 0 {
		return false
	}
	y := new.plain()
	at := occurs(y, object)
	if at < 0 {
		return false
	}
	rest := y[at+len(object):]
	if at == 0 { // "the card is renewed", "the card was done"
		if len(rest) < 2 || rest[0].kind != uBe {
			return false
		}
		for rest = rest[1:]; len(rest) > 0 && (rest[0].kind == uAux || rest[0].kind == uBe); {
			rest = rest[1:]
		}
		return len(rest) > 0 && (stem(rest[0].id) == verb || finished(rest[0]))
	}
	deed := y[at-1] // "Mara renewed the card"
	return deed.id != stem(deed.id) && stem(deed.id) == verb || deed.past && deed.id == verb
}

// errand reads a task that begins with its verb: the verb and what it is done to.
func (c *Claim) errand() (verb string, object []unit) {
	x := c.plain()
	if len(c.clauses) != 1 || len(x) < 2 || x[0].det || x[0].kind != uName && x[0].kind != uWord && x[0].kind != uVerb {
		return "", nil
	}
	object = x[1:]
	if i := slices.IndexFunc(object, func(u unit) bool {
		return u.kind == uPrep || u.kind == uConj || u.kind == uDate || u.kind == uTime || u.kind == uBe || u.kind == uVerb || u.kind == uHave
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

// occurs finds the units of a phrase, one after the other.
func occurs(us, phrase []unit) int {
	for i := 0; i+len(phrase) <= len(us); i++ {
		if slices.EqualFunc(us[i:i+len(phrase)], phrase, func(a, b unit) bool { return stem(a.id) == stem(b.id) }) {
			return i
		}
	}
	return -1
}

// finished tells words that say that anything is done.
func finished(u unit) bool {
	switch lexis.Fold(u.raw) {
	case "done", "finished", "completed", "complete", "ready", "sorted", "erledigt", "fertig", "abgeschlossen", "hecho", "hecha", "lista", "listo", "terminado", "terminada":
		return true
	}
	return false
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
