package route

import (
	"cmp"
	"slices"

	"github.com/reverie-memory/reverie/vault"
)

// The types of new pages.
const (
	typePerson     = "person"
	typePet        = "pet"
	typeProject    = "project"
	typeEntity     = "entity"
	typeLiterature = "literature"
	typeConcept    = "concept"
	typeTopic      = "topic"
)

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

	Identifies bool // says where who said it lives or works, how old they are, or the like: it is theirs, whatever else was talked of
}

// A Place is where an item goes.
type Place struct {
	Page    vault.Path
	New     bool     // there is no such page in the directory yet
	Entry   Entry    // the page's entry, not to be changed; of a new page what it is to be made with
	Tags    []string // of a new page
	Section string   // "" is the top of the page, above its first heading
	Up      Entry    // of an overflow page, the page that it belongs to and links back to; that one may be new as well
}

// A Router files items on the pages of a directory. A Router never changes the directory.
type Router struct {
	Dir   *Directory
	Owner string // whom assistants mean by "the user", "" when unknown
	// Called is how the user is called who speaks under no name, "" when unknown: a new page of the user bears it.
	Called string

	// Thread gives what was said in a conversation on a day. Thread is asked for facts of work that name no project. Nil: nobody knows.
	Thread func(chat string, day vault.Day) []string
}

// Place files a batch. Items that were filed before only count: one of them has a place where a new page is made for the batch to which it
// belongs, else an empty one. The places stand in the order of the items, those filed before last; order has no other influence.
func (r *Router) Place(items []Item, filed ...Item) []Place {
	n := len(items)
	items = append(slices.Clip(items), filed...)
	b := newBatch(r.Dir, r.Owner, items)
	b.thread, b.called = r.Thread, r.Called
	b.read()
	at := make([]sectionRef, len(items))
	made := map[*pageRef]bool{}
	for i := range items {
		if to := b.pageOf(i); i < n || made[to] {
			at[i].page = to
			made[to] = to.fresh
		}
	}
	b.sections(at)
	b.spread(at)
	b.settle(at)
	out := make([]Place, len(items))
	for i, s := range at {
		out[i] = s.place()
	}
	return out
}

// A sectionRef is a section of a page.
type sectionRef struct {
	page    *pageRef
	section string
}

// A pageRef is a page, known or to be made.
type pageRef struct {
	entry Entry
	tags  []string
	fresh bool
	used  bool
	up    *pageRef
	keys  []string
}

// names are the keys that the page goes by.
func (n *pageRef) names() []string {
	if n.keys == nil {
		n.keys = nameKeys(&n.entry)
	}
	return n.keys
}

func (s sectionRef) place() Place {
	n := s.page
	if n == nil {
		return Place{}
	}
	p := Place{Page: n.entry.Path, New: n.fresh, Entry: n.entry, Section: s.section, Tags: n.tags}
	if n.up != nil {
		p.Up = n.up.entry
	}
	return p
}

// settle gives the new pages that are used their file names, sorted so that the order of the items is without influence.
func (b *batch) settle(at []sectionRef) {
	var fresh []*pageRef
	for _, s := range at {
		for n := s.page; n != nil; n = n.up {
			if n.fresh && !n.used {
				n.used = true
				fresh = append(fresh, n)
			}
		}
	}
	slices.SortFunc(fresh, func(x, y *pageRef) int {
		return cmp.Or(cmp.Compare(x.entry.zone, y.entry.zone), cmp.Compare(x.entry.Title, y.entry.Title))
	})
	mine := map[string]bool{}
	for _, n := range fresh {
		n.entry.Path = b.dir.free(n.entry.zone, n.entry.Title, func(name string) bool {
			k := fileKey(name)
			return mine[k] || b.dir.files[k] > 0
		})
		mine[fileKey(base(n.entry.Path))] = true
	}
}
