package recall

import (
	"cmp"
	"math"
	"slices"

	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/indexer/vector"
)

// A candidate is a row that may become a hit.
type candidate struct {
	key     catalog.Key
	meta    catalog.Meta
	lexical float64 // BM25, 0 when the full text did not find it
	cosine  float64
	above   float64 // cosine over the average of the nearest rows, 0 when at or below it
	nearby  float64 // the same in standard deviations
	inText  bool
	inSpace bool
	group   int
}

func (c *candidate) base(w *weights) float64 { return c.lexical + w.vector*c.nearby }

// A group is the candidates that tell the same thing: all rows of one drawer, or one row without a
// drawer. Context belongs to the group.
type group struct {
	rows    []int // into pool.cands, in key order
	session int32
	seat    catalog.Key // the row whose neighbours are the group's
	top     float64     // best base of its rows
	before  [2]int      // groups said one and two places before; nobody for none
	after   [2]int
	support support
	rank    float64 // first estimate, which decides whose text is read
}

// nobody stands where there is no group.
const nobody = -1

// support is what a group's surroundings say for it.
type support struct{ neighbours, session float64 }

func (s support) sum() float64 { return s.neighbours + s.session }

// A pool holds the candidates of one search, in key order, and their groups.
type pool struct {
	cands    []candidate
	groups   []group
	byKey    map[catalog.Key]int
	byDrawer map[int32]int
	blind    bool // vectors found nothing, or were not asked
}

func newPool(lex []catalog.Scored, vec []vector.Match, metas func([]catalog.Key) []catalog.Meta, w *weights, fold bool) *pool {
	p := &pool{byKey: make(map[catalog.Key]int, len(lex)+len(vec)), byDrawer: map[int32]int{}, blind: len(vec) == 0}
	keys := make([]catalog.Key, 0, len(lex)+len(vec))
	for _, s := range lex {
		keys = append(keys, s.Key)
	}
	for _, m := range vec {
		keys = append(keys, m.Key)
	}
	slices.Sort(keys)
	p.add(slices.Compact(keys), metas, fold)
	for _, s := range lex {
		if i, ok := p.byKey[s.Key]; ok {
			p.cands[i].lexical, p.cands[i].inText = max(s.Score, 0), true
		}
	}
	mean, dev := spread(vec)
	for _, m := range vec {
		if i, ok := p.byKey[m.Key]; ok {
			c := &p.cands[i]
			c.cosine, c.inSpace = float64(m.Similarity), true
			c.above = max(0, c.cosine-mean)
			c.nearby = c.above / dev
		}
	}
	for i := range p.groups {
		g := &p.groups[i]
		for _, r := range g.rows {
			g.top = max(g.top, p.cands[r].base(w))
		}
	}
	return p
}

// add puts rows that are still in the index into the pool.
func (p *pool) add(keys []catalog.Key, metas func([]catalog.Key) []catalog.Meta, fold bool) {
	for _, m := range metas(keys) {
		if _, ok := p.byKey[m.Key]; ok || m.Source == "" { // known, or gone
			continue
		}
		i := len(p.cands)
		p.byKey[m.Key] = i
		g, ok := p.byDrawer[m.Drawer]
		if !ok || m.Drawer == 0 || !fold {
			g = len(p.groups)
			p.groups = append(p.groups, group{session: m.Session, before: [2]int{nobody, nobody}, after: [2]int{nobody, nobody}})
			if m.Drawer != 0 {
				p.byDrawer[m.Drawer] = g
			}
		}
		p.cands = append(p.cands, candidate{key: m.Key, meta: m, group: g})
		p.groups[g].rows = append(p.groups[g].rows, i)
	}
}

// The nearest rows stand on a floor of background rows that no search returns. They keep the
// spread sensible where the index holds only a handful of rows.
const (
	backgroundRows = 10
	backgroundMean = 0.05
	backgroundDev  = 0.1
)

// spread is the mean and standard deviation of the similarities found.
func spread(vec []vector.Match) (mean, dev float64) {
	n := float64(backgroundRows)
	sum := n * backgroundMean
	sq := n * (backgroundMean*backgroundMean + backgroundDev*backgroundDev)
	for _, m := range vec {
		s := float64(m.Similarity)
		n, sum, sq = n+1, sum+s, sq+s*s
	}
	mean = sum / n
	return mean, math.Sqrt(max(sq/n-mean*mean, 1e-6))
}

// best returns the groups with the n highest values, best first, ties by the oldest key.
func (p *pool) best(n int, value func(*group) float64) []int {
	order := make([]int, len(p.groups))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(value(&p.groups[b]), value(&p.groups[a])),
			cmp.Compare(p.firstKey(a), p.firstKey(b)))
	})
	return order[:min(n, len(order))]
}

func (p *pool) firstKey(g int) catalog.Key { return p.cands[p.groups[g].rows[0]].key }
