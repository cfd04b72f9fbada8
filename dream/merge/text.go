package merge

import (
	"bytes"
	"cmp"
	"regexp"
	"strings"
	"sync"
)

// ByteOrderMark may stand at the beginning of a file.
const ByteOrderMark = "\xef\xbb\xbf"

// A Text is a file as its lines.
type Text struct {
	BOM   bool
	Lines []string
	EOLs  []string // the line break of each, "" after the last line of a file that does not end with one
}

// Split cuts a file into lines.
func Split(data []byte) Text {
	var t Text
	data, t.BOM = bytes.CutPrefix(data, []byte(ByteOrderMark))
	for len(data) > 0 {
		line, rest, found := bytes.Cut(data, []byte{'\n'})
		eol := ""
		if found {
			eol = "\n"
			if cut, ok := bytes.CutSuffix(line, []byte{'\r'}); ok {
				line, eol = cut, "\r\n"
			}
		}
		t.Lines, t.EOLs = append(t.Lines, string(line)), append(t.EOLs, eol)
		data = rest
	}
	return t
}

// Bytes is the file.
func (t Text) Bytes() []byte {
	var out bytes.Buffer
	if t.BOM {
		out.WriteString(ByteOrderMark)
	}
	for i, line := range t.Lines {
		out.WriteString(line + t.EOLs[i])
	}
	return out.Bytes()
}

// Breaks is the line break that most lines have, "" where there is none.
func (t Text) Breaks() string {
	n := map[string]int{}
	for _, e := range t.EOLs {
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

// Final tells whether the last line has a line break.
func (t Text) Final() bool { return len(t.EOLs) > 0 && t.EOLs[len(t.EOLs)-1] != "" }

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
