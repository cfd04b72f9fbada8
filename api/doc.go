// Package api declares the shapes that programs rely on: requests and answers of the HTTP interface,
// which the command line prints with --json.
//
// Fields may be added; none is renamed or retyped. Times are RFC 3339. The struct tags are the
// limits that the server checks and the OpenAPI document shows; the tag `is` says which strings of a request are
// texts and ids, the others are labels. What the tag doc has no room for is told by [Documented].
package api

// Documented types say of fields, by their names in JSON, what the OpenAPI document and assistants are told of them.
type Documented interface{ Docs() map[string]string }
