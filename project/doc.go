// Package project says which project a folder belongs to, under the same name in each of its clones and work trees, and which projects see
// each other.
package project
