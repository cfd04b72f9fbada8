package claim

import (
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/lexis"
)

// A pattern is how a cue or an attribute stands in a clause, see words.txt.
type pattern struct {
	kind     string // "end", "gone", "swap", "not" or "move"; "" for an attribute
	attr     string // of an attribute
	change   bool   // it tells of a change by itself
	asks     bool   // another value is a change only where the statement says so
	turned   bool   // the subject is told in slot S, and the value is who does it
	before   bool   // slot X is what stands before the first literal
	elements []element
}

type element struct {
	literals []string
	slot     byte // X, Y, O or S; 0 for a literal
	class    role // that a token of the slot must have
	name     bool // its first token is a name
	opt      bool
}

func (t *table) addPattern(kind, arg, text string) {
	p := &pattern{}
	if kind == "cue" {
		p.kind = arg
	} else {
		p.attr, p.change = strings.CutSuffix(arg, "!")
		p.attr, p.asks = strings.CutSuffix(p.attr, "?")
	}
	for f := range strings.FieldsSeq(text) {
		if f == "<" {
			p.before = true
			continue
		}
		e := element{}
		f, e.opt = strings.CutSuffix(f, "?")
		name, class, classed := strings.Cut(f, "=")
		switch {
		case len(name) == 1 && strings.Contains("XYOS", name):
			e.slot = name[0]
			if classed {
				e.class, e.name = map[string]role{"number": rNum, "status": rStatus, "bond": rBond}[class], class == "name"
			}
			p.turned = p.turned || e.slot == 'S'
		default:
			for w := range strings.SplitSeq(f, "|") {
				t.word(w)
				e.literals = append(e.literals, strings.ReplaceAll(lexis.Fold(w), "_", " "))
			}
		}
		p.elements = append(p.elements, e)
	}
	sign := rCue // a verb, but for what only stands beside one
	if p.kind == "end" || p.kind == "not" {
		sign = rSign
	}
	for _, w := range p.elements[0].literals {
		t.words[w].roles |= sign
		t.cues[w] = append(t.cues[w], p)
	}
}

// A match is a pattern that was found in a clause.
type match struct {
	*pattern
	from, to int // tokens that the pattern takes up
	slots    [4]span
	hit      []int // literals
}

type span struct{ from, to int }

func (s span) empty() bool { return s.to <= s.from }

func (m *match) slot(c byte) *span { return &m.slots[strings.IndexByte("XYOS", c)] }

// maxSlot is how many tokens a slot holds at most.
const maxSlot = 10

// find matches a pattern whose first literal stands at toks[i].
func (p *pattern) find(toks []tok, i int) (match, bool) {
	m := match{pattern: p, from: i}
	if !p.at(toks, i, 0, &m) {
		return m, false
	}
	return m, true
}

func (p *pattern) at(toks []tok, i, k int, m *match) bool {
	if k == len(p.elements) {
		m.to = i
		return true
	}
	e := &p.elements[k]
	for e.slot != 'O' && i < len(toks) && toks[i].roles&(rFree|rNow|rCorr|rDecide) != 0 && toks[i].roles&rNeg == 0 && !e.has(&toks[i]) {
		i++
	}
	last := k == len(p.elements)-1
	if e.slot == 0 {
		if i < len(toks) && e.has(&toks[i]) {
			m.hit = append(m.hit, i)
			if p.at(toks, i+1, k+1, m) {
				return true
			}
			m.hit = m.hit[:len(m.hit)-1]
		}
		return e.opt && p.at(toks, i, k+1, m)
	}
	least := 1
	if e.slot == 'O' {
		least = 0
	}
	s := m.slot(e.slot)
	if last && e.slot != 'O' {
		for i < len(toks) && toks[i].roles&(rPrep|rFree) != 0 && !e.has(&toks[i]) {
			i++
		}
		to := i
		for to < len(toks) && to-i < maxSlot && !ends(toks, i, to) {
			to++
		}
		if to-i < least || e.class != 0 && toks[i].roles&e.class == 0 || e.name && toks[i].kind != 'P' {
			return false
		}
		if e.class != 0 {
			to = i + 1
		}
		*s = span{i, to}
		m.to = to
		return true
	}
	for to := i + least; to <= len(toks) && to-i <= maxSlot; to++ {
		if to > i && (toks[to-1].kind == ',' || e.slot != 'O' && toks[to-1].roles&rTail != 0) {
			return false
		}
		*s = span{i, to}
		if (e.class == 0 || toks[i].roles&e.class != 0) && p.at(toks, to, k+1, m) {
			return true
		}
		if e.class != 0 {
			return false
		}
	}
	return false
}

func (e *element) has(t *tok) bool { return slices.Contains(e.literals, t.fold) }

// ofs join a word to what names it more closely.
var ofs = lexis.Set("of de del")

// ends tells where a slot at the end of a pattern ends.
func ends(toks []tok, from, at int) bool {
	t := &toks[at]
	switch {
	case t.kind == ',', t.roles&(rConj|rTail|rRel|rNow|rScope) != 0, t.roles&rPrep != 0 && at > from:
		return !ofs[t.fold]
	}
	return false
}
