package lexis

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A class of characters, as far as cutting words needs to know them.
type class uint8

const (
	other   class = iota
	lower         // a letter; also every letter of a script without case
	upper         // an upper-case letter
	digit         // a number
	joiner        // joins two words into one token: _ - . ' @
	ideo          // Han, kana, Hangul: written without spaces, or with endings glued on
	cluster       // Thai, Lao, Khmer, Burmese: written without spaces
	mark          // belongs to the character before it
)

var asciiClass = func() (t [utf8.RuneSelf]class) {
	for c := 'a'; c <= 'z'; c++ {
		t[c] = lower
		t[c-'a'+'A'] = upper
	}
	for c := '0'; c <= '9'; c++ {
		t[c] = digit
	}
	for _, c := range "_-.'@" {
		t[c] = joiner
	}
	return t
}()

func classOf(r rune) class {
	switch {
	case r < utf8.RuneSelf:
		return asciiClass[r]
	case r < 0x0300:
		return alphabetic(r)
	case r == '’' || r == 'ʼ' || r == '‐' || r == '‑':
		return joiner
	case dropped(r):
		return mark
	case r < firstUnspaced:
		return alphabetic(r)
	case r < 0x0F00 || 0x1000 <= r && r < 0x10A0 || 0x1780 <= r && r < 0x1800:
		return southeastAsian(r)
	case r == 'ー' || r == '々' || r == '〆' || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul):
		if unicode.IsLetter(r) {
			return ideo
		}
		return other
	}
	return alphabetic(r)
}

// Unspaced says whether a letter is of a script that sets no blanks between words, or glues their endings on.
func Unspaced(r rune) bool {
	if r < firstUnspaced {
		return false
	}
	c := classOf(r)
	return c == ideo || c == cluster
}

// firstUnspaced is the first letter of Thai; those of the scripts before it are parted by blanks.
const firstUnspaced = 0x0E00

func alphabetic(r rune) class {
	switch {
	case unicode.IsUpper(r) || unicode.IsTitle(r):
		return upper
	case unicode.IsLetter(r):
		return lower
	case unicode.IsNumber(r):
		return digit
	case unicode.IsMark(r):
		return mark
	}
	return other
}

func southeastAsian(r rune) class {
	if c := alphabetic(r); c != lower && c != upper {
		return c
	}
	return cluster
}

func (c class) word() bool {
	return c == lower || c == upper || c == digit || c == ideo || c == cluster
}

// tokenEnd returns the end of the token that starts at text[start], a word character. Joiners
// belong to it where a word character follows, a comma where it groups digits.
func tokenEnd(text string, start int) int {
	prev := other
	for i := start; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		c := classOf(r)
		switch {
		case c.word():
			prev = c
		case c == mark && i > start:
		case c == joiner || r == ',' && prev == digit && thousands(text[i+n:]):
			next, _ := utf8.DecodeRuneInString(text[i+n:])
			if i+n >= len(text) || !classOf(next).word() {
				return i
			}
		default:
			return i
		}
		i += n
	}
	return len(text)
}

// thousands tells whether exactly three digits follow a comma: 1,024.
func thousands(s string) bool {
	for i := range 3 {
		if i >= len(s) || !asciiDigit(s[i]) {
			return false
		}
	}
	return len(s) == 3 || !asciiDigit(s[3])
}

func asciiDigit(c byte) bool { return '0' <= c && c <= '9' }

// A part is a piece of a token, cut where scripts, cases, letters and digits meet.
type part struct {
	text  string
	class class // lower for all letters with case or alphabet, digit, ideo or cluster
}

// parts cuts a token. alternations counts the changes between letters and digits without a joiner.
func parts(token string) (ps []part, alternations int) {
	start, cur := 0, other
	var prev class // of the character before, with case, that is no mark
	last := 0      // where that begins
	flush := func(end int) {
		if end > start && cur != other {
			ps = append(ps, part{token[start:end], cur})
		}
		start = end
	}
	for i := 0; i < len(token); {
		r, n := utf8.DecodeRuneInString(token[i:])
		c := classOf(r)
		kind := c
		if c == upper {
			kind = lower
		}
		switch {
		case c == mark:
			i += n
			continue
		case !c.word():
			flush(i)
			start, cur, prev = i+n, other, other
			i += n
			continue
		case kind != cur:
			if cur != other {
				flush(i)
				if kind == digit || cur == digit {
					alternations++
				}
			}
			start = i
		case c == upper && prev == lower: // camelCase
			flush(i)
		case c == lower && prev == upper && last > start: // HTTPServer: the last capital begins a word
			flush(last)
		}
		cur, prev, last = kind, c, i
		i += n
	}
	flush(len(token))
	return ps, alternations
}

// compact joins the word characters of a token and folds them: GPT-4 and gpt4 are one.
func compact(token string) string {
	var b strings.Builder
	for _, r := range token {
		if c := classOf(r); c.word() || c == mark {
			foldRune(&b, r)
		}
	}
	return b.String()
}
