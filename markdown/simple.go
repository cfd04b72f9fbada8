package markdown

import (
	"regexp"
	"strings"
	"sync"

	"github.com/reverie-memory/reverie/lexis/calendar"
)

const sourceLink = `\[\[(?:[^\[\]|#\n]*/)?\d{4}-\d\d-\d\d(?:\.md)?#\^[^\[\]|\n]+(?:\|[^\[\]\n]*)?\]\]`

// Links to sources as they stand on a page: one, and a group of them in brackets.
var (
	SourceRE = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(sourceLink) })
	GroupRE  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\([ \t]*(?:` + sourceLink + `[ \t,;]*)+\)`) })
)

// ParseSource reads one source link; all of s has to be it.
func ParseSource(s string) (Source, bool) {
	s = strings.TrimSpace(s)
	if m := SourceRE().FindStringIndex(s); m == nil || m[0] != 0 || m[1] != len(s) {
		return Source{}, false
	}
	inner := s[2 : len(s)-2]
	inner, _, _ = strings.Cut(inner, "|")
	target, fragment, _ := strings.Cut(strings.TrimSuffix(inner, `\`), "#")
	return SourceOf(target, fragment)
}

// simple reads a text of words, links to pages and one group of sources, without a parser.
func simple(s string) (head string, srcs []Source, ok bool) {
	head = s
	if i := strings.LastIndex(s, "(["); i >= 0 && strings.HasSuffix(s, "]])") {
		if srcs, ok = ownGroup(s[i:]); ok {
			head, ok = shown(strings.TrimRight(s[:i], " "))
			return head, srcs, ok
		}
		if m := GroupRE().FindStringIndex(s[i:]); m == nil || m[0] != 0 || m[1] != len(s)-i {
			return "", nil, false
		}
		for _, l := range SourceRE().FindAllString(s[i:], -1) {
			src, ok := ParseSource(l)
			if !ok {
				return "", nil, false
			}
			srcs = append(srcs, src)
		}
		head = strings.TrimRight(s[:i], " ")
	}
	head, ok = shown(head)
	return head, srcs, ok
}

// shown is how a text reads that is plain but for links to pages, each behind a space: most statements have such a link.
func shown(s string) (string, bool) {
	from := strings.Index(s, "[[")
	if from < 0 {
		return s, plainText(s)
	}
	var b strings.Builder
	rest := s
	for ; from >= 0; from = strings.Index(rest, "[[") {
		inner, behind, closed := strings.Cut(rest[from+2:], "]]")
		target, label, named := strings.Cut(inner, "|")
		if !named {
			label = target
		}
		if !closed || from > 0 && rest[from-1] != ' ' || from == 0 && b.Len() > 0 || target == "" || label == "" || !plainText(target) ||
			!plainText(label) ||
			strings.ContainsAny(target, "/#") || strings.ContainsAny(label, "|#") || strings.HasSuffix(target, ".md") {
			return "", false
		}
		b.WriteString(rest[:from])
		b.WriteString(label)
		rest = behind
	}
	b.WriteString(rest)
	text := b.String()
	return text, plainText(text)
}

// plainText says whether a text reads as it stands. An underscore behind a letter or a digit opens nothing.
func plainText(s string) bool {
	if s != strings.TrimSpace(s) || strings.ContainsAny(s, "*`[]<>&\\~^%#\x00\t\n\r") ||
		strings.Contains(s, "  ") || strings.Contains(s, "==") {
		return false
	}
	if strings.IndexByte(s, '_') < 0 {
		return true
	}
	opens := true
	for i := range len(s) {
		c := s[i]
		if c == '_' && opens {
			return false
		}
		opens = c != '_' && (c|0x20 < 'a' || c|0x20 > 'z') && (c < '0' || c > '9')
	}
	return !strings.Contains(s, "://") && !strings.Contains(s, "www.") && !strings.Contains(s, "@")
}

// ownGroup reads a group of sources in the form in which we write it: most of a vault's lines end with one.
func ownGroup(s string) ([]Source, bool) {
	s = s[1:] // (
	var out []Source
	for {
		link, ok := strings.CutPrefix(s, "[[")
		end := strings.IndexByte(link, ']')
		if !ok || end < 0 || !strings.HasPrefix(link[end:], "]]") {
			return nil, false
		}
		target, label, _ := strings.Cut(link[:end], "|")
		day, id, ok := strings.Cut(target, "#^")
		if !ok || id == "" || !plainID(id) || strings.ContainsAny(label, "[]|()") {
			return nil, false
		}
		d, err := calendar.ParseDay(day)
		if err != nil {
			return nil, false
		}
		out = append(out, Source{Day: d, ID: id})
		switch s = link[end+2:]; {
		case s == ")":
			return out, true
		case strings.HasPrefix(s, ", "):
			s = s[2:]
		default:
			return nil, false
		}
	}
}

func plainID(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && c != '-' {
			return false
		}
	}
	return true
}
