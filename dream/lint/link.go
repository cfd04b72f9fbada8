package lint

import (
	"bytes"
	"iter"
	"regexp"
	"strings"
	"sync"

	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/markdown"
	"github.com/reverie-memory/reverie/vault"
)

// A link is one link of a page to something in the vault.
type link struct {
	line   int
	text   string      // as it stands
	target string      // "" for the page itself
	part   string      // heading, or ^block
	source page.Source // where it leads to a line of a daily log
}

var (
	wikilink = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\[\[([^\[\]\n]+?)\]\]`) })
	mdlink   = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\[[^\[\]]*\]\((<[^<>]+>|[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)(?:\s+(?:"[^"]*"|'[^']*'))?\)`)
	})
	scheme = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?i:[a-z][a-z0-9+.-]*:|//)`) })
)

// links gives the links of a page: those of the frontmatter too, none in code and comments.
func links(data []byte) iter.Seq[link] {
	return func(yield func(link) bool) {
		for n, line := range prose(data) {
			if !strings.Contains(line, "[") {
				continue
			}
			for _, m := range wikilink().FindAllStringSubmatchIndex(line, -1) {
				if m[0] > 0 && line[m[0]-1] == '\\' {
					continue
				}
				if l, ok := readWikilink(line[m[0]:m[1]], line[m[2]:m[3]]); ok {
					l.line = n
					if !yield(l) {
						return
					}
				}
			}
			if !strings.Contains(line, "](") {
				continue
			}
			for _, m := range mdlink().FindAllStringSubmatchIndex(line, -1) {
				if m[0] > 0 && line[m[0]-1] == '\\' {
					continue
				}
				if l, ok := readMarkdownLink(line[m[0]:m[1]], line[m[2]:m[3]]); ok {
					l.line = n
					if !yield(l) {
						return
					}
				}
			}
		}
	}
}

func readWikilink(text, inner string) (link, bool) {
	target, _, _ := strings.Cut(inner, "|")
	target = strings.TrimSuffix(target, `\`) // in a table the bar is escaped
	l := link{text: text}
	target, part, _ := strings.Cut(target, "#")
	if !strings.Contains(target, "/") || strings.HasPrefix(target, vault.ArchiveDir+"/") { // a drawer has such a name as well
		if src, ok := markdown.ParseSource(text); ok {
			l.source = src
			return l, true
		}
	}
	l.target, l.part = strings.TrimSpace(target), strings.TrimSpace(part)
	return l, l.sane()
}

func readMarkdownLink(text, target string) (link, bool) {
	target = strings.TrimSuffix(strings.TrimPrefix(target, "<"), ">")
	if target == "" || scheme().MatchString(target) {
		return link{}, false
	}
	target, part, _ := strings.Cut(target, "#")
	target, _, _ = strings.Cut(target, "?")
	l := link{text: text, target: strings.TrimSpace(unescape(target)), part: strings.TrimSpace(unescape(part))}
	return l, l.sane()
}

// sane leaves out what is no link: nothing at all, and what a template will fill in.
func (l link) sane() bool {
	if l.target == "" && l.part == "" || strings.ContainsAny(l.target, "\x00\n") {
		return false
	}
	for _, mark := range []string{"{{", "<%", "${", "://"} {
		if strings.Contains(l.target, mark) || strings.Contains(l.part, mark) {
			return false
		}
	}
	return true
}

// prose gives the lines that are neither code nor comment, with their numbers; code and comments within a line are blanked.
func prose(data []byte) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		var s scanner
		data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
		for n := 1; len(data) > 0; n++ {
			raw, rest, _ := bytes.Cut(data, []byte{'\n'})
			data = rest
			if line := s.line(strings.TrimSuffix(string(raw), "\r")); line != "" && !yield(n, line) {
				return
			}
		}
	}
}

// A scanner follows code fences and comments over the lines of a file.
type scanner struct{ end string }

func (s *scanner) line(line string) string {
	if s.end != "" && (s.end[0] == '`' || s.end[0] == '~') {
		if t := strings.TrimSpace(unquote(line)); strings.HasPrefix(t, s.end) && strings.Trim(t, s.end[:1]) == "" {
			s.end = ""
		}
		return ""
	}
	if s.end == "" {
		t := listless(unquote(line))
		if strings.HasPrefix(t, "```") || strings.HasPrefix(t, "~~~") {
			mark := t[:len(t)-len(strings.TrimLeft(t, t[:1]))]
			if t[0] == '~' || !strings.Contains(t[len(mark):], "`") {
				s.end = mark
				return ""
			}
		}
		if !strings.ContainsAny(line, "`%<") {
			return line
		}
	}
	return s.inline(line)
}

// inline blanks code spans and comments, and notes a comment that goes on.
func (s *scanner) inline(line string) string {
	var b strings.Builder
	for i := 0; i < len(line); {
		if s.end != "" {
			j := strings.Index(line[i:], s.end)
			if j < 0 {
				break
			}
			i += j + len(s.end)
			s.end = ""
			b.WriteByte(' ')
			continue
		}
		switch rest := line[i:]; {
		case rest[0] == '\\' && len(rest) > 1:
			b.WriteString(rest[:2])
			i += 2
		case rest[0] == '`':
			n := len(rest) - len(strings.TrimLeft(rest, "`"))
			i += n
			if j := spanEnd(rest[n:], n); j >= 0 {
				i += j
				b.WriteByte(' ')
			} else {
				b.WriteString(rest[:n])
			}
		case strings.HasPrefix(rest, "%%"):
			s.end = "%%"
			i += 2
		case strings.HasPrefix(rest, "<!--"):
			s.end = "-->"
			i += 4
		default:
			b.WriteByte(rest[0])
			i++
		}
	}
	return b.String()
}

// spanEnd is where the code span ends that n backticks opened.
func spanEnd(s string, n int) int {
	for i := 0; i < len(s); {
		if s[i] != '`' {
			i++
			continue
		}
		run := len(s[i:]) - len(strings.TrimLeft(s[i:], "`"))
		i += run
		if run == n {
			return i
		}
	}
	return -1
}

func unquote(line string) string {
	for {
		t := strings.TrimLeft(line, " \t")
		rest, ok := strings.CutPrefix(t, ">")
		if !ok {
			return t
		}
		line = rest
	}
}

// listless takes the marks of list items off, since a fence can start within one.
func listless(t string) string {
	for len(t) > 1 && strings.ContainsRune("-*+", rune(t[0])) && t[1] == ' ' {
		t = strings.TrimLeft(t[1:], " \t")
	}
	return t
}
