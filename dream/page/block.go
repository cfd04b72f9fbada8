package page

import (
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/markdown"
)

// within makes an edit of an item at the margin, or of what hangs on it, and reads only that again: now gives the lines of the whole
// from those that stand there, and names those that it changes. Where the edit might concern other lines nothing is done and within
// is false. It is what try is for any edit, and costs what the item costs rather than what the page does.
func (d *Doc) within(it *item, now func(lines []*line) []*line) bool {
	for it.parent != nil {
		it = it.parent
	}
	from, to := d.span(it.first, it.end)
	if !d.apart(it, from, to) {
		return false
	}
	old := slices.Clone(d.lines[from:to])
	kept, named := make([]line, len(old)), make([]same, len(old))
	for i, ln := range old {
		ln.fresh = false
		kept[i] = *ln
		if ln.item != nil && len(ln.item.own) > 0 {
			named[i] = ln.item.same()
		}
	}
	lines := now(slices.Clone(old))
	s := scan(lines, plainly(lines))
	r := kept[0].region
	if len(lines) > 0 && !s.alone() || !asBefore(lines, old, kept, r) {
		for i, ln := range old {
			*ln = kept[i]
		}
		return false
	}
	for _, ln := range old {
		ln.gone = true
	}
	d.enter(lines, r)
	var fresh []*line
	for i, ln := range old {
		it := ln.item
		stands := !ln.gone && it != nil && len(it.own) > 0
		if stands && it.same() == named[i] {
			continue
		}
		if stands {
			fresh = append(fresh, ln)
		}
		if named[i] != (same{}) {
			d.equals[named[i]]--
			d.stale = d.stale || d.equals[named[i]] > 0 // the ranks of its equals moved
			delete(d.items, kept[i].id)
		}
	}
	d.lines = slices.Replace(d.lines, from, to, lines...)
	switch {
	case r.last != it:
	case len(lines) > 0:
		r.last = s.lead.last
	default:
		r.last = d.lastBefore(from, r)
	}
	d.christen(fresh)
	return true
}

// enter takes lines that were read alone into a region.
func (d *Doc) enter(lines []*line, r *region) {
	for _, ln := range lines {
		ln.gone, ln.region, ln.mark.sect = false, r, r.name
	}
}

// christen names the items that begin in lines.
func (d *Doc) christen(lines []*line) {
	for _, ln := range lines {
		if it := ln.item; it != nil && len(it.own) > 0 {
			d.stale = d.stale || d.equals[it.same()] > 0
			d.name(it)
		}
	}
	if d.stale {
		d.names()
	}
}

// apart tells whether lines from to to, an item at the margin, may be taken for what they are without a look at the others.
func (d *Doc) apart(it *item, from, to int) bool {
	if it.quoted || it.col != 0 || !bullet(it.first.text) || !d.joins(to) || from > 0 && !d.settled(from-1) {
		return false
	}
	return !slices.ContainsFunc(d.lines[from:to], func(ln *line) bool { return commented(ln) || ln.eol == "" })
}

// alone tells whether what was read is items at the margin, which begin and end without a doubt wherever they stand.
func (s *scanner) alone() bool {
	if len(s.regions) > 1 || s.lead.head != nil || len(s.calls) > 0 || len(s.marks) > 0 && s.marks[len(s.marks)-1].Kind != markdown.Paragraph {
		return false
	}
	first, last := s.lines[0], s.lines[len(s.lines)-1]
	if it := first.item; it == nil || it.parent != nil || it.quoted || it.col != 0 || len(it.own) == 0 || it.own[0].ln != first ||
		!bullet(first.text) {
		return false
	}
	return last.mark.role == markdown.Paragraph && last.mark.depth > 0 &&
		!slices.ContainsFunc(s.lines, func(ln *line) bool { return strings.Contains(ln.text, "%%") })
}

// asBefore tells whether lines read as they did, but for those that the edit has named.
func asBefore(lines, old []*line, kept []line, r *region) bool {
	i := 0
	for _, ln := range lines {
		for i < len(old) && old[i] != ln {
			i++
		}
		if i == len(old) { // a line that is new, or in another place
			return false
		}
		ln.mark.sect = r.name
		if !ln.fresh && !ln.mark.reads(kept[i].mark) {
			return false
		}
	}
	return true
}

// plainly are the lines as they are read where no comment hides any.
func plainly(lines []*line) []string {
	out := make([]string, len(lines))
	for i, ln := range lines {
		out[i] = ln.text
	}
	return out
}

// bullet tells whether a line begins with a list marker at the margin that no paragraph above can swallow.
func bullet(s string) bool {
	return len(s) > 2 && strings.IndexByte("-+*", s[0]) >= 0 && s[1] == ' ' && !delimits(s)
}

// delimits tells whether a line could make a table of the one above it.
func delimits(s string) bool { return strings.TrimLeft(s, " \t\r>|:-") == "" }
