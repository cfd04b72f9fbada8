package lint

import (
	"bytes"
	"iter"
	"net/url"
	"regexp"
	"slices"
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

// forms are the two ways to write a link.
var forms = []struct {
	re   func() *regexp.Regexp
	read func(text, target string) (link, bool)
}{{wikilink, readWikilink}, {mdlink, readMarkdownLink}}

// links gives the links of a page: those of the frontmatter too, none in code and comments.
func links(data []byte) iter.Seq[link] {
	return func(yield func(link) bool) {
		for b := range blocks(data) {
			if b.Kind == markdown.Fence || b.Kind == markdown.Code {
				continue
			}
			for i, line := range strings.Split(visible(b.String()), "\n") {
				if !strings.Contains(line, "[") {
					continue
				}
				for _, form := range forms {
					for _, m := range form.re().FindAllStringSubmatchIndex(line, -1) {
						if m[0] > 0 && line[m[0]-1] == '\\' {
							continue
						}
						l, ok := form.read(line[m[0]:m[1]], line[m[2]:m[3]])
						if l.line = b.Text[i].Line; ok && !yield(l) {
							return
						}
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
	unescape := func(s string) string { // what is no escape stays
		if plain, err := url.PathUnescape(s); err == nil {
			s = plain
		}
		return strings.TrimSpace(s)
	}
	l := link{text: text, target: unescape(target), part: unescape(part)}
	return l, l.sane()
}

// sane leaves out what is no link: nothing at all, and what a template will fill in.
func (l link) sane() bool {
	if l.target == "" && l.part == "" || strings.ContainsAny(l.target, "\x00\n") {
		return false
	}
	return !slices.ContainsFunc([]string{"{{", "<%", "${", "://"}, func(mark string) bool {
		return strings.Contains(l.target, mark) || strings.Contains(l.part, mark)
	})
}

// blocks gives the blocks of a page that have a text, whose lines count from 1. The frontmatter comes first, as a block without a kind.
func blocks(data []byte) iter.Seq[*markdown.Block] {
	return func(yield func(*markdown.Block) bool) {
		front := vault.Front(data)
		above := bytes.Count(front, []byte{'\n'})
		var walk func(b *markdown.Block) bool
		walk = func(b *markdown.Block) bool {
			for i := range b.Text {
				b.Text[i].Line += above + 1
			}
			return (len(b.Text) == 0 || yield(b)) && !slices.ContainsFunc(b.Children, func(c *markdown.Block) bool { return !walk(c) })
		}
		head := &markdown.Block{}
		for i, s := range strings.Split(string(front), "\n") {
			head.Text = append(head.Text, markdown.Span{Line: i + 1, Text: s})
		}
		if len(front) > 0 && !yield(head) {
			return
		}
		body := strings.ReplaceAll(string(markdown.BlankComments(data[len(front):])), "\r\n", "\n")
		for b := range markdown.Blocks(strings.Split(body, "\n"), nil) {
			if !walk(b) {
				return
			}
		}
	}
}

var codeOrComment = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("(?s)\\\\.|`+|<!--.*?(?:-->|$)") })

// visible blanks the code spans and comments of a text. Its lines stay.
func visible(s string) string {
	if !strings.ContainsAny(s, "`<") {
		return s
	}
	out, ends := []byte(s), map[int][]int{} // where the runs of so many backticks end
	marks := codeOrComment().FindAllStringIndex(s, -1)
	for _, m := range marks {
		if s[m[0]] == '`' {
			ends[m[1]-m[0]] = append(ends[m[1]-m[0]], m[1])
		}
	}
	done := 0
	for _, m := range marks {
		from, to := m[0], m[1]
		if from < done || s[from] == '\\' {
			continue
		}
		if s[from] == '`' {
			runs := ends[to-from]
			i, _ := slices.BinarySearch(runs, to)
			if i+1 == len(runs) {
				continue
			}
			to = runs[i+1]
		}
		for i := from; i < to; i++ {
			if out[i] != '\n' {
				out[i] = ' '
			}
		}
		done = to
	}
	return string(out)
}
