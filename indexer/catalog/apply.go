package catalog

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/reverie-memory/reverie/vault"
)

const maxKey = math.MaxUint32

// window is how many rows are analysed at a time.
const window = 4096

type rawBytes = sql.RawBytes

// noRows turns "no row where one must be" into damage.
func noRows(err error, what string) error {
	if errors.Is(err, sql.ErrNoRows) {
		return corrupt("%s", what)
	}
	return err
}

// Apply makes all changes in one transaction and returns the keys of the inserted rows, by change.
// On an error nothing is changed, and the same call may be made again.
func (g *Generation) Apply(ctx context.Context, changes []Change) (keys [][]Key, err error) {
	err = g.write(ctx, "apply changes", func() error {
		inserts := 0
		for _, c := range changes {
			inserts += len(c.Insert)
			if c.State == nil && len(c.Insert)+len(c.Move) > 0 {
				return fmt.Errorf("%s: rows for a file that is gone", c.Path)
			}
		}
		if g.next+Key(inserts) > maxKey {
			return errors.New("out of keys: rebuild the index")
		}
		if inserts > 0 {
			if err := g.reserveUpTo(g.next + Key(inserts) - 1); err != nil {
				return err
			}
		}
		if err := g.db.begin(); err != nil {
			return err
		}
		b := newBatch(g)
		if keys, err = b.run(ctx, changes); err == nil {
			err = b.commit()
		}
		if err != nil {
			g.db.rollback()
			keys = nil
			return err
		}
		g.afterCommit()
		return nil
	})
	return keys, err
}

// A batch is one Apply on its way: what it changed in the database but not yet in memory.
type batch struct {
	g      *Generation
	next   Key
	nextID [allKinds]int32
	names  map[wideName]int32 // new ones of all kinds
	wides  map[wideName]int32 // looked up

	mem     *memtable // new rows
	flushed bool      // the old memtable is in the database
	state   state

	dead   []Key
	killed map[uint32]bool // dead rows that are in the old memtable
	gone   []analysis      // theirs
	moved  []added
	fresh  []added
}

type added struct {
	key  Key
	tie  int64
	head head
}

func newBatch(g *Generation) *batch {
	return &batch{
		g: g, next: g.next, nextID: g.nextID, names: map[wideName]int32{}, wides: map[wideName]int32{}, mem: newMemtable(),
		state: g.state, killed: map[uint32]bool{},
	}
}

func (b *batch) run(ctx context.Context, changes []Change) ([][]Key, error) {
	files := make([]int64, len(changes))
	var dead []Key
	for i, c := range changes {
		id, err := b.file(c)
		if err != nil {
			return nil, err
		}
		files[i] = id
		dead = append(dead, c.Delete...)
		if c.State == nil && id != 0 {
			left, err := b.rowsOfFile(id)
			if err != nil {
				return nil, err
			}
			dead = append(dead, left...)
		}
	}
	if err := b.delete(ctx, dead); err != nil {
		return nil, err
	}
	for i, c := range changes {
		for _, m := range c.Move {
			if m.Row.File != c.Path {
				return nil, fmt.Errorf("row %s: of file %s, in a change of %s", m.Row.ID, m.Row.File, c.Path)
			}
			if err := b.move(files[i], m); err != nil {
				return nil, err
			}
		}
	}
	keys, err := b.insertAll(ctx, changes, files)
	if err != nil {
		return nil, err
	}
	return keys, b.countRows(changes, files)
}

// file writes a file's state and returns its number; 0 for a file that is gone and was never there.
func (b *batch) file(c Change) (id int64, err error) {
	db := b.g.db
	find, err := db.writing(`SELECT id FROM files WHERE path = ?`)
	if err != nil {
		return 0, err
	}
	err = find.QueryRow(string(c.Path)).Scan(&id)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return 0, err
	}
	if c.State == nil {
		if id == 0 {
			return 0, nil
		}
		return id, db.exec(`DELETE FROM files WHERE id = ?`, id)
	}
	s := c.State
	if id != 0 {
		return id, db.exec(`UPDATE files SET size = ?, mtime = ?, hash = ?, env = ? WHERE id = ?`,
			s.Size, s.ModTime, s.Hash[:], s.Env, id)
	}
	put, err := db.writing(`INSERT INTO files (path, size, mtime, hash, env, rows) VALUES (?, ?, ?, ?, ?, 0)`)
	if err != nil {
		return 0, err
	}
	res, err := put.Exec(string(c.Path), s.Size, s.ModTime, s.Hash[:], s.Env)
	if err != nil {
		return 0, err
	}
	return res.LastInsertId()
}

func (b *batch) rowsOfFile(file int64) (keys []Key, err error) {
	var k Key
	rows, err := ask(context.Background(), b.g.db.writing, `SELECT key FROM rows WHERE file = ?`, file)
	err = each(rows, err, func() error {
		keys = append(keys, k)
		return nil
	}, &k)
	return keys, err
}

// countRows brings files.rows up to date.
func (b *batch) countRows(changes []Change, files []int64) error {
	for i, c := range changes {
		if c.State == nil {
			continue
		}
		if err := b.g.db.exec(`UPDATE files SET rows = (SELECT count(*) FROM rows WHERE file = ?1) WHERE id = ?1`, files[i]); err != nil {
			return err
		}
	}
	return nil
}

// delete takes rows out of all tables. A key that is not there changes nothing.
func (b *batch) delete(ctx context.Context, keys []Key) error {
	keys = slices.Compact(slices.Sorted(slices.Values(keys)))
	keys = slices.DeleteFunc(keys, func(k Key) bool { _, _, ok := b.g.cols.at(k); return !ok })
	for run := range slices.Chunk(keys, window) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := b.deleteRun(run); err != nil {
			return err
		}
	}
	return nil
}

func (b *batch) deleteRun(keys []Key) error {
	db := b.g.db
	texts := make([][2]string, len(keys))
	read, err := db.writing(`SELECT context, body FROM texts WHERE key = ?`)
	if err != nil {
		return err
	}
	for i, k := range keys {
		if err := read.QueryRow(int64(k)).Scan(&texts[i][0], &texts[i][1]); err != nil {
			return noRows(err, fmt.Sprintf("row %d: no text", k))
		}
		if err := db.exec(`DELETE FROM texts WHERE key = ?`, int64(k)); err != nil {
			return err
		}
		if err := db.exec(`DELETE FROM rows WHERE key = ?`, int64(k)); err != nil {
			return err
		}
	}
	posted := map[string][]uint32{}
	for i, a := range analyseAll(len(keys), func(i int) (string, string) { return texts[i][0], texts[i][1] }) {
		if keys[i] > b.g.state.Flushed {
			b.killed[uint32(keys[i])] = true
			b.gone = append(b.gone, a)
			continue
		}
		for _, c := range a.counts {
			posted[c.term] = append(posted[c.term], uint32(keys[i]))
		}
	}
	for _, term := range slices.Sorted(maps.Keys(posted)) {
		if err := db.unpost(term, posted[term]); err != nil {
			return err
		}
	}
	b.dead = append(b.dead, keys...)
	return nil
}

// move gives a row other metadata.
func (b *batch) move(file int64, m Moved) error {
	var old []byte
	var cntx, body string
	st, err := b.g.db.writing(`SELECT r.head, t.context, t.body FROM rows r JOIN texts t ON t.key = r.key WHERE r.key = ?`)
	if err != nil {
		return err
	}
	err = st.QueryRow(int64(m.Key)).Scan(&old, &cntx, &body)
	if errors.Is(err, sql.ErrNoRows) {
		return fmt.Errorf("move row %d: not there", m.Key)
	} else if err != nil {
		return err
	}
	if cntx != m.Row.Context || body != m.Row.Text {
		return fmt.Errorf("move row %d: its text changed, which needs another key", m.Key)
	}
	was, err := decodeHead(m.Key, old)
	if err != nil {
		return err
	}
	h, err := b.head(&m.Row)
	if err != nil {
		return err
	}
	h.body, h.cntx, h.wish = was.body, was.cntx, was.wish
	tie := short(m.Row.ID)
	if err := b.g.db.exec(`UPDATE rows SET file = ?, idhash = ?, head = ? WHERE key = ?`, file, tie, h.encode(m.Key),
		int64(m.Key)); err != nil {
		return err
	}
	if err := b.g.db.exec(`UPDATE texts SET id = ?1 WHERE key = ?2 AND id <> ?1`, m.Row.ID, int64(m.Key)); err != nil {
		return err
	}
	b.moved = append(b.moved, added{m.Key, tie, h})
	return nil
}

// insertAll adds the new rows of all changes.
func (b *batch) insertAll(ctx context.Context, changes []Change, files []int64) ([][]Key, error) {
	type place struct{ change, row int }
	var places []place
	keys := make([][]Key, len(changes))
	for i, c := range changes {
		keys[i] = make([]Key, len(c.Insert))
		for j := range c.Insert {
			places = append(places, place{i, j})
		}
	}
	for run := range slices.Chunk(places, window) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		row := func(i int) *Row { return &changes[run[i].change].Insert[run[i].row] }
		for i, a := range analyseAll(len(run), func(i int) (string, string) { return row(i).Context, row(i).Text }) {
			key, err := b.insert(files[run[i].change], changes[run[i].change].Path, row(i), a)
			if err != nil {
				return nil, err
			}
			keys[run[i].change][run[i].row] = key
		}
		if err := b.maybeFlush(); err != nil {
			return nil, err
		}
	}
	return keys, nil
}

func (b *batch) insert(file int64, p vault.Path, r *Row, a analysis) (Key, error) {
	if r.File != p {
		return 0, fmt.Errorf("row %s: of file %s, in a change of %s", r.ID, r.File, p)
	}
	h, err := b.head(r)
	if err != nil {
		return 0, err
	}
	h.body, h.cntx, h.wish = a.body, a.cntx, a.wish
	key, tie := b.next, short(r.ID)
	b.next++
	if err := b.g.db.exec(`INSERT INTO rows (key, file, idhash, pending, head) VALUES (?, ?, ?, 1, ?)`,
		int64(key), file, tie, h.encode(key)); err != nil {
		return 0, err
	}
	if err := b.g.db.exec(`INSERT INTO texts (key, id, context, body) VALUES (?, ?, ?, ?)`,
		int64(key), r.ID, r.Context, r.Text); err != nil {
		return 0, err
	}
	h.refs, h.cites = nil, nil // the columns do not keep them
	b.mem.add(key, a.counts)
	b.fresh = append(b.fresh, added{key, tie, h})
	return key, nil
}

// maybeFlush writes the postings in memory when they are many.
func (b *batch) maybeFlush() error {
	old := b.g.mem
	if b.flushed {
		old = newMemtable()
	}
	limit := memtableRows
	if len(b.fresh) > memtableRows {
		limit = 2 * memtableRows // a big batch: fewer, larger writes
	}
	if old.rows+b.mem.rows < limit {
		return nil
	}
	if err := b.g.db.flush(old, b.mem, b.killed); err != nil {
		return err
	}
	b.flushed, b.mem = true, newMemtable()
	b.state.Flushed = b.next - 1
	return putState(b.g.db, b.state)
}

// commit ends the transaction and brings memory up to date. Readers see both or neither.
func (b *batch) commit() error {
	g := b.g
	g.mu.Lock()
	defer g.mu.Unlock()
	if err := g.db.commit(); err != nil {
		return err
	}
	g.next, g.nextID, g.state, g.ids = b.next, b.nextID, b.state, &knownIDs{}
	for n, id := range b.names {
		if !wide(n.kind) {
			g.cols.names[n.kind].add(id, n.name)
		} else {
			b.wides[n] = id
		}
	}
	if len(g.wides) > 1<<14 {
		clear(g.wides)
	}
	maps.Copy(g.wides, b.wides)
	b.commitColumns()
	if b.flushed {
		g.mem = b.mem
		return nil
	}
	for _, a := range b.gone {
		g.mem.remove(b.killed, a.counts)
	}
	g.mem.merge(b.mem)
	return nil
}

func (b *batch) commitColumns() {
	c := b.g.cols
	for _, k := range b.dead {
		c.remove(k)
	}
	for _, m := range b.moved { // all off before any is on: the lists stay in order
		if ch, i, ok := c.at(m.key); ok {
			c.unlink(m.key, ch, i)
		}
	}
	sessions := map[int32]bool{}
	for i := range b.moved {
		m := &b.moved[i]
		if ch, j, ok := c.at(m.key); ok {
			ch.tie[j] = m.tie
			c.set(m.key, ch, j, &m.head)
			sessions[m.head.name[kindSession]] = true
		}
	}
	for i := range b.fresh {
		f := &b.fresh[i]
		c.add(f.key, f.tie, &f.head)
		sessions[f.head.name[kindSession]] = true
	}
	for s := range sessions {
		c.sortSession(s)
	}
}

// head turns a row's strings into numbers.
func (b *batch) head(r *Row) (h head, err error) {
	for kind, s := range r.fields() {
		if h.name[kind], err = b.name(kind, s); err != nil {
			return h, err
		}
	}
	for _, t := range r.Tags {
		id, err := b.name(kindTag, t)
		if err != nil {
			return h, err
		}
		h.tags = append(h.tags, id)
	}
	h.refs, h.cites, h.line, h.seq, h.at = r.Refs, r.Cites, r.Line, r.Seq, r.At
	h.past, h.aside, h.guessed, h.archived = r.Past, r.Aside, r.Guessed, r.Archived
	h.filed, h.sure, h.digest = r.Filed, r.Sure, Digest(r)
	return h, nil
}

// name is the number of a name, a new one if need be.
func (b *batch) name(kind int, s string) (int32, error) {
	if s == "" && kind != kindTag {
		return 0, nil
	}
	n := wideName{kind, s}
	if id, ok := b.names[n]; ok {
		return id, nil
	}
	if wide(kind) {
		if id, ok := b.wides[n]; ok {
			return id, nil
		}
		if id, ok := b.g.wides[n]; ok {
			return id, nil
		}
		st, err := b.g.db.writing(`SELECT id FROM names WHERE kind = ? AND name = ?`)
		if err != nil {
			return 0, err
		}
		var id int32
		if err := st.QueryRow(kind, s).Scan(&id); err == nil {
			if len(b.wides) > 1<<14 {
				clear(b.wides)
			}
			b.wides[n] = id
			return id, nil
		} else if !errors.Is(err, sql.ErrNoRows) {
			return 0, err
		}
	} else if id, ok := b.g.cols.names[kind].id[s]; ok {
		return id, nil
	}
	id := b.nextID[kind]
	b.nextID[kind]++
	if err := b.g.db.exec(`INSERT INTO names (kind, id, name) VALUES (?, ?, ?)`, kind, id, s); err != nil {
		return 0, err
	}
	b.names[n] = id
	return id, nil
}
