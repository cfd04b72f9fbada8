package vault

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
)

// What callers tell apart, inside an [*Error].
var (
	ErrChanged  = errors.New("the file is not what was expected")
	ErrDiskFull = errors.New("the disk is full")
	ErrReadOnly = errors.New("access is refused")
	ErrDisk     = errors.New("the disk fails")
	ErrTooMany  = errors.New("too many files are open")
	ErrMoved    = errors.New("the vault's folder is not in its place")
	ErrLink     = errors.New("links are not followed")
	ErrNotFile  = errors.New("not a regular file")
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

// codes are what systems say of faults of a disk.
var codes = map[syscall.Errno]error{
	syscall.ENOSPC: ErrDiskFull, syscall.EDQUOT: ErrDiskFull,
	syscall.EROFS: ErrReadOnly, syscall.EACCES: ErrReadOnly, syscall.EPERM: ErrReadOnly,
	syscall.EIO: ErrDisk, syscall.ENXIO: ErrDisk, syscall.ENODEV: ErrDisk, syscall.ESTALE: ErrDisk,
	syscall.EMFILE: ErrTooMany, syscall.ENFILE: ErrTooMany,
}

// Fault tells which fault of a disk or of a folder as a whole err is: [ErrDiskFull], [ErrReadOnly], [ErrDisk], [ErrTooMany] or
// [ErrMoved]. Fault is nil for any other error. What failed for a fault works again when the fault is over.
func Fault(err error) error {
	for _, kind := range []error{ErrMoved, ErrDiskFull, ErrReadOnly, ErrDisk, ErrTooMany} {
		if errors.Is(err, kind) {
			return kind
		}
	}
	var no syscall.Errno
	if errors.As(err, &no) {
		if kind := cmp.Or(codes[no], systemCodes[no]); kind != nil {
			return kind
		}
	}
	if errors.Is(err, fs.ErrPermission) {
		return ErrReadOnly
	}
	return nil
}

// Advice says what a person can do about a fault of the disk; "" for any other error.
func Advice(err error) string {
	switch Fault(err) {
	case ErrDiskFull:
		return "free some space on that disk, or raise the quota, then try again: nothing was left half written"
	case ErrReadOnly:
		if errors.Is(err, syscall.EROFS) {
			return "mount the disk for writing; one that turns read-only by itself is often failing: look at the system's log"
		}
		return "give your user write access: check the owner and the permissions of the folder and of what is in it"
	case ErrDisk:
		return "the disk reports errors: look at the system's log, and copy the folder to another disk"
	case ErrTooMany:
		return "end programs that hold files open, or raise the limit (`ulimit -n`), then try again"
	case ErrMoved:
		return "put the vault's folder back in its place; where the one that is there now is meant, start the daemon anew"
	}
	return ""
}

// failed wraps err once, naming what was being done and what a person can do.
func failed(op string, p Path, err error) error {
	var known *Error
	if err == nil || errors.As(err, &known) {
		return err
	}
	e := &Error{Op: op, Path: p, Err: err, Hint: Advice(err)}
	fault := Fault(err)
	switch {
	case fault != nil:
		e.Err = joined(fault, err)
	case errors.Is(err, ErrLink), isEscape(err):
		e.Hint = "put the file itself into the vault in place of the link"
		e.Err = joined(ErrLink, err)
	case errors.Is(err, ErrNotFile):
		e.Hint = "what a file is expected for must be one: move what has its name out of the vault"
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

// isEscape recognises os.Root's refusal, which has no exported value.
func isEscape(err error) bool { return strings.Contains(err.Error(), "path escapes from parent") }
