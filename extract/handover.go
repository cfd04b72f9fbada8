package extract

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

//go:embed voices.txt
var voiceList string

// lists are the lists of voices.txt that a word stands in.
type lists uint32

const (
	inText lists = 1 << iota
	inWork
	inHere
	inThere
	inThis
	inDo
	inSure
	inAlone
	inSay
	inWrote
	inGot
	inOf
	inMine
	inFirst
	inThird
	inWhat
	inMean
	inRead
	inFill
	inGreet
	inDear
	inClose
	inEnd
	inJoint
	inBot
	inNext
	inMake
	inBack
)

// listNames are the names of the lists, in the order of their bits.
var listNames = strings.Fields(`text work here there this do sure alone say wrote got of mine first third what mean read fill greet dear
	close end joint bot next make back`)

var voiceLists = sync.OnceValue(func() map[string]lists {
	of := map[string]lists{}
	for line := range strings.Lines(voiceList) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] == "#" {
			continue
		}
		for _, w := range words[1:] {
			of[w] |= 1 << slices.Index(listNames, words[0])
		}
	}
	return of
})

// is tells whether a word stands in a list.
func is(word string, list lists) bool { return voiceLists()[word]&list != 0 }

func hasAny(words []string, list lists) bool {
	return slices.ContainsFunc(words, func(w string) bool { return is(w, list) })
}

// A handover is a sentence that may say that a text of somebody else follows.
type handover struct {
	words    []string
	all      lists // that one of the words is in
	question bool
	colon    bool // there is a colon behind it,
	ends     bool // and nothing else in the line,
	quote    bool // or a quotation
	only     bool // it is a paragraph by itself
}

func (h handover) hasAny(list lists) bool { return h.all&list != 0 }

// newHandover is the one of a text.
func newHandover(text string) (h handover) {
	h.words = voiceWords(text)
	h.all = listsOf(text)
	return h
}

// listsOf are the lists that a word of a text is in.
func listsOf(text string) (all lists) {
	known := voiceLists()
	var word [24]byte // the longest one of a list is shorter
	n := 0
	for i := range len(text) {
		c := text[i]
		switch {
		case c >= utf8.RuneSelf:
			for _, w := range voiceWords(text) {
				all |= known[w]
			}
			return all
		case 'A' <= c && c <= 'Z':
			c += 'a' - 'A'
			fallthrough
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9', c == '\'', c == '-':
			if n < len(word) {
				word[n] = c
			}
			n++
			continue
		}
		if 0 < n && n <= len(word) {
			all |= known[string(word[:n])]
		}
		n = 0
	}
	if 0 < n && n <= len(word) {
		all |= known[string(word[:n])]
	}
	return all
}

func (h handover) at(i int) string {
	if i < 0 || i >= len(h.words) {
		return ""
	}
	return h.words[i]
}

// demand is the place of the word by which the sentence asks that something is done with a text, or -1: a verb at its beginning, behind
// "can you" and the like, anywhere in a question, and at the end ("bitte übersetzen").
func (h handover) demand() int {
	i, last := 0, len(h.words)-1
	for is(h.at(i), inFill) && !is(h.at(i), inDo) {
		i++
	}
	switch {
	case is(h.at(i), inDo), is(h.at(i), inMake) && is(h.at(i+1), inThis):
		return i
	case h.question:
		return slices.IndexFunc(h.words, func(w string) bool { return is(w, inDo) })
	case i > 0 && is(h.at(last), inDo):
		return last
	}
	return -1
}

// voice tells whose text the sentence hands over, firm where none, and whether it may follow in the same line.
func (h handover) voice() (as voice, now bool) {
	as = others
	if h.mine() {
		as = loose
	}
	d := h.demand()
	sure, object := is(h.at(d), inSure), h.at(d+1)
	first, here, this, refers, says := h.hasAny(inFirst), h.here(), h.hasAny(inThis), h.refers(), h.hasAny(inSay)
	switch {
	case d >= 0 && (object == "me" || object == "mir" || object == "moi"):
	case d >= 0 && (refers || here || sure && (this || object == "it") || h.colon && sure && len(h.words) > 1 ||
		h.colon && is(h.at(d), inAlone)),
		d >= 0 && sure && hasAny(h.words[d+1:], inText):
		return as, true
	case refers && (h.colon || (h.question || here) && !(first && h.hasAny(inRead))):
		return as, true
	case says && !first && (h.colon && (h.ends || h.quote) || (this || here) && (h.question || here)):
		return as, h.quote
	case h.colon && h.sent():
		return as, h.hasAny(inText)
	case h.colon && h.ends && (h.hasAny(inText) || h.hasAny(inWork)) && (len(h.words) < 4 || (this || !first) && len(h.words) < 8):
		return as, false
	case h.only && h.alone():
		return as, false
	}
	return firm, false
}

// refers tells whether the sentence points at a text that is there: this mail, the letter below.
func (h handover) refers() bool {
	if !h.hasAny(inText) {
		return false
	}
	here := h.here()
	for i, w := range h.words {
		if is(w, inText) && (here || is(h.at(i-1), inThis) || is(h.at(i-2), inThis)) {
			return true
		}
	}
	return false
}

// here tells whether the sentence points at what follows.
func (h handover) here() bool {
	for i, w := range h.words {
		if is(w, inHere) && (i < 2 || !is(w, inThere)) {
			return true
		}
	}
	return false
}

// alone tells a short paragraph that says little without the text behind it: "What does he mean by that?", "Rude?", "My mum texted me".
func (h handover) alone() bool {
	this, first := h.hasAny(inThis), h.hasAny(inFirst)
	means := h.hasAny(inWhat) && h.hasAny(inThird) && this && h.hasAny(inMean)
	for i, w := range h.words {
		if is(w, inSure) && (is(h.at(i+1), inThis) || h.question && len(h.words) < 8 || len(h.words) < 4) {
			return true
		}
		if len(h.words) < 12 && (this || h.question && !first) && is(w, inWork) {
			return true
		}
	}
	return len(h.words) < 12 && means || len(h.words) < 7 && !first && h.hasAny(inWrote) ||
		len(h.words) < 8 && h.question && h.hasAny(inBack) && slices.Contains(h.words, "write")
}

// names is the voice of a text that the sentence points at without asking for anything, firm where it names none.
func (h handover) names() voice {
	if !h.refers() || h.hasAny(inFirst) && h.hasAny(inRead) {
		return firm
	}
	if h.mine() {
		return loose
	}
	return others
}

// mine tells whether the text that is named is the speaker's own: my mail, our last letter.
func (h handover) mine() bool {
	if !h.hasAny(inText) {
		return false
	}
	for i, w := range h.words {
		if is(w, inText) && (is(h.at(i-1), inMine) || is(h.at(i-2), inMine) && !strings.HasSuffix(h.at(i-1), "s")) {
			return true
		}
	}
	return false
}

// sent tells words before a colon that say whom a text is from.
func (h handover) sent() bool {
	from := slices.IndexFunc(h.words, func(w string) bool { return is(w, inOf) })
	switch {
	case from == 0:
		next := h.at(1)
		return h.ends && !is(next, inNext) && (next == "" || next[0] < '0' || next[0] > '9') && h.at(0) != "by"
	case h.hasAny(inGot) && (from > 0 || h.hasAny(inThis)):
		return h.ends
	case from > 0:
		return is(h.at(from-1), inText) && !is(h.at(from+1), inMine) || is(h.at(from-1), inText) && h.ends
	}
	return false
}
