package markdown

import (
	"bytes"
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

// pages reads CommonMark, tables, task lists, strikethrough, bare links, and Obsidian's links and tags. It holds no state between texts.
var pages = sync.OnceValue(func() parser.Parser {
	md := goldmark.New(
		goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.TaskList, extension.Linkify),
		goldmark.WithParserOptions(parser.WithInlineParsers(
			util.Prioritized(linkParser{&wikilink.Parser{}}, 199),
			util.Prioritized(tagParser{}, 999),
		)),
	)
	return md.Parser()
})

// paragraphs reads text that is known to be paragraphs, without tags and boxes to tick.
var paragraphs = sync.OnceValue(func() parser.Parser {
	p := parser.NewParser(
		parser.WithBlockParsers(util.Prioritized(parser.NewParagraphParser(), 1000)),
		parser.WithInlineParsers(parser.DefaultInlineParsers()...),
		parser.WithInlineParsers(util.Prioritized(linkParser{&wikilink.Parser{}}, 199)),
	)
	md := goldmark.New(goldmark.WithParser(p))
	extension.Strikethrough.Extend(md)
	extension.Linkify.Extend(md)
	return p
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
