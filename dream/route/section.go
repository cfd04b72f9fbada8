package route

import (
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/dream/sense"
)

// Headings that what a fact says of itself chooses, and not its side of life.
const (
	headPeople   = "People"
	headProjects = "Projects" // on a person's page, what they do for those that have no page
)

// headings are the sections by the side of life, and on the page of a project.
var headings = [sense.Count]string{
	sense.About: "About", sense.Home: "Home", sense.Family: "Family", sense.People: headPeople, sense.Pets: "Pets", sense.Health: "Health",
	sense.Work: "Work", sense.Study: "Study", sense.Money: "Money", sense.Food: "Food", sense.Travel: "Travel", sense.Sport: "Sport",
	sense.Music: "Music", sense.Books: "Books", sense.Films: "Films", sense.Art: "Art", sense.Games: "Games", sense.Nature: "Nature",
	sense.Hobbies: "Leisure", sense.Community: "Community", sense.Style: "Style", sense.Things: "Belongings", sense.Wishes: "Preferences",
	sense.Plans: "Plans", sense.Events: "Events",
	sense.Stack: "Stack", sense.Decision: page.Decisions, sense.Status: "Status", sense.Problem: "Problems", sense.Overview: "Overview",
}

// How probable a side of life must be to be taken, and from how many lines on it has a section of its own.
const (
	sure    = 0.5  // of a clause on a person's page, below which it stands by its day
	told    = 0.75 // of somebody's words there, which readers look for by their day rather than under a wrong heading
	likely  = 0.3  // on the page of a project, below which it is anybody's guess
	clear   = 0.6  // of what a section has together, from which it is of that one side
	minOwn  = 5    // of one side
	long    = 30   // of the section that it shares
	hinted  = 0.5  // what the category of a fact adds to the side that it is the name of
	tagged  = 0.1  // what a tag adds, or the room
	maxTags = 12
)

func category(it Item) string { return strings.ToLower(strings.TrimSpace(it.Category)) }

// A choice is where an item may stand on its page.
type choice struct {
	section string
	finer   string // the section of its side of life, where that is clear and section holds other sides as well
}

// sections gives the headings that items stand under on their pages. A side of life has a section of its own where the page has it or
// enough lines for it, and where the section that it shares is long.
func (b *batch) sections(at []sectionRef) {
	choices, count := make([]choice, len(at)), map[sectionRef]int{}
	for i, s := range at {
		if s.page == nil {
			continue
		}
		choices[i] = b.choose(s.page, i)
		if finer := choices[i].finer; finer != "" {
			count[sectionRef{s.page, finer}]++
		}
	}
	for i, s := range at {
		if s.page == nil {
			continue
		}
		c, old := choices[i], s.page.entry.Sections
		if c.finer != "" && (old[c.finer] > 0 || old[c.section] >= long || count[sectionRef{s.page, c.finer}] >= minOwn) {
			c.section = c.finer
		}
		b.finer[i], at[i].section = c.finer, c.section
	}
}

// choose decides by what a fact says of itself, else by what it is about.
func (b *batch) choose(n *pageRef, i int) choice {
	c, rd, person := category(b.items[i]), &b.reads[i], personal(&n.entry)
	task := c == "task" || c == "todo"
	switch {
	case task && (!person || rd.duty()):
		return choice{section: page.Tasks}
	case person && rd.identity(n):
		return choice{}
	case person && b.someoneElse(n, rd) != "":
		return choice{section: headPeople, finer: b.someoneElse(n, rd)}
	case person:
		return b.ofLife(n, i)
	case c == "decision":
		return choice{section: headings[sense.Decision]}
	case c == "problem", c == "bug", c == "issue":
		return choice{section: headings[sense.Problem]}
	case projectlike(&n.entry):
		best, most := sense.Overview, likely
		for s, p := range b.sense(i)[sense.Stack:] {
			if p > most {
				best, most = sense.Stack+sense.Side(s), p
			}
		}
		return choice{section: headings[best]}
	}
	return choice{}
}

// ofLife is the section of a person's page by the side of life, or by the day where that is not certain. What a fact says of itself counts
// then.
func (b *batch) ofLife(n *pageRef, i int) choice {
	c, quoted := category(b.items[i]), b.reads[i].quoted
	best, p, side := widest(n, b.lifeOf(n, i))
	bar := sure
	if quoted {
		bar = told
	}
	switch {
	case p >= bar, best == sense.Wishes && !quoted:
	case c == "task", c == "todo", isIn(wishes, c):
		return choice{section: headings[sense.Plans]}
	case c == "preference" && !quoted:
		return choice{section: headings[sense.Wishes]}
	default:
		return choice{section: page.Timeline}
	}
	out := choice{section: headings[best]}
	switch {
	case side.Software() && c == "preference":
		out.section = headings[sense.Wishes]
	case side.Software() && c == "decision":
		out.finer = headings[sense.Decision]
	case side.Software():
		out.finer = headProjects
	case side != best:
		out.finer = headings[side]
	}
	return out
}

// widest is the section of a person's page that is most probable, how probable, and the side of life in it that is clear, else that of the
// section.
func widest(n *pageRef, sides *[sense.Count]float64) (best sense.Side, p float64, side sense.Side) {
	var groups [sense.Count]float64
	for k, q := range sides {
		if s := sense.Side(k); s != sense.Pets || n.entry.Type != typePet {
			groups[group(s)] += q
		}
	}
	for k, q := range groups {
		if q > p {
			best, p = sense.Side(k), q
		}
	}
	side = best
	software := 0.0
	for k, q := range sides {
		s := sense.Side(k)
		if s.Software() {
			software += q
		}
		if group(s) == best && q >= clear*p {
			side = s
		}
	}
	if best == sense.Work && software >= clear*p {
		side = sense.Stack
	}
	return best, p, side
}

// group is the side whose section a side of life has on a person's page, together with others that are hard to tell from it.
func group(s sense.Side) sense.Side {
	if s.Software() {
		return sense.Work
	}
	switch s {
	case sense.Home, sense.Money, sense.Things:
		return sense.Home
	case sense.Family, sense.People, sense.Pets, sense.Community:
		return sense.People
	case sense.About, sense.Health, sense.Wishes, sense.Plans:
		return s
	case sense.Work, sense.Study:
		return sense.Work
	}
	return sense.Hobbies
}

// sense is what the model says of an item, and what category, room and tags add to the sides that they name.
func (b *batch) sense(i int) *[sense.Count]float64 {
	by := sensed{item: i}
	if b.senses[by] == nil {
		b.senses[by] = b.senseOf(i, b.reads[i].first(b.items[i].Text))
	}
	return b.senses[by]
}

func (b *batch) senseOf(i int, text string) *[sense.Count]float64 {
	it, sides := b.items[i], sense.Of(text).Sides
	if s, ok := sense.Named(category(it)); ok && !s.Software() { // health, food; a decision or a problem may be of any side
		sides[s] += hinted
	}
	for _, tag := range append([]string{it.Room}, it.Tags[:min(len(it.Tags), maxTags)]...) {
		if s, ok := sense.Cue(key(tag)); ok {
			sides[s] += tagged
		}
	}
	return &sides
}

// first gives the words of a fact in the first person, where it tells of whoever says it by name.
func (rd *reading) first(text string) string {
	for _, s := range rd.subs {
		if s.key != rd.voice || rd.self {
			continue
		}
		before, rest := rd.text[:rd.ws[s.lo].start], rd.text[rd.ws[s.hi-1].end:]
		if rd.ws[s.hi-1].owns {
			return before + "my" + rest[max(0, strings.IndexByte(rest, ' ')):]
		}
		return before + "I" + rest
	}
	return text
}

// lifeOf is the same on the page of a person, about whom the item may be and not about whose sister that is.
func (b *batch) lifeOf(n *pageRef, i int) *[sense.Count]float64 {
	rd, by := &b.reads[i], sensed{n, i}
	if known := b.senses[by]; known != nil {
		return known
	}
	for _, s := range rd.subs {
		if s.key != rd.voice && slices.Contains(n.names(), s.key) && s.hi < len(rd.ws) {
			b.senses[by] = b.senseOf(i, "I "+rd.text[rd.ws[s.hi].start:])
			return b.senses[by]
		}
	}
	b.senses[by] = b.sense(i)
	return b.senses[by]
}

// someoneElse is where a person's page tells of others, who have no page of their own: their work is not the person's work.
func (b *batch) someoneElse(n *pageRef, rd *reading) string {
	l := list(0)
	if len(rd.subs) > 0 {
		s := rd.subs[0]
		if b.speakers[s.key] || slices.Contains(n.names(), s.key) {
			return ""
		}
		if l = s.role; s.human && !s.loose || isGiven(s.key) {
			l |= friend
		}
	}
	switch {
	case l&kin != 0:
		return headings[sense.Family]
	case l&pet != 0:
		return headings[sense.Pets]
	case l&(friend|title) != 0:
		return headPeople
	}
	return ""
}

// identity tells what stands at the top of a person's page: whose sister she is and when she was born.
func (rd *reading) identity(n *pageRef) bool {
	if len(rd.subs) == 0 || !slices.Contains(n.names(), rd.subs[0].key) {
		return false
	}
	s := rd.subs[0]
	rest := rd.ws[s.hi:]
	if len(rest) == 0 || rest[0].is(kin|friend|pet) { // Alice's mother's birthday
		return false
	}
	born := slices.ContainsFunc(rest[:min(len(rest), 3)], func(w word) bool { return w.is(birth) })
	return born && slices.ContainsFunc(rest, func(w word) bool { return w.num }) || s.role&kin != 0 && rest[0].is(copula) && len(rest) <= 6
}

// duty tells a task from a wish: what must be done, what has a day, and what is put as an order.
func (rd *reading) duty() bool {
	for k := range rd.ws {
		w, next := &rd.ws[k], &rd.ws[min(k+1, len(rd.ws)-1)]
		if w.is(duty) || w.is(dutyTo) && (next.fold == "to" || next.fold == "que") || w.fold == "by" && (next.num || next.capital) {
			return true
		}
	}
	return !rd.self && (len(rd.subs) == 0 || rd.subs[0].loose)
}
