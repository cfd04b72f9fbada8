package route

import "github.com/reverie-memory/reverie/vault"

// An Item is a fact as it is to be filed.
type Item struct {
	Text     string
	Category string // decision, preference, task, … or whatever a person wrote
	Tags     []string
	Speaker  string // who said it, "" when unknown
	Wing     string // project or side of life, "" when unknown
	Room     string // topic within the wing
	Chat     string // id of the conversation
	Day      vault.Day
}

// A Place is where an item goes. The zero Place is that of an item with nothing to hold on to.
type Place struct {
	Page    vault.Path
	New     bool  // there is no such page in the directory yet
	Entry   Entry // the page's entry; of a new page what it is to be made with
	Tags    []string
	Section string
	Zone    string // "3_Personal", "2_Wiki/Entities", …
	Up      string // title of the page that a new overflow page belongs to and links back to, else ""
}

// A Router files items on the pages of a directory.
type Router struct{ Dir *Directory }

// Place files a batch. The places stand in the order of the items.
func (r *Router) Place(items []Item) []Place { return make([]Place, len(items)) }

// Link turns the first mention of each other page's title in text into a wikilink that reads the same.
func (r *Router) Link(text string, self vault.Path) string { return text }

// Statement is the sentence as a page shows it: one line that any list item can hold.
func (r *Router) Statement(it Item) string { return it.Text }
