package catalog

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/reverie-memory/reverie/internal/slice"
)

const (
	catalogFile    = "catalog.db"
	catalogVersion = 2 // version 1 held the cached vectors as well
	catalogPage    = 16384
	catalogCacheKB = 2048
	genPrefix      = "gen-"
)

// Files are patterns of all files of the package below a folder, of generations as well.
func Files(folder string) []string {
	return []string{folder + genPrefix + "*", folder + catalogFile + "*", folder + vectorsFile + "*"}
}

// catalogSchema may change with catalogVersion: the index is then filled anew, with the vectors of the cache.
const catalogSchema = `
CREATE TABLE generations (id INTEGER PRIMARY KEY AUTOINCREMENT, schema INTEGER NOT NULL, fingerprint TEXT NOT NULL,
	dim INTEGER NOT NULL, engine TEXT NOT NULL, made INTEGER NOT NULL, complete INTEGER NOT NULL, current INTEGER NOT NULL);
PRAGMA user_version = 2;
`

// Catalog knows the generations of one index and keeps the vectors that they share. One process has
// it open at a time; its methods may be called from several goroutines.
type Catalog struct {
	dir string

	mu   sync.Mutex // guards all below
	db   *database
	vecs *database // the cached vectors
	gens map[int]GenInfo
	cur  int
	open map[int]*Generation
}

// Open opens the catalog in dir, making it where there is none, and clears away what a crash left of a
// generation that was being made or dropped. A damaged one is an error that wraps [ErrCorrupt];
// [Clear] makes room for a new one then.
func Open(ctx context.Context, dir string) (*Catalog, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("open catalog: %w", err)
	}
	c := &Catalog{dir: dir, gens: map[int]GenInfo{}, open: map[int]*Generation{}}
	if err := c.load(ctx); err != nil {
		for _, db := range []*database{c.db, c.vecs} {
			if db != nil {
				_ = db.close()
			}
		}
		return nil, err
	}
	return c, nil
}

// Clear removes a catalog and its generations, damaged or not, and with vectors the cached ones too. Nothing may have it open.
func Clear(dir string, vectors bool) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return fmt.Errorf("clear catalog: %w", err)
	}
	var errs []error
	for _, e := range entries {
		n := e.Name()
		if strings.HasPrefix(n, catalogFile) || strings.HasPrefix(n, genPrefix) || vectors && strings.HasPrefix(n, vectorsFile) {
			errs = append(errs, os.RemoveAll(filepath.Join(dir, n)))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("clear catalog: %w", err)
	}
	return nil
}

// load opens both files before it gives up on one, so that its error tells of all that is damaged.
func (c *Catalog) load(ctx context.Context) error {
	if err := c.adopt(ctx); err != nil {
		return wrap("open catalog", err)
	}
	return errors.Join(c.loadVectors(ctx), wrap("open catalog", c.loadCatalog(ctx)))
}

func (c *Catalog) loadCatalog(ctx context.Context) (err error) {
	var version int
	if c.db, version, err = openOrCreate(ctx, filepath.Join(c.dir, catalogFile), catalogSchema); err != nil {
		return err
	}
	if version != catalogVersion {
		return outdated("catalog schema %d, want %d", version, catalogVersion)
	}
	if err := c.loadGenerations(ctx); err != nil {
		return err
	}
	return c.sweep()
}

// openOrCreate opens the database at path, made of schema where there is none, and tells its version.
func openOrCreate(ctx context.Context, path, schema string) (db *database, version int, err error) {
	if _, err = os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		err = create(ctx, path, schema)
	}
	if err == nil {
		db, err = openDatabase(ctx, path, false, catalogPage, catalogCacheKB)
	}
	if err == nil {
		err = db.write.QueryRowContext(ctx, `PRAGMA user_version`).Scan(&version)
	}
	return db, version, err
}

// create makes the database under another name first: a half-made one is never taken for damage.
func create(ctx context.Context, path, schema string) error {
	temp := path + ".new"
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(temp + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		// A log without its database belongs to one that was deleted.
		if err := os.Remove(path + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	db, err := openDatabase(ctx, temp, true, catalogPage, catalogCacheKB)
	if err != nil {
		return err
	}
	err = db.script("BEGIN IMMEDIATE;" + schema + "COMMIT;")
	if cerr := db.close(); err == nil {
		err = cerr
	}
	if err != nil {
		return err
	}
	return os.Rename(temp, path)
}

func (c *Catalog) loadGenerations(ctx context.Context) error {
	rows, err := c.db.write.QueryContext(ctx,
		`SELECT id, schema, fingerprint, dim, engine, complete, current FROM generations WHERE made = 1`)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var g GenInfo
		var current bool
		if err := rows.Scan(&g.ID, &g.Schema, &g.Fingerprint, &g.Dim, &g.Engine, &g.Complete, &current); err != nil {
			return &CorruptError{What: "generations", Err: err}
		}
		c.gens[g.ID] = g
		if current {
			c.cur = g.ID
		}
	}
	return rows.Err()
}

// sweep removes what belongs to no generation.
func (c *Catalog) sweep() error {
	if err := c.db.exec(`DELETE FROM generations WHERE made = 0`); err != nil {
		return err
	}
	entries, err := os.ReadDir(c.dir)
	if err != nil {
		return err
	}
	known := map[string]bool{}
	for id := range c.gens {
		known[genName(id)] = true
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), genPrefix) && !known[e.Name()] {
			if err := os.RemoveAll(filepath.Join(c.dir, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

func genName(id int) string { return fmt.Sprintf("%s%06d", genPrefix, id) }

// do runs fn with the lock held and the database open.
func (c *Catalog) do(ctx context.Context, doing string, fn func() error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.db == nil {
		return wrap(doing, ErrClosed)
	}
	if err := ctx.Err(); err != nil {
		return wrap(doing, err)
	}
	return wrap(doing, fn())
}

// Current is the generation that searches use; false when there is none yet.
func (c *Catalog) Current() (GenInfo, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	g, ok := c.gens[c.cur]
	return g, ok
}

// Generations lists the generations by id: the current one, and one that is being filled.
func (c *Catalog) Generations(ctx context.Context) (out []GenInfo, err error) {
	err = c.do(ctx, "list generations", func() error {
		for _, g := range c.gens {
			out = append(out, g)
		}
		return nil
	})
	slices.SortFunc(out, func(a, b GenInfo) int { return cmp.Compare(a.ID, b.ID) })
	return out, err
}

// Create makes an empty generation beside the others. info's ID and Complete are set by it.
func (c *Catalog) Create(ctx context.Context, info GenInfo) (g *Generation, err error) {
	err = c.do(ctx, "create generation", func() error {
		info.Complete = false
		st, err := c.db.writing(`INSERT INTO generations (schema, fingerprint, dim, engine, made, complete, current)
			VALUES (?, ?, ?, ?, 0, 0, 0)`)
		if err != nil {
			return err
		}
		res, err := st.Exec(info.Schema, info.Fingerprint, info.Dim, info.Engine)
		if err != nil {
			return err
		}
		id, err := res.LastInsertId()
		if err != nil {
			return err
		}
		info.ID = int(id)
		dir := filepath.Join(c.dir, genName(info.ID))
		if err := os.RemoveAll(dir); err != nil { // of a catalog that was lost
			return err
		}
		if err := createRows(ctx, dir); err != nil {
			return errors.Join(err, os.RemoveAll(dir))
		}
		if err := c.db.exec(`UPDATE generations SET made = 1 WHERE id = ?`, info.ID); err != nil {
			return err
		}
		c.gens[info.ID] = info
		g, err = c.openLocked(ctx, info.ID)
		return err
	})
	return g, err
}

// OpenGeneration opens a generation, or gives the one that is open already. A damaged one is an
// error that wraps [ErrCorrupt].
func (c *Catalog) OpenGeneration(ctx context.Context, id int) (g *Generation, err error) {
	err = c.do(ctx, "open generation", func() error {
		g, err = c.openLocked(ctx, id)
		return err
	})
	return g, err
}

func (c *Catalog) openLocked(ctx context.Context, id int) (*Generation, error) {
	if g := c.open[id]; g != nil {
		return g, nil
	}
	info, ok := c.gens[id]
	if !ok {
		return nil, fmt.Errorf("no generation %d", id)
	}
	g, err := openGeneration(ctx, info, filepath.Join(c.dir, genName(id)))
	if err != nil {
		return nil, err
	}
	g.onDone = c.forget
	c.open[id] = g
	return g, nil
}

// forget is called by a generation that closes.
func (c *Catalog) forget(g *Generation) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open[g.info.ID] == g {
		delete(c.open, g.info.ID)
	}
}

// Switch makes a generation the current one, durably and in one transaction.
func (c *Catalog) Switch(ctx context.Context, id int) error {
	return c.do(ctx, "switch generation", func() error {
		info, ok := c.gens[id]
		if !ok {
			return fmt.Errorf("no generation %d", id)
		}
		if err := c.db.update(func() error {
			return c.db.exec(`UPDATE generations SET current = (id = ?1), complete = max(complete, id = ?1)`, id)
		}); err != nil {
			return err
		}
		info.Complete = true
		c.gens[id], c.cur = info, id
		return c.db.checkpoint(true) // on the disk before the old one may go
	})
}

// Drop removes a generation and gives its disk space back. The current one cannot be dropped. An engine that has
// files in its folder must be closed.
func (c *Catalog) Drop(ctx context.Context, id int) error {
	c.mu.Lock()
	g := c.open[id]
	current := c.cur == id
	c.mu.Unlock()
	if current {
		return fmt.Errorf("drop generation: %d is the current one", id)
	}
	if g != nil {
		if err := g.Close(); err != nil && !errors.Is(err, ErrCorrupt) {
			return err
		}
	}
	return c.do(ctx, "drop generation", func() error {
		// First the record: a folder without one is removed at the next start.
		if err := c.db.exec(`DELETE FROM generations WHERE id = ? AND current = 0`, id); err != nil {
			return err
		}
		delete(c.gens, id)
		return os.RemoveAll(filepath.Join(c.dir, genName(id)))
	})
}

// Close closes the catalog and the generations that are open.
func (c *Catalog) Close() error {
	c.mu.Lock()
	var open []*Generation
	for _, g := range c.open {
		open = append(open, g)
	}
	c.mu.Unlock()
	errs := slice.Map(open, func(g *Generation) error { return g.Close() })
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, db := range []*database{c.db, c.vecs} {
		if db != nil {
			errs = append(errs, wrap("close catalog", db.close()))
		}
	}
	c.db, c.vecs = nil, nil
	return errors.Join(errs...)
}

// Check reads the whole catalog and says whether it is damaged. A damaged vector is no damage: it
// counts as absent.
func (c *Catalog) Check(ctx context.Context) error {
	if err := c.checkVectors(ctx); err != nil {
		return err
	}
	return c.do(ctx, "check catalog", func() error {
		if err := c.db.integrity(ctx); err != nil {
			return err
		}
		var n int
		err := c.db.write.QueryRowContext(ctx, `SELECT count(*) FROM generations WHERE made = 1`).Scan(&n)
		if err == nil && n != len(c.gens) {
			err = corrupt("generations")
		}
		if errors.Is(err, sql.ErrNoRows) {
			err = corrupt("generations")
		}
		return err
	})
}
