// Package hosts knows where each assistant's program keeps its settings, and adds, finds and removes Reverie there.
//
// A [Host] is one value of the table [All]: its folders on each system, its files, and what of Reverie goes into each. A file is edited
// in its own bytes (jsonc.go, toml.go): comments, order, indentation and everything that is not ours stay as they are. [Store] writes
// the edits, keeps the bytes from before the first one, and takes them back.
package hosts
