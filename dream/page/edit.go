package page

import (
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/markdown"
)

// Add appends a statement to a section and gives its id, "" where the text says nothing. Section "" is the place before the
// first heading below the title; a section that is missing is made.
func (d *Doc) Add(section, text string, task bool, src ...Source) string {
	content := compose(text, src)
	if content == "" {
		return ""
	}
	mark := "- "
	if r := d.section(section); r != nil && r.last != nil {
		if c := r.last.first.text[r.last.mark]; c == '*' || c == '+' {
			mark = string(c) + " "
		}
	}
	switch {
	case task && strings.EqualFold(section, History): // a task is there because it is done
		mark += "[x] "
	case task:
		mark += "[ ] "
	}
	return d.put(section, []*line{{text: mark + content}})
}

// AddSources names further sources in a statement: in the line's last group of them, or in a new one at its end. Sources that
// stand there already are left out.
func (d *Doc) AddSources(id string, src ...Source) bool {
	it := d.find(id)
	if it == nil {
		return false
	}
	was := it.read()
	add := unique(was.sources, src)
	if len(add) == 0 {
		return true
	}
	g, want := it.sourceLine(), slices.Concat(was.sources, add)
	return d.rewrite(it, g, withSources(g.ln.text, g.off, add), func(got reading) bool {
		return got.text == was.text && len(unique(got.sources, want)) == 0
	})
}

// withSources puts sources into the text that begins at off.
func withSources(s string, off int, add []Source) string {
	head, s := s[:off], s[off:]
	if m := markdown.GroupRE().FindAllStringIndex(s, -1); m != nil {
		g := m[len(m)-1]
		l := markdown.SourceRE().FindAllStringIndex(s[g[0]:g[1]], -1)
		end := g[0] + l[len(l)-1][1]
		return head + s[:end] + ", " + links(add) + s[end:]
	}
	end := textEnd(s)
	return head + s[:end] + group(add) + s[end:]
}

// textEnd is where a block id and white space at the end of s begin.
func textEnd(s string) int {
	end := len(strings.TrimRight(s, " \t"))
	if m := blockRE().FindStringIndex(s[:end]); m != nil {
		end = len(strings.TrimRight(s[:m[0]], " \t"))
	}
	return end
}

// rewrite gives a line of an item another text, where the item then reads as wanted and no other line reads otherwise.
func (d *Doc) rewrite(it *item, g seg, text string, wanted func(reading) bool) bool {
	first := it.first
	return d.edit(first.at, g.ln.at+1, func(lines []*line) []*line {
		g.ln.change(text)
		first.fresh = true
		return lines
	}, func() bool { return first.says() && wanted(first.item.read()) })
}

// Reword gives a statement another text. Sources, checkbox and block id stay. A statement that is Nested is not reworded.
func (d *Doc) Reword(id, text string) (newID string, ok bool) {
	it := d.find(id)
	if it == nil || it.nested() || it.hidden {
		return "", false
	}
	g := it.own[0]
	s := g.ln.text[g.off:]
	content := compose(text, it.read().sources)
	if content == "" {
		return "", false
	}
	want := read(content)
	ok = d.rewrite(it, g, g.ln.text[:g.off]+content+s[textEnd(s):], func(got reading) bool {
		return got.text == want.text && slices.Equal(got.sources, want.sources)
	})
	if !ok {
		return "", false
	}
	return g.ln.id, true
}

// Retire moves a statement with all that hangs on it to History, see [Doc.Move].
func (d *Doc) Retire(id, note string) (newID string, ok bool) { return d.Move(id, History, note) }

// Move moves a statement with all that hangs on it to another section; from History nothing comes back. The note, such as
// "until 9 Jun 2026", stands before its sources.
func (d *Doc) Move(id, section, note string) (newID string, ok bool) {
	it := d.find(id)
	switch {
	case it == nil:
		return "", false
	case it.first.region.history, strings.EqualFold(it.first.region.name, section):
		return it.first.id, true
	}
	from, to := it.span()
	lines, was := slices.Clone(d.lines[from:to]), make([]string, to-from)
	for i, ln := range lines {
		was[i] = ln.text
	}
	region := it.first.region
	a, b := max(from-1, 0), min(to+1, len(d.lines)) // what the cut may change
	before, below := slices.Clone(d.lines[a:b]), len(d.lines)-b
	if !d.cut(from, to, nil, "") {
		return "", false
	}
	for i, s := range it.retired(lines, note) {
		lines[i].text = s
	}
	if newID = d.put(section, lines); newID == "" {
		for i, ln := range lines {
			ln.text = was[i]
		}
		d.lines = slices.Replace(d.lines, a, len(d.lines)-below, before...)
		d.read()
		return "", false
	}
	if region.head != nil && region.level > 1 {
		d.emptied[region.head] = true
	}
	return newID, true
}

// retired is how an item's lines stand in History: at the margin, with the note, and with a tick where the note says that it is done.
func (it *item) retired(lines []*line, note string) []string {
	out, g, box := make([]string, len(lines)), it.sourceLine(), it.own[0]
	for i, ln := range lines {
		s := ln.text
		if ln == g.ln && !it.hidden {
			s = withNote(s, g.off, note)
		}
		if Ticks(note) && it.box != 0 && !it.done() && ln == it.first && ln == box.ln && !it.hidden {
			s = s[:it.mark] + strings.Replace(s[it.mark:box.off], "[ ]", "[x]", 1) + s[box.off:]
		}
		out[i] = it.dedent(s)
	}
	return out
}

// Ticks tells a note which says that a task is done, so that it gets its tick.
func Ticks(note string) bool { return strings.HasPrefix(note, "done ") }

func withNote(s string, off int, note string) string {
	note = neutral(note)
	if note == "" {
		return s
	}
	head, s := s[:off], s[off:]
	end := textEnd(s)
	if m := markdown.GroupRE().FindAllStringIndex(s, -1); m != nil && m[len(m)-1][1] == end {
		end = len(strings.TrimRight(s[:m[len(m)-1][0]], " \t"))
	}
	return head + s[:end] + " (" + note + ")" + s[end:]
}

// sourceLine is the line of an item where its sources stand or would stand.
func (it *item) sourceLine() seg {
	for _, o := range slices.Backward(it.own) {
		if markdown.GroupRE().MatchString(o.text()) {
			return o
		}
	}
	return it.own[len(it.own)-1]
}

// dedent takes the columns before the item's marker, and the quotes it stands in, off a line.
func (it *item) dedent(s string) string {
	if !it.quoted {
		return markdown.Dedent(s, it.column)
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
	from, to := it.span()
	out := it.more && d.promote(it) || !it.more && d.cut(from, to, nil, "") || d.hollow(it)
	if out {
		d.drop(head)
	}
	return out
}

// promote cuts an item's own lines and moves what hangs on it to its place.
func (d *Doc) promote(it *item) bool {
	from, to := it.span()
	n := it.own[len(it.own)-1].ln.at + 1 - from
	return d.edit(from, to, func(lines []*line) []*line {
		rest, by := lines[n:], -1
		for _, ln := range rest {
			if ln.fresh = true; by < 0 && !markdown.Empty(ln.text) {
				by = markdown.Indent(ln.text) - it.column
			}
			if !it.quoted && by > 0 {
				keep := min(markdown.Indent(ln.text), it.column)
				ln.text = strings.Repeat(" ", keep) + markdown.Dedent(ln.text, keep+by)
			}
		}
		return rest
	}, nil)
}

// hollow takes an item's text and leaves its marker: for where the line holds up what stands around it.
func (d *Doc) hollow(it *item) bool {
	return d.hollowTo(it, len(it.own), "") || d.hollowTo(it, len(it.own), " <!-- -->")
}

// hollowTo leaves text in the place of the first n of an item's own lines.
func (d *Doc) hollowTo(it *item, n int, text string) bool {
	return d.edit(it.first.at, it.own[len(it.own)-1].ln.at+1, func(lines []*line) []*line {
		at := len(it.first.text)
		for i, g := range it.own {
			if g.ln.fresh = true; g.ln == it.first {
				at = g.off
			} else if i < n {
				lines = slices.DeleteFunc(lines, func(ln *line) bool { return ln == g.ln })
			}
		}
		it.first.change(strings.TrimRight(it.first.text[:at], " \t") + text)
		return lines
	}, nil)
}

// Tidy takes out the headings of ours that edits left with nothing under them.
func (d *Doc) Tidy() {
	for _, ln := range slices.Clone(d.lines) {
		if d.emptied[ln] && ln.here {
			d.drop(ln)
		}
	}
	clear(d.emptied)
}

// drop takes out a heading of ours that nothing stands under.
func (d *Doc) drop(head *line) {
	if head == nil || !head.here || head.region.head != head || !d.ours(head.region) || head.region.last != nil {
		return
	}
	to := head.at + 1
	for to < len(d.lines) && d.lines[to].region == head.region {
		if !d.lines[to].empty() {
			return
		}
		to++
	}
	if to == len(d.lines) || d.lines[to].region.level <= head.region.level { // else there are sections below it
		d.cut(head.at, to, nil)
	}
}
