package vault

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
)

// What callers tell apart. They arrive inside an [*Error].
var (
	ErrChanged  = errors.New("the file is not what was expected")
	ErrDiskFull = errors.New("the disk is full")
	ErrReadOnly = errors.New("the vault cannot be written")
	ErrOutside  = errors.New("a link leads out of the vault")
	ErrTooLarge = errors.New("the file is too large")
	ErrClosed   = errors.New("the vault is closed")
	ErrInvalid  = errors.New("not something the vault can hold")
)

// Error is a failed operation on the vault.
type Error struct {
	Op   string // what was being done: "appending to"
	Path Path   // "" for the whole vault
	Err  error
	Hint string // what a person can do about it, or ""
}

func (e *Error) Error() string {
	if e.Path == "" {
		return fmt.Sprintf("%s: %v", e.Op, e.Err)
	}
	return fmt.Sprintf("%s %s: %v", e.Op, e.Path, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }

// failed wraps err once, naming what was being done and what a person can do.
func failed(op string, p Path, err error) error {
	var known *Error
	if err == nil || errors.As(err, &known) {
		return err
	}
	e := &Error{Op: op, Path: p, Err: err}
	switch {
	case errors.Is(err, ErrDiskFull), isDiskFull(err):
		e.Hint = "free some space on the disk of the vault, then try again: nothing was left half written"
		e.Err = joined(ErrDiskFull, err)
	case errors.Is(err, ErrOutside), isEscape(err):
		e.Hint = "put the file itself into the vault in place of the link"
		e.Err = joined(ErrOutside, err)
	case errors.Is(err, syscall.EROFS), errors.Is(err, fs.ErrPermission):
		e.Hint = "check the owner and the permissions of the vault folder, and whether its disk is mounted read-only"
		e.Err = joined(ErrReadOnly, err)
	case errors.Is(err, ErrTooLarge):
		e.Hint = "move the file out of the vault, or split it"
	case errors.Is(err, ErrChanged):
		e.Hint = "somebody else wrote to the file meanwhile: read it again"
	}
	return e
}

func joined(kind, err error) error {
	if errors.Is(err, kind) {
		return err
	}
	return fmt.Errorf("%w: %w", kind, err)
}

func isDiskFull(err error) bool {
	var no syscall.Errno
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) ||
		errors.As(err, &no) && diskFullCode(no)
}

// isEscape recognises os.Root's refusal, which has no exported value.
func isEscape(err error) bool { return strings.Contains(err.Error(), "path escapes from parent") }
