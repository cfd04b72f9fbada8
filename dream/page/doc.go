// Package page edits the wiki's pages without touching what it was not asked to.
package page
