package indexer

import (
	"bytes"
	"regexp"
	"strings"
	"sync"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/util"
	"go.abhg.dev/goldmark/hashtag"
	"go.abhg.dev/goldmark/wikilink"

	"github.com/reverie-memory/reverie/vault"
)

// inline is the text of a block as a person reads it, and what its marks said.
type inline struct {
	text    string
	tags    []string
	block   string   // its Obsidian block id
	sources []source // the log lines that it links to, in its order
	ends    bool     // with its sources: it is a statement
	page    string   // the page that it links to in brackets before them
}

// A source is a line of a daily log that a page links to.
type source struct {
	day vault.Day
	id  string
}

// newest is the newest day of the sources, "" when there are none.
func (in *inline) newest() (day vault.Day) {
	for _, s := range in.sources {
		day = max(day, s.day)
	}
	return day
}

// Rules of what is shown. A source link reads badly in the middle of a hit and would draw every
// statement of a day together when embedded, so it goes; its day stays as the statement's date.
var (
	blockID    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:^|\s)\^([A-Za-z0-9-]+)\s*$`) })
	sourceMark = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\s*\(\s*(?:\x00[\s,;]*)+\)`) })
	highlight  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`==([^=\n]+)==`) })
	sourceEnd  = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\(\s*(?:\x00[\s,;]*)+\)[\s.;!?]*(?:\^[A-Za-z0-9-]+\s*)?$`)
	})
	pageEnd = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\s*\(\x01([^\x01\x02]*)\x02\)\s*((?:\^[A-Za-z0-9-]+\s*)?)$`)
	})
	footnote = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\[\^[^\]\s]+\]:?`) })
	spaces   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[ \t]+`) })
)

// Marks around what a link to a page shows, until the text is finished. A source link is a zero byte.
const (
	linkStart = "\x01"
	linkEnd   = "\x02"
)

// readInline gathers the text of the nodes, which are inline or blocks of inline.
func readInline(src []byte, nodes ...ast.Node) inline {
	var in inline
	var b strings.Builder
	for _, n := range nodes {
		in.walk(&b, src, n)
	}
	in.finish(b.String())
	return in
}

func (in *inline) finish(s string) {
	if strings.ContainsRune(s, 0) {
		in.ends = sourceEnd().MatchString(s)
		s = sourceMark().ReplaceAllString(s, "")
		if m := pageEnd().FindStringSubmatchIndex(s); m != nil && in.ends {
			in.page, s = s[m[2]:m[3]], s[:m[0]]+" "+s[m[4]:]
		}
		s = strings.ReplaceAll(s, "\x00", "")
	}
	if strings.Contains(s, linkStart) {
		s = strings.NewReplacer(linkStart, "", linkEnd, "").Replace(s)
	}
	s = strings.TrimSpace(s)
	if m := blockID().FindStringSubmatchIndex(s); m != nil {
		in.block, s = s[m[2]:m[3]], s[:m[0]]
	}
	if strings.Contains(s, "==") {
		s = highlight().ReplaceAllString(s, "$1")
	}
	if strings.Contains(s, "[^") {
		s = footnote().ReplaceAllString(s, "")
	}
	lines := strings.Split(spaces().ReplaceAllString(s, " "), "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	in.text = strings.TrimSpace(strings.Join(lines, "\n"))
}

func (in *inline) walk(b *strings.Builder, src []byte, n ast.Node) {
	switch n := n.(type) {
	case *ast.Text:
		b.WriteString(plain(n.Segment.Value(src)))
		switch {
		case n.HardLineBreak():
			b.WriteByte('\n')
		case n.SoftLineBreak():
			b.WriteByte(' ')
		}
		return
	case *ast.String:
		b.Write(n.Value)
		return
	case *ast.CodeSpan:
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			if t, ok := c.(*ast.Text); ok {
				b.WriteString(strings.ReplaceAll(string(t.Segment.Value(src)), "\n", " "))
			}
		}
		return
	case *ast.AutoLink:
		b.Write(n.Label(src))
		return
	case *ast.RawHTML:
		for i := range n.Segments.Len() {
			if s := n.Segments.At(i); bytes.HasPrefix(bytes.ToLower(s.Value(src)), []byte("<br")) {
				b.WriteByte('\n')
			}
		}
		return
	case *extast.TaskCheckBox:
		b.WriteString(map[bool]string{true: "[x] ", false: "[ ] "}[n.IsChecked])
		return
	case *hashtag.Node:
		in.tags = append(in.tags, string(n.Tag))
	case *wikilink.Node:
		in.link(b, src, n)
		return
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		in.walk(b, src, c)
	}
}

// link writes what a wikilink shows.
func (in *inline) link(b *strings.Builder, src []byte, n *wikilink.Node) {
	if n.Embed {
		return
	}
	name := string(n.Target)
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		name = name[i+1:]
	}
	name = strings.TrimSuffix(name, ".md")
	block := bytes.HasPrefix(n.Fragment, []byte("^"))
	if day, err := vault.ParseDay(name); err == nil && block {
		in.sources = append(in.sources, source{day, string(n.Fragment[1:])})
		b.WriteByte(0)
		return
	}
	shown := ""
	if t, ok := n.FirstChild().(*ast.Text); ok {
		shown = string(t.Segment.Value(src))
	}
	if _, label, ok := strings.Cut(shown, "|"); ok { // a bar within the label: Obsidian shows the last part
		shown = label
	}
	whole := string(n.Target)
	if len(n.Fragment) > 0 {
		whole += "#" + string(n.Fragment)
	}
	if shown != whole {
		b.WriteString(linkStart + strings.TrimSpace(shown) + linkEnd)
		return
	}
	if len(n.Fragment) > 0 && !block {
		if name != "" {
			name += " > "
		}
		name += strings.ReplaceAll(string(n.Fragment), "#", " > ")
	}
	b.WriteString(linkStart + name + linkEnd)
}

// plain takes Markdown's escapes and entities out of a text segment.
func plain(b []byte) string {
	if bytes.IndexByte(b, '\\') >= 0 {
		b = util.UnescapePunctuations(b)
	}
	if bytes.IndexByte(b, '&') >= 0 {
		b = util.ResolveEntityNames(util.ResolveNumericReferences(b))
	}
	return strings.ReplaceAll(string(b), "\x00", "")
}
