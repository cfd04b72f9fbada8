package redact

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/lexis"
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
	cueLogin    = cue('L')
	cueVerb     = cue('V') // stands between a name and its value
	cueJoint    = cue('J') // stands before a value without a name
	cueRest     = cue('A') // small words that say nothing
)

var (
	naming  = bytes("PSKCND")      // cues that name a secret
	opening = bytes("PSKCNDLWTGQ") // those, and what a secret opens
	endings = bytes("PSCNDKT")     // may be the end of a longer word: Haustürcode
)

// A set of bytes.
type byteSet [256]bool

func bytes(of string) *byteSet {
	var s byteSet
	for i := range len(of) {
		s[of[i]] = true
	}
	return &s
}

//go:embed cues.txt
var cueList string

// cueTree holds the words of cues.txt, read from their ends: a name ends in what it names, as in DB_PASSWORD, dbPass and "db pass".
type cueTree struct {
	class [256]uint8   // byte -> column
	width int          // columns
	next  []uint16     // state*width+column -> state
	cues  []cue        // state -> the cue of the word that begins there
	tails [1024]uint64 // a bit for what tailOf makes of the last four letters of each word
}

// tailOf is a hash of the four bytes before i.
func tailOf(text string, i int) uint16 {
	return uint16((uint32(text[i-4])<<24 | uint32(text[i-3])<<16 | uint32(text[i-2])<<8 | uint32(text[i-1])) * 0x9e3779b1 >> 16)
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
			if len(w) > 3 {
				tail := tailOf(w, len(w))
				t.tails[tail/64] |= 1 << (tail % 64)
			}
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

// whole returns the cue of a word, nothing taken off.
func (t *cueTree) whole(w string) cue {
	state := 0
	for i := len(w) - 1; i >= 0; i-- {
		if state = int(t.next[state*t.width+int(t.class[w[i]])]); state == 0 || t.class[w[i]] == 0 {
			return 0
		}
	}
	return t.cues[state]
}

// of returns the cue of the longest word that ends the term text[from:stop], or that and the terms before it: secret access key.
func (t *cueTree) of(text string, from, stop int) (known cue) {
	if c := text[stop-1]; is(c, digit) || c|0x20 == 's' && stop-from > 2 && text[stop-2] == '\'' {
		if known = t.whole(text[from:stop]); known != 0 { // md5, that's
			return known
		}
	}
	if stop > 2 && text[stop-2] == '\'' && text[stop-1]|0x20 == 's' { // password's
		stop -= 2
	}
	i := back(text, stop, digit|under|dash, 4) // password2
	if stop-i > 3 {
		i = stop
	}
	if i == stop && i-from > 3 && run(text, i-4, lower, 4) == i { // a cue that ends within such a word has four letters or more
		if tail := tailOf(text, i); t.tails[tail/64]>>(tail%64)&1 == 0 {
			return 0
		}
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
			if i == from || !is(before, alpha) && (before < 0x80 || !lettered(text[:i])) || is(before, lower) && is(c, upper) || stop-i > 3 &&
				endings[k] {
				known = k
			}
		}
	}
	return known
}

// misspelt tells a word for a password with letters doubled, left out or in another order, by its consonants: passwrod, paswort.
func misspelt(w string) bool {
	if len(w) < 6 || len(w) > 12 {
		return false
	}
	var b [8]byte
	n := 0
	for i := range len(w) {
		c := w[i] | 0x20
		if vowels[c] || n > 0 && b[n-1] == c {
			continue
		}
		if n == len(b) || n == 0 && c != 'p' && c != 'k' && c != 'c' && c != 'm' {
			return false
		}
		b[n], n = c, n+1
	}
	switch string(b[:n]) {
	case "pswrd", "pswrt", "pswdr", "pswrds", "knwrt", "psphrs", "cntrsn", "mtdps":
		return true
	}
	return false
}

var vowels = bytes("aeiouy")

// lettered tells whether s ends in a letter.
func lettered(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return unicode.IsLetter(r)
}

// A term is a word, a number or a name of the text.
type term struct {
	from, to int32
	hash     uint32 // of its small letters, with all figures alike
	prefix   uint32 // of its first four letters
	cue      cue
	sort     byte  // see reader.sort, which writes it
	gap      byte  // the sign before it that parts it most from the term before
	named    bool  // as programs name things, with _ or . in it
	line     int32 // the first term of its line
	code     int32 // signs of programs before it in the text
	asked    int32 // question marks before it in the text
}

// Sorts of words, as they are looked up where somebody asks.
const (
	unread   = iota
	longWord // no small one; how usual it is was not asked
	smallWord
	rareWord
	usualWord
)

// sort is that of the term i, which is looked up once however many values hold it.
func (r *reader) sort(i int) byte {
	t := &r.terms[i]
	if !r.small(i) && t.sort == longWord {
		if t.sort = usualWord; lexis.Frequency(r.text[t.from:t.to]) < 5 {
			t.sort = rareWord
		}
	}
	return t.sort
}

// small says whether a word is a small one, which is told faster than how usual it is.
func (r *reader) small(i int) bool {
	t := &r.terms[i]
	if t.sort == unread {
		if t.sort = longWord; lexis.IsStop(r.text[t.from:t.to]) {
			t.sort = smallWord
		}
	}
	return t.sort == smallWord
}

// redacted is the hash of a placeholder, which is one term without a cue.
const redacted = 1

// terms cuts text into words. What it counts up to each word, it counts up to the end of the text as well.
func terms(text string) (out []term, end term) {
	t := cues()
	out = make([]term, 0, len(text)/4+4)
	gap := byte('\n')
	var line, code, asked int32
	put := func(from, to int, hash, prefix uint32, known cue) {
		if gap == '\n' {
			line = int32(len(out))
		}
		named := kinds(text[from:to])&(under|dot) != 0
		out = append(out, term{int32(from), int32(to), hash, prefix, known, unread, gap, named, line, code, asked})
		gap = 0
	}
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
					put(i, i+end+1, redacted, redacted, 0)
					i += end + 1
					continue
				}
			}
			gap = wider(gap, c, at(text, i+1))
			if program[c] {
				code++
			} else if c == '?' {
				asked++
			}
			i++
			continue
		}
		from, hash, prefix := i, uint32(2166136261), uint32(0)
		for ; i < len(text); i++ {
			c := text[i]
			if c >= 0x80 && wideSign(text[i:]) > 0 || i > from && unspaced(text, i) ||
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
			if i-from < 4 {
				prefix = hash
			}
		}
		to := i
		for to > from+1 && is(text[to-1], dash|under) {
			to--
		}
		if to == from+1 && quoting[at(text, to)] && !quoting[at(text, from-1)] && strings.IndexByte("bBnNrRuUL", c) >= 0 &&
			strings.IndexByte("=:(,", gap) >= 0 {
			continue // says of what kind the text in the quotes is: b"…", N'…'
		}
		known := t.of(text, from, to)
		if known == 0 {
			if at(text, from-1) == '@' { // bob@example.com
				known = cueLogin
			} else if misspelt(text[from:to]) {
				known = cuePassword
			}
		}
		put(from, to, hash, prefix, known)
	}
	return out, term{code: code, asked: asked}
}

// program are the signs of programs.
var program = bytes("(){};$<>\\|[]")

// gaps rank the signs between terms, the one that parts them most last.
var gaps = func() (rank [256]uint8) {
	for i, c := range []byte(" \t*`'\"(,|/>-=:;.?!\n") {
		rank[c] = uint8(i) + 1
	}
	return rank
}()

// wider is the gap to which the sign c is added, before the byte next.
func wider(gap, c, next byte) byte {
	if (c == '.' || c == '?' || c == '!') && next > ' ' || gaps[c] <= gaps[gap] {
		return gap
	}
	return c
}

// wideSign is the size of a sign outside of ASCII at the start of s, 0 for a letter.
func wideSign(s string) int {
	r, size := utf8.DecodeRuneInString(s)
	if 0xf8 <= r && r <= 0x2c1 || 0x3f7 <= r && r <= 0x481 || 0x620 <= r && r <= 0x669 || 0x3041 <= r && r <= 0x3096 ||
		0x4e00 <= r && r <= 0x9fff || 0xac00 <= r && r <= 0xd7a3 { // most letters, and no sign, are there
		return 0
	}
	if unicode.IsPunct(r) || unicode.IsSpace(r) || unicode.IsSymbol(r) && r != utf8.RuneError {
		return size
	}
	return 0
}

// unspaced tells whether a script that sets no blanks between words meets a Latin one before text[i]: 密码是 and letters of a password.
func unspaced(text string, i int) bool {
	c, before := text[i], text[i-1]
	if c < 0x80 == (before < 0x80) {
		return false
	}
	r, _ := utf8.DecodeLastRuneInString(text[max(0, i-utf8.UTFMax):i])
	if c >= 0x80 {
		r, _ = utf8.DecodeRuneInString(text[i:])
	}
	return lexis.Unspaced(r)
}
