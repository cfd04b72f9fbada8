package route

import (
	"cmp"
	"slices"

	"github.com/reverie-memory/reverie/vault"
)

// How many statements stay on one page, and how few a section has that never moves.
const (
	maxPage  = 150
	minMoved = 8
)

// spread moves sections that make a page too long on to pages of their own, the longest first. All items of a batch that belong to a
// section stay together, so the order of the items is without influence.
func (b *batch) spread(at []sectionRef) {
	rooms := map[*pageRef]map[string][]int{} // page: section: items
	for i, s := range at {
		if s.page == nil {
			continue
		}
		if rooms[s.page] == nil {
			rooms[s.page] = map[string][]int{}
		}
		rooms[s.page][s.section] = append(rooms[s.page][s.section], i)
	}
	for n, sections := range rooms {
		if n.entry.Foreign { // how long it gets is a person's matter
			continue
		}
		for _, s := range b.tooLong(n, sections) {
			for _, i := range sections[s] {
				at[i] = b.part(n, s, i, len(sections[s]))
			}
		}
	}
}

// tooLong names the sections whose new statements do not go on the page itself: those that have a page, and as many as make it short
// enough.
func (b *batch) tooLong(n *pageRef, sections map[string][]int) []string {
	has, total := n.entry.Sections, statements(&n.entry)
	var out, rest []string
	for s, items := range sections {
		if s != "" && b.partEntry(n, n.entry.Title+partMark+s) != nil {
			out = append(out, s)
			continue
		}
		total += len(items)
		rest = append(rest, s)
	}
	slices.SortFunc(rest, func(x, y string) int {
		return cmp.Or(cmp.Compare(has[y]+len(sections[y]), has[x]+len(sections[x])), cmp.Compare(x, y))
	})
	for _, s := range rest {
		if total > maxPage && s != "" && has[s]+len(sections[s]) >= minMoved {
			out = append(out, s)
			total -= len(sections[s])
		}
	}
	return out
}

// statements is how many a page has that hold today.
func statements(e *Entry) int {
	total := 0
	for _, c := range e.Sections {
		total += c
	}
	return total - e.Sections[vault.History]
}

// partEntry is the known page that a section moved on to.
func (b *batch) partEntry(n *pageRef, title string) *Entry {
	for _, e := range b.dir.names[key(title)] {
		if e.zone == n.entry.zone {
			return e
		}
	}
	return nil
}

// part is the place of an item on the page that a section of n goes on: on one for its year, where that page is full as well.
func (b *batch) part(n *pageRef, section string, i, items int) sectionRef {
	title := n.entry.Title + partMark + section
	e := b.partEntry(n, title)
	if t := b.items[i].Day.Time(); !t.IsZero() {
		year := title + t.Format(" 2006")
		if of := b.partEntry(n, year); of != nil || items > maxPage || e != nil && statements(e)+items > maxPage {
			title, e = year, of
		}
	}
	p := b.fresh(n.entry.zone, title, typeTopic)
	if e != nil {
		p = b.old(e)
	}
	p.up = n
	return sectionRef{p, b.finer[i]}
}
