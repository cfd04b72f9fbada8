package navigate

import (
	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/vault"
)

// A PageInfo is what the navigation files need of one page.
type PageInfo struct {
	Path    vault.Path
	Title   string
	Type    string // of the frontmatter: person, project, …
	Aliases []string
	Lines   []Line // the current statements; History and options of conflicts are left out
	Gloss   string // what the map says; "" takes it from Lines
	Open    int    // open questions, or facts that wait: told of the lists in 0_Inbox
}

// A Line is one current statement.
type Line struct {
	Text       string // as a person reads it, without sources
	Section    string
	Sources    []page.Source
	Task, Done bool
	Reads      int       // how often recall brought it, or its facts
	Trusted    bool      // it may stand where assistants always look: see [Info]
	Label      string    // whose words it is, "" for a person's
	At         vault.Day // of its newest source; "" for what a person wrote on the page
}
