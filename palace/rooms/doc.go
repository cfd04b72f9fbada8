// Package rooms makes the map of a palace out of counts of drawers: its wings with their rooms, and the ways that rooms open between wings.
package rooms
