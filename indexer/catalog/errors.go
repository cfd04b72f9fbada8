package catalog

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/reverie-memory/reverie/vault"
)

var (
	// ErrCorrupt says that files of the index are damaged, missing or of another make. The files can be cleared and built anew from the
	// vault.
	ErrCorrupt = errors.New("index damaged")
	// ErrVectors says that the cached vectors are damaged: what wraps it wraps ErrCorrupt as well. The vectors can be cleared and asked for
	// again.
	ErrVectors = errors.New("cached vectors damaged")
	// ErrVersion says that the index was made by a program of another version: what wraps it wraps ErrCorrupt as well, and nothing is damaged.
	ErrVersion = errors.New("index of another version")
	// ErrClosed says that the catalog or generation was closed.
	ErrClosed = errors.New("catalog closed")
	// ErrFull says that the disk is full. Nothing was changed; the same call works once there is room.
	ErrFull = fmt.Errorf("the index: %w", vault.ErrDiskFull)
)

// A CorruptError says what is damaged. A CorruptError wraps [ErrCorrupt].
type CorruptError struct {
	What string
	Err  error // may be nil
}

func (e *CorruptError) Error() string {
	switch e.Err {
	case nil:
		return "index damaged: " + e.What
	case ErrVersion:
		return "index of another version: " + e.What
	}
	return "index damaged: " + e.What + ": " + e.Err.Error()
}

// Is makes errors.Is(err, ErrCorrupt) true.
func (e *CorruptError) Is(target error) bool { return target == ErrCorrupt }

func (e *CorruptError) Unwrap() error { return e.Err }

func corrupt(format string, args ...any) error {
	return &CorruptError{What: fmt.Sprintf(format, args...)}
}

// outdated is the error of a version that is not the one of this program, or of which only that much is known.
func outdated(format string, args ...any) error {
	return &CorruptError{What: fmt.Sprintf(format, args...), Err: ErrVersion}
}

// wrap adds what was being done to err and maps SQLite's codes to our errors.
func wrap(doing string, err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, ErrCorrupt) || errors.Is(err, ErrFull) || errors.Is(err, ErrClosed) {
		return fmt.Errorf("%s: %w", doing, err)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return &CorruptError{What: doing, Err: err}
	}
	if strings.Contains(err.Error(), "sql: database is closed") {
		return fmt.Errorf("%s: %w", doing, ErrClosed)
	}
	if strings.Contains(err.Error(), "sql: Scan error") { // a value that none of ours is
		return &CorruptError{What: doing, Err: err}
	}
	var se *sqlite.Error
	if !errors.As(err, &se) {
		return fmt.Errorf("%s: %w", doing, err)
	}
	switch se.Code() & 0xff {
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_FORMAT, sqlite3.SQLITE_MISMATCH:
		return &CorruptError{What: doing, Err: err}
	case sqlite3.SQLITE_FULL:
		return fmt.Errorf("%s: %w: %w", doing, ErrFull, err)
	case sqlite3.SQLITE_ERROR:
		if s := se.Error(); strings.Contains(s, "no such table") || strings.Contains(s, "no such column") ||
			strings.Contains(s, "malformed") {
			return &CorruptError{What: doing, Err: err}
		}
	case sqlite3.SQLITE_IOERR:
		if c := se.Code(); c == sqlite3.SQLITE_IOERR_SHORT_READ || c == sqlite3.SQLITE_IOERR_IN_PAGE { // cut under our feet
			return &CorruptError{What: doing, Err: err}
		}
		if se.Code() == sqlite3.SQLITE_IOERR_SHMSIZE { // the file of a page that is shared could not grow
			return fmt.Errorf("%s: %w: %w", doing, ErrFull, err)
		}
		return fmt.Errorf("%s: %w: %w", doing, vault.ErrDisk, err)
	case sqlite3.SQLITE_READONLY:
		return fmt.Errorf("%s: %w: %w", doing, vault.ErrReadOnly, err)
	}
	return fmt.Errorf("%s: %w", doing, err)
}
