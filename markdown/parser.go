package markdown

import (
	"bytes"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
	"go.abhg.dev/goldmark/hashtag"
	"go.abhg.dev/goldmark/wikilink"
)

// paragraphs reads text that is known to be paragraphs: CommonMark's marks, strikethrough, bare links, and Obsidian's links and tags.
// paragraphs holds no state between texts.
var paragraphs = sync.OnceValue(func() parser.Parser { return inline(extension.Strikethrough, extension.Linkify) })

// unlinked is paragraphs for text that holds no bare link: those are looked for at each blank and mark.
var unlinked = sync.OnceValue(func() parser.Parser { return inline(extension.Strikethrough) })

func inline(also ...goldmark.Extender) parser.Parser {
	p := parser.NewParser(
		parser.WithBlockParsers(util.Prioritized(parser.NewParagraphParser(), 1000)),
		parser.WithInlineParsers(parser.DefaultInlineParsers()...),
		parser.WithInlineParsers(
			util.Prioritized(linkParser{&wikilink.Parser{}}, 199),
			util.Prioritized(tagParser{}, 999),
		),
	)
	goldmark.New(goldmark.WithParser(p), goldmark.WithExtensions(also...))
	return p
}

// definer reads the definitions that paragraphs begin with.
var definer = sync.OnceValue(func() parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(util.Prioritized(parser.NewParagraphParser(), 1000)),
		parser.WithParagraphTransformers(util.Prioritized(parser.LinkReferenceParagraphTransformer, 100)),
	)
})

// Definitions are what a page says where its links lead that are named only: [name]: where. Definitions belong to one goroutine.
type Definitions parser.Context

// defined is set where there may be one.
var defined = parser.NewContextKey()

// NewDefinitions has none yet.
func NewDefinitions() Definitions { return parser.NewContext() }

// Define takes the definitions at the beginning of a paragraph out of its text. Read with nil definitions they are words like others.
// Many of them are read in parts, for the parser takes more than linear time.
func (b *Block) Define(defs Definitions) {
	for (b.Kind == Paragraph || b.Kind == Heading) && len(b.Text) > 0 && strings.HasPrefix(b.Text[0].Text, "[") {
		n := min(len(b.Text), 32)
		for n < len(b.Text) && !strings.HasPrefix(b.Text[n].Text, "[") {
			n++
		}
		src := (&Block{Text: b.Text[:n]}).String()
		if !strings.Contains(src, "]:") {
			return
		}
		defs.Set(defined, true)
		last := definer().Parse(text.NewReader([]byte(src)), parser.WithContext(defs)).LastChild()
		if last != nil && last.Kind() == ast.KindParagraph {
			if n = strings.Count(src[:last.Lines().At(0).Start], "\n"); n == 0 {
				return
			}
		}
		b.Text = b.Text[n:]
	}
}

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
	line, seg := block.PeekLine()
	end, named := 1, false
	for end < len(line) && tagByte(line[end]) {
		named = named || line[end] < '0' || line[end] > '9'
		end++
	}
	// What an emoji and the letters of other scripts are, the package knows.
	if end < len(line) && max(line[end], line[min(end+1, len(line)-1)]) >= utf8.RuneSelf {
		p := hashtag.Parser{Variant: hashtag.ObsidianVariant}
		if node := p.Parse(parent, block, pc); node != nil {
			return node
		}
		return nil
	}
	if !named {
		return nil
	}
	seg = seg.WithStop(seg.Start + end)
	node := &hashtag.Node{Tag: block.Value(seg.WithStart(seg.Start + 1))}
	node.AppendChild(node, ast.NewTextSegment(seg))
	block.Advance(seg.Len())
	return node
}

func tagByte(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c == '_' || c == '-' || c == '/'
}
