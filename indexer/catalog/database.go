package catalog

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

const (
	walKeep = 8 << 20 // the log is cut to this when it starts over
	walStep = 1 << 20 // and written back when it has grown by this, once it was filled again
	readers = 4
)

// A database is one SQLite file with one writing connection and a few reading ones. Statements are
// prepared once for each. Only the owner of write may use it.
type database struct {
	path  string
	wdb   *sql.DB
	write *sql.Conn
	rdb   *sql.DB

	wstmts map[string]*sql.Stmt // owner of write only
	due    int64                // the same: the length of the log at which it is written back

	mu     sync.Mutex
	rstmts map[string]*sql.Stmt
}

func dsn(path, mode string, pragmas ...string) string {
	p := filepath.ToSlash(path)
	if !strings.HasPrefix(p, "/") {
		p = "/" + p // C:/… on Windows
	}
	q := url.Values{"mode": {mode}, "_txlock": {"immediate"}, "_pragma": pragmas}
	return "file:" + (&url.URL{Path: p}).EscapedPath() + "?" + q.Encode()
}

// openDatabase opens the file at path. With create it is made where it is not there; otherwise a
// missing file is an error, not an empty database.
func openDatabase(ctx context.Context, path string, create bool, pageSize, cacheKB int) (_ *database, err error) {
	path, err = filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	mode := "rw"
	if create {
		mode = "rwc"
	} else if st, err := os.Stat(path); err != nil {
		return nil, err
	} else if st.Size() == 0 {
		return nil, corrupt("%s is empty", filepath.Base(path))
	}
	d := &database{path: path, wstmts: map[string]*sql.Stmt{}, rstmts: map[string]*sql.Stmt{}, due: walKeep + walStep}
	defer func() {
		if err != nil {
			_ = d.close()
		}
	}()
	common := []string{
		"busy_timeout(5000)", fmt.Sprintf("cache_size(-%d)", cacheKB), "mmap_size(0)", "temp_store(memory)",
		"cell_size_check(1)", "trusted_schema(0)",
	}
	d.wdb, err = sql.Open("sqlite", dsn(path, mode, append([]string{
		"synchronous(normal)", "wal_autocheckpoint(0)", fmt.Sprintf("journal_size_limit(%d)", walKeep), "secure_delete(1)",
	}, common...)...))
	if err != nil {
		return nil, err
	}
	d.wdb.SetMaxOpenConns(1)
	if d.write, err = d.wdb.Conn(ctx); err != nil {
		return nil, err
	}
	// In this order, which a DSN does not keep: the log's first write fixes the page size.
	if err = d.script(fmt.Sprintf("PRAGMA page_size = %d; PRAGMA auto_vacuum = incremental; PRAGMA journal_mode = wal",
		pageSize)); err != nil {
		return nil, err
	}
	d.rdb, err = sql.Open("sqlite", dsn(path, "rw", append([]string{"query_only(1)"}, common...)...))
	if err != nil {
		return nil, err
	}
	d.rdb.SetMaxOpenConns(readers)
	d.rdb.SetMaxIdleConns(readers)
	return d, nil
}

// exec runs a prepared statement of the writer. exec is not interrupted: whoever calls it in a loop
// looks at the context in between.
func (d *database) exec(query string, args ...any) error {
	st, err := d.writing(query)
	if err != nil {
		return err
	}
	_, err = st.Exec(args...)
	return err
}

func (d *database) writing(query string) (*sql.Stmt, error) {
	if st := d.wstmts[query]; st != nil {
		return st, nil
	}
	st, err := d.write.PrepareContext(context.Background(), query)
	if err != nil {
		return nil, err
	}
	d.wstmts[query] = st
	return st, nil
}

func (d *database) reading(query string) (*sql.Stmt, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if st := d.rstmts[query]; st != nil {
		return st, nil
	}
	st, err := d.rdb.Prepare(query)
	if err != nil {
		return nil, err
	}
	d.rstmts[query] = st
	return st, nil
}

// script runs statements that are not worth preparing.
func (d *database) script(query string) error {
	_, err := d.write.ExecContext(context.Background(), query)
	return err
}

func (d *database) begin() error  { return d.script("BEGIN IMMEDIATE") }
func (d *database) commit() error { return d.exec("COMMIT") }

// rollback undoes an open transaction. SQLite may have done so already, which is no error.
func (d *database) rollback() { _ = d.script("ROLLBACK") }

// update runs fn in one transaction.
func (d *database) update(fn func() error) error {
	if err := d.begin(); err != nil {
		return err
	}
	if err := fn(); err != nil {
		d.rollback()
		return err
	}
	if err := d.commit(); err != nil {
		d.rollback()
		return err
	}
	return nil
}

// checkpoint writes the log back to the file when it has grown. Afterwards the log starts over in its file, which stays as long as it
// is, as soon as no reader needs it: until then it is tried again after each step that it grows by.
func (d *database) checkpoint(force bool) error {
	st, err := os.Stat(d.path + "-wal")
	if !force && (err != nil || st.Size() < d.due) {
		return nil
	}
	mode := "PASSIVE"
	if force {
		mode = "TRUNCATE"
	}
	var busy, log, done int
	err = d.write.QueryRowContext(context.Background(), "PRAGMA wal_checkpoint("+mode+")").Scan(&busy, &log, &done)
	if d.due = walKeep + walStep; done < log && st != nil {
		d.due = st.Size() + walStep
	}
	return err
}

// integrity asks SQLite whether the file's structure holds.
func (d *database) integrity(ctx context.Context) error {
	var s string
	rows, err := d.rdb.QueryContext(ctx, "PRAGMA integrity_check(3)")
	return each(rows, err, func() error {
		if s != "ok" {
			return corrupt("%s: %s", filepath.Base(d.path), s)
		}
		return nil
	}, &s)
}

func (d *database) close() error {
	var first error
	keep := func(err error) {
		if first == nil {
			first = err
		}
	}
	d.mu.Lock()
	for _, st := range d.rstmts {
		_ = st.Close()
	}
	d.mu.Unlock()
	if d.rdb != nil {
		keep(d.rdb.Close())
	}
	if d.write != nil {
		keep(d.checkpoint(true))
		for _, st := range d.wstmts {
			_ = st.Close()
		}
		keep(d.write.Close())
	}
	if d.wdb != nil {
		keep(d.wdb.Close())
	}
	return first
}
