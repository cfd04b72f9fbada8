package claim

import (
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/lexis"
)

// build reads one clause. before is the subject of the clause before it.
func build(us []unit, before subject, lang string) *clause {
	c := &clause{concord: lang == "fr" || lang == "es"}
	us = c.takeContrast(us)
	var tail *chunk
	if at := slices.IndexFunc(us, func(u unit) bool { return u.kind == uConj && (u.id == "because" || u.id == "while") }); at > 0 {
		tail = &chunk{us[at].id, slices.DeleteFunc(slices.Clone(us[at+1:]), func(u unit) bool { return u.kind == uComma || u.kind == uStop })}
		us = us[:at] // what a reason denies or allows is not what the clause does
	}
	us = quit(us)
	us = c.takeFlags(us)
	us = slices.DeleteFunc(us, func(u unit) bool { return u.kind == uStop })
	if c.ended && lang == "de" { // hat mit dem Rauchen aufgehört
		if v := slices.IndexFunc(us, func(u unit) bool { return u.kind == uVerb }); v > 1 && us[v-1].kind == uPrep && us[v-1].id == "with" {
			us = slices.Concat(slices.DeleteFunc(slices.Clone(us[:v-1]), func(u unit) bool { return u.kind == uHave }), us[v:])
		}
	}
	us = c.takeShift(us, lang)
	for _, u := range us {
		if content(u) {
			c.says = append(c.says, u)
		}
	}
	us = c.lead(us)
	if n := len(us); lang == "de" && (len(c.chunks) > 0 || c.corr || c.now) && n > 2 &&
		oneOf(us[0].kind, uVerb, uBe, uHave) && oneOf(us[1].kind, uName, uPron) {
		us = append([]unit{us[1], us[0]}, us[2:]...) // Seit 2019 wohnt Olga …
	}
	if lang == "es" && len(us) > 3 && us[0].kind == uPrep && us[0].id == "to" { // A Carmen le gusta …
		if v := slices.IndexFunc(us, func(u unit) bool { return u.kind == uVerb }); v > 1 &&
			allNames(us[1:v]) && oneOf(us[v].id, "like", "love") {
			us = us[1:]
		}
	}
	c.first = !before.told
	us, p, q := c.predicate(us, lang)
	c.passive = p < len(us) && us[p].kind == uBe && !us[p].past && c.verb.kind == uVerb
	if c.pred == "named" && p < q && !hasKind(us[p:min(q, len(us))], uBe) {
		switch strings.ToLower(c.verb.raw) {
		case "called", "named": // by phone, or somebody for something
			c.pred, c.past = "call", true
		}
	}
	c.byBe = p < len(us) && hasKind(us[p:min(q, len(us))], uBe) && c.verb.kind == uVerb &&
		(lang != "de" || us[p].kind == uHave || strings.HasPrefix(strings.ToLower(us[p].raw), "w"))
	c.subj = before
	var attr *unit
	if p > 0 {
		c.subj, attr = readSubject(us[:p])
		c.subj = c.subj.another(before, before.crowd)
		for _, u := range us[:p] {
			if content(u) {
				c.who = append(c.who, u)
			}
		}
	}
	c.cut(us[q:])
	if tail != nil {
		c.chunks = append(c.chunks, *tail)
	}
	c.present()
	attr = c.active(attr)
	attr = c.called(c.retell(attr, lang))
	switch {
	case c.pred == "breakup":
		c.couple()
	case c.pred == "depart" && c.departed() == "": // returns results
		c.pred = stem(canonical(token{raw: c.verb.raw, fold: strings.ToLower(c.verb.raw)}))
	}
	c.duty()
	c.frame(attr)
	c.seal()
	return c
}

// lead takes an adjunct off the front: "On 3 May", "In Berlin,", "Every morning".
func (c *clause) lead(us []unit) []unit {
	for len(us) > 1 {
		switch {
		case us[0].kind == uComma:
			us = us[1:]
			continue
		case oneOf(us[0].kind, uDate, uTime) && !us[0].det && (us[1].det || oneOf(us[1].kind, uName, uPron, uComma, uVerb)):
			c.addTime("", us[0])
			us = us[1:]
			continue
		case us[0].kind == uPrep && oneOf(us[1].kind, uDate, uTime):
			c.addTime(us[0].id, us[1])
			us = us[2:]
			continue
		case us[0].kind == uPrep && (us[0].id == "every"):
			c.chunks = append(c.chunks, chunk{"every", us[1:2]})
			us = us[2:]
			continue
		case us[0].kind == uPrep:
			if at := slices.IndexFunc(us, func(u unit) bool { return u.kind == uComma }); at > 1 && at < len(us)-1 {
				c.chunks = append(c.chunks, chunk{us[0].id, us[1:at]})
				us = us[at+1:]
				continue
			}
		}
		break
	}
	return us
}

func (c *clause) addTime(prep string, u unit) {
	switch prep {
	case "", "in", "on", "at", "to":
		prep = "dt"
	}
	if n := len(c.chunks); n > 0 && c.chunks[n-1].prep == prep && prep == "dt" {
		us := c.chunks[n-1].units
		at := len(us)
		for at > 0 && us[at-1].id > u.id {
			at--
		}
		c.chunks[n-1].units = slices.Insert(us, at, u)
		return
	}
	c.chunks = append(c.chunks, chunk{prep, []unit{u}})
}

// predicate finds the verb. us[:p] is the subject, us[q:] what the verb goes with.
func (c *clause) predicate(us []unit, lang string) (rest []unit, p, q int) {
	p = slices.IndexFunc(us, func(u unit) bool { return oneOf(u.kind, uVerb, uBe, uHave) })
	if p > 0 && us[p].part && us[0].det {
		p = pastAdjective(us, p)
	}
	if p < 0 {
		return c.unknown(us)
	}
	if us[p].kind != uVerb {
		if w := unknownVerb(us[:p]); w > 0 && (lang != "en" || finite(us[:p], w)) &&
			!(us[0].det && !us[w].past && !strings.HasSuffix(us[w].raw, "s") && lang == "en") && oneOf(us[w-1].kind, uName, uPron, uRel) {
			return c.unknown(us)
		}
	}
	perfect := false
	q = p
	for q < len(us) && us[q].kind != uVerb {
		u := us[q]
		aux := u.kind == uBe || u.kind == uHave
		if !aux {
			break
		}
		if u.past {
			c.past = true
		}
		perfect = perfect || u.kind == uHave
		if q+1 < len(us) {
			next := us[q+1]
			switch {
			case next.kind == uVerb && !(lang == "en" && !c.ended && u.kind == uHave && strings.HasSuffix(next.raw, "ing")),
				next.kind == uBe && u.kind == uHave:
				q++
				continue
			case next.kind == uWord && !next.det && u.kind == uHave && (next.past || participle(next, lang)),
				next.kind == uWord && u.kind == uBe && strings.HasSuffix(next.raw, "ing") && lang == "en" && q+2 < len(us):
				c.verb, c.pred = next, next.id
				c.past = c.past || next.past || participle(next, lang)
				return us, p, q + 2
			}
		}
		if last := len(us) - 1; lang == "de" && last > q+1 && us[last].kind == uVerb && (us[last].part || us[last].id == "allergic") {
			c.setVerb(us[last], u.kind == uHave)
			return append(slices.Clone(us[:q+1]), us[q+1:last]...), p, q + 1
		}
		if last := len(us) - 1; lang == "de" && last > q+1 && participle(us[last], lang) {
			c.verb, c.pred, c.past = us[last], us[last].id, true
			return us[:last], p, q + 1
		}
		c.verb, c.copula = u, u.kind == uBe
		c.pred = "be"
		if u.kind == uHave {
			c.pred = "have"
		}
		return us, p, q + 1
	}
	if q < len(us) {
		c.setVerb(us[q], perfect)
		if lang == "en" && !perfect && q > p && us[q].part && us[p].kind == uBe && !us[p].past && !changeVerb[c.pred] { // is reported to
			c.past = false
		}
		return us, p, q + 1
	}
	return us, p, len(us)
}

// participle tells the past participles that are in no list, by their form.
func participle(u unit, lang string) bool {
	if u.kind != uWord || len(u.raw) < 5 {
		return false
	}
	w := u.raw
	switch lang {
	case "de":
		return w[0] >= 'a' && w[0] <= 'z' && (strings.HasSuffix(w, "t") || strings.HasSuffix(w, "en")) &&
			(strings.Contains(w, "ge") || strings.HasPrefix(w, "be") || strings.HasPrefix(w, "ver") || strings.HasPrefix(w, "er"))
	case "es":
		return strings.HasSuffix(w, "ado") || strings.HasSuffix(w, "ido")
	case "fr":
		return strings.HasSuffix(w, "é") || strings.HasSuffix(w, "ée") || strings.HasSuffix(w, "i") || strings.HasSuffix(w, "u")
	}
	return false
}

func (c *clause) setVerb(v unit, perfect bool) {
	c.verb = v
	c.pred = v.id
	if strings.HasPrefix(v.id, "!") {
		c.neg = !c.neg
		c.pred = v.id[1:]
	}
	if c.pred == "own" {
		c.pred = "have"
	}
	if changeVerb[c.pred] {
		c.past = false
		if !v.past && !perfect && c.mods == "" {
			c.mods = "plan"
		}
		return
	}
	switch c.pred {
	case "born", "marry", "engage", "allergic", "host", "extend", "schedule", "promote", "divorce", "named",
		"rename", "build", "written", "rewrite", "found", "takeover", "handover", "choose":
		switch c.pred {
		case "born", "extend", "promote", "rename", "build", "written", "rewrite", "found", "takeover", "handover", "choose":
			c.past = false
		}
		return
	case "work":
		if v.raw != "employed" && v.raw != "angestellt" && v.past && !perfect {
			c.past = true
		}
	case "live":
		if v.raw != "based" && v.raw != "located" && v.past && !perfect {
			c.past = true
		}
	case "use":
		if v.past && !perfect {
			c.past = true
		}
	default:
		if v.past {
			c.past = true
		}
	}
	if perfect && v.past {
		c.past = true // unless since or for tells that it lasts, see present
	}
}

// changeVerb lists the verbs whose past tells what is so now.
var changeVerb = wordSet("move join switch replace become graduate")

// present takes the perfect for the present where it tells since when.
func (c *clause) present() {
	if !c.past || c.verb.kind != uVerb {
		return
	}
	switch c.pred {
	case "live", "work", "use", "drive", "study", "have":
		for _, k := range c.chunks {
			if k.prep == "since" {
				c.past = false
			}
		}
	}
}

// unknown reads a clause whose verb is in no list.
func (c *clause) unknown(us []unit) ([]unit, int, int) {
	v := unknownVerb(us)
	if v < 0 && c.first && len(us) > 2 && us[0].kind == uWord && us[1].kind == uWord && !us[1].det && strings.HasSuffix(us[1].raw, "s") &&
		(us[2].kind == uPrep || us[2].det || us[2].kind > uWord && us[2].kind <= uTime) {
		v = 1 // Correction: pagination defaults to …
	}
	if v == 1 && len(us) > v+3 && us[v+1].kind == uWord && !us[v+1].det && us[v+2].kind == uPrep &&
		measured(us[v+3:v+4]) && lexis.Frequency(us[0].raw) > lexis.FrequencyFloor {
		v++ // session tokens expire after an hour
	}
	if v < 0 && len(us) > 1 && us[0].kind == uWord && !us[0].det { // a clause that goes on with the subject before it
		c.verb, c.pred = us[0], us[0].id
		c.past = c.past || us[0].past
		return us, 0, 1
	}
	if v < 0 || v >= len(us) {
		if len(us) > 0 {
			c.pred = "-"
		}
		n := min(1, len(us))
		for n < len(us) && us[n].kind == uName && us[n-1].kind == uName {
			n++
		}
		if len(us) > 0 && !oneOf(us[0].kind, uName, uPron) {
			n = 0
		}
		return us, n, n
	}
	c.verb, c.pred = us[v], us[v].id
	c.past = c.past || us[v].past
	return us, v, v + 1
}

// pastAdjective skips a participle that belongs to a noun: the minimum supported version is …
func pastAdjective(us []unit, p int) int {
	for i := p + 1; i < len(us); i++ {
		switch us[i].kind {
		case uWord, uName, uAttr, uIdent, uNum:
			continue
		case uBe, uHave:
			if i > p+1 {
				return i
			}
		}
		break
	}
	return p
}

// finite tells whether an English word before a form of to be can be a verb: "the flag … is on" has a noun there.
func finite(us []unit, w int) bool {
	if w == len(us)-1 && !us[0].self && !us[w].hint { // nothing stands between the two: uploaded files are …
		return false
	}
	return us[w].past || us[w].hint || us[0].self || strings.HasSuffix(us[w].raw, "s") || hasKind(us[:w], uConj)
}

// unknownVerb is where a verb of no list stands, behind a subject of names; -1 when there is none.
func unknownVerb(us []unit) int {
	if len(us) == 0 {
		return -1
	}
	start := oneOf(us[0].kind, uName, uPron, uRel, uIdent) || us[0].det
	if !start {
		return -1
	}
	owned := false
	for i := 1; i < len(us); i++ {
		u := us[i]
		switch u.kind {
		case uName, uRel, uIdent, uAttr, uNum:
			owned = false
		case uConj:
			if u.id != "and" {
				return -1
			}
		case uPoss:
			owned = true
		case uWord:
			if u.past || u.hint || !u.det && !owned && (oneOf(us[0].kind, uName, uPron) || us[i-1].kind == uRel) ||
				strings.HasSuffix(u.raw, "s") && !u.det && i > 0 && us[0].kind != uName {
				return i
			}
		default:
			return -1
		}
	}
	return -1
}

// cut divides what follows the verb into objects and adjuncts.
func (c *clause) cut(us []unit) {
	at := -1 // the open chunk
	for i := 0; i < len(us); i++ {
		u := us[i]
		if o, n := often(us[i:]); n > 0 {
			c.chunks = append(c.chunks, chunk{"every", []unit{o}})
			i += n - 1
			at = -1
			continue
		}
		switch {
		case u.kind == uComma:
			continue
		case u.kind == uPrep && u.id == "of":
			c.put(at, u)
			if i+1 < len(us) && us[i+1].kind == uDate { // the week of 5 January
				c.put(at, us[i+1])
				i++
			}
		case u.kind == uPrep && i+1 < len(us) && (oneOf(us[i+1].kind, uDate, uTime) ||
			u.id == "at" && us[i+1].kind == uNum && (i+2 == len(us) || oneOf(us[i+2].kind, uPrep, uDate))):
			n := us[i+1]
			if n.kind == uNum && len(n.id) <= 2 {
				n.kind, n.id = uTime, clock(n.id, "", "")
			}
			c.addTime(u.id, n)
			i++
			at = -1
		// al mes
		case u.kind == uPrep && (u.id == "in" || u.id == "to") && i > 0 && us[i-1].kind == uQty &&
			i+1 < len(us) && us[i+1].kind == uWord && spans[strings.ToLower(us[i+1].raw)] != "":
			c.chunks = append(c.chunks, chunk{"per", us[i+1 : i+2]})
			i++
			at = -1
		case u.kind == uPrep && (u.id == "every" || u.id == "per") && i+1 < len(us):
			c.chunks = append(c.chunks, chunk{u.id, us[i+1 : i+2]})
			i++
			at = -1
		case u.kind == uPrep && i+1 < len(us) && us[i+1].kind == uPrep && (u.id == "by" || u.id == "until"): // bis zum
			us = slices.Concat(us[:i+1], us[i+2:])
			i--
		case u.kind == uPrep:
			c.chunks = append(c.chunks, chunk{prep: u.id})
			at = len(c.chunks) - 1
		case u.kind == uDate || u.kind == uTime:
			if u.rel && !c.past && !c.verb.past && sameDay(u) {
				c.today = u.id
				continue
			}
			c.addTime("", u)
			at = -1
		case u.kind == uWord && i > 0 && us[i-1].kind == uQty && period(u.id):
			c.chunks = append(c.chunks, chunk{"per", us[i : i+1]})
		default:
			c.put(at, u)
		}
	}
}

// sameDay tells the day of speaking itself, which adds nothing to what is so.
func sameDay(u unit) bool { return oneOf(strings.ToLower(u.raw), "today", "heute", "hoy") }

func period(id string) bool { return oneOf(id, "month", "year", "week", "day", "hour", "monat", "mes") }

func (c *clause) put(at int, u unit) {
	if at < 0 {
		c.objs = append(c.objs, u)
		return
	}
	c.chunks[at].units = append(c.chunks[at].units, u)
}
