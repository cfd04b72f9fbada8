package catalog

import (
	"context"
	"database/sql"
	"fmt"
	"slices"

	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/vault"
)

// A fullRow is a row on its way from the database.
type fullRow struct {
	head head
	row  Row
}

// batchSize is how many values one statement asks for.
const batchSize = 64

// inList calls fn with batches of values, the last filled up by repeating its first.
func inList[T any](list []T, fn func(batch []any) error) error {
	for run := range slices.Chunk(list, batchSize) {
		n := batchSize
		if len(run) == 1 {
			n = 1
		} else if len(run) <= 8 {
			n = 8
		}
		batch := make([]any, n)
		for i := range batch {
			batch[i] = run[0]
			if i < len(run) {
				batch[i] = run[i]
			}
		}
		if err := fn(batch); err != nil {
			return err
		}
	}
	return nil
}

// ask asks a query, which it has prepared by the way named.
func ask(ctx context.Context, prepare func(query string) (*sql.Stmt, error), query string, args ...any) (*sql.Rows, error) {
	st, err := prepare(query)
	if err != nil {
		return nil, err
	}
	return st.QueryContext(ctx, args...)
}

// each reads each of the rows, which asking gave with err, into the pointers, and calls fn. An error of fn ends it.
func each(rows *sql.Rows, err error, fn func() error, into ...any) error {
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if len(into) > 0 {
			err = rows.Scan(into...)
		}
		if err == nil {
			err = fn()
		}
		if err != nil {
			return err
		}
	}
	return rows.Err()
}

// selectIn gives scan each row of a query that ends with IN, asked for the list in batches. An error of scan ends it.
func selectIn[T any](ctx context.Context, d *database, query string, list []T, scan func(*sql.Rows) error) error {
	return inList(list, func(batch []any) error {
		rows, err := ask(ctx, d.reading, query+`(`+marks(len(batch))+`)`, batch...)
		return each(rows, err, func() error { return scan(rows) })
	})
}

// marks are n question marks.
func marks(n int) string {
	b := make([]byte, 0, 2*n)
	for i := range n {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, '?')
	}
	return string(b)
}

func (d *database) rows(ctx context.Context, keys []Key) (map[Key]*fullRow, error) {
	out := make(map[Key]*fullRow, len(keys))
	ints := slice.Map(keys, func(k Key) int64 { return int64(k) })
	slices.Sort(ints)
	const query = `SELECT r.key, r.head, coalesce(f.path, ''), t.id, t.context, t.body FROM rows r
		JOIN texts t ON t.key = r.key LEFT JOIN files f ON f.id = r.file WHERE r.key IN `
	err := selectIn(ctx, d, query, slices.Compact(ints), func(rows *sql.Rows) (err error) {
		var f fullRow
		var n int64
		var data []byte
		var path string
		if err := rows.Scan(&n, &data, &path, &f.row.ID, &f.row.Context, &f.row.Text); err != nil {
			return err
		}
		if f.head, err = decodeHead(Key(n), data); err != nil {
			return err
		}
		f.row.File = vault.Path(path)
		out[Key(n)] = &f
		return nil
	})
	return out, err
}

// nameAll turns the numbers of rows into strings.
func (g *Generation) nameAll(ctx context.Context, rows map[Key]*fullRow) error {
	var wides [kinds]map[int32]string
	for kind := range kinds {
		if !wide(kind) {
			continue
		}
		var ids []int32
		for _, f := range rows {
			ids = append(ids, f.head.name[kind])
		}
		names, err := g.wideNames(ctx, kind, ids)
		if err != nil {
			return err
		}
		wides[kind] = names
	}
	g.mu.RLock()
	defer g.mu.RUnlock()
	for _, f := range rows {
		name := func(kind int) string {
			if id := f.head.name[kind]; wide(kind) {
				return wides[kind][id]
			} else {
				return g.cols.names[kind].name[id]
			}
		}
		r, h := &f.row, &f.head
		r.Source, r.Origin = SourceType(name(kindSource)), vault.Origin(name(kindOrigin))
		r.Wing, r.Room, r.Hall = name(kindWing), name(kindRoom), name(kindHall)
		r.Speaker, r.Category, r.Agent = name(kindSpeaker), name(kindCategory), name(kindAgent)
		r.Chat, r.Session, r.Turn, r.Drawer = name(kindChat), name(kindSession), name(kindTurn), name(kindDrawer)
		r.Line, r.Seq, r.At, r.Refs, r.Cites, r.Past, r.Aside = h.line, h.seq, h.at, h.refs, h.cites, h.past, h.aside
		r.Filed, r.Type, r.Sure, r.Guessed, r.Archived = h.filed, name(kindType), h.sure, h.guessed, h.archived
		for _, t := range h.tags {
			r.Tags = append(r.Tags, g.cols.names[kindTag].name[t])
		}
	}
	return nil
}

// wideID finds the number of a name; 0 when there is none.
func (g *Generation) wideID(ctx context.Context, kind int, name string) (id int32, err error) {
	if name == "" {
		return 0, nil
	}
	err = g.read(func(d *database) error {
		st, err := d.reading(`SELECT coalesce(max(id), 0) FROM names WHERE kind = ? AND name = ?`)
		if err != nil {
			return err
		}
		return st.QueryRowContext(ctx, kind, name).Scan(&id)
	})
	return id, wrap("find a name", err)
}

func (g *Generation) wideNames(ctx context.Context, kind int, ids []int32) (map[int32]string, error) {
	out := map[int32]string{}
	ids = slices.DeleteFunc(slices.Compact(slices.Sorted(slices.Values(ids))), func(id int32) bool { return id == 0 })
	err := g.read(func(d *database) error {
		query := fmt.Sprintf(`SELECT id, name FROM names WHERE kind = %d AND id IN `, kind)
		return selectIn(ctx, d, query, ids, func(rows *sql.Rows) error {
			var id int32
			var name string
			err := rows.Scan(&id, &name)
			out[id] = name
			return err
		})
	})
	return out, wrap("read names", err)
}

// read runs fn on the reading side.
func (g *Generation) read(fn func(d *database) error) error {
	if g.closed.Load() {
		return ErrClosed
	}
	return fn(g.db)
}
