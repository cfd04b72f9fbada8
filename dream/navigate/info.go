package navigate

import (
	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/vault"
)

// Info is what the navigation files need of a page. trusted tells whether a person said what stands in a line of a daily log: a
// statement counts as trusted when that holds for all its sources, or when it has none, since then a person wrote it on the page.
// reads tells how often recall brought a statement; both may be nil.
func Info(d *page.Doc, trusted func(page.Source) bool, reads func(page.Statement) int) PageInfo {
	head := d.Page()
	info := PageInfo{Path: d.Path(), Title: head.Title, Type: head.Type, Aliases: head.Aliases, Open: len(d.Conflicts())}
	if day, err := vault.ParseDay(head.Updated); err == nil {
		info.Updated = day
	}
	for _, s := range d.Statements() {
		if s.History || s.Callout || s.Text == "" {
			continue
		}
		l := Line{Text: s.Text, Section: s.Section, Sources: s.Sources, Task: s.Task, Done: s.Done, Trusted: true}
		for _, src := range s.Sources {
			l.At = max(l.At, src.Day)
			l.Trusted = l.Trusted && (trusted == nil || trusted(src))
		}
		if reads != nil {
			l.Reads = reads(s)
		}
		info.Lines = append(info.Lines, l)
	}
	return info
}

// Questions are the open conflicts of a page, for MEMORY.md. trusted is as in [Info].
func Questions(d *page.Doc, trusted func(page.Source) bool) []Question {
	var list []Question
	for _, c := range d.Conflicts() {
		q := Question{Page: d.Page().Title, Text: c.Question, Trusted: true}
		for _, o := range c.Options {
			q.Options = append(q.Options, o.Text)
			for _, src := range o.Sources {
				q.At = max(q.At, src.Day)
				q.Trusted = q.Trusted && (trusted == nil || trusted(src))
			}
		}
		list = append(list, q)
	}
	return list
}
