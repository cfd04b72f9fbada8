// Package page edits the wiki's pages without touching what it was not asked to.
//
// A page is held as its lines. The blocks that package markdown finds in them (headings, list items, conflict callouts) are noted beside
// them; what is not understood stays as it is, byte for byte, and so does every line that an edit does not name. There is one way to edit:
// lines take the place of others, the blocks around them are read again, and where a line that was not named reads otherwise, all is as
// it was.
package page
