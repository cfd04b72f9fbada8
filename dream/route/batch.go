package route

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/lexis"
)

// A batch is the items of one Place, and what they say together.
type batch struct {
	dir      *Directory
	items    []Item
	reads    []reading
	speakers map[string]bool
	stats    map[string]*stat
	works    map[string]*work // possible projects by key
	nodes    map[string]*node
	cache    map[string]bool // what known said
	topics   map[string]int  // topics of words
	leanings []leaning       // of items
}

// A stat is what a batch tells about a name.
type stat struct {
	about  int // statements whose subject it is
	firm   int // of those, the ones where it is a name beyond doubt
	inside int // times that it is written like a name inside a sentence
	lower  int // times that it is written like any other word
	kin    int
	friend int
	pet    int
	human  int
	verbs  int // times that some other verb follows
	votes  [votes]int
	shown  map[string]int
}

// A work is what a batch tells about a possible project.
type work struct {
	about   int // statements about "the billing service"
	wing    int // items of that wing
	tag     int // items with that tag
	all     int // items with any of these
	workish int // of those, the ones that are about work
	named   int // of those, the ones that name it
	full    map[string]int
	shown   map[string]int
}

func newBatch(d *Directory, items []Item) *batch {
	b := &batch{
		dir: d, items: items, reads: make([]reading, len(items)), speakers: map[string]bool{},
		stats: map[string]*stat{}, works: map[string]*work{}, nodes: map[string]*node{}, cache: map[string]bool{}, topics: map[string]int{},
		leanings: make([]leaning, len(items)),
	}
	for _, it := range items {
		if k := voice(it.Speaker); k != "" {
			b.speakers[k] = true
		}
	}
	return b
}

// theUser is the key of whoever owns the memory, where no name is known.
const theUser = "the user"

// voice is the key of the person who speaks, "" when nobody does who could have a page.
func voice(speaker string) string {
	k := key(speaker)
	switch {
	case is(listOwner, k):
		return theUser
	case is(listNobody, k):
		return ""
	}
	return k
}

func (b *batch) known(k string) bool {
	if b.speakers[k] {
		return true
	}
	ok, hit := b.cache[k]
	if !hit {
		for _, e := range b.dir.names[k] {
			ok = ok || target(e)
		}
		b.cache[k] = ok
	}
	return ok
}

// target tells whether facts go to such a page: not what waits in the inbox, conclusions, or pages that a section moved on to.
func target(e *Entry) bool {
	switch zoneOf(e.Path) {
	case zoneProjects, zoneConcepts, zoneLiterature, zoneEntities, zonePersonal, zoneArchives, "2_Wiki":
		return e.Type != typeTopic || !strings.Contains(e.Title, partMark)
	}
	return false
}

func (b *batch) read() {
	r := &reader{speakers: b.speakers, known: b.known}
	for i, it := range b.items {
		b.reads[i] = r.read(it)
	}
}

// count adds up what the items say about names and projects.
func (b *batch) count() {
	for i := range b.items {
		b.countName(i)
		b.countWork(i)
	}
	for i := range b.reads {
		for _, w := range b.reads[i].ws {
			if !w.capital {
				if s := b.stats[w.fold]; s != nil {
					s.lower++
				}
			}
		}
	}
}

func (b *batch) stat(n name) *stat {
	s := b.stats[n.key]
	if s == nil {
		s = &stat{shown: map[string]int{}}
		b.stats[n.key] = s
	}
	s.shown[n.shown]++
	s.votes[n.vote]++
	return s
}

func (b *batch) countName(i int) {
	rd := &b.reads[i]
	for _, n := range rd.named {
		if s := b.stat(n); n.lo > 0 {
			s.inside++
		}
	}
	sub := rd.sub
	if sub.name.key == "" {
		return
	}
	s := b.stat(sub.name)
	s.about++
	if !sub.weak {
		s.firm++
	}
	add(&s.kin, sub.kin)
	add(&s.friend, sub.friend)
	add(&s.pet, sub.pet)
	human := sub.human
	for k := sub.name.hi; k < min(len(rd.ws), sub.name.hi+12) && !human; k++ {
		human = is(listShe, rd.ws[k].fold)
	}
	add(&s.human, human)
	add(&s.verbs, !human && rd.verbal() && !is(listCopula, rd.ws[sub.name.hi].fold))
	if v := rd.is(); v != voteNone {
		s.votes[v] += isWeight
	}
}

func add(n *int, ok bool) {
	if ok {
		*n++
	}
}

func (b *batch) countWork(i int) {
	it, rd := b.items[i], &b.reads[i]
	var seen []string
	see := func(k string) *work {
		w := b.works[k]
		if w == nil {
			w = &work{full: map[string]int{}, shown: map[string]int{}}
			b.works[k] = w
		}
		if !slices.Contains(seen, k) {
			seen = append(seen, k)
			w.all++
			add(&w.workish, b.workish(i))
			add(&w.named, k != rd.sub.system && names(rd.ws, k))
		}
		return w
	}
	if k := rd.sub.system; k != "" {
		w := see(k)
		w.about++
		w.full[rd.sub.full]++
	}
	if k, shown := wingOf(it); k != "" {
		w := see(k)
		w.wing++
		w.shown[shown]++
	}
	for _, t := range it.Tags {
		if k := key(t); k != "" {
			w := see(k)
			w.tag++
			w.shown[t]++
		}
	}
}

// names tells whether the words hold the key of a name, of one word or two.
func names(ws []word, k string) bool {
	for i, w := range ws {
		if w.fold == k || len(k) > len(w.fold)+1 && strings.HasPrefix(k, w.fold) && i+1 < len(ws) && k == w.fold+" "+ws[i+1].fold {
			return true
		}
	}
	return false
}

// wingOf is the project that the wing or, where that only says work, the room stands for.
func wingOf(it Item) (k, shown string) {
	k = strings.TrimPrefix(key(it.Wing), "wing ")
	shown = spaced(strings.TrimPrefix(it.Wing, "wing_"))
	if is(listJobs, k) {
		k, shown = key(it.Room), spaced(it.Room)
		if lex().headingOf(k) > 0 {
			return "", ""
		}
	}
	if is(listSides, k) || is(listJobs, k) || is(listNobody, k) || k == key(it.Speaker) || k == key(it.Chat) {
		return "", ""
	}
	return k, shown
}

func spaced(s string) string {
	return strings.Join(strings.Fields(strings.NewReplacer("-", " ", "_", " ").Replace(s)), " ")
}

// workish tells whether an item is about work rather than life.
func (b *batch) workish(i int) bool {
	switch b.items[i].Category {
	case "decision", "problem", "bug":
		return b.leaning(i).life == 0 || b.topic(i).work
	}
	return b.topic(i).work
}

// isProject tells whether a name is or has earned the page of a project.
func (b *batch) isProject(k string) bool {
	if k == "" || b.speakers[k] {
		return false
	}
	for _, e := range b.dir.names[k] {
		if target(e) {
			return projectlike(e)
		}
	}
	w := b.works[k]
	if w == nil || w.all < 3 {
		return false
	}
	switch {
	case w.about >= 3, w.about >= 1 && w.wing+w.tag >= 2:
		return true
	case w.wing >= 3:
		return w.named > 0 && w.workish*5 >= w.all || w.workish*3 >= w.all
	case w.tag >= 3:
		return lex().headingOf(k) == 0 && w.workish*3 >= w.all
	}
	return false
}

func projectlike(e *Entry) bool { return e.Type == typeProject || zoneOf(e.Path) == zoneProjects }

// earned tells whether a name that has no page yet is to get one.
func (b *batch) earned(k string) bool {
	s := b.stats[k]
	if s == nil || k == "" {
		return false
	}
	if b.speakers[k] {
		return true
	}
	if is(listMonths, k) || lexis.IsStop(k) || is(listNobody, k) || is(listOwner, k) || is(listFiller, k) {
		return false
	}
	if s.kin > 0 {
		return s.about >= 2
	}
	if s.about < 3 || s.firm == 0 && s.inside == 0 && s.human < 2 {
		return false
	}
	if strings.Contains(k, " ") {
		return true
	}
	if s.coined() {
		return true
	}
	if s.lower > 0 && s.lower >= s.inside {
		return false
	}
	if lexis.Frequency(k) > lexis.FrequencyFloor || lex().topicOf(k) > 0 {
		return s.inside >= 2 && s.human >= 2 || s.firm >= 3 && s.inside >= 2
	}
	return true
}

// most is the form that occurs most often, of equals the first in the alphabet.
func most(m map[string]int) string {
	return slices.MinFunc(append(slices.Collect(maps.Keys(m)), ""), func(x, y string) int {
		return cmp.Or(cmp.Compare(m[y], m[x]), cmp.Compare(x, y))
	})
}
