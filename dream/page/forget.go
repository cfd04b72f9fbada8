package page

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/reverie-memory/reverie/vault"
)

// head is how many of an item's own lines tell it: those up to the first that names sources. What comes below, a person put there.
// A group of sources may go on in the next line.
func (it *item) head() int {
	if len(it.own) == 1 {
		return 1
	}
	for i, g := range it.own {
		if !strings.Contains(g.vis, "#^") || !sourceRE().MatchString(g.vis[g.off:]) {
			continue
		}
		n := i + 1
		for n < len(it.own) && strings.HasPrefix(strings.TrimSpace(it.own[n].vis[it.own[n].off:]), "[[") {
			n++
		}
		return n
	}
	return len(it.own)
}

// tells are the lines of an item's head, and how they read.
func (it *item) tells() (lines []string, r reading) {
	n := it.head()
	var b strings.Builder
	for i, g := range it.own[:n] {
		if lines = append(lines, g.ln.text); i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(g.vis[g.off:])
	}
	return lines, read(b.String(), nil)
}

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

// A Loose is a text with sources that stands in no list item of its own: in a paragraph, a heading, a table, code or a comment, or
// below the first line of an item. What an item of several lines tells as a whole may be a loose text as well: a person may have
// broken our line, or put it below one of theirs.
type Loose struct {
	ID      string
	Text    string // as a person reads it, without sources
	Sources []Source
	Line    int    // 1-based in the file
	Raw     string // the line as it stands
}

// A piece is a part of a line that may be a text with sources.
type piece struct{ from, to int }

// Loose lists them in the order of the file.
func (d *Doc) Loose() []Loose {
	var out []Loose
	d.loose(func(i int, p piece, id string, r reading) bool {
		ln := d.lines[i]
		out = append(out, Loose{ID: id, Text: r.text, Sources: r.sources, Line: d.number(ln), Raw: ln.text})
		return true
	})
	return out
}

func (d *Doc) loose(yield func(i int, p piece, id string, r reading) bool) {
	if !slices.ContainsFunc(d.lines, func(ln *line) bool { return strings.Contains(ln.text, "#^") }) {
		return
	}
	told := map[*line]bool{}
	for _, ln := range d.lines {
		if it := ln.item; it != nil && len(it.own) > 0 && it.head() == 1 && len(it.read().sources) > 0 {
			told[it.own[0].ln] = true
		}
	}
	ranks := map[string]int{}
	for i, ln := range d.lines {
		if told[ln] || !strings.Contains(ln.text, "#^") {
			continue
		}
		for _, p := range pieces(ln.text) {
			r := read(ln.text[p.from:p.to], nil)
			if len(r.sources) == 0 || r.text == "" {
				continue
			}
			key := ln.text[p.from:p.to]
			id := vault.DeriveID('l', ln.text, key, itoa(ranks[key]))
			ranks[key]++
			if !yield(i, p, id, r) {
				return
			}
		}
	}
}

var (
	leadRE = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:[ \t>|]|[-+*][ \t]|\d{1,9}[.)][ \t]|#{1,6}[ \t]|\[[ xX]\][ \t]|%%|<!--)*`)
	})
	trailRE = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:[ \t\r|]|%%|-->|[ \t]#{1,6})*$`) })
)

// pieces are what stands between the bars of a line, without what marks its beginning and its end. A bar within a link is none.
// Last comes all of it: outside a table a bar is a letter.
func pieces(s string) []piece {
	var out []piece
	add := func(from, to int) {
		from += len(leadRE().FindString(s[from:to]))
		to = from + trailRE().FindStringIndex(s[from:to])[0]
		if from < to {
			out = append(out, piece{from, to})
		}
	}
	from, inLink := 0, false
	for i := 0; i < len(s); i++ {
		switch {
		case strings.HasPrefix(s[i:], "[["):
			inLink = true
		case strings.HasPrefix(s[i:], "]]"):
			inLink = false
		case s[i] == '\\':
			i++
		case s[i] == '|' && !inLink:
			add(from, i)
			from = i + 1
		}
	}
	add(from, len(s))
	if n := len(out); n > 1 {
		out = append(out, piece{out[0].from, out[n-1].to})
	}
	return out
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
			if ln.mark.role != isText || ln.item != nil {
				return false
			}
		}
		i := d.index(rest[0])
		return i == 0 || d.lines[i-1].mark.role != isText || d.empty(i-1)
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
		out = out || d.try(func() { free(); d.set(ln, blanked) }, nil) || d.try(func() { free(); d.set(ln, ln.text[:p.from]+"<!-- -->"+ln.text[p.to:]) }, nil)
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
