// Package view makes the searchers of an open vault: each sees what one caller may see, and asks drawers, reads and the graph on the way.
package view
