package page

import (
	"slices"
	"strings"
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
	add := unique(it.read().sources, src)
	if len(add) == 0 {
		return true
	}
	g, was := sourceLine(it), it.read()
	want := slices.Concat(was.sources, add)
	return d.rewrite(it, g, withSources(g.ln.text, g.off, add), func(got reading) bool {
		return got.text == was.text && len(unique(got.sources, want)) == 0
	})
}

// withSources puts sources into the text that begins at off.
func withSources(s string, off int, add []Source) string {
	head, s := s[:off], s[off:]
	if m := groupRE().FindAllStringIndex(s, -1); m != nil {
		g := m[len(m)-1]
		l := sourceRE().FindAllStringIndex(s[g[0]:g[1]], -1)
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
	ln, first := g.ln, it.first
	if ln == first && len(it.own) == 1 && !commented(ln) && !strings.Contains(text, "%%") {
		if !wanted(read(text[g.off:])) {
			return false
		}
		d.unname(it)
		ln.text = text
		it.own[0].vis = text
		d.rename(it)
		return true
	}
	return d.try(func() { d.set(ln, text); first.fresh = true }, func() bool {
		return first.item != nil && len(first.item.own) > 0 && wanted(first.item.read())
	})
}

// unname forgets an item's id before its bytes or its place change.
func (d *Doc) unname(it *item) {
	key := it.same()
	d.equals[key]--
	d.stale = d.stale || d.equals[key] > 0 // the ranks of its equals moved
	delete(d.items, it.first.id)
}

// rename gives a changed item its id.
func (d *Doc) rename(it *item) {
	if d.stale || d.equals[it.same()] > 0 {
		d.scan()
		return
	}
	d.name(it)
	it.first.mark.own, it.first.mark.sect = it.raw(), it.first.region.name
}

// Reword gives a statement another text. Sources, checkbox and block id stay. A statement that is Nested is not reworded.
func (d *Doc) Reword(id, text string) (newID string, ok bool) {
	it := d.find(id)
	if it == nil || it.nested() || it.hidden {
		return "", false
	}
	g := it.own[0]
	s := g.ln.text[g.off:]
	end := textEnd(s)
	src := it.read().sources
	content := compose(text, src)
	if content == "" {
		return "", false
	}
	want := read(content)
	if !d.rewrite(it, g, g.ln.text[:g.off]+content+s[end:], func(got reading) bool {
		return got.text == want.text && sameSources(got.sources, want.sources)
	}) {
		return "", false
	}
	return g.ln.id, true
}

// Retire moves a statement with all that hangs on it to History. The note, such as "until 9 Jun 2026", stands before its
// sources.
func (d *Doc) Retire(id, note string) (newID string, ok bool) {
	it := d.find(id)
	if it == nil {
		return "", false
	}
	if it.first.region.history {
		return it.first.id, true
	}
	tick := it.task && !it.done && Ticks(note)
	return d.move(it, History, tick, func(s string, off int) string { return withNote(s, off, note) })
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
	if m := groupRE().FindAllStringIndex(s, -1); m != nil && m[len(m)-1][1] == end {
		end = len(strings.TrimRight(s[:m[len(m)-1][0]], " \t"))
	}
	return head + s[:end] + " (" + note + ")" + s[end:]
}
