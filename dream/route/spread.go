package route

import (
	"cmp"
	"slices"
	"time"
)

// How much stays on one page, in statements.
const (
	maxSection = 60  // under one heading
	maxPage    = 150 // on a page
	maxCrowded = 180 // on a page of many small sections, before those move as well
	minMoved   = 15  // under a heading that moves because the page is full
	minCrowded = 8   // the same on a crowded page
)

// spread moves sections that grow too long on to pages of their own. All items of a batch that belong to a section stay
// together, so the order of the items is without influence.
func (b *batch) spread(at []sectionRef) {
	rooms := map[*pageRef]map[string][]int{} // page: section: items
	var nodes []*pageRef
	for i, s := range at {
		if s.page == nil {
			continue
		}
		if rooms[s.page] == nil {
			rooms[s.page] = map[string][]int{}
			nodes = append(nodes, s.page)
		}
		rooms[s.page][s.section] = append(rooms[s.page][s.section], i)
	}
	for _, n := range nodes {
		if n.entry.Foreign { // how long it gets is a person's matter
			continue
		}
		for _, section := range b.tooLong(n, rooms[n]) {
			b.moveOn(n, section, rooms[n][section], at)
		}
	}
}

// tooLong names the sections whose new statements do not go on the page itself.
func (b *batch) tooLong(n *pageRef, sections map[string][]int) []string {
	has := n.entry.Sections
	total := 0
	for s, c := range has {
		if s != headHistory {
			total += c
		}
	}
	var out, rest []string
	for s, items := range sections {
		if s != "" && (has[s]+len(items) > maxSection || b.part(n, partTitle(n, s)) != nil) {
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
		if total <= maxPage {
			break
		}
		if c := has[s] + len(sections[s]); s != "" && (c >= minMoved || total > maxCrowded && c >= minCrowded) {
			out = append(out, s)
			total -= len(sections[s])
		}
	}
	slices.Sort(out)
	return out
}

func partTitle(n *pageRef, section string) string {
	return n.entry.Title + partMark + section
}

// part is the known page that a section moved on to.
func (b *batch) part(n *pageRef, title string) *Entry {
	for _, e := range b.dir.names[key(title)] {
		if e.zone == n.zone {
			return e
		}
	}
	return nil
}

// moveOn files the items of a section on its own page; where that is too long as well, on one for the year, then the month.
func (b *batch) moveOn(n *pageRef, section string, items []int, at []sectionRef) {
	p := part{node: n, head: partTitle(n, section)}
	b.split(p, p.head, items, at, []string{"2006", "2006-01"})
}

// A part is what the overflow pages of one section have in common.
type part struct {
	node *pageRef
	head string // title without year and month
}

// split files items on the page of a title or, by the finer layouts of time, on pages beyond it.
func (b *batch) split(p part, title string, items []int, at []sectionRef, finer []string) {
	full := b.size(p.node, title)+len(items) > maxPage
	groups := map[string][]int{}
	var own *pageRef
	stay := func(i int) {
		if own == nil {
			own = b.partPage(p.node, title)
		}
		at[i] = sectionRef{own, month(b.items[i].Day.Time())}
	}
	for _, i := range items {
		t := b.items[i].Day.Time()
		if len(finer) > 0 && !t.IsZero() {
			k := p.head + " " + t.Format(finer[0])
			groups[k] = append(groups[k], i)
			continue
		}
		stay(i)
	}
	for sub, g := range groups {
		if full || b.part(p.node, sub) != nil || b.hasParts(p.node, sub) {
			b.split(p, sub, g, at, finer[1:])
			continue
		}
		for _, i := range g {
			stay(i)
		}
	}
}

// hasParts tells whether a page for one month of the year is known.
func (b *batch) hasParts(n *pageRef, title string) bool {
	for m := time.January; m <= time.December; m++ {
		if b.part(n, title+time.Date(2000, m, 1, 0, 0, 0, 0, time.UTC).Format("-01")) != nil {
			return true
		}
	}
	return false
}

// size is how many statements the page of a title holds already.
func (b *batch) size(n *pageRef, title string) int {
	e := b.part(n, title)
	if e == nil {
		return 0
	}
	total := 0
	for s, c := range e.Sections {
		if s != headHistory {
			total += c
		}
	}
	return total
}

func month(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format("January 2006")
}

func (b *batch) partPage(n *pageRef, title string) *pageRef {
	var p *pageRef
	if e := b.part(n, title); e != nil {
		p = b.old(e)
	} else {
		p = b.fresh(n.zone, title, typeTopic, typeTopic)
	}
	p.up = n
	return p
}
