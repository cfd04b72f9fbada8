package api

import "errors"

// ErrNotFound is returned for an id that the workspace does not have.
var ErrNotFound = errors.New("not found")

// ConflictError refuses what cannot be done in the present state, and says what to do about it.
type ConflictError struct {
	Detail string
	Hint   string
	Err    error // may be nil
}

func (e *ConflictError) Error() string { return e.Detail }

func (e *ConflictError) Unwrap() error { return e.Err }
