package page

import (
	"iter"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/reverie-memory/reverie/markdown"
	"github.com/reverie-memory/reverie/vault"
)

// A piece is a part of a line that may be a text with sources.
type piece struct {
	ln       *line
	from, to int
	reading
}

// Loose lists the texts with sources that stand in no list item of their own, in the order of the file: in a paragraph, a heading, a table,
// code or a comment, or below the first line of an item. What an item of several lines tells as a whole may be a loose text as well: a
// person may have broken our line, or put it below one of theirs.
func (d *Doc) Loose() []Statement {
	var out []Statement
	for id, p := range d.loose() {
		out = append(out, Statement{ID: id, Text: p.text, Sources: p.sources, Line: d.above() + p.ln.at, Raw: p.ln.text})
	}
	return out
}

// Tellings are all statements, and behind them the loose texts.
func (d *Doc) Tellings() []Statement { return append(d.Statements(), d.Loose()...) }

// loose are the loose texts with their ids, in the order of the file.
func (d *Doc) loose() iter.Seq2[string, piece] {
	return func(yield func(string, piece) bool) {
		told := map[*line]bool{}
		for _, ln := range d.lines {
			if ln.says() && strings.Contains(ln.item.own[0].ln.text, "#^") && ln.item.head() == 1 && len(ln.item.read().sources) > 0 {
				told[ln.item.own[0].ln] = true
			}
		}
		ranks := map[string]int{}
		for _, ln := range d.lines {
			if told[ln] || !strings.Contains(ln.text, "#^") {
				continue
			}
			for _, p := range pieces(ln) {
				key := ln.text[p.from:p.to]
				if p.reading = read(key); len(p.sources) == 0 || p.text == "" {
					continue
				}
				if !yield(vault.DeriveID('l', ln.text, key, strconv.Itoa(ranks[key])), p) {
					return
				}
				ranks[key]++
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
func pieces(ln *line) []piece {
	var out []piece
	s := ln.text
	add := func(from, to int) {
		from += len(leadRE().FindString(s[from:to]))
		to = from + trailRE().FindStringIndex(s[from:to])[0]
		if from < to {
			out = append(out, piece{ln: ln, from: from, to: to})
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
		out = append(out, piece{ln: ln, from: out[0].from, to: out[n-1].to})
	}
	return out
}

// Forget takes a statement off the page, or a loose text. What hangs on it stays, and so does what a person put below it.
func (d *Doc) Forget(id string) bool {
	it := d.find(id)
	if it == nil {
		return d.forgetLoose(id)
	}
	if it.head() == len(it.own) {
		return d.Remove(id)
	}
	under := it.first.region.head
	if !d.cutHead(it) {
		return false
	}
	d.drop(under)
	return true
}

// cutHead takes the first lines of an item out and leaves the others as they stand: as a paragraph if they can be one, else
// behind the marker alone.
func (d *Doc) cutHead(it *item) bool {
	n := it.head()
	head, rest := map[*line]bool{it.first: true}, []*line{}
	for _, g := range it.own[:n] {
		head[g.ln] = true
	}
	for _, g := range it.own[n:] {
		rest = append(rest, g.ln)
	}
	prose := func() bool {
		i := rest[0].at
		return !slices.ContainsFunc(rest, func(ln *line) bool { return ln.kind != markdown.Paragraph || ln.item != nil }) &&
			(i == 0 || d.lines[i-1].kind != markdown.Paragraph || d.lines[i-1].empty())
	}
	cut := func(good func() bool) bool {
		for _, gaps := range [][2]bool{{false, false}, {true, false}, {false, true}, {true, true}} {
			if d.edit(it.first.at, rest[len(rest)-1].at+1, func(lines []*line) []*line {
				lines = slices.DeleteFunc(lines, func(ln *line) bool { return head[ln] })
				for _, ln := range rest {
					ln.fresh = true
				}
				if gaps[0] {
					lines = slices.Insert(lines, 0, &line{})
				}
				if gaps[1] {
					lines = append(lines, &line{})
				}
				return lines
			}, good) {
				return true
			}
		}
		return false
	}
	return cut(prose) || d.hollowTo(it, n, " …") || d.hollowTo(it, n, " <!-- -->") || cut(nil)
}

// forgetLoose takes a loose text out: its line, where nothing else stands there and nothing reads otherwise without it.
func (d *Doc) forgetLoose(id string) (out bool) {
	for at, p := range d.loose() {
		if at != id {
			continue
		}
		ln, named := p.ln, []*line{p.ln}
		for _, first := range d.lines[:ln.at+1] { // of the item whose text the line is part of
			if it := first.item; it != nil && slices.ContainsFunc(it.own, func(g seg) bool { return g.ln == ln }) {
				named = append(named, first)
				break
			}
		}
		before, behind := ln.text[:p.from], ln.text[p.to:]
		if only := leadRE().FindString(ln.text); only == before && trailRE().FindString(behind) == behind && !strings.Contains(only, "|") &&
			d.cut(ln.at, ln.at+1, named, "") {
			return true
		}
		say := func(text string) bool {
			return d.edit(ln.at, ln.at+1, func(lines []*line) []*line {
				for _, ln := range named {
					ln.fresh = true
				}
				ln.change(text)
				return lines
			}, nil)
		}
		return say(before+strings.TrimLeft(behind, " \t")) || say(before+"<!-- -->"+behind)
	}
	return false
}
