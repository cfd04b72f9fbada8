package vault

import (
	"strings"
	"unicode"
)

// A fact is written as
//
//	- [category] text `tag tag` ^id
//
// and read from the right: the block id, then code spans and #tags for as long as there are any; what is left is
// the text. A text that itself ends in something of that kind gets one backslash before the character that gives
// it away, and a backslash is doubled only where it would be taken for that one.

// textEscapes are the characters that a backslash protects in a fact's text.
const textEscapes = "\\`#^"

// taskCategory is the category of a checkbox.
const taskCategory = "task"

// A lineFact is a list item taken apart.
type lineFact struct {
	category, text, id string
	tags               []string
}

func appendFactLine(b []byte, f lineFact) []byte {
	b = append(b, "- ["...)
	b = append(b, escapeCategory(f.category)...)
	b = append(b, "] "...)
	b = append(b, escapeText(f.text)...)
	if len(f.tags) > 0 {
		b = append(b, " `"...)
		b = append(b, strings.Join(f.tags, " ")...)
		b = append(b, '`')
	}
	if f.id != "" {
		b = append(b, " ^"...)
		b = append(b, f.id...)
	}
	return append(b, '\n')
}

// parseFactLine takes a list item apart; bullet tells whether the line is one at all. A bullet with an empty
// text is no fact.
func parseFactLine(line string) (f lineFact, bullet bool) {
	if len(line) == 0 || strings.IndexByte("-*+", line[0]) < 0 || len(line) > 1 && line[1] != ' ' && line[1] != '\t' {
		return f, false
	}
	if strings.Trim(line, "-*+ \t") == "" && len(line) > 1 {
		return f, len(strings.TrimSpace(line)) == 1 // "---" is a rule, "- " an empty item
	}
	s := strings.TrimSpace(line[1:])
	f.category = DefaultCategory
	if box, _ := checkbox(s); box {
		f.category = taskCategory
		s = strings.TrimSpace(s[3:])
	} else if c, rest, ok := cutCategory(s); ok {
		f.category, s = c, rest
	}
	if at, kind := lastMark(s); kind == markID {
		f.id = s[at+1:]
		s = strings.TrimSpace(s[:at])
	}
	for {
		at, kind := lastMark(s)
		if kind != markTag && kind != markSpan {
			break
		}
		f.tags = append(tagsOf(strings.Trim(s[at:], "`")), f.tags...)
		s = strings.TrimSpace(s[:at])
	}
	f.text = unescapeText(s)
	return f, true
}

// checkbox tells whether the text of a list item begins with a box, and whether that is ticked.
func checkbox(s string) (box, ticked bool) {
	if len(s) < 4 || s[0] != '[' || strings.IndexByte(" xX", s[1]) < 0 || s[2] != ']' || s[3] != ' ' && s[3] != '\t' {
		return false, false
	}
	return true, s[1] != ' '
}

// cutCategory reads "[category] text". A link, a footnote and an empty pair of brackets are text.
func cutCategory(s string) (category, rest string, ok bool) {
	if len(s) < 2 || s[0] != '[' || s[1] == '^' {
		return "", s, false
	}
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && i+1 < len(s):
			i++
			b.WriteByte(s[i])
		case c == '[':
			return "", s, false
		case c == ']':
			category = strings.TrimSpace(b.String())
			if category == "" || i+1 == len(s) || s[i+1] != ' ' && s[i+1] != '\t' {
				return "", s, false
			}
			return category, strings.TrimSpace(s[i+1:]), true
		default:
			b.WriteByte(c)
		}
	}
	return "", s, false
}

func escapeCategory(c string) string {
	if strings.EqualFold(c, "x") || strings.HasPrefix(c, "^") {
		return `\` + inCategory.Replace(c)
	}
	return inCategory.Replace(c)
}

var inCategory = strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`)

func normalCategory(c string) string {
	if c = oneLine(c); c == "" {
		return DefaultCategory
	}
	return c
}

// normalTags makes every tag one word that fits into a code span.
func normalTags(tags []string) []string {
	var out []string
	for _, t := range tags {
		t = strings.Map(func(r rune) rune {
			switch {
			case r == '`' || r == '\\':
				return -1
			case unicode.IsSpace(r):
				return '-'
			}
			return r
		}, strings.TrimSpace(t))
		if t = strings.TrimLeft(t, "#"); t != "" {
			out = append(out, t)
		}
	}
	return out
}

func tagsOf(s string) []string {
	var out []string
	for _, t := range strings.Fields(s) {
		if t = strings.TrimLeft(t, "#"); t != "" {
			out = append(out, t)
		}
	}
	return out
}

type mark int

const (
	markNone mark = iota
	markID        // ^id
	markTag       // #tag
	markSpan      // `code`
)

// lastMark finds the mark that s ends with, behind some text and a space.
func lastMark(s string) (at int, kind mark) {
	if s == "" {
		return 0, markNone
	}
	if s[len(s)-1] == '`' {
		at = strings.LastIndexByte(s[:len(s)-1], '`')
		slashes := len(s) - 1 - len(strings.TrimRight(s[:len(s)-1], `\`))
		if at < 1 || slashes%2 == 1 || isBlank(s[at+1:len(s)-1]) {
			return 0, markNone
		}
		kind = markSpan
	} else {
		at = strings.LastIndexAny(s, " \t") + 1
		switch word := s[at:]; {
		case word == "" || at == 0:
			return 0, markNone
		case word[0] == '^' && isID(word[1:]):
			kind = markID
		case word[0] == '#' && isTag(word[1:]):
			kind = markTag
		default:
			return 0, markNone
		}
	}
	if s[at-1] != ' ' && s[at-1] != '\t' || isBlank(s[:at]) {
		return 0, markNone
	}
	return at, kind
}

// isTag follows Obsidian: letters, digits, _ - / and at least one that is not a digit.
func isTag(s string) bool {
	word := false
	for _, r := range s {
		switch {
		case unicode.IsDigit(r):
		case unicode.IsLetter(r), unicode.IsMark(r), r == '_', r == '-', r == '/', unicode.Is(unicode.So, r), r == '\u200d':
			word = true
		default:
			return false
		}
	}
	return word
}

func escapeText(text string) string {
	var b strings.Builder
	for i := range len(text) {
		b.WriteByte(text[i])
		if text[i] == '\\' && i+1 < len(text) && strings.IndexByte(textEscapes, text[i+1]) >= 0 {
			b.WriteByte('\\')
		}
	}
	s := b.String()
	switch at, kind := lastMark(s); kind {
	case markID, markTag:
		return s[:at] + `\` + s[at:]
	case markSpan: // before its end: the span stays one for Obsidian, with a backslash that shows
		return s[:len(s)-1] + "\\`"
	}
	return s
}

func unescapeText(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && strings.IndexByte(textEscapes, s[i+1]) >= 0 {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
