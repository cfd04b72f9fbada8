package recall

import (
	"context"
	"slices"

	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/internal/slice"
)

// surroundings books what was said around a group, in its session and just beside it.
var surroundings = &Phase{
	Name: "context", Step: Pooling,
	Flags: []Flag{
		{Name: "neighbours", Default: true, Doc: "support from what was said just before and after"},
		{Name: "session", Default: true, Doc: "support from the rest of the session"},
	},
	Parts: []string{"neighbours", "session"},
	Run: func(_ context.Context, r *search) error {
		for i := range r.pool.cands {
			g := &r.pool.groups[r.pool.cands[i].group]
			g.top = max(g.top, r.pool.cands[i].score)
		}
		r.pool.place(r.allow)
		r.pool.weigh(r.flags.on("neighbours"), r.flags.on("session"))
		return nil
	},
}

// What the tops of groups count for their surroundings: the one before, the one after, those two places away, the best of the session.
// A group without a session has none of them and counts its own.
const (
	weightPrev, weightNext       = 0.35, 0.25
	weightFarPrev, weightFarNext = 0.25, 0.1
	weightSession                = 0.55
	weightLone                   = 0.5
	sessionBest                  = 3

	placeGroups  = 200 // groups whose neighbours speak for them
	expandGroups = 100 // groups whose neighbours join
)

// place finds the neighbours of the groups that may end up in the answer: the best ones, and what was said beside
// the very best. The latter join the pool even where no word or vector found them: what was said
// beside a good hit is often the answer.
func (p *pool) place(allow func(catalog.Key) bool) {
	best := p.best(placeGroups, func(g *group) float64 { return g.top })
	placed := slice.Set(best)
	var missing []catalog.Key
	known := map[int]beside{} // groups whose neighbours are asked for twice
	for _, g := range best[:min(expandGroups, len(best))] {
		p.sit(g)
		at := p.around(g)
		known[g] = at
		for _, k := range slices.Concat(at.near[0], at.near[1], at.far[0], at.far[1]) {
			if i, ok := p.byKey[k]; ok {
				placed[p.cands[i].group] = true
			} else if allow == nil || allow(k) {
				missing = append(missing, k)
			}
		}
	}
	p.add(missing)
	for _, k := range missing {
		if i, ok := p.byKey[k]; ok {
			placed[p.cands[i].group] = true
		}
	}
	for i := range placed {
		at, ok := known[i]
		if !ok {
			p.sit(i)
			at = p.around(i)
		}
		g := &p.groups[i]
		g.before = [2]int{p.groupOf(at.near[0], i), p.groupOf(at.far[0], i)}
		g.after = [2]int{p.groupOf(at.near[1], i), p.groupOf(at.far[1], i)}
	}
}

// sit finds the row that stands for a group in its session: the drawer itself, also where only
// facts taken from it were found.
func (p *pool) sit(i int) {
	g := &p.groups[i]
	if g.row != 0 {
		return
	}
	first := p.cands[g.rows[0]].meta
	for _, r := range g.rows[1:] {
		if m := p.cands[r].meta; first.Source != catalog.DrawerText && m.Source == catalog.DrawerText {
			first = m
		}
	}
	g.row = first.Key
	if first.Source == catalog.DrawerText || first.Drawer == 0 {
		return
	}
	for _, m := range p.ix.Metas(p.ix.DrawerKeys(first.Drawer)) {
		if m.Source == catalog.DrawerText {
			g.row = m.Key
			return
		}
	}
}

// beside are the rows one place and two places away from a group, before and after it.
type beside struct{ near, far [2][]catalog.Key }

func (p *pool) around(g int) (at beside) {
	if p.groups[g].session == 0 {
		return at
	}
	at.near[0], at.near[1] = p.ix.Neighbours(p.groups[g].row)
	if len(at.near[0]) > 0 {
		at.far[0], _ = p.ix.Neighbours(at.near[0][0])
	}
	if len(at.near[1]) > 0 {
		_, at.far[1] = p.ix.Neighbours(at.near[1][0])
	}
	return at
}

// groupOf is the group that holds one of the rows, or rows of their drawers; nobody for none and for the group itself.
func (p *pool) groupOf(keys []catalog.Key, self int) int {
	for _, k := range keys {
		if i, ok := p.byKey[k]; ok && p.cands[i].group != self {
			return p.cands[i].group
		}
	}
	for _, m := range p.ix.Metas(keys) {
		if g, ok := p.byDrawer[m.Drawer]; ok && m.Drawer != 0 && g != self {
			return g
		}
	}
	return nobody
}

// weigh books the support of every group.
func (p *pool) weigh(neighbours, session bool) {
	sessions := p.sessionTops()
	top := func(g int) float64 {
		if g == nobody {
			return 0
		}
		return p.groups[g].top
	}
	empty := tallies(len(p.groups))
	for i := range p.groups {
		g := &p.groups[i]
		g.support = empty[i]
		switch {
		case g.session == 0 && (neighbours || session):
			g.support.book("neighbours", weightLone*g.top)
		case g.session != 0 && neighbours:
			g.support.book("neighbours",
				weightPrev*top(g.before[0])+weightNext*top(g.after[0])+weightFarPrev*top(g.before[1])+weightFarNext*top(g.after[1]))
		}
		if g.session != 0 && session {
			g.support.book("session", weightSession*sessions[g.session])
		}
		g.rank = g.top + g.support.score
	}
}

// sessionTops is the mean of the best groups of each session; a session with fewer counts zeros, so
// that it saturates: a long day is no better than one with three good hits.
func (p *pool) sessionTops() map[int32]float64 {
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
