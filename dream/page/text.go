package page

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/markdown"
)

// reading is what a person and the index see in the text of an item.
type reading struct {
	text    string
	sources []Source
}

// read reads the text of an item, or a part of it.
func read(s string) reading {
	in := markdown.Read(s, nil)
	if in.Page != "" {
		in.Text += " (" + in.Page + ")"
	}
	return reading{text: in.Text, sources: in.Sources}
}

// Shown is how a text of a page reads: links by what they show, no marks, no sources, no block id.
func Shown(s string) string { return read(fold(s)).text }

// Sources lists the source links of a text, in its order.
func Sources(line string) []Source { return read(line).sources }

// fold makes one line of a text, with nothing in it that a person does not see.
func fold(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	s = strings.Map(func(r rune) rune {
		switch {
		case r < ' ', r == 0x7f, r == 0x85, r == '\u2028', r == '\u2029', r == '\uFEFF':
			return ' '
		case lexis.Hidden(r):
			return -1
		}
		return r
	}, s)
	return markdown.SingleSpaced(s)
}

var (
	startMark = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:#{1,6}(?:[ \t]|$)|>|[-+*](?:[ \t]|$)|=+[ \t]*$|-+[ \t]*$|~~~|` +
			"```" + `|\[[ \txX]\]|\[[^\]]*\]:|[*_-](?:[ \t]*[*_-]){2,}[ \t]*$|\|)`)
	})
	startCount = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(\d{1,9})([.)])(?:[ \t]|$)`) })
	autoLink   = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^<(?:[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*|[A-Za-z0-9._+-]+@[A-Za-z0-9.-]+)>`)
	})
	blockRE  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:^|[ \t]+)\^[A-Za-z0-9-]+[ \t]*$`) })
	endBlock = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(^|[ \t])(\^[A-Za-z0-9-]+)$`) })
)

// neutral makes a text safe to stand in a list item. Emphasis, code and links stay; what would open a block, be a checkbox, a
// source, a block id, a comment, a picture or HTML is escaped.
func neutral(s string) string {
	s = fold(s)
	var b strings.Builder
	for i := 0; i < len(s); {
		n, escape := span(s, i)
		if escape {
			b.WriteByte('\\')
		}
		b.WriteString(s[i : i+n])
		i += n
	}
	s = b.String()
	if s != "" && !letter(s[0]) { // no mark begins with a letter
		if m := startCount().FindStringSubmatchIndex(s); m != nil {
			s = s[:m[4]] + `\` + s[m[4]:]
		} else if startMark().MatchString(s) {
			s = `\` + s
		}
	}
	if strings.Contains(s, "^") {
		s = endBlock().ReplaceAllString(s, `$1\$2`)
	}
	if tail := len(s) - len(strings.TrimRight(s, `\`)); tail%2 == 1 {
		s += `\`
	}
	return s
}

// span is how many bytes at s[i] belong together, and whether they want a backslash before them.
func span(s string, i int) (n int, escape bool) {
	rest := s[i:]
	switch {
	case rest[0] == '\\' && len(rest) > 1 && rest[1] != '%' && rest[1] < 0x80:
		return 2, false
	case strings.HasPrefix(rest, "!["): // a picture from elsewhere tells its owner that the page was read
		return 1, true
	case rest[0] == '`':
		return codeSpan(rest), false
	case rest[0] == '%' && i > 0 && s[i-1] == '%':
		return 1, true
	case rest[0] == '<' && len(rest) > 1 && strings.ContainsRune("/!?", rune(rest[1])), rest[0] == '<' && len(rest) > 1 && letter(rest[1]):
		if l := autoLink().FindString(rest); l != "" {
			return len(l), false
		}
		return 1, true
	case strings.HasPrefix(rest, "[["):
		end := strings.Index(rest, "]]")
		if end < 0 || strings.Contains(rest[2:end], "[[") || markdown.SourceRE().MatchString(rest[:end+2]) {
			return 1, true
		}
		return end + 2, false
	}
	return 1, false
}

// codeSpan is how long the code span is that s starts with, or the backticks there where none does.
func codeSpan(s string) int {
	n := len(s) - len(strings.TrimLeft(s, "`"))
	if j := strings.Index(s[n:], s[:n]); j >= 0 {
		return n + j + n
	}
	return n
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// literal escapes every mark: for texts that even a neutral form would not keep in their line.
func literal(s string) string {
	var b strings.Builder
	for _, r := range fold(s) {
		if r < 0x80 && strings.ContainsRune("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// group is sources as they stand behind a text.
func group(src []Source) string {
	if len(src) == 0 {
		return ""
	}
	return " (" + links(src) + ")"
}

func links(src []Source) string {
	return strings.Join(slice.Map(src, func(s Source) string { return s.Link() }), ", ")
}

// unique is what src adds to have.
func unique(have, src []Source) []Source {
	seen := slice.Set(have)
	var out []Source
	for _, s := range src {
		if !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}

// compose is the content of an item: the text and its sources, in the lightest form that reads back as both.
func compose(text string, src []Source) string {
	src = unique(nil, src)
	s := neutral(text)
	if s == "" {
		return ""
	}
	whole := s + group(src)
	if got := read(whole); slices.Equal(got.sources, src) && got.text == read(s).text && got.text != "" {
		return whole
	}
	return literal(text) + group(src)
}

// LabelSources lets the links to sources in data show a label behind their day, unless they show something else already: whose words the
// lines are. What a link shows is no part of a statement's text.
func LabelSources(data []byte, label string, src []Source) []byte {
	for _, s := range src {
		link := s.Link()
		if label == "" {
			break
		}
		data = bytes.ReplaceAll(data, []byte(link), []byte(strings.TrimSuffix(link, "]]")+" · "+label+"]]"))
	}
	return data
}
