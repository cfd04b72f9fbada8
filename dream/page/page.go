package page

import (
	"bytes"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/vault"
)

// History is the section of what is no longer true.
const History = vault.History

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

// A Doc is a page that can be edited. It belongs to one goroutine.
type Doc struct {
	path  vault.Path
	front []byte
	lines []*line
	eol   string // of lines that are added

	lead    *region
	regions []*region
	calls   []*conflict
	items   map[string]*line // by id, made when one is looked for: see byID
	equals  map[same]int     // how many items share section and bytes
	was     map[string]*line // ids that edits replaced
	emptied map[*line]bool   // headings that lost their last statement
	stale   bool             // ids are due to be given anew
	near    int              // where a line was found last
	undo    *undo
}

// Parse reads a page. It never fails: what is not understood is kept byte for byte.
func Parse(p vault.Path, data []byte) *Doc {
	n := len(vault.Front(data))
	d := &Doc{path: p, front: bytes.Clone(data[:n]), eol: "\n", was: map[string]*line{}, emptied: map[*line]bool{}}
	if i := bytes.IndexByte(data, '\n'); i > 0 && data[i-1] == '\r' {
		d.eol = "\r\n"
	}
	all := make([]line, 0, 1+bytes.Count(data[n:], []byte{'\n'}))
	d.lines = make([]*line, 0, cap(all)+cap(all)/4)
	for s := range strings.Lines(string(data[n:])) {
		text, eol := strings.TrimSuffix(s, "\n"), ""
		if len(text) < len(s) {
			eol = "\n"
			if t, ok := strings.CutSuffix(text, "\r"); ok {
				text, eol = t, "\r\n"
			}
		}
		all = append(all, line{text: text, eol: eol})
		d.lines = append(d.lines, &all[len(all)-1])
	}
	d.scan()
	return d
}

// Path names the page.
func (d *Doc) Path() vault.Path { return d.path }

// Bytes is the page as it stands now.
func (d *Doc) Bytes() []byte {
	n := len(d.front)
	for _, ln := range d.lines {
		n += len(ln.text) + len(ln.eol)
	}
	b := append(make([]byte, 0, n), d.front...)
	for _, ln := range d.lines {
		b = append(append(b, ln.text...), ln.eol...)
	}
	return b
}

// Page is the page's frontmatter and body as they stand now.
func (d *Doc) Page() *vault.Page { return vault.ParsePage(d.path, d.Bytes()) }

// scan reads all lines anew.
func (d *Doc) scan() {
	s := scan(d.lines, visible(d.lines))
	d.lead, d.regions, d.calls = s.lead, s.regions, s.calls
	d.names()
	ranks := map[string]int{}
	for _, c := range d.calls {
		key := c.first.region.name + "\x00" + c.asks()
		c.id = vault.DeriveID('c', c.first.region.name, c.asks(), itoa(ranks[key]))
		ranks[key]++
	}
}

// names gives all items their ids.
func (d *Doc) names() {
	d.stale = false
	d.items = nil
	d.equals = make(map[same]int, len(d.equals))
	for _, ln := range d.lines {
		if it := ln.item; it != nil && len(it.own) > 0 {
			d.name(it)
		}
	}
}

// name gives an item its id. Items have to come in the order of the file.
func (d *Doc) name(it *item) {
	raw := it.raw()
	key := same{it.first.region.name, raw}
	now := naming{key, d.equals[key]}
	id := it.first.id
	if id == "" || it.first.named != now {
		id = vault.DeriveID('s', key.section, raw, itoa(now.rank))
		it.first.named = now
	}
	d.equals[key]++
	if d.items != nil {
		d.items[id] = it.first
	}
	if old := it.first.id; old != "" && old != id {
		d.was[old] = it.first
	}
	it.first.id = id
}

// same is what items have in common whose ids differ by their rank.
type same struct{ section, raw string }

// A naming is what an item's id was derived from.
type naming struct {
	same
	rank int
}

func (it *item) same() same { return same{it.first.region.name, it.raw()} }

// byID is the items by their ids.
func (d *Doc) byID() map[string]*line {
	if d.items == nil {
		d.items = map[string]*line{}
		for _, ln := range d.lines {
			if it := ln.item; it != nil && len(it.own) > 0 {
				d.items[ln.id] = ln
			}
		}
	}
	return d.items
}

// find gives the item with that id, also with one that it had before an edit.
func (d *Doc) find(id string) *item {
	if ln := d.byID()[id]; ln != nil {
		return ln.item
	}
	if ln := d.was[id]; ln != nil && !ln.gone {
		if it := ln.item; it != nil && len(it.own) > 0 {
			return it
		}
	}
	return nil
}

// Statements lists the list items in the order of the file: those outside code and comments that say something. Options of
// conflicts are among them.
func (d *Doc) Statements() []Statement {
	out := make([]Statement, 0, len(d.equals))
	from := 1 + bytes.Count(d.front, []byte{'\n'})
	for i, ln := range d.lines {
		if it := ln.item; it != nil && len(it.own) > 0 {
			if st := statement(it, from+i); st.Text != "" || len(st.Sources) > 0 {
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
	return statement(it, d.number(it.first)), true
}

// number is the 1-based line of the file.
func (d *Doc) number(ln *line) int {
	return 1 + bytes.Count(d.front, []byte{'\n'}) + d.index(ln)
}

// index is the place of a line, searched outwards from where the last one was: edits come close together.
func (d *Doc) index(ln *line) int {
	up, down := min(d.near, len(d.lines)), min(d.near, len(d.lines))-1
	for ; up < len(d.lines) || down >= 0; up, down = up+1, down-1 {
		if up < len(d.lines) && d.lines[up] == ln {
			d.near = up
			return up
		}
		if down >= 0 && d.lines[down] == ln {
			d.near = down
			return down
		}
	}
	return -1
}

func statement(it *item, n int) Statement {
	ln := it.first
	r := it.read()
	var head *Head
	if len(it.own) > 1 || len(it.own) == 1 && it.own[0].ln != ln {
		lines, h := it.tells()
		if it.own[0].ln != ln { // the marker stands alone
			lines = append([]string{ln.text}, lines...)
		}
		head = &Head{Text: h.text, Lines: lines, Sources: h.sources}
	}
	return Statement{
		ID: ln.id, Text: r.text, Raw: ln.text, Sources: slices.Clone(r.sources),
		Section: ln.region.name, History: ln.region.history,
		Task: it.task, Done: it.done, Callout: it.call != nil, Line: n, Nested: it.nested(), Head: head,
	}
}

// read reads the item's text, once for the same bytes.
func (it *item) read() reading {
	if text := it.text(); it.first.key != text || text == "" {
		it.first.key, it.first.last = text, read(text)
	}
	return it.first.last
}

func (it *item) nested() bool {
	return it.parent != nil || it.more || len(it.own) > 1 || it.own[0].ln != it.first || it.quoted && it.call == nil
}
