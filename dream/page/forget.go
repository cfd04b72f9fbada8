package page

import (
	"bytes"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/markdown"
)

// Bare says whether a page that a run made has nothing but its front matter, headings and blank lines.
func Bare(data []byte) bool {
	front, rest, ok := bytes.Cut(bytes.TrimPrefix(data, []byte("---\n")), []byte("\n---\n"))
	if !ok || !bytes.HasPrefix(data, []byte("---\n")) || !bytes.Contains(append([]byte("\n"), front...), []byte("\nreverie: page")) {
		return false
	}
	for l := range bytes.Lines(rest) {
		if l = bytes.TrimSpace(l); len(l) > 0 && l[0] != '#' {
			return false
		}
	}
	return true
}

// Forget takes a statement off the page, or a loose text. What hangs on it stays, and so does what a person put below it.
func (d *Doc) Forget(id string) bool {
	it := d.find(id)
	if it == nil {
		return d.forgetLoose(id)
	}
	n := it.head()
	if n == len(it.own) {
		return d.Remove(id)
	}
	head, rest := make([]*line, n), []*line{}
	for i, g := range it.own {
		if i < n {
			head[i] = g.ln
		} else {
			rest = append(rest, g.ln)
		}
	}
	under := it.first.region.head
	if !d.cutHead(head, rest) {
		return false
	}
	d.drop(under)
	return true
}

// cutHead takes the first lines of an item out and leaves the others as they stand: as a paragraph if they can be one, else
// behind the marker alone.
func (d *Doc) cutHead(head, rest []*line) bool {
	prose := func() bool {
		for _, ln := range rest {
			if ln.mark.role != markdown.Paragraph || ln.item != nil {
				return false
			}
		}
		i := d.index(rest[0])
		return i == 0 || d.lines[i-1].mark.role != markdown.Paragraph || d.empty(i-1)
	}
	cut := func(before, after bool) func() {
		return func() {
			if after {
				d.insert(d.index(rest[len(rest)-1])+1, &line{})
			}
			for _, ln := range rest {
				ln.fresh = true
			}
			i := d.index(head[0])
			for _, ln := range head {
				d.cut(d.index(ln), 1)
			}
			if before {
				d.insert(i, &line{})
			}
		}
	}
	marker := func(text string) func() {
		return func() {
			first := head[0]
			g := first.item.own[0]
			at := len(first.text)
			if g.ln == first {
				at = g.off
			}
			d.set(first, strings.TrimRight(first.text[:at], " \t")+text)
			for _, ln := range head[1:] {
				d.cut(d.index(ln), 1)
			}
			for _, ln := range rest {
				ln.fresh = true
			}
		}
	}
	gaps := [][2]bool{{false, false}, {true, false}, {false, true}, {true, true}}
	for _, g := range gaps {
		if d.try(cut(g[0], g[1]), prose) {
			return true
		}
	}
	if d.try(marker(" …"), nil) || d.try(marker(" <!-- -->"), nil) {
		return true
	}
	for _, g := range gaps {
		if d.try(cut(g[0], g[1]), nil) {
			return true
		}
	}
	return false
}

// forgetLoose takes a loose text out: its line, where nothing else stands there and nothing reads otherwise without it.
func (d *Doc) forgetLoose(id string) (out bool) {
	d.loose(func(i int, p piece, at string, _ reading) bool {
		if at != id {
			return true
		}
		ln := d.lines[i]
		holds := d.holder(ln)
		free := func() {
			if holds != nil {
				holds.fresh = true
			}
			for _, under := range d.lines { // of a heading: they are what they were under one without words
				under.fresh = under.fresh || under.region.head == ln
			}
		}
		blanked := ln.text[:p.from] + strings.TrimLeft(ln.text[p.to:], " \t")
		if only := leadRE().FindString(ln.text); len(only) == p.from && len(trailRE().FindString(ln.text[p.to:])) == len(ln.text)-p.to &&
			!strings.Contains(only, "|") {
			out = d.try(func() { free(); d.cut(i, 1); d.squeeze(i) }, nil) || d.try(func() { free(); d.cut(i, 1) }, nil) ||
				d.try(func() { free(); d.cut(i, 1); d.insert(i, &line{}) }, nil)
		}
		out = out || d.try(func() { free(); d.set(ln, blanked) }, nil) || d.try(func() {
			free()
			d.set(ln,
				ln.text[:p.from]+"<!-- -->"+ln.text[p.to:])
		}, nil)
		return false
	})
	return out
}

// holder is the first line of the item whose text the line is part of.
func (d *Doc) holder(ln *line) *line {
	for _, first := range d.lines {
		if it := first.item; it != nil && slices.ContainsFunc(it.own, func(g seg) bool { return g.ln == ln }) {
			return first
		}
	}
	return nil
}
