package route

import (
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/dream/sense"
)

// Headings that what a fact says of itself chooses, and not its side of life.
const (
	headTasks    = "Tasks"
	headPeople   = "People"
	headProjects = "Projects" // on a person's page, what they do for those that have no page
)

// headings are the sections by the side of life, and on the page of a project.
var headings = [sense.Count]string{
	sense.About: "About", sense.Home: "Home", sense.Family: "Family", sense.People: headPeople, sense.Pets: "Pets", sense.Health: "Health",
	sense.Work: "Work", sense.Study: "Study", sense.Money: "Money", sense.Food: "Food", sense.Travel: "Travel", sense.Sport: "Sport",
	sense.Music: "Music", sense.Books: "Books", sense.Films: "Films", sense.Art: "Art", sense.Games: "Games", sense.Nature: "Nature",
	sense.Hobbies: "Hobbies", sense.Community: "Community", sense.Style: "Style", sense.Things: "Belongings", sense.Wishes: "Preferences",
	sense.Plans: "Plans", sense.Events: "Events",
	sense.Stack: "Stack", sense.Decision: "Decisions", sense.Status: "Status", sense.Problem: "Problems", sense.Overview: "Overview",
}

// How probable a side of life must be to be taken, and how many lines make a section of a pastime.
const (
	sure    = 0.5
	told    = 0.6  // of somebody's words, below which they stand by their day
	guessed = 0.15 // on a person's page, below which it is nobody's guess
	likely  = 0.3  // on the page of a project, below which it is anybody's guess
	half    = 0.5  // of what pastimes have together, from which it is that one
	minOwn  = 4
	hinted  = 0.5 // what the category of a fact adds to the side that it is the name of
	tagged  = 0.1 // what a tag adds, or the room
	maxTags = 12

	leanLines = 20 // as many lines of nobody in particular speak against what a page leans to
	leanings  = 2  // rounds; each reads the lines by what the one before found
)

func category(it Item) string { return strings.ToLower(strings.TrimSpace(it.Category)) }

// A choice is where an item may stand on its page.
type choice struct {
	section string
	finer   string // the pastime, where it is one
}

// sections gives the headings that items stand under on their pages. A pastime has a section of its own where the page has it, or enough
// lines for it.
func (b *batch) sections(at []sectionRef) {
	b.lean(at)
	choices, count := make([]choice, len(at)), map[sectionRef]int{}
	for i, s := range at {
		choices[i] = b.choose(s.page, i)
		if finer := choices[i].finer; finer != "" {
			count[sectionRef{s.page, finer}]++
		}
	}
	for i, s := range at {
		c, old := choices[i], s.page.entry.Sections
		if c.finer != "" && (old[c.finer] > 0 || count[sectionRef{s.page, c.finer}] >= minOwn) {
			c.section = c.finer
		}
		b.finer[i], at[i].section = c.finer, c.section
	}
}

// lean finds what the pages of people speak of more than others do, by the sections that they have and by what the model says of all their
// items: of who writes essays, a draft is one.
func (b *batch) lean(at []sectionRef) {
	items := map[*pageRef][]int{}
	for i, s := range at {
		if personal(&s.page.entry) {
			items[s.page] = append(items[s.page], i)
		}
	}
	for n, list := range items {
		for range leanings {
			counts, total := sense.Usual, float64(leanLines+len(list))
			for s := range counts {
				old := float64(n.entry.Sections[headings[s]])
				counts[s] = leanLines*counts[s] + old
				total += old
			}
			for _, i := range list {
				for s, p := range b.leaning(n, i) {
					counts[s] += p
				}
			}
			leaning := counts
			for s, p := range sense.Usual {
				leaning[s] = counts[s] / total / p
			}
			n.leaning = &leaning
		}
	}
}

// leaning is what the model says of an item on a person's page, given what else the page speaks of. What is sure stays so.
func (b *batch) leaning(n *pageRef, i int) [sense.Count]float64 {
	sides, total := *b.lifeOf(n, i), 0.0
	if n.leaning == nil || slices.Max(sides[:]) >= sure {
		return sides
	}
	for s, much := range n.leaning {
		sides[s] *= much
		total += sides[s]
	}
	for s := range sides {
		sides[s] /= total
	}
	return sides
}

// choose decides by what a fact says of itself, else by what it is about.
func (b *batch) choose(n *pageRef, i int) choice {
	c, rd, person := category(b.items[i]), &b.reads[i], personal(&n.entry)
	task := c == "task" || c == "todo"
	switch {
	case task && (!person || rd.duty()):
		return choice{section: headTasks}
	case person && rd.identity(n):
		return choice{}
	case person && b.someoneElse(n, rd) != "":
		return choice{section: b.someoneElse(n, rd)}
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

// ofLife is the section of a person's page by the side of life. What a fact says of itself decides where that is not certain.
func (b *batch) ofLife(n *pageRef, i int) choice {
	alone, pastime := grouped(n, *b.lifeOf(n, i)) // not every pastime is a film where the page has many
	groups, _ := grouped(n, b.leaning(n, i))
	best, next := sense.About, sense.About
	for k, p := range groups {
		if s := sense.Side(k); p > groups[best] {
			best, next = s, best
		} else if p > groups[next] || next == best {
			next = s
		}
	}
	certain := alone[best] >= sure
	if slices.Max(alone[:]) < guessed {
		best, certain = sense.About, true
	}
	c := category(b.items[i])
	switch {
	case b.reads[i].quoted && max(alone[best], groups[best]) < told && best != sense.Wishes:
		return choice{section: page.Timeline}
	case certain && best != sense.Stack:
	case c == "decision" && best == sense.Stack:
		best = sense.Decision
	case !certain && (c == "task" || c == "todo" || isIn(wishes, c)):
		best = sense.Plans
	case c == "preference" && (best == sense.Stack || !certain && next == sense.Wishes):
		best = sense.Wishes
	}
	out := choice{section: headings[best]}
	switch {
	case best == sense.Stack:
		out.section = headProjects
	case best == sense.Hobbies && pastime != sense.Hobbies:
		out.finer = headings[pastime]
	}
	return out
}

// grouped adds up the sides that share a section of a person's page, and tells the pastime that has the better part of them.
func grouped(n *pageRef, sides [sense.Count]float64) (groups [sense.Count]float64, pastime sense.Side) {
	most := 0.0
	for k, p := range sides {
		s := sense.Side(k)
		if groups[group(s)] += p; group(s) == sense.Hobbies && p > most {
			pastime, most = s, p
		}
	}
	if most < half*groups[sense.Hobbies] {
		pastime = sense.Hobbies
	}
	if n.entry.Type == typePet {
		groups[sense.Pets] = 0
	}
	if groups[sense.Stack] < sure { // five sides of which each is a little probable
		groups[sense.Stack] = 0
	}
	groups[sense.Hobbies] -= (groups[sense.Hobbies] - most) / 2 // so are eight pastimes
	return groups, pastime
}

// group is the side whose section a side of life has on a person's page.
func group(s sense.Side) sense.Side {
	switch {
	case s >= sense.Sport && s <= sense.Hobbies:
		return sense.Hobbies
	case s.Software():
		return sense.Stack
	}
	return s
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
		return "Family"
	case l&pet != 0:
		return "Pets"
	case l&(friend|title) != 0:
		return "People"
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
