package worker

import (
	"cmp"
	"context"
	"slices"

	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/palace/drawers"
)

// A lineage knows which drawers newer ones tell: those that a newer one was found to end, and those of which a copy was said later.
type lineage struct {
	rd     indexer.Reader
	state  drawers.State
	view   *catalog.View
	copies map[string][]string // drawers that say the same, by the first of them
	sums   map[string]bool     // drawers that sum others up
	rows   map[string]catalog.Row
	newest map[string]string // of those that say the same, by the first of them, as far as it was asked for
}

func newLineage(rd indexer.Reader, state drawers.State, view *catalog.View) *lineage {
	l := &lineage{
		rd: rd, state: state, view: view, copies: map[string][]string{}, sums: map[string]bool{}, rows: map[string]catalog.Row{},
		newest: map[string]string{},
	}
	for id, k := range state {
		if k.Cluster != "" {
			l.copies[k.Cluster] = append(l.copies[k.Cluster], id)
		}
		for _, s := range k.In {
			l.sums[s] = true
		}
	}
	for first, list := range l.copies {
		list = append(list, first)
		slices.Sort(list)
		l.copies[first] = list
	}
	return l
}

// same are the drawers that say what a drawer says, with itself.
func (l *lineage) same(id string) []string {
	k := l.state.Of(id)
	return l.copies[cmp.Or(k.Cluster, id)]
}

// suspect says whether something may tell a drawer.
func (l *lineage) suspect(id string) bool {
	k := l.state.Of(id)
	return k.Archived == 0 && !l.sums[id] && (k.SupersededBy != "" || len(l.same(id)) > 0)
}

// load reads the rows of drawers and of all that may tell them.
func (l *lineage) load(ctx context.Context, ids []string) error {
	clear(l.newest)
	var open []string
	asked := map[string]bool{}
	for todo := slices.Clone(ids); len(todo) > 0; {
		id := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if asked[id] {
			continue
		}
		asked[id] = true
		if _, known := l.rows[id]; known {
			continue
		}
		open = append(open, id)
		todo = append(todo, l.same(id)...)
		if by := l.state.Of(id).SupersededBy; by != "" {
			todo = append(todo, by)
		}
	}
	for lot := range slices.Chunk(open, lookRows) {
		rows, err := l.rd.RowsByID(ctx, lot)
		if err != nil {
			return err
		}
		for _, row := range rows {
			if row.Source == catalog.DrawerText && row.ID == row.Drawer && !row.At.IsZero() && l.view.Sees(&row) {
				l.rows[row.ID] = row
			}
		}
	}
	return nil
}

// stands says whether a drawer is found by who asks.
func (l *lineage) stands(id string) bool {
	row, ok := l.rows[id]
	return ok && !row.Archived && !l.state.Archived(id)
}

// heir is the drawer that tells another one in the end, "" for none, and whether anything on the way to it was ended, not just said again.
// What is forgotten, put away or not seen tells nothing.
func (l *lineage) heir(id string) (heir string, ended bool) {
	if !l.stands(id) {
		return "", false
	}
	at, seen := id, map[string]bool{id: true}
	for {
		next, ends := l.next(at, seen)
		if next == "" {
			break
		}
		at, ended = next, ended || ends
	}
	if at == id {
		return "", false
	}
	return at, ended
}

// next is what ends a drawer, or else the newest copy of it.
func (l *lineage) next(id string, seen map[string]bool) (next string, ends bool) {
	for by := l.state.Of(id).SupersededBy; by != "" && !seen[by]; by = l.state.Of(by).SupersededBy {
		if seen[by] = true; l.stands(by) {
			return by, true
		}
	}
	newest := l.latest(id)
	if seen[newest] { // it was passed on the way, or is the drawer itself
		newest = l.newestOf(l.same(id), func(other string) bool { return !seen[other] })
	}
	if newest == "" || l.rows[newest].At.Before(l.rows[id].At.Add(newerBy)) {
		return "", false
	}
	seen[newest] = true
	return newest, false
}

// latest is the newest of the drawers that say what a drawer says. latest is looked for once for all of them, as long as no more rows are
// read.
func (l *lineage) latest(id string) string {
	first := cmp.Or(l.state.Of(id).Cluster, id)
	newest, known := l.newest[first]
	if !known {
		newest = l.newestOf(l.copies[first], func(string) bool { return true })
		l.newest[first] = newest
	}
	return newest
}

// newestOf is the newest of those drawers that stand and may be, of equal ones the last; "" for none.
func (l *lineage) newestOf(list []string, may func(id string) bool) (newest string) {
	for _, id := range list {
		if may(id) && l.stands(id) && (newest == "" || !l.rows[id].At.Before(l.rows[newest].At)) {
			newest = id
		}
	}
	return newest
}
