// Package spool keeps what the hooks of assistants report in one file, until the daemon takes it. The package holds pointers and no text:
// which session, which transcript, which folder.
package spool
