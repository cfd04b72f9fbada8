// Package vault reads and writes the Markdown vault, the only copy of what is remembered. Daily files only grow, an append is
// acknowledged after its fsync, and whatever is not understood is kept and reported. docs/file-formats.md describes the files.
package vault
