package navigate

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/reverie-memory/reverie/dream/merge"
	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/markdown"
	"github.com/reverie-memory/reverie/vault"
)

// The names of the lists for a person, from the root of the [vault.Layout].
const (
	UnfiledPath vault.Path = vault.Inbox + "/Unfiled.md"
	SkippedPath vault.Path = vault.Inbox + "/Skipped.md"
	// UnconfirmedPath lists what others said and what would go on a page only if the person whose memory it is says so.
	UnconfirmedPath vault.Path = vault.Inbox + "/Unconfirmed.md"
)

// Lists are the lists for a person, each with the head of a new one.
var Lists = map[vault.Path]string{
	vault.ConflictsPath: "# Conflicts\n\nTick what is right, or correct it; the next dream settles the page.\n",
	UnfiledPath:         "# Unfiled\n\nFacts that found no page. Move a line to the page where it belongs, or delete it.\n",
	UnconfirmedPath: "# Unconfirmed\n\nWhat others than you said, and what assistants would take for an instruction. Tick " +
		"what may go on its page, or delete it.\n",
	SkippedPath: "# Skipped\n\nFacts of days that could not be consolidated. They are still found by search; move what " +
		"matters to a page.\n",
}

// An Item is one item of such a list.
type Item struct {
	Line    int // 1-based; 0 for one that stands in no file
	Ticked  bool
	Plain   bool   // without a box to tick
	Page    string // the link's target: a title, or a path; "" for none
	Text    string // as it stands in the file, without sources
	Sources []page.Source
	Raw     string // the line as it stands, without its line break
}

// Read is the item as it will be read from a file.
func (it Item) Read() Item {
	if it.Raw == "" {
		it = parseItem(it.render())
	}
	return it
}

// Key is equal for items that say the same of the same page from the same sources.
func (it Item) Key() string {
	it = it.Read()
	return it.place() + "\x00" + it.Text
}

// Was tells whether two items are one, which a person may have worded anew.
func (it Item) Was(o Item) bool {
	return it.Key() == o.Key() || len(it.Sources) > 0 && it.Read().place() == o.Read().place()
}

// place is what is left of the key when a person words the item anew.
func (it Item) place() string {
	src := slices.Clone(it.Sources)
	slices.SortFunc(src, func(a, b page.Source) int { return cmp.Or(cmp.Compare(a.Day, b.Day), cmp.Compare(a.ID, b.ID)) })
	var b strings.Builder
	b.WriteString(strings.ToLower(it.Page))
	for _, s := range slices.Compact(src) {
		b.WriteString("\x00" + string(s.Day) + "^" + s.ID)
	}
	return b.String()
}

func (it Item) render() string {
	line := "- [ ] "
	switch {
	case it.Plain:
		line = "- "
	case it.Ticked:
		line = "- [x] "
	}
	if target := linkPart(it.Page); target != "" {
		line += linkTo(target, target[strings.LastIndexByte(target, '/')+1:]) + ": "
	}
	line += claim(it.Text)
	for i, s := range it.Sources {
		line += map[bool]string{true: " (", false: ", "}[i == 0] + s.Link()
	}
	if len(it.Sources) > 0 {
		line += ")"
	}
	return strings.TrimRight(line, " ")
}

var (
	itemHead   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^ ?[-*+][ \t]+(?:\[([^\[\]])\](?:[ \t]+|$))?`) })
	itemPage   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\[\[([^\[\]|#]+)(?:\|[^\[\]]*)?\]\][ \t]*:[ \t]*`) })
	sourcesEnd = sync.OnceValue(func() *regexp.Regexp {
		sourceLink := markdown.SourceRE().String()
		return regexp.MustCompile(`\s*\(\s*` + sourceLink + `(?:\s*,?\s*` + sourceLink + `)*\s*\)`)
	})
	anySource = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\s*` + markdown.SourceRE().String()) })
)

func parseItem(line string) Item {
	it := Item{Raw: line, Plain: true}
	head := itemHead().FindStringSubmatch(line)
	if head == nil {
		return it
	}
	rest := line[len(head[0]):]
	if head[1] != "" {
		it.Plain = false
		it.Ticked = head[1] == "x" || head[1] == "X"
	}
	if m := itemPage().FindStringSubmatch(rest); m != nil {
		it.Page = strings.TrimSpace(m[1])
		rest = rest[len(m[0]):]
	}
	it.Sources = page.Sources(rest)
	rest = sourcesEnd().ReplaceAllString(rest, "")
	it.Text = strings.TrimSpace(anySource().ReplaceAllString(rest, ""))
	return it
}

// ParseItems reads the items of a list. Items in code and comments, and what is nested, are not items.
func ParseItems(data []byte) []Item {
	var items []Item
	for _, st := range page.Parse("", data).Statements() {
		if !itemHead().MatchString(st.Raw) {
			continue
		}
		it := parseItem(st.Raw)
		it.Line = st.Line
		if it.Text != "" || it.Page != "" || len(it.Sources) > 0 {
			items = append(items, it)
		}
	}
	return items
}

// AppendItems adds items after the last one, and intro to an empty file. An item with the page, text and sources of one that
// stands there is not added again. Every other byte stays.
func AppendItems(data []byte, intro string, items []Item) []byte {
	old := ParseItems(data)
	seen := slice.SetOf(old, func(it Item) string { return it.Key() })
	var fresh []string
	for _, it := range items {
		it.Raw = ""
		if key := it.Key(); !seen[key] && (claim(it.Text) != "" || linkPart(it.Page) != "") {
			seen[key] = true
			fresh = append(fresh, it.render())
		}
	}
	if len(fresh) == 0 {
		return data
	}
	t := merge.Split(data)
	eol := cmp.Or(t.Breaks(), "\n")
	if len(bytes.TrimSpace(bytes.TrimPrefix(data, []byte(merge.ByteOrderMark)))) == 0 {
		fresh = append(append(strings.Split(strings.TrimRight(intro, "\n"), "\n"), ""), fresh...)
		t = merge.Text{BOM: t.BOM}
	}
	at := len(t.Lines)
	if len(old) > 0 {
		at = old[len(old)-1].Line
		for at < len(t.Lines) && strings.TrimSpace(t.Lines[at]) != "" && strings.ContainsAny(t.Lines[at][:1], " \t") {
			at++
		}
	} else if at > 0 && strings.TrimSpace(t.Lines[at-1]) != "" {
		fresh = append([]string{""}, fresh...)
	}
	eols := slices.Repeat([]string{eol}, len(fresh))
	if at > 0 && t.EOLs[at-1] == "" { // the last line has no break, nor will the new one
		t.EOLs[at-1], eols[len(eols)-1] = eol, ""
	}
	t.Lines, t.EOLs = slices.Insert(t.Lines, at, fresh...), slices.Insert(t.EOLs, at, eols...)
	return t.Bytes()
}

// TakeItems removes the lines of the items that match. Every other byte stays, also what a person nested under them.
func TakeItems(data []byte, match func(Item) bool) []byte {
	gone := map[int]bool{}
	for _, it := range ParseItems(data) {
		if match(it) {
			gone[it.Line] = true
		}
	}
	if len(gone) == 0 {
		return data
	}
	t := merge.Split(data)
	kept := merge.Text{BOM: t.BOM}
	for i, line := range t.Lines {
		if !gone[i+1] {
			kept.Lines, kept.EOLs = append(kept.Lines, line), append(kept.EOLs, t.EOLs[i])
		}
	}
	return kept.Bytes()
}

// A Change is what a person made of an item.
type Change struct {
	Item         // as it stands now
	Edited  bool // it has another text
	Deleted bool
}

// Changes tells what a person made of each of the known items. One that has its page and sources still, but another text, was edited.
func Changes(known, now []Item) []Change {
	out, taken := make([]Change, len(known)), make([]bool, len(now))
	for i := range out {
		out[i].Deleted = true
	}
	same := []func(was, is Item) bool{
		func(was, is Item) bool { return was.Key() == is.Key() },
		func(was, is Item) bool { return strings.EqualFold(was.Page, is.Page) && was.Text == is.Text },
		Item.Was,
	}
	for _, same := range same {
		for i, was := range known {
			was = was.Read()
			for j, is := range now {
				if out[i].Deleted && !taken[j] && same(was, is) {
					out[i], taken[j] = Change{Item: is, Edited: is.Text != was.Text}, true
				}
			}
		}
	}
	return out
}
