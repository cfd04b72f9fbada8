package navigate

import (
	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/trust"
	"github.com/reverie-memory/reverie/vault"
)

// Info is what the navigation files need of a page. origin tells whose words a line of a daily log is. A statement is trusted as far as the
// least of its sources: it is when a person said it, and when an assistant noted it, or it stands on the page without a source, and it
// tells nobody what to do: what has no source may have been pasted there. reads tells how often recall brought a statement. Both
// functions may be nil.
func Info(d *page.Doc, origin func(page.Source) vault.Origin, reads func(page.Statement) int) PageInfo {
	head := d.Page()
	info := PageInfo{Path: d.Path(), Title: head.Title, Type: head.Type, Aliases: head.Aliases, Open: len(d.Conflicts())}
	for _, s := range d.Statements() {
		if s.History || s.Callout || s.Text == "" {
			continue
		}
		l := Line{Text: s.Text, Section: s.Section, Sources: s.Sources, Task: s.Task, Done: s.Done}
		least := vault.Origin("")
		for _, src := range s.Sources {
			l.At = max(l.At, src.Day)
			if origin != nil {
				least = trust.Least(least, origin(src))
			}
		}
		l.Label = trust.Label(least)
		l.Trusted = trust.Bar(trust.Said{Text: s.Text, Origin: least, Loose: len(s.Sources) == 0}, trust.Page) == ""
		if reads != nil {
			l.Reads = reads(s)
		}
		info.Lines = append(info.Lines, l)
	}
	return info
}

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
