package claim

import (
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/vault"
)

type unitKind uint8

const (
	uWord  unitKind = iota
	uName           // begins with a capital inside a sentence, or is unknown at its start
	uIdent          // has letters and digits
	uNum
	uQty
	uDate
	uTime
	uVerb
	uBe
	uHave
	uAux
	uAttr
	uRel
	uPrep
	uConj
	uPoss
	uPron
	uMarital
	uFav
	uNeg
	uMod
	uAny // any more
	uNow
	uCorr
	uEnded
	uInstead
	uComma
	uStop
	uQuestion
)

// A unit is what the rules see of a word or phrase.
type unit struct {
	kind unitKind
	id   string // canonical
	raw  string // as written
	past bool
	part bool
	det  bool   // an article stood before it
	the  bool   // a definite one
	own  bool   // "her", "their" stood before it
	self bool   // who speaks, as I or we
	hint bool   // a negation or modal verb stood before it
	key  string // attr: 1 single, ! immutable, * several
	rel  bool   // a day said relative to the day of speaking
	year bool   // the year of the date is assumed
}

// plainWord makes of a lexicon unit the ordinary word that it is in another place.
func (u unit) plainWord() unit {
	t := token{raw: u.raw, fold: strings.ToLower(u.raw)}
	u.kind, u.id = uWord, canonical(t)
	return u
}

type reader struct {
	toks          []token
	lang          *language
	day           vault.Day
	speaker       string
	out           []unit
	det, the, own bool
	gender        string // of possessives
	genitive      bool   // the next noun ends in -s for it
	did           bool   // "did" stood before the verb
	also          bool   // "too" and the like stood inside a clause
	ahead         string // the next word, folded
	after         string // and the one after it
}

func (r *reader) read() {
	for i := 0; i < len(r.toks); {
		i += r.step(i)
	}
}

// date reads a day or month; "planned for June" is a month, "a gift for June" is not.
func (r *reader) date(i int) (id string, n int) {
	if id, n = dateAt(r.toks, i, r.day); n > 0 {
		return id, n
	}
	t := r.toks[i]
	m := months[t.fold]
	at := len(r.out) - 1
	if at > 0 && r.out[at].kind == uPrep {
		at--
	}
	if m == "" || !t.upper || at < 0 || r.out[at].kind != uVerb {
		return "", 0
	}
	switch r.out[at].id {
	case "schedule", "extend", "move":
		return "--" + m, 1
	}
	return "", 0
}

func (r *reader) put(u unit) {
	u.det, u.the, u.own = r.det, r.the, r.own
	r.det, r.the, r.own = false, false, false
	r.out = append(r.out, u)
}

func (r *reader) step(i int) int {
	t := r.toks[i]
	r.ahead = ""
	if i+1 < len(r.toks) {
		r.ahead = r.toks[i+1].fold
	}
	r.after = ""
	if i+2 < len(r.toks) {
		r.after = r.toks[i+2].fold
	}
	if t.kind == tokPunct {
		return r.punct(i)
	}
	if t.fold == "'s" {
		r.put(unit{kind: uPoss, id: "'s", raw: "'s"})
		return 1
	}
	if id, n := relativeAt(r.toks, i, r.day, r.lang.name); n > 0 {
		r.put(unit{kind: uDate, id: id, raw: joinRaw(r.toks[i : i+n]), rel: true})
		return n
	}
	if id, n := r.date(i); n > 0 {
		assumed := strings.HasPrefix(id, "--")
		if assumed && len(r.day) > 4 {
			id = string(r.day[:4]) + id[1:]
		}
		_, rel := relativeDays[t.fold]
		r.put(unit{kind: uDate, id: id, raw: joinRaw(r.toks[i : i+n]), rel: rel, year: assumed})
		return n
	}
	if id, n := timeAt(r.toks, i); n > 0 {
		r.put(unit{kind: uTime, id: id, raw: joinRaw(r.toks[i : i+n])})
		return n
	}
	if n := r.number(i); n > 0 {
		return n
	}
	if t.upper && i > 0 && r.lang.name != "de" && !r.afterStop() && t.fold != "i" && !r.knownUpper(i) {
		return r.name(i)
	}
	if r.sets(i) {
		r.put(unit{kind: uVerb, id: "extend", raw: t.raw, past: true, part: true})
		return 1
	}
	for e := range r.lang.matches(r.toks, i) {
		if n := r.phrase(e, i); n > 0 {
			return n
		}
	}
	return r.word(i)
}

func (r *reader) afterStop() bool {
	n := len(r.out)
	return n == 0 || r.out[n-1].kind == uStop
}

// knownUpper tells a capitalised phrase that is still looked up, such as a product with another name.
func (r *reader) knownUpper(i int) bool {
	e, ok := r.lang.match(r.toks, i)
	return ok && (e.class == "alias")
}

func joinRaw(toks []token) string {
	parts := make([]string, 0, len(toks))
	for _, t := range toks {
		parts = append(parts, t.raw)
	}
	return strings.Join(parts, " ")
}

func (r *reader) punct(i int) int {
	switch f := r.toks[i].fold; f {
	case "?":
		r.put(unit{kind: uQuestion, id: "?"})
	case ";", ".", "!", ":":
		r.put(unit{kind: uStop, id: f})
	case ",", "-", "–", "—":
		r.put(unit{kind: uComma, id: ","})
	case "&":
		r.put(unit{kind: uConj, id: "and", raw: "&"})
	case "<", ">", "=":
		r.put(unit{kind: uWord, id: f, raw: f})
	default: // a currency before its number
		if units[f] != "" && i+1 < len(r.toks) && r.toks[i+1].kind == tokNumber {
			num, _ := thousands(r.toks[i+1].fold, true)
			r.put(unit{kind: uQty, id: quantity(num, units[f]), raw: f + r.toks[i+1].raw})
			return 2
		}
		r.put(unit{kind: uWord, id: f, raw: f})
	}
	return 1
}

// thousands reads a number, with a k for thousands.
func thousands(f string, money bool) (string, bool) {
	if n, ok := strings.CutSuffix(f, "k"); ok && plain.MatchString(n) {
		return amount(n, money) + "000", true
	}
	return amount(f, money), plain.MatchString(f)
}

func (r *reader) number(i int) int {
	t := r.toks[i]
	f := t.fold
	if t.kind == tokWord && oneOf(f, "half", "halbe", "media") && i+1 < len(r.toks) { // half an hour, eine halbe Stunde
		k := 1
		if f == "half" && oneOf(r.ahead, "a", "an") {
			k = 2
		}
		if i+k < len(r.toks) && units[r.toks[i+k].fold] != "" {
			r.put(unit{kind: uQty, id: quantity("0.5", units[r.toks[i+k].fold]), raw: joinRaw(r.toks[i : i+k+1])})
			return k + 1
		}
	}
	if t.kind == tokWord {
		if v, ok := versionOf(f); ok {
			r.put(unit{kind: uNum, id: v, raw: t.raw})
			return 1
		}
		n := numerals[f]
		if n == "" || t.upper && i > 0 || f == "once" && r.lang.name != "es" {
			return 0
		}
		if len(n) == 2 && n[1] == '0' && i+1 < len(r.toks) && len(numerals[r.toks[i+1].fold]) == 1 { // twenty-five
			r.put(unit{kind: uNum, id: n[:1] + numerals[r.toks[i+1].fold], raw: joinRaw(r.toks[i : i+2])})
			return 2
		}
		return r.amount(i, n, 1)
	}
	if plain.MatchString(f) {
		return r.amount(i, f, 1)
	}
	if m := glued.FindStringSubmatch(f); m != nil {
		if u := units[m[2]]; u != "" {
			r.put(unit{kind: uQty, id: quantity(amount(m[1], false), u), raw: t.raw})
			return 1
		}
		if m[2] == "k" {
			n, _ := thousands(f, false)
			return r.amount(i, n, 1)
		}
	}
	if isPhone(f) {
		r.put(unit{kind: uNum, id: f, raw: t.raw})
		return 1
	}
	r.put(unit{kind: uIdent, id: dashless(f), raw: t.raw})
	return 1
}

func isPhone(f string) bool { return strings.HasPrefix(f, "+") }

// versionOf reads v2.1.
func versionOf(f string) (string, bool) {
	if len(f) > 1 && f[0] == 'v' && plain.MatchString(f[1:]) {
		return f[1:], true
	}
	return "", false
}

// amount puts a number, with its unit where one follows.
func (r *reader) amount(i int, f string, n int) int {
	if i+n < len(r.toks) {
		next := r.toks[i+n].fold
		if u := units[next]; u != "" && !(next == "m" && false) {
			money := !strings.HasPrefix(u, "len") && !strings.HasPrefix(u, "mass")
			r.put(unit{kind: uQty, id: quantity(amount(f, money), u), raw: r.toks[i].raw + " " + r.toks[i+n].raw})
			return n + 1
		}
	}
	if isYear(f) && len(r.out) > 0 &&
		(r.out[len(r.out)-1].kind == uPrep || r.lang.name == "de" && !r.det && r.out[len(r.out)-1].kind != uWord && r.bareYear(i+n)) {
		r.put(unit{kind: uDate, id: f, raw: r.toks[i].raw})
		return n
	}
	r.put(unit{kind: uNum, id: amount(f, false), raw: r.toks[i].raw})
	return n
}

// bareYear tells that a number before toks[i] counts nothing: "ist 1938 geboren".
func (r *reader) bareYear(i int) bool {
	return i == len(r.toks) || r.toks[i].kind == tokPunct || r.toks[i].kind == tokWord && !r.toks[i].upper
}

func (r *reader) name(i int) int {
	t := r.toks[i]
	r.put(r.named(t))
	return 1
}

func (r *reader) named(t token) unit {
	id := dashless(t.fold)
	if strings.ContainsAny(id, "0123456789") {
		return unit{kind: uIdent, id: id, raw: t.raw}
	}
	return unit{kind: uName, id: id, raw: t.raw}
}

func (r *reader) word(i int) int {
	t := r.toks[i]
	if r.genitive {
		t = nominative(t)
		r.genitive = false
	}
	if r.lang.name == "de" && r.compound(t) {
		return 1
	}
	if t.upper {
		r.put(r.named(t))
		return 1
	}
	u := unit{kind: uWord, id: canonical(t), raw: t.raw}
	if strings.ContainsAny(u.id, "0123456789@/_") || strings.HasPrefix(t.raw, "--") || strings.Contains(strings.Trim(u.id, "."), ".") {
		u.kind = uIdent
	} else if r.lang.name == "en" && pastForm(t.fold) {
		u.id, u.past = u.id+"<", true
	} else if r.lang.name == "es" && spanishPast(t.raw) {
		u.id, u.past = u.id+"<", true
	}
	r.put(u)
	return 1
}

// spanishPast tells the endings of the past that nothing else has.
func spanishPast(w string) bool {
	for _, e := range [...]string{"ó", "aron", "ieron", "aba", "aban"} {
		if strings.HasSuffix(w, e) && len(w) > len(e)+2 {
			return true
		}
	}
	return false
}

// pastForm tells a regular English past form; the irregular ones are in the lexicon.
func pastForm(f string) bool {
	return len(f) > 4 && strings.HasSuffix(f, "ed") && !strings.HasSuffix(f, "eed")
}

var kinds = map[string]unitKind{
	"be": uBe, "have": uHave, "will": uMod, "rel": uRel, "prep": uPrep, "conj": uConj, "pron": uPron,
	"marital": uMarital, "fav": uFav, "neg": uNeg, "mod": uMod, "anymore": uAny,
	"now": uNow, "corr": uCorr, "ended": uEnded, "instead": uInstead,
}

// phrase puts a phrase of the lexicon; 0 when it is an ordinary word here.
func (r *reader) phrase(e entry, i int) int {
	t := r.toks[i]
	if t.raw == "à" && t.fold == "a" && r.lang.name == "fr" {
		e = entry{class: "prep", id: "in", words: []string{"a"}}
	}
	if r.lang.name == "de" && strings.HasPrefix(t.raw, "würd") {
		e = entry{class: "mod", id: "would", words: []string{t.fold}}
	}
	if r.lang.name == "de" && oneOf(t.fold, "frau", "herr", "herrn") && i+1 < len(r.toks) && r.toks[i+1].upper && !owned(r.out) {
		return 1 // Frau Lang
	}
	if r.lang.name == "de" && len(r.out) > 0 && (t.fold == "des" || t.fold == "der") && i+1 < len(r.toks) && r.toks[i+1].upper {
		if last := r.out[len(r.out)-1].kind; last == uAttr || t.fold == "des" && (last == uWord || last == uName) {
			r.put(unit{kind: uPrep, id: "of", raw: t.raw})
			r.genitive = t.fold == "des"
			return 1
		}
	}
	n := len(e.words)
	raw := joinRaw(r.toks[i : i+n])
	noun := r.det || len(r.out) > 0 && r.out[len(r.out)-1].kind == uPoss
	switch e.class {
	case "drop":
		if t.fold == "so" && len(r.out) > 0 && r.out[len(r.out)-1].kind == uComma {
			r.put(unit{kind: uConj, id: "because", raw: raw})
			return n
		}
		r.det = r.det || articles[t.fold]
		r.the = r.the || definite[t.fold]
		return n
	case "also":
		r.also = r.also || len(r.out) > 0 && r.out[len(r.out)-1].kind != uStop // at its start it only leads over
		return n
	case "do":
		r.did = t.fold == "did"
		return n
	case "get": // got pushed back
		if pastForm(r.ahead) || slices.ContainsFunc(r.lang.phrases[r.ahead], func(e entry) bool { return e.class == "v" && e.part }) {
			r.put(unit{kind: uBe, id: "was", raw: raw, past: true})
			return n
		}
		return 0
	case "past":
		r.put(unit{kind: uWord, id: canonical(t) + "<", raw: raw, past: true})
	case "alias", "syn":
		k := uWord
		if t.upper && e.class == "alias" {
			k = uName
		}
		r.put(unit{kind: k, id: e.id, raw: raw})
	case "poss":
		r.possessive(e.id, raw)
	case "self":
		r.put(unit{kind: uName, id: r.me(), raw: r.speaker, self: true})
	case "v":
		if noun && !e.part && !(r.lang.name == "de" && r.stops(i)) || e.id == "join" && i+n < len(r.toks) && r.toks[i+n].kind == tokNumber {
			return 0
		}
		if t.upper && i > 0 && r.lang.name == "de" && !r.stops(i) {
			return 0
		}
		r.put(unit{kind: uVerb, id: e.id, raw: raw, past: e.past || r.did && changeVerb[e.id], part: e.part})
		r.did = false
	case "attr1", "attr!", "attr*":
		if t.fold == "code" && e.id == "password" && len(r.out) > 0 && !r.secret() {
			return 0
		}
		r.put(unit{kind: uAttr, id: e.id, raw: raw, key: e.class[4:]})
	case "will":
		if t.fold == "going" && (len(r.out) == 0 || r.out[len(r.out)-1].kind != uBe) { // stopped going to the gym
			return 0
		}
		r.put(unit{kind: uMod, id: "plan", raw: raw})
	default:
		k, ok := kinds[e.class]
		if !ok {
			return 0
		}
		if k == uNow && e.id == "new" {
			k = uNow
		}
		r.put(unit{kind: k, id: e.id, raw: raw, past: e.past})
	}
	return n
}

// owned tells that an owner stands before: Toms Frau.
func owned(out []unit) bool { return len(out) > 0 && out[len(out)-1].kind == uPoss }

var definite = wordSet("the der die das el la le l")

// articles make a noun of the word behind them.
var articles = wordSet(`the a an der die das den dem des ein eine einen einem einer eines el la los las un una unos unas le les l
	une du`)

func (r *reader) me() string {
	if r.speaker == "" {
		return "user"
	}
	return strings.Join(words(r.speaker), " ")
}

func (r *reader) possessive(id, raw string) {
	switch {
	case id == "my":
		r.put(unit{kind: uName, id: r.me(), raw: r.speaker})
		r.put(unit{kind: uPoss, id: "'s"})
	case r.afterStop():
		r.put(unit{kind: uPron, id: id, raw: raw})
		r.put(unit{kind: uPoss, id: "'s"})
	default:
		if id != "their" && !strings.Contains(r.gender, id) {
			r.gender += id
		}
		r.det, r.own = true, true
	}
}
