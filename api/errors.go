package api

import "errors"

// ErrNotFound is returned for an id that the workspace does not have.
var ErrNotFound = errors.New("not found")
