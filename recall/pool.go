package recall

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/indexer/vector"
	"github.com/reverie-memory/reverie/palace/closet"
)

// fuse makes candidates of what was gathered.
var fuse = &Phase{
	Name: "fuse", Step: Pooling, Makes: true,
	Flags: []Flag{{Name: "fold", Default: true, Doc: "one hit for each drawer"}},
	Parts: []string{"lexical", "vector"},
	Run: func(_ context.Context, r *search) error {
		r.pool = newPool(r.s.Index, r.flags.on("fold"), len(r.worded)+len(r.near))
		r.pool.note(r.worded, r.near)
		r.pool.bookNear = func(c *candidate) { c.book("vector", r.vectorWeight()*(c.above/r.pool.dev)) }
		for _, s := range r.worded {
			if i, ok := r.pool.byKey[s.Key]; ok {
				r.pool.cands[i].book("lexical", max(s.Score, 0))
			}
		}
		for _, m := range r.near {
			if i, ok := r.pool.byKey[m.Key]; ok {
				r.pool.bookNear(&r.pool.cands[i])
			}
		}
		return nil
	},
}

func (r *search) vectorWeight() float64 {
	if r.builtin() {
		return vectorBuiltin
	}
	return vectorModel
}

// builtin says whether vectors, where there are any, are those of the built-in embedder.
func (r *search) builtin() bool {
	return r.s.Embed == nil || strings.HasPrefix(r.s.Embed.Name(), "builtin")
}

// The weight of the standardised cosine. The built-in embedder knows words and what each means; a model knows sentences, and adds more to
// what the full text finds.
const (
	vectorBuiltin = 1.0
	vectorModel   = 1.4
)

// A candidate is a row that may become a hit. Its tally is what speaks for it without its surroundings: of the full text and
// the vectors, and of any phase that books more.
type candidate struct {
	tally
	key     catalog.Key
	meta    catalog.Meta
	cosine  float64
	above   float64 // cosine over the average of the nearest rows, 0 when at or below it
	bm25    float64 // as the full text gave it
	worded  bool    // the full text found it
	answers bool    // the knowledge graph takes it for the answer
	group   int

	line    *closet.Line  // of a closet, the best that points to the row; nil where it may not be shown
	pointed []catalog.Key // the rows that the line names
}

// A group is the candidates that tell the same thing: all rows of one drawer, or one row without a
// drawer. Context belongs to the group.
type group struct {
	rows    []int // into pool.cands, in key order
	session int32
	row     catalog.Key // whose neighbours are the group's
	top     float64     // best score of its rows
	before  [2]int      // groups said one and two places before; nobody for none
	after   [2]int
	support tally   // what its surroundings say for it
	rank    float64 // first estimate, which decides whose text is read
}

// nobody stands where there is no group.
const nobody = -1

// A pool holds the candidates of one search, in key order, and their groups.
type pool struct {
	ix       Index
	fold     bool // rows of one drawer are one group
	cands    []candidate
	groups   []group
	byKey    map[catalog.Key]int
	byDrawer map[int32]int
	blind    bool // vectors found nothing, or were not asked

	mean, dev float64          // of the similarities found
	bookNear  func(*candidate) // books what the nearness of its vectors counts
}

func newPool(ix Index, fold bool, size int) *pool {
	return &pool{ix: ix, fold: fold, byKey: make(map[catalog.Key]int, size), byDrawer: map[int32]int{}}
}

// note makes candidates of what was found, and notes of each by what.
func (p *pool) note(worded []catalog.Scored, near []vector.Match) {
	keys := make([]catalog.Key, 0, len(worded)+len(near))
	for _, s := range worded {
		keys = append(keys, s.Key)
	}
	for _, m := range near {
		keys = append(keys, m.Key)
	}
	p.add(keys)
	for _, s := range worded {
		if i, ok := p.byKey[s.Key]; ok {
			p.cands[i].bm25 = max(s.Score, 0)
			p.cands[i].worded = true
		}
	}
	p.blind = len(near) == 0
	p.mean, p.dev = spread(near)
	for _, m := range near {
		if i, ok := p.byKey[m.Key]; ok {
			p.cands[i].see(float64(m.Similarity), p.mean)
		}
	}
}

// see notes how near the vectors are.
func (c *candidate) see(cosine, mean float64) {
	c.cosine, c.above = cosine, max(0, cosine-mean)
}

// add puts rows that are still in the index into the pool; those that it holds stay as they are.
func (p *pool) add(keys []catalog.Key) {
	keys = slices.Compact(slices.Sorted(slices.Values(keys)))
	empty := tallies(len(keys))
	p.cands, p.groups = slices.Grow(p.cands, len(keys)), slices.Grow(p.groups, len(keys))
	for n, m := range p.ix.Metas(keys) {
		if _, ok := p.byKey[m.Key]; ok || m.Source == "" { // known, or gone
			continue
		}
		i := len(p.cands)
		p.byKey[m.Key] = i
		g, ok := p.byDrawer[m.Drawer]
		if !ok || m.Drawer == 0 || !p.fold {
			g = len(p.groups)
			p.groups = append(p.groups, group{session: m.Session, before: [2]int{nobody, nobody}, after: [2]int{nobody, nobody}})
			if m.Drawer != 0 {
				p.byDrawer[m.Drawer] = g
			}
		}
		p.cands = append(p.cands, candidate{tally: empty[n], key: m.Key, meta: m, group: g})
		p.groups[g].rows = append(p.groups[g].rows, i)
	}
}

// The nearest rows stand on a floor of background rows that no search returns. The floor keeps
// the spread sensible where the index holds only a handful of rows.
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
	type valued struct {
		value float64
		first catalog.Key
		group int
	}
	order := make([]valued, len(p.groups))
	for i := range order {
		order[i] = valued{value(&p.groups[i]), p.firstKey(i), i}
	}
	slices.SortFunc(order, func(a, b valued) int {
		if c := cmp.Compare(b.value, a.value); c != 0 {
			return c
		}
		return cmp.Compare(a.first, b.first)
	})
	best := make([]int, min(n, len(order)))
	for i := range best {
		best[i] = order[i].group
	}
	return best
}

func (p *pool) firstKey(g int) catalog.Key { return p.cands[p.groups[g].rows[0]].key }
