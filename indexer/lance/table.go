//go:build lancedb

package lance

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/lancedb/lancedb-go/pkg/contracts"
	"github.com/lancedb/lancedb-go/pkg/lancedb"

	"github.com/reverie-memory/reverie/indexer/vector"
)

// Columns of a table. Keys are as JSON numbers carry them exactly, which is how the binding gives them back.
const (
	keyColumn    = "key"
	vectorColumn = "vector"
	maxKey       = vector.Key(1)<<53 - 1
)

func checkKey(k vector.Key) error {
	if k < 0 || k > maxKey {
		return fmt.Errorf("key %d is outside 0 to %d", k, maxKey)
	}
	return nil
}

// A table is one LanceDB table of keys and vectors. Everything that the binding is careless about stays in this file: contexts that are
// ignored, files not synced.
type table struct {
	conn contracts.IConnection
	t    contracts.ITable
	dim  int
	dir  string // of the table's own files
}

func schema(dim int) *arrow.Schema {
	return arrow.NewSchema([]arrow.Field{
		{Name: keyColumn, Type: arrow.PrimitiveTypes.Int64},
		{Name: vectorColumn, Type: arrow.FixedSizeListOf(int32(dim), arrow.PrimitiveTypes.Float32)},
	}, nil)
}

// connect opens LanceDB in the engine's folder. Each table has a connection of its own, because a
// connection caches what it has read for as long as it lives.
func connect(ctx context.Context, dir string) (contracts.IConnection, error) {
	path, err := filepath.Abs(filepath.Join(dir, tablesDir))
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(path, 0o700); err != nil {
		return nil, err
	}
	return lancedb.Connect(ctx, path, nil)
}

func createTable(ctx context.Context, dir string, m manifest) (*table, error) {
	return withTable(ctx, dir, m, func(conn contracts.IConnection) (contracts.ITable, error) {
		sc, err := lancedb.NewSchema(schema(m.Dim))
		if err != nil {
			return nil, err
		}
		return conn.CreateTable(ctx, m.table(), sc)
	})
}

func openTable(ctx context.Context, dir string, m manifest) (*table, error) {
	return withTable(ctx, dir, m, func(conn contracts.IConnection) (contracts.ITable, error) {
		return conn.OpenTable(ctx, m.table())
	})
}

func withTable(ctx context.Context, dir string, m manifest, get func(contracts.IConnection) (contracts.ITable, error)) (*table, error) {
	conn, err := connect(ctx, dir)
	if err != nil {
		return nil, err
	}
	t, err := get(conn)
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return &table{conn: conn, t: t, dim: m.Dim, dir: filepath.Join(dir, m.tableDir())}, nil
}

func (t *table) close() error { return errors.Join(t.t.Close(), t.conn.Close()) }

// add appends the records as one fragment.
func (t *table) add(ctx context.Context, recs []vector.Record) error {
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema(t.dim))
	defer b.Release()
	b.Reserve(len(recs))
	keys := b.Field(0).(*array.Int64Builder)
	list := b.Field(1).(*array.FixedSizeListBuilder)
	values := list.ValueBuilder().(*array.Float32Builder)
	values.Reserve(len(recs) * t.dim)
	for _, r := range recs {
		keys.Append(int64(r.Key))
		list.Append(true)
		values.AppendValues(r.Vector, nil)
	}
	rec := b.NewRecord()
	defer rec.Release()
	if err := t.t.AddRecords(ctx, []arrow.Record{rec}, nil); err != nil {
		return err
	}
	return ctx.Err()
}

// settle makes the table's files durable, which LanceDB does not.
func (t *table) settle(ctx context.Context) error {
	_, err := walkFiles(t.dir, syncFile)
	return errors.Join(err, ctx.Err())
}

// walkFiles calls fn for each file under dir and returns their size.
func walkFiles(dir string, fn func(path string) error) (size int64, err error) {
	err = filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		size += info.Size()
		if fn != nil {
			return fn(p)
		}
		return nil
	})
	return size, err
}
