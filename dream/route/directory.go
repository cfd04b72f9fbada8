package route

import "github.com/reverie-memory/reverie/vault"

// An Entry is a page as the directory knows it.
type Entry struct {
	Path     vault.Path
	Title    string
	Aliases  []string
	Type     string         // person, project, topic, …
	Sections map[string]int // how many current statements stand under each heading; nil when unknown
}

// A Directory knows the pages of the zones by their names.
type Directory struct{}

// NewDirectory returns an empty directory.
func NewDirectory() *Directory { return &Directory{} }

// Add adds an entry, or replaces the one of the same path.
func (d *Directory) Add(e Entry) {}

// Remove forgets the page.
func (d *Directory) Remove(p vault.Path) {}

// Find returns the pages of that title, alias or file name, whatever its case and accents.
func (d *Directory) Find(name string) []Entry { return nil }

// Len is the number of pages.
func (d *Directory) Len() int { return 0 }

// Free returns a path for a new page in a zone that is legal on Linux, macOS and Windows and clashes with no known path.
func (d *Directory) Free(zone, title string) vault.Path { return vault.Path(zone + "/" + title + ".md") }
