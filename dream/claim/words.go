package claim

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/reverie-memory/reverie/lexis"
)

//go:embed words.txt
var wordsText string

// A role is what a word does in a sentence, of those that count for comparing. A word may have several.
type role uint64

const (
	rUser role = 1 << iota
	rSelf
	rPoss
	rPron
	rFree    // says nothing that another statement could lack
	rAlso    // so in addition
	rNeg     // denies
	rHedge   // may be, is planned, is said
	rTold    // somebody said what follows
	rDecide  // decided to do it, which is no plan
	rTail    // begins a circumstance: because, which
	rScope   // begins one that limits what is said: until, while
	rConj    // and
	rBe      // is
	rWas     // was, and auxiliaries of the passive
	rHave    // has
	rPrep    // in
	rBind    // a preposition that what follows hangs on: over, from
	rNeutral // a verb that only ties a value to its subject
	rHolds   // a verb of which the object may end: uses, drives
	rEager   // likes, which does not end with its object
	rPast    // a past form that its ending does not tell
	rPart    // a participle that its ending does not tell
	rRel     // a time that hangs on the day of speaking
	rNow
	rCorr // says that what was said was wrong
	rWeekday
	rMonth
	rNum
	rTime
	rKin
	rTodo
	rCountry
	rStatus
	rBond
	rOne // has one value at a time
	rCue // a cue or an attribute may begin here
	rGet
	rGeneric
	rOnce  // a day for which alone it may be so
	rExact // capitals count
	rVerb
	rDone
	rMake  // a deed that is done when its thing is done
	rFresh // new, of something that there was before
	rEnded // a past form
	rGloss // a word that a text may add to what facts say
	rTopic // and one that may stand in a heading
)

var roleNames = map[string]role{
	"user": rUser, "self": rSelf, "poss": rPoss, "pron": rPron, "free": rFree, "also": rAlso, "neg": rNeg, "hedge": rHedge, "told": rTold,
	"decide": rDecide, "tail": rTail, "scope": rScope, "conj": rConj, "be": rBe, "was": rWas, "have": rHave, "prep": rPrep, "bind": rBind,
	"neutral": rNeutral, "holds": rHolds, "eager": rEager, "past": rPast, "part": rPart, "rel": rRel, "now": rNow, "corr": rCorr,
	"weekday": rWeekday, "month": rMonth, "num": rNum, "time": rTime, "kin": rKin, "todo": rTodo, "country": rCountry, "status": rStatus,
	"bond": rBond, "get": rGet, "generic": rGeneric, "once": rOnce, "exact": rExact, "verb": rVerb, "done": rDone, "make": rMake, "fresh": rFresh, "gloss": rGloss, "topic": rTopic,
}

// A word is what the tables know of one word or phrase.
type word struct {
	roles role
	id    string // what it means, else its stem
	value string // of a number, month or weekday
	kind  byte   // of the one value that it has at a time
	pair  string // of opposites, with the side
}

// A table holds the words of a language, with those of every language.
type table struct {
	words   map[string]*word
	phrases map[string][][]string // by their first word, longest first
	cues    map[string][]*pattern // by their first literal
	endings [][2]string           // of past forms: what the word has near its beginning, and its end
	pairs   int
}

var tables = sync.OnceValue(func() []*table {
	sections := map[string][]string{}
	var names []string
	at := ""
	for line := range strings.Lines(wordsText) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			if at = line; at != "[any]" && !slices.Contains(names, at) {
				names = append(names, at)
			}
		default:
			sections[at] = append(sections[at], line)
		}
	}
	var out []*table
	for _, name := range names {
		t := &table{words: map[string]*word{}, phrases: map[string][][]string{}, cues: map[string][]*pattern{}}
		for _, line := range slices.Concat(sections["[any]"], sections[name]) {
			t.add(line)
		}
		for _, list := range t.phrases {
			slices.SortStableFunc(list, func(a, b []string) int { return len(b) - len(a) })
		}
		out = append(out, t)
	}
	return out
})

func (t *table) add(line string) {
	head, words, _ := strings.Cut(line, " : ")
	kind, arg, _ := strings.Cut(head, " ")
	if kind == "ending" {
		for w := range strings.FieldsSeq(words) {
			infix, end, ok := strings.Cut(w, "*")
			if !ok {
				infix, end = "", w
			}
			t.endings = append(t.endings, [2]string{infix, end})
		}
		return
	}
	if kind == "cue" || kind == "attr" {
		t.addPattern(kind, arg, words)
		return
	}
	if words == "" { // "num 1=one ein"
		kind, words, _ = strings.Cut(line, " ")
		arg = ""
	}
	value, side := "", 0
	if kind == "pair" {
		t.pairs++
		arg = strconv.Itoa(t.pairs) + "-"
	}
	for w := range strings.FieldsSeq(words) {
		if v, rest, ok := strings.Cut(w, "="); ok {
			value, w = v, rest
			side++
		}
		e := t.word(w)
		switch kind {
		case "pair":
			e.pair = arg + string('0'+rune(side))
		case "syn":
			e.id = arg
		case "one":
			e.roles, e.kind = e.roles|rOne, arg[0]
		default:
			e.roles |= roleNames[kind]
			if value != "" && kind != "pair" {
				e.value = value
			}
		}
	}
}

// word is the entry of a word or phrase, made when it is new.
func (t *table) word(w string) *word {
	w = strings.ReplaceAll(lexis.Fold(w), "_", " ")
	e := t.words[w]
	if e == nil {
		e = &word{}
		t.words[w] = e
		if f := strings.Fields(w); len(f) > 1 {
			t.phrases[f[0]] = append(t.phrases[f[0]], f)
		}
	}
	return e
}

// phrase gives how many tokens a phrase that begins at toks[i] has, 1 for none.
func (t *table) phrase(toks []token, i int) int {
	for _, p := range t.phrases[toks[i].fold] {
		if i+len(p) > len(toks) {
			continue
		}
		ok := true
		for k := 1; k < len(p) && ok; k++ {
			ok = toks[i+k].fold == p[k]
		}
		if ok {
			return len(p)
		}
	}
	return 1
}

// past tells a past form by its ending, in the form in which it stands.
func (t *table) past(raw string) bool {
	for _, e := range t.endings {
		at := strings.Index(raw, e[0])
		if len(raw) > 4 && strings.HasSuffix(raw, e[1]) && at >= 0 && at < 6 && len(raw) >= at+len(e[0])+len(e[1])+2 {
			return true
		}
	}
	return false
}

// tableOf is the language most of whose small words the text has; the first one where none wins.
func tableOf(toks []token) *table {
	all := tables()
	best, most := all[0], 0
	for _, t := range all {
		n := 0
		for _, x := range toks {
			if w := t.words[x.fold]; w != nil {
				n++
				if w.roles&(rFree|rPrep|rBe|rWas|rHave|rUser|rSelf|rNeg|rConj) != 0 {
					n += 2
				}
			}
		}
		if n > most {
			best, most = t, n
		}
	}
	return best
}
