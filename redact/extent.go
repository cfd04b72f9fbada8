package redact

import (
	"strings"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/lexis"
)

// How values and words lie in a text.

// judged is how many bytes of a value are looked at: a longer one is judged by its beginning and taken whole.
const judged = 128

// groups returns the end of a key that is written in groups of four: four groups or more, some of which mix letters and digits. One such
// group is enough where all digits are those of a one-time password's key.
func groups(text string, start int) int {
	mixed, letters, least, i := 0, 0, 1, start
	for ; i-start < judged; i += 5 {
		digits := 0
		for j := i; j < i+4; j++ {
			c := at(text, j)
			if !is(c, alnum) {
				return 0
			}
			if is(c, digit) {
				digits++
				if c < '2' || c > '7' {
					least = 2
				}
			}
		}
		letters += 4 - digits
		if digits > 0 && digits < 4 {
			mixed++
		}
		if at(text, i+4) != ' ' || run(text, i+5, alnum, 5) != i+9 {
			i += 4
			break
		}
	}
	if i-start < 19 || mixed < least || 3*letters < i-start {
		return 0
	}
	return i
}

// extent returns where the value that starts at start ends, at most limit bytes on.
func extent(text string, start int, mark byte, query bool, limit int) int {
	stop, line := start, start
	for ; stop < len(text) && stop-start < limit; stop++ {
		c := text[stop]
		if !is(c, halt) {
			if mark == 0 && stop > start && text[stop-1] >= 0x80 && unspaced(text, stop) {
				break
			}
			continue
		}
		if c == '\n' || c == '\r' {
			if mark == 0 || stop == line || text[stop-1] != '\\' && (stop-line < 16 || strings.IndexByte(text[line:stop], ' ') >= 0) {
				break
			}
			line = stop + 1 // the quote holds data over several lines
			continue
		}
		if mark != 0 {
			if c == mark || c == '\\' && at(text, stop+1) == mark {
				break
			}
			continue
		}
		if is(c, outer) || c == '&' && (query || assigns(text, stop+1)) || c == ',' && separates(text, stop+1) ||
			c >= 0x80 && (closes(text[stop:]) || stop > start && unspaced(text, stop)) ||
			c == '\\' && strings.IndexByte("\"nr", at(text, stop+1)) >= 0 {
			break
		}
	}
	if mark == 0 {
		for stop > start && trailing[text[stop-1]] {
			stop--
		}
	}
	return stop
}

var trailing = bytes(".:?,*") // what ends the clause around a value

// separates tells whether a comma before i ends a value: a blank, a quote, the end or the next name follows.
func separates(text string, i int) bool {
	c := at(text, i)
	if strings.IndexByte(" \t\r\n\"'\x00", c) >= 0 {
		return true
	}
	return assigns(text, i)
}

// assigns tells whether a name and the sign behind it start at i.
func assigns(text string, i int) bool {
	to := run(text, i, word|dot, 40)
	return to > i && (at(text, to) == '=' || at(text, to) == ':')
}

// closes tells whether s starts with a quote or a stop outside of ASCII.
func closes(s string) bool {
	switch r, _ := utf8.DecodeRuneInString(s); r {
	case '”', '’', '»', '›', '“', '„', '«', '、', '。', '，', '；', '！', '？', '）', '」', '』':
		return true
	}
	return false
}

// endsLine tells whether nothing but closing marks stands between i and the end of the line.
func endsLine(text string, i int) bool {
	for n := 0; n < 4 && i < len(text) && strings.IndexByte("\"'`*_.!?,)\\ ", text[i]) >= 0; n++ {
		i++
	}
	return i >= len(text) || text[i] >= 0x80 && closes(text[i:]) || text[i] == '\n' || text[i] == '\r'
}

// endsClause tells whether a sentence or a part of one ends at i.
func endsClause(text string, i int) bool {
	if i >= len(text) || !is(text[i], space) {
		return true
	}
	w, _ := nextWord(text, run(text, i, space, 4))
	return w == "" || following[fold(strings.TrimRight(w, ",."))]
}

var following = lexis.Set("and but for on since until till so if in at just please now yesterday today tonight last because by btw " +
	"thanks as und aber seit bis bitte für gestern heute et pour y para e per - – —")

// fourByFour tells an app password: abcd efgh ijkl mnop.
func fourByFour(s string) bool {
	for i := range len(s) {
		if (i%5 == 4) != (s[i] == ' ') || i%5 != 4 && !is(s[i], lower) {
			return false
		}
	}
	return true
}

// nextWord is the word at i and where the next one starts.
func nextWord(text string, i int) (string, int) {
	stop := i
	for stop < len(text) && stop-i < 40 && !is(text[stop], space) && text[stop] != '\n' && text[stop] != '\r' {
		stop++
	}
	return text[i:stop], run(text, stop, space, 4)
}

// quotes skips one opening quote, escaped or not.
func quotes(text string, i int) int {
	if at(text, i) == '\\' {
		i++
	}
	if c := at(text, i); c == '"' || c == '\'' || c == '`' {
		i++
		if at(text, i) == c && at(text, i+1) == c { // three of them
			i += 2
		}
	}
	return i
}

// operator skips what stands between a name and its value: =, :, :=, =>.
func operator(text string, i int) (int, bool) {
	i = run(text, i, space, 40)
	switch c := at(text, i); {
	case strings.HasPrefix(text[i:], "==") || strings.HasPrefix(text[i:], "!="): // compared with a text
		next := run(text, run(text, i+1, base, 2), space, 4)
		return next, quotes(text, next) > next
	case strings.HasPrefix(text[i:], "::") || strings.HasPrefix(text[i:], "://"):
		return i, false
	case strings.HasPrefix(text[i:], ":=") || strings.HasPrefix(text[i:], "=>") || strings.HasPrefix(text[i:], "->") ||
		strings.HasPrefix(text[i:], "?="):
		i += 2
	case c == '=' || c == ':':
		i++
	case strings.HasPrefix(text[i:], "：") || strings.HasPrefix(text[i:], "是") || strings.HasPrefix(text[i:], "は"):
		i += len("：")
	default:
		return i, false
	}
	return run(text, i, space, 40), true
}

// technical tells the words with digits that are said about passwords: SHA-256, base64, PBKDF2.
func technical(v string) bool {
	if v == "" || strings.IndexByte("smubpair", v[0]|0x20) < 0 {
		return false
	}
	for _, w := range [...]string{"sha", "base6", "md5", "utf", "argon2", "pbkdf2", "bcrypt", "ascii", "iso-", "aes", "rfc"} {
		if foldPrefix(v, w) {
			return true
		}
	}
	return false
}

// base32 tells the key of a one-time password: capitals and the digits 2 to 7 that make no words.
func base32(v string) bool {
	if len(v) < 16 || len(v)%8 != 0 || run(v, 0, upper|digit, len(v)) < len(v) || strings.ContainsAny(v, "0189") ||
		strings.HasPrefix(v, "ABC") {
		return false
	}
	odd := 0
	for i := 1; i < len(v); i++ {
		if !is(v[i-1], upper) || !is(v[i], upper) || follows[v[i-1]-'A']>>(v[i]-'A')&1 == 0 {
			odd++
		}
	}
	return odd > 1
}

// file tells a name with an ending: main.4f3c2a1b.js.
func file(v string) bool {
	dot := strings.LastIndexByte(v, '.')
	return dot > 0 && len(v)-dot > 1 && len(v)-dot < 6 && run(v, dot+1, lower, 5) == len(v)
}
