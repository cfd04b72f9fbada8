package markdown

import (
	"bytes"
	"iter"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// A Kind is what a block is, and what a line is read as.
type Kind uint8

// The kinds. A line that belongs to no block but a container is blank, or an item where its marker stands alone.
const (
	Blank Kind = iota
	Paragraph
	Table
	Heading
	Rule
	Fence
	HTML
	Code // by its indentation
	Quote
	Item
)

// A Block is a part of a page, with its place in it. Lines count from 0. What reads blocks may keep their Text, but not the blocks: the
// memory of one is used again for those that come later.
type Block struct {
	Kind        Kind
	Box         byte // in an item's checkbox, 0 where it has none; the box is not part of the text
	First, Last int  // lines, with those of the blocks in it; a blank line ends no container
	Parent      *Block
	Children    []*Block
	Text        []Span // its own lines: a table's rows without the delimiter, what stands between fences

	Level   int    // of a heading
	Columns int    // of a table
	Info    string // behind the opening fence
	Mark    int    // byte of an item's marker in its first line
	Column  int    // of that marker
}

// A Span is a line of a block's text.
type Span struct {
	Line int
	From int    // byte of the line
	Pad  int    // columns of white space that stand before the text: of a tab in part, where the block is code
	Text string // up to the end of the line, but for headings
}

// String is the block's text, with its lines apart.
func (b *Block) String() string {
	if len(b.Text) == 1 {
		return b.Text[0].Text
	}
	var s strings.Builder
	for i := range b.Text {
		if i > 0 {
			s.WriteByte('\n')
		}
		s.WriteString(b.Text[i].Text)
	}
	return s.String()
}

// Own are the paragraphs that a container begins with.
func (b *Block) Own() []*Block {
	n := 0
	for n < len(b.Children) && b.Children[n].Kind == Paragraph {
		n++
	}
	return b.Children[:n]
}

// A Mark is how a line is read: what it belongs to, and how many containers are open behind it.
type Mark struct {
	Kind  Kind
	Depth uint8
}

// maxNesting is how many quotes and items may stand in each other; markers beyond that are text.
const maxNesting = 64

// Blocks reads lines as CommonMark does, with tables, and gives the blocks at the margin in the order of the page. Comments should be blank
// already. What the lines are read as is noted in marks, which is as long as lines, or nil. The time grows with the length, whatever the
// shape.
func Blocks(lines []string, marks []Mark) iter.Seq[*Block] {
	return func(yield func(*Block) bool) {
		s := scanner{lines: lines, marks: marks}
		for s.i = range lines {
			s.note(s.line())
			if n := len(s.roots) - 1; n > 0 { // all but the last are complete
				for _, b := range s.roots[:n] {
					if !yield(b) {
						return
					}
					s.drop(b)
				}
				s.roots = append(s.roots[:0], s.roots[n])
			}
		}
		s.close(0)
		for _, b := range s.roots {
			if !yield(b) {
				return
			}
		}
	}
}

// Title is the first heading of the first level at a page's margin, as it stands there; "" where there is none.
func Title(body []byte) string {
	if body = BlankComments(body); !mayBeTitled(body) {
		return ""
	}
	for b := range Blocks(strings.Split(string(body), "\n"), nil) {
		if b.Kind == Heading && b.Level == 1 && len(b.Text) > 0 {
			return strings.Join(strings.Fields(b.String()), " ")
		}
	}
	return ""
}

// mayBeTitled tells whether any line looks like a heading of the first level, or like what underlines one.
func mayBeTitled(body []byte) bool {
	if bytes.IndexByte(body, '#') < 0 && bytes.IndexByte(body, '=') < 0 {
		return false
	}
	for line := range bytes.Lines(body) {
		if line = bytes.TrimLeft(line, " "); len(line) > 0 && line[0] == '=' || line[0] == '#' && (len(line) == 1 || line[1] != '#') {
			return true
		}
	}
	return false
}

type scanner struct {
	lines  []string
	marks  []Mark
	i      int
	c      column
	stack  []container // that are open
	leaf   *Block      // that is open: a paragraph, code or HTML
	roots  []*Block
	spare  []Block  // allocated together, and as the next ones
	read   []*Block // that were read, for the next ones
	firsts []*Block
	spans  []Span

	fence   string
	indent  int            // of the fence
	htmlEnd *regexp.Regexp // nil where a blank line ends it
}

// A container is an open quote or item.
type container struct {
	*Block
	width int
	empty bool // an item whose first line holds nothing
}

// note takes down what the line was read as.
func (s *scanner) note(k Kind) {
	if s.marks != nil {
		s.marks[s.i] = Mark{k, uint8(len(s.stack))}
	}
	if k != Blank {
		for i := range s.stack {
			s.stack[i].Last = s.i
		}
	}
}

func (s *scanner) line() Kind {
	s.c = column{s: s.lines[s.i]}
	open := s.match()
	if open == len(s.stack) {
		if k, ok := s.continues(); ok {
			return k
		}
	}
	if s.leaf != nil && s.leaf.Kind != Paragraph {
		s.end()
	}
	rest, item := s.c.rest(), false
	for !Empty(rest) && len(s.stack) < maxNesting {
		if n, _ := s.c.indent(); n >= 4 {
			break
		}
		k := s.opens(rest, open)
		if k == Blank {
			break
		}
		if k < Quote {
			return k
		}
		item = k == Item
		open, rest = len(s.stack), s.c.rest()
	}
	k := s.text(rest, open)
	if k == Blank && item {
		return Item
	}
	return k
}

// match walks the open containers that the line continues.
func (s *scanner) match() int {
	for i := range s.stack {
		k := &s.stack[i]
		n, end := s.c.indent()
		switch {
		case k.Kind == Quote:
			if n > 3 || end >= len(s.c.s) || s.c.s[end] != '>' {
				return i
			}
			s.quoteMark(n)
		case Empty(s.c.s[end:]):
			if k.empty {
				return i
			}
			s.c = column{s: s.c.s, pos: len(s.c.s)}
		case n >= k.width:
			s.c.skip(k.width)
			k.empty = false
		default:
			return i
		}
	}
	return len(s.stack)
}

func (s *scanner) quoteMark(indent int) {
	s.c.skip(indent)
	s.c.take(1)
	s.c.skip(1)
}

// continues takes the line into the open code or HTML, where it belongs there.
func (s *scanner) continues() (Kind, bool) {
	if s.leaf == nil {
		return Blank, false
	}
	n, end := s.c.indent()
	rest := s.c.s[end:]
	switch s.leaf.Kind {
	case Fence:
		run := len(rest) - len(strings.TrimLeft(rest, s.fence[:1]))
		if n < 4 && run >= len(s.fence) && Empty(rest[run:]) {
			s.leaf.Last = s.i
			s.end()
			return Fence, true
		}
		s.c.skip(s.indent)
		s.raw()
	case Code:
		switch blank := Empty(rest); {
		case n < 4 && !blank:
			return Blank, false
		case blank:
			s.c.skip(4)
			s.raw()
			return Blank, true
		}
		s.c.skip(4)
		s.raw()
	case HTML:
		if s.htmlEnd == nil && Empty(rest) {
			return Blank, false
		}
		s.html(rest)
		return HTML, true
	default:
		return Blank, false
	}
	return s.leaf.Kind, true
}

func (s *scanner) html(rest string) {
	s.raw()
	if s.htmlEnd != nil && s.htmlEnd.MatchString(rest) {
		s.end()
	}
}

// raw takes what is left of the line into the open leaf as it stands.
func (s *scanner) raw() { s.span(s.c.pos, s.c.left, s.c.s[s.c.pos:]) }

func (s *scanner) span(from, pad int, text string) {
	if len(s.leaf.Text) == 0 {
		if len(s.spans) == cap(s.spans) {
			s.spans = make([]Span, 0, min(1+len(s.lines)-s.i, 64))
		}
		n := len(s.spans)
		s.spans = s.spans[:n+1]
		s.leaf.Text = s.spans[n : n : n+1]
	}
	s.leaf.Last = s.i
	if n := len(s.leaf.Text); n > 64 && n == cap(s.leaf.Text) { // append would make room for a quarter more
		s.leaf.Text = slices.Grow(s.leaf.Text, n)
	}
	s.leaf.Text = append(s.leaf.Text, Span{s.i, from, pad, text})
}

// drop gives a block that was read, and those in it, to be used again.
func (s *scanner) drop(b *Block) {
	for _, c := range b.Children {
		s.drop(c)
	}
	*b = Block{Children: b.Children[:0]}
	s.read = append(s.read, b)
}

// add begins a block in the innermost container.
func (s *scanner) add(k Kind) *Block {
	var b *Block
	if n := len(s.read); n > 0 {
		b, s.read = s.read[n-1], s.read[:n-1]
	} else {
		if len(s.spare) == 0 {
			s.spare = make([]Block, min(2*(1+len(s.lines)-s.i), 32))
		}
		b, s.spare = &s.spare[0], s.spare[1:]
	}
	b.Kind, b.First, b.Last = k, s.i, s.i
	if n := len(s.stack); n > 0 {
		b.Parent = s.stack[n-1].Block
		if cap(b.Parent.Children) == 0 { // most have one child
			if len(s.firsts) == 0 {
				s.firsts = make([]*Block, len(s.spare)+1)
			}
			b.Parent.Children, s.firsts = s.firsts[:0:1], s.firsts[1:]
		}
		b.Parent.Children = append(b.Parent.Children, b)
	} else {
		s.roots = append(s.roots, b)
	}
	return b
}

var (
	ruleRE = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})\r?$`)
	})
	underRE = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:=+|-+)[ \t\r]*$`) })
	boxRE   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\[([ \txX])\][ \t]*`) })
)

// opens starts the block that begins at rest, and gives its kind: Blank where none does.
func (s *scanner) opens(rest string, open int) Kind {
	inPara := s.leaf != nil && open == len(s.stack)
	switch c := rest[0]; {
	case c == '>':
		s.close(open)
		n, _ := s.c.indent()
		s.quoteMark(n)
		s.stack = append(s.stack, container{Block: s.add(Quote)})
		return Quote
	case c == '#':
		return s.heading(rest, open)
	case (c == '`' || c == '~') && s.opensFence(rest, open):
		return Fence
	case c == '<' && s.htmlStarts(rest, s.leaf != nil):
		s.close(open)
		s.leaf = s.add(HTML)
		s.html(rest)
		return HTML
	case (c == '=' || c == '-') && inPara && only(rest, "=- \t\r") && underRE().MatchString(rest) && s.underline(c):
		return Heading
	case (c == '*' || c == '-' || c == '_') && only(rest, "*-_ \t\r") && ruleRE().MatchString(rest):
		s.close(open)
		s.add(Rule)
		return Rule
	}
	return s.item(rest, open, s.leaf != nil && open == len(s.stack))
}

func (s *scanner) heading(rest string, open int) Kind {
	n := len(rest) - len(strings.TrimLeft(rest, "#"))
	if n > 6 || n < len(rest) && strings.IndexByte(" \t\r", rest[n]) < 0 {
		return Blank
	}
	s.close(open)
	s.leaf = s.add(Heading)
	s.leaf.Level = n
	text := strings.TrimSpace(rest[n:])
	if t := strings.TrimRight(text, "#"); t == "" || strings.IndexByte(" \t", t[len(t)-1]) >= 0 {
		text = strings.TrimSpace(t)
	}
	if text != "" {
		s.span(len(s.c.s)-len(rest)+n+strings.Index(rest[n:], text), 0, text)
	}
	s.leaf = nil
	return Heading
}

// underline makes a heading of the paragraph above, where no table ends that.
func (s *scanner) underline(c byte) bool {
	if tableAt(s.leaf.Text) > 0 {
		s.end()
		return false
	}
	s.leaf.Kind, s.leaf.Level, s.leaf.Last = Heading, 2, s.i
	if c == '=' {
		s.leaf.Level = 1
	}
	if s.marks != nil {
		for i := s.leaf.First; i < s.i; i++ {
			s.marks[i].Kind = Heading
		}
	}
	s.leaf = nil
	return true
}

func (s *scanner) opensFence(rest string, open int) bool {
	n := len(rest) - len(strings.TrimLeft(rest, rest[:1]))
	if n < 3 || rest[0] == '`' && strings.IndexByte(rest[n:], '`') >= 0 {
		return false
	}
	s.close(open)
	s.indent, _ = s.c.indent()
	s.fence, s.leaf = rest[:n], s.add(Fence)
	s.leaf.Info = strings.TrimSpace(rest[n:])
	return true
}

func (s *scanner) item(rest string, open int, inPara bool) Kind {
	w, number, ok := marker(rest)
	if !ok || inPara && (Empty(rest[w:]) || number != -1 && number != 1) {
		return Blank
	}
	s.close(open)
	n, end := s.c.indent()
	s.c.skip(n)
	b := s.add(Item)
	b.Mark, b.Column = end, s.c.col
	s.c.take(w)
	k := container{Block: b, width: n + w + 1}
	if pad, _ := s.c.indent(); Empty(s.c.rest()) {
		k.empty = true
	} else {
		if pad > 4 {
			pad = 1
		}
		s.c.skip(pad)
		k.width = n + w + pad
	}
	s.stack = append(s.stack, k)
	return Item
}

// text is a line that opens nothing: of a paragraph, of indented code, or blank.
func (s *scanner) text(rest string, open int) Kind {
	n, end := s.c.indent()
	switch {
	case Empty(rest):
		s.close(open)
		return Blank
	case s.leaf != nil: // lazily, where containers are not continued
	case n >= 4:
		s.close(open)
		s.leaf = s.add(Code)
		s.c.skip(4)
		s.raw()
		return Code
	default:
		s.close(open)
		s.leaf = s.add(Paragraph)
	}
	s.span(end, n, rest)
	return Paragraph
}

// close ends the leaf and the containers beyond the first n.
func (s *scanner) close(n int) {
	s.end()
	s.stack = s.stack[:n]
}

// end closes the leaf: a table may stand at the end of a paragraph.
func (s *scanner) end() {
	b := s.leaf
	if s.leaf = nil; b == nil {
		return
	}
	switch b.Kind {
	case Code:
		n := len(b.Text)
		for Empty(b.Text[n-1].Text) {
			n--
		}
		b.Text, b.Last = b.Text[:n], b.Text[n-1].Line
	case Paragraph:
		if n := tableAt(b.Text); n > 0 {
			s.cutTable(b, n)
		}
		if in := b.Parent; b.Kind == Paragraph && in != nil && in.Kind == Item && in.Children[0] == b {
			t := &b.Text[0]
			if m := boxRE().FindString(t.Text); m != "" {
				in.Box = m[1]
				t.From, t.Text = t.From+len(m), t.Text[len(m):]
			}
		}
	}
}
