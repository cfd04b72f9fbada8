package lexis

import (
	"strings"
	"unicode/utf8"
)

// Terms cuts text into index terms, in order: folded, stemmed, without stop words.
//
// A compound gives its parts and itself without the joints (e-mail: e, mail, email; getUserName; GPT-4), so
// that it is found however it is spelt. A version or decimal gives itself and its prefixes, with p for
// the dots. Han, kana and Hangul give bigrams, as do the scripts without spaces. Terms hold only
// letters, digits and marks, whatever the text.
func Terms(text string) []string {
	c := cutter{out: make([]string, 0, len(text)/8+4), terms: true}
	c.cut(normalise(text))
	return c.out
}

// Words cuts text into folded words, in order, stop words kept and nothing stemmed. A compound
// gives its parts only; don't gives do and not.
func Words(text string) []string {
	c := cutter{out: make([]string, 0, len(text)/6+4)}
	c.cut(normalise(text))
	return c.out
}

// A cutter collects the terms or words of one text.
type cutter struct {
	out   []string
	terms bool
	begin *[256]bool // first bytes of words that are looked at; nil: all are
}

const maxTerm = 64 // bytes; a longer run of letters is cut: no one searches for it whole

func (c *cutter) cut(text string) {
	var buf [maxStem]byte
	for i := 0; i < len(text); {
		b := text[i]
		if b >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(text[i:])
			if !classOf(r).word() {
				i += n
				continue
			}
			i = c.token(text, i)
			continue
		}
		if k := asciiClass[b]; k != lower && k != upper && k != digit {
			i++
			continue
		}
		if end := plain(text, i, &buf); end > 0 {
			c.simple(buf[:end-i])
			i = end
			continue
		}
		i = c.token(text, i)
	}
}

// plain copies an ASCII word in lower case, or capitalised, to buf and returns its end; 0 when the
// token is anything else. Most words of most texts end here.
func plain(text string, i int, buf *[maxStem]byte) int {
	n := 0
	for ; i < len(text); i++ {
		b := text[i]
		if b >= utf8.RuneSelf {
			return 0
		}
		switch asciiClass[b] {
		case lower:
		case upper:
			if n > 0 {
				return 0
			}
			b += 'a' - 'A'
		case digit:
			return 0
		case joiner:
			if i+1 < len(text) && (text[i+1] >= utf8.RuneSelf || asciiClass[text[i+1]].word()) {
				return 0
			}
			return i
		default:
			if b == '+' || b == '#' {
				return 0
			}
			return i
		}
		if n == len(buf) {
			return 0
		}
		buf[n] = b
		n++
	}
	return i
}

// simple adds a folded word.
func (c *cutter) simple(w []byte) {
	if c.begin != nil && !c.begin[w[0]] {
		return
	}
	e := lookup(w)
	switch {
	case !c.terms:
		c.out = append(c.out, e.word)
	case !e.stop:
		c.out = append(c.out, e.stem)
	}
}

func (c *cutter) word(w string) {
	if w == "" {
		return
	}
	if len(w) > maxTerm {
		w = clip(w, maxTerm)
	}
	c.simple([]byte(w))
}

// exact adds a term that is neither stemmed nor stopped.
func (c *cutter) exact(w string) {
	if w != "" {
		c.out = append(c.out, clip(w, maxTerm))
	}
}

func clip(w string, n int) string {
	if len(w) <= n {
		return w
	}
	for n > 0 && !utf8.RuneStart(w[n]) {
		n--
	}
	return w[:n]
}

// token cuts the token at text[i:] and returns its end.
func (c *cutter) token(text string, i int) int {
	end := tokenEnd(text, i)
	tok := text[i:end]
	if len(tok) == 1 { // C++, C#, F#
		switch rest := text[end:]; {
		case strings.HasPrefix(rest, "++"):
			c.exact(foldWord(tok) + "pp")
			return end
		case strings.HasPrefix(rest, "#"):
			c.exact(foldWord(tok) + "sharp")
			return end
		}
	}
	if strings.ContainsAny(tok, "'’ʼ") {
		c.apostrophe(tok)
		return end
	}
	c.compound(tok)
	return end
}

// compound adds the parts of a token and, for terms, the whole.
func (c *cutter) compound(tok string) {
	if strings.IndexByte(tok, ',') >= 0 {
		tok = strings.ReplaceAll(tok, ",", "")
	}
	if c.number(tok) {
		return
	}
	ps, alternations := parts(tok)
	if len(ps) == 1 {
		c.part(ps[0])
		return
	}
	alphabetic := true
	for _, p := range ps {
		alphabetic = alphabetic && p.class != ideo && p.class != cluster
	}
	if alphabetic && (alternations > 3 || len(ps) > 12) { // an id or a hash, not a compound
		c.exact(compact(tok))
		return
	}
	short := true // U.S., e.g.
	for _, p := range ps {
		short = short && len(p.text) == 1 && p.class == lower
		if len(p.text) > 1 || p.class == digit || !c.terms || !alphabetic {
			if !ordinal(p, ps) {
				c.part(p)
			}
		}
	}
	if !c.terms || !alphabetic || len(tok) > maxTerm {
		return
	}
	if whole := compact(tok); short {
		if !IsStop(strings.Join(strings.Split(whole, ""), ".")) {
			c.exact(whole)
		}
	} else {
		c.word(whole)
	}
}

// ordinal tells the letters of 1st and 20th.
func ordinal(p part, ps []part) bool {
	if len(ps) != 2 || p != ps[1] || ps[0].class != digit {
		return false
	}
	switch foldWord(p.text) {
	case "st", "nd", "rd", "th":
		return true
	}
	return false
}

func (c *cutter) part(p part) {
	switch p.class {
	case ideo, cluster:
		c.grams(p)
	case digit:
		w := foldWord(p.text)
		if len(w) == 2 && w[0] == '0' { // 09 is 9, in dates and times
			w = w[1:]
		}
		c.exact(w)
	default:
		c.word(foldWord(p.text))
	}
}

// number adds a decimal, version or grouped number and tells whether tok was one.
func (c *cutter) number(tok string) bool {
	s := tok
	if len(s) > 1 && (s[0] == 'v' || s[0] == 'V') {
		s = s[1:]
	}
	dots := 0
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '.':
			dots++
		case !asciiDigit(s[i]):
			return false
		}
	}
	if dots == 0 || dots > 4 || !asciiDigit(s[0]) {
		return false
	}
	if !c.terms {
		c.exact(s)
		return true
	}
	seen := 0
	for i := 0; i < len(s); i++ {
		if s[i] != '.' {
			continue
		}
		if seen++; seen > 1 {
			c.exact(strings.ReplaceAll(s[:i], ".", "p"))
		}
	}
	c.exact(strings.ReplaceAll(s, ".", "p"))
	return true
}

var straighten = strings.NewReplacer("’", "'", "ʼ", "'")

// apostrophe adds a token with an apostrophe in it.
func (c *cutter) apostrophe(tok string) {
	tok = straighten.Replace(tok)
	head, tail, _ := strings.Cut(tok, "'")
	h, t := foldWord(head), foldWord(tail)
	switch {
	case t == "s", t == "m", t == "re", t == "ve", t == "ll", t == "d":
		c.compound(head)
	case t == "t" && strings.HasSuffix(h, "n"):
		c.word(negated(h))
		c.word("not")
	case elided(h):
		c.apostropheRest(tail)
	case h == "o":
		c.word(h + compact(tail))
	default:
		c.compound(head)
		c.apostropheRest(tail)
	}
}

func (c *cutter) apostropheRest(s string) {
	for p := range strings.SplitSeq(s, "'") {
		if p != "" && p != "s" {
			c.compound(p)
		}
	}
}

func negated(h string) string {
	switch h {
	case "can":
		return "can"
	case "won":
		return "will"
	case "shan":
		return "shall"
	case "ain":
		return "is"
	}
	return h[:len(h)-1]
}

// elided tells the French and Italian words that lose their vowel: l'eau, qu'il, dell'anno.
func elided(h string) bool {
	switch h {
	case "l", "d", "j", "c", "n", "m", "t", "s", "qu", "jusqu", "lorsqu", "puisqu", "dell", "nell", "sull", "all", "dall", "un":
		return true
	}
	return false
}

// grams adds the bigrams of a run without spaces, or the character itself when it stands alone.
func (c *cutter) grams(p part) {
	var starts []int
	for i, r := range p.text {
		if classOf(r) != mark {
			starts = append(starts, i)
		}
	}
	at := func(i int) int {
		if i < len(starts) {
			return starts[i]
		}
		return len(p.text)
	}
	if len(starts) == 1 {
		c.exact(foldWord(p.text))
	}
	for i := 0; i+1 < len(starts); i++ {
		c.exact(foldWord(p.text[at(i):at(i+2)]))
	}
}
