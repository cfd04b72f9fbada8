package graph

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/lexis"
)

// A meaning is who or what a speaker means by a name.
type meaning struct {
	name, speaker string
	key, own      nameKey
	said          []*said // in the order of saying
	holds         int     // how many of those say that something holds
	thing         *thing
}

func (m *meaning) entity() *Entity {
	if m == nil {
		return nil
	}
	return m.thing.entity
}

// A base is what was said of the names of one base.
type base struct {
	meanings []*meaning
	speakers int // events whose speaker is called so
	kinds    map[string]int
}

// A thing is who or what may be meant.
type thing struct {
	key      nameKey
	meanings []*meaning
	entity   *Entity // nil where nothing is said to hold of it
	cells    []*group
	watched  map[watchKey][]*said // by what ends something of it
}

// A watch is what an event looks out for, since it may end what will be said of a thing.
type watch struct {
	*thing
	watchKey
}

// A watchKey is a word of what ends: the rarest of them, or any one; none where it is to be told of whatever there is.
type watchKey struct {
	word string
	any  bool
}

// name has the graph know the names of what is said, and returns the events besides those that are to be folded since they mean another,
// or since what they mean is called otherwise.
func (k *Keeper) name(g *Graph, gone, fresh []*said) (again []*said) {
	bases, things := map[string]bool{}, map[*thing]bool{}
	var met []*meaning
	aliases := len(k.aliases)
	for _, n := range gone {
		k.mentions(n, -1, bases)
	}
	k.aliases = slice.Keep(k.aliases, func(n *said) bool { return !n.leaves })
	aliased := len(k.aliases) != aliases
	for _, n := range fresh {
		n.subject, n.object = k.meaning(n.Subject, n.Speaker, &met), k.meaning(n.Object, n.Speaker, &met)
		if n.was = k.meaning(n.Was, n.Speaker, &met); n.Kind == Alias {
			k.aliases, aliased = append(k.aliases, n), true
		}
		k.mentions(n, +1, bases)
	}
	changed, longer := map[string]bool{}, lists[string, nameKey]{} // bases of which another may be meant
	for b := range bases {
		k.rename(g, b, changed, longer)
	}
	longer.into(&g.longer, nameKey.compare)
	if aliased || len(k.aliases) > 0 && len(changed) > 0 {
		slices.SortFunc(k.aliases, (*said).compare)
		k.alias(g, changed)
	}
	for b := range changed {
		if of := k.bases[b]; of != nil {
			for _, m := range of.meanings {
				met = append(met, m)
				things[m.thing] = true
			}
		}
		for _, spelt := range g.base(b).spelt { // whose name or type is another
			things[k.things[spelt.nameKey]] = true
		}
	}
	for b := range bases {
		if of := k.bases[b]; of != nil {
			of.meanings = slice.Keep(of.meanings, func(m *meaning) bool {
				if things[m.thing] = true; len(m.said) == 0 {
					delete(k.meanings, [2]string{m.name, m.speaker})
				}
				return len(m.said) > 0
			})
			if len(of.meanings) == 0 && of.speakers == 0 {
				delete(k.bases, b)
			}
		}
	}
	for _, m := range met {
		if len(m.said) == 0 {
			continue
		}
		key := g.meant(m.key, m.own, m.speaker)
		if m.thing != nil && m.thing.key == key {
			continue
		}
		if m.thing = k.things[key]; m.thing == nil { // the old one loses it in describe
			m.thing = &thing{key: key}
			k.things[key] = m.thing
		}
		m.thing.meanings = append(m.thing.meanings, m)
		things[m.thing] = true
		again = append(again, m.said...)
	}
	return append(again, k.describe(g, things)...)
}

// meaning is that of a name that an event has; nil for none.
func (k *Keeper) meaning(name, speaker string, met *[]*meaning) *meaning {
	m := k.meanings[[2]string{name, speaker}]
	if m == nil {
		key := keyOfName(name)
		if key.base == "" {
			return nil
		}
		m = &meaning{name: name, speaker: speaker, key: key, own: ownKey(key.base, speaker)}
		k.meanings[[2]string{name, speaker}] = m
		of := k.base(key.base)
		of.meanings = append(of.meanings, m)
		*met = append(*met, m)
	}
	return m
}

func (k *Keeper) base(name string) *base {
	b := k.bases[name]
	if b == nil {
		b = &base{kinds: map[string]int{}}
		k.bases[name] = b
	}
	return b
}

// mentions counts the names of an event, or no longer, and notes their bases.
func (k *Keeper) mentions(n *said, by int, bases map[string]bool) {
	types := traits(k.predicate(n.Predicate)).types
	for i, m := range [...]*meaning{n.subject, n.object, n.was} {
		if m == nil {
			continue
		}
		at, known := slices.BinarySearchFunc(m.said, n, (*said).compare)
		if n.Kind != Invalidate {
			m.holds += by
		}
		if by > 0 && !known {
			m.said = slices.Insert(m.said, at, n)
		} else if by < 0 && known {
			m.said = slices.Delete(m.said, at, at+1)
		}
		if kind := types[min(i, 1)]; kind != "" && n.Kind != Alias {
			k.base(m.key.base).kinds[kind] += by
		}
		bases[m.key.base] = true
	}
	if s := once(k.speakers, n.Speaker, func(name string) string { return keyOfName(name).base }); s != "" {
		k.base(s).speakers += by
		bases[s] = true
	}
}

// predicate is PredicateKey.
func (k *Keeper) predicate(wording string) string { return once(k.predicates, wording, PredicateKey) }

func once(known map[string]string, key string, of func(string) string) string {
	v, ok := known[key]
	if !ok {
		v = of(key)
		known[key] = v
	}
	return v
}

// kinds are what a name may be of, the surest first.
var kinds = [...]string{"person", "pet", "group", "place", "thing"}

// rename has the graph know the names of a base as they are now, but for the longer ones by a first name, which it notes.
func (k *Keeper) rename(g *Graph, b string, changed map[string]bool, longer lists[string, nameKey]) {
	was, now := g.base(b), &names{}
	if of := k.bases[b]; of != nil {
		now.person = of.speakers > 0 || of.kinds["person"] > 0
		for _, kind := range kinds {
			if of.kinds[kind] > 0 && now.kind == "" {
				now.kind = kind
			}
		}
		first := map[nameKey]*meaning{}
		for _, m := range of.meanings {
			if o := first[m.key]; len(m.said) > 0 && (o == nil || cmp.Or(m.said[0].compare(o.said[0]), strings.Compare(m.name, o.name)) < 0) {
				first[m.key] = m
			}
		}
		for key, m := range first {
			now.spelt = append(now.spelt, spelling{key, strings.Join(strings.Fields(m.name), " ")})
		}
		slices.SortFunc(now.spelt, func(a, b spelling) int { return a.compare(b.nameKey) })
		for _, s := range now.spelt {
			if s.qualifier != "" {
				now.qualified = append(now.qualified, s.nameKey)
			}
			if strings.Contains(b, " ") && (capital(s.name) && (now.person || s.qualifier != "") || kinded(b)) {
				now.long = append(now.long, s.nameKey)
			}
		}
	}
	if was.person == now.person && was.kind == now.kind && slices.Equal(was.spelt, now.spelt) && slices.Equal(was.long, now.long) {
		return
	}
	if len(now.spelt) == 0 && !now.person {
		g.names.drop(b)
	} else {
		g.names.set(b, now)
	}
	if first, _, _ := strings.Cut(b, " "); !slices.Equal(was.long, now.long) {
		change := longer.of(first)
		change[0], change[1] = append(change[0], was.long...), append(change[1], now.long...)
	}
	touch(b, changed)
}

// touch notes the bases of names by which one of a base may be meant: itself, its first word, and what is somebody's without whose.
func touch(b string, changed map[string]bool) {
	changed[b] = true
	if first, rest, ok := strings.Cut(b, " "); ok && rest != "" {
		changed[first] = true
	}
	for rest, ok := b, true; ok; {
		if _, rest, ok = strings.Cut(rest, "'s "); ok {
			changed[rest] = true
		}
	}
}

// alias has the graph know who has which other names.
func (k *Keeper) alias(g *Graph, changed map[string]bool) {
	was := g.same
	g.same = nil
	next := map[nameKey]nameKey{}
	last := func(key nameKey) nameKey {
		for {
			to, ok := next[key]
			if !ok {
				return key
			}
			key = to
		}
	}
	for _, n := range k.aliases {
		a, b := last(g.meant(n.subject.key, n.subject.own, n.Speaker)), last(g.meant(n.object.key, n.object.own, n.Speaker))
		if a != b {
			next[b] = a
		}
	}
	g.same = make(map[nameKey]nameKey, len(next))
	for key := range next {
		g.same[key] = last(key)
	}
	for _, m := range []map[nameKey]nameKey{was, g.same} {
		for key := range m {
			if was[key] != g.same[key] {
				touch(key.base, changed)
			}
		}
	}
}

// describe makes the entities of things, and returns the events about those that are others than before.
func (k *Keeper) describe(g *Graph, things map[*thing]bool) (again []*said) {
	byWord, byName, byWords, belongs := lists[string, *Entity]{}, lists[string, *Entity]{}, lists[string, *Entity]{}, lists[string, *Entity]{}
	for t := range things {
		if t == nil {
			continue
		}
		t.meanings = slice.Keep(t.meanings, func(m *meaning) bool { return m.thing == t && len(m.said) > 0 })
		was, now := t.entity, t.described(g)
		if was != nil && now != nil && was.Name == now.Name && was.Type == now.Type && slices.Equal(was.Aliases, now.Aliases) {
			continue
		}
		for _, m := range t.meanings {
			again = append(again, m.said...)
		}
		if t.entity = now; now != nil {
			g.index.set(t.key, now)
		} else if was != nil {
			g.index.drop(t.key)
		}
		for i, e := range [2]*Entity{was, now} {
			if e == nil {
				continue
			}
			note := func(l lists[string, *Entity], key string) { l.of(key)[i] = append(l.of(key)[i], e) }
			for _, w := range e.words {
				note(byWord, w)
			}
			bases := slice.SetOf(e.called(), func(name string) string { return keyOfName(name).base })
			for b := range bases {
				note(byName, b)
			}
			note(byWords, strings.Join(e.own, " "))
			if owner, _, ok := strings.Cut(t.key.base, "'s "); ok {
				note(belongs, owner)
			}
		}
		if len(t.meanings) == 0 {
			delete(k.things, t.key)
		}
	}
	var less, more []string
	for name := range byName {
		if len(g.byName.get(name)) == 0 {
			more = append(more, name)
		} else {
			less = append(less, name)
		}
	}
	byWord.into(&g.byWord, byKey)
	byName.into(&g.byName, byKey)
	byWords.into(&g.byWords, byKey)
	belongs.into(&g.belongs, byKey)
	gone := func(name string) bool { return len(g.byName.get(name)) == 0 }
	g.spellings = spliced(g.spellings, slice.Keep(less, gone), slices.DeleteFunc(more, gone), strings.Compare)
	return again
}

// described is the entity that a thing is; nil where nothing is said to hold of it.
func (t *thing) described(g *Graph) *Entity {
	aliases := map[string]string{}
	holds := 0
	for _, m := range t.meanings {
		holds += m.holds
		if m.key.base != t.key.base && !strings.HasPrefix(t.key.base, m.key.base+" ") {
			if name, _ := cutName(m.name); aliases[m.key.base] == "" || name < aliases[m.key.base] {
				aliases[m.key.base] = name
			}
		}
	}
	name := g.spelt(t.key)
	if holds == 0 || name == "" {
		return nil
	}
	e := &Entity{ID: t.key.id(), Name: name, Type: g.base(t.key.base).kind, key: t.key, own: nameWords(name)}
	e.Aliases = slices.Sorted(maps.Values(aliases))
	e.words = slices.Clone(e.own)
	for _, a := range e.called() {
		e.words = append(e.words, nameWords(a)...)
	}
	slices.Sort(e.words)
	e.words = slices.Compact(e.words)
	for _, w := range e.words {
		e.stems = append(e.stems, lexis.Stem(w))
	}
	return e
}
