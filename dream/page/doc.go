// Package page edits the wiki's pages without touching what it was not asked to.
//
// A page is held as its lines. What is understood of them (headings, list items, conflict callouts) is noted beside them; what
// is not stays as it is, byte for byte, and so does every line that an edit does not name.
package page
