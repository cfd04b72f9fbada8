package indexer

import (
	"bytes"
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"

	"github.com/reverie-memory/reverie/markdown"
)

// maxHeading is how many bytes of a heading, or of a list item, the pieces below it get for their way.
const maxHeading = 400

// A piece is one block of a page that becomes a row (or several, where it is long).
type piece struct {
	line     int      // 1-based, within the body
	headings []string // path of headings above it
	parents  []string // texts of the list items above it
	kind     string   // "" for prose, "code" for code
	lang     string
	markdown.Reading
}

// pieces cuts a page's body into its pieces, in the order of the text, until yield has enough.
func pieces(body []byte, yield func(*piece) bool) {
	w := walker{}
	flush := func() bool {
		for i := range w.out {
			if !yield(&w.out[i]) {
				return false
			}
		}
		w.out = w.out[:0]
		return true
	}
	for s := range segments(markdown.BlankComments(body)) {
		w.src, w.lines, w.above = s.src, newLineIndex(s.src), s.lines
		w.blocks(markdown.ParsePage(s.src))
		if !flush() {
			return
		}
	}
	w.heading(0, "", 0)
	flush()
}

type walker struct {
	src   []byte // a segment of the body
	lines lineIndex
	above int // lines of the body above src
	out   []piece

	levels []int // of the open headings
	titles []string
	used   bool // the innermost open heading stands over some piece
	hline  int
	items  []string // texts of the open list items
}

func (w *walker) add(p piece) {
	if strings.TrimSpace(p.Text) == "" {
		return
	}
	p.headings = append([]string(nil), w.titles...)
	p.parents = append([]string(nil), w.items...)
	w.used = true
	w.out = append(w.out, p)
}

// heading closes the headings at or below level and opens one. A heading with nothing under it would
// be lost: it becomes a piece of its own.
func (w *walker) heading(level int, title string, line int) {
	if n := len(w.titles); n > 0 && !w.used && level <= w.levels[n-1] {
		title, at := w.titles[n-1], w.hline
		w.titles, w.levels = w.titles[:n-1], w.levels[:n-1]
		w.add(piece{line: at, Reading: markdown.Reading{Text: title}})
	}
	for len(w.levels) > 0 && w.levels[len(w.levels)-1] >= level {
		w.levels, w.titles = w.levels[:len(w.levels)-1], w.titles[:len(w.titles)-1]
	}
	w.used, w.hline = title == "", line
	if short := clip(title, maxHeading); short != title { // what stands below has the beginning only
		w.add(piece{line: line, Reading: markdown.Reading{Text: title}})
		title = short
	}
	if title != "" {
		w.levels, w.titles = append(w.levels, level), append(w.titles, title)
	}
}

func (w *walker) blocks(parent ast.Node) {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		w.block(n)
	}
}

func (w *walker) block(n ast.Node) {
	switch n := n.(type) {
	case *ast.Heading:
		in := markdown.Read(w.src, n)
		w.heading(n.Level, strings.ReplaceAll(in.Text, "\n", " "), w.lineOf(n))
	case *ast.Paragraph, *ast.TextBlock:
		w.add(piece{line: w.lineOf(n), Reading: markdown.Read(w.src, n)})
	case *ast.List:
		for item := n.FirstChild(); item != nil; item = item.NextSibling() {
			w.item(item)
		}
	case *ast.Blockquote:
		if p, ok := w.callout(n); ok {
			w.add(p)
			return
		}
		w.blocks(n)
	case *ast.FencedCodeBlock:
		w.add(piece{line: w.lineOf(n), kind: "code", lang: string(n.Language(w.src)), Reading: markdown.Reading{Text: w.raw(n)}})
	case *ast.CodeBlock:
		w.add(piece{line: w.lineOf(n), kind: "code", Reading: markdown.Reading{Text: w.raw(n)}})
	case *ast.HTMLBlock:
		w.add(piece{line: w.lineOf(n), Reading: markdown.Reading{Text: w.html(n)}})
	case *extast.Table:
		w.table(n)
	default:
		if n.Type() == ast.TypeBlock {
			w.blocks(n)
		}
	}
}

// item makes one piece of a list item's own paragraphs, and gives its text to the pieces below it,
// which mean little without.
func (w *walker) item(item ast.Node) {
	var own, rest []ast.Node
	for n := item.FirstChild(); n != nil; n = n.NextSibling() {
		if k := n.Kind(); len(rest) == 0 && (k == ast.KindParagraph || k == ast.KindTextBlock) {
			own = append(own, n)
		} else {
			rest = append(rest, n)
		}
	}
	var in markdown.Reading
	if len(own) > 0 {
		in = markdown.Read(w.src, own...)
		w.add(piece{line: w.lineOf(own[0]), Reading: in})
	}
	w.items = append(w.items, clip(in.Text, maxHeading))
	for _, n := range rest {
		w.block(n)
	}
	w.items = w.items[:len(w.items)-1]
}

var calloutHead = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\[!([A-Za-z][A-Za-z0-9_-]*)\][+-]?[ \t]*`) })

// callout makes one piece of an Obsidian callout: its kind and title, then its text.
func (w *walker) callout(quote ast.Node) (piece, bool) {
	first, ok := quote.FirstChild().(*ast.Paragraph)
	if !ok || first.Lines().Len() == 0 {
		return piece{}, false
	}
	head := first.Lines().At(0)
	m := calloutHead().FindSubmatchIndex(head.Value(w.src))
	if m == nil {
		return piece{}, false
	}
	kind := string(head.Value(w.src)[m[2]:m[3]])
	r := markdown.NewReader(w.src)
	w.flat(r, quote)
	s := r.Raw()
	mark, _, _ := strings.Cut(s, "]") // "[!kind"
	s = strings.TrimLeft(s[min(len(s), len(mark)+1):], "+- \t")
	in := r.Finish(capital(kind) + ": " + s)
	in.Text = strings.TrimSuffix(in.Text, ":")
	return piece{line: w.line(head.Start), Reading: in}, true
}

// flat writes a block's text with one line a block, list items with a dash.
func (w *walker) flat(r *markdown.Reader, n ast.Node) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Paragraph, *ast.TextBlock:
			w.flatParagraph(r, c)
			r.WriteString("\n")
		case *ast.ListItem:
			r.WriteString("- ")
			w.flat(r, c)
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			r.WriteString(w.raw(c) + "\n")
		case *ast.HTMLBlock:
			r.WriteString(w.html(c) + "\n")
		case *extast.TableRow, *extast.TableHeader:
			cells, in := w.cells(c)
			r.Add(in)
			r.WriteString(strings.Join(cells, " | ") + "\n")
		case *ast.Heading:
			r.Walk(c)
			r.WriteString("\n")
		default:
			w.flat(r, c)
		}
	}
}

// flatParagraph keeps a paragraph's lines apart: a callout's title is its first line.
func (w *walker) flatParagraph(r *markdown.Reader, n ast.Node) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		r.Walk(c)
		if t, ok := c.(*ast.Text); ok && t.SoftLineBreak() {
			r.WriteString("\n")
		}
	}
}

// table gives pieces of whole rows, each under the table's head, none longer than a chunk where
// its rows are not.
func (w *walker) table(t *extast.Table) {
	var head string
	var p piece
	headSize := 0
	flush := func() {
		if p.Text != "" {
			p.Text = strings.TrimSpace(head + "\n" + p.Text)
			w.add(p)
		}
		p = piece{}
	}
	for row := t.FirstChild(); row != nil; row = row.NextSibling() {
		cells, in := w.cells(row)
		line := strings.Join(cells, " | ")
		if row.Kind() == extast.KindTableHeader {
			if strings.Trim(line, " |") != "" {
				head, headSize = line, utf8.RuneCountInString(line)
			}
			if headSize > chunkSize { // too long to stand above each piece
				w.add(piece{line: w.lineOf(row), Reading: markdown.Reading{Text: head}})
				head, headSize = "", 0
			}
			continue
		}
		if p.Text != "" && headSize+utf8.RuneCountInString(p.Text)+utf8.RuneCountInString(line) > chunkSize-2 {
			flush()
		}
		if p.Text == "" {
			p.line = w.lineOf(row)
		} else {
			p.Text += "\n"
		}
		p.Text += line
		p.Tags = append(p.Tags, in.Tags...)
		p.Sources = append(p.Sources, in.Sources...)
	}
	if p.Text == "" && head != "" && len(w.out) == 0 || p.Text == "" && t.ChildCount() == 1 {
		p.Text, p.line, head = head, w.lineOf(t), ""
	}
	flush()
}

// cells are the texts of a row's cells, and what the marks in them said.
func (w *walker) cells(row ast.Node) (cells []string, into markdown.Reading) {
	for c := row.FirstChild(); c != nil; c = c.NextSibling() {
		in := markdown.Read(w.src, c)
		cells = append(cells, strings.ReplaceAll(in.Text, "\n", " "))
		into.Tags = append(into.Tags, in.Tags...)
		into.Sources = append(into.Sources, in.Sources...)
	}
	return cells, into
}

// raw is the bytes of a code block without the white space around them.
func (w *walker) raw(n ast.Node) string {
	var b strings.Builder
	for i := range n.Lines().Len() {
		s := n.Lines().At(i)
		b.Write(s.Value(w.src))
	}
	return strings.Trim(strings.NewReplacer("\r\n", "\n", "\x00", "").Replace(b.String()), "\n")
}

var (
	htmlComment = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?s)<!--.*?(?:-->|$)`) })
	htmlHidden  = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?is)<(?:script|style)\b.*?</(?:script|style)>`)
	})
	htmlTag = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`</?[A-Za-z][^>]*>`) })
)

// html is what an HTML block shows.
func (w *walker) html(n ast.Node) string {
	s := w.raw(n)
	if h, ok := n.(*ast.HTMLBlock); ok && h.HasClosure() {
		s += string(h.ClosureLine.Value(w.src))
	}
	s = htmlComment().ReplaceAllString(s, " ")
	s = htmlHidden().ReplaceAllString(s, " ")
	s = htmlTag().ReplaceAllString(s, " ")
	return markdown.SingleSpaced(markdown.Plain(s))
}

// lineOf is the line of the first byte that the node shows.
func (w *walker) lineOf(n ast.Node) int {
	if n.Type() == ast.TypeBlock && n.Lines().Len() > 0 {
		return w.line(n.Lines().At(0).Start)
	}
	if t, ok := n.(*ast.Text); ok {
		return w.line(t.Segment.Start)
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if l := w.lineOf(c); l > 0 {
			return l
		}
	}
	return 0
}

// line is the line of the body at an offset in the segment.
func (w *walker) line(offset int) int { return w.above + w.lines.of(offset) }

// lineIndex finds the line of an offset; offsets may come in any order.
type lineIndex []int // offsets of the line ends

func newLineIndex(src []byte) lineIndex {
	ends := make(lineIndex, 0, bytes.Count(src, []byte("\n")))
	for i, c := range src {
		if c == '\n' {
			ends = append(ends, i)
		}
	}
	return ends
}

func (l lineIndex) of(offset int) int {
	lo, hi := 0, len(l)
	for lo < hi {
		if mid := (lo + hi) / 2; l[mid] < offset {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo + 1
}

func capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + strings.ToLower(s[n:])
}
