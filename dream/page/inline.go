package page

import (
	"bytes"
	"regexp"
	"strings"
	"sync"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
	"go.abhg.dev/goldmark/wikilink"

	"github.com/reverie-memory/reverie/vault"
)

// reading is what a person and the index see in the text of an item.
type reading struct {
	text    string
	sources []Source
}

const sourceLink = `\[\[(?:[^\[\]|#\n]*/)?\d{4}-\d\d-\d\d(?:\.md)?#\^[^\[\]|\n]+(?:\|[^\[\]\n]*)?\]\]`

var (
	sourceRE   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(sourceLink) })
	groupRE    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\([ \t]*(?:` + sourceLink + `[ \t,;]*)+\)`) })
	blockRE    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:^|[ \t]+)\^[A-Za-z0-9-]+[ \t]*$`) })
	blockID    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:^|\s)\^([A-Za-z0-9-]+)\s*$`) })
	sourceMark = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\s*\(\s*(?:\x00[\s,;]*)+\)`) })
	highlight  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`==([^=\n]+)==`) })
	footnote   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\[\^[^\]\s]+\]:?`) })
	spaces     = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[ \t]+`) })
)

// Shown is how a text of a page reads: links by what they show, no marks, no sources, no block id.
func Shown(s string) string { return read(fold(s), nil).text }

// Sources lists the source links of a text, in its order.
func Sources(line string) []Source { return read(line, nil).sources }

// ParseSource reads one source link; all of s has to be it.
func ParseSource(s string) (Source, bool) {
	s = strings.TrimSpace(s)
	if m := sourceRE().FindStringIndex(s); m == nil || m[0] != 0 || m[1] != len(s) {
		return Source{}, false
	}
	inner := s[2 : len(s)-2]
	inner, _, _ = strings.Cut(inner, "|")
	target, fragment, _ := strings.Cut(strings.TrimSuffix(inner, `\`), "#")
	return sourceOf(target, fragment)
}

// sourceOf reads the two halves of a link.
func sourceOf(target, fragment string) (Source, bool) {
	id, ok := strings.CutPrefix(fragment, "^")
	if !ok {
		return Source{}, false
	}
	day, err := vault.ParseDay(strings.TrimSuffix(target[strings.LastIndexByte(target, '/')+1:], ".md"))
	if err != nil {
		return Source{}, false
	}
	return Source{Day: day, ID: strings.TrimSpace(id)}, true
}

// read reads the text of an item. Most lines are words and one group of sources, and need no parser.
func read(s string, refs []parser.Reference) reading {
	if head, srcs, ok := simple(s); ok {
		return reading{text: head, sources: srcs}
	}
	pc := parser.NewContext()
	for _, r := range refs {
		pc.AddReference(r)
	}
	src := []byte(s)
	w := &reader{src: src}
	root := inlineParser().Parse(text.NewReader(src), parser.WithContext(pc))
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		if w.b.Len() > 0 {
			w.b.WriteByte('\n')
		}
		w.walk(n)
	}
	return reading{text: finish(w.b.String()), sources: w.sources}
}

func simple(s string) (head string, srcs []Source, ok bool) {
	head = s
	if i := strings.LastIndex(s, "(["); i >= 0 && strings.HasSuffix(s, "]])") {
		if srcs, ok = ownGroup(s[i:]); ok {
			head = strings.TrimRight(s[:i], " ")
			return head, srcs, plainText(head)
		}
		if m := groupRE().FindStringIndex(s[i:]); m == nil || m[0] != 0 || m[1] != len(s)-i {
			return "", nil, false
		}
		for _, l := range sourceRE().FindAllString(s[i:], -1) {
			src, ok := ParseSource(l)
			if !ok {
				return "", nil, false
			}
			srcs = append(srcs, src)
		}
		head = strings.TrimRight(s[:i], " ")
	}
	return head, srcs, plainText(head)
}

// plainText says whether a text reads as it stands.
func plainText(s string) bool {
	return s == strings.TrimSpace(s) && !strings.ContainsAny(s, "*_`[]<>&\\~^%\x00\t\n\r") && !strings.Contains(s, "  ") && !strings.Contains(s, "==")
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
		d, err := vault.ParseDay(day)
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

// inlineParser reads text that is known to be paragraphs, with the marks that the index reads.
var inlineParser = sync.OnceValue(func() parser.Parser {
	p := parser.NewParser(
		parser.WithBlockParsers(util.Prioritized(parser.NewParagraphParser(), 1000)),
		parser.WithInlineParsers(parser.DefaultInlineParsers()...),
		parser.WithInlineParsers(util.Prioritized(linkParser{&wikilink.Parser{}}, 199)),
	)
	md := goldmark.New(goldmark.WithParser(p))
	extension.Strikethrough.Extend(md)
	extension.Linkify.Extend(md)
	return p
})

// linkParser reads [[Note#Heading|shown]] as Obsidian does: the bar may be escaped (in tables), and the target ends at the
// first '#'.
type linkParser struct{ *wikilink.Parser }

func (p linkParser) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	_, start := block.PeekLine()
	node := p.Parser.Parse(parent, block, pc)
	link, ok := node.(*wikilink.Node)
	if !ok {
		return nil
	}
	raw := block.Source()[start.Start:]
	_, inner, _ := bytes.Cut(raw, []byte("[["))
	inner, _, _ = bytes.Cut(inner, []byte("]]"))
	target, _, _ := bytes.Cut(inner, []byte("|"))
	target = bytes.TrimSuffix(target, []byte(`\`))
	link.Target, link.Fragment, _ = bytes.Cut(target, []byte("#"))
	return link
}

func finish(s string) string {
	if strings.ContainsRune(s, 0) {
		s = sourceMark().ReplaceAllString(s, "")
		s = strings.ReplaceAll(s, "\x00", "")
	}
	s = strings.TrimSpace(s)
	if strings.Contains(s, "^") {
		if m := blockID().FindStringIndex(s); m != nil {
			s = s[:m[0]]
		}
	}
	s = strings.ReplaceAll(s, caret, "^")
	if strings.Contains(s, "==") {
		s = highlight().ReplaceAllString(s, "$1")
	}
	if strings.Contains(s, "[^") {
		s = footnote().ReplaceAllString(s, "")
	}
	if !strings.ContainsAny(s, "\t\n") && !strings.Contains(s, "  ") {
		return strings.TrimSpace(s)
	}
	lines := strings.Split(spaces().ReplaceAllString(s, " "), "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// caret stands for an escaped ^ until the block id is taken off.
const caret = "\x01"

type reader struct {
	src     []byte
	b       strings.Builder
	sources []Source
}

func (r *reader) walk(n ast.Node) {
	switch n := n.(type) {
	case *ast.Text:
		r.b.WriteString(plain(n.Segment.Value(r.src)))
		switch {
		case n.HardLineBreak():
			r.b.WriteByte('\n')
		case n.SoftLineBreak():
			r.b.WriteByte(' ')
		}
		return
	case *ast.String:
		r.b.Write(n.Value)
		return
	case *ast.CodeSpan:
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			if t, ok := c.(*ast.Text); ok {
				r.b.WriteString(strings.ReplaceAll(string(t.Segment.Value(r.src)), "\n", " "))
			}
		}
		return
	case *ast.AutoLink:
		r.b.Write(n.Label(r.src))
		return
	case *ast.RawHTML:
		for i := range n.Segments.Len() {
			if s := n.Segments.At(i); bytes.HasPrefix(bytes.ToLower(s.Value(r.src)), []byte("<br")) {
				r.b.WriteByte('\n')
			}
		}
		return
	case *wikilink.Node:
		r.link(n)
		return
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		r.walk(c)
	}
}

// link writes what a wikilink shows, and takes the sources.
func (r *reader) link(n *wikilink.Node) {
	if n.Embed {
		return
	}
	if s, ok := sourceOf(string(n.Target), string(n.Fragment)); ok {
		r.sources = append(r.sources, s)
		r.b.WriteByte(0)
		return
	}
	name := string(n.Target)
	name = strings.TrimSuffix(name[strings.LastIndexByte(name, '/')+1:], ".md")
	shown := ""
	if t, ok := n.FirstChild().(*ast.Text); ok {
		shown = string(t.Segment.Value(r.src))
	}
	if _, label, ok := strings.Cut(shown, "|"); ok { // a bar within the label: Obsidian shows the last part
		shown = label
	}
	whole := string(n.Target)
	if len(n.Fragment) > 0 {
		whole += "#" + string(n.Fragment)
	}
	if shown != whole {
		r.b.WriteString(strings.TrimSpace(shown))
		return
	}
	if len(n.Fragment) > 0 && n.Fragment[0] != '^' {
		if name != "" {
			name += " > "
		}
		name += strings.ReplaceAll(string(n.Fragment), "#", " > ")
	}
	r.b.WriteString(name)
}

// plain takes Markdown's escapes and entities out of a text segment.
func plain(b []byte) string {
	if bytes.IndexByte(b, '\\') >= 0 {
		b = bytes.ReplaceAll(b, []byte(`\^`), []byte(caret))
		b = util.UnescapePunctuations(b)
	}
	if bytes.IndexByte(b, '&') >= 0 {
		b = util.ResolveEntityNames(util.ResolveNumericReferences(b))
	}
	return strings.ReplaceAll(string(b), "\x00", "")
}
