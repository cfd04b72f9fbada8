package markdown

import (
	"bytes"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// The parser takes more than linear time for marks that are never matched. So no paragraph that it sees has more of them than MaxMarks: a
// longer one is read in parts.
const (
	MaxMarks = 128      // signs that may open a link, a tag, code or emphasis
	partSize = 4 << 10  // bytes of a line that are looked at together
	readSize = 64 << 10 // bytes of a text that are read together
)

// PartEnd is where the line at pos ends, or a first part of it that ends with a word or a link where it can, and how many marks it has.
func PartEnd(src []byte, pos int) (end, marks int) {
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
		if marks < MaxMarks && i-pos < partSize {
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

// ParsePage parses a text of a page. The nodes are to be read with the text that was given.
func ParsePage(src []byte) ast.Node { return pages().Parse(text.NewReader(calm(src))) }

// calm writes braces for the brackets behind the last one that closes: they open nothing, and the parser would make a node for each. Offsets
// stay. Beside emphasis, which the parser reads otherwise where brackets stand open, and HTML, where a bracket may mean something, it does nothing.
func calm(src []byte) []byte {
	n := bytes.LastIndexByte(src, ']') + 1
	paragraph := max(bytes.LastIndex(src[:n], []byte("\n\n")), 0)
	if bytes.IndexByte(src[n:], '[') < 0 || bytes.ContainsAny(src[paragraph:], "*_~<") {
		return src
	}
	return append(bytes.Clone(src[:n]), bytes.ReplaceAll(src[n:], []byte{'['}, []byte{'{'})...)
}

// ReadParagraphs reads text that is known to be paragraphs, on a page that defines those references: a line for each.
func ReadParagraphs(src []byte, refs []parser.Reference) Reading {
	all := NewReader(nil)
	start, marks := 0, 0
	for pos := 0; pos < len(src); {
		end, n := PartEnd(src, pos)
		if pos > start && (marks+n > MaxMarks || end-start > readSize) {
			all.paragraphs(src[start:pos], refs)
			all.WriteString(" ")
			start, marks = pos, 0
		}
		pos, marks = end, marks+n
	}
	all.paragraphs(src[start:], refs)
	return all.Finish(all.Raw())
}

// paragraphs adds a part of a text.
func (r *Reader) paragraphs(src []byte, refs []parser.Reference) {
	pc := parser.NewContext()
	for _, ref := range refs {
		pc.AddReference(ref)
	}
	part := NewReader(src)
	root := paragraphs().Parse(text.NewReader(calm(src)), parser.WithContext(pc))
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		if part.b.Len() > 0 {
			part.b.WriteByte('\n')
		}
		part.Walk(n)
	}
	r.b.WriteString(part.Raw())
	r.Add(part.in)
}
