package markdown

import (
	"bytes"
	"regexp"
	"strings"
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"
	"go.abhg.dev/goldmark/hashtag"
	"go.abhg.dev/goldmark/wikilink"

	"github.com/reverie-memory/reverie/lexis/calendar"
)

// A Reading is the text of a block, and what its marks said.
type Reading struct {
	Text    string
	Tags    []string
	BlockID string   // its Obsidian block id
	Sources []Source // the log lines that it links to, in its order
	Ends    bool     // with its sources: it is a statement
	Page    string   // the page that it links to in brackets before them; not in Text
}

// A Source is a line of a daily log that a page links to.
type Source struct {
	Day calendar.Day `json:"day"`
	ID  string       `json:"id"`
}

// SourceOf reads the two halves of a link: its target, a daily log, and the block id behind the '#'.
func SourceOf(target, fragment string) (Source, bool) {
	id, ok := strings.CutPrefix(fragment, "^")
	if !ok {
		return Source{}, false
	}
	day, err := calendar.ParseDay(strings.TrimSuffix(target[strings.LastIndexByte(target, '/')+1:], ".md"))
	if err != nil {
		return Source{}, false
	}
	return Source{Day: day, ID: strings.TrimSpace(id)}, true
}

// Link is the source as a page shows it: [[2026-06-09#^f7q2c81xk0|9 Jun 2026]].
func (s Source) Link() string {
	label := string(s.Day)
	if t := s.Day.Time(); !t.IsZero() {
		label = t.Format("2 Jan 2006")
	}
	return "[[" + string(s.Day) + "#^" + s.ID + "|" + label + "]]"
}

// Newest is the newest day of the sources, "" when there are none.
func (r *Reading) Newest() (day calendar.Day) {
	for _, s := range r.Sources {
		day = max(day, s.Day)
	}
	return day
}

// Rules of what is shown. A source link reads badly in the middle of a hit and would draw every
// statement of a day together when embedded, so it goes; its day stays as the statement's date.
var (
	blockID    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:^|\s)\^([A-Za-z0-9-]+)\s*$`) })
	sourceMark = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\s*\(\s*(?:\x00[\s,;]*)+\)`) })
	highlight  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`==([^=\n]+)==`) })
	sourceEnd  = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\(\s*(?:\x00[\s,;]*)+\)[\s.;!?]*(?:\^[A-Za-z0-9-]+\s*)?$`)
	})
	pageEnd = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\s*\(\x01([^\x01\x02]*)\x02\)\s*((?:\^[A-Za-z0-9-]+\s*)?)$`)
	})
	footnote = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\[\^[^\]\s]+\]:?`) })
)

// Marks until the text is finished: around what a link to a page shows, and for an escaped ^, which makes no block id. A source link
// is a zero byte.
const (
	linkStart = "\x01"
	linkEnd   = "\x02"
	caret     = "\x03"
)

var unmarked = strings.NewReplacer(linkStart, "", linkEnd, "")

// A Reader gathers the text of paragraphs bit by bit.
type Reader struct {
	defs Definitions
	src  []byte
	b    strings.Builder
	in   Reading
}

// NewReader reads texts of a page with those definitions, nil where it has none.
func NewReader(defs Definitions) *Reader { return &Reader{defs: defs} }

// WriteString adds text as it is shown.
func (r *Reader) WriteString(s string) { r.b.WriteString(s) }

// Add takes over what the marks of another text said.
func (r *Reader) Add(in Reading) {
	r.in.Tags = append(r.in.Tags, in.Tags...)
	r.in.Sources = append(r.in.Sources, in.Sources...)
}

// Raw is what was gathered, still with our own marks for links.
func (r *Reader) Raw() string { return r.b.String() }

// Finish makes the reading of raw, which is [Reader.Raw] or a part of it.
func (r *Reader) Finish(s string) Reading {
	in := r.in
	if strings.ContainsRune(s, 0) {
		in.Ends = sourceEnd().MatchString(s)
		s = sourceMark().ReplaceAllString(s, "")
		if m := pageEnd().FindStringSubmatchIndex(s); m != nil && in.Ends {
			in.Page, s = s[m[2]:m[3]], s[:m[0]]+" "+s[m[4]:]
		}
		s = strings.ReplaceAll(s, "\x00", "")
	}
	if strings.Contains(s, linkStart) {
		s = unmarked.Replace(s)
	}
	s = strings.TrimSpace(s)
	if strings.Contains(s, "^") {
		if m := blockID().FindStringSubmatchIndex(s); m != nil {
			in.BlockID, s = s[m[2]:m[3]], s[:m[0]]
		}
	}
	if strings.Contains(s, "==") {
		s = highlight().ReplaceAllString(s, "$1")
	}
	if strings.Contains(s, "[^") {
		s = footnote().ReplaceAllString(s, "")
	}
	s = strings.ReplaceAll(s, caret, "^")
	in.Text = SingleSpaced(s)
	return in
}

// SingleSpaced keeps the lines and makes one space of several.
func SingleSpaced(s string) string {
	if !strings.ContainsAny(s, "\t\n") && !strings.Contains(s, "  ") {
		return strings.TrimSpace(s)
	}
	one := make([]byte, 0, len(s))
	for i := range len(s) {
		c := s[i]
		if c == '\t' {
			c = ' '
		}
		if n := len(one); c != ' ' || n == 0 || one[n-1] != ' ' {
			one = append(one, c)
		}
	}
	lines := strings.Split(string(one), "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// walk adds what a node shows.
func (r *Reader) walk(n ast.Node) {
	switch n := n.(type) {
	case *ast.Text:
		r.b.WriteString(plain(n.Segment.Value(r.src)))
		switch {
		case n.HardLineBreak():
			r.b.WriteByte('\n')
		case n.SoftLineBreak():
			r.b.WriteByte(' ')
		}
		return
	case *ast.String:
		r.b.Write(n.Value)
		return
	case *ast.CodeSpan:
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			if code, ok := c.(*ast.Text); ok {
				r.b.WriteString(strings.ReplaceAll(string(code.Segment.Value(r.src)), "\n", " "))
			}
		}
		return
	case *ast.AutoLink:
		r.b.Write(n.Label(r.src))
		return
	case *ast.RawHTML:
		for i := range n.Segments.Len() {
			if s := n.Segments.At(i); bytes.HasPrefix(bytes.ToLower(s.Value(r.src)), []byte("<br")) {
				r.b.WriteByte('\n')
			}
		}
		return
	case *hashtag.Node:
		r.in.Tags = append(r.in.Tags, string(n.Tag))
	case *wikilink.Node:
		r.link(n)
		return
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		r.walk(c)
	}
}

// link writes what a wikilink shows, and takes the sources.
func (r *Reader) link(n *wikilink.Node) {
	if n.Embed {
		return
	}
	if s, ok := SourceOf(string(n.Target), string(n.Fragment)); ok {
		r.in.Sources = append(r.in.Sources, s)
		r.b.WriteByte(0)
		return
	}
	name := string(n.Target)
	name = strings.TrimSuffix(name[strings.LastIndexByte(name, '/')+1:], ".md")
	shown := ""
	if label, ok := n.FirstChild().(*ast.Text); ok {
		shown = string(label.Segment.Value(r.src))
	}
	if _, label, ok := strings.Cut(shown, "|"); ok { // a bar within the label: Obsidian shows the last part
		shown = label
	}
	whole := string(n.Target)
	if len(n.Fragment) > 0 {
		whole += "#" + string(n.Fragment)
	}
	if shown != whole {
		r.b.WriteString(linkStart + strings.TrimSpace(shown) + linkEnd)
		return
	}
	if len(n.Fragment) > 0 && n.Fragment[0] != '^' {
		if name != "" {
			name += " > "
		}
		name += strings.ReplaceAll(string(n.Fragment), "#", " > ")
	}
	r.b.WriteString(linkStart + name + linkEnd)
}

// Plain takes Markdown's escapes and entities out of a text.
func Plain(s string) string { return strings.ReplaceAll(plain([]byte(s)), caret, "^") }

// plain takes Markdown's escapes and entities out of a text segment; an escaped ^ keeps its mark.
func plain(b []byte) string {
	if bytes.IndexByte(b, '\\') >= 0 {
		b = bytes.ReplaceAll(b, []byte(`\^`), []byte(caret))
		b = util.UnescapePunctuations(b)
	}
	if bytes.IndexByte(b, '&') >= 0 {
		b = util.ResolveEntityNames(util.ResolveNumericReferences(b))
	}
	return strings.ReplaceAll(string(b), "\x00", "")
}
