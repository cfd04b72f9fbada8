package redact

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// A cue is what a word tells about a value near it: the letter before it in cues.txt, 0 if it tells nothing.
type cue byte

// The cues that the code names itself. The others are but features.
const (
	cuePassword = cue('P')
	cueSecret   = cue('S') // an API key, a token
	cueKey      = cue('K') // a key of some kind
	cueRecovery = cue('C')
	cuePIN      = cue('N')
	cueNetwork  = cue('W')
	cueVerb     = cue('V') // stands between a name and its value
	cueJoint    = cue('J') // stands before a value without a name
	cueRest     = cue('A') // small words that say nothing
)

const (
	naming  = "PSKCND"    // cues that name a secret
	opening = "PSKCNDLWT" // those, and what a secret opens
	endings = "PSCNDKT"   // may be the end of a longer word: Haustürcode
)

func (c cue) in(kinds string) bool { return c != 0 && strings.IndexByte(kinds, byte(c)) >= 0 }

//go:embed cues.txt
var cueList string

// cueTree holds the words of cues.txt, read from their ends: a name ends in what it names, as in DB_PASSWORD, dbPass and "db pass".
type cueTree struct {
	class [256]uint8 // byte -> column
	width int        // columns
	next  []uint16   // state*width+column -> state
	cues  []cue      // state -> the cue of the word that begins there
}

// cues is built at the first use.
var cues = sync.OnceValue(func() *cueTree {
	t := &cueTree{width: 1}
	t.grow()
	for _, c := range []byte(cueList) {
		if t.class[c] == 0 && c > ' ' && !is(c, upper) {
			t.class[c] = uint8(t.width)
			if is(c, lower) {
				t.class[c-'a'+'A'] = uint8(t.width)
			}
			t.width++
		}
	}
	t.next = make([]uint16, t.width)
	for line := range strings.Lines(cueList) {
		for _, w := range strings.Fields(line[1:]) {
			state := 0
			for i := len(w) - 1; i >= 0; i-- {
				at := state*t.width + int(t.class[w[i]])
				if t.next[at] == 0 {
					t.next[at] = uint16(len(t.cues))
					t.grow()
				}
				state = int(t.next[at])
			}
			t.cues[state] = cue(line[0])
		}
	}
	return t
})

func (t *cueTree) grow() {
	t.next = append(t.next, make([]uint16, t.width)...)
	t.cues = append(t.cues, 0)
}

// of returns the cue of the longest word that ends at text[:stop], over the signs that join the words of a name.
func (t *cueTree) of(text string, stop int) (known cue) {
	if stop > 2 && text[stop-2] == '\'' && text[stop-1]|0x20 == 's' { // password's
		stop -= 2
	}
	i := back(text, stop, digit|under|dash, 4) // password2
	if stop-i > 3 {
		i = stop
	}
	for state := 0; i > 0; {
		i--
		c := text[i]
		if is(c, under|dash|dot|space) && state != 0 {
			continue
		}
		if state = int(t.next[state*t.width+int(t.class[c])]); state == 0 || t.class[c] == 0 {
			break
		}
		if k := t.cues[state]; k != 0 {
			before := at(text, i-1)
			if !is(before, alpha) && before < 0x80 || is(before, lower) && is(c, upper) || stop-i > 3 && k.in(endings) {
				known = k
			}
		}
	}
	return known
}

// A term is a word, a number or a name of the text.
type term struct {
	from, to int32
	hash     uint32 // of its small letters, with all figures alike
	cue      cue
	gap      byte // the sign before it that parts it most from the term before
}

// redacted is the hash of a placeholder, which is one term without a cue.
const redacted = 1

// terms cuts text into words.
func terms(text string) []term {
	t := cues()
	out := make([]term, 0, len(text)/6+4)
	gap := byte('\n')
	for i := 0; i < len(text); {
		c := text[i]
		if c >= 0x80 {
			if size := wideSign(text[i:]); size > 0 {
				i, gap = i+size, ':'
				continue
			}
		} else if !is(c, alnum) && !(c == '-' && is(at(text, i+1), alnum|dash) && !is(at(text, i-1), alnum)) {
			if strings.HasPrefix(text[i:], strings.TrimSpace(open)) {
				if end := strings.Index(text[i:min(len(text), i+80)], shut); end > 0 {
					out = append(out, term{int32(i), int32(i + end + 1), redacted, 0, gap})
					i, gap = i+end+1, 0
					continue
				}
			}
			gap = wider(gap, c, at(text, i+1))
			i++
			continue
		}
		from, hash := i, uint32(2166136261)
		for ; i < len(text); i++ {
			c := text[i]
			if c >= 0x80 && wideSign(text[i:]) > 0 ||
				c < 0x80 && !is(c, word) && !((c == '.' || c == '\'') && is(at(text, i+1), alnum)) {
				break
			}
			if is(c, upper) {
				c += 'a' - 'A'
			} else if is(c, digit) {
				c = '0'
			}
			if i-from < 24 {
				hash = (hash ^ uint32(c)) * 16777619
			}
		}
		to := i
		for to > from+1 && is(text[to-1], dash|under) {
			to--
		}
		out = append(out, term{int32(from), int32(to), hash, t.of(text, to), gap})
		gap = 0
	}
	return out
}

// gaps are the signs between terms, the one that parts them most last.
const gaps = " \t*`'\"(,|/>-=:;.?!\n"

// wider is the gap to which the sign c is added, before the byte next.
func wider(gap, c, next byte) byte {
	if strings.IndexByte(".?!", c) >= 0 && next > ' ' || strings.IndexByte(gaps, c) <= strings.IndexByte(gaps, gap) {
		return gap
	}
	return c
}

// wideSign is the size of a sign outside of ASCII at the start of s, 0 for a letter.
func wideSign(s string) int {
	r, size := utf8.DecodeRuneInString(s)
	if unicode.IsPunct(r) || unicode.IsSpace(r) || unicode.IsSymbol(r) && r != utf8.RuneError {
		return size
	}
	return 0
}
