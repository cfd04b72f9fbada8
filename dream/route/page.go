package route

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/dream/sense"
	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/vault"
)

// pageOf is the page of an item: that of the nearest thing it is about, else of the project that it was said in, else of who says it.
func (b *batch) pageOf(i int) *pageRef {
	it, rd := b.items[i], &b.reads[i]
	for _, s := range rd.subs {
		if s.key == rd.voice {
			break
		}
		if n := b.subject(s); n != nil {
			return n
		}
	}
	if tag := cmp.Or(append(slices.Clone(it.Tags), it.Room)...); isIn(idea, category(it)) && !isIn(sides|idea, key(tag)) && key(tag) != "" {
		if e := b.entry(key(tag)); e != nil {
			return b.old(e)
		}
		return b.fresh(vault.Concepts, lexis.Capital(spaced(tag)), typeConcept)
	}
	if k := b.projectOf(i); k != "" && b.belongs(i, k) {
		return b.project(k)
	}
	return b.person(rd.voice)
}

// subject is the page of what a statement is about, nil where that has none and has earned none.
func (b *batch) subject(s subject) *pageRef {
	for _, k := range []string{s.key, s.full} {
		switch e := b.entry(k); {
		case b.speakers[k] && s.role&system == 0:
			return b.person(k)
		case b.isProject(k):
			return b.project(k)
		case e != nil && (s.role&system == 0 || s.shown != strings.ToLower(s.shown)):
			return b.old(e)
		}
	}
	if s.role&system == 0 && b.earned(s.key) {
		return b.named(s.key)
	}
	return nil
}

// projectIn is the project that the words of an item name, "" for none.
func (b *batch) projectIn(i int) string {
	rd := &b.reads[i]
	for _, s := range slices.Concat(rd.subs, []subject{rd.system}, rd.named) {
		for _, k := range []string{s.key, s.full} {
			if b.isProject(k) {
				return k
			}
		}
	}
	return ""
}

// projectOf is the project that an item belongs to by its words, its wing, a tag, the only one that its conversation names, or the only one
// of whom assistants work for.
func (b *batch) projectOf(i int) string {
	it, rd := b.items[i], &b.reads[i]
	for _, k := range append([]string{rd.project, rd.wing}, it.Tags...) {
		if k = key(k); b.isProject(k) {
			return k
		}
	}
	if it.Wing != "" { // it was filed elsewhere
		return ""
	}
	if b.elsewhere(rd, true) {
		return ""
	}
	if k := b.chats[it.Chat]; k != "" {
		return k
	}
	k := b.chats[b.day(i)]
	if k == "" && rd.voice == b.owner && b.software(i) >= sure-likely && !b.elsewhere(rd, false) {
		k = b.sole
	}
	if k != "" && b.strays(it) {
		return ""
	}
	return k
}

// elsewhere tells whether an item names a project that has no page, "the Elbpark project", or what may be one, "the Moonlight server".
func (b *batch) elsewhere(rd *reading, certain bool) bool {
	return slices.ContainsFunc(append(slices.Clip(rd.subs), rd.system), func(s subject) bool {
		return s.role&system != 0 && !b.isProject(s.key) && !b.isProject(s.full) &&
			(slices.ContainsFunc(strings.Fields(s.full), func(w string) bool { return isIn(venture, w) }) ||
				!certain && s.shown != strings.ToLower(s.shown))
	})
}

// strays tells whether somebody named such a project in the conversation of an item.
func (b *batch) strays(it Item) bool {
	if b.thread == nil || it.Chat == "" {
		return false
	}
	c := it.Chat + "\x00" + string(it.Day)
	found, known := b.strayed[c]
	if !known {
		r := &reader{speakers: b.speakers, known: b.known}
		found = slices.ContainsFunc(b.thread(it.Chat, it.Day), func(said string) bool {
			rd := r.read(Item{Text: said}, b.voice)
			return b.elsewhere(&rd, true)
		})
		b.strayed[c] = found
	}
	return found
}

// software is how probable it is that an item tells of a project.
func (b *batch) software(i int) (p float64) {
	for _, x := range b.sense(i)[sense.Stack:] {
		p += x
	}
	return p
}

// belongs tells whether an item said in a project is about it, and not about the life of who said it.
func (b *batch) belongs(i int, project string) bool {
	rd, c := &b.reads[i], category(b.items[i])
	named := rd.project == project
	life, work := 0.0, 0.0
	for s, p := range b.sense(i) {
		if forProjects(sense.Side(s)) {
			work += p
		} else {
			life = max(life, p)
		}
	}
	switch {
	case (life >= sure || b.items[i].Identifies) && !named, c == "preference", c == "emotional":
		return false
	case named:
		return true
	case key(rd.wing) == "" && !slices.ContainsFunc(b.items[i].Tags, func(t string) bool { return key(t) == project }):
		return b.software(i) > life // its conversation alone ties it to the project: a boss and a dentist are none of that
	case work > life, c == "decision", c == "problem":
		return true
	}
	return rd.wing != "" && (rd.we || c == "task" || c == "milestone" || !rd.self && (len(rd.subs) == 0 || !b.human(rd.subs[0].key)))
}

// human tells whether a name is that of a person, as far as the batch and the directory know.
func (b *batch) human(k string) bool {
	if e := b.entry(k); e != nil {
		return personal(e)
	}
	return b.speakers[k] || k == b.owner || b.stats[k] != nil && b.stats[k].kind() == typePerson
}

// personal tells the page of a person or a pet.
func personal(e *Entry) bool {
	return e.zone == vault.Personal && e.Type != typeTopic || e.Type == typePerson
}

// entry is the known page of a name: of several the one nearest to people and their work.
func (b *batch) entry(k string) *Entry {
	var best *Entry
	for _, e := range b.dir.names[k] {
		if target(e) && (best == nil || rank(e) < rank(best)) {
			best = e
		}
	}
	return best
}

// target tells whether facts go to such a page: not what waits in the inbox, conclusions, or pages that a section moved on to.
func target(e *Entry) bool {
	if e.Foreign {
		return e.Filed
	}
	return rank(e) >= 0 && (e.Type != typeTopic || !strings.Contains(e.Title, partMark))
}

// ranked are the zones from the one whose page is taken first.
var ranked = []string{vault.Personal, vault.Projects, vault.Entities, vault.Literature, vault.Concepts, vault.Wiki, vault.Archives}

func rank(e *Entry) int { return slices.Index(ranked, e.zone) }

func (b *batch) old(e *Entry) *pageRef {
	n := b.pageRefs[string(e.Path)]
	if n == nil {
		n = &pageRef{entry: *e}
		b.pageRefs[string(e.Path)] = n
	}
	return n
}

// person is the page of a speaker. The page is known by the speaker's name among the people, not by any other page of that name.
func (b *batch) person(k string) *pageRef {
	for _, e := range b.dir.names[k] {
		if target(e) && personal(e) {
			return b.old(e)
		}
	}
	return b.individual(k)
}

// individual is the new page of a person. Of whom no first name is known, the page says Dr. Lee, and Lee is another name of hers.
func (b *batch) individual(k string) *pageRef {
	s := b.stats[k]
	if k == theUser && b.called != "" {
		n := b.fresh(vault.Personal, b.called, typePerson)
		if n.fresh {
			n.entry.Aliases = []string{"The user"}
		}
		return n
	}
	if s == nil || b.speakers[k] || len(s.titled) == 0 || strings.Contains(k, " ") {
		n := b.fresh(vault.Personal, b.shown(k), typePerson)
		if s != nil && s.role&kin != 0 && !b.speakers[k] {
			n.tags = []string{typePerson, "family"}
		}
		return n
	}
	n := b.fresh(vault.Personal, most(s.titled), typePerson)
	n.entry.Aliases = []string{b.shown(k)}
	return n
}

// named is the new page of a name that has earned one.
func (b *batch) named(k string) *pageRef {
	kind := b.stats[k].kind()
	if kind == typePerson {
		return b.individual(k)
	}
	zone := map[string]string{typePet: vault.Personal, typeLiterature: vault.Literature, typeEntity: vault.Entities}[kind]
	return b.fresh(zone, b.shown(k), kind)
}

// kind is what a name seems to be the name of.
func (s *nameStat) kind() string {
	switch {
	case s.role&kin != 0:
		return typePerson
	case s.role&pet != 0:
		return typePet
	case s.role&opus != 0:
		return typeLiterature
	case coined(most(s.shown)):
		return typeEntity
	case s.role&(friend|title) != 0, isGiven(s.key), s.human >= 2, s.human == 1 && s.about <= 2:
		return typePerson
	}
	return typeEntity
}

// project is the page of a project. "The billing service" has the page Billing, "the weather app" the page Weather app.
func (b *batch) project(k string) *pageRef {
	s, full := b.stats[k], ""
	if s != nil {
		full = most(s.full)
	}
	for _, name := range []string{k, full} {
		if e := b.entry(name); e != nil {
			return b.old(e)
		}
	}
	title := s.written()
	if noun := full[strings.LastIndexByte(full, ' ')+1:]; title == "" && s.wing == 0 && !isIn(bare, noun) {
		title = full
	}
	title = lexis.Capital(cmp.Or(title, spaced(cmp.Or(most(s.shown), k))))
	n := b.fresh(vault.Projects, title, typeProject)
	for _, f := range slices.Sorted(maps.Keys(s.full)) {
		if n.fresh && f != key(title) && len(n.entry.Aliases) < 3 && !slices.Contains(n.entry.Aliases, f) {
			n.entry.Aliases = append(n.entry.Aliases, f)
		}
	}
	return n
}

// fresh is the new page of a title in a zone, or the one that is there, or that a person keeps elsewhere: two of one name would make the
// links to it ambiguous. Concepts have pages of ours, since their names are common words.
func (b *batch) fresh(zone, title, kind string) *pageRef {
	title = lexis.OneLine(title, "")
	for _, e := range b.dir.names[key(title)] {
		if e.zone == zone || e.Foreign && kind != typeTopic && kind != typeConcept {
			return b.old(e)
		}
	}
	id := zone + "\x00" + key(title)
	n := b.pageRefs[id]
	if n == nil {
		n = &pageRef{entry: Entry{Title: title, Type: kind, zone: zone}, tags: []string{kind}, fresh: true}
		b.pageRefs[id] = n
	}
	return n
}

// shown is how a name is written on its page.
func (b *batch) shown(k string) string {
	if t := b.stats[k].written(); t != "" {
		return t
	}
	counts := map[string]int{}
	for _, it := range b.items {
		if key(it.Speaker) == k {
			counts[strings.TrimSpace(it.Speaker)]++
		}
	}
	if k == b.owner && b.ownerName != "" {
		counts[b.ownerName]++
	}
	return lexis.Capital(cmp.Or(most(counts), k))
}
