package page

import (
	"bytes"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/markdown"
	"github.com/reverie-memory/reverie/vault"
)

// History is the section of what is no longer true.
const History = vault.History

// A Source is a line of a daily log.
type Source = markdown.Source

// A Statement is a list item of a page.
type Statement struct {
	ID      string   // derives from section, bytes and rank among equals: changes when the item does
	Text    string   // as a person reads it, without sources; paragraphs are apart by a line break
	Raw     string   // the item's first line as it stands, without line break
	Sources []Source // in the order of the text
	Section string   // the nearest heading's text, "" above the first
	History bool     // under "## History"
	Task    bool     // has a checkbox
	Done    bool     // which is ticked
	Callout bool     // an option of a conflict callout
	Line    int      // 1-based in the file
	Nested  bool     // has children or further lines, or stands within something: never reworded by us

	// Head is set where a statement has several lines: those up to the first that names sources. What is below is a person's.
	Head *Head
}

// A Head is the part of a statement that tells what its sources say.
type Head struct {
	Text    string
	Lines   []string // as they stand, without line breaks
	Sources []Source
}

// Told is what the statement says with its sources, without what a person put below that.
func (st *Statement) Told() (text string, src []Source) {
	if st.Head == nil {
		return st.Text, st.Sources
	}
	return st.Head.Text, st.Head.Sources
}

// Lines are those lines, as they stand.
func (st *Statement) Lines() []string {
	if st.Head == nil {
		return []string{st.Raw}
	}
	return st.Head.Lines
}

// A Doc is a page that can be edited. A Doc belongs to one goroutine.
type Doc struct {
	path  vault.Path
	front []byte
	lines []*line
	eol   string // of lines that are added
	open  bool   // the file ends without a line break
	hides bool   // there may be comments

	lead    *region
	regions []*region // the lead first
	ids     map[string]*line
	equals  map[same]int   // how many items share section and bytes
	emptied map[*line]bool // headings that lost their last statement
	stale   bool           // ids are due to be given anew

	// Of the edit that is under way, kept for the next.
	kept  []former
	seen  []string
	marks []markdown.Mark
}

// Parse reads a page. Parse never fails: what is not understood is kept byte for byte.
func Parse(p vault.Path, data []byte) *Doc {
	n := len(vault.Front(data))
	d := &Doc{path: p, front: bytes.Clone(data[:n]), eol: "\n", lead: &region{}, equals: map[same]int{}, emptied: map[*line]bool{}}
	d.regions = []*region{d.lead}
	if i := bytes.IndexByte(data, '\n'); i > 0 && data[i-1] == '\r' {
		d.eol = "\r\n"
	}
	body := string(data[n:])
	all := make([]line, 0, 1+strings.Count(body, "\n"))
	d.lines = make([]*line, 0, cap(all)+cap(all)/4)
	for s := range strings.Lines(body) {
		text, eol := strings.TrimSuffix(s, "\n"), d.eol
		if len(text) < len(s) {
			eol = "\n"
			if t, ok := strings.CutSuffix(text, "\r"); ok {
				text, eol = t, "\r\n"
			}
		}
		all = append(all, line{text: text, eol: eol})
		d.lines = append(d.lines, &all[len(all)-1])
	}
	d.open = (len(d.lines) > 0 || n > len("\uFEFF")) && data[len(data)-1] != '\n'
	d.hides = strings.Contains(body, "%%")
	d.read()
	return d
}

// read reads all lines.
func (d *Doc) read() {
	d.scan(0, len(d.lines))
	d.settle(0)
	for _, ln := range d.lines {
		ln.here, ln.fresh = true, false
	}
	d.names()
}

// Path names the page.
func (d *Doc) Path() vault.Path { return d.path }

// Bytes is the page as it stands now. A file that ended without a line break still does.
func (d *Doc) Bytes() []byte {
	b := d.frontLines()
	n := len(b)
	for _, ln := range d.lines {
		n += len(ln.text) + len(ln.eol)
	}
	b = append(make([]byte, 0, n), b...)
	for i, ln := range d.lines {
		if b = append(b, ln.text...); i < len(d.lines)-1 || !d.open {
			b = append(b, ln.eol...)
		}
	}
	return b
}

// Page is the page's frontmatter and body as they stand now.
func (d *Doc) Page() *vault.Page { return vault.ParsePage(d.path, d.Bytes()) }

// Statements lists the list items in the order of the file: those outside code and comments that say something. Options of
// conflicts are among them.
func (d *Doc) Statements() []Statement {
	n := slice.Count(d.lines, func(ln *line) bool { return ln.says() })
	out, from := make([]Statement, 0, n), d.above()
	for _, ln := range d.lines {
		if ln.says() {
			if st := ln.item.statement(from); st.Text != "" || len(st.Sources) > 0 {
				out = append(out, st)
			}
		}
	}
	return out
}

// Find gives the statement with that id. An id that an edit of this Doc changed still finds its statement.
func (d *Doc) Find(id string) (Statement, bool) {
	it := d.find(id)
	if it == nil {
		return Statement{}, false
	}
	return it.statement(d.above()), true
}

// above is the 1-based number of the body's first line in the file.
func (d *Doc) above() int { return 1 + bytes.Count(d.frontLines(), []byte{'\n'}) }

// frontLines is the frontmatter, which ends with a line break where something stands below it.
func (d *Doc) frontLines() []byte {
	if n := len(d.front); n > len("\uFEFF") && len(d.lines) > 0 && d.front[n-1] != '\n' {
		return slices.Concat(d.front, []byte(d.eol))
	}
	return d.front
}

// statement is the item in a file with so many lines above the first.
func (it *item) statement(above int) Statement {
	ln, r := it.first, it.read()
	var head *Head
	if len(it.own) > 1 || it.own[0].ln != ln {
		lines, h := it.tells()
		if it.own[0].ln != ln { // the marker stands alone
			lines = append([]string{ln.text}, lines...)
		}
		head = &Head{Text: h.text, Lines: lines, Sources: h.sources}
	}
	return Statement{
		ID: ln.id, Text: r.text, Raw: ln.text, Sources: slices.Clone(r.sources),
		Section: ln.region.name, History: ln.region.history,
		Task: it.box != 0, Done: it.done(), Callout: it.call != nil, Line: above + ln.at, Nested: it.nested(), Head: head,
	}
}

func (it *item) done() bool { return it.box|0x20 == 'x' }

func (it *item) nested() bool {
	return it.parent != nil || it.more || len(it.own) > 1 || it.own[0].ln != it.first || it.quoted && it.call == nil
}

// head is how many of an item's own lines tell it: those up to the first that names sources. What comes below, a person put there.
// A group of sources may go on in the next line.
func (it *item) head() int {
	if len(it.own) == 1 {
		return 1
	}
	for i, g := range it.own {
		if !strings.Contains(g.ln.seen, "#^") || !markdown.SourceRE().MatchString(g.text()) {
			continue
		}
		n := i + 1
		for n < len(it.own) && strings.HasPrefix(strings.TrimSpace(it.own[n].text()), "[[") {
			n++
		}
		return n
	}
	return len(it.own)
}

// tells are the lines of an item's head, and how they read.
func (it *item) tells() (lines []string, r reading) {
	own := it.own[:it.head()]
	texts := make([]string, len(own))
	for i, g := range own {
		lines, texts[i] = append(lines, g.ln.text), g.text()
	}
	return lines, read(strings.Join(texts, "\n"))
}

// read is how the item's text reads.
func (it *item) read() reading {
	if it.shown == nil {
		var b strings.Builder
		for i, g := range it.own {
			switch {
			case g.gap:
				b.WriteString("\n\n")
			case i > 0:
				b.WriteByte('\n')
			}
			b.WriteString(g.text())
		}
		r := read(b.String())
		it.shown = &r
	}
	return *it.shown
}
