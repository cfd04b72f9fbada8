package api

import (
	"errors"
	"strings"
)

// A Code says what kind of failure an error is. The server maps it to a status, the command line to an exit code. A code is an
// error itself: fmt.Errorf("job %q: %w", id, NotFound) carries it, and errors.Is and [CodeOf] find it.
type Code string

// The codes.
const (
	Invalid     Code = "invalid"     // a field of the request cannot be taken
	NotFound    Code = "not_found"   // the workspace has nothing of this name
	Conflict    Code = "conflict"    // it cannot be done in the present state
	Forbidden   Code = "forbidden"   // the caller may not do this
	TooLarge    Code = "too_large"   // the request is larger than is taken
	NoSpace     Code = "no_space"    // a disk or a quota is full
	Unavailable Code = "unavailable" // a disk or the index fails; the same request may be sent again later
	Timeout     Code = "timeout"     // it took longer than a request may
	Canceled    Code = "canceled"    // the caller or the daemon ended it
	Internal    Code = "internal"    // anything else
)

func (c Code) Error() string { return strings.ReplaceAll(string(c), "_", " ") }

// CodeOf is the code that an error carries, or [Internal].
func CodeOf(err error) Code {
	if c := Internal; errors.As(err, &c) {
		return c
	}
	return Internal
}

// Error is a failure as every transport tells it.
type Error struct {
	Code   Code
	Detail string
	Hint   string // what a person can do about it, or ""
	Fields []Field
	Err    error // may be nil
}

func (e *Error) Error() string { return e.Detail }

// Unwrap gives the code and the cause, for errors.Is and errors.As.
func (e *Error) Unwrap() []error { return []error{e.Code, e.Err} }

// Field is one field that cannot be taken.
type Field struct {
	Location string `json:"location" doc:"Such as body.messages[0].role."`
	Message  string `json:"message"`
}

// Refuse says which field of the body of a request cannot be taken, such as messages[2].content.
func Refuse(field, reason string) *Error {
	return &Error{Code: Invalid, Detail: field + ": " + reason, Fields: []Field{{Location: "body." + field, Message: reason}}}
}
