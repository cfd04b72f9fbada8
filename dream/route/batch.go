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
	dir       *Directory
	items     []Item
	owner     string // key of the one who is "the user"
	ownerName string // the same as it is written
	reads     []reading
	speakers  map[string]bool
	stats     map[string]*nameStat
	projects  map[string]*projectStat // possible projects by key
	pageRefs  map[string]*pageRef
	themes    map[string]topic  // by conversation
	chats     map[string]string // by conversation: the name of what its events are of
	cache     map[string]bool   // what known said
	topics    map[string]int    // topics of words
	evidence  []evidence        // of items
}

// nameStat is what a batch tells about a name.
type nameStat struct {
	key    string
	about  int // statements whose subject it is
	firm   int // of those, the ones where it is a name beyond doubt
	inside int // times that it is written like a name inside a sentence
	lower  int // times that it is written like any other word
	kin    int
	friend int
	pet    int
	human  int
	verbs  int            // times that some other verb follows
	titled map[string]int // with Dr., Mrs., … before it
	thing  int            // statements that only fit a program or the like
	votes  [votes]int
	shown  map[string]int
	by     map[string]bool // who made statements about it
}

// projectStat is what a batch tells about a possible project.
type projectStat struct {
	about   int // statements about "the billing service"
	wing    int // items of that wing
	tag     int // items with that tag
	all     int // items with any of these
	workish int // of those, the ones that are about work
	lifely  int // of those, the ones that are about life
	named   int // of those, the ones that name it
	full    map[string]int
	shown   map[string]int
}

func newBatch(d *Directory, owner string, items []Item) *batch {
	b := &batch{
		dir: d, items: items, owner: theUser, reads: make([]reading, len(items)), speakers: map[string]bool{},
		stats: map[string]*nameStat{}, projects: map[string]*projectStat{}, themes: map[string]topic{}, pageRefs: map[string]*pageRef{},
		chats: map[string]string{}, cache: map[string]bool{}, topics: map[string]int{},
		evidence: make([]evidence, len(items)),
	}
	if k := key(owner); k != "" && !is(listOwner, k) && !is(listNobody, k) && len(d.names[theUser]) == 0 {
		b.owner, b.ownerName = k, owner
	}
	for _, it := range items {
		if k := b.voice(it.Speaker); k != "" {
			b.speakers[k] = true
		}
	}
	return b
}

// theUser is the key of whoever owns the memory, where no name is known.
const theUser = "the user"

// voice is the key of the person who speaks, "" when nobody does who could have a page.
func (b *batch) voice(speaker string) string {
	k := key(speaker)
	switch {
	case is(listOwner, k):
		return b.owner
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
	if e.Foreign {
		return e.Filed
	}
	switch e.zone {
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

func (b *batch) stat(n name) *nameStat {
	s := b.stats[n.key]
	if s == nil {
		s = &nameStat{key: n.key, shown: map[string]int{}, titled: map[string]int{}, by: map[string]bool{}}
		b.stats[n.key] = s
	}
	s.shown[n.shown]++
	s.votes[n.vote]++
	if n.titled != "" {
		s.titled[n.titled]++
	}
	return s
}

func (b *batch) countName(i int) {
	rd := &b.reads[i]
	for _, n := range rd.named {
		if s := b.stat(n); n.lo > 0 {
			s.inside++
		}
	}
	if rd.sub.name.key != "" {
		b.countSubject(i, rd.sub, b.voice(b.items[i].Speaker))
	}
	by := rd.sub.name.key
	if rd.said != nil && rd.said.name.key != "" {
		b.countSubject(i, *rd.said, by)
	}
	if rd.said != nil && rd.said.of.key != "" {
		b.countOf(rd.said.of, by)
	}
	for _, n := range []name{rd.sub.of, rd.sub.owner} {
		if n.key != "" {
			b.countOf(n, b.voice(b.items[i].Speaker))
		}
	}
}

// countOf counts "the launch of Atlas" as a statement about Atlas.
func (b *batch) countOf(n name, by string) {
	s := b.stat(n)
	s.about++
	s.firm++
	if by != "" {
		s.by[by] = true
	}
}

// countSubject counts a statement about a name that by made.
func (b *batch) countSubject(i int, sub subject, by string) {
	rd := &b.reads[i]
	s := b.stat(sub.name)
	s.about++
	if by != "" {
		s.by[by] = true
	}
	if !sub.weak {
		s.firm++
	}
	add(&s.thing, sub.thing)
	add(&s.kin, sub.kin)
	add(&s.friend, sub.friend)
	add(&s.pet, sub.pet)
	human := sub.human
	for k := sub.name.hi; k < min(len(rd.ws), sub.name.hi+12) && !human; k++ {
		human = is(listShe, rd.ws[k].fold)
	}
	add(&s.human, human)
	add(&s.verbs, !human && rd.verbal(sub.name) && !is(listCopula, rd.ws[sub.name.hi].fold))
	if v := rd.is(sub.name); v != voteNone {
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
	see := func(k string) *projectStat {
		w := b.projects[k]
		if w == nil {
			w = &projectStat{full: map[string]int{}, shown: map[string]int{}}
			b.projects[k] = w
		}
		if !slices.Contains(seen, k) {
			seen = append(seen, k)
			w.all++
			add(&w.workish, b.workish(i))
			add(&w.lifely, b.evidenceOf(i).life > b.evidenceOf(i).work)
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

// wingOf is the project that the wing or, where that only says work, the room stands for. Of a name such as github.com/owner/repo the last
// part is what people call it.
func wingOf(it Item) (k, shown string) {
	wing := it.Wing[strings.LastIndexByte(it.Wing, '/')+1:]
	k = strings.TrimPrefix(key(wing), "wing ")
	shown = spaced(strings.TrimPrefix(wing, "wing_"))
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
		return b.evidenceOf(i).life == 0 || b.topic(i).work
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
	w := b.projects[k]
	if w == nil || w.all < 3 {
		return false
	}
	switch {
	case w.about >= 3, w.about >= 1 && w.wing+w.tag >= 2:
		return true
	case w.wing >= 3:
		return w.named > 0 && w.workish*5 >= w.all || w.workish*3 >= w.all || lex().headingOf(k) == 0 && w.lifely*2 < w.all
	case w.tag >= 3:
		return lex().headingOf(k) == 0 && w.workish*3 >= w.all && b.mayBeProject(k)
	}
	return false
}

// mayBeProject tells whether a tag that is a name as well may be a project's, as far as what is said of the name goes.
func (b *batch) mayBeProject(k string) bool {
	s := b.stats[k]
	if s == nil || !b.earned(k) {
		return true
	}
	kind := s.kind()
	return kind == typeEntity || kind == "organisation"
}

func projectlike(e *Entry) bool { return e.Type == typeProject || e.zone == zoneProjects }

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
	if s.kin > 0 || s.pet > 0 || len(s.titled) > 0 {
		return s.about >= 2
	}
	if s.about == 2 && len(s.by) == 2 && s.firm == 2 && s.lower == 0 && rare(k) {
		return true // two speak of it: what they say belongs together
	}
	if s.about == 2 && b.owner != theUser && s.human > 0 && s.lower == 0 && (isGiven(k) || s.human > 1 && rare(k)) && s.kind() == typePerson {
		return true // in the memory of one person others are few, and each is somebody
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

// rare tells a name with a word that is none of the common ones.
func rare(k string) bool {
	return slices.ContainsFunc(strings.Fields(k), func(w string) bool {
		return lexis.Frequency(w) <= lexis.FrequencyFloor && !is(listEvent, w) && !is(listParticle, w)
	})
}

// most is the form that occurs most often, of equals the first in the alphabet.
func most(m map[string]int) string {
	return slices.MinFunc(append(slices.Collect(maps.Keys(m)), ""), func(x, y string) int {
		return cmp.Or(cmp.Compare(m[y], m[x]), cmp.Compare(x, y))
	})
}
