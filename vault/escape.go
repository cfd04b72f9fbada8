package vault

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A pair is one key=value of a section comment or a drawer's info string.
type pair struct{ key, value string }

// appendPair writes key=value. A value with a space or a byte that Markdown, HTML or a line-based tool would
// trip over is quoted.
func appendPair(b []byte, key, value string) []byte {
	b = append(b, key...)
	b = append(b, '=')
	if plainValue(value) {
		return append(b, value...)
	}
	b = append(b, '"')
	b = appendEscaped(b, value, "\"`<>")
	return append(b, '"')
}

func plainValue(s string) bool {
	for i, r := range s {
		if r <= ' ' || strings.ContainsRune("\"`<>\\", r) || oddRune(r) {
			return false
		}
		if r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD") {
			return false
		}
	}
	return true
}

// oddRune tells of runes that end a line for some program or show as nothing.
func oddRune(r rune) bool {
	return r == 0x7f || r >= 0x80 && r < 0xa0 || r == 0x2028 || r == 0x2029 || r == 0xfeff
}

// appendEscaped writes s with backslash, control characters, invalid UTF-8 and the runes of special as \n, \xNN or \uNNNN.
func appendEscaped(b []byte, s, special string) []byte {
	const hex = "0123456789abcdef"
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			b = append(b, '\\', 'x', hex[s[i]>>4], hex[s[i]&15])
		case r == '\\':
			b = append(b, `\\`...)
		case r == '\n':
			b = append(b, `\n`...)
		case r == '\r':
			b = append(b, `\r`...)
		case r == '\t':
			b = append(b, `\t`...)
		case r < 0x80 && (r < ' ' || r == 0x7f || strings.ContainsRune(special, r)):
			b = append(b, '\\', 'x', hex[r>>4], hex[r&15])
		case oddRune(r):
			b = append(b, `\u`...)
			b = append(b, hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
		default:
			b = append(b, s[i:i+n]...)
		}
		i += n
	}
	return b
}

// unescape undoes appendEscaped. What it does not know it leaves as it stands.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch c := s[i]; c {
		case 'n':
			b.WriteByte('\n')
		case 'r':
			b.WriteByte('\r')
		case 't':
			b.WriteByte('\t')
		case 'x', 'u':
			digits := 2
			if c == 'u' {
				digits = 4
			}
			v, err := uint64(0), strconv.ErrSyntax
			if i+digits < len(s) {
				v, err = strconv.ParseUint(s[i+1:i+1+digits], 16, 32)
			}
			switch {
			case err != nil:
				b.WriteByte('\\')
				b.WriteByte(c)
				continue
			case c == 'x':
				b.WriteByte(byte(v))
			default:
				b.WriteRune(rune(v))
			}
			i += digits
		case '\\', '^', '"':
			b.WriteByte(c)
		default:
			b.WriteByte('\\')
			b.WriteByte(c)
		}
	}
	return b.String()
}

// parsePairs reads key=value pairs separated by spaces; words without '=' are skipped.
func parsePairs(s string) []pair {
	var ps []pair
	for {
		s = strings.TrimLeft(s, " \t")
		if s == "" {
			return ps
		}
		eq := strings.IndexAny(s, "= \t")
		if eq < 0 {
			return ps
		}
		if s[eq] != '=' {
			s = s[eq:]
			continue
		}
		var value string
		key := s[:eq]
		value, s = pairValue(s[eq+1:])
		ps = append(ps, pair{key, value})
	}
}

func pairValue(s string) (value, rest string) {
	if strings.HasPrefix(s, `"`) {
		for i := 1; i < len(s); i++ {
			switch s[i] {
			case '\\':
				i++
			case '"':
				return unescape(s[1:i]), s[i+1:]
			}
		}
	}
	end := strings.IndexAny(s, " \t")
	if end < 0 {
		end = len(s)
	}
	return s[:end], s[end:]
}

// FactText is the text of a fact as a log or diary has it.
func FactText(text string) string { return oneLine(text) }

// oneLine is s without line breaks of any kind and without space around it.
func oneLine(s string) string {
	if strings.ContainsAny(s, "\n\r\v\f\u0085\u2028\u2029") {
		s = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ", "\v", " ", "\f", " ",
			"\u0085", " ", "\u2028", " ", "\u2029", " ").Replace(s)
	}
	return strings.TrimSpace(s)
}

// escapeChat makes a chat id fit for a heading: one line, and no end that looks like a block id.
func escapeChat(id string) string {
	s := string(appendEscaped(nil, strings.TrimSpace(id), ""))
	if i := strings.LastIndexByte(s, '^'); i >= 0 && (i == 0 || s[i-1] == ' ') && isID(s[i+1:]) {
		s = s[:i] + `\` + s[i:]
	}
	return s
}

// lineEnd is the length of the line's content without its ending.
func lineEnd(line []byte) int {
	n := len(line)
	if n > 0 && line[n-1] == '\n' {
		n--
		if n > 0 && line[n-1] == '\r' {
			n--
		}
	}
	return n
}

func isBlank(s string) bool { return strings.TrimFunc(s, unicode.IsSpace) == "" }
