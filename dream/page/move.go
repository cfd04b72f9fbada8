package page

import (
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/markdown"
)

// move takes an item to the end of a section, at the margin, with its last line of sources changed by edit, and its
// box ticked.
func (d *Doc) move(it *item, section string, tick bool, edit func(s string, off int) string) (newID string, ok bool) {
	from, to := d.span(it.first, it.end)
	keep := d.keep(from, to)
	region, head := it.first.region, it.first.region.head
	lines, texts := slices.Clone(d.lines[from:to]), make([]string, to-from)
	g := sourceLine(it)
	for i, ln := range lines {
		texts[i] = ln.text
		if ln == g.ln && !it.hidden {
			texts[i] = edit(ln.text, g.off)
		}
		if box := it.own[0]; tick && ln == it.first && ln == box.ln && !it.hidden {
			texts[i] = ln.text[:it.mark] + strings.Replace(ln.text[it.mark:box.off], "[ ]", "[x]", 1) + texts[i][box.off:]
		}
		texts[i] = dedent(texts[i], it)
	}
	if !d.takeOut(it, from, to) {
		return "", false
	}
	for i, ln := range lines {
		ln.text = texts[i]
	}
	id := d.put(section, lines)
	if id == "" {
		d.restore(keep)
		return "", false
	}
	if head != nil && region.level > 1 {
		d.emptied[head] = true
	}
	return id, true
}

// sourceLine is the line of an item where its sources stand or would stand.
func sourceLine(it *item) seg {
	for _, o := range slices.Backward(it.own) {
		if groupRE().MatchString(o.vis[o.off:]) {
			return o
		}
	}
	return it.own[len(it.own)-1]
}

// A keepsake is the page before a move.
type keepsake struct {
	lines []*line
	front []byte
	texts map[*line][2]string
}

// keep remembers what a move of the lines from from to to may change: these, and the ends of those before a file's end.
func (d *Doc) keep(from, to int) keepsake {
	k := keepsake{slices.Clone(d.lines), d.front, map[*line][2]string{}}
	for _, ln := range d.lines[max(0, from-2):to] {
		k.texts[ln] = [2]string{ln.text, ln.eol}
	}
	for _, ln := range d.lines[max(0, len(d.lines)-4):] {
		k.texts[ln] = [2]string{ln.text, ln.eol}
	}
	return k
}

func (d *Doc) restore(k keepsake) {
	d.lines, d.front = k.lines, k.front
	for ln, t := range k.texts {
		ln.text, ln.eol, ln.gone = t[0], t[1], false
	}
	for _, ln := range d.lines {
		ln.gone = false
	}
	d.scan()
}

// takeOut cuts an item's lines, with a blank line left where something would read otherwise without.
func (d *Doc) takeOut(it *item, from, to int) bool {
	if it.plainLine() && d.joins(to) && (from == 0 || d.settled(from-1)) {
		d.unname(it)
		r := it.first.region
		d.cut(from, 1)
		d.squeeze(from)
		if r.last == it {
			r.last = d.lastBefore(from, r)
		}
		if d.stale {
			d.names()
		}
		return true
	}
	if d.within(it, func(lines []*line) []*line {
		i := slices.Index(lines, it.first)
		return slices.Delete(lines, i, i+to-from)
	}) {
		if from > 0 && d.lines[from-1].mark.role == markdown.Blank {
			d.squeeze(from)
		}
		return true
	}
	return d.try(func() { d.cut(from, to-from); d.squeeze(from) }, nil) ||
		d.try(func() { d.cut(from, to-from); d.insert(from, &line{}) }, nil)
}

// settled tells whether line i ends what it belongs to, as far as a line at the margin behind it is concerned.
func (d *Doc) settled(i int) bool {
	ln := d.lines[i]
	if commented(ln) {
		return false
	}
	return ln.mark.role == markdown.Blank || ln.mark.role == markdown.Heading || ln.mark.role == markdown.Paragraph && ln.mark.depth > 0
}

// lastBefore is the last item at the margin of a region, before line i.
func (d *Doc) lastBefore(i int, r *region) *item {
	for i = min(i, len(d.lines)); i > 0 && d.lines[i-1].region == r; i-- {
		it := d.lines[i-1].item
		for it != nil && it.parent != nil {
			it = it.parent
		}
		if it != nil && !it.quoted {
			return it
		}
	}
	return nil
}

// dedent takes the columns before an item's marker, and the quotes it stands in, off a line.
func dedent(s string, it *item) string {
	if !it.quoted {
		return markdown.Dedent(s, it.col)
	}
	lead := it.first.text[:it.mark]
	for range strings.Count(lead, ">") {
		t, ok := strings.CutPrefix(strings.TrimLeft(s, " \t"), ">")
		if !ok {
			break
		}
		s = t
	}
	in := lead[strings.LastIndexByte(lead, '>')+1:]
	for n := len(in); n > 0 && s != "" && (s[0] == ' ' || s[0] == '\t'); n-- {
		s = s[1:]
	}
	return s
}

// Remove takes a statement off the page. What hangs on it stays, in its place. A section of ours that is empty then goes too.
func (d *Doc) Remove(id string) bool {
	it := d.find(id)
	if it == nil {
		return false
	}
	head := it.first.region.head
	first := it.first
	from, to := d.span(first, it.end)
	out := false
	if it.more {
		out = d.promote(it, from, to)
	} else {
		out = d.takeOut(it, from, to)
	}
	if !out && !d.hollow(first.item) { // a failed try has read the page anew
		return false
	}
	d.drop(head)
	return true
}

// promote cuts an item's own lines and moves what hangs on it to its place.
func (d *Doc) promote(it *item, from, to int) bool {
	last := it.own[len(it.own)-1].ln
	n := 1
	for d.lines[from+n-1] != last {
		n++
	}
	rest := d.lines[from+n : to]
	by := -1
	for _, ln := range rest {
		if by < 0 && !markdown.Empty(ln.text) {
			by = markdown.Indent(ln.text)
		}
	}
	by -= it.col
	rest = slices.Clone(rest)
	lift := func() {
		for _, ln := range rest {
			if !it.quoted && by > 0 {
				keep := min(markdown.Indent(ln.text), it.col)
				d.set(ln, strings.Repeat(" ", keep)+markdown.Dedent(ln.text, keep+by))
			}
			ln.fresh = true
		}
	}
	return d.within(it, func(lines []*line) []*line {
		lift()
		i := slices.Index(lines, it.first)
		return slices.Delete(lines, i, i+n)
	}) || d.try(func() { lift(); d.cut(from, n) }, nil)
}

// hollow takes an item's text and leaves its marker: for where the line holds up what stands around it.
func (d *Doc) hollow(it *item) bool {
	first := it.first
	return d.hollowTo(it, "") || d.hollowTo(first.item, " <!-- -->")
}

func (d *Doc) hollowTo(it *item, text string) bool {
	own := slices.Clone(it.own)
	return d.try(func() {
		for i, g := range own {
			if i == 0 && g.ln == it.first {
				d.set(g.ln, strings.TrimRight(g.ln.text[:g.off], " \t")+text)
			} else {
				d.cut(d.index(g.ln), 1)
			}
		}
		it.first.fresh = true
	}, nil)
}

// Tidy takes out the headings of ours that edits left with nothing under them.
func (d *Doc) Tidy() {
	for _, ln := range slices.Clone(d.lines) {
		if d.emptied[ln] && !ln.gone {
			d.drop(ln)
		}
	}
	clear(d.emptied)
}

// drop takes out a heading of ours that nothing stands under.
func (d *Doc) drop(head *line) {
	if head == nil || head.gone || head.region == nil || head.region.head != head || !d.ours(head.region) || head.region.last != nil {
		return
	}
	i := d.index(head)
	n := 1
	for i+n < len(d.lines) && d.lines[i+n].region == head.region {
		if !d.empty(i + n) {
			return
		}
		n++
	}
	if i+n < len(d.lines) && d.lines[i+n].region.level > head.region.level {
		return // sections below it
	}
	d.try(func() {
		if d.cut(i, n); i == len(d.lines) {
			d.squeeze(i)
		}
	}, nil)
}
