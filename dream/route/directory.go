package route

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/vault"
)

// An Entry is a page as the directory knows it.
type Entry struct {
	Path     vault.Path
	Title    string
	Aliases  []string
	Type     string         // person, pet, project, entity, literature, concept, topic; whatever a person wrote
	Sections map[string]int // how many current statements stand under each heading; nil when unknown
	Foreign  bool           // outside the zones: a person's own, which facts go to instead of a new page of its name
	Filed    bool           // a foreign page that has facts already
	zone     string
}

// A Directory knows the pages of the vault by their names. Methods that change it must not run beside others.
type Directory struct {
	layout  vault.Layout
	entries map[vault.Path]*Entry
	names   map[string][]*Entry // by key of title, alias and file name, each sorted by path
	starts  map[string]uint16   // first word of a name that can be linked: bit n-1 is set when a name of n words begins with it
	files   map[string]int      // how many pages have this file name, as the most forgiving file system sees it
}

// NewDirectory returns an empty directory.
func NewDirectory(l vault.Layout) *Directory {
	return &Directory{
		layout: l, entries: map[vault.Path]*Entry{}, names: map[string][]*Entry{}, starts: map[string]uint16{}, files: map[string]int{},
	}
}

// Add adds an entry, or replaces the one of the same path.
func (d *Directory) Add(e Entry) {
	d.Remove(e.Path)
	if e.Title == "" {
		e.Title = base(e.Path)
	}
	e.zone = zoneOf(d.layout.Name(e.Path))
	p := &e
	d.entries[e.Path] = p
	d.files[fileKey(base(e.Path))]++
	for _, k := range nameKeys(p) {
		at, _ := slices.BinarySearchFunc(d.names[k], p, func(a, b *Entry) int { return cmp.Compare(a.Path, b.Path) })
		d.names[k] = slices.Insert(d.names[k], at, p)
	}
	for _, n := range linkNames(p) {
		ws := cut(n)
		d.starts[ws[0].fold] |= 1 << (len(ws) - 1)
	}
}

// Remove forgets the page.
func (d *Directory) Remove(p vault.Path) {
	e, ok := d.entries[p]
	if !ok {
		return
	}
	delete(d.entries, p)
	if k := fileKey(base(p)); d.files[k] > 1 {
		d.files[k]--
	} else {
		delete(d.files, k)
	}
	for _, k := range nameKeys(e) {
		d.names[k] = slices.DeleteFunc(d.names[k], func(x *Entry) bool { return x == e })
		if len(d.names[k]) == 0 {
			delete(d.names, k)
		}
	}
}

// Find returns the pages of that title, alias or file name, whatever its case and accents, sorted by path.
func (d *Directory) Find(name string) []Entry {
	k := key(name)
	if k == "" {
		return nil
	}
	return slice.Map(d.names[k], func(e *Entry) Entry { return *e })
}

// Get returns the entry of a path.
func (d *Directory) Get(p vault.Path) (Entry, bool) {
	e, ok := d.entries[p]
	if !ok {
		return Entry{}, false
	}
	return *e, true
}

// Paths lists the pages, sorted.
func (d *Directory) Paths() []vault.Path { return slices.Sorted(maps.Keys(d.entries)) }

// partMark stands between the title of a page and what an overflow page of it holds.
const partMark = " - "

// key is the form in which names are compared. Joints count as spaces: wings and file names are often written with them.
func key(name string) string {
	if strings.ContainsFunc(name, unicode.IsControl) {
		name = lexis.OneLine(name, "")
	}
	s := lexis.Fold(name)
	if !strings.ContainsAny(s, "-_’") {
		return s
	}
	s = strings.ReplaceAll(s, "’", "'")
	s = strings.ReplaceAll(s, partMark, "\x00")
	s = strings.NewReplacer("-", " ", "_", " ").Replace(s)
	s = strings.Join(strings.Fields(s), " ")
	return strings.ReplaceAll(s, "\x00", partMark)
}

func base(p vault.Path) string { return strings.TrimSuffix(path.Base(string(p)), ".md") }

// zoneOf is the zone of a page by its name in the layout.
func zoneOf(p vault.Path) string {
	a, rest, _ := strings.Cut(string(p), "/")
	if b, _, ok := strings.Cut(rest, "/"); ok && a == vault.Wiki {
		return a + "/" + b
	}
	return a
}

func nameKeys(e *Entry) []string {
	var out []string
	for _, n := range append([]string{e.Title, base(e.Path)}, e.Aliases...) {
		if k := key(n); k != "" && !slices.Contains(out, k) {
			out = append(out, k)
		}
	}
	return out
}
