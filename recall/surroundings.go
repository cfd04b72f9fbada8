package recall

import (
	"slices"

	"github.com/reverie-memory/reverie/indexer/catalog"
)

// place finds the neighbours of the groups that may end up in the answer: the best ones, and what was said beside
// the very best. The latter join the pool even where no word or vector found them: what was said
// beside a good hit is often the answer.
func (p *pool) place(ix Index, allow func(catalog.Key) bool, fold bool) {
	byTop := func(g *group) float64 { return g.top }
	placed := map[int]bool{}
	for _, g := range p.best(placeGroups, byTop) {
		placed[g] = true
	}
	var missing []catalog.Key
	for _, g := range p.best(expandGroups, byTop) {
		p.sit(ix, g)
		near, far := p.around(ix, g)
		for _, k := range slices.Concat(near[0], near[1], far[0], far[1]) {
			if i, ok := p.byKey[k]; ok {
				placed[p.cands[i].group] = true
			} else if allow == nil || allow(k) {
				missing = append(missing, k)
			}
		}
	}
	slices.Sort(missing)
	missing = slices.Compact(missing)
	p.add(missing, ix.Metas, fold)
	for _, k := range missing {
		if i, ok := p.byKey[k]; ok {
			placed[p.cands[i].group] = true
		}
	}
	for i := range placed {
		p.sit(ix, i)
		near, far := p.around(ix, i)
		g := &p.groups[i]
		g.before = [2]int{p.groupOf(ix, near[0], i), p.groupOf(ix, far[0], i)}
		g.after = [2]int{p.groupOf(ix, near[1], i), p.groupOf(ix, far[1], i)}
	}
}

// sit finds the row that stands for a group in its session: the drawer itself, also where only
// facts taken from it were found.
func (p *pool) sit(ix Index, i int) {
	g := &p.groups[i]
	if g.seat != 0 {
		return
	}
	first := p.cands[g.rows[0]].meta
	for _, r := range g.rows[1:] {
		if m := p.cands[r].meta; first.Source != catalog.DrawerText && m.Source == catalog.DrawerText {
			first = m
		}
	}
	g.seat = first.Key
	if first.Source == catalog.DrawerText || first.Drawer == 0 {
		return
	}
	for _, m := range ix.Metas(ix.DrawerKeys(first.Drawer)) {
		if m.Source == catalog.DrawerText {
			g.seat = m.Key
			return
		}
	}
}

// around returns the rows one place and two places away from a group, before and after it.
func (p *pool) around(ix Index, g int) (near, far [2][]catalog.Key) {
	if p.groups[g].session == 0 {
		return near, far
	}
	near[0], near[1] = ix.Neighbours(p.groups[g].seat)
	if len(near[0]) > 0 {
		far[0], _ = ix.Neighbours(near[0][0])
	}
	if len(near[1]) > 0 {
		_, far[1] = ix.Neighbours(near[1][0])
	}
	return near, far
}

// groupOf is the group that holds one of the rows, or rows of their drawers; nobody for none and for the group itself.
func (p *pool) groupOf(ix Index, keys []catalog.Key, self int) int {
	for _, k := range keys {
		if i, ok := p.byKey[k]; ok && p.cands[i].group != self {
			return p.cands[i].group
		}
	}
	for _, m := range ix.Metas(keys) {
		if g, ok := p.byDrawer[m.Drawer]; ok && m.Drawer != 0 && g != self {
			return g
		}
	}
	return nobody
}

// weigh sets the support of every group.
func (p *pool) weigh(w *weights) {
	sessions := p.sessionTops(w)
	top := func(g int) float64 {
		if g == nobody {
			return 0
		}
		return p.groups[g].top
	}
	for i := range p.groups {
		g := &p.groups[i]
		if g.session == 0 {
			g.support.neighbours = w.lone * g.top
			continue
		}
		g.support.session = w.session * sessions[g.session]
		g.support.neighbours = w.prev*top(g.before[0]) + w.next*top(g.after[0]) + w.far*(top(g.before[1])+top(g.after[1]))
	}
}

// sessionTops is the mean of the best groups of each session; a session with fewer counts zeros, so
// that it saturates: a long day is no better than one with three good hits.
func (p *pool) sessionTops(w *weights) map[int32]float64 {
	tops := map[int32][]float64{}
	for i := range p.groups {
		if g := &p.groups[i]; g.session != 0 {
			tops[g.session] = append(tops[g.session], g.top)
		}
	}
	means := make(map[int32]float64, len(tops))
	for s, v := range tops {
		slices.Sort(v)
		sum := 0.0
		for _, x := range v[max(0, len(v)-sessionBest):] {
			sum += x
		}
		means[s] = sum / sessionBest
	}
	return means
}
