package indexer

import (
	"bytes"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/vault"
)

// How much of one page is searched. No file may keep the others waiting for long.
const (
	maxPage     = 4 << 20 // bytes
	maxPageRows = 10_000
	maxTitle    = 1000 // bytes of the page's name and aliases in a row's context
)

// Names of the sources whose rows are those of pages.
const (
	pageName  = "page"
	coreName  = "core"
	diaryName = "diary"
)

// pageVersion is raised when pages give other rows for the same bytes.
const pageVersion = 8

// PageSource gives the rows of the wiki's pages, in all zones.
//
// A row is a paragraph, a list item, a callout, a code block or (part of) a table. Its text is what
// a person reads: links show their text, comments and embeds are gone, and so are the source links
// of statements, whose newest day becomes the row's time. Title, aliases, headings and the list
// items above are its Context: indexed with it and not shown. A statement has the rest of what its sources' rows had. Front matter gives
// tags, the category (type) and one row of its own for the properties that are not ours. A row's id is the block id, or derives from file,
// text and rank among equals, so that an edit elsewhere on the page leaves it.
//
// The wiki's navigation (index.md, log.md, schema.md) says nothing that the pages do not, and gives
// no rows.
func PageSource(l vault.Layout) Source {
	return Source{
		Name:    pageName,
		Version: pageVersion,
		Match:   l.IsPage,
		Rows: func(p vault.Path, data []byte, env Env) ([]Row, []vault.Problem) {
			env.layout = l
			return pageRows(p, data, env, Row{Source: catalog.Notebook})
		},
		Facets: []Dependency{{ledgerFacet, citedDays}, {movedFacet, citedDays}},
	}
}

// pageRows are the rows of a page; base holds what they share.
func pageRows(p vault.Path, data []byte, env Env, base Row) ([]Row, []vault.Problem) {
	b := newPageBuilder(p, data, env, base)
	b.build(data)
	return b.rows, b.page.Problems
}

func newPageBuilder(p vault.Path, data []byte, env Env, base Row) *pageBuilder {
	page := vault.ParsePage(p, data)
	b := &pageBuilder{p: p, page: page, env: env, ids: newCounts(nil), base: base}
	b.title = env.visible(pageTitle(p, page))
	page.Aliases = slices.DeleteFunc(page.Aliases, func(name string) bool { return env.visible(name) != name })
	b.base.File = p
	in := env.layout.Name(p).In
	b.putAway = in(vault.Inbox, vault.Assets, vault.Archives)
	b.known = in(vault.Projects, vault.Wiki, vault.Personal) && !in(vault.Literature)
	if base.Source == catalog.Notebook {
		b.base.Category = strings.ToLower(page.Type)
	}
	if base.At.IsZero() {
		b.base.At = pageTime(page)
	}
	return b
}

func (b *pageBuilder) build(data []byte) {
	page := b.page
	b.properties()
	body := page.Body[:cutPoint(page.Body, maxPage)]
	end := 0
	pieces(body, func(p *piece) bool {
		if len(b.rows) >= maxPageRows {
			end = page.BodyLine + p.line - 1
			return false
		}
		b.piece(p)
		return true
	})
	if end == 0 && len(body) < len(page.Body) {
		end = page.BodyLine + bytes.Count(body, []byte("\n"))
	}
	if end > 0 {
		page.Problems = append(page.Problems, vault.Problem{
			Path: b.p, Line: end, Reason: "the page is too long: from here on it is not searched", Hint: "make several pages of it",
		})
	}
	b.bare(data)
}

// cutPoint is how much of a text of more than limit bytes is kept: whole lines, or else whole characters.
func cutPoint(text []byte, limit int) int {
	if len(text) <= limit {
		return len(text)
	}
	if i := bytes.LastIndexByte(text[limit/2:limit], '\n'); i >= 0 {
		return limit/2 + i + 1
	}
	for n := range utf8.UTFMax {
		if utf8.RuneStart(text[limit-n]) {
			return limit - n
		}
	}
	return limit
}

func pageTitle(p vault.Path, page *vault.Page) string {
	if page.Title != "" {
		return page.Title
	}
	return strings.TrimSuffix(path.Base(string(p)), path.Ext(string(p)))
}

// pageTime is when the page was last said to have changed; zero when it does not say.
func pageTime(page *vault.Page) time.Time {
	for _, s := range []string{page.Updated, page.Created} {
		for _, layout := range []string{
			time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02 15:04",
			time.DateOnly,
		} {
			if t, err := time.Parse(layout, s); err == nil {
				return t.UTC()
			}
		}
	}
	return time.Time{}
}

type pageBuilder struct {
	p     vault.Path
	page  *vault.Page
	env   Env
	ids   *counts
	title string
	base  Row
	rows  []Row

	putAway bool // the page lies where nothing is found unless it is asked for
	known   bool // the page lies where rows without facts are found as well

	added func(row *Row, p *piece) // is told of each row, where it is set
}

func (b *pageBuilder) piece(p *piece) {
	if p.kind == headingKind || b.base.Source == catalog.CoreFile && strings.EqualFold(p.Text, b.title) { // "# Memory" over nothing
		return
	}
	row := b.base
	row.Context, row.Past = b.context(p), b.past(p)
	row.Line = b.page.BodyLine + p.line - 1
	row.Tags = union(b.page.Tags, p.Tags)
	if p.kind == codeKind {
		row.Category = "code"
	}
	if day := p.Newest(); day != "" {
		row.At = day.Time()
	}
	if b.base.Source == catalog.Diary {
		row.At = diaryTime(b.base.At, p.headings)
	} else if p.Ends {
		b.provenance(&row, p)
	}
	echo := b.echoes(p)
	text := b.env.lines(p.Text)
	at := 0
	for _, c := range lexis.Chunk(text, chunkSize, chunkOverlap) {
		row.Line += strings.Count(text[at:c.Start], "\n")
		at = c.Start
		b.add(row, c.Text, p, echo)
	}
}

// add appends the row with that text, unless it is empty, forgotten or hidden: it counts all the same.
func (b *pageBuilder) add(row Row, text string, p *piece, hidden bool) {
	id := p.BlockID
	if id == "" {
		// The rank goes into the hash: the id of an equal text is as opaque as any other.
		name := "text\x00" + text
		rank := b.ids.seen(name)
		b.ids.ids[name] = rank + 1
		id = vault.DeriveID('n', string(b.p), text, strconv.Itoa(rank))
	}
	row.ID, row.Text = b.ids.id(id), b.env.lines(text)
	row.Aside = b.aside(&row)
	if hidden || row.Text == "" {
		return
	}
	if b.rows = append(b.rows, row); b.added != nil {
		b.added(&row, p)
	}
}

// context is the way to the piece: "Title (alias, alias) > Heading > Heading", the list items above
// it, and the language of code.
func (b *pageBuilder) context(p *piece) string {
	name := b.title
	if len(b.page.Aliases) > 0 {
		name += " (" + strings.Join(b.page.Aliases, ", ") + ")"
	}
	return clip(name, maxTitle) + b.way(p)
}

// past says whether a heading above tells that this was true once.
func (b *pageBuilder) past(p *piece) bool {
	if b.base.Source != catalog.Notebook {
		return false
	}
	headings := p.headings
	if len(headings) > 0 && strings.EqualFold(headings[0], b.title) {
		headings = headings[1:]
	}
	return slices.Contains(headings, vault.History)
}

// way is the context below the page's name.
func (b *pageBuilder) way(p *piece) string {
	var s strings.Builder
	for i, h := range p.headings {
		if i == 0 && strings.EqualFold(h, b.title) {
			continue
		}
		if h = b.env.visible(h); h != "" {
			s.WriteString(" > " + h)
		}
	}
	for _, item := range p.parents {
		if item = b.env.visible(item); item != "" {
			s.WriteString(" > " + clip(strings.ReplaceAll(item, "\n", " "), 120))
		}
	}
	if p.kind == codeKind {
		s.WriteString(" > " + strings.TrimSpace("code "+p.lang))
	}
	return clip(s.String(), 4*maxTitle)
}

// properties adds the row of the front matter's foreign keys: in many vaults they hold what the
// page knows.
func (b *pageBuilder) properties() {
	if len(b.page.Problems) > 0 {
		return // what could not be read is not read here either
	}
	text := propertyText(b.page.Front)
	if text == "" {
		return
	}
	row := b.base
	row.Line, row.Tags = 1, b.page.Tags
	row.Context = b.context(&piece{})
	for _, c := range lexis.Chunk(text, chunkSize, 0) {
		b.add(row, c.Text, &piece{kind: propertyKind}, false)
	}
}

// bare gives a page that has nothing but its name, aliases or tags a row by which it can be found.
func (b *pageBuilder) bare(data []byte) {
	if len(b.rows) > 0 || len(bytes.TrimSpace(data)) == 0 || b.base.Source != catalog.Notebook {
		return
	}
	if len(b.page.Aliases) == 0 && len(b.page.Tags) == 0 && b.page.Title == "" {
		return
	}
	row := b.base
	row.Line, row.Tags = 1, b.page.Tags
	row.Context = strings.Join(slices.Concat(b.page.Aliases, b.page.Tags), ", ")
	b.add(row, b.title, &piece{kind: nameKind}, false)
}

// diaryTime is the time of the last heading that begins with HH:MM, on the diary's day.
func diaryTime(day time.Time, headings []string) time.Time {
	for _, h := range slices.Backward(headings) {
		if len(h) >= 5 {
			if t, err := time.Parse("15:04", h[:5]); err == nil {
				return day.Truncate(24 * time.Hour).Add(time.Duration(t.Hour())*time.Hour + time.Duration(t.Minute())*time.Minute)
			}
		}
	}
	return day
}

// aside says whether a row is found only when it is asked for: an open conflict, what the inbox lists, what is put away, and what rests
// on no facts outside the folders that tell what is known, such as notes about what others wrote.
func (b *pageBuilder) aside(row *Row) bool {
	if b.base.Source != catalog.Notebook {
		return false
	}
	if b.putAway || strings.HasPrefix(row.Text, "Warning: Conflict\n") {
		return true
	}
	rest, overflow := strings.CutPrefix(row.Text, b.title)
	overflow = overflow && strings.HasPrefix(rest, " - ") // a link to the page that took over a section
	return len(row.Cites) == 0 && (overflow || !b.known)
}

// union is a and then what b adds to it, compared without case.
func union(a, b []string) []string {
	if len(b) == 0 {
		return a
	}
	out := slices.Clone(a)
	have := slice.SetOf(a, strings.ToLower)
	for _, s := range b {
		if low := strings.ToLower(s); !have[low] {
			have[low] = true
			out = append(out, s)
		}
	}
	return out
}

// clip cuts s to at most n bytes, at a rune.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
