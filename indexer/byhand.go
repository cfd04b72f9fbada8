package indexer

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/markdown"
	"github.com/reverie-memory/reverie/vault"
)

// ByHand is what people wrote on a page, of which no log tells.
type ByHand struct {
	Title string // that all of it may be about; "" where the page has none to show
	Kind  string // of what the title names, as the page says or its folder: person, pet, project, entity, …; "" where neither does
	Rows  []HandRow
}

// A HandRow is a row without sources.
type HandRow struct {
	ID, Text string
	Own      bool // no heading and no item stands above it that may name something else than the page
}

// ownSections are the headings below which a page tells of nothing but itself.
var ownSections = []string{"Now", "About", "Overview"}

// ReadByHand reads what people wrote on a page of the wiki, with the ids that its rows have in the index. ReadByHand leaves out what dreams
// wrote, which names its sources, what is code, a table, a quotation, a task or told as past, and pages that tell of nothing by themselves,
// such as the inbox. ReadByHand depends on the arguments alone.
func ReadByHand(l vault.Layout, p vault.Path, data []byte, visible func(string) string) (of ByHand) {
	env := Env{Visible: visible, layout: l, Consumed: func(vault.Day, string) (vault.Account, bool) { return vault.Account{}, true }}
	b := newPageBuilder(p, data, env, Row{Source: catalog.Notebook})
	if b.aside(&Row{}) || b.title != pageTitle(p, b.page) {
		return of
	}
	if of.Title, of.Kind = b.title, b.base.Category; of.Kind == "" {
		of.Kind = kindOf(l.Name(p))
	}
	b.added = func(row *Row, p *piece) {
		if len(p.Sources) > 0 || row.Aside || row.Past || p.kind != "" && p.kind != propertyKind ||
			strings.HasPrefix(row.Text, "[ ] ") || strings.HasPrefix(row.Text, "[x] ") {
			return
		}
		other := func(h string) bool { return !strings.EqualFold(h, b.title) && !slices.Contains(ownSections, h) }
		of.Rows = append(of.Rows, HandRow{row.ID, asLines(row.Text, p), len(p.parents) == 0 && !slices.ContainsFunc(p.headings, other)})
	}
	b.build(data)
	return of
}

// attributeLine is a line that says by a key what is so.
var attributeLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\p{L}[\p{L} _]{1,30}::? `) })

// asLines is the text of a piece in which lines with a key stand apart, as editors show them; the other lines of a paragraph are one text.
func asLines(text string, p *piece) string {
	if len(p.lines) < 2 || text != p.Text {
		return text
	}
	var out strings.Builder
	before := false
	for i, l := range p.lines {
		keyed := attributeLine().MatchString(l.Text)
		if i > 0 {
			out.WriteString(map[bool]string{true: "\n", false: " "}[keyed || before])
		}
		out.WriteString(markdown.Read(l.Text, nil).Text)
		before = keyed
	}
	if split := out.String(); strings.Join(strings.Fields(split), " ") == strings.Join(strings.Fields(text), " ") {
		return split
	}
	return text // what goes over lines
}

// kindOf is of what the pages of a folder are.
func kindOf(name vault.Path) string {
	for folder, kind := range map[string]string{vault.Projects: "project", vault.Entities: "entity", vault.Personal: "person"} {
		if name.In(folder) {
			return kind
		}
	}
	return ""
}
