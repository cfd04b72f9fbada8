package page

import "github.com/reverie-memory/reverie/vault"

// A Source is a line of a daily log.
type Source struct {
	Day vault.Day `json:"day"`
	ID  string    `json:"id"`
}

// Meta is the frontmatter of a new page.
type Meta struct {
	Title   string    `json:"title"`
	Aliases []string  `json:"aliases,omitempty"`
	Tags    []string  `json:"tags,omitempty"`
	Type    string    `json:"type,omitempty"`
	Created vault.Day `json:"created,omitempty"`
}

// An Option is one side of a conflict.
type Option struct {
	Text    string   `json:"text"`
	Sources []Source `json:"sources,omitempty"`
}

// Link is the source as a page shows it: [[2026-06-09#^f7q2c81xk0|9 Jun 2026]].
func (s Source) Link() string {
	label := string(s.Day)
	if t := s.Day.Time(); !t.IsZero() {
		label = t.Format("2 Jan 2006")
	}
	return "[[" + string(s.Day) + "#^" + s.ID + "|" + label + "]]"
}
