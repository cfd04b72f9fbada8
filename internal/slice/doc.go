// Package slice makes lists, sets and counts of lists, where the standard library has nothing for it.
package slice
