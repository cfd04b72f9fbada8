package page

import (
	"regexp"
	"sync"

	"github.com/reverie-memory/reverie/markdown"
)

// reading is what a person and the index see in the text of an item.
type reading struct {
	text    string
	sources []Source
}

var sourceRE, groupRE = markdown.SourceRE, markdown.GroupRE

var blockRE = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:^|[ \t]+)\^[A-Za-z0-9-]+[ \t]*$`) })

// Shown is how a text of a page reads: links by what they show, no marks, no sources, no block id.
func Shown(s string) string { return read(fold(s)).text }

// Sources lists the source links of a text, in its order.
func Sources(line string) []Source { return read(line).sources }

// read reads the text of an item, or a part of it.
func read(s string) reading {
	in := markdown.Read(s, nil)
	if in.Page != "" {
		in.Text += " (" + in.Page + ")"
	}
	return reading{text: in.Text, sources: in.Sources}
}
