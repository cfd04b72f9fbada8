package page

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/reverie-memory/reverie/vault"
)

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
			r := read(ln.text[p.from:p.to])
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

// A Telling is a text of a page with what it rests on: what a statement tells, or a loose text.
type Telling struct {
	Text    string
	Sources []Source
	Line    int      // 1-based in the file
	Lines   []string // as they stand; blank ones may be between them
}

// Tellings are those of all statements, and behind them the loose texts.
func (d *Doc) Tellings() []Telling {
	var out []Telling
	for _, st := range d.Statements() {
		text, src := st.Told()
		out = append(out, Telling{text, src, st.Line, st.Lines()})
	}
	for _, l := range d.Loose() {
		out = append(out, Telling{l.Text, l.Sources, l.Line, []string{l.Raw}})
	}
	return out
}

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
	return lines, read(b.String())
}
