package page

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/reverie-memory/reverie/markdown"
)

// A line is one line of the body. Its pointer is its identity: edits change or move lines, and what is known of a statement
// follows its first line.
type line struct {
	text string
	eol  string // "\n", "\r\n" or "" at the end of a file

	mark   mark
	region *region
	item   *item     // that starts here
	call   *conflict // that starts here
	id     string    // of the item
	named  naming    // what the id was derived from
	gone   bool      // taken off the page
	fresh  bool      // named by the edit that is under way
	last   reading
	key    string // what last was read from
}

// A mark is what a line is read as. No edit may change it for a line that the edit does not name.
type mark struct {
	role   markdown.Kind // tables and markers that stand alone are paragraphs
	depth  int
	hidden bool   // in part, by a comment
	own    string // of the item that starts here
	sect   string
}

// A region is a heading and what stands under it, up to the next heading; the first one is headed by the title or nothing.
type region struct {
	head    *line
	level   int
	name    string
	history bool
	last    *item // at the margin, neither in a quote nor in another item
}

// An item is a list item.
type item struct {
	first  *line
	end    *line // the last line of it or its children
	own    []seg // the lines of its text
	parent *item
	call   *conflict
	quoted bool
	more   bool // has more than its own text
	mark   int  // byte of its marker in the first line
	col    int  // column of its marker
	task   bool
	done   bool
	hidden bool // a comment stands in its text
}

// A seg is the part of a line that is text of an item.
type seg struct {
	ln  *line
	off int
	vis string
	gap bool // another paragraph begins
}

// A conflict is a callout that asks a person to decide.
type conflict struct {
	first, end *line
	title      string
	question   []string
	options    []*item
	id         string
}

// A scanner notes beside lines what they are read as.
type scanner struct {
	lines []*line
	vis   []string
	marks []markdown.Mark

	next    int // the first line that has no region yet
	lead    *region
	region  *region
	outer   []*region // open headings
	regions []*region
	calls   []*conflict
	spare   []item // allocated together
}

// scan reads lines, of which vis is what no comment hides.
func scan(lines []*line, vis []string) *scanner {
	s := &scanner{lines: lines, vis: vis, marks: make([]markdown.Mark, len(lines)), lead: &region{}}
	s.region, s.regions = s.lead, []*region{s.lead}
	for _, ln := range lines {
		ln.item, ln.call = nil, nil
	}
	for b := range markdown.Blocks(vis, s.marks) {
		if b.Kind == markdown.Heading {
			s.enter(b.First)
			s.heading(b)
		}
		s.block(b, nil, nil, false)
	}
	s.enter(len(lines))
	for i, ln := range lines {
		m := s.marks[i]
		if m.Kind == markdown.Table || m.Kind == markdown.Item {
			m.Kind = markdown.Paragraph
		}
		ln.mark = mark{role: m.Kind, depth: int(m.Depth), hidden: ln.text != vis[i], sect: ln.region.name}
		if ln.item != nil && len(ln.item.own) > 0 {
			ln.mark.own = ln.item.raw()
		}
	}
	return s
}

// enter gives the lines before the n-th their region.
func (s *scanner) enter(n int) {
	for ; s.next < n; s.next++ {
		s.lines[s.next].region = s.region
	}
}

// block takes a block in an item, or in a quote that may be a conflict.
func (s *scanner) block(b *markdown.Block, in *item, call *conflict, quoted bool) {
	switch b.Kind {
	case markdown.Quote:
		call, quoted = s.conflict(b), true
	case markdown.Item:
		in = s.item(b, in, call, quoted)
	}
	for _, c := range b.Children {
		s.block(c, in, call, quoted)
	}
}

func (s *scanner) item(b *markdown.Block, in *item, call *conflict, quoted bool) *item {
	if len(s.spare) == 0 {
		s.spare = make([]item, min(1+len(s.lines)-b.First, 32))
	}
	it := &s.spare[0]
	s.spare = s.spare[1:]
	own := b.Own()
	*it = item{
		first: s.lines[b.First], end: s.lines[b.Last], parent: in, call: call, quoted: quoted, more: len(own) < len(b.Children),
		mark: b.Mark, col: b.Column, task: b.Box != 0, done: b.Box|0x20 == 'x',
	}
	for n, p := range own {
		it.own = slices.Grow(it.own, len(p.Text))
		for i, t := range p.Text {
			g := seg{ln: s.lines[t.Line], off: t.From, vis: s.vis[t.Line], gap: i == 0 && n > 0}
			it.own, it.hidden = append(it.own, g), it.hidden || g.vis != g.ln.text
		}
	}
	it.first.item = it // of two on one line, the outer has no text
	switch {
	case call != nil && in == nil:
		call.options = append(call.options, it)
	case in == nil && !quoted:
		s.region.last = it
	}
	return it
}

var conflictRE = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^\[!warning\][+-]?[ \t]*conflict\b[ \t]*[:.–—-]*[ \t]*(.*)$`)
})

// conflict is the one that a quote at the margin is, nil where it is none. Its question ends with its first paragraph.
func (s *scanner) conflict(b *markdown.Block) *conflict {
	if b.Parent != nil || len(b.Own()) == 0 {
		return nil
	}
	text := b.Children[0].Text
	m := conflictRE().FindStringSubmatch(text[0].Text)
	if m == nil {
		return nil
	}
	k := &conflict{first: s.lines[text[0].Line], end: s.lines[b.Last], title: strings.TrimSpace(m[1])}
	for _, t := range text[1:] {
		k.question = append(k.question, t.Text)
	}
	k.first.call = k
	s.calls = append(s.calls, k)
	return k
}

// heading begins a region. Headings within quotes and items divide nothing.
func (s *scanner) heading(b *markdown.Block) {
	if b.Level == 1 && len(s.regions) == 1 && s.lead.head == nil {
		s.lead.head, s.lead.level = s.lines[b.First], 1
		return
	}
	for len(s.outer) > 0 && s.outer[len(s.outer)-1].level >= b.Level {
		s.outer = s.outer[:len(s.outer)-1]
	}
	r := &region{head: s.lines[b.First], level: b.Level, name: strings.ReplaceAll(read(b.String()).text, "\n", " ")}
	r.history = strings.EqualFold(r.name, History) || len(s.outer) > 0 && s.outer[len(s.outer)-1].history
	s.outer = append(s.outer, r)
	s.regions = append(s.regions, r)
	s.region = r
}

// raw is the bytes of the item's own lines from its marker on.
func (it *item) raw() string {
	head := it.first.text[min(it.mark, len(it.first.text)):]
	if len(it.own) == 1 && it.own[0].ln == it.first {
		return head
	}
	lines := []string{head}
	for _, g := range it.own {
		if g.ln != it.first {
			lines = append(lines, g.ln.text)
		}
	}
	return strings.Join(lines, "\n")
}

// text is what is read as the item's text.
func (it *item) text() string {
	var b strings.Builder
	for i, g := range it.own {
		if i > 0 {
			b.WriteByte('\n')
		}
		if g.gap {
			b.WriteByte('\n')
		}
		b.WriteString(g.vis[g.off:])
	}
	return b.String()
}
