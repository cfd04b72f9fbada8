package redact

import "sync"

// A matcher looks at a keyword that was found at text[start:end] and returns the secret that it belongs to.
type matcher func(text string, start, end int) (Finding, bool)

// scanner finds all keywords of all rules in one pass: an Aho-Corasick automaton over lower-cased bytes, laid out as one table. scanner
// costs about 2 ns a byte and 100 KB.
type scanner struct {
	class [256]uint8 // byte -> column; those outside of ASCII share sixteen, so that who looks closer has to compare
	width int        // columns
	next  []uint16   // state*width+column -> state
	hits  [][]hit    // state -> keywords that end there
	any   []bool     // state -> len(hits) > 0
	none  []uint16   // the row of a new state
}

type hit struct {
	size int
	keyword
}

// table is built at the first use: a program that redacts nothing pays nothing.
var table = sync.OnceValue(func() *scanner { return newScanner(keywords()) })

// A keyword is looked at by its matcher.
type keyword struct {
	text  string // in lower case
	match matcher
}

func newScanner(words []keyword) *scanner {
	s := &scanner{width: 1}
	for _, w := range words {
		for i := range len(w.text) {
			if c := w.text[i]; s.class[c] == 0 {
				s.class[c] = uint8(s.width)
				if 'a' <= c && c <= 'z' {
					s.class[c-'a'+'A'] = uint8(s.width)
				}
				for like := 0x80 | int(c)&15; c >= 0x80 && like < len(s.class); like += 16 {
					s.class[like] = uint8(s.width)
				}
				s.width++
			}
		}
	}
	states := 1
	for _, w := range words {
		states += len(w.text)
	}
	s.none, s.next, s.hits = make([]uint16, s.width), make([]uint16, 0, states*s.width), make([][]hit, 0, states)
	s.grow()
	for _, w := range words {
		state := 0
		for i := range len(w.text) {
			at := state*s.width + int(s.class[w.text[i]])
			if s.next[at] == 0 {
				s.next[at] = uint16(len(s.hits))
				s.grow()
			}
			state = int(s.next[at])
		}
		s.hits[state] = append(s.hits[state], hit{len(w.text), w})
	}
	s.link()
	return s
}

func (s *scanner) grow() {
	s.next = append(s.next, s.none...)
	s.hits = append(s.hits, nil)
}

// link turns the trie into an automaton: missing edges go where the longest proper suffix would go.
func (s *scanner) link() {
	fail := make([]int, len(s.hits))
	queue := make([]int, 1, len(s.hits))
	for n := 0; n < len(queue); n++ {
		state := queue[n]
		for c := range s.width {
			at := state*s.width + c
			child := int(s.next[at])
			back := 0
			if state != 0 {
				back = int(s.next[fail[state]*s.width+c])
			}
			if child == 0 {
				s.next[at] = uint16(back)
				continue
			}
			fail[child] = back
			s.hits[child] = append(s.hits[child], s.hits[back]...)
			queue = append(queue, child)
		}
	}
	s.any = make([]bool, len(s.hits))
	for i, h := range s.hits {
		s.any[i] = len(h) > 0
	}
}

// scan returns the secrets of text, sorted and without overlaps.
func scan(text string) []Finding {
	found, given := formats(text)
	found = settle(append(found, weigh(text, found, given)...))
	if more := alike(text, found); len(more) > 0 {
		found = settle(append(found, more...))
	}
	return found
}

// formats returns what the rules tell alone, in the same order, and apart from it what of that is published.
func formats(text string) (found, given []Finding) {
	s := table()
	state := 0
	skip := 0    // keywords before this offset lie in a block that is already taken
	dialled := 0 // turns before this offset lie in a combination that is already taken
	for i := 0; i < len(text); i++ {
		c := text[i]
		state = int(s.next[state*s.width+int(s.class[c])])
		if s.any[state] && i >= skip {
			for _, h := range s.hits[state] {
				start := i + 1 - h.size
				if start < max(skip, dialled) {
					continue
				}
				if f, ok := h.match(text, start, i+1); ok {
					found = append(found, f)
					switch {
					case block(f.Rule):
						skip = f.End
					case turnings[h.text]:
						dialled = f.End
					}
				}
			}
		}
		if kind[c]&(digit|dot) == 0 || i < skip {
			continue
		}
		if kind[c]&digit != 0 {
			if i > 0 && kind[text[i-1]]&digit != 0 {
				continue
			}
			var f Finding
			ok := false
			if i >= dialled {
				if f, ok = dialed(text, i); ok {
					dialled = f.End
				}
			}
			if !ok {
				f, ok = number(text, i)
			}
			if ok {
				found = append(found, f)
			}
		} else if f, ok := discord(text, i); ok {
			found = append(found, f)
		}
	}
	return apart(text, settle(found))
}

// Kinds of bytes.
const (
	lower = 1 << iota
	upper
	digit
	under // _
	dash  // -
	dot   // .
	base  // + / =
	space // blank and tab
	hexes // 0-9 a-f A-F
	outer // what an unquoted value does not hold
	halt  // what may end a value, quoted or not
)

const (
	alpha = lower | upper
	alnum = alpha | digit
	word  = alnum | under | dash // what tokens are made of
	b64   = alnum | base

	joiners = under | dash | dot | base // what stands between the words of a name, a path or an expression
)

var kind = func() (k [256]uint16) {
	for c := 'a'; c <= 'z'; c++ {
		k[c] |= lower
		k[c-'a'+'A'] |= upper
	}
	for c := '0'; c <= '9'; c++ {
		k[c] |= digit | hexes
	}
	for c := 'a'; c <= 'f'; c++ {
		k[c] |= hexes
		k[c-'a'+'A'] |= hexes
	}
	k['_'], k['-'], k['.'] = under, dash, dot
	k['+'], k['/'], k['='] = base, base, base
	k[' '], k['\t'] = space, space
	for _, c := range " \t\"'`<>;|)}" {
		k[c] |= outer | halt
	}
	for _, c := range "\r\n&,\\" {
		k[c] |= halt
	}
	for c := 0x80; c < len(k); c++ {
		k[c] |= halt
	}
	return k
}()

// run returns the end of the run of bytes of these kinds that starts at i, at most limit bytes on.
func run(text string, i int, kinds uint16, limit int) int {
	stop := min(len(text), i+limit)
	for i < stop && kind[text[i]]&kinds != 0 {
		i++
	}
	return i
}

// back returns the start of the run of bytes of these kinds that ends before i, at most limit bytes back.
func back(text string, i int, kinds uint16, limit int) int {
	stop := max(0, i-limit)
	for i > stop && kind[text[i-1]]&kinds != 0 {
		i--
	}
	return i
}

// at returns the byte at i, 0 outside of text.
func at(text string, i int) byte {
	if i < 0 || i >= len(text) {
		return 0
	}
	return text[i]
}

// kinds are those of all bytes of s.
func kinds(s string) (k uint16) {
	for i := range len(s) {
		k |= kind[s[i]]
	}
	return k
}

func is(c byte, kinds uint16) bool { return kind[c]&kinds != 0 }

func fold(s string) string {
	if kinds(s)&upper == 0 {
		return s
	}
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}
