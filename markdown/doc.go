// Package markdown reads the text of a page as a person sees it in Obsidian: links by what they show, no marks, and apart from it the
// tags, the block id and the log lines that it names as its sources.
package markdown
