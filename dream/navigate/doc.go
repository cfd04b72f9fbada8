// Package navigate writes what leads through the wiki: the map index.md, the core block MEMORY.md, the entries of the journal
// log.md and the lists in 0_Inbox.
//
// Everything is pure: bytes and page facts in, bytes out. [Merge] brings what is generated together with what a person made of
// the file since. Its base must be the text that was generated last time, not the merged file: else a person's edit would count
// as ours one dream later. Where nothing was generated yet, base is the file of the vault's template.
package navigate
