package graph

import (
	"cmp"
	"slices"
)

// A groupKey is what events of a group have in common.
type groupKey struct {
	kind      byte
	a, b      *thing // b is nil but for a cell
	predicate string
}

// The kinds of group.
const (
	cell      = 'c' // what is said of two by one predicate: every triple is of one cell
	ofSubject = 's' // what takes turns, since a subject has one value of the predicate at a time
	ofObject  = 'o' // or an object one subject
)

// sides are the things of a cell.
func (k groupKey) sides() []*thing {
	if k.a == k.b {
		return []*thing{k.a}
	}
	return []*thing{k.a, k.b}
}

// other is the other side of a cell.
func (k groupKey) other(t *thing) *thing {
	if t == k.a {
		return k.b
	}
	return k.a
}

// A group is events that have to do with each other: one may change what the fold makes of the next.
type group struct {
	key   groupKey
	said  []*said
	holds int // of those how many say that something holds
	mark  int
}

// has says whether an event is in a group.
func (g *group) has(n *said) bool {
	if len(g.said) < len(n.groups) {
		return slices.Contains(g.said, n)
	}
	return slices.Contains(n.groups, g)
}

// tie puts events into their groups. What ends something is in the cells of whatever it may end, and, where something else takes its place,
// in those of what that may be; it watches for cells that come later.
func (k *Keeper) tie(list []*said) {
	for _, n := range list {
		if n.predicate = k.predicate(n.Predicate); n.Kind == Assert {
			if n.predicate == "owns" && n.object.entity().Type == "pet" {
				n.predicate = "has_pet"
			}
			k.join(n, n.subject.thing, n.predicate, n.object.thing)
		}
	}
	for _, n := range list {
		switch n.Kind {
		case Invalidate:
			n.words = wordsOrNone(n.Object)
			k.watch(n, n.object)
		case Replace:
			n.words = wordsOrNone(n.Was)
			if n.subject != nil {
				k.join(n, n.subject.thing, cmp.Or(n.predicate, "uses"), n.was.thing)
				k.join(n, n.subject.thing, cmp.Or(n.predicate, "uses"), n.object.thing)
			}
			k.watch(n, n.was)
		}
	}
}

// watch ties an event to the cells that are there, and to those to come.
func (k *Keeper) watch(n *said, what *meaning) {
	near := func(t *thing, among []*group) {
		for _, c := range slices.Clone(among) {
			if c.key.a == t || c.key.b == t {
				k.meet(n, c)
			}
		}
	}
	note := func(t *thing, keys ...watchKey) {
		for _, key := range keys {
			if t.watched == nil {
				t.watched = map[watchKey][]*said{}
			}
			t.watched[key] = append(t.watched[key], n)
			n.watches = append(n.watches, watch{t, key})
		}
	}
	var s, o *thing
	if what != nil {
		o = what.thing
	}
	if n.subject != nil {
		s = n.subject.thing
		note(s, k.graph.watchKeys(n.words)...)
		if n.words == nil {
			near(s, s.cells)
		}
		others := []*thing{}
		if o != nil {
			others = append(others, o)
		}
		for _, e := range k.graph.like(n.words) {
			others = append(others, k.things[e.key])
		}
		for _, o := range others {
			if len(o.cells) < len(s.cells) {
				near(s, o.cells)
			} else {
				near(o, s.cells)
			}
		}
	}
	if o != nil {
		note(o, watchKey{}) // whatever it is called
		if o != s && (n.subject == nil || n.Subject == n.Speaker) {
			near(o, o.cells)
		}
	}
}

// watchKeys are what to watch for where something is said to end that has a name of these words. [Entity.alike] knows it in either of two
// ways: all words that were said are its own, of which the rarest is watched for, or all of its own were said, of which each is.
func (g *Graph) watchKeys(words []string) []watchKey {
	switch {
	case words == nil:
		return []watchKey{{}}
	case len(words) == 0:
		return nil
	}
	keys := []watchKey{{g.rarest(words), false}}
	if len(words) <= namesMost {
		for _, w := range words {
			keys = append(keys, watchKey{w, true})
		}
	}
	return keys
}

// watching are those who may end what joins a thing with another one.
func (t *thing) watching(o *thing) (out []*said) {
	if out = append(out, t.watched[watchKey{}]...); o.entity == nil || len(t.watched) == 0 {
		return out
	}
	for _, w := range o.entity.words {
		out = append(out, t.watched[watchKey{w, false}]...)
	}
	var fewest []*said
	for i, w := range o.entity.own {
		if list := t.watched[watchKey{w, true}]; i == 0 || len(list) < len(fewest) {
			fewest = list
		}
	}
	return append(out, fewest...)
}

// meet ties what ends something to a cell, if it may end that.
func (k *Keeper) meet(n *said, c *group) {
	a, b, p := c.key.a, c.key.b, c.key.predicate
	if !n.mayEnd(a, p, b) || !k.put(n, c.key) || n.Kind != Replace {
		return
	}
	k.join(n, a, p, n.object.thing)
	if traits(p).both || n.subject != nil && n.subject.thing == b {
		k.join(n, b, p, n.object.thing)
	}
}

// mayEnd says whether an event may end triples of a cell.
func (n *said) mayEnd(a *thing, predicate string, b *thing) bool {
	what := n.object
	if n.Kind == Replace {
		what = n.was
	} else if !saysOf(n.predicate, predicate) {
		return false
	}
	if n.subject != nil {
		for _, c := range [2][2]*thing{{a, b}, {b, a}} {
			if c[0] == n.subject.thing && (n.words == nil || what != nil && what.thing == c[1] || c[1].entity.alike(n.words)) {
				return true
			}
		}
	}
	return what != nil && (n.subject == nil || n.Subject == n.Speaker) && (a == what.thing || b == what.thing)
}

// join puts an event into a cell and where that takes turns.
func (k *Keeper) join(n *said, s *thing, predicate string, o *thing) {
	p := traits(predicate)
	if p.both && s.key.compare(o.key) > 0 {
		s, o = o, s
	}
	if !k.put(n, groupKey{cell, s, o, predicate}) {
		return
	}
	if p.functional || k.functional[predicate] {
		k.put(n, groupKey{ofSubject, s, nil, predicate})
		if p.both {
			k.put(n, groupKey{ofSubject, o, nil, predicate})
		}
	}
	if p.sole {
		k.put(n, groupKey{ofObject, o, nil, predicate})
	}
}

// put puts an event into a group, and says whether it was not in it.
func (k *Keeper) put(n *said, key groupKey) bool {
	g := k.groups[key]
	if g != nil && g.has(n) {
		return false
	}
	fresh := g == nil
	if fresh {
		g = &group{key: key}
		k.groups[key] = g
	}
	if g.said, n.groups = append(g.said, n), append(n.groups, g); n.Kind == Assert {
		g.holds++
	}
	if fresh && key.kind == cell {
		var watched []*said
		for _, t := range key.sides() {
			t.cells = append(t.cells, g)
			watched = append(watched, t.watching(key.other(t))...)
		}
		for _, w := range watched {
			k.meet(w, g)
		}
	}
	return true
}

// untie takes events out of their groups. untie returns them, and those that were in a group in which now nothing is said to hold: they
// have to be tied again as well.
func (k *Keeper) untie(list []*said) (all []*said) {
	k.mark++
	add := func(more []*said) {
		for _, n := range more {
			if n.mark != k.mark {
				n.mark, all = k.mark, append(all, n)
			}
		}
	}
	add(list)
	groups, things, watches := map[*group]bool{}, map[*thing]bool{}, map[watch]bool{}
	for i := 0; i < len(all); i++ {
		n := all[i]
		for _, g := range n.groups {
			groups[g] = true
			if n.Kind == Assert {
				g.holds--
			}
			if g.holds == 0 && g.mark != k.mark {
				g.mark = k.mark
				add(g.said)
			}
		}
		for _, w := range n.watches {
			watches[w] = true
		}
		n.groups, n.watches = nil, nil
	}
	out := func(n *said) bool { return n.mark == k.mark }
	for g := range groups {
		if g.said = slices.DeleteFunc(g.said, out); len(g.said) == 0 {
			delete(k.groups, g.key)
			if g.key.kind == cell {
				things[g.key.a], things[g.key.b] = true, true
			}
		}
	}
	for t := range things {
		t.cells = slices.DeleteFunc(t.cells, func(c *group) bool { return len(c.said) == 0 })
	}
	for w := range watches {
		if w.watched[w.watchKey] = slices.DeleteFunc(w.watched[w.watchKey], out); len(w.watched[w.watchKey]) == 0 {
			delete(w.watched, w.watchKey)
		}
	}
	return all
}

// reach are all events that have to do with some, directly or by others.
func (k *Keeper) reach(from []*said) (out []*said) {
	k.mark++
	visit := func(n *said) {
		if n.mark != k.mark {
			n.mark = k.mark
			out = append(out, n)
		}
	}
	for _, n := range from {
		visit(n)
	}
	for i := 0; i < len(out); i++ {
		for _, g := range out[i].groups {
			if g.mark == k.mark {
				continue
			}
			g.mark = k.mark
			for _, n := range g.said {
				visit(n)
			}
		}
	}
	return out
}
