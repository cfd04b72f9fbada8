package markdown

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// The parser takes more than linear time for marks that are never matched. So no paragraph that it sees has more of them than maxMarks: a
// longer one is read in parts.
const (
	maxMarks = 128      // signs that may open a link, a tag, code or emphasis
	partSize = 4 << 10  // bytes of a line that are looked at together
	readSize = 64 << 10 // bytes of a text that are read together
)

// partEnd is where the line at pos ends, or a first part of it that ends with a word or a link where it can, and how many marks it has.
func partEnd(src []byte, pos int) (end, marks int) {
	word, inside := 0, false
	for i := pos; i < len(src); i++ {
		switch src[i] {
		case '\n':
			return i + 1, marks
		case ' ', '\t':
			if !inside {
				word = i + 1
			}
		case ']':
			if inside && i+1 < len(src) && src[i+1] == ']' {
				word, inside = i+2, false
			}
		case '[', '<', '`', '*', '_', '~':
			marks++
			inside = inside || src[i] == '[' && i > pos && src[i-1] == '['
		}
		if marks < maxMarks && i-pos < partSize {
			continue
		}
		if word > pos {
			return word, marks
		}
		for i+1 < len(src) && !utf8.RuneStart(src[i+1]) && i-pos < partSize+utf8.UTFMax {
			i++
		}
		return i + 1, marks
	}
	return len(src), marks
}

// calm writes braces for the brackets that open nothing, for which the parser would look far ahead and make nodes: those behind the last
// one that closes or, where no definition makes links of names, behind the last that a target or another bracket follows. Offsets stay.
// Beside emphasis, which the parser reads otherwise where brackets stand open, and HTML, where a bracket may mean something, it does
// nothing.
func calm(src []byte, named bool) []byte {
	n := bytes.LastIndexByte(src, ']') + 1
	if !named {
		n = min(n, 1+max(bytes.LastIndexByte(src, ')'), 1+bytes.LastIndex(src, []byte("]]"))))
	}
	paragraph := max(bytes.LastIndex(src[:n], []byte("\n\n")), 0)
	if bytes.IndexByte(src[n:], '[') < 0 || bytes.ContainsAny(src[paragraph:], "*_~<") {
		return src
	}
	return append(bytes.Clone(src[:n]), bytes.ReplaceAll(src[n:], []byte{'['}, []byte{'{'})...)
}

// mayLink tells whether a text may hold a bare link or the address of a mail.
func mayLink(src []byte) bool {
	return bytes.IndexByte(src, '@') >= 0 || bytes.Contains(src, []byte("www.")) || bytes.Contains(src, []byte("://"))
}

// calmWords writes letters for the underscores within words, which open and close nothing, but make nodes. Offsets stay. calmWords does
// nothing where they may be part of a name: of a tag, a link, a character, code.
func calmWords(src []byte) []byte {
	if bytes.IndexByte(src, '_') < 0 || bytes.ContainsAny(src, "#[<&`\\") {
		return src
	}
	out := bytes.Clone(src)
	for i := 1; i < len(src)-1; i++ {
		if src[i] != '_' || !wordByte(src[i-1]) {
			continue
		}
		end := i
		for end < len(src) && src[end] == '_' {
			end++
		}
		if end < len(src) && wordByte(src[end]) {
			for ; i < end; i++ {
				out[i] = 'x'
			}
		}
		i = end
	}
	return out
}

func wordByte(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' }

// Read reads the text of a paragraph, or of several with an empty line between them: a line for each. The definitions are those of
// the page, nil where it has none. Most texts are words and one group of sources, and need no parser.
func Read(text string, defs Definitions) Reading {
	if head, srcs, ok := simple(text); ok {
		return Reading{Text: head, Sources: srcs, Ends: len(srcs) > 0}
	}
	return parsed(text, defs)
}

// parsed is Read for any text.
func parsed(text string, defs Definitions) Reading {
	r := NewReader(defs)
	r.Text(text, false)
	return r.Finish(r.Raw())
}

// Text adds what the text of a paragraph shows. Its lines are joined by a space, or else kept apart.
func (r *Reader) Text(s string, apart bool) {
	if plain := strings.ReplaceAll(s, "\n", " "); !apart && plainText(plain) {
		r.b.WriteString(plain)
		return
	}
	src := []byte(s)
	start, marks := 0, 0
	for pos := 0; pos < len(src); {
		end, n := partEnd(src, pos)
		if pos > start && (marks+n > maxMarks || end-start > readSize) {
			r.part(src[start:pos], apart)
			r.b.WriteString(" ")
			start, marks = pos, 0
		}
		pos, marks = end, marks+n
	}
	r.part(src[start:], apart)
}

// part adds a part of a text.
func (r *Reader) part(src []byte, apart bool) {
	p, calmed := paragraphs, src
	if !mayLink(src) {
		p, calmed = unlinked, calmWords(src)
	}
	r.read(src, calm(calmed, r.defs != nil && r.defs.Get(defined) != nil), p(), apart)
}

// read adds a text that is parsed with fewer marks.
func (r *Reader) read(src, calmed []byte, p parser.Parser, apart bool) {
	if r.defs == nil {
		r.defs = parser.NewContext()
	}
	r.src = src
	root := p.Parse(text.NewReader(calmed), parser.WithContext(r.defs))
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		if n != root.FirstChild() {
			r.b.WriteByte('\n')
		}
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			r.walk(c)
			if t, ok := c.(*ast.Text); ok && apart && t.SoftLineBreak() {
				r.b.WriteByte('\n')
			}
		}
	}
}
