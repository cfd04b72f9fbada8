package indexer

import (
	"bytes"
	"regexp"
	"sync"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
	"go.abhg.dev/goldmark/hashtag"
	"go.abhg.dev/goldmark/wikilink"
)

// markdown is the parser of pages: CommonMark, tables, task lists, strikethrough, bare links, and
// Obsidian's links and tags. It holds no state between texts.
var markdown = sync.OnceValue(func() parser.Parser {
	md := goldmark.New(
		goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.TaskList, extension.Linkify),
		goldmark.WithParserOptions(parser.WithInlineParsers(
			util.Prioritized(linkParser{&wikilink.Parser{}}, 199),
			util.Prioritized(tagParser{}, 999),
		)),
	)
	return md.Parser()
})

// linkParser reads [[Note#Heading|shown]] as Obsidian does, where the wikilink package differs: the
// bar may be escaped (in tables), and the target ends at the first '#'.
type linkParser struct{ *wikilink.Parser }

func (p linkParser) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	_, start := block.PeekLine()
	node := p.Parser.Parse(parent, block, pc)
	link, ok := node.(*wikilink.Node)
	if !ok {
		return nil
	}
	raw := block.Source()[start.Start:]
	_, inner, _ := bytes.Cut(raw, []byte("[["))
	inner, _, _ = bytes.Cut(inner, []byte("]]"))
	target, _, _ := bytes.Cut(inner, []byte("|"))
	target = bytes.TrimSuffix(target, []byte(`\`))
	link.Target, link.Fragment, _ = bytes.Cut(target, []byte("#"))
	return link
}

// tagParser reads #tag, but not the # in C#sharp.
type tagParser struct{}

func (tagParser) Trigger() []byte { return []byte{'#'} }

func (tagParser) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	if c := block.PrecendingCharacter(); c != '\n' && c != ' ' && c != '\t' && c != '(' && c != 0xA0 && c != 0x3000 {
		return nil
	}
	p := hashtag.Parser{Variant: hashtag.ObsidianVariant}
	if node := p.Parse(parent, block, pc); node != nil {
		return node
	}
	return nil
}

var fenceLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("^[ \t>]*(?:[-*+] +)?(`{3,}|~{3,})")
})

// blankComments replaces what stands between two %% by spaces, outside code. Lines and offsets stay.
// A %% without its twin stays as it is, and one within a line needs it in its own paragraph, so that
// nothing that is visible is lost.
func blankComments(src []byte) []byte {
	if !bytes.Contains(src, []byte("%%")) {
		return src
	}
	out, open, fence := bytes.Clone(src), -1, []byte(nil)
	for pos := 0; pos < len(src); {
		end := pos + bytes.IndexByte(src[pos:], '\n') + 1
		if end == pos {
			end = len(src)
		}
		line := src[pos:end]
		if open >= 0 && len(bytes.TrimSpace(line)) == 0 && !atLineStart(src, open) {
			open = -1
		}
		if m := fenceLine().FindSubmatch(line); m != nil && open < 0 {
			switch {
			case fence == nil:
				fence = m[1]
			case m[1][0] == fence[0] && len(m[1]) >= len(fence):
				fence = nil
			}
		} else if fence == nil {
			open = blankLine(src, out, pos, end, open)
		}
		pos = end
	}
	return out
}

func atLineStart(src []byte, pos int) bool {
	for pos > 0 && (src[pos-1] == ' ' || src[pos-1] == '\t') {
		pos--
	}
	return pos == 0 || src[pos-1] == '\n'
}

// blankLine handles one line outside a fence; open is where a comment began, or -1.
func blankLine(src, out []byte, pos, end, open int) int {
	for i := pos; i < end; i++ {
		switch {
		case src[i] == '`' && open < 0: // a code span: go past its twin on this line
			n := 1
			for i+n < end && src[i+n] == '`' {
				n++
			}
			if j := bytes.Index(src[i+n:end], src[i:i+n]); j >= 0 {
				i += n + j + n - 1
			} else {
				i += n - 1
			}
		case src[i] == '%' && i+1 < end && src[i+1] == '%':
			if open < 0 {
				open = i
			} else {
				for j := open; j < i+2; j++ {
					if out[j] != '\n' && out[j] != '\r' {
						out[j] = ' '
					}
				}
				open = -1
			}
			i++
		}
	}
	return open
}
