package catalog

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	"github.com/reverie-memory/reverie/vault"
)

// rowsVersion is of the tables below and of the encodings inside them. A generation of another version is filled anew, with the vectors
// of the cache.
const rowsVersion = 4

// rowsSchema has no column twice: a row's strings that repeat are numbers of names; what identifies
// it in SQL is apart from its head, and its texts are apart from both, so that loading the columns and changing a
// line number touch no text.
const rowsSchema = `
CREATE TABLE state (id INTEGER PRIMARY KEY CHECK (id = 1), data BLOB NOT NULL);
CREATE TABLE files (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, size INTEGER NOT NULL, mtime INTEGER NOT NULL,
	hash BLOB NOT NULL, env TEXT NOT NULL, rows INTEGER NOT NULL);
CREATE TABLE names (kind INTEGER NOT NULL, id INTEGER NOT NULL, name TEXT NOT NULL, PRIMARY KEY (kind, id)) WITHOUT ROWID;
CREATE UNIQUE INDEX names_by_name ON names (kind, name);
CREATE TABLE rows (key INTEGER PRIMARY KEY, file INTEGER NOT NULL, idhash INTEGER NOT NULL, pending INTEGER NOT NULL, head BLOB NOT NULL);
CREATE INDEX rows_by_file ON rows (file);
CREATE INDEX rows_by_id ON rows (idhash);
CREATE INDEX rows_pending ON rows (key) WHERE pending = 1;
CREATE TABLE texts (key INTEGER PRIMARY KEY, id TEXT NOT NULL, context TEXT NOT NULL, body TEXT NOT NULL);
CREATE TABLE post (term TEXT NOT NULL, block INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY (term, block)) WITHOUT ROWID;
`

const (
	rowsFile     = "rows.db"
	rowsPage     = 4096
	rowsCacheKB  = 4096 // for each connection
	memtableRows = 4096 // how many rows' postings are kept in memory before they are written
	reserveKeys  = 1024 // how many keys are set aside at once
)

// state is the generation's one record of itself.
type state struct {
	Schema   int    `json:"schema"`
	Analysis string `json:"analysis"`
	Flushed  Key    `json:"flushed"`  // rows up to this key have their postings in the table
	Reserved Key    `json:"reserved"` // no key past this was ever given
}

// Generation is the writer's side of one generation: one goroutine calls what changes it.
type Generation struct {
	info   GenInfo
	dir    string
	db     *database
	onDone func(*Generation)

	writer sync.Mutex // guards what follows, and db.write
	state  state
	next   Key // the next row's
	nextID [allKinds]int32
	wides  map[wideName]int32 // a cache
	closed atomic.Bool

	mu   sync.RWMutex // guards cols, mem and the pointer ids; held while a change is committed
	cols *columns
	mem  *memtable
	ids  *knownIDs // a new one with each change

	scorers sync.Pool // of *scorer
}

type wideName struct {
	kind int
	name string
}

// Dir is the generation's folder. The engine keeps its own files in a folder of it.
func (g *Generation) Dir() string { return g.dir }

// Info tells what the generation was made with.
func (g *Generation) Info() GenInfo { return g.info }

// Reader gives the side that cannot write.
func (g *Generation) Reader() *Reader { return &Reader{g: g} }

// createRows makes the files of a new generation in dir.
func createRows(ctx context.Context, dir string) (err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	db, err := openDatabase(ctx, filepath.Join(dir, rowsFile), true, rowsPage, rowsCacheKB)
	if err != nil {
		return err
	}
	err = db.update(func() error {
		if err := db.script(rowsSchema); err != nil {
			return err
		}
		return putState(db, state{Schema: rowsVersion, Analysis: analysisID()})
	})
	if cerr := db.close(); err == nil {
		err = cerr
	}
	return err
}

func putState(db *database, s state) error {
	data, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return db.exec(`INSERT INTO state (id, data) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET data = excluded.data`,
		seal(data, "state", 1))
}

func openGeneration(ctx context.Context, info GenInfo, dir string) (_ *Generation, err error) {
	db, err := openDatabase(ctx, filepath.Join(dir, rowsFile), false, rowsPage, rowsCacheKB)
	if err != nil {
		return nil, err
	}
	g := &Generation{info: info, dir: dir, db: db, wides: map[wideName]int32{}, cols: newColumns(), mem: newMemtable(), ids: &knownIDs{}}
	defer func() {
		if err != nil {
			_ = db.close()
		}
	}()
	for _, step := range []func(context.Context) error{g.loadState, g.loadNames, g.loadRows, g.loadMemtable} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	return g, nil
}

func (g *Generation) loadState(ctx context.Context) error {
	var data []byte
	if err := g.db.write.QueryRowContext(ctx, `SELECT data FROM state`).Scan(&data); err != nil {
		return noRows(err, "no state")
	}
	body, ok := unseal(data, "state", 1)
	if !ok || json.Unmarshal(body, &g.state) != nil {
		return corrupt("state: checksum")
	}
	if g.state.Schema != rowsVersion {
		return outdated("schema %d, want %d", g.state.Schema, rowsVersion)
	}
	if g.state.Analysis != analysisID() {
		return outdated("full text was cut otherwise")
	}
	return nil
}

func (g *Generation) loadNames(ctx context.Context) error {
	for kind := range allKinds {
		if wide(kind) {
			var n int32
			if err := g.db.write.QueryRowContext(ctx, `SELECT coalesce(max(id), 0) FROM names WHERE kind = ?`, kind).Scan(&n); err != nil {
				return err
			}
			g.nextID[kind] = n + 1
			continue
		}
		var id int32
		var name string
		g.nextID[kind] = 1
		rows, err := g.db.write.QueryContext(ctx, `SELECT id, name FROM names WHERE kind = ?`, kind)
		err = each(rows, err, func() error {
			g.cols.names[kind].add(id, name)
			g.nextID[kind] = max(g.nextID[kind], id+1)
			return nil
		}, &id, &name)
		if err != nil {
			return err
		}
	}
	return nil
}

// loadRows fills the columns.
func (g *Generation) loadRows(ctx context.Context) error {
	rows, err := g.db.write.QueryContext(context.Background(), `SELECT key, idhash, head FROM rows ORDER BY key`)
	if err != nil {
		return err
	}
	defer rows.Close()
	var (
		n, tie int64
		data   rawBytes
		last   Key
	)
	for rows.Next() {
		if n&(chunkRows-1) == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if err := rows.Scan(&n, &tie, &data); err != nil {
			return err
		}
		key := Key(n)
		if key <= last || key > maxKey {
			return corrupt("row %d: order", key)
		}
		last = key
		h, err := decodeHead(key, data)
		if err != nil {
			return err
		}
		g.cols.add(key, tie, &h)
	}
	for s := range g.cols.session {
		g.cols.sortSession(s)
	}
	g.next = max(last, g.state.Reserved) + 1
	return rows.Err()
}

// loadMemtable analyses the newest rows again: their postings were only in memory.
func (g *Generation) loadMemtable(ctx context.Context) error {
	var keys []Key
	var texts [][2]string
	var key Key
	var t [2]string
	rows, err := g.db.write.QueryContext(ctx, `SELECT key, context, body FROM texts WHERE key > ? ORDER BY key`, g.state.Flushed)
	err = each(rows, err, func() error {
		keys, texts = append(keys, key), append(texts, t)
		return nil
	}, &key, &t[0], &t[1])
	for i, a := range analyseAll(len(keys), func(i int) (string, string) { return texts[i][0], texts[i][1] }) {
		g.mem.add(keys[i], a.counts)
	}
	return err
}

// reserveUpTo sets keys aside, durably, before any of them is given: were a commit lost with the
// power, an engine could already know its keys, and they must not come again for other rows.
func (g *Generation) reserveUpTo(key Key) error {
	if key <= g.state.Reserved {
		return nil
	}
	s := g.state
	s.Reserved = key + reserveKeys
	if err := g.db.script("PRAGMA synchronous = FULL"); err != nil {
		return err
	}
	err := g.db.update(func() error { return putState(g.db, s) })
	if perr := g.db.script("PRAGMA synchronous = NORMAL"); err == nil {
		err = perr
	}
	if err != nil {
		return err
	}
	g.state = s
	return nil
}

// Close writes what is only in memory and closes the files.
func (g *Generation) Close() error {
	g.writer.Lock()
	defer g.writer.Unlock()
	if g.closed.Swap(true) {
		return nil
	}
	err := g.flushMemtable()
	if s := g.state; err == nil && s.Reserved >= g.next {
		s.Reserved = g.next - 1 // the rest may be given after all
		err = g.db.update(func() error { return putState(g.db, s) })
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if cerr := g.db.close(); err == nil {
		err = cerr
	}
	if g.onDone != nil {
		g.onDone(g)
	}
	return wrap("close index", err)
}

// flushMemtable writes the postings in memory, so that the next start need not analyse the rows again.
func (g *Generation) flushMemtable() error {
	if len(g.mem.terms) == 0 {
		return nil
	}
	s := g.state
	s.Flushed = g.next - 1
	err := g.db.begin()
	if err == nil {
		if err = g.db.flush(g.mem, newMemtable(), nil); err == nil {
			err = putState(g.db, s)
		}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if err == nil {
		err = g.db.commit()
	}
	if err != nil {
		g.db.rollback()
		return err
	}
	g.state, g.mem = s, newMemtable()
	return nil
}

// write runs fn as the one writer.
func (g *Generation) write(ctx context.Context, doing string, fn func() error) error {
	g.writer.Lock()
	defer g.writer.Unlock()
	if g.closed.Load() {
		return wrap(doing, ErrClosed)
	}
	if err := ctx.Err(); err != nil {
		return wrap(doing, err)
	}
	return wrap(doing, fn())
}

// Files tells what each file looked like when its rows were made.
func (g *Generation) Files(ctx context.Context) (map[vault.Path]FileState, error) {
	out := map[vault.Path]FileState{}
	err := g.write(ctx, "read file states", func() error {
		var p string
		var f FileState
		var hash []byte
		rows, err := g.db.write.QueryContext(ctx, `SELECT path, size, mtime, hash, env, rows FROM files`)
		return each(rows, err, func() error {
			f.Hash = vault.Hash{}
			copy(f.Hash[:], hash) // a damaged one fits no file, which is then read again
			out[vault.Path(p)] = f
			return nil
		}, &p, &f.Size, &f.ModTime, &hash, &f.Env, &f.Rows)
	})
	return out, err
}

// RowsOf lists the rows of a file by key.
func (g *Generation) RowsOf(ctx context.Context, p vault.Path) (out []RowState, err error) {
	err = g.write(ctx, "read rows of "+string(p), func() error {
		var r RowState
		var data, cntx, body rawBytes
		rows, err := ask(context.Background(), g.db.writing, `SELECT r.key, r.head, t.id, t.context, t.body
			FROM rows r JOIN texts t ON t.key = r.key WHERE r.file = (SELECT id FROM files WHERE path = ?) ORDER BY r.key`, string(p))
		return each(rows, err, func() error {
			h, err := decodeHead(r.Key, data)
			if err != nil {
				return err
			}
			r.Digest, r.TextHash = h.digest, TextHash(string(cntx), string(body))
			out = append(out, r)
			return nil
		}, &r.Key, &data, &r.ID, &cntx, &body)
	})
	return out, err
}
