package claim

import (
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/lexis"
)

// A thing may be told to have moved or grown to a value without any word of what it was before: "The staging server moved to 10.0.0.9".
// What was said of it before with another value of that kind is over then.

// moved compares a statement with one that tells a value's change.
func moved(earlier, later *Claim) Relation {
	if len(earlier.clauses) != 1 || len(later.clauses) == 0 || len(later.clauses) > 2 || later.also {
		return Unrelated
	}
	if o, n := earlier.clauses[0], later.clauses[0]; !o.plainly() || !n.plainly() || o.past || o.will || n.will {
		return Unrelated
	}
	if !slices.ContainsFunc(later.units, moves) || slices.ContainsFunc(earlier.units, moves) { // two changes are compared by other rules
		return Unrelated
	}
	m, ok := later.motion()
	if !ok {
		return Unrelated
	}
	x, n := earlier.plain(), len(m.subj)
	switch {
	case len(x) > n && slices.EqualFunc(x[:n], m.subj, equalUnit):
	case n > 1 && m.subj[n-1].id == "deadline" && len(x) > n &&
		slices.EqualFunc(x[:n-1], m.subj[:n-1], equalUnit) && hasID(x[n-1:], "schedule"):
		n-- // "the paper is due on", "the paper deadline"
	default:
		return Unrelated
	}
	at := m.valueIn(x, n)
	if at < 0 || x[n].kind == uPrep || !m.limits(x, n, at) ||
		len(m.from) > 0 && !slices.ContainsFunc(x[n:], func(u unit) bool { return u.id == m.from[len(m.from)-1].id }) {
		return Unrelated
	}
	if k := slotKind(x[at]); k == "date" || k == "time" {
		if ends, starts := begins(x[n:at], "end", "expire", "until", "close"), begins(x[n:at], "start",
			"begin", "open"); ends && m.verb == "move" || starts && m.verb == "extend" {
			return Unrelated
		}
	}
	return later.correctionOr(Change)
}

// A motion is what a statement tells of a value's change.
type motion struct {
	subj, from, to []unit
	tail           []unit // what stands behind the value
	verb           string
	raw            string
	price          bool // who is the subject asks it
}

// motion reads "SUBJECT was moved (from X) to Y", "somebody moved SUBJECT to Y" and "SUBJECT wurde auf Y verschoben".
func (c *Claim) motion() (motion, bool) {
	y := c.plain()
	at := slices.IndexFunc(y, moves)
	if at < 1 {
		return motion{}, false
	}
	m := motion{verb: y[at].id, raw: y[at].raw}
	prep := slices.IndexFunc(y[at:], func(u unit) bool { return u.kind == uPrep && (u.id == "to" || u.raw == "auf") })
	switch {
	case prep > 0:
		prep += at
		m.subj = y[:at]
	case at == len(y)-1: // the verb stands at the end
		prep = slices.IndexFunc(y, func(u unit) bool { return u.kind == uPrep && u.raw == "auf" })
		if prep < 1 {
			return motion{}, false
		}
		m.subj = y[:prep]
	default:
		return motion{}, false
	}
	if prep > at {
		obj := y[at+1 : prep]
		if i := slices.IndexFunc(obj, func(u unit) bool { return u.kind == uPrep && u.id == "from" }); i >= 0 {
			m.from, obj = obj[i+1:], obj[:i]
		}
		switch {
		case len(obj) == 1 && obj[0].kind == uAttr && oneOf(obj[0].id, "price", "rate", "fee", "rent"):
			m.price = true
		case len(obj) > 0:
			m.subj = obj
		}
	}
	for len(m.subj) > 0 {
		if k := m.subj[len(m.subj)-1].kind; !oneOf(k, uBe, uHave, uAux) {
			break
		}
		m.subj = m.subj[:len(m.subj)-1]
	}
	m.to = y[prep+1:]
	m.tail = m.to
	if i := slices.IndexFunc(m.to, func(u unit) bool { return oneOf(u.kind, uPrep, uConj, uVerb, uStop, uBe) }); i >= 0 {
		m.to = m.to[:i]
	}
	m.tail = m.tail[len(m.to):]
	if i := slices.IndexFunc(m.tail, func(u unit) bool { return u.kind == uConj && u.id == "because" }); i >= 0 {
		m.tail = m.tail[:i]
	}
	if prep < at { // auf Y verschoben
		m.tail = nil
	}
	return m, len(m.subj) > 0 && len(m.to) > 0 && len(m.to) <= 4 &&
		!slices.ContainsFunc(m.subj, func(u unit) bool { return oneOf(u.kind, uPrep, uConj, uPron) })
}

// moves tells the verbs of a value's change.
func moves(u unit) bool { return u.kind == uVerb && (u.id == "extend" || u.id == "move") }

// limits tells that the two values, the old one at x[at], are of the same: both of premium users, both an hour, both in production.
// Only what counts a bare figure may be left out: "is 100 requests", "was raised to 200".
func (m *motion) limits(x []unit, n, at int) bool {
	v := slices.IndexFunc(m.to, func(u unit) bool {
		return u.id != "" && slotKind(u) == slotKind(x[at]) && u.kind != uWord && u.kind != uName
	})
	if v < 0 {
		return false
	}
	before := slices.Concat(m.to[v+1:], m.tail)
	if k := slotKind(x[at]); k == "date" || k == "time" { // Thursdays at 15:00: what stands beside is a part of the value
		dated := func(u unit) bool { return oneOf(u.kind, uDate, uTime, uPrep) }
		if slices.ContainsFunc(before, func(u unit) bool { return !dated(u) || strings.HasPrefix(u.id, "~") || u.id == "for" }) {
			return false
		}
		return m.appoints(x[n:at])
	}
	if i := slices.IndexFunc(before, func(u unit) bool { return u.kind == uPrep && u.raw == "on" }); i >= 0 &&
		i+2 == len(before) && before[i+1].kind == uDate {
		before = before[:i] // since when
	}
	after := x[at+1:]
	if len(before) == 0 && len(after) == 1 && after[0].kind == uWord && x[n].kind == uBe && x[at].kind == uNum {
		return true
	}
	return slices.EqualFunc(before, after, akin)
}

// appoints tells whether the words between a thing and a time say when it is, or where it ends for what was extended.
func (m *motion) appoints(us []unit) bool {
	for _, u := range us {
		switch {
		case u.kind == uBe, u.kind == uHave, u.kind == uAux, u.kind == uDate,
			u.kind == uTime, u.kind == uIdent, u.id == "schedule", u.id == "meet":
		case u.kind == uPrep && u.id != "from" && u.raw != "since":
		case u.kind == uPrep && m.verb == "move":
		case begins([]unit{u}, "due", "deadline", "plan", "set", "start", "begin", "take", "place", "happen", "leave",
			"depart", "end", "expire", "close", "valid", "run", "until", "fix", "statt", "beginn", "endet"):
		default:
			return false
		}
	}
	if m.verb == "extend" && lengthens(m.raw) {
		return deadline(us)
	}
	return true
}

// lengthens tells the verbs that move an end alone.
func lengthens(verb string) bool {
	return oneOf(lexis.Fold(verb), "extended", "prolonged", "shortened", "lengthened", "verlangert")
}

// deadline tells that the time which a statement names is an end.
func deadline(us []unit) bool {
	return begins(us, "due", "deadline", "end", "expire", "until", "close", "valid", "frist", "abgabe", "plazo")
}

// once tells that a statement says of a day beside the value that it is so then: "this week the standup is at 11:00".
func (c *Claim) once(val []unit) bool {
	return len(val) > 1 && slices.ContainsFunc(val, func(u unit) bool {
		return u.kind == uDate && (strings.HasPrefix(u.id, "~") ||
			slices.ContainsFunc(c.units[:min(2, len(c.units))], func(f unit) bool { return f.kind == uDate && f.id == u.id }))
	})
}

// valueIn finds the one value behind the first n units of a statement that is of the kind of the new one, and another; -1 for none.
func (m *motion) valueIn(x []unit, n int) int {
	v := slices.IndexFunc(m.to, func(u unit) bool { return slotKind(u) != "" && (u.kind != uWord && u.kind != uName) })
	if v < 0 {
		return -1
	}
	kind, found := slotKind(m.to[v]), -1
	for i := n + 1; i < len(x); i++ {
		if slotKind(x[i]) != kind || oneOf(x[i].kind, uWord, uName) || onWeekday(x[i]) != onWeekday(m.to[v]) {
			continue
		}
		if found >= 0 {
			return -1
		}
		found = i
	}
	if found < 0 || x[found].id == m.to[v].id {
		return -1
	}
	head := m.to[:v]
	if found-len(head) <= n || !slices.EqualFunc(x[found-len(head):found], head, equalUnit) {
		return -1
	}
	switch before := x[found-len(head)-1]; {
	case before.kind == uPrep, before.kind == uBe, before.kind == uHave, before.kind == uVerb:
	case predicative(before) && found-len(head)-1 >= n:
	default:
		return -1 // "the API listens on port 8080": the number is that of the port
	}
	if kind == "number" && v+1 < len(m.to) && found+1 < len(x) && x[found+1].kind == uWord &&
		m.to[v+1].kind == uWord && m.to[v+1].id != x[found+1].id {
		return -1 // 5 nodes, 3 replicas
	}
	if m.price && !begins(x[n:found], "charge", "cost", "price", "rate", "fee", "rent", "verlang", "kost", "cobra", "cuesta") {
		return -1
	}
	return found
}

func onWeekday(u unit) bool { return u.kind == uDate && strings.HasPrefix(u.id, "wd") }

func equalUnit(a, b unit) bool { return a.id == b.id }

// begins tells whether a word of them begins so.
func begins(us []unit, list ...string) bool {
	return slices.ContainsFunc(us, func(u unit) bool {
		return slices.ContainsFunc(list, func(s string) bool { return strings.HasPrefix(lexis.Fold(u.raw), s) })
	})
}

func hasID(us []unit, list ...string) bool {
	return slices.ContainsFunc(us, func(u unit) bool { return slices.Contains(list, stem(u.id)) })
}

// mover is the key under which a value and its change meet: what they are said of, unless that is a person.
func (c *Claim) mover() string {
	if len(c.clauses) == 0 || len(c.clauses) > 2 {
		return ""
	}
	if m, ok := c.motion(); ok {
		if n := len(m.subj); n > 1 && m.subj[n-1].id == "deadline" {
			return "m|" + ids(m.subj[:n-1])
		}
		return "m|" + ids(m.subj)
	}
	amount := func(u unit) bool { return oneOf(u.kind, uQty, uNum, uDate, uTime) }
	if !slices.ContainsFunc(c.units, amount) {
		return ""
	}
	x := c.plain()
	i := slices.IndexFunc(x, func(u unit) bool { return oneOf(u.kind, uBe, uHave, uVerb, uPrep, uQty, uNum) || predicative(u) })
	if i < 1 || i > 4 || i == 1 && x[0].kind == uName && !x[0].det && !acronym(x[0]) {
		return ""
	}
	if !slices.ContainsFunc(x[i:], amount) {
		return ""
	}
	return "m|" + ids(x[:i])
}

// acronym tells CI and API, which are nobody's name.
func acronym(u unit) bool { return len(u.raw) > 1 && u.raw == strings.ToUpper(u.raw) }

// toggled compares what is on with what is off: the later one holds.
func toggled(earlier, later *Claim) Relation {
	if len(earlier.clauses) != 1 || len(later.clauses) != 1 || !earlier.clauses[0].plainly() ||
		!later.clauses[0].plainly() || !slices.ContainsFunc(later.units, switches) {
		return Unrelated
	}
	x, y := earlier.plain(), later.plain()
	i, j := toggle(x), toggle(y)
	if i < 1 || i != j ||
		lexis.Fold(x[i].raw) == lexis.Fold(y[j].raw) || !slices.EqualFunc(x[:i], y[:j], equalUnit) {
		return Unrelated
	}
	a, b := x[i+1:], y[j+1:]
	if k := slices.IndexFunc(b, func(u unit) bool { return u.kind == uPrep && u.raw == "since" }); k >= 0 {
		b = b[:k]
	}
	if len(b) > 0 && !slices.EqualFunc(a, b, equalUnit) {
		return Unrelated
	}
	return later.correctionOr(Change)
}

// switches tells on and off.
func switches(u unit) bool { return u.kind == uPrep && (u.raw == "on" || u.raw == "off") }

// toggle is the place of on or off behind "is", -1 for none. What follows on is no object: "is on the table".
func toggle(us []unit) int {
	for i := 2; i < len(us); i++ {
		if us[i-1].kind != uBe || !switches(us[i]) {
			continue
		}
		if i+1 == len(us) || us[i+1].kind == uPrep {
			return i
		}
		return -1
	}
	return -1
}

// succeeded compares what a thing serves as with what has replaced it: "Redis is used as the session store", "Valkey replaces Redis as
// the session store".
func succeeded(earlier, later *Claim) Relation {
	if len(earlier.clauses) != 1 || len(later.clauses) != 1 {
		return Unrelated
	}
	o, n := earlier.clauses[0], later.clauses[0]
	if n.verb.id != "replace" || n.neg || n.will || n.mods != "" && n.verb.raw != "replaces" || // "replaces" may be read as a plan
		!o.plainly() || o.past || ids(slices.Concat(n.objs, n.gone)) != o.subj.head || len(o.chunks) != 1 || len(n.chunks) != 1 {
		return Unrelated
	}
	if a, b := o.chunks[0], n.chunks[0]; a.prep != b.prep || ids(a.units) != ids(b.units) {
		return Unrelated
	}
	return Change
}

// lately cuts off what a value holds since, and tells that it was there: "since caching was added", "after fixing the tokenizer".
func lately(y []unit) ([]unit, bool) {
	for i := 3; i+1 < len(y); i++ {
		if y[i].kind != uPrep || !oneOf(y[i].raw, "since", "after") {
			continue
		}
		if y[i].raw == "since" && y[i+1].kind != uDate || y[i].raw == "after" && betters[y[i+1].raw] && y[0].det {
			return y[:i], true
		}
	}
	return y, false
}

// betters are what one does to a thing so that it is another from then on. After kneading, the dough only rests.
var betters = wordSet(`fixing upgrading updating tuning optimizing optimising refactoring rewriting migrating switching patching
	enabling disabling replacing caching`)
