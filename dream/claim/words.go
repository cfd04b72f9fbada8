package claim

import (
	"cmp"
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/reverie-memory/reverie/lexis"
)

//go:embed words.txt
var wordsText string

// A role is what a word does in a sentence, of those that count for comparing. A word may have several. Roles have the names by which
// words.txt gives them.
type role uint64

const ( // four in a line
	rUser, rSelf, rPoss, rPron role = 1 << (4 * iota), 2 << (4 * iota), 4 << (4 * iota), 8 << (4 * iota)
	rFree, rAlso, rNeg, rHedge
	rTold, rDecide, rTail, rScope
	rConj, rBe, rWas, rHave
	rPrep, rBind, rNeutral, rHolds
	rEager, rPast, rPart, rRel
	rNow, rCorr, rWeekday, rMonth
	rNum, rKin, rTodo, rCountry
	rStatus, rBond, rOne, rCue
	rGet, rGeneric, rOnce, rExact
	rVerb, rDone, rTrouble, rDetail
	rMake, rFresh, rEnded, rGloss
	rTopic, rSeek, rAside, rTime
	rAt, rSign, rMate, _
)

var roleNames = strings.Fields(`user self poss pron free also neg hedge told decide tail scope conj be was have prep bind neutral holds
	eager past part rel now corr weekday month num kin todo country status bond one cue get generic once exact verb done trouble detail
	make fresh ended gloss topic seek aside time at sign mate`)

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
			e.id = value
		case "one":
			e.roles, e.kind = e.roles|rOne, arg[0]
		default:
			at := slices.Index(roleNames, kind)
			if at < 0 {
				panic("words.txt has a role that nobody knows: " + kind)
			}
			e.roles |= 1 << at
			e.value = cmp.Or(value, e.value)
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
