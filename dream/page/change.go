package page

import (
	"slices"
	"strconv"
	"strings"

	"github.com/reverie-memory/reverie/markdown"
	"github.com/reverie-memory/reverie/vault"
)

// A former is a line as it was before an edit.
type former struct {
	ln  *line
	was line
}

// edit puts what now makes of the lines from from to to in their place. What is new, and the lines that now marks as fresh, may read
// as they like. Where any other line would read otherwise than before, or good says no, the page stays as it was and edit is false.
// Only the blocks around the edit are read again.
func (d *Doc) edit(from, to int, now func(lines []*line) []*line, good func() bool) bool {
	d.byID()
	start, end := d.around(from, to)
	d.kept = d.kept[:0]
	d.keep(start, end)
	hides, top, old := d.hides, d.top(), slices.Clone(d.lines[from:to])
	lines := now(slices.Clone(old))
	for _, ln := range lines {
		if !ln.here {
			ln.fresh, ln.eol = true, d.eol
		}
		d.hides = d.hides || strings.Contains(ln.text, "%%")
	}
	if d.hides && !hides {
		d.keep(0, start)
		d.keep(end, len(d.lines))
		start, end = 0, len(d.lines)
	}
	d.lines = slices.Replace(d.lines, from, to, lines...)
	if end += len(lines) - len(old); !d.scan(start, end) {
		d.keep(end, len(d.lines))
		end = len(d.lines)
		d.scan(start, end)
	}
	if d.settle(start) && d.reads(start, end) && (!d.fences() || d.top() == top) && (good == nil || good()) {
		d.commit(start, end)
		return true
	}
	for _, k := range d.kept {
		*k.ln = k.was
	}
	d.hides = hides
	d.lines = slices.Replace(d.lines, from, from+len(lines), old...)
	d.settle(start)
	return false
}

// replace is edit for lines that stand in the place of others.
func (d *Doc) replace(from, to int, good func() bool, lines ...*line) bool {
	return d.edit(from, to, func([]*line) []*line { return lines }, good)
}

// around is where the blocks around an edit begin and end. Where comments are, that is all of the page.
func (d *Doc) around(from, to int) (start, end int) {
	if d.hides {
		return 0, len(d.lines)
	}
	for start = max(from-1, 0); start > 0 && !d.opens(start); start-- {
	}
	for end = to; end < len(d.lines) && !d.opens(end); end++ {
	}
	return start, end
}

// opens tells whether a block begins with line i that does so whatever stands above it.
func (d *Doc) opens(i int) bool {
	if i == 0 {
		return true
	}
	above := d.lines[i-1]
	return d.lines[i].root && (above.depth > 0 || above.kind == markdown.Blank || above.kind == markdown.Heading)
}

func (d *Doc) keep(from, to int) {
	for _, ln := range d.lines[from:to] {
		ln.fresh = false
		d.kept = append(d.kept, former{ln, *ln})
	}
}

// reads tells whether the kept lines that are on the page still, from start to end, read as they did, but for those that the edit names.
func (d *Doc) reads(start, end int) bool {
	for _, k := range d.kept {
		ln, was := k.ln, &k.was
		if ln.fresh || ln.at < start || ln.at >= end || d.lines[ln.at] != ln {
			continue
		}
		switch {
		case ln.kind != was.kind:
			return false
		case ln.kind != markdown.Blank && (ln.depth != was.depth || ln.own != was.own || ln.hidden() != was.hidden()):
			return false
		}
	}
	return true
}

// top is the first line.
func (d *Doc) top() *line {
	if len(d.lines) == 0 {
		return nil
	}
	return d.lines[0]
}

// fences tells whether the body would be taken for frontmatter.
func (d *Doc) fences() bool {
	return len(d.front) <= len("\uFEFF") && len(d.lines) > 0 && strings.TrimRight(d.lines[0].text, " \t\r") == "---"
}

// commit takes an edit for done, which has read the lines from start to end anew, and names their items.
func (d *Doc) commit(start, end int) {
	for _, k := range d.kept {
		k.ln.here = false
	}
	for _, ln := range d.lines[start:end] {
		ln.here, ln.fresh = true, false
	}
	for _, k := range d.kept {
		if key := k.was.same(); k.was.says() && (!k.ln.here || !k.ln.says() || k.ln.same() != key) {
			d.equals[key]--
			d.stale = d.stale || d.equals[key] > 0 // the ranks of its equals moved
			k.ln.rank = -1
		}
	}
	for _, ln := range d.lines[start:end] {
		if ln.says() && (ln.rank < 0 || ln.id == "") {
			d.stale = d.stale || d.equals[ln.same()] > 0
			d.name(ln)
		}
	}
	if d.stale {
		d.names()
	}
}

// same is what items have in common whose ids differ by their rank.
type same struct{ section, raw string }

func (ln *line) same() same { return same{ln.region.name, ln.own} }

// names gives all items their ids.
func (d *Doc) names() {
	d.stale = false
	clear(d.equals)
	for _, ln := range d.lines {
		if ln.says() {
			d.name(ln)
		}
	}
}

// name gives the item that starts in a line its id. Items have to come in the order of the file.
func (d *Doc) name(ln *line) {
	key := ln.same()
	rank := d.equals[key]
	d.equals[key]++
	if ln.id == "" || ln.rank != rank {
		var room [20]byte
		ln.id, ln.rank = vault.DeriveID('s', key.section, key.raw, string(strconv.AppendInt(room[:0], int64(rank), 10))), rank
	}
	if d.ids != nil {
		d.ids[ln.id] = ln
	}
}

// byID is the first lines of items by the ids that they have, or had before an edit.
func (d *Doc) byID() map[string]*line {
	if d.ids == nil {
		d.ids = make(map[string]*line, len(d.equals))
		for _, ln := range d.lines {
			if ln.says() {
				d.ids[ln.id] = ln
			}
		}
	}
	return d.ids
}

// find gives the item with that id, also with one that it had before an edit.
func (d *Doc) find(id string) *item {
	if ln := d.byID()[id]; ln != nil && ln.here && ln.says() {
		return ln.item
	}
	return nil
}

// change gives a line another text.
func (ln *line) change(text string) { ln.text, ln.fresh = text, true }

// span is where an item's lines begin and end.
func (it *item) span() (from, to int) { return it.first.at, it.end.at + 1 }

// cut takes the lines from from to to out, with one of two blank lines that then meet. Where something would read otherwise without
// them, one of others is left in their place. Lines that are named may read as they like.
func (d *Doc) cut(from, to int, named []*line, others ...string) bool {
	leave := func(from, to int, lines ...*line) bool {
		return d.edit(from, to, func(old []*line) []*line {
			for _, ln := range append(old, named...) {
				ln.fresh = true
			}
			return lines
		}, nil)
	}
	a, b := from, to
	switch {
	case from > 0 && to < len(d.lines) && d.lines[from-1].empty() && d.lines[to].empty():
		b++
	case from > 0 && to == len(d.lines) && d.lines[from-1].empty():
		a--
	}
	return leave(a, b) || leave(from, to) ||
		slices.ContainsFunc(others, func(s string) bool { return leave(from, to, &line{text: s}) })
}
