package page

import (
	"bytes"
	"iter"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/markdown"
)

// Sections with a place of their own.
const (
	Summary   = "Summary"
	Decisions = "Decisions"
	Facts     = "Facts"
	Tasks     = "Tasks"
	Timeline  = "Timeline" // what somebody said that is of no side of life for certain: it stands by its day
)

// order is that of the sections on a page: what is asked for most comes first, what is of the day later, and history last.
var order = [...]string{
	Summary, "Now", "Overview", "About", "Status", Decisions, "Preferences", "Stack",
	"Family", "People", "Friends", "Pets", "Home", "Work", "Projects", "Study", "Health", "Money", "Food", "Travel",
	"Sport", "Music", "Books", "Films", "Art", "Games", "Nature", "Hobbies", "Leisure", "Community", "Style", "Belongings", "Looks", Facts,
	"Events", Timeline, "Milestones", "Problems",
	"Plans", "Feelings", "Pictures", Tasks, "Parts", History,
}

// anywhere is the rank of headings that a person made, and of months.
const anywhere = -1

// rank is the place of a section in the order.
func rank(name string) int {
	return slices.IndexFunc(order[:], func(s string) bool { return strings.EqualFold(s, name) })
}

// ours tells whether a heading was made here: the page is ours, or the heading has one of our names.
func (d *Doc) ours(r *region) bool {
	if r.level != 2 || !strings.HasPrefix(r.head.text, "## ") {
		return false
	}
	for l := range bytes.Lines(d.front) {
		if bytes.HasPrefix(l, []byte("reverie:")) {
			return true
		}
	}
	return slices.ContainsFunc([]string{Decisions, Facts, Tasks, History}, func(name string) bool { return strings.EqualFold(r.name, name) })
}

// section finds a section by its heading's text, nil where there is none.
func (d *Doc) section(name string) *region {
	name = Shown(name)
	if name == "" {
		return d.lead
	}
	var near *region
	for _, r := range d.regions[1:] {
		if r.name == name {
			return r
		}
		if near == nil && strings.EqualFold(r.name, name) {
			near = r
		}
	}
	return near
}

// A slot is a place for lines; a gap is blank lines around them.
type slot struct {
	i   int
	gap bool
}

// put places an item's lines at the end of a section and gives its id, "" where no place is safe.
func (d *Doc) put(section string, lines []*line) string {
	r, all, slots := d.section(section), lines, iter.Seq[slot](nil)
	if r != nil {
		section, slots = r.name, d.slots(r)
	} else {
		all = append([]*line{{text: "#" + heading(section)}}, lines...)
		section, slots = Shown(section), d.sectionSlots(rank(section))
	}
	for s := range slots {
		if d.place(s, all, d.stands(lines, section)) {
			return lines[0].id
		}
	}
	return ""
}

// stands checks that lines are read as one item at the margin.
func (d *Doc) stands(lines []*line, section string) func() bool {
	first, last := lines[0], lines[len(lines)-1]
	return func() bool {
		return first.margin() != nil && first.says() && strings.EqualFold(first.region.name, section) &&
			(first.item.end == last || markdown.Empty(last.text) || last.hidden())
	}
}

// slots are the places in a section, best first.
func (d *Doc) slots(r *region) iter.Seq[slot] {
	return func(yield func(slot) bool) {
		if r.last != nil {
			if end := r.last.end.at + 1; !yield(slot{end, false}) || !yield(slot{end, true}) {
				return
			}
		}
		from, end, called := -1, 0, -1
		for i, ln := range d.lines {
			if ln.region != r {
				continue
			}
			if from < 0 || r.head != nil && ln.kind == markdown.Heading && ln.depth == 0 {
				from = i
				if ln.kind == markdown.Heading {
					from++
				}
				end = from
			}
			if ln.call != nil && called < 0 {
				called = i
			}
			if !ln.empty() && i >= from {
				end = i + 1
			}
		}
		if from < 0 { // a page that begins with a section, or holds nothing
			yield(slot{0, true})
			return
		}
		if called >= from && !yield(slot{called, true}) {
			return
		}
		_ = yield(slot{end, end > from || r == d.lead}) && yield(slot{from, true}) && yield(slot{end, true})
	}
}

// place inserts lines at a slot.
func (d *Doc) place(s slot, lines []*line, good func() bool) bool {
	add := slices.Clone(lines)
	if s.gap && s.i > 0 && !d.lines[s.i-1].empty() {
		add = slices.Insert(add, 0, &line{})
	}
	if s.i < len(d.lines) && !d.lines[s.i].empty() && (s.gap || d.lines[s.i].kind == markdown.Heading && d.lines[s.i-1].depth == 0) {
		add = append(add, &line{})
	}
	return d.replace(s.i, s.i, good, add...)
}

// sectionSlots are the places for a section, best first.
func (d *Doc) sectionSlots(at int) iter.Seq[slot] {
	if at == anywhere { // before tasks and history
		at = rank("Pictures")
	}
	end := d.filled(len(d.lines))
	open := end // a block that nothing closes takes all that is put behind it
	for open > 0 && (d.lines[open-1].kind == markdown.Fence || d.lines[open-1].kind == markdown.HTML || d.lines[open-1].empty()) {
		open--
	}
	var out []slot
	for _, r := range d.regions[1:] {
		if r.level <= 2 && rank(r.name) > at {
			out = append(out, slot{r.head.at, true})
			break
		}
	}
	out = append(out, slot{end, true})
	if len(d.regions) > 1 {
		out = append(out, slot{d.regions[1].head.at, true})
	}
	for s := range d.slots(d.lead) {
		out = append(out, slot{s.i, true})
	}
	return slices.Values(append(out, slot{open, true}))
}

// filled is the first of the blank lines before line i.
func (d *Doc) filled(i int) int {
	for i > 0 && d.lines[i-1].empty() {
		i--
	}
	return i
}
