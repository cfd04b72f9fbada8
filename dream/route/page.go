package route

import (
	"maps"
	"slices"
	"strings"
	"unicode"
)

// pageOf is the page of an item, nil for none.
func (b *batch) pageOf(i int) *pageRef {
	it, sub := b.items[i], b.reads[i].sub
	if k := sub.system; k != "" {
		if b.isProject(k) {
			return b.project(k)
		}
		if b.isProject(sub.full) {
			return b.project(sub.full)
		}
	}
	me := b.voice(it.Speaker)
	if n := b.said(i, me); n != nil {
		return n
	}
	k := sub.name.key
	if k != "" && k != me {
		if n := b.subject(k); n != nil {
			return n
		}
	}
	if sub.of.key != me && !b.human(sub.of.key) {
		if n := b.subject(sub.of.key); n != nil {
			return n
		}
	}
	if n := b.event(i, sub, me); n != nil {
		return n
	}
	if k := sub.owner.key; k != "" && k != me {
		if n := b.subject(k); n != nil {
			return n
		}
	}
	person := k != "" && (b.human(k) && (b.speakers[k] || b.entry(k) != nil || b.surely(k))) || sub.we || sub.user
	if p := b.itemProject(it); p != "" && b.belongs(i, p, person) {
		return b.project(p)
	}
	if b.speakers[k] {
		return b.person(k)
	}
	if n := b.idea(i); n != nil {
		return n
	}
	if me != "" && !is(listOwner, key(it.Speaker)) {
		return b.person(me)
	}
	if me != "" {
		if b.ofThing(i) && b.topic(i).work {
			if n := b.themed(i); n != nil {
				return n
			}
		}
		return b.person(me)
	}
	return b.last(i)
}

// subject is the page of what a statement is about, nil where that has none and has earned none.
func (b *batch) subject(k string) *pageRef {
	if k == "" {
		return nil
	}
	if n := b.page(k); n != nil {
		if projectlike(&n.entry) && b.speakers[k] {
			return nil
		}
		return b.named(k)
	}
	switch {
	case !b.speakers[k] && b.isProject(k) && !b.surely(k):
		return b.project(k)
	case b.earned(k):
		return b.named(k)
	}
	return nil
}

// unlikePeople tells a name that nothing makes a person's.
func (b *batch) unlikePeople(k string) bool {
	s := b.stats[k]
	return s != nil && !b.speakers[k] && !b.surely(k) && (s.human == 0 || s.thing+s.votes[voteOrg]+s.votes[voteTool] > 0)
}

// surely tells a name that is beyond doubt a person's.
func (b *batch) surely(k string) bool {
	s := b.stats[k]
	return s != nil && (s.kin+s.friend+len(s.titled) > 0 || s.human >= 2)
}

// human tells whether a name is that of a person, as far as the batch and the directory know.
func (b *batch) human(k string) bool {
	if b.speakers[k] {
		return true
	}
	if e := b.entry(k); e != nil {
		return e.zone == zonePersonal && e.Type != typeTopic || e.Type == typePerson
	}
	s := b.stats[k]
	return s != nil && s.kind() == typePerson
}

// itemProject is the project that an item was filed under: by its wing, else by a tag.
func (b *batch) itemProject(it Item) string {
	if k, _ := wingOf(it); b.isProject(k) {
		return k
	}
	for _, t := range it.Tags {
		if k := key(t); b.isProject(k) {
			return k
		}
	}
	return ""
}

// belongs tells whether an item filed under a project is about it, and not about the life of who said it.
func (b *batch) belongs(i int, project string, person bool) bool {
	it, rd := b.items[i], &b.reads[i]
	tagged := slices.ContainsFunc(it.Tags, func(t string) bool { return key(t) == project })
	named := tagged || names(rd.ws, project)
	l := b.evidenceOf(i)
	if !person { // single words say little here: a service runs, a library has readers
		return named || l.lifeTag == 0 || l.work > 0 || rd.sub.event || b.unlikePeople(rd.sub.name.key)
	}
	if !named && (l.life > l.work || rd.sub.user) {
		return false
	}
	switch c := strings.ToLower(it.Category); {
	case c == "preference", is(listEmotions, c):
		return false
	case c == "decision", c == "task", c == "problem", c == "milestone", rd.sub.we:
		return true
	}
	return named || l.work > 0
}

// idea is the page of an item that a person filed as an idea or as a book, nil for none.
func (b *batch) idea(i int) *pageRef {
	it, rd := b.items[i], &b.reads[i]
	c := strings.ToLower(it.Category)
	if is(listBook, c) && rd.sub.name.key != "" && (!b.human(rd.sub.name.key) || rd.year() != "" && !b.speakers[rd.sub.name.key]) {
		return b.literature(rd, c)
	}
	if !is(listIdea, c) {
		return nil
	}
	for _, t := range append(slices.Clone(it.Tags), it.Room) {
		if k := key(t); k != "" && !is(listSides, k) && !is(listIdea, k) {
			return b.topical(k, spaced(t))
		}
	}
	return nil
}

// year is the year behind the name that a sentence begins with: "Hughes 2018", "" for none.
func (rd *reading) year() string {
	hi := rd.sub.name.hi
	if hi >= len(rd.ws) || !rd.ws[hi].num || rd.ws[hi].end-rd.ws[hi].start != 4 || rd.ws[hi].gap != 0 && rd.ws[hi].gap != '(' {
		return ""
	}
	return rd.text[rd.ws[hi].start:rd.ws[hi].end]
}

// literature is the page of the book, film or paper that an item begins with. An article is part of such a title.
func (b *batch) literature(rd *reading, tag string) *pageRef {
	title := b.shown(rd.sub.name.key)
	lo := rd.sub.name.lo
	if y := rd.year(); y != "" {
		title += " " + y
	}
	if lo == 0 || !is(listArticle, rd.ws[lo-1].fold) || !rd.ws[lo-1].capital {
		return b.fresh(zoneLiterature, title, typeLiterature, tag)
	}
	n := b.fresh(zoneLiterature, rd.text[rd.ws[lo-1].start:rd.ws[lo-1].end]+" "+title, typeLiterature, tag)
	n.entry.Aliases = []string{title}
	return n
}

// topical is the page of a tag.
func (b *batch) topical(k, shown string) *pageRef {
	if n := b.page(k); n != nil {
		return n
	}
	if n := b.pageRefs[zoneConcepts+"\x00"+k]; n != nil {
		return n
	}
	return b.fresh(zoneConcepts, upperFirst(shown), typeConcept, typeConcept)
}

// last is where an item without a speaker goes.
func (b *batch) last(i int) *pageRef {
	it, rd := b.items[i], &b.reads[i]
	sub := rd.sub
	if sub.user {
		return b.person(b.owner)
	}
	if k := sub.name.key; k != "" && (!sub.weak || sub.human || isGiven(k)) && !b.common(sub) {
		return b.named(k)
	}
	owned := slices.ContainsFunc(rd.ws, func(w word) bool { return is(listOwned, w.fold) })
	for _, n := range rd.named {
		if b.page(n.key) != nil || b.earned(n.key) || owned && isGiven(n.key) { // "El cumpleaños de Lucía …"
			return b.named(n.key)
		}
	}
	if k, shown := wingOf(it); k != "" {
		return b.titled(k, shown, zoneProjects, typeProject)
	}
	for _, t := range it.Tags {
		if k := key(t); k != "" && !is(listSides, k) &&
			(b.owner == theUser || b.page(k) != nil || b.projects[k].tag > 1 && lex().headingOf(k) == 0) {
			return b.topical(k, spaced(t))
		}
	}
	if b.owner != theUser && len(it.Tags) > 0 { // one remark makes no subject; it is the owner's
		return b.person(b.owner)
	}
	if k := sub.system; k != "" && b.projects[k].about > 1 {
		return b.titled(k, k, zoneProjects, typeProject)
	}
	if k := key(it.Room); k != "" && !is(listSides, k) {
		return b.topical(k, spaced(it.Room))
	}
	if sub.name.key != "" && rd.verbal(sub.name) && !b.common(sub) {
		return b.named(sub.name.key)
	}
	if n := b.themed(i); n != nil {
		return n
	}
	if k := sub.system; k != "" {
		return b.titled(k, k, zoneProjects, typeProject)
	}
	return nil
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

func rank(e *Entry) int {
	return slices.Index([]string{zonePersonal, zoneProjects, zoneEntities, zoneLiterature, zoneConcepts, "2_Wiki", zoneArchives}, e.zone)
}

func (b *batch) page(k string) *pageRef {
	if k == "" {
		return nil
	}
	if e := b.entry(k); e != nil {
		return b.old(e)
	}
	return nil
}

func (b *batch) old(e *Entry) *pageRef {
	n := b.pageRefs[string(e.Path)]
	if n == nil {
		n = &pageRef{entry: *e, zone: e.zone}
		b.pageRefs[string(e.Path)] = n
	}
	return n
}

// person is the page of a speaker. The page is known by the speaker's name among the people, not by any other page of that name.
func (b *batch) person(k string) *pageRef {
	for _, e := range b.dir.names[k] {
		if target(e) && (e.zone == zonePersonal && e.Type != typeTopic || e.Type == typePerson) {
			return b.old(e)
		}
	}
	return b.individual(k)
}

// individual is the new page of a person. Of whom no first name is known, the page says Dr. Lee, and Lee is another name of hers.
func (b *batch) individual(k string) *pageRef {
	title := b.shown(k)
	s := b.stats[k]
	if s == nil || len(s.titled) == 0 || b.speakers[k] || strings.Contains(k, " ") {
		return b.fresh(zonePersonal, title, typePerson, typePerson, b.family(k))
	}
	n := b.fresh(zonePersonal, most(s.titled), typePerson, typePerson, b.family(k))
	n.entry.Aliases = []string{title}
	return n
}

// family is the tag of relatives. Who speaks is somebody's relative as well, and would have it as soon as they say so.
func (b *batch) family(k string) string {
	if s := b.stats[k]; s != nil && s.kin > 0 && !b.speakers[k] {
		return "family"
	}
	return ""
}

// named is the page of a name that is known or has earned one.
func (b *batch) named(k string) *pageRef {
	if b.speakers[k] {
		return b.person(k)
	}
	if n := b.page(k); n != nil {
		return n
	}
	switch kind := b.stats[k].kind(); kind {
	case typePerson:
		return b.individual(k)
	case typePet:
		return b.fresh(zonePersonal, b.shown(k), typePet, typePet)
	case typeLiterature:
		return b.fresh(zoneLiterature, b.shown(k), typeLiterature, typeLiterature)
	default:
		return b.fresh(zoneEntities, b.shown(k), typeEntity, kind)
	}
}

// project is the page of a project.
func (b *batch) project(k string) *pageRef {
	shown := ""
	if w := b.projects[k]; w != nil {
		shown = most(w.shown)
	}
	return b.titled(k, cmpOr(shown, k), zoneProjects, typeProject)
}

func (b *batch) titled(k, shown, zone, kind string) *pageRef {
	if n := b.page(k); n != nil {
		return n
	}
	title := upperFirst(spaced(shown))
	if s := b.stats[k]; s != nil {
		if t := most(s.shown); key(t) == k {
			title = t
		}
	}
	n := b.fresh(zone, title, kind, kind)
	if w := b.projects[k]; w != nil && n.fresh && n.entry.Aliases == nil {
		for _, f := range slices.Sorted(maps.Keys(w.full)) {
			if f != key(title) && len(n.entry.Aliases) < 3 {
				n.entry.Aliases = append(n.entry.Aliases, f)
			}
		}
	}
	return n
}

func cmpOr(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// fresh is the new page of a title in a zone, or the page of that name that a person keeps elsewhere: two of one name would make the links
// to it ambiguous. Themes and concepts have pages of ours, since their names are common words.
func (b *batch) fresh(zone, title, kind string, tags ...string) *pageRef {
	title = oneLine(title)
	if kind != typeTopic && kind != typeConcept {
		for _, e := range b.dir.names[key(title)] {
			if e.Foreign {
				return b.old(e)
			}
		}
	}
	id := zone + "\x00" + key(title)
	n := b.pageRefs[id]
	if n == nil {
		tags = slices.DeleteFunc(tags, func(t string) bool { return t == "" })
		n = &pageRef{entry: Entry{Title: title, Type: kind, zone: zone}, zone: zone, tags: tags, fresh: true}
		b.pageRefs[id] = n
	}
	return n
}

// shown is how a name is written on its page.
func (b *batch) shown(k string) string {
	counts := map[string]int{}
	if s := b.stats[k]; s != nil {
		maps.Copy(counts, s.shown)
	}
	for t := range counts {
		if !strings.ContainsFunc(t, unicode.IsUpper) {
			delete(counts, t)
		}
	}
	if t := most(counts); t != "" {
		return t
	}
	for _, it := range b.items {
		if key(it.Speaker) == k {
			counts[strings.TrimSpace(it.Speaker)]++
		}
	}
	if k == b.owner && b.ownerName != "" {
		counts[b.ownerName]++
	}
	return upperFirst(cmpOr(most(counts), k))
}

// coined tells a word with capitals or digits inside.
func (s *nameStat) coined() bool {
	shown := most(s.shown)
	inner := strings.TrimLeftFunc(shown, unicode.IsUpper)
	return !strings.Contains(shown, " ") && len(inner) < len(shown) && inner != "" &&
		strings.ContainsFunc(inner, func(r rune) bool { return unicode.IsUpper(r) || unicode.IsDigit(r) })
}

// spoken tells whether somebody whose name is known speaks of it, as people speak of people.
func (s *nameStat) spoken() bool { return len(s.by) > 0 }

// kind is what a name seems to be the name of.
func (s *nameStat) kind() string {
	last := s.key[strings.LastIndexByte(s.key, ' ')+1:]
	person := s.kin*3 + s.friend*3 + len(s.titled)*3 + s.human + s.votes[votePerson]
	if isGiven(s.key) {
		person += 3
	}
	pet := s.pet*3 + s.votes[votePet]*3
	place, org, tool, book := s.votes[votePlace], s.votes[voteOrg], s.votes[voteTool]+2*s.thing, s.votes[voteWork]*2
	top := max(person, pet, place, org, tool, book)
	switch {
	case s.kin > 0:
		return typePerson
	case pet > 0 && pet >= top:
		return typePet
	case s.coined() && person < 4:
		return "tool"
	case last != s.key && person <= s.human && is(listIsPlace, last):
		return "place"
	case last != s.key && person <= s.human && is(listIsOrg, last):
		return "organisation"
	case top == 0 && (s.verbs == 0 || strings.Contains(s.key, " ") && !isGiven(strings.Fields(s.key)[0])):
		return typeEntity
	case person == top && person == 0 && !s.spoken(): // it does something, and that is all we know
		return typeEntity
	case person == top:
		return typePerson
	case book == top:
		return typeLiterature
	case place == top:
		return "place"
	case org == top:
		return "organisation"
	}
	return "tool"
}
