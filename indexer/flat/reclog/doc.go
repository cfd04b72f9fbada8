// Package reclog keeps fixed-size, checksummed records in an append-only file.
//
// [Log.Sync] acknowledges what was appended before it. A crash may cost the records after the last
// Sync and nothing else; every other difference from what was written is [ErrDamaged].
package reclog
