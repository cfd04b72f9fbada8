package navigate

import (
	"bytes"
	"cmp"
	"iter"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/trust"
	"github.com/reverie-memory/reverie/vault"
)

// EmptyIndex is the map of a vault without pages: the file of the template.
const EmptyIndex = `# Index

The map of this vault: each page with one line about it. It is empty until the first dream, which reads the daily logs and
writes the first pages. How the vault works: [[schema]].
`

// Ours says whether index.md or MEMORY.md is one that Reverie made: it has the words of its template, a zone for a heading, or a link to a
// line of a log. An empty one is nobody's.
func Ours(data []byte, template string) bool {
	if len(bytes.TrimSpace(data)) == 0 {
		return true
	}
	for l := range strings.Lines(string(data)) {
		l = strings.TrimSpace(l)
		zone, heading := strings.CutPrefix(l, "## ")
		if heading && slices.Contains(Zones(), zone) || strings.Contains(l, "#^") && len(page.Sources(l)) > 0 {
			return true
		}
		if l != "" && !strings.HasPrefix(l, "# ") && strings.Contains(template, l) {
			return true
		}
	}
	return false
}

// GlossLength bounds what the map says about a page, in runes.
const GlossLength = 100

// Zones are the zones of a vault, in the order of the map.
func Zones() []string {
	return []string{
		vault.Inbox, vault.Projects, vault.Concepts, vault.Literature, vault.Syntheses, vault.Entities, vault.Wiki,
		vault.Personal, vault.Assets, vault.Archives,
	}
}

// zoneOf gives the zone of a page and its rank. Folders of a person's own come after ours, by name; the root is the last.
func zoneOf(l vault.Layout, p vault.Path) (zone string, rank int) {
	zones := Zones()
	for i, z := range zones {
		if strings.HasPrefix(string(l.Name(p)), z+"/") {
			return z, i
		}
	}
	if first, _, ok := strings.Cut(string(p), "/"); ok {
		return first, len(zones)
	}
	return "Other", len(zones) + 1
}

// A link target is ambiguous where two files have the name: the files of the root and of memory count as well.
type names map[string]int

func newNames() names {
	return names{"index": 1, "log": 1, "schema": 1, "memory": 1, "persona": 1, "user": 1}
}

func baseName(p vault.Path) string {
	name := path.Base(string(p))
	if ext := path.Ext(name); strings.EqualFold(ext, ".md") {
		name = strings.TrimSuffix(name, ext)
	}
	return name
}

func (n names) add(p vault.Path) { n[strings.ToLower(baseName(p))]++ }

// link leads to the page: by its file's name, by its path where that name is not the only one. link shows the title where [trust.Bar]
// admits that, else the file's name, and is "" where neither may stand.
func (n names) link(p vault.Path, title string) string {
	base := baseName(p)
	if !isName(strings.TrimSuffix(string(p), path.Ext(string(p)))) || !isName(base) {
		return ""
	}
	if !isName(title) {
		title = base
	}
	_, err := vault.ParseDay(base) // the logs have such names
	if n[strings.ToLower(base)] > 1 || err == nil {
		return linkTo(strings.TrimSuffix(string(p), path.Ext(string(p))), cmp.Or(title, base))
	}
	return linkTo(base, title)
}

// isName tells whether a page may be called so where it is listed.
func isName(name string) bool { return trust.Bar(trust.Said{Text: name}, trust.Name) == "" }

// lettersFrom is how many pages of a zone are listed before it gets a heading for each letter.
const lettersFrom = 100

// Index is the map of the pages, by zone and title. Index keeps a title and a gloss of each page, nothing more. An overflow page is
// named behind the page that it belongs to; one whose file's name tells assistants what to do is left out.
// The order of pages makes no difference.
func Index(l vault.Layout, pages iter.Seq[PageInfo]) []byte {
	type entry struct {
		path               vault.Path
		title, gloss, zone string
		rank               int
		part               bool // an overflow page
	}
	var entries []entry
	per := map[string]int{}
	main := map[string]int{} // by zone and title
	known := newNames()
	for p := range pages {
		e := entry{path: p.Path, title: cmp.Or(p.Title, baseName(p.Path)), gloss: glossOf(l, p)}
		e.zone, e.rank = zoneOf(l, p.Path)
		known.add(p.Path)
		if e.part = strings.Contains(e.title, " - ") && p.Type == "topic"; !e.part {
			main[e.zone+"/"+e.title]++
		}
		entries = append(entries, e)
	}
	if len(entries) == 0 {
		return []byte(EmptyIndex)
	}
	slices.SortFunc(entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.zone, b.zone),
			cmp.Compare(byLetter(a.title), byLetter(b.title)), cmp.Compare(a.path, b.path))
	})
	parts := map[string][]string{}
	for i := range entries {
		e := &entries[i]
		owner, what, _ := strings.Cut(e.title, " - ")
		if e.part = e.part && main[e.zone+"/"+owner] == 1; e.part {
			if to := known.link(e.path, what); to != "" {
				parts[e.zone+"/"+owner] = append(parts[e.zone+"/"+owner], to)
			}
			continue
		}
		per[e.zone]++
	}
	var b strings.Builder
	b.WriteString("# Index\n")
	zone, letter := "", ""
	for _, e := range entries {
		link := known.link(e.path, e.title)
		if e.part || link == "" {
			continue
		}
		if e.zone != zone {
			zone, letter = e.zone, ""
			b.WriteString("\n## " + linkPart(zone) + "\n")
		}
		if to := initial(e.title); per[zone] >= lettersFrom && to != letter {
			letter = to
			b.WriteString("\n### " + letter + "\n")
		}
		b.WriteString("- " + link)
		if e.gloss != "" {
			b.WriteString(": " + e.gloss)
		}
		if more := parts[e.zone+"/"+e.title]; len(more) > 0 {
			b.WriteString(" · " + strings.Join(more, " · "))
		}
		b.WriteByte('\n')
	}
	return []byte(b.String())
}

// initial is the letter under which a title is listed.
func initial(title string) string {
	r, _ := utf8.DecodeRuneInString(lexis.Fold(title))
	if !unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic) {
		return "#"
	}
	return string(unicode.ToUpper(r))
}

// byLetter orders titles as they are listed: those of no letter first.
func byLetter(title string) string {
	if initial(title) == "#" {
		return "\x00" + lexis.Fold(title)
	}
	return lexis.Fold(title)
}

func glossOf(l vault.Layout, p PageInfo) string {
	waiting := func(unit, more string) string {
		if p.Open == 0 {
			return "nothing open"
		}
		return Counted(p.Open, unit) + more
	}
	name := l.Name(p.Path)
	switch {
	case name == vault.ConflictsPath:
		return waiting("open question", "")
	case name == UnfiledPath:
		return waiting("fact", " without a page")
	case name == UnconfirmedPath:
		return waiting("statement", " to confirm")
	case name == SkippedPath:
		return waiting("fact", " of skipped days")
	case p.Gloss != "":
		return cut(claim(p.Gloss), GlossLength)
	}
	return Gloss(p.Lines, GlossLength, append([]string{p.Title}, p.Aliases...)...)
}
