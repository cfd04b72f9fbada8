package mine

import (
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/palace/tier"
	"github.com/reverie-memory/reverie/redact"
	"github.com/reverie-memory/reverie/vault"
)

// Sizes of a chunk, in characters, and bounds of a file. No file may keep the others waiting for long.
const (
	chunkSize    = 800
	chunkOverlap = 100
	smallChunk   = chunkSize / 4 // shorter sections are joined
	maxRows      = 10_000
	maxWay       = 500 // bytes of the headings above a chunk
)

// Sources give the rows of mined files: chunks, each of which is a drawer of its own. What they hold was written by anybody, so that they
// are found and never told to who did not ask.
func (r *Room) Sources() []indexer.Source {
	of := func(name string, pdf bool) indexer.Source {
		return indexer.Source{
			Name: name, Version: 3,
			Match:  func(p vault.Path) bool { return strings.HasPrefix(string(p), Dir+"/") && isPDF(string(p)) == pdf },
			Rows:   rows,
			Facets: []indexer.Dependency{{Facet: facet, Names: func(p vault.Path, _ []byte) []string { return []string{idOf(p)} }}},
		}
	}
	files, papers := of("mined", false), of("mined-pdf", true)
	papers.Convert = r.pdfs.text
	return []indexer.Source{files, papers}
}

func isPDF(name string) bool { return strings.EqualFold(path.Ext(name), ".pdf") }

// facet names what tells where each folder is filed, by its id.
const facet = "mined"

// A place is where the rows of a folder are filed.
type place struct{ wing, room string }

// Facet tells the rows where they are filed.
func Facet() indexer.Facet {
	return indexer.Facet{
		Name:  facet,
		Files: func(vault.Layout) []vault.Path { return []vault.Path{vault.StateDir + "/" + vault.SourcesFile} },
		Load: func(v *vault.Vault, env *indexer.Env) (func(string) string, []vault.Problem, error) {
			folders, err := registered(v)
			if err != nil {
				return nil, nil, err
			}
			places, all := map[string]place{}, ""
			for _, s := range folders {
				places[s.ID] = place{s.Wing, s.Room}
				all += s.ID + "\x00" + s.Wing + "\x00" + s.Room + "\x00"
			}
			env.Values[facet] = places
			return func(id string) string {
				if id == "" {
					return all
				}
				return places[id].wing + "\x00" + places[id].room
			}, nil, nil
		},
	}
}

// idOf is the id of the folder that a file of the index belongs to; "" for none.
func idOf(p vault.Path) string {
	rest, ok := strings.CutPrefix(string(p), Dir+"/")
	if !ok {
		return ""
	}
	id, _, _ := strings.Cut(rest, "/")
	return id
}

// Mined says whether a file of the index is one of a mined folder.
func Mined(p vault.Path) bool { return idOf(p) != "" }

// rows are the rows of a file. rows is a pure function of its arguments.
func rows(p vault.Path, data []byte, env indexer.Env) ([]indexer.Row, []vault.Problem) {
	id := idOf(p)
	name := strings.TrimPrefix(string(p), Dir+"/"+id+"/")
	places, _ := env.Values[facet].(map[string]place)
	told := func(reason string) []vault.Problem { return []vault.Problem{{Path: p, Reason: reason}} }
	d, ok, why := read(name, data)
	if !ok {
		if why == "" {
			return nil, nil
		}
		return nil, told(why)
	}
	if d, ok = redacted(d); !ok {
		return nil, told(mostlySecrets)
	}
	b := builder{p: p, d: &d, env: env, ranks: map[string]int{}, base: indexer.Row{
		Source: catalog.DrawerText, File: p, Origin: vault.OriginImport, Wing: places[id].wing, Room: places[id].room, Session: string(p),
	}}
	shown := b.named(name)
	if top, _, below := strings.Cut(shown, "/"); below && b.base.Room == "" {
		b.base.Room = top
	}
	b.way = joined(shown, b.visible(d.title))
	if d.form == code {
		b.code()
	} else {
		b.prose()
	}
	if b.end > 0 {
		return b.rows, []vault.Problem{{Path: p, Line: b.end, Reason: "the file is too long: from here on it is not searched"}}
	}
	return b.rows, nil
}

type builder struct {
	p     vault.Path
	d     *document
	env   indexer.Env
	base  indexer.Row
	way   string // name and title of the file
	ranks map[string]int
	rows  []indexer.Row
	seq   int
	end   int // line from which on there is no room; 0: there was
}

// visible is what may be shown of a text, "" for nothing but white space.
func (b *builder) visible(text string) string {
	if b.env.Visible != nil {
		text = b.env.Visible(text)
	}
	if strings.TrimSpace(text) == "" {
		return ""
	}
	return text
}

// named is what may be shown of a file's name: of each folder, and of the file.
func (b *builder) named(name string) string {
	name, _ = redact.Redact(name)
	return strings.Join(slices.DeleteFunc(strings.Split(name, "/"), func(part string) bool {
		return b.visible(part) == "" || b.visible(strings.TrimSuffix(part, path.Ext(part))) == ""
	}), "/")
}

// joined are the names of what a text stands in, from the outermost.
func joined(names ...string) string {
	return strings.Join(slices.DeleteFunc(names, func(s string) bool { return s == "" }), " > ")
}

// add makes a row of a piece of the file, of which it is the first line that is counted. A piece that is hidden counts for the places of
// those after it.
func (b *builder) add(text, headings string, line int) {
	if b.seq++; len(b.rows) >= maxRows {
		if b.end == 0 {
			b.end = b.d.line(line)
		}
		return
	}
	rank := b.ranks[text]
	b.ranks[text] = rank + 1
	row := b.base
	row.ID = vault.DeriveID('d', string(b.p), text, strconv.Itoa(rank))
	row.Drawer, row.Seq, row.Line = row.ID, b.seq, b.d.line(line)
	row.Context = joined(b.way, headings)
	if row.Text = b.visible(text); row.Text != "" {
		kind, sure := tier.Classify(row.Text)
		row.Type, row.Sure = kind, uint8(math.Round(100*sure))
		b.rows = append(b.rows, row)
	}
}

// prose cuts the text at headings, and sections at sentences.
func (b *builder) prose() {
	way := headings{}
	var section strings.Builder
	start := 0
	flush := func(next int) {
		b.section(section.String(), way.text(b.visible), start)
		section.Reset()
		start = next
	}
	fenced, n := "", -1
	for line := range strings.SplitSeq(b.d.body, "\n") {
		if n++; b.end > 0 {
			return
		}
		if b.d.form == markdown {
			level, title := 0, ""
			if fenced, level, title = heading(line, fenced); level > 0 {
				if section.Len() >= smallChunk || way.deeper(level) {
					flush(n)
				}
				way.put(level, title)
			}
		}
		section.WriteString(line)
		section.WriteByte('\n')
	}
	flush(n)
}

// section adds the chunks of a text whose first line is given.
func (b *builder) section(text, headings string, line int) {
	for {
		first, rest, more := strings.Cut(text, "\n")
		if !more || strings.TrimSpace(first) != "" {
			break
		}
		text = rest
		line++
	}
	shown := strings.TrimRight(b.visible(text), " \t\n")
	at := 0
	for _, c := range lexis.Chunk(shown, chunkSize, chunkOverlap) {
		line += strings.Count(shown[min(at, c.Start):c.Start], "\n")
		at = c.Start
		b.add(c.Text, headings, line)
	}
}

// code packs lines, and begins a chunk after a blank line where there is one in its second half. What is forgotten goes first, as it may
// lie in two chunks.
func (b *builder) code() {
	lines := strings.Split(b.visible(b.d.body), "\n")
	for from := 0; from < len(lines) && b.end == 0; {
		size, to, blank := 0, from, 0
		for ; to < len(lines); to++ {
			size += utf8.RuneCountInString(lines[to]) + 1
			if size > chunkSize && to > from {
				break
			}
			if size > chunkSize/2 && strings.TrimSpace(lines[to]) == "" {
				blank = to + 1
			}
		}
		if to < len(lines) && blank > from {
			to = blank
		}
		b.section(strings.Join(lines[from:to], "\n"), "", from)
		from = to
	}
}

// headings are those above a line, by level.
type headings [7]string

// deeper says whether a heading of that level stands in no section of what there was before.
func (h *headings) deeper(level int) bool {
	for l := level; l < len(h); l++ {
		if h[l] != "" {
			return true
		}
	}
	return false
}

func (h *headings) put(level int, title string) {
	clear(h[level:])
	h[level] = title
}

// text is what may be shown of each, in a line.
func (h *headings) text(visible func(string) string) string {
	shown := *h
	for i, title := range shown {
		shown[i] = visible(title)
	}
	text := joined(shown[:]...)
	return strings.ToValidUTF8(text[:min(len(text), maxWay)], "")
}

// heading reads a line of Markdown: the fence that is open behind it, and the level and title of a heading, level 0 for none.
func heading(line, fence string) (open string, level int, title string) {
	t := strings.TrimLeft(line, " ")
	if mark := fenceOf(t); mark != "" && len(line)-len(t) < 4 {
		switch {
		case fence == "":
			return mark, 0, ""
		case strings.HasPrefix(mark, fence) && strings.TrimSpace(t[len(mark):]) == "":
			return "", 0, ""
		}
	}
	if fence != "" || len(line)-len(t) > 3 {
		return fence, 0, ""
	}
	for level < len(t) && t[level] == '#' {
		level++
	}
	if level == 0 || level > 6 || level < len(t) && t[level] != ' ' && t[level] != '\t' {
		return "", 0, ""
	}
	return "", level, strings.Trim(t[level:], "# \t")
}

// fenceOf is the run of three or more backticks or tildes that a line begins with.
func fenceOf(line string) string {
	n := 0
	for n < len(line) && (line[n] == '`' || line[n] == '~') && line[n] == line[0] {
		n++
	}
	if n < 3 {
		return ""
	}
	return line[:n]
}

// Drawers are rows of mined files as the drawers that they stand for.
func Drawers(rows []indexer.Row) []vault.Drawer {
	out := make([]vault.Drawer, len(rows))
	for i := range rows {
		out[i] = vault.Drawer{ID: rows[i].Drawer, Wing: rows[i].Wing, Room: rows[i].Room, Text: rows[i].Text}
	}
	return out
}
