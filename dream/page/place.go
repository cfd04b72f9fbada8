package page

import (
	"bytes"
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
)

// order is that of the sections on a page: what is asked for most comes first, what is of the day later, and history last.
var order = [...]string{
	Summary, "Now", "Overview", "About", "Status", Decisions, "Preferences", "Stack",
	"Family", "People", "Friends", "Pets", "Home", "Work", "Study", "Health", "Money", "Food", "Travel",
	"Sport", "Music", "Books", "Films", "Art", "Hobbies", "Community", "Looks", "Nature", Facts, "Events", "Milestones", "Problems",
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
	for _, name := range []string{Decisions, Facts, Tasks, History} {
		if strings.EqualFold(r.name, name) {
			return true
		}
	}
	return false
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
	r := d.section(section)
	if r == nil {
		return d.putSection(section, lines)
	}
	if last := r.last; last != nil && last.col == 0 && !slices.ContainsFunc(lines, commented) && !last.end.mark.hidden {
		if i := d.index(last.end) + 1; d.joins(i) && d.attach(i, r, lines) {
			return lines[0].id
		}
	}
	for _, s := range d.slots(r) {
		if d.try(func() { d.place(s, lines) }, d.stands(lines, r.name)) {
			return lines[0].id
		}
	}
	return ""
}

// stands checks that lines are read as one item at the margin.
func (d *Doc) stands(lines []*line, section string) func() bool {
	return func() bool {
		it := lines[0].item
		return it != nil && it.parent == nil && !it.quoted && len(it.own) > 0 && strings.EqualFold(it.first.region.name, section) &&
			(it.end == lines[len(lines)-1] || markdown.Empty(lines[len(lines)-1].text) || lines[len(lines)-1].mark.hidden)
	}
}

// attach puts an item's lines in where they change nothing else, and reads only those.
func (d *Doc) attach(i int, r *region, lines []*line) bool {
	s := scan(lines, plainly(lines))
	it := lines[0].item
	if !s.alone() || s.lead.last != it || it.end != lines[len(lines)-1] {
		return false
	}
	d.insert(i, lines...)
	r.last = it
	d.enter(lines, r)
	d.christen(lines)
	return true
}

// slots are the places in a section, best first.
func (d *Doc) slots(r *region) []slot {
	var out []slot
	if r.last != nil {
		end := d.index(r.last.end) + 1
		out = append(out, slot{end, false}, slot{end, true})
	}
	from, end, called := -1, 0, -1
	for i, ln := range d.lines {
		if ln.region != r {
			continue
		}
		if from < 0 || r.head != nil && ln.mark.role == markdown.Heading && ln.mark.depth == 0 {
			from = i
			if ln.mark.role == markdown.Heading {
				from++
			}
			end = from
		}
		if ln.call != nil && called < 0 {
			called = i
		}
		if !d.empty(i) && i >= from {
			end = i + 1
		}
	}
	if from < 0 { // a page that begins with a section, or holds nothing
		return append(out, slot{0, true})
	}
	if called >= from {
		out = append(out, slot{called, true})
	}
	return append(out, slot{end, end > from || r == d.lead}, slot{from, true}, slot{end, true})
}

// place inserts lines at a slot.
func (d *Doc) place(s slot, lines []*line) {
	add := slices.Clone(lines)
	if s.gap && s.i > 0 && !d.empty(s.i-1) {
		add = slices.Insert(add, 0, &line{})
	}
	if s.i < len(d.lines) && !d.empty(s.i) && (s.gap || d.lines[s.i].mark.role == markdown.Heading) {
		add = append(add, &line{})
	}
	d.insert(s.i, add...)
}

// putSection makes a section for an item.
func (d *Doc) putSection(name string, lines []*line) string {
	title := neutral(name)
	if t := strings.TrimRight(title, "#"); t != title {
		title = t + `\` + title[len(t):]
	}
	head := &line{text: "## " + title}
	all := append([]*line{head}, lines...)
	for _, i := range d.sectionSlots(rank(name)) {
		if d.try(func() { d.place(slot{i, true}, all) }, d.stands(lines, Shown(name))) {
			return lines[0].id
		}
	}
	return ""
}

// sectionSlots are the places for a section, best first.
func (d *Doc) sectionSlots(at int) []int {
	if at == anywhere { // before tasks and history
		at = rank("Pictures")
	}

	var out []int
	end := len(d.lines)
	for end > 0 && d.empty(end-1) {
		end--
	}
	first := -1
	for _, r := range d.regions[1:] {
		i := slices.Index(d.lines, r.head)
		if first < 0 {
			first = i
		}
		if r.level <= 2 && rank(r.name) > at {
			out = append(out, i)
			break
		}
	}
	open := end // a block that nothing closes takes all that is put behind it
	for open > 0 && (d.lines[open-1].mark.role == markdown.Fence || d.lines[open-1].mark.role == markdown.HTML || d.empty(open-1)) {
		open--
	}
	out = append(out, end)
	if first >= 0 {
		out = append(out, first)
	}
	for _, s := range d.slots(d.lead) {
		out = append(out, s.i)
	}
	return append(out, open)
}
