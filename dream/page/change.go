package page

import (
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/markdown"
)

// undo is what takes an edit back.
type undo struct {
	lines []*line
	front []byte
	texts map[*line][2]string // text and eol
	marks map[*line]mark
}

// try makes an edit that may change how other lines read. When one would, nothing is done and try is false. check looks at
// the page as it was read anew.
func (d *Doc) try(edit func(), check func() bool) bool {
	u := &undo{lines: slices.Clone(d.lines), front: d.front, texts: map[*line][2]string{}, marks: make(map[*line]mark, len(d.lines))}
	for _, ln := range d.lines {
		u.marks[ln] = ln.mark
		ln.fresh = false
	}
	d.undo = u
	edit()
	d.undo = nil
	d.scan()
	ok := !d.fences() || len(u.lines) > 0 && u.lines[0] == d.lines[0]
	for _, ln := range d.lines {
		if old, had := u.marks[ln]; had && !ln.fresh && !ln.mark.reads(old) {
			ok = false
		}
	}
	if ok && (check == nil || check()) {
		return true
	}
	for _, ln := range d.lines {
		ln.gone = true
	}
	d.lines, d.front = u.lines, u.front
	for ln, t := range u.texts {
		ln.text, ln.eol = t[0], t[1]
	}
	for _, ln := range d.lines {
		ln.gone = false
	}
	d.scan()
	return false
}

// fences tells whether the body would be taken for frontmatter.
func (d *Doc) fences() bool {
	return len(d.front) <= len("\uFEFF") && len(d.lines) > 0 && strings.TrimRight(d.lines[0].text, " \t\r") == "---"
}

// reads tells whether a line reads as it did. Code may come under another heading.
func (m mark) reads(old mark) bool {
	switch m.role {
	case markdown.Blank:
		return old.role == markdown.Blank
	case markdown.Fence, markdown.HTML, markdown.Code:
		m.sect = old.sect
	}
	return m == old
}

// save keeps a line as it is before an edit changes it.
func (d *Doc) save(ln *line) {
	if d.undo != nil {
		if _, ok := d.undo.texts[ln]; !ok {
			d.undo.texts[ln] = [2]string{ln.text, ln.eol}
		}
	}
}

func (d *Doc) set(ln *line, text string) {
	d.save(ln)
	ln.text, ln.fresh = text, true
}

// insert puts lines before line i. A file that ends without a line break still does.
func (d *Doc) insert(i int, add ...*line) {
	for _, ln := range add {
		d.save(ln)
		ln.fresh, ln.gone, ln.eol = true, false, d.eol
	}
	if i == len(d.lines) {
		switch {
		case i > 0:
			prev := d.lines[i-1]
			if prev.eol == "" {
				d.save(prev)
				prev.eol, add[len(add)-1].eol = d.eol, ""
			}
		case len(d.front) > 3 && d.front[len(d.front)-1] != '\n':
			d.front = append(slices.Clone(d.front), d.eol...)
			add[len(add)-1].eol = ""
		}
	}
	d.lines = slices.Insert(d.lines, i, add...)
}

// cut takes n lines out.
func (d *Doc) cut(i, n int) {
	for _, ln := range d.lines[i : i+n] {
		ln.gone = true
	}
	if last := d.lines[i+n-1]; i+n == len(d.lines) && last.eol == "" && i > 0 {
		d.save(d.lines[i-1])
		d.lines[i-1].eol = ""
	}
	d.lines = slices.Delete(d.lines, i, i+n)
}

// squeeze takes one of two blank lines away that a cut at i brought together.
func (d *Doc) squeeze(i int) {
	switch {
	case i > 0 && i < len(d.lines) && d.empty(i-1) && d.empty(i):
		d.cut(i, 1)
	case i > 0 && i == len(d.lines) && d.empty(i-1):
		d.cut(i-1, 1)
	}
}

// empty tells whether nothing at all stands in line i.
func (d *Doc) empty(i int) bool { return strings.TrimSpace(d.lines[i].text) == "" }

// span is where an item's lines begin and end.
func (d *Doc) span(first, end *line) (from, to int) {
	to = d.index(end)
	for from = to; from > 0 && d.lines[from] != first; from-- {
	}
	return from, to + 1
}

// plainLine tells whether the item is one line at the margin, so that an edit of it concerns no other line.
func (it *item) plainLine() bool {
	return it.first == it.end && it.parent == nil && !it.quoted && !it.more && len(it.own) == 1 && it.col == 0 && !commented(it.first)
}

func commented(ln *line) bool { return ln.mark.hidden || strings.Contains(ln.text, "%%") }

// joins tells whether a line at the margin may be put in before line i, or the one that stood there taken away, without
// changing how line i and what follows read. It knows the common cases and says no to all others.
func (d *Doc) joins(i int) bool {
	gap := false
	for ; i < len(d.lines) && d.lines[i].mark.role == markdown.Blank; i++ {
		if gap = true; d.lines[i].mark.hidden {
			return false
		}
	}
	if i == len(d.lines) {
		return true
	}
	ln := d.lines[i]
	if ln.mark.hidden || ln.text == "" || ln.text[0] == ' ' || ln.text[0] == '\t' {
		return false
	}
	switch {
	case ln.mark.role == markdown.Heading:
		return ln.text[0] == '#'
	case ln.item != nil:
		return strings.IndexByte("-+*", ln.text[0]) >= 0 && !delimits(ln.text)
	}
	return gap // nothing at the margin behind a blank line belongs to what is above it
}
