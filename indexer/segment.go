package indexer

import (
	"bytes"
	"iter"
	"slices"

	"github.com/reverie-memory/reverie/markdown"
)

// The parser of Markdown takes more than linear time for some texts: links that are never closed, marks that are never matched, blocks in
// blocks. So no call of it sees more than a segment, and a segment is tame. A page that keeps to the bounds is one segment.
const (
	segmentSize = 64 << 10 // bytes of a segment
	maxNesting  = 24       // quotes and list items in each other
	maxColumns  = 100      // of a table: each of its rows gives as many cells
)

// A segment is a part of a page's body that is parsed by itself.
type segment struct {
	src   []byte // with the opening line of the code block that it continues
	lines int    // lines of the body before it, less that opening line
}

// segments cuts a body. A segment of full size ends before a block that stands at the margin, where it has one, else at a line, else at
// a word; one that has too many marks in a paragraph ends within that paragraph.
func segments(body []byte) iter.Seq[segment] {
	return func(yield func(segment) bool) {
		s := segmenter{body: body, blank: true}
		for s.pos < len(body) {
			end, marks := markdown.PartEnd(body, s.pos)
			s.line(end)
			if over := end-s.start > segmentSize; s.pos > s.start && (over || s.marks+marks > s.limit()) {
				cut := s.pos
				if over && s.safe > s.start {
					cut = s.safe
				}
				if !yield(s.cut(cut)) {
					return
				}
			}
			s.marks += marks
			s.close(end)
			s.pos = end
		}
		if s.start < len(body) {
			yield(s.cut(len(body)))
		}
	}
}

type segmenter struct {
	body  []byte
	start int // of the segment
	lines int // before it
	open  []byte
	pos   int
	safe  int    // the last place in the segment where a block begins at the margin
	blank bool   // the line before is blank
	html  bool   // HTML began behind a blank line
	marks int    // in the paragraph, as far as it is in the segment
	fence []byte // the opening line of the code block that pos is in
}

// limit is how many marks there may be: many more in what is read as it stands, code and HTML.
func (s *segmenter) limit() int {
	if s.fence != nil || s.html {
		return 32 * markdown.MaxMarks
	}
	return markdown.MaxMarks
}

// line notes what the line is that begins at pos, if one does.
func (s *segmenter) line(end int) {
	if s.pos > 0 && s.body[s.pos-1] != '\n' || s.fence != nil {
		return
	}
	l := s.body[s.pos:end]
	text := bytes.TrimLeft(l, " \t\r\n")
	switch {
	case len(text) == 0:
		s.blank, s.html, s.marks = true, false, 0
		return
	case text[0] == '#', s.blank && len(text) == len(l) && !isMarker(text[0]):
		s.safe, s.marks = s.pos, 0
	case isMarker(text[0]), text[0] == '|':
		s.marks = 0
	}
	s.html = s.html || s.blank && text[0] == '<'
	s.blank = false
}

// isMarker tells the signs that may begin a list item.
func isMarker(c byte) bool { return c == '-' || c == '*' || c == '+' || '0' <= c && c <= '9' }

// close notes whether the line that ends at end opens or closes a code block.
func (s *segmenter) close(end int) {
	if s.pos > 0 && s.body[s.pos-1] != '\n' {
		return
	}
	l := s.body[s.pos:end]
	text := bytes.TrimLeft(l, " \t>")
	run := fenceRun(text)
	switch {
	case run == 0:
	case s.fence == nil:
		s.fence, s.marks = l, 0
	case text[0] == bytes.TrimLeft(s.fence, " \t>")[0] && len(bytes.TrimSpace(text[run:])) == 0:
		s.fence = nil
	}
}

// fenceRun is the length of the run of signs that a fence of code has.
func fenceRun(text []byte) int {
	if len(text) < 3 || text[0] != '`' && text[0] != '~' {
		return 0
	}
	n := len(text) - len(bytes.TrimLeft(text, string(text[:1])))
	if n < 3 {
		return 0
	}
	return n
}

// cut ends the segment.
func (s *segmenter) cut(at int) segment {
	part := s.body[s.start:at]
	seg := segment{src: tame(part), lines: s.lines}
	if s.open != nil {
		seg.src, seg.lines = slices.Concat(s.open, seg.src), seg.lines-1
	}
	s.lines += bytes.Count(part, []byte("\n"))
	s.start, s.marks, s.open = at, 0, nil
	if s.fence != nil && at == s.pos { // not where it begins behind the cut
		s.open = append(bytes.TrimRight(bytes.TrimLeft(s.fence, " \t>"), "\r\n"), '\n')
	}
	return seg
}

// tame blanks the markers of what is nested too deeply, and the line that makes a table of too many columns: neither shows any word. Lines
// and offsets stay.
func tame(src []byte) []byte {
	out := src
	blank := func(from, to int) {
		if &out[0] == &src[0] {
			out = bytes.Clone(src)
		}
		for i := from; i < to; i++ {
			out[i] = ' '
		}
	}
	for pos := 0; pos < len(src); {
		end := pos + bytes.IndexByte(src[pos:], '\n') + 1
		if end == pos {
			end = len(src)
		}
		l := bytes.TrimRight(src[pos:end], "\r\n")
		for i, depth := 0, 1; ; depth++ {
			from, to := containerMark(l, i)
			if to == 0 {
				break
			}
			if depth > maxNesting {
				blank(pos+from, pos+to)
			}
			i = to
		}
		if bytes.Count(l, []byte("|")) > maxColumns && len(bytes.Trim(l, "|:- \t>")) == 0 {
			blank(pos, pos+len(l))
		}
		pos = end
	}
	return out
}

// containerMark finds the marker of a quote or list item at or behind i; to is 0 when there is none.
func containerMark(l []byte, i int) (from, to int) {
	for i < len(l) && (l[i] == ' ' || l[i] == '\t') {
		i++
	}
	from = i
	switch {
	case i == len(l):
		return 0, 0
	case l[i] == '>':
		return from, i + 1
	case l[i] == '-' || l[i] == '*' || l[i] == '+':
		i++
	default:
		for i < len(l) && i < from+9 && '0' <= l[i] && l[i] <= '9' {
			i++
		}
		if i == from || i == len(l) || l[i] != '.' && l[i] != ')' {
			return 0, 0
		}
		i++
	}
	if i < len(l) && l[i] != ' ' && l[i] != '\t' {
		return 0, 0
	}
	return from, i
}
