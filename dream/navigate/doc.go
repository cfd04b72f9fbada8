// Package navigate writes what leads through the wiki: the map index.md, the core block MEMORY.md, the entries of the journal
// log.md and the lists in 0_Inbox.
//
// Everything is pure: bytes and page facts in, bytes out. Package merge brings what is generated together with what a person made of the
// file since; where nothing was generated yet, the base is the file of the vault's template.
package navigate
