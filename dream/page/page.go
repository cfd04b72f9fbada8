package page

import "github.com/reverie-memory/reverie/vault"

// A Statement is a list item of a page.
type Statement struct {
	ID      string   // derives from section, bytes and rank among equals: changes when the item does
	Text    string   // as a person reads it, without sources
	Raw     string   // the item's first line as it stands, without line break
	Sources []Source // in the order of the text
	Section string   // the nearest heading's text, "" above the first
	History bool     // under "## History"
	Task    bool     // has a checkbox
	Done    bool     // which is ticked
	Callout bool     // an option of a conflict callout
	Line    int      // 1-based in the file
	Nested  bool     // has children or further lines, or stands within something: never reworded by us
}

// A Conflict is a callout that asks a person to decide.
type Conflict struct {
	ID       string
	Question string
	Options  []Statement
	Line     int
}

// A Doc is a page that can be edited. It belongs to one goroutine.
type Doc struct {
	path vault.Path
	data []byte
}

// Parse reads a page. It never fails.
func Parse(p vault.Path, data []byte) *Doc { return &Doc{path: p, data: data} }

// New is a page with frontmatter and a title.
func New(p vault.Path, m Meta) *Doc { return &Doc{path: p} }

// Path names the page.
func (d *Doc) Path() vault.Path { return d.path }

// Bytes is the page as it stands now.
func (d *Doc) Bytes() []byte { return d.data }

// Page is the page's frontmatter and body as they stand now.
func (d *Doc) Page() *vault.Page { return vault.ParsePage(d.path, d.Bytes()) }

// Statements lists the list items in the order of the file.
func (d *Doc) Statements() []Statement { return nil }

// Find gives the statement with that id. An id that an edit of this Doc changed still finds its statement.
func (d *Doc) Find(id string) (Statement, bool) { return Statement{}, false }

// Add appends a statement to a section.
func (d *Doc) Add(section, text string, task bool, src ...Source) string { return "" }

// AddSources names further sources in a statement.
func (d *Doc) AddSources(id string, src ...Source) bool { return false }

// Reword gives a statement another text. Sources, checkbox and block id stay.
func (d *Doc) Reword(id, text string) (newID string, ok bool) { return "", false }

// Retire moves a statement to History.
func (d *Doc) Retire(id, note string) (newID string, ok bool) { return "", false }

// Restore moves a statement from History to a section.
func (d *Doc) Restore(id, section string) (newID string, ok bool) { return "", false }

// Remove takes a statement off the page.
func (d *Doc) Remove(id string) bool { return false }

// Conflicts lists the conflict callouts.
func (d *Doc) Conflicts() []Conflict { return nil }

// AddConflict asks a person to decide between the options.
func (d *Doc) AddConflict(question string, o []Option) string { return "" }

// AddOption adds a side to a conflict.
func (d *Doc) AddOption(conflict string, o Option) bool { return false }

// RemoveConflict takes a callout off the page.
func (d *Doc) RemoveConflict(id string) bool { return false }

// Touch sets the day of the last update, where the frontmatter has one.
func (d *Doc) Touch(day vault.Day) {}

// AddAlias adds a name to the frontmatter's aliases, where it has them.
func (d *Doc) AddAlias(name string) {}

// Tidy takes out the headings that retired statements left empty.
func (d *Doc) Tidy() {}
