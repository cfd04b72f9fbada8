package mine

import (
	"bytes"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// unread are elements whose content nobody reads.
var unread = map[atom.Atom]bool{
	atom.Script: true, atom.Style: true, atom.Template: true, atom.Noscript: true, atom.Svg: true, atom.Math: true, atom.Iframe: true,
	atom.Nav: true, atom.Select: true,
}

// blocks are elements that begin a line of their own.
var blocks = map[atom.Atom]bool{
	atom.P: true, atom.Div: true, atom.Br: true, atom.Li: true, atom.Tr: true, atom.H1: true, atom.H2: true, atom.H3: true, atom.H4: true,
	atom.H5: true, atom.H6: true, atom.Section: true, atom.Article: true, atom.Header: true, atom.Footer: true, atom.Main: true,
	atom.Aside: true,
	atom.Pre:   true, atom.Blockquote: true, atom.Table: true, atom.Ul: true, atom.Ol: true, atom.Dl: true, atom.Dt: true, atom.Dd: true,
	atom.Figure: true, atom.Figcaption: true, atom.Hr: true, atom.Title: true, atom.Body: true,
}

// htmlReader puts the words of a page into lines.
type htmlReader struct {
	d     document
	body  strings.Builder
	line  strings.Builder // that is being written
	began int             // where it began
	at    int             // line of the file
	skip  atom.Atom       // the element that is not read
	depth int             // how often it is open
	title bool
	pre   bool
	level int // of the heading
}

// readHTML reads the words of a page, a heading as Markdown writes it. readHTML reads tokens, not a tree, so that no page takes longer than
// its length.
func readHTML(page string) document {
	r := htmlReader{d: document{form: markdown}, at: 1}
	z := html.NewTokenizer(strings.NewReader(page))
	z.SetMaxBuf(len(page) + 1)
	for {
		kind := z.Next()
		raw := z.Raw()
		n := bytes.Count(raw, []byte("\n"))
		switch kind {
		case html.ErrorToken:
			r.end()
			r.d.body = r.body.String()
			if r.d.lines == nil {
				r.d.lines = []int{1}
			}
			return r.d
		case html.TextToken:
			r.text(string(z.Text()))
			continue
		case html.StartTagToken, html.SelfClosingTagToken:
			name, _ := z.TagName()
			r.tag(atom.Lookup(name), true, kind == html.SelfClosingTagToken)
		case html.EndTagToken:
			name, _ := z.TagName()
			r.tag(atom.Lookup(name), false, false)
		}
		r.at += n
	}
}

func (r *htmlReader) tag(a atom.Atom, open, closed bool) {
	switch {
	case r.skip != 0:
		if a == r.skip && !closed {
			if open {
				r.depth++
			} else if r.depth--; r.depth == 0 {
				r.skip = 0
			}
		}
		return
	case unread[a] && open && !closed:
		r.skip, r.depth = a, 1
		return
	case a == atom.Td || a == atom.Th:
		r.line.WriteByte(' ')
		return
	case !blocks[a]:
		return
	}
	r.end()
	switch a {
	case atom.Title:
		r.title = open
	case atom.Pre:
		r.pre = open
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		r.level = 0
		if open {
			r.level = int(a.String()[1] - '0')
		}
	}
}

// text takes a text and its lines.
func (r *htmlReader) text(s string) {
	for i, part := range strings.Split(s, "\n") {
		if i > 0 {
			r.at++
			if r.pre {
				r.end()
			}
		}
		if r.skip != 0 {
			continue
		}
		if strings.TrimSpace(part) == "" {
			if r.line.Len() > 0 {
				r.line.WriteByte(' ')
			}
			continue
		}
		if r.line.Len() == 0 {
			r.began = r.at
		} else if i > 0 {
			r.line.WriteByte(' ')
		}
		r.line.WriteString(part)
	}
}

// end ends the line that is being written.
func (r *htmlReader) end() {
	text := r.line.String()
	r.line.Reset()
	if !r.pre {
		text = strings.Join(strings.Fields(text), " ")
	}
	switch {
	case strings.TrimSpace(text) == "":
		return
	case r.title:
		r.d.title = text
		return
	case r.level > 0:
		text = strings.Repeat("#", r.level) + " " + text
	}
	if r.body.Len() > 0 && !r.pre {
		r.body.WriteByte('\n') // a paragraph
		r.d.lines = append(r.d.lines, r.began)
	}
	r.body.WriteString(text + "\n")
	r.d.lines = append(r.d.lines, r.began)
}
