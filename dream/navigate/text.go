package navigate

import (
	"bytes"
	"cmp"
	"regexp"
	"strings"
	"sync"
)

const byteOrderMark = "\xef\xbb\xbf"

// A text is a file as its lines.
type text struct {
	bom   bool
	lines []string
	eols  []string // the line break of each, "" after the last line of a file that does not end with one
}

func splitText(data []byte) text {
	var t text
	data, t.bom = bytes.CutPrefix(data, []byte(byteOrderMark))
	for len(data) > 0 {
		line, rest, found := bytes.Cut(data, []byte{'\n'})
		eol := ""
		if found {
			eol = "\n"
			if cut, ok := bytes.CutSuffix(line, []byte{'\r'}); ok {
				line, eol = cut, "\r\n"
			}
		}
		t.lines, t.eols = append(t.lines, string(line)), append(t.eols, eol)
		data = rest
	}
	return t
}

func (t text) bytes() []byte {
	var out bytes.Buffer
	if t.bom {
		out.WriteString(byteOrderMark)
	}
	for i, line := range t.lines {
		out.WriteString(line + t.eols[i])
	}
	return out.Bytes()
}

// breaks is the line break that most lines have, "" where there is none.
func (t text) breaks() string {
	n := map[string]int{}
	for _, e := range t.eols {
		n[e]++
	}
	switch {
	case n["\r\n"] > n["\n"]:
		return "\r\n"
	case n["\n"] > 0:
		return "\n"
	}
	return ""
}

// final tells whether the last line has a line break.
func (t text) final() bool { return len(t.eols) > 0 && t.eols[len(t.eols)-1] != "" }

// linkItem finds list items that start with a link: lines of the map.
var linkItem = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[-*+] (?:\[[^\[\]]\] )?\[\[([^\[\]|#]+)(?:\|[^\[\]]*)?\]\]`)
})

// opens tells whether a line starts another part of the text.
func opens(line string) bool { return strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#") }

// keyed tells whether a token is the link that a line starts with.
func keyed(token string) bool { return strings.HasPrefix(token, "\x00") }

// tokenize gives lines that count as one line the same token: equal ones, and items whose link no other line of a text starts with.
func tokenize(texts ...[]string) [][]string {
	key := func(line string) string {
		if len(line) < 3 || line[1] != ' ' {
			return ""
		}
		if m := linkItem().FindStringSubmatch(line); m != nil {
			return "\x00" + m[1]
		}
		return ""
	}
	twice := map[string]bool{}
	for _, lines := range texts {
		seen := map[string]bool{}
		for _, line := range lines {
			k := key(line)
			twice[k], seen[k] = twice[k] || seen[k], true
		}
	}
	out := make([][]string, len(texts))
	for i, lines := range texts {
		out[i] = make([]string, len(lines))
		for j, line := range lines {
			if out[i][j] = line; !twice[key(line)] {
				out[i][j] = cmp.Or(key(line), line)
			}
		}
	}
	return out
}
