// Package server offers the operations of the workspaces over HTTP: JSON in, JSON out, OpenAPI 3.1 at /openapi.json.
//
// The server listens on loopback, checks Host, Origin and token before anything is read, limits body and time, and answers errors as
// problem+json. The server holds no state: stop it and the vault is complete.
package server
