package worker

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/palace/drawers"
	"github.com/reverie-memory/reverie/palace/findings"
	"github.com/reverie-memory/reverie/vault"
)

// A shelf is which drawers wait for which worker. Each drawer of a generation of the index is looked at once; what becomes of it later is
// known from its events.
type shelf struct {
	generation int
	seen       map[int32]bool // by the index's numbers of drawers
	raw        []string       // drawers, by id
	again      []string       // of those that are to be looked at once more, the rest of one pass
	passing    bool           // the pass began: until it ends, nothing is looked at once more
	loose      []waiting      // not compared with others yet
	linking    bool           // some of them were in the last round
	from       time.Time      // drawers filed before it were, where nothing else is known of them
	newest     time.Time      // filing that was looked at
	poor       []waiting
	behind     bool // there are more that were not looked at
}

// linked is until when all drawers that were filed were compared.
func (s *shelf) linked() time.Time {
	until := s.newest
	for _, w := range s.loose {
		if !w.filed.IsZero() && w.filed.Before(until) {
			until = w.filed
		}
	}
	return until
}

type waiting struct {
	id    string
	filed time.Time
	on    string // of one that is to be compared: the drawer that it waits for, if any
}

// pending are the drawers that are still to be compared or, where there is a model, to be decided on.
func (s *shelf) pending(model bool, state drawers.State) map[string]bool {
	out := slice.SetOf(s.loose, func(w waiting) string { return w.id })
	if !model {
		return out
	}
	for _, id := range s.raw {
		out[id] = true
	}
	for id, k := range state {
		if k.State == drawers.Raw && k.Tries > 0 && k.Archived == 0 {
			out[id] = true
		}
	}
	return out
}

// ready takes the first drawers that are to be compared and wait for none that is pending.
func (s *shelf) ready(pending map[string]bool) (lot []waiting) {
	rest := s.loose[:0]
	for _, w := range s.loose {
		if len(lot) < roundDrawers && !pending[w.on] {
			lot = append(lot, w)
		} else {
			rest = append(rest, w)
		}
	}
	s.loose = rest
	return lot
}

// Bounds of one look at the index, so that a large palace does not keep the processor busy at every start.
const (
	lookRows = 500
	mostRows = 20_000
)

// told gives one row of each drawer among rows, but for those of mined files: what was mined was never said, and comes and goes with its
// folder.
func told(rd indexer.Reader, keys []catalog.Key) (metas []catalog.Meta) {
	seen := map[int32]bool{}
	for _, m := range rd.Metas(keys) {
		if m.Unix != 0 && !seen[m.Drawer] {
			seen[m.Drawer] = true
			metas = append(metas, m)
		}
	}
	return metas
}

// look takes in drawers that the index has got since the last look.
func (r *Room) look(ctx context.Context) error {
	rd, release := r.opt.Reader().Pin()
	defer release()
	s := &r.shelf
	if g := rd.Generation(); s.seen == nil || s.generation != g {
		*s = shelf{generation: g, seen: map[int32]bool{}}
		r.told(func() { r.load(); s.from = r.table[Process].Linked })
		s.newest = s.from
	}
	var fresh []catalog.Key
	s.behind = false
	before := s.seen
	s.seen = map[int32]bool{} // what is gone or put away is looked at when it is back
	for _, m := range told(rd, rd.Keys(catalog.Filter{Source: []catalog.SourceType{catalog.DrawerText}})) {
		switch {
		case m.Archived:
		case before[m.Drawer]:
			s.seen[m.Drawer] = true
		case len(fresh) == mostRows:
			s.behind = true
		default:
			s.seen[m.Drawer] = true
			fresh = append(fresh, m.Key)
		}
	}
	state, known := r.opt.Journal.State(), len(s.loose)
	for lot := range slices.Chunk(fresh, lookRows) {
		rows, err := rd.Rows(ctx, lot)
		if err != nil {
			s.seen = nil // all of them are looked at again
			return fmt.Errorf("look for drawers: %w", err)
		}
		for i := range rows {
			r.shelve(&rows[i], state.Of(rows[i].Drawer))
		}
	}
	for _, list := range [][]waiting{s.poor, s.loose[known:]} {
		slices.SortStableFunc(list, func(a, b waiting) int { return a.filed.Compare(b.filed) })
	}
	return nil
}

// shelve puts a drawer where it waits, if it does.
func (r *Room) shelve(row *catalog.Row, k drawers.Known) {
	filed := row.FiledAt()
	if r.comparable(k, row) && !k.Linked && (k.Tier != "" || !filed.Before(r.shelf.from)) {
		r.shelf.loose = append(r.shelf.loose, waiting{id: row.Drawer, filed: filed})
	}
	if filed.After(r.shelf.newest) {
		r.shelf.newest = filed
	}
	switch k.StateBy(float64(row.Sure)/100, r.opt.High) {
	case drawers.Raw:
		r.shelf.raw = append(r.shelf.raw, row.Drawer)
	case drawers.Processed:
		if k.Tier != drawers.LLM && !k.Looked {
			r.shelf.poor = append(r.shelf.poor, waiting{id: row.Drawer, filed: filed})
		}
	}
}

// again are drawers that were looked at in vain, or are to be looked at once more, as far as there are any.
func (r *Room) again(ctx context.Context) ([]string, error) {
	var ids []string
	for id, k := range r.opt.Journal.State() {
		if k.State == drawers.Raw && k.Archived == 0 {
			ids = append(ids, id)
		}
	}
	rows, err := r.opt.Reader().RowsByID(ctx, ids)
	if err != nil {
		return nil, fmt.Errorf("look for drawers: %w", err)
	}
	ids = ids[:0]
	for _, row := range rows {
		if row.Source == catalog.DrawerText {
			ids = append(ids, row.Drawer)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids), nil
}

// take takes the first so many off a list.
func take[T any](list *[]T, n int) []T {
	n = min(n, len(*list))
	out := slices.Clone((*list)[:n])
	*list = (*list)[n:]
	return out
}

// An item is a drawer that a worker is at.
type item struct {
	drawer vault.Drawer
	row    catalog.Row // the first of its rows
	key    catalog.Key // of row, where it was read from the index
	text   string      // what of it was not forgotten
	hash   string      // of text
	own    bool        // what is wanted of it is written under its id
}

// shows says whether nothing more of the drawer was forgotten than was when it was read.
func (it *item) shows(stones *vault.Tombstones) bool {
	return stones.Visible(it.drawer.Text) == it.text
}

// leastText is how many characters a text has of which more can be said.
const leastText = 20

// items reads drawers from their files, but for those that are gone or forgotten, or say nothing.
func (r *Room) items(ctx context.Context, ids []string) ([]*item, error) {
	rows, err := r.opt.Reader().RowsByID(ctx, ids)
	if err != nil {
		return nil, fmt.Errorf("look for drawers: %w", err)
	}
	stones, err := r.opt.Vault.Tombstones()
	if err != nil {
		return nil, err
	}
	files := map[vault.Path]map[string]catalog.Row{}
	for _, row := range rows {
		if row.Source != catalog.DrawerText || row.ID != row.Drawer {
			continue
		}
		if files[row.File] == nil {
			files[row.File] = map[string]catalog.Row{}
		}
		files[row.File][row.ID] = row
	}
	var out []*item
	for _, p := range slices.Sorted(maps.Keys(files)) {
		data, err := r.opt.Vault.ReadFile(p)
		if err != nil {
			return nil, fmt.Errorf("read drawers: %w", err)
		}
		for _, d := range vault.ParseDrawers(p, data).Drawers {
			row, wanted := files[p][d.ID]
			text := stones.Visible(d.Text)
			if wanted && !d.Noise && utf8.RuneCountInString(strings.TrimSpace(text)) >= leastText {
				delete(files[p], d.ID)
				out = append(out, &item{drawer: d, row: row, text: text, hash: findings.Hash(text)})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b *item) int {
		return slices.Index(ids, a.drawer.ID) - slices.Index(ids, b.drawer.ID)
	})
	return out, nil
}
