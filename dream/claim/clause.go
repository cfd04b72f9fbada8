package claim

import (
	"slices"
	"sort"
	"strings"

	"github.com/reverie-memory/reverie/lexis"
)

func words(s string) []string { return lexis.Words(s) }

// A chunk is an adjunct: a preposition with what belongs to it.
type chunk struct {
	prep  string
	units []unit
}

func (c chunk) text() string { return c.prep + "=" + ids(c.units) }

func ids(us []unit) string {
	var b strings.Builder
	for i, u := range us {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(u.id)
	}
	return b.String()
}

func raws(us []unit) string {
	parts := make([]string, 0, len(us))
	for _, u := range us {
		if u.raw != "" {
			parts = append(parts, u.raw)
		}
	}
	return strings.ReplaceAll(strings.Join(parts, " "), " 's", "'s")
}

// A subject is who or what a clause is about.
type subject struct {
	head string // "noor", "alice>sister"
	desc string // "alice>sister" of "Alice's sister Noor"
	tail string // a word such as service that a name may go without
	raw  string
	pron bool
	det  bool // begins with an article: a thing, not a person

	agent  string // who changed the thing
	bare   bool   // the thing is named by an attribute alone: the price
	people bool   // made of names: a person, as far as its words tell
	told   bool   // a clause before this one is about it
	crowd  bool   // and that names others
}

// flags tell in which sense a clause is said.
type flags struct {
	neg, past, ended, former, now, corr, strong, question bool
	mods                                                  string
}

// holds tells a plain statement of what is so.
func (f flags) holds() bool {
	return !f.neg && !f.past && !f.ended && !f.former && !f.question && f.mods == ""
}

// sense is what two clauses must share to say the same.
func (f flags) sense() string {
	s := f.mods
	for _, x := range [...]struct {
		on bool
		c  string
	}{{f.neg || f.ended, "!"}, {f.past, "<"}, {f.former, "f"}, {f.question, "?"}, {f.ended, "e"}} {
		if x.on {
			s += x.c
		}
	}
	return s
}

// A clause is one predication.
type clause struct {
	flags
	subj     subject
	pred     string
	objs     []unit
	chunks   []chunk
	frames   []frame
	contrast []unit // what the clause says is not so
	again    bool
	today    string // the day, where it says "today"
	verb     unit
	copula   bool
	gone     []unit // what the clause says has given way
	come     string // what took its place
	about    []unit // and in what
	person   bool   // gone is who did or had it
	instead  bool
	denied   bool
	passive  bool   // is, not was
	byBe     bool   // is or was
	will     bool   // said of the future
	first    bool   // of its statement
	turned   bool   // was passive, and is read as active
	who      []unit // of the subject
	says     []unit // all words that tell what the clause is about
	concord  bool   // two negations deny once: ne … pas, no … nunca

	core    string
	also    string // what it says besides, in another form
	alsoAdj []string
	paired  bool // both forms say the same
	adj     []string
}

// split cuts units into clauses.
func split(us []unit) [][]unit {
	var out [][]unit
	start := 0
	cut := func(end, next int) {
		if end > start {
			out = append(out, us[start:end])
		}
		start = next
	}
	for i := range us {
		switch u := &us[i]; { // what is behind is looked at first, since that is little
		case u.kind == uStop && u.id != ":":
			cut(i, i+1)
		case u.kind == uConj && (u.id == "and" || u.id == "while") && finiteSoon(us[i+1:]) && verbal(us[start:i]):
			cut(i, i+1)
		case u.kind == uComma && us[start].kind == uPrep && !verbalStrict(us[start:i]): // For payments, …
		case u.kind == uComma && i+1 < len(us) && us[i+1].kind != uConj && finiteSoon(us[i+1:]) && verbal(us[start:i]):
			cut(i, i+1)
		}
	}
	cut(len(us), len(us))
	return out
}

// verbal tells whether units can stand as a clause.
func verbal(us []unit) bool {
	for i := range us {
		switch u := &us[i]; u.kind {
		case uVerb, uBe, uHave, uEnded:
			return true
		case uMod:
			if u.id == "if" {
				return false
			}
		case uWord:
			if i > 0 && !u.det {
				return true
			}
		}
	}
	return false
}

// finiteSoon tells whether a new predicate begins here, with or without a subject of its own.
func finiteSoon(us []unit) bool {
	for i := range us {
		switch u := &us[i]; u.kind {
		case uVerb, uBe, uHave, uEnded:
			return !u.det
		case uWord:
			if u.past || i == 0 && !u.det && strings.HasSuffix(u.raw, "s") && len(us) > 1 && !oneOf(us[1].kind, uStop, uConj, uComma) {
				return true
			}
		case uCorr:
			if i > 0 && us[i-1].self { // I mixed it up
				return true
			}
		case uStop, uComma, uPrep, uConj:
			return false
		}
		if i > 3 {
			return false
		}
	}
	return false
}

// takeFlags removes the words that only tell how a clause is meant.
func (c *clause) takeFlags(us []unit) []unit {
	each, hint, mods := false, false, []string{}
	if len(us) > 2 && us[0].kind == uNeg && us[1].kind == uComma { // No, …
		c.corr = true
		us = us[2:]
	}
	out := make([]unit, 0, len(us))
	for i, u := range us {
		switch u.kind {
		case uNeg:
			c.neg, hint = !c.neg || c.concord, true
		case uAny:
			each = true
			if !hasKind(us, uNeg) {
				out = append(out, u.plainWord())
			}
		case uNow:
			if u.id == "new" && !newAttribute(us[i+1:]) {
				out = append(out, u.plainWord())
			} else {
				c.now = true
				c.again = c.again || anew[lexis.Fold(u.raw)]
			}
		case uCorr:
			if u.id == "but" {
				break
			}
			c.corr = true
			c.strong = c.strong || u.id == "strong"
		case uEnded:
			c.ended = true
		case uQuestion:
			c.question = true
		case uMod:
			hint = true
			c.will = c.will || oneOf(u.raw, "will", "'ll", "wird", "werden")
			switch u.id {
			case "used", "former":
				c.former = true
			default:
				mods = append(mods, u.id)
			}
		default:
			u.hint, hint = hint, false
			out = append(out, u)
		}
	}
	if each && c.neg {
		c.ended, c.neg = true, false
	}
	if c.ended && c.neg {
		c.neg = false
	}
	sort.Strings(mods)
	c.mods = strings.Join(slices.Compact(mods), "+")
	return out
}

// anew are the words by which what happened before happened another time.
var anew = map[string]bool{"again": true, "wieder": true, "otra vez": true, "this time": true}

// newAttribute tells whether "new" speaks of an attribute: the new wifi password.
func newAttribute(us []unit) bool {
	for _, u := range us {
		if u.kind == uAttr {
			return true
		}
		if u.kind != uWord && u.kind != uName {
			return false
		}
	}
	return false
}

func hasKind(us []unit, k unitKind) bool {
	for i := range us {
		if us[i].kind == k {
			return true
		}
	}
	return false
}

// takeContrast finds "not X but Y" and "Y, not X" and takes X out.
func (c *clause) takeContrast(us []unit) []unit {
	neg := slices.IndexFunc(us, func(u unit) bool { return u.kind == uNeg })
	if neg < 0 {
		return us
	}
	if but := slices.IndexFunc(us, func(u unit) bool {
		return u.kind == uCorr && u.id == "but" || u.kind == uConj && u.id == "while" && u.raw == "but"
	}); but > neg+1 {
		head := us[:neg]
		if oneOf(us[neg+1].kind, uVerb, uBe) { // does not drive a Volvo but a Tesla
			head = append(slices.Clone(us[:neg]), us[neg+1])
			neg++
		}
		end := but
		for end > neg+1 && us[end-1].kind == uComma {
			end--
		}
		var verb []unit
		// nicht am 5. Mai geboren, sondern …
		if last := end - 1; last > neg+1 && (us[last].kind == uVerb && us[last].part || us[last].id == "born") {
			verb, end = us[last:end], last
		}
		if neg+1 >= end || verbalStrict(us[neg+1:end]) {
			return us
		}
		c.contrast = trim(us[neg+1 : end])
		c.denies(us, c.contrast, run(us, but+1))
		return append(append(slices.Clone(head), us[but+1:]...), verb...)
	}
	if neg > 0 && us[neg-1].kind == uComma && neg+1 < len(us) && !verbalStrict(us[neg+1:]) {
		end := neg + 1
		for end < len(us) && !oneOf(us[end].kind, uComma, uStop) {
			end++
		}
		c.contrast = trim(us[neg+1 : end])
		c.denies(us[:neg-1], c.contrast, runBefore(us, neg-1))
		return append(append([]unit{}, us[:neg-1]...), us[end:]...)
	}
	return us
}

func verbalStrict(us []unit) bool {
	return slices.ContainsFunc(us, func(u unit) bool { return oneOf(u.kind, uVerb, uBe, uHave) })
}

func trim(us []unit) []unit {
	for len(us) > 0 && oneOf(us[0].kind, uPrep, uComma) {
		us = us[1:]
	}
	if len(us) > 1 && us[0].kind == uAttr && us[0].key == "1" { // not room 12
		us = us[1:]
	}
	for len(us) > 0 && us[len(us)-1].kind == uComma {
		us = us[:len(us)-1]
	}
	return slices.Clone(us)
}

// seal computes what clauses are compared by.
func (c *clause) seal() {
	c.core = c.subj.head + "|" + c.pred + "|" + ids(c.objs)
	c.adj = c.adj[:0]
	for _, f := range c.frames {
		if f.main {
			c.adj = append(c.adj, "@"+f.attr+"="+ids(f.val))
		}
	}
	for _, k := range c.chunks {
		c.adj = append(c.adj, k.text())
	}
	sort.Strings(c.adj)
}
