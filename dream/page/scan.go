package page

import (
	"regexp"
	"strings"
	"sync"
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
	role   role
	depth  int
	hidden bool   // in part, by a comment
	own    string // of the item that starts here
	sect   string
}

type role uint8

const (
	isBlank role = iota
	isText
	isHeading
	isRule
	isFence
	isHTML
	isCode
)

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
	asked      bool // an item or a gap has ended the question
	options    []*item
	id         string
}

// A container is an open quote or item.
type container struct {
	quote bool
	width int
	it    *item
	call  *conflict
	empty bool // an item whose first line holds nothing
	used  bool // a quote that has had its first block
}

type leaf uint8

const (
	noLeaf leaf = iota
	paragraph
	fenced
	html
	table
)

// maxNesting is how many quotes and items may stand in each other; markers beyond that are text.
const maxNesting = 64

// A scanner reads blocks as CommonMark does, as far as list items, headings and what hides them.
type scanner struct {
	lines []*line
	vis   []string

	i       int
	c       column
	stack   []container
	spare   []item // allocated together
	leaf    leaf
	fence   string
	htmlEnd *regexp.Regexp
	para    int // line where the paragraph starts
	lead    *region
	region  *region
	outer   []*region // open headings
	regions []*region
	calls   []*conflict
}

func (s *scanner) run() {
	s.lead = &region{}
	s.region = s.lead
	s.regions = []*region{s.lead}
	for s.i = range s.lines {
		ln := s.lines[s.i]
		ln.item, ln.call, ln.mark = nil, nil, mark{hidden: ln.text != s.vis[s.i]}
		ln.region = s.region
		s.line(ln)
		ln.mark.depth = len(s.stack)
		ln.mark.sect = ln.region.name
		if ln.mark.role != isBlank {
			for i := range s.stack {
				if c := &s.stack[i]; c.it != nil {
					c.it.end = ln
				} else if c.call != nil {
					c.call.end = ln
				}
			}
		}
	}
	for _, ln := range s.lines {
		if ln.item != nil && len(ln.item.own) > 0 {
			ln.mark.own = ln.item.raw()
		}
	}
}

func (s *scanner) line(ln *line) {
	s.c = column{s: s.vis[s.i]}
	open := s.match()
	if open == len(s.stack) && s.continues(ln) {
		return
	}
	if s.leaf == fenced || s.leaf == html {
		s.leaf = noLeaf
	}
	rest := s.c.rest()
	for !blank(rest) && len(s.stack) < maxNesting {
		if n, _ := s.c.indent(); n >= 4 || !s.opens(ln, rest, open) {
			break
		}
		if ln.mark.role != isBlank {
			return
		}
		open, rest = len(s.stack), s.c.rest()
	}
	s.text(ln, rest, open)
}

// match walks the open containers that the line continues.
func (s *scanner) match() int {
	for i := range s.stack {
		k := &s.stack[i]
		n, end := s.c.indent()
		switch {
		case k.quote:
			if n > 3 || end >= len(s.c.s) || s.c.s[end] != '>' {
				return i
			}
			s.quoteMark(n)
		case blank(s.c.s[end:]):
			if k.empty {
				return i
			}
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

// continues tells whether the line belongs to an open fence or HTML block.
func (s *scanner) continues(ln *line) bool {
	n, end := s.c.indent()
	rest := s.c.s[end:]
	switch s.leaf {
	case fenced:
		ln.mark.role = isFence
		run := len(rest) - len(strings.TrimLeft(rest, s.fence[:1]))
		if n < 4 && run >= len(s.fence) && blank(rest[run:]) {
			s.leaf = noLeaf
		}
	case html:
		if s.htmlEnd == nil && blank(rest) {
			s.leaf = noLeaf
			return false
		}
		ln.mark.role = isHTML
		if s.htmlEnd != nil && s.htmlEnd.MatchString(rest) {
			s.leaf = noLeaf
		}
	default:
		return false
	}
	return true
}

var (
	headingRE = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(#{1,6})(?:[ \t]+(.*?))??(?:[ \t]+#+)?[ \t\r]*$`) })
	ruleRE    = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})\r?$`)
	})
	underRE    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:=+|-+)[ \t\r]*$`) })
	fenceRE    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("^(`{3,}|~{3,})(.*)$") })
	checkRE    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\[([ \txX])\][ \t]*`) })
	conflictRE = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^\[!warning\][+-]?[ \t]*conflict\b[ \t]*[:.–—-]*[ \t]*(.*)$`)
	})
)

// opens starts the block that begins at rest, if one does. A container leaves the line's role open, for there may be more.
func (s *scanner) opens(ln *line, rest string, open int) bool {
	inPara := s.leaf == paragraph && open == len(s.stack)
	switch c := rest[0]; {
	case c == '>':
		s.close(open)
		n, _ := s.c.indent()
		s.quoteMark(n)
		s.other()
		s.stack = append(s.stack, container{quote: true})
	case c == '#':
		m := headingRE().FindStringSubmatch(rest)
		if m == nil {
			return s.opensItem(ln, rest, open, inPara)
		}
		s.close(open)
		s.other()
		ln.mark.role = isHeading
		s.heading(s.i, len(m[1]), m[2])
	case (c == '`' || c == '~') && s.fences(rest):
		s.close(open)
		s.other()
		s.leaf, ln.mark.role = fenced, isFence
	case c == '<' && s.htmlStarts(rest, s.leaf == paragraph):
		s.close(open)
		s.other()
		ln.mark.role = isHTML
		if s.leaf = html; s.htmlEnd != nil && s.htmlEnd.MatchString(rest) {
			s.leaf = noLeaf
		}
	case (c == '=' || c == '-') && inPara && strings.Trim(rest, "=- \t\r") == "" && underRE().MatchString(rest):
		ln.mark.role = isHeading
		s.underline(rest)
	case (c == '*' || c == '-' || c == '_') && strings.Trim(rest, "*-_ \t\r") == "" && ruleRE().MatchString(rest):
		s.close(open)
		s.other()
		ln.mark.role = isRule
	default:
		return s.opensItem(ln, rest, open, inPara)
	}
	return true
}

func (s *scanner) fences(rest string) bool {
	m := fenceRE().FindStringSubmatch(rest)
	if m == nil || m[1][0] == '`' && strings.Contains(m[2], "`") {
		return false
	}
	s.fence = m[1]
	return true
}

func (s *scanner) opensItem(ln *line, rest string, open int, inPara bool) bool {
	w, number, ok := marker(rest)
	if !ok || inPara && (blank(rest[w:]) || number != -1 && number != 1) {
		return false
	}
	s.close(open)
	n, end := s.c.indent()
	s.c.skip(n)
	it := s.newItem()
	*it = item{first: ln, end: ln, mark: end, col: s.c.col}
	for i := range s.stack {
		if k := &s.stack[i]; k.it != nil {
			it.parent = k.it
		} else {
			it.quoted = true
			it.call = k.call
		}
	}
	s.other()
	s.c.take(w)
	k := container{it: it, width: n + w + 1}
	if pad, _ := s.c.indent(); blank(s.c.rest()) {
		k.empty = true
	} else {
		if pad > 4 {
			pad = 1
		}
		s.c.skip(pad)
		k.width = n + w + pad
	}
	s.stack = append(s.stack, k)
	ln.item = it // of two on one line, the outer has no text
	switch {
	case it.call != nil && it.parent == nil:
		it.call.options, it.call.asked = append(it.call.options, it), true
	case it.parent == nil && !it.quoted:
		s.region.last = it
	}
	return true
}

// newItem takes one of those that were allocated together.
func (s *scanner) newItem() *item {
	if len(s.spare) == 0 {
		s.spare = make([]item, min(1+len(s.lines)-s.i, 32))
	}
	it := &s.spare[0]
	s.spare = s.spare[1:]
	return it
}

// close ends the paragraph and the containers beyond the first n.
func (s *scanner) close(n int) {
	s.stack = s.stack[:n]
	s.leaf = noLeaf
}

// other notes that something other than a paragraph begins in the innermost container.
func (s *scanner) other() {
	if len(s.stack) == 0 {
		return
	}
	k := &s.stack[len(s.stack)-1]
	k.used = true
	if k.it != nil {
		k.it.more = true
	} else if k.call != nil {
		k.call.asked = true
	}
}

// text is a line that opens nothing: of a paragraph, of indented code, or blank.
func (s *scanner) text(ln *line, rest string, open int) {
	switch n, _ := s.c.indent(); {
	case blank(rest):
		s.close(open)
		if len(s.stack) > 0 && ln.mark.role == isBlank {
			if k := &s.stack[len(s.stack)-1]; k.call != nil {
				k.call.asked = true
			}
		}
		if ln.item != nil {
			ln.mark.role = isText
		}
	case s.leaf == table && open == len(s.stack):
		ln.mark.role = isText
	case (n < 4 || s.leaf == paragraph) && s.tableStarts(rest):
		s.close(open)
		s.other()
		s.leaf, ln.mark.role = table, isText
	case s.leaf == paragraph: // lazily, where containers are not continued
		s.paragraph(ln, false)
	case n >= 4:
		s.close(open)
		s.other()
		ln.mark.role = isCode
	default:
		s.close(open)
		s.leaf, s.para = paragraph, s.i
		s.paragraph(ln, true)
	}
}

func (s *scanner) paragraph(ln *line, first bool) {
	ln.mark.role = isText
	if len(s.stack) == 0 {
		return
	}
	k := &s.stack[len(s.stack)-1]
	_, off := s.c.indent()
	switch {
	case k.it != nil && !k.it.more:
		k.it.add(ln, s.vis[s.i], off, first)
	case k.it == nil && first && !k.used && len(s.stack) == 1:
		if m := conflictRE().FindStringSubmatch(s.vis[s.i][off:]); m != nil {
			k.call = &conflict{first: ln, end: ln, title: strings.TrimSpace(m[1])}
			ln.call = k.call
			s.calls = append(s.calls, k.call)
		}
	case k.call != nil && !k.call.asked:
		k.call.question = append(k.call.question, s.vis[s.i][off:])
	}
	k.used = true
}

// add takes a line of the item's text.
func (it *item) add(ln *line, vis string, off int, gap bool) {
	first := len(it.own) == 0
	if first {
		if m := checkRE().FindString(vis[off:]); m != "" {
			it.task, it.done = true, m[1]|0x20 == 'x'
			off += len(m)
		}
	}
	it.hidden = it.hidden || vis != ln.text
	it.own = append(it.own, seg{ln: ln, off: off, vis: vis, gap: gap && !first})
}

// raw is the bytes of the item's own lines from its marker on.
func (it *item) raw() string {
	lines := []string{it.first.text[min(it.mark, len(it.first.text)):]}
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

// underline makes a heading of the paragraph above.
func (s *scanner) underline(rest string) {
	s.leaf = noLeaf
	if k := len(s.stack); k > 0 {
		if it := s.stack[k-1].it; it != nil {
			it.own, it.more = nil, true
		}
		return
	}
	var text []string
	for _, v := range s.vis[s.para:s.i] {
		text = append(text, strings.TrimSpace(v))
	}
	level := 2
	if rest[0] == '=' {
		level = 1
	}
	s.heading(s.para, level, strings.Join(text, " "))
}

// heading begins a region at line n. Headings within quotes and items divide nothing.
func (s *scanner) heading(n, level int, text string) {
	if len(s.stack) > 0 {
		return
	}
	if level == 1 && len(s.regions) == 1 && s.lead.head == nil {
		s.lead.head, s.lead.level = s.lines[n], 1
	} else {
		for len(s.outer) > 0 && s.outer[len(s.outer)-1].level >= level {
			s.outer = s.outer[:len(s.outer)-1]
		}
		r := &region{head: s.lines[n], level: level, name: strings.ReplaceAll(read(strings.TrimSpace(text), nil).text, "\n", " ")}
		r.history = strings.EqualFold(r.name, History) || len(s.outer) > 0 && s.outer[len(s.outer)-1].history
		s.outer = append(s.outer, r)
		s.regions = append(s.regions, r)
		s.region = r
	}
	for _, ln := range s.lines[n : s.i+1] {
		ln.region = s.region
		ln.mark.sect = s.region.name
		ln.mark.role = isHeading
	}
}
