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
	seen string // the text with comments as spaces, as the index reads it
	eol  string // "\n" or "\r\n", also at the end of a file that ends without

	own  string // the bytes of the item that starts here, where it has a text
	id   string // of that item
	rank int    // among items with the same section and bytes when the id was given, -1 where those have changed since

	item   *item
	call   *conflict // that starts here
	head   *region   // that this line, a heading at the margin, begins
	region *region
	at     int // its index

	kind  markdown.Kind // tables and markers that stand alone are paragraphs
	depth uint8
	root  bool // a block at the margin begins here
	here  bool // on the page
	fresh bool // named by the edit that is under way
}

// A region is a heading and what stands under it, up to the next heading; the first one is headed by the title or nothing.
type region struct {
	head    *line
	outer   *region // the one that it is a part of
	level   int
	title   string // as it stands
	name    string
	history bool
	last    *item // at the margin, neither in a quote nor in another item
}

// An item is a list item: what is kept of its block, and its lines.
type item struct {
	mark   int  // byte of its marker in its first line
	column int  // of that marker
	box    byte // in its checkbox, 0 where it has none
	more   bool // it has more than its own text
	first  *line
	end    *line // the last line of it or its children
	own    []seg // the lines of its text
	parent *item
	call   *conflict
	quoted bool
	hidden bool     // a comment stands in its text
	shown  *reading // once it was read
}

// A seg is the part of a line that is text of an item.
type seg struct {
	ln  *line
	off int
	gap bool // another paragraph begins
}

func (g seg) text() string { return g.ln.seen[g.off:] }

// A conflict is a callout that asks a person to decide.
type conflict struct {
	first, end *line
	title      string
	question   []string
	options    []*item
}

// A scanner notes beside lines what the blocks are that they belong to.
type scanner struct {
	lines []*line
	spare []item // allocated together, and as the next ones
	segs  []seg
}

// scan reads the lines from from to to. scan is false where the line behind them begins no block: then that has to be read with them.
func (d *Doc) scan(from, to int) (whole bool) {
	lines := d.lines[from:min(to+1, len(d.lines))]
	n := to - from
	d.see(lines)
	d.marks = slices.Grow(d.marks[:0], len(lines))[:len(lines)]
	for _, ln := range lines[:n] {
		ln.item, ln.call, ln.root = nil, nil, false
	}
	s := scanner{lines: lines}
	whole = len(lines) == n
	for b := range markdown.Blocks(d.seen, d.marks) {
		if b.Last >= n {
			whole = b.First == n
			break
		}
		first := lines[b.First]
		first.root = true
		if r := first.head; b.Kind == markdown.Heading && (r == nil || r.title != b.String() || r.level != b.Level) {
			name := strings.ReplaceAll(read(b.String()).text, "\n", " ")
			first.head = &region{head: first, level: b.Level, title: b.String(), name: name}
		}
		s.block(b, nil, nil, false)
	}
	for i, ln := range lines[:n] {
		if ln.kind, ln.depth = d.marks[i].Kind, d.marks[i].Depth; ln.kind == markdown.Table || ln.kind == markdown.Item {
			ln.kind = markdown.Paragraph
		}
		if !ln.root || ln.depth > 0 || ln.kind != markdown.Heading {
			ln.head = nil
		}
		own := ""
		if ln.says() {
			own = ln.item.raw()
		}
		if own != ln.own {
			ln.own, ln.rank = own, -1
		}
	}
	return whole
}

// see notes what no comment hides of lines, which are all of the page where it has any comment.
func (d *Doc) see(lines []*line) {
	d.seen = slices.Grow(d.seen[:0], len(lines))
	for _, ln := range lines {
		d.seen = append(d.seen, ln.text)
	}
	if d.hides && len(lines) > 0 {
		d.seen = strings.Split(string(markdown.BlankComments([]byte(strings.Join(d.seen, "\n")))), "\n")
	}
	for i, ln := range lines {
		ln.seen = d.seen[i]
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
		mark: b.Mark, column: b.Column, box: b.Box, more: len(own) < len(b.Children),
		first: s.lines[b.First], end: s.lines[b.Last], parent: in, call: call, quoted: quoted,
	}
	for n, p := range own {
		if len(p.Text) > 1 || n > 0 {
			it.own = slices.Grow(it.own, len(p.Text))
		} else {
			if len(s.segs) == 0 {
				s.segs = make([]seg, len(s.spare)+1)
			}
			it.own, s.segs = s.segs[:0:1], s.segs[1:]
		}
		for i, t := range p.Text {
			g := seg{ln: s.lines[t.Line], off: t.From, gap: i == 0 && n > 0}
			it.own, it.hidden = append(it.own, g), it.hidden || g.ln.hidden()
		}
	}
	it.first.item = it // of two on one line, the outer has no text
	if call != nil && in == nil {
		call.options = append(call.options, it)
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
	return k
}

// settle gives the lines from the from-th on their places and their regions. settle is false where a line comes under another heading,
// unless it is blank or code, or the edit names the line or the heading.
func (d *Doc) settle(from int) (ok bool) {
	n := 1
	for n < len(d.regions) && d.regions[n].head.at < from {
		n++
	}
	d.regions = d.regions[:n]
	if h := d.lead.head; h != nil && h.at >= from {
		d.lead.head, d.lead.level = nil, 0
	}
	r := d.regions[n-1]
	if r.last != nil && r.last.first.at >= from {
		r.last = nil
		for i := from; i > 0 && d.lines[i-1].region == r && r.last == nil; i-- {
			r.last = d.lines[i-1].margin()
		}
	}
	ok = true
	for i, ln := range d.lines[from:] {
		ln.at = from + i
		if h := ln.head; h != nil && h.level == 1 && len(d.regions) == 1 && d.lead.head == nil {
			d.lead.head, d.lead.level = ln, 1
		} else if h != nil {
			for r != d.lead && r.level >= h.level {
				r = r.outer
			}
			h.outer, h.last, h.history = r, nil, r.history || strings.EqualFold(h.name, History)
			r, d.regions = h, append(d.regions, h)
		}
		if was := ln.region; was != r {
			if ln.here && was.name != r.name {
				ok = ok && (ln.fresh || ln.kind == markdown.Blank || ln.code() || was.head != nil && was.head.fresh)
				ln.rank, d.stale = -1, d.stale || ln.id != ""
			}
			ln.region = r
		}
		if it := ln.margin(); it != nil {
			r.last = it
		}
	}
	return ok
}

// says tells whether an item with a text starts here.
func (ln *line) says() bool { return ln.item != nil && len(ln.item.own) > 0 }

// margin is the item that starts here at the margin.
func (ln *line) margin() *item {
	it := ln.item
	for it != nil && it.parent != nil && it.parent.first == ln {
		it = it.parent
	}
	if it == nil || it.parent != nil || it.quoted {
		return nil
	}
	return it
}

// code tells whether the line is read as it stands.
func (ln *line) code() bool {
	return ln.kind == markdown.Fence || ln.kind == markdown.HTML || ln.kind == markdown.Code
}

// hidden tells whether a comment hides some of the line.
func (ln *line) hidden() bool { return ln.seen != ln.text }

// empty tells whether nothing at all stands in the line.
func (ln *line) empty() bool { return strings.TrimSpace(ln.text) == "" }

// raw is the bytes of the item's own lines from its marker on.
func (it *item) raw() string {
	head := it.first.text[min(it.mark, len(it.first.text)):]
	if len(it.own) == 1 && it.own[0].ln == it.first {
		return head
	}
	lines := append(make([]string, 0, 1+len(it.own)), head)
	for _, g := range it.own {
		if g.ln != it.first {
			lines = append(lines, g.ln.text)
		}
	}
	return strings.Join(lines, "\n")
}
