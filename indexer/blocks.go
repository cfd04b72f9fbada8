package indexer

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/markdown"
)

// maxHeading is how many bytes of a heading, or of a list item, the pieces below it get for their way.
const maxHeading = 400

// maxLines is how many lines of a paragraph are read as one, so that the rows of a very long one say where they stand.
const maxLines = 4000

// Kinds of pieces that are no prose.
const (
	codeKind     = "code"
	tableKind    = "table"
	quoteKind    = "quote" // whatever stands in one
	propertyKind = "properties"
	nameKind     = "name" // the page's own
	headingKind  = "heading"
)

// A piece is one block of a page that becomes a row (or several, where it is long).
type piece struct {
	line     int      // 1-based, within the body
	headings []string // path of headings above it
	parents  []string // texts of the list items above it
	kind     string   // "" for prose
	lang     string
	lines    []markdown.Span // of prose, as they stand; nil where it is of several paragraphs
	place
	markdown.Reading
}

// A place is where a piece stands in the body, by lines that count from 0.
type place struct {
	first, last int   // with the fences of code, but without the lines of other pieces
	from        int   // byte of the first line with text at which that begins
	rows        []int // the line of each line of Text, of code and tables; nil where lines of Text are no lines of the body
}

func placeOf(b *markdown.Block) place {
	at := place{first: b.First, last: b.Last}
	if len(b.Text) > 0 {
		at.from = b.Text[0].From
	}
	return at
}

// pieces cuts a page's body into its pieces, in the order of the text, until yield has enough. Each heading comes as a piece of its own
// besides, which becomes no row.
func pieces(body []byte, yield func(*piece) bool) {
	lines := make([]string, 0, 1+bytes.Count(body, []byte("\n")))
	for l := range strings.Lines(string(markdown.BlankComments(body))) {
		lines = append(lines, strings.TrimSuffix(strings.TrimSuffix(l, "\n"), "\r"))
	}
	w := walker{}
	if bytes.Contains(body, []byte("]:")) {
		w.defs, w.defined = markdown.NewDefinitions(), map[int]int{}
		for b := range markdown.Blocks(lines, nil) {
			w.define(b)
		}
	}
	flush := func() bool {
		for i := range w.out {
			if !yield(&w.out[i]) {
				return false
			}
		}
		w.out = w.out[:0]
		return true
	}
	for b := range markdown.Blocks(lines, nil) {
		if w.block(b); !flush() {
			return
		}
	}
	w.heading(0, "", 0)
	flush()
}

// define takes the definitions of a block for all the page, and notes how many lines they are.
func (w *walker) define(b *markdown.Block) {
	if n := len(b.Text); n > 0 {
		line := b.Text[0].Line
		if b.Define(w.defs); len(b.Text) < n {
			w.defined[line] = n - len(b.Text)
		}
	}
	for _, c := range b.Children {
		w.define(c)
	}
}

// undefine takes the lines of definitions out of a block.
func (w *walker) undefine(b *markdown.Block) {
	if len(b.Text) > 0 {
		b.Text = b.Text[w.defined[b.Text[0].Line]:]
	}
}

type walker struct {
	defs    markdown.Definitions // of the page, nil where there are none
	defined map[int]int          // how many lines of definitions begin at a line
	out     []piece

	levels []int // of the open headings
	titles []string
	used   bool // the innermost open heading stands over some piece
	hline  int
	items  []string // texts of the open list items
	quotes int      // that are open
}

func (w *walker) add(p piece) {
	if strings.TrimSpace(p.Text) == "" {
		return
	}
	p.headings = append([]string(nil), w.titles...)
	p.parents = append([]string(nil), w.items...)
	if w.quotes > 0 && p.kind == "" {
		p.kind = quoteKind
	}
	w.used = true
	w.out = append(w.out, p)
}

// heading closes the headings at or below level and opens one. A heading with nothing under it would
// be lost: it becomes a piece of its own.
func (w *walker) heading(level int, title string, line int) {
	if n := len(w.titles); n > 0 && !w.used && level <= w.levels[n-1] {
		title, at := w.titles[n-1], w.hline
		w.titles, w.levels = w.titles[:n-1], w.levels[:n-1]
		w.add(piece{line: at, place: place{first: at - 1, last: at - 1}, Reading: markdown.Reading{Text: title}})
	}
	for len(w.levels) > 0 && w.levels[len(w.levels)-1] >= level {
		w.levels, w.titles = w.levels[:len(w.levels)-1], w.titles[:len(w.titles)-1]
	}
	w.used, w.hline = title == "", line
	if short := clip(title, maxHeading); short != title { // what stands below has the beginning only
		w.add(piece{line: line, place: place{first: line - 1, last: line - 1}, Reading: markdown.Reading{Text: title}})
		title = short
	}
	if title != "" {
		w.levels, w.titles = append(w.levels, level), append(w.titles, title)
	}
}

func (w *walker) block(b *markdown.Block) {
	w.undefine(b)
	switch b.Kind {
	case markdown.Heading:
		if b.First < b.Last && len(b.Text) == 0 { // definitions over a line
			return
		}
		title := strings.ReplaceAll(markdown.Read(b.String(), w.defs).Text, "\n", " ")
		w.heading(b.Level, title, lineOf(b))
		w.out = append(w.out, piece{line: lineOf(b), kind: headingKind, place: placeOf(b), Reading: markdown.Reading{Text: title}})
	case markdown.Paragraph:
		for text := range slices.Chunk(b.Text, maxLines) {
			part := &markdown.Block{Text: text, First: text[0].Line, Last: text[len(text)-1].Line}
			w.add(piece{line: lineOf(part), lines: text, place: placeOf(part), Reading: markdown.Read(part.String(), w.defs)})
		}
	case markdown.Item:
		w.item(b)
	case markdown.Quote:
		w.quotes++
		if p, ok := w.callout(b); ok {
			w.add(p)
		} else {
			for _, c := range b.Children {
				w.block(c)
			}
		}
		w.quotes--
	case markdown.Fence, markdown.Code:
		lang, _, _ := strings.Cut(b.Info, " ")
		p := piece{line: lineOf(b), kind: codeKind, lang: lang, place: placeOf(b), Reading: markdown.Reading{Text: raw(b)}}
		p.rows = codeRows(b)
		w.add(p)
	case markdown.HTML:
		w.add(piece{line: lineOf(b), place: placeOf(b), Reading: markdown.Reading{Text: html(b)}})
	case markdown.Table:
		w.table(b)
	}
}

// item makes one piece of a list item's own paragraphs, and gives its text to the pieces below it,
// which mean little without.
func (w *walker) item(item *markdown.Block) {
	var text []string
	own, line := item.Own(), 0
	at := place{first: item.First, last: item.First}
	for _, b := range own {
		w.undefine(b)
		if len(b.Text) > 0 {
			if line == 0 {
				line, at.from = lineOf(b), b.Text[0].From
			}
			text, at.last = append(text, b.String()), b.Last
		}
	}
	in := markdown.Read(strings.Join(text, "\n\n"), w.defs)
	if item.Box != 0 {
		in.Text = strings.TrimSpace(box(item) + in.Text)
	}
	p := piece{line: line, place: at, Reading: in}
	if len(own) == 1 {
		p.lines = own[0].Text
	}
	w.add(p)
	w.items = append(w.items, clip(in.Text, maxHeading))
	for _, b := range item.Children[len(own):] {
		w.block(b)
	}
	w.items = w.items[:len(w.items)-1]
}

// box is an item's checkbox as it is read.
func box(item *markdown.Block) string {
	switch item.Box {
	case 0:
		return ""
	case ' ', '\t':
		return "[ ] "
	}
	return "[x] "
}

var calloutHead = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\[!([A-Za-z][A-Za-z0-9_-]*)\][+-]?[ \t]*`) })

// callout makes one piece of an Obsidian callout: its kind and title, then its text.
func (w *walker) callout(quote *markdown.Block) (piece, bool) {
	if len(quote.Own()) == 0 {
		return piece{}, false
	}
	head := quote.Children[0].Text[0]
	m := calloutHead().FindStringSubmatch(head.Text)
	if m == nil {
		return piece{}, false
	}
	r := markdown.NewReader(w.defs)
	w.flat(r, quote)
	s := r.Raw()
	mark, _, _ := strings.Cut(s, "]") // "[!kind"
	s = strings.TrimLeft(s[min(len(s), len(mark)+1):], "+- \t")
	in := r.Finish(capital(m[1]) + ": " + s)
	in.Text = strings.TrimSuffix(in.Text, ":")
	return piece{line: head.Line + 1, place: place{first: quote.First, last: quote.Last, from: head.From}, Reading: in}, true
}

// flat writes a block's text with one line a block, list items with a dash.
func (w *walker) flat(r *markdown.Reader, in *markdown.Block) {
	for _, b := range in.Children {
		w.undefine(b)
		switch b.Kind {
		case markdown.Paragraph, markdown.Heading: // a callout's title is its first line
			r.Text(b.String(), b.Kind == markdown.Paragraph)
			r.WriteString("\n")
		case markdown.Item:
			r.WriteString("- " + box(b))
			w.flat(r, b)
		case markdown.Fence, markdown.Code:
			r.WriteString(raw(b) + "\n")
		case markdown.HTML:
			r.WriteString(html(b) + "\n")
		case markdown.Table:
			for _, row := range b.Text {
				cells, in := w.cells(row.Text, b.Columns)
				r.Add(in)
				r.WriteString(strings.Join(cells, " | ") + "\n")
			}
		default:
			w.flat(r, b)
		}
	}
}

// table gives pieces of whole rows, each under the table's head, none longer than a chunk where
// its rows are not.
func (w *walker) table(t *markdown.Block) {
	p := piece{kind: tableKind}
	var text strings.Builder // of the piece,
	runes := 0               // which has so many
	before := len(w.out)
	cells, _ := w.cells(t.Text[0].Text, t.Columns)
	head := strings.Join(cells, " | ")
	if strings.Trim(head, " |") == "" {
		head = ""
	}
	size := utf8.RuneCountInString(head)
	above := place{first: t.First, last: t.First + 1, rows: []int{t.First}} // with what delimits the head
	if size > chunkSize {                                                   // too long to stand above each piece
		w.add(piece{line: lineOf(t), place: above, Reading: markdown.Reading{Text: head}})
		head, size = "", 0
	}
	flush := func() {
		if text.Len() > 0 {
			p.Text = strings.TrimSpace(head + "\n" + text.String())
			if head != "" {
				p.first, p.rows = above.first, append(above.rows[:1:1], p.rows...)
			}
			w.add(p)
		}
		p, runes = piece{kind: tableKind}, 0
		text.Reset()
	}
	for _, row := range t.Text[1:] {
		cells, in := w.cells(row.Text, t.Columns)
		line := strings.Join(cells, " | ")
		n := utf8.RuneCountInString(line)
		if text.Len() > 0 && size+runes+n > chunkSize-2 {
			flush()
		}
		p.rows, p.last = append(p.rows, row.Line), row.Line
		if text.Len() == 0 {
			p.line, p.first = row.Line+1, row.Line
		} else {
			text.WriteByte('\n')
			runes++
		}
		text.WriteString(line)
		runes += n
		p.Tags = append(p.Tags, in.Tags...)
		p.Sources = append(p.Sources, in.Sources...)
	}
	if text.Len() == 0 && len(w.out) == before { // nothing but a head
		text.WriteString(head)
		p.line, p.place, head = lineOf(t), above, ""
	}
	flush()
}

// cells are the texts of a row's cells, so many as the table has columns, and what the marks in them said.
func (w *walker) cells(row string, columns int) (cells []string, into markdown.Reading) {
	cells = make([]string, columns)
	for i, c := range markdown.Cells(row) {
		if i == columns {
			break
		}
		if strings.Contains(c, "`") {
			c = strings.ReplaceAll(c, `\|`, "|")
		}
		in := markdown.Read(c, w.defs)
		cells[i] = strings.ReplaceAll(in.Text, "\n", " ")
		into.Tags = append(into.Tags, in.Tags...)
		into.Sources = append(into.Sources, in.Sources...)
	}
	return cells, into
}

// raw is the text of a code block without the empty lines around it.
func raw(b *markdown.Block) string {
	var s strings.Builder
	for _, t := range b.Text {
		s.WriteString(strings.Repeat(" ", t.Pad) + t.Text + "\n")
	}
	return strings.Trim(strings.ReplaceAll(s.String(), "\x00", ""), "\n")
}

// codeRows are the lines of a code block's raw text.
func codeRows(b *markdown.Block) (rows []int) {
	text := b.Text
	empty := func(s *markdown.Span) bool { return s.Pad == 0 && strings.ReplaceAll(s.Text, "\x00", "") == "" }
	for len(text) > 0 && empty(&text[0]) {
		text = text[1:]
	}
	for len(text) > 0 && empty(&text[len(text)-1]) {
		text = text[:len(text)-1]
	}
	for i := range text {
		rows = append(rows, text[i].Line)
	}
	return rows
}

var (
	htmlComment = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?s)<!--.*?(?:-->|$)`) })
	htmlHidden  = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?is)<(?:script|style)\b.*?</(?:script|style)>`)
	})
	htmlTag = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`</?[A-Za-z][^>]*>`) })
)

// html is what an HTML block shows.
func html(b *markdown.Block) string {
	s := htmlComment().ReplaceAllString(raw(b), " ")
	s = htmlHidden().ReplaceAllString(s, " ")
	s = htmlTag().ReplaceAllString(s, " ")
	return markdown.SingleSpaced(markdown.Plain(s))
}

// lineOf is the line of the first byte that a block shows, 0 where it shows none.
func lineOf(b *markdown.Block) int {
	if len(b.Text) == 0 {
		return 0
	}
	return b.Text[0].Line + 1
}

func capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + strings.ToLower(s[n:])
}
