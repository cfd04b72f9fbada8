// Package markdown reads the pages of a vault: which blocks they have, on which lines and bytes, and what the text of each says as a person
// sees it in Obsidian: links by what they show, no marks, and apart from it the tags, the block id and the log lines that it names as its
// sources. Index and edits of pages stand on it.
package markdown
