package recall

import (
	"slices"

	"github.com/reverie-memory/reverie/indexer/catalog"
)

// place finds the neighbours of every group. The neighbours of the best groups join the pool even
// where no word or vector found them: what was said beside a good hit is often the answer.
func (p *pool) place(ix Index, allow func(catalog.Key) bool, fold bool) {
	p.sit(ix, 0)
	best := p.best(expandGroups, func(g *group) float64 { return g.top })
	var missing []catalog.Key
	for _, g := range best {
		near, far := p.around(ix, g)
		for _, k := range slices.Concat(near[0], near[1], far[0], far[1]) {
			if _, ok := p.byKey[k]; !ok && (allow == nil || allow(k)) {
				missing = append(missing, k)
			}
		}
	}
	slices.Sort(missing)
	known := len(p.groups)
	p.add(slices.Compact(missing), ix.Metas, fold)
	p.sit(ix, known)
	for i := range p.groups {
		near, far := p.around(ix, i)
		p.groups[i].before = []int{p.groupOf(ix, near[0], i), p.groupOf(ix, far[0], i)}
		p.groups[i].after = []int{p.groupOf(ix, near[1], i), p.groupOf(ix, far[1], i)}
	}
}

// sit seats the groups from the given one on.
func (p *pool) sit(ix Index, from int) {
	for i := from; i < len(p.groups); i++ {
		g := &p.groups[i]
		first := p.cands[g.rows[0]].meta
		for _, r := range g.rows[1:] {
			if m := p.cands[r].meta; first.Source != catalog.DrawerText && m.Source == catalog.DrawerText {
				first = m
			}
		}
		g.sit(ix, first)
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

// sit finds the row that stands for the group in its session: the drawer itself, also where only
// facts taken from it were found.
func (g *group) sit(ix Index, first catalog.Meta) {
	g.seat, g.session = first.Key, first.Session
	if first.Source == catalog.DrawerText || first.Drawer == 0 {
		return
	}
	for _, m := range ix.Metas(ix.DrawerKeys(first.Drawer)) {
		if m.Source == catalog.DrawerText {
			g.seat, g.session = m.Key, m.Session
			return
		}
	}
}

// groupOf is the group that holds one of the rows, or rows of their drawers; -1 for none, and for the group itself.
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
	return -1
}

// weigh sets the support of every group.
func (p *pool) weigh(w *weights) {
	sessions := p.sessionTops(w)
	top := func(g int) float64 {
		if g < 0 {
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
		g.support.neighbours = w.prev*top(g.before[0]) + w.next*top(g.after[0]) + w.far*(top(g.before[1])+top(g.after[1]))
		g.support.session = w.session * sessions[g.session]
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
