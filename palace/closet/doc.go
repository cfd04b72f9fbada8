// Package closet makes the pointer lines of a source, a conversation or a file: short topics with names, and which drawers tell of them.
// The package reads no file and knows no index.
package closet
