package catalog

import (
	"cmp"
	"context"
	"database/sql"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/reverie-memory/reverie/internal/slice"

	"github.com/reverie-memory/reverie/vault"
)

// Reader reads one generation. Reader has no method that writes, and may be used from several
// goroutines, also while the generation changes: each call sees it before or after a change.
type Reader struct{ g *Generation }

// Generation tells which generation is read.
func (r *Reader) Generation() GenInfo { return r.g.info }

// Len is the number of rows.
func (r *Reader) Len() int {
	r.g.mu.RLock()
	defer r.g.mu.RUnlock()
	return r.g.cols.rows
}

// Has says whether a row is there: an engine may still know one that is not.
func (r *Reader) Has(key Key) bool {
	r.g.mu.RLock()
	defer r.g.mu.RUnlock()
	_, _, ok := r.g.cols.at(key)
	return ok
}

// Metas gives what ranking needs, in the order of keys. Of a row that is not there, only Key is set.
func (r *Reader) Metas(keys []Key) []Meta {
	out := make([]Meta, len(keys))
	r.g.mu.RLock()
	defer r.g.mu.RUnlock()
	c := r.g.cols
	for n, k := range keys {
		out[n].Key = k
		ch, i, ok := c.at(k)
		if !ok {
			continue
		}
		out[n] = Meta{
			Key: k, Source: SourceType(c.names[kindSource].name[ch.name[kindSource][i]]),
			Session: ch.name[kindSession][i], Drawer: ch.name[kindDrawer][i], Seq: ch.seq[i],
			Sure: ch.sure[i], Archived: ch.flag[i]&flagArchived != 0, Wish: ch.flag[i]&flagWish != 0,
		}
		if ch.unix[i] != noTime {
			out[n].Unix = ch.unix[i]
		}
	}
	return out
}

// Allow evaluates a filter on the rows that are there now; nil for the empty filter. What it returns
// needs no lock and may outlive the generation.
//
// From and To leave out rows whose time is unknown.
func (r *Reader) Allow(f Filter) func(Key) bool {
	r.g.mu.RLock()
	defer r.g.mu.RUnlock()
	t := r.g.cols.compile(f)
	if t.empty() {
		return nil
	}
	return t.keys(r.g.cols).has
}

// Keys lists all rows by rising key, or those that the filter lets through.
func (r *Reader) Keys(f Filter) []Key {
	r.g.mu.RLock()
	defer r.g.mu.RUnlock()
	c := r.g.cols
	t := c.compile(f)
	if t.nothing {
		return nil
	}
	var keys []Key
	c.each(func(key Key, ch *chunk, i int) bool {
		if t.match(c, ch, i) {
			keys = append(keys, key)
		}
		return true
	})
	return keys
}

// Count is how many rows the filter lets through.
func (r *Reader) Count(f Filter) int { return len(r.Keys(f)) }

// Neighbours are the rows of the same session and source type that come right before and after.
func (r *Reader) Neighbours(key Key) (prev, next []Key) {
	r.g.mu.RLock()
	defer r.g.mu.RUnlock()
	return r.g.cols.neighbours(key)
}

// SessionKeys are the rows of a session by Seq.
func (r *Reader) SessionKeys(session int32) []Key {
	r.g.mu.RLock()
	defer r.g.mu.RUnlock()
	list := r.g.cols.session[session]
	return slice.Map(list, func(k uint32) Key { return Key(k) })
}

// DrawerKeys are the rows that are a drawer or derive from it, by key.
func (r *Reader) DrawerKeys(drawer int32) (keys []Key) {
	r.g.mu.RLock()
	defer r.g.mu.RUnlock()
	c := r.g.cols
	for k := c.drawer[drawer]; k != 0; {
		keys = append(keys, Key(k))
		ch, i, _ := c.at(Key(k))
		k = ch.next[i]
	}
	slices.Sort(keys)
	return keys
}

// Wings lists the names of wings that rows have, or have had since they were read.
func (r *Reader) Wings() []string {
	r.g.mu.RLock()
	defer r.g.mu.RUnlock()
	return slices.Collect(maps.Values(r.g.cols.names[kindWing].name))
}

// List gives rows by falling time, those of unknown time last.
func (r *Reader) List(ctx context.Context, f Filter, limit, offset int) ([]Row, error) {
	if limit <= 0 || offset < 0 {
		return nil, nil
	}
	keys := r.Heaviest(f, limit+offset, nil)
	if offset >= len(keys) {
		return nil, nil
	}
	return r.Rows(ctx, keys[offset:])
}

// A Weight says how much a row matters by its category, wing and time; a row that it gives less than 0 is left out. The time is in seconds,
// 0 when unknown. A Weight is called under a lock: it asks the index for nothing.
type Weight func(category, wing string, unix int64) int

// Heaviest are the n rows that weigh most, the newest of equal ones first; nil weighs all alike.
func (r *Reader) Heaviest(f Filter, n int, weigh Weight) []Key {
	type item struct {
		weight    int
		unix, tie int64
		key       Key
	}
	r.g.mu.RLock()
	defer r.g.mu.RUnlock()
	c := r.g.cols
	t := c.compile(f)
	if t.nothing {
		return nil
	}
	best := newTop(n, func(a, b item) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(b.unix, a.unix), cmp.Compare(a.tie, b.tie), cmp.Compare(a.key, b.key))
	})
	c.eachDown(func(key Key, ch *chunk, i int) {
		if !t.match(c, ch, i) {
			return
		}
		weight := 0
		if weigh != nil {
			weight = weigh(c.names[kindCategory].name[ch.name[kindCategory][i]], c.names[kindWing].name[ch.name[kindWing][i]],
				max(ch.unix[i], 0))
		}
		if weight >= 0 {
			best.offer(item{weight, ch.unix[i], ch.tie[i], key})
		}
	})
	return slice.Map(best.sorted(), func(it item) Key { return it.key })
}

// Speakers tells in how many turns each speaker said rows that the filter lets through, and under "" how many the person said without a
// name. A row without a turn counts as one. A turn in which several speak may count more than once for each.
func (r *Reader) Speakers(f Filter) map[string]int {
	r.g.mu.RLock()
	defer r.g.mu.RUnlock()
	c := r.g.cols
	t := c.compile(f)
	count := map[int32]int{}
	user, last := c.names[kindOrigin].id[string(vault.OriginUser)], map[int32]int32{} // who spoke last in a turn
	c.each(func(_ Key, ch *chunk, i int) bool {
		if t.nothing || !t.match(c, ch, i) {
			return !t.nothing
		}
		turn, speaker := ch.name[kindTurn][i], ch.name[kindSpeaker][i]
		if speaker == 0 && (user == 0 || ch.name[kindOrigin][i] != user) {
			return true
		}
		if is, seen := last[turn]; turn == 0 || !seen || is != speaker {
			count[speaker]++
			last[turn] = speaker
		}
		return true
	})
	out := map[string]int{}
	for id, n := range count {
		out[c.names[kindSpeaker].name[id]] = n
	}
	return out
}

// RowsByChat gives the rows of a chat by falling time.
func (r *Reader) RowsByChat(ctx context.Context, chat string) ([]Row, error) {
	return r.List(ctx, Filter{Chat: chat}, max(r.Len(), 1), 0)
}

// HasTurn says whether any row belongs to a turn.
func (r *Reader) HasTurn(ctx context.Context, turn string) (bool, error) {
	id, err := r.g.wideID(ctx, kindTurn, turn)
	if err != nil || id == 0 {
		return false, err
	}
	r.g.mu.RLock()
	defer r.g.mu.RUnlock()
	found := false
	r.g.cols.each(func(_ Key, ch *chunk, i int) bool {
		found = ch.name[kindTurn][i] == id
		return !found
	})
	return found, nil
}

// DrawerState is a drawer and how many rows of each source type it has: those of [DrawerText] are
// the drawer itself, others derive from it.
type DrawerState struct {
	Drawer string
	Turn   string
	At     time.Time
	Rows   map[SourceType]int
}

// DrawersSince lists the drawers of that time and later by time, with what derives from each.
func (r *Reader) DrawersSince(ctx context.Context, from time.Time) ([]DrawerState, error) {
	states, ids, turns := r.drawersSince(from)
	drawerNames, err := r.g.wideNames(ctx, kindDrawer, ids)
	if err != nil {
		return nil, err
	}
	turnNames, err := r.g.wideNames(ctx, kindTurn, turns)
	if err != nil {
		return nil, err
	}
	for i := range states {
		states[i].Drawer, states[i].Turn = drawerNames[ids[i]], turnNames[turns[i]]
	}
	slices.SortStableFunc(states, func(a, b DrawerState) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Drawer, b.Drawer))
	})
	return states, nil
}

func (r *Reader) drawersSince(from time.Time) (states []DrawerState, ids, turns []int32) {
	r.g.mu.RLock()
	defer r.g.mu.RUnlock()
	c := r.g.cols
	t := c.compile(Filter{Source: []SourceType{DrawerText}, From: from})
	if t.nothing {
		return nil, nil, nil
	}
	seen := map[int32]bool{0: true}
	c.each(func(_ Key, ch *chunk, i int) bool {
		d := ch.name[kindDrawer][i]
		if seen[d] || !t.match(c, ch, i) {
			return true
		}
		seen[d] = true
		s := DrawerState{Rows: map[SourceType]int{}}
		if ch.unix[i] != noTime {
			s.At = time.Unix(ch.unix[i], 0).UTC()
		}
		for k := c.drawer[d]; k != 0; {
			dc, di, _ := c.at(Key(k))
			s.Rows[SourceType(c.names[kindSource].name[dc.name[kindSource][di]])]++
			k = dc.next[di]
		}
		states, ids, turns = append(states, s), append(ids, d), append(turns, ch.name[kindTurn][i])
		return true
	})
	return states, ids, turns
}

// KeysByID finds rows by their ids, in the order of ids; unknown ones are left out.
func (r *Reader) KeysByID(ctx context.Context, ids []string) ([]Key, error) {
	const doing = "find rows by id"
	var out []Key
	err := r.g.read(func(d *database) error {
		st, err := d.reading(`SELECT r.key FROM rows r JOIN texts t ON t.key = r.key WHERE r.idhash = ? AND t.id = ? ORDER BY r.key`)
		if err != nil {
			return err
		}
		var k Key
		for _, id := range ids {
			rows, err := st.QueryContext(ctx, short(id), id)
			err = each(rows, err, func() error {
				out = append(out, k)
				return nil
			}, &k)
			if err != nil {
				return err
			}
		}
		return nil
	})
	return out, wrap(doing, err)
}

// IDs are the ids of rows, in the order of keys; "" for a row that is not there. Nothing is read from disk for rows that were
// asked for since the last change.
func (r *Reader) IDs(ctx context.Context, keys []Key) ([]string, error) {
	r.g.mu.RLock()
	known := r.g.ids
	r.g.mu.RUnlock()
	out, unknown := known.of(keys)
	if len(unknown) == 0 {
		return out, nil
	}
	read := make(map[Key]string, len(unknown))
	err := r.g.read(func(d *database) error {
		return selectIn(ctx, d, `SELECT key, id FROM texts WHERE key IN `, unknown, func(rows *sql.Rows) error {
			var key Key
			var id string
			err := rows.Scan(&key, &id)
			read[key] = id
			return err
		})
	})
	if err != nil {
		return nil, wrap("read ids", err)
	}
	known.add(read)
	for i, key := range keys {
		if out[i] == "" {
			out[i] = read[key]
		}
	}
	return out, nil
}

// knownIDs are ids of rows that somebody asked for between two changes of a generation. What a change takes away, or gives another id, is
// forgotten with all others.
type knownIDs struct {
	mu    sync.Mutex
	byKey map[Key]string
}

// maxKnownIDs bounds them: some megabytes.
const maxKnownIDs = 1 << 15

// of returns the ids of keys, "" for unknown ones, and these.
func (k *knownIDs) of(keys []Key) (ids []string, unknown []Key) {
	ids = make([]string, len(keys))
	k.mu.Lock()
	defer k.mu.Unlock()
	for i, key := range keys {
		if ids[i] = k.byKey[key]; ids[i] == "" {
			unknown = append(unknown, key)
		}
	}
	return ids, unknown
}

func (k *knownIDs) add(ids map[Key]string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.byKey == nil || len(k.byKey)+len(ids) > maxKnownIDs {
		k.byKey = make(map[Key]string, len(ids))
	}
	maps.Copy(k.byKey, ids)
}

// TextHashes names the texts of rows; rows that are not there are left out.
func (r *Reader) TextHashes(ctx context.Context, keys []Key) (map[Key]Hash, error) {
	out := make(map[Key]Hash, len(keys))
	err := r.g.read(func(d *database) error {
		return selectIn(ctx, d, `SELECT key, context, body FROM texts WHERE key IN `, keys, func(rows *sql.Rows) error {
			var key Key
			var cntx, body string
			err := rows.Scan(&key, &cntx, &body)
			out[key] = TextHash(cntx, body)
			return err
		})
	})
	return out, wrap("read text hashes", err)
}

// RowsByID gives rows by their ids, in the order of ids; unknown ones are left out.
func (r *Reader) RowsByID(ctx context.Context, ids []string) ([]Row, error) {
	keys, err := r.KeysByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	return r.Rows(ctx, keys)
}

// Rows gives rows in the order of keys; those that are not there (any more) are left out. A row that
// is not what was written is an error that wraps [ErrCorrupt].
func (r *Reader) Rows(ctx context.Context, keys []Key) ([]Row, error) {
	rows, _, err := r.KeyedRows(ctx, keys)
	return rows, err
}

// KeyedRows is Rows, with the key of each.
func (r *Reader) KeyedRows(ctx context.Context, keys []Key) ([]Row, []Key, error) {
	var rows []Row
	var found []Key
	err := r.g.read(func(d *database) error {
		full, err := d.rows(ctx, keys)
		if err != nil {
			return err
		}
		if err := r.g.nameAll(ctx, full); err != nil {
			return err
		}
		for _, k := range keys {
			f := full[k]
			if f == nil {
				continue
			}
			if Digest(&f.row) != f.head.digest {
				return corrupt("row %d: digest", k)
			}
			rows, found = append(rows, f.row), append(found, k)
		}
		return nil
	})
	if err != nil {
		return nil, nil, wrap("read rows", err)
	}
	return rows, found, nil
}
