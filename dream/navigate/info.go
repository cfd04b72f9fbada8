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
