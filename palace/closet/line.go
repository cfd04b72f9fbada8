package closet

import (
	"slices"
	"strings"
	"unicode"

	"github.com/reverie-memory/reverie/lexis"
)

// A Line points from one topic to the chunks of drawers that tell of it. A Line is written
//
//	topic|name;name|→id,id
//
// and the topic of a quote stands between quotation marks.
type Line struct {
	Topic string
	Names []string
	IDs   []string // in the order of the text, each once
}

const arrow = "|→"

// String writes the line. What separates its parts is a space within them.
func (l Line) String() string {
	names := make([]string, len(l.Names))
	for i, n := range l.Names {
		names[i] = plain(n)
	}
	return plain(l.Topic) + "|" + strings.Join(names, ";") + arrow + strings.Join(l.IDs, ",")
}

// In says whether texts hold all that the line says, wherever in them.
func (l Line) In(texts ...string) bool {
	all := lexis.Fold(plain(strings.Join(texts, " ")))
	said := append([]string{strings.Trim(l.Topic, `"`)}, l.Names...)
	return !slices.ContainsFunc(said, func(s string) bool { return !strings.Contains(all, lexis.Fold(plain(s))) })
}

// plain is a text on one line without what separates the parts of lines.
func plain(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || strings.ContainsRune("|;→", r)
	}), " ")
}

// pointable says whether a line can name the id.
func pointable(id string) bool { return id != "" && plain(id) == id && !strings.ContainsAny(id, ", ") }

// Parse reads the lines of a closet, in their order. What is no line is left out.
func Parse(text string) (lines []Line) {
	for s := range strings.Lines(text) {
		head, tail, ok := strings.Cut(strings.TrimRight(s, "\r\n"), arrow)
		topic, names, two := strings.Cut(head, "|")
		l := Line{Topic: plain(topic)}
		if !ok || !two || l.Topic == "" || strings.Contains(names, "|") {
			continue
		}
		for id := range strings.SplitSeq(tail, ",") {
			if pointable(id) && !slices.Contains(l.IDs, id) {
				l.IDs = append(l.IDs, id)
			}
		}
		for n := range strings.SplitSeq(names, ";") {
			if n = plain(n); n != "" {
				l.Names = append(l.Names, n)
			}
		}
		if len(l.IDs) > 0 {
			lines = append(lines, l)
		}
	}
	return lines
}
