package route

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/reverie-memory/reverie/dream/sense"
	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/vault"
)

// A batch is the items of one Place, and what they say together.
type batch struct {
	dir       *Directory
	items     []Item
	owner     string // key of the one who is "the user"
	ownerName string // the same as it is written
	called    string // how the user is called who speaks under no name, see Router.Called
	reads     []reading
	senses    map[sensed]*[sense.Count]float64
	finer     []string // the pastime that an item tells of
	speakers  map[string]bool
	stats     map[string]*nameStat
	chats     map[string]string // by conversation, and by day and speaker: the project that it is about
	sole      string            // the only project that there is, "" where there are several
	pageRefs  map[string]*pageRef
	thread    func(chat string, day vault.Day) []string
	strayed   map[string]bool // by conversation and day, see strays
}

// A sensed is an item as the model reads it: on a person's page, or by itself where there is none.
type sensed struct {
	page *pageRef
	item int
}

// nameStat is what a batch tells about a name.
type nameStat struct {
	key      string
	about    int             // statements that are about it
	firm     bool            // in one of them more than its place gives it a capital
	own      bool            // in one of them a system is called somebody's, or a project
	mentions int             // of a system: statements that tell of it as somebody's
	wing     int             // items of that wing
	tags     int             // items with that tag
	inside   int             // times that it is written like a name inside a sentence
	lower    int             // times that it is written like any other word
	human    int             // statements that only fit people
	role     list            // what it is called: kin, friend, pet, opus, system, title
	said     map[string]bool // by day and speaker
	shown    map[string]int
	titled   map[string]int // with Dr., Mrs., … before it
	full     map[string]int // billing service
}

// theUser is the key of whoever owns the memory, where no name is known.
const theUser = "the user"

func newBatch(d *Directory, owner string, items []Item) *batch {
	b := &batch{
		dir: d, items: items, owner: theUser, reads: make([]reading, len(items)), finer: make([]string, len(items)),
		senses:   map[sensed]*[sense.Count]float64{},
		speakers: map[string]bool{}, stats: map[string]*nameStat{},
		chats: map[string]string{}, pageRefs: map[string]*pageRef{}, strayed: map[string]bool{},
	}
	if k := key(owner); k != "" && !isIn(user|nobody, k) && len(d.names[theUser]) == 0 {
		b.owner, b.ownerName = k, owner
	}
	for _, it := range items {
		if k := b.voice(it.Speaker); k != theUser {
			b.speakers[k] = true
		}
	}
	return b
}

// voice is the key of the person who speaks: of the owner, where nobody does who could have a page.
func (b *batch) voice(speaker string) string {
	if k := key(speaker); k != "" && !isIn(user|nobody, k) && k != theUser {
		return k
	}
	return b.owner
}

// known tells names that speak or have a page.
func (b *batch) known(k string) bool { return b.speakers[k] || b.entry(k) != nil }

// read reads all items, and adds up what they say about names and projects.
func (b *batch) read() {
	r := &reader{speakers: b.speakers, known: b.known}
	for i, it := range b.items {
		b.reads[i] = r.read(it, b.voice)
		b.count(i)
	}
	for i := range b.reads {
		for _, w := range b.reads[i].ws {
			if s := b.stats[w.fold]; s != nil && !w.capital {
				s.lower++
			}
		}
		for _, t := range b.items[i].Tags {
			if s := b.stats[key(t)]; s != nil {
				s.tags++
			}
		}
	}
	b.contexts()
}

// contexts finds the one project that a conversation names, and the one that somebody speaks of on a day again and again: what they say
// there of work is about it. The only project that there is needs no name.
func (b *batch) contexts() {
	named, all := map[string]map[string]int{}, map[*pageRef]string{}
	for i := range b.reads {
		k := b.projectIn(i)
		if b.reads[i].project = k; k == "" {
			continue
		}
		all[b.project(k)] = k
		for _, c := range []string{b.items[i].Chat, b.day(i)} {
			if named[c] == nil {
				named[c] = map[string]int{}
			}
			named[c][k]++
		}
	}
	for c, ks := range named {
		for k, n := range ks {
			if len(ks) == 1 && c != "" && (n >= 3 || !strings.Contains(c, "\x00")) {
				b.chats[c] = k
			}
		}
	}
	for _, e := range b.dir.entries {
		if projectlike(e) && target(e) && e.zone != vault.Archives {
			all[b.old(e)] = key(e.Title)
		}
	}
	if len(all) == 1 {
		for _, b.sole = range all {
		}
	}
}

// day is the key of what somebody says on a day.
func (b *batch) day(i int) string { return string(b.items[i].Day) + "\x00" + b.reads[i].voice }

func (b *batch) stat(k string) *nameStat {
	s := b.stats[k]
	if s == nil {
		s = &nameStat{key: k, said: map[string]bool{}, shown: map[string]int{}, titled: map[string]int{}, full: map[string]int{}}
		b.stats[k] = s
	}
	return s
}

func (b *batch) count(i int) {
	rd := &b.reads[i]
	for _, n := range rd.named {
		s := b.stat(n.key)
		s.shown[n.shown]++
		s.inside++
	}
	for k, n := range append(slices.Clone(rd.subs), rd.system) {
		if n.key == "" {
			continue
		}
		s := b.stat(n.key)
		s.said[b.day(i)] = true
		s.role, s.own = s.role|n.role, s.own || n.own
		if n.full != "" {
			s.full[n.full]++
		}
		if k == len(rd.subs) { // "my weather app"
			s.mentions++
			continue
		}
		s.about++
		s.shown[n.shown]++
		s.firm = s.firm || !n.loose
		if n.human {
			s.human++
		}
		if n.titled != "" {
			s.titled[n.titled]++
		}
	}
	if k, shown := wingOf(b.items[i]); k != "" {
		rd.wing = k
		s := b.stat(k)
		s.wing++
		s.shown[shown]++
	}
}

// wingOf is the project that the wing or, where that only says work, the room stands for. Of a name such as github.com/owner/repo the last
// part is what people call it. A side of life is no project.
func wingOf(it Item) (k, shown string) {
	wing := it.Wing[strings.LastIndexByte(it.Wing, '/')+1:]
	k = strings.TrimPrefix(key(wing), "wing ")
	shown = spaced(strings.TrimPrefix(wing, "wing_"))
	if isIn(jobs, k) {
		k, shown = key(it.Room), spaced(it.Room)
	}
	s, life := sense.Named(k)
	if isIn(sides|jobs|nobody|user, k) || lexis.IsStop(k) || life && !forProjects(s) || k == key(it.Speaker) || k == key(it.Chat) {
		return "", ""
	}
	return k, shown
}

// forProjects tells the sides that a project is of as well.
func forProjects(s sense.Side) bool { return s.Software() || s == sense.Work }

// earned tells whether a name that has no page yet is to get one: it is talked of on two days or by two people, or in three statements.
func (b *batch) earned(k string) bool {
	s := b.stats[k]
	if s == nil || k == "" || b.speakers[k] {
		return b.speakers[k]
	}
	return (s.about >= 3 || s.about == 2 && len(s.said) >= 2) && s.proper()
}

// proper tells a name from a word that only begins a sentence, and from what logs and acronyms shout.
func (s *nameStat) proper() bool {
	shown := most(s.shown)
	common := true
	for w := range strings.FieldsSeq(s.key) {
		_, cue := sense.Cue(w)
		common = common && (lexis.Frequency(w) > lexis.FrequencyFloor || isIn(particle, w) || cue)
	}
	switch {
	case isIn(month|filler|nobody|user|title|pronoun, s.key), lexis.IsStop(s.key), len([]rune(s.key)) < 2, strings.ToUpper(shown) == shown:
		return false
	case s.role&^system != 0, isGiven(s.key), coined(shown):
		return true
	}
	return !common && s.lower <= s.inside
}

// coined tells a word with capitals or digits inside.
func coined(shown string) bool {
	ws := cut(shown)
	return len(ws) == 1 && ws[0].coined && ws[0].capital
}

// isProject tells whether a name is or has earned the page of a project. One that is written like that of a product has to be spoken of on
// two days or by two people, unless it is called somebody's.
func (b *batch) isProject(k string) bool {
	if k == "" || b.speakers[k] {
		return false
	}
	if e := b.entry(k); e != nil {
		return projectlike(e)
	}
	s := b.stats[k]
	switch {
	case s == nil || s.role&(kin|pet|title) != 0:
		return false
	case s.wing > 0:
		return true
	}
	return s.role&system != 0 && (s.about >= 3 && (s.own || s.written() == "") || s.about >= 2 && len(s.said) >= 2 ||
		s.about >= 1 && s.tags >= 2 || s.mentions >= 3 && len(s.said) >= 2)
}

func projectlike(e *Entry) bool { return e.Type == typeProject || e.zone == vault.Projects }

// most is the form that occurs most often, of equals the first in the alphabet.
func most(m map[string]int) string {
	return slices.MinFunc(append(slices.Collect(maps.Keys(m)), ""), func(x, y string) int {
		return cmp.Or(cmp.Compare(m[y], m[x]), cmp.Compare(x, y))
	})
}

// written is how a name is written most often with a capital, "" where it never is.
func (s *nameStat) written() string {
	if s == nil {
		return ""
	}
	counts := maps.Clone(s.shown)
	maps.DeleteFunc(counts, func(t string, _ int) bool { return !strings.ContainsFunc(t, unicode.IsUpper) })
	return most(counts)
}
