package page

import (
	"github.com/reverie-memory/reverie/markdown"
	"github.com/reverie-memory/reverie/vault"
)

// A Source is a line of a daily log.
type Source = markdown.Source

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
