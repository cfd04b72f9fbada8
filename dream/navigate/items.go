package navigate

import (
	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/vault"
)

// Where the lists for a person are.
const (
	ConflictsPath vault.Path = "0_Inbox/Conflicts.md"
	UnfiledPath   vault.Path = "0_Inbox/Unfiled.md"
	SkippedPath   vault.Path = "0_Inbox/Skipped.md"
)

// The heads of new lists.
const (
	ConflictsIntro = "# Conflicts\n\nTick what is right, or correct it; the next dream settles the page.\n"
	UnfiledIntro   = "# Unfiled\n\nFacts that found no page. Move a line to the page where it belongs, or delete it.\n"
	SkippedIntro   = "# Skipped\n\nFacts of days that could not be consolidated. They are still found by search; move what matters to a page.\n"
)

// An Item is one item of such a list.
type Item struct {
	Line    int // 1-based; 0 for one that stands in no file
	Ticked  bool
	Plain   bool   // without a box to tick
	Page    string // the link's target: a title, or a path; "" for none
	Text    string
	Sources []page.Source
	Raw     string // the line as it stands, without its line break
}

// ParseItems reads the items of a list. Items in code and comments, and what is nested, are not items.
func ParseItems(data []byte) []Item { return nil }

// AppendItems adds items after the last one, and intro to an empty file. An item with the page, text and sources of one that
// stands there is not added again. Every other byte stays.
func AppendItems(data []byte, intro string, items []Item) []byte { return nil }

// TakeItems removes the lines of the items that match. Every other byte stays.
func TakeItems(data []byte, match func(Item) bool) []byte { return nil }

// Changes is what a person did to a list.
type Changes struct {
	Ticked  []Item // as they stand now
	Edited  []Edit
	Deleted []Item // as they were
	Added   []Item // that were not there
}

// An Edit is an item whose text a person changed.
type Edit struct{ Was, Now Item }

// Compare tells what a person made of the known items.
func Compare(known, now []Item) Changes { return Changes{} }
