package markdown_test

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"github.com/reverie-memory/reverie/internal/nasty"
	"github.com/reverie-memory/reverie/markdown"
)

func lines(src string) []string {
	if src == "" {
		return nil
	}
	return strings.Split(strings.ReplaceAll(strings.TrimSuffix(src, "\n"), "\r\n", "\n"), "\n")
}

// tree prints the blocks of a text: each with its kind, its first line and what it says.
func tree(src string) string {
	var b strings.Builder
	for block := range markdown.Blocks(lines(src), nil) {
		branch(&b, block, "")
	}
	return b.String()
}

func branch(b *strings.Builder, in *markdown.Block, indent string) {
	said, line := in.String(), in.First+1
	switch in.Kind {
	case markdown.Quote:
		said = "quote"
	case markdown.Item:
		said = "item"
	case markdown.Paragraph:
		if p := in.Parent; p != nil && p.Box != 0 && p.Children[0] == in {
			said = fmt.Sprintf("[%c] %s", p.Box, said)
		}
		said = "paragraph " + trimmed(said)
	case markdown.Heading:
		said = fmt.Sprint("heading ", in.Level, " ", trimmed(said))
	case markdown.Rule:
		said = "rule"
	case markdown.Fence, markdown.Code:
		var s strings.Builder
		for _, t := range in.Text {
			s.WriteString(strings.Repeat(" ", t.Pad) + t.Text + "\n")
		}
		said = fmt.Sprintf("code %s %q", in.Info, s.String())
	case markdown.HTML:
		said = "html " + strings.Join(strings.Fields(said), " ")
	case markdown.Table:
		said = "table"
		for _, row := range in.Text {
			cells := make([]string, in.Columns)
			copy(cells, markdown.Cells(row.Text))
			said += fmt.Sprintf("\n%s  %q", indent, cells)
		}
	}
	fmt.Fprintf(b, "%s%d %s\n", indent, line, said)
	for _, c := range in.Children {
		branch(b, c, indent+"  ")
	}
}

func trimmed(s string) string {
	l := strings.Split(s, "\n")
	for i := range l {
		l[i] = strings.TrimSpace(l[i])
	}
	return strings.Join(l, "/")
}

var blocks = goldmark.New(goldmark.WithExtensions(extension.Table)).Parser()

var checkbox = regexp.MustCompile(`^\[([ \txX])\][ \t]*`)

// parsed prints what goldmark makes of a text, as tree does. goldmark says nothing of where a fence opens, so the line is left out there.
func parsed(src string) string {
	var b strings.Builder
	data := []byte(src)
	value := func(n ast.Node) string {
		var s strings.Builder
		for i := range n.Lines().Len() {
			l := n.Lines().At(i)
			s.Write(l.Value(data))
		}
		return s.String()
	}
	var node func(n ast.Node, indent string)
	children := func(n ast.Node, indent string) {
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			node(c, indent)
		}
	}
	node = func(n ast.Node, indent string) {
		said := value(n)
		switch n := n.(type) {
		case *ast.List, *ast.Document:
			children(n, indent)
			return
		case *ast.Blockquote:
			said = "quote"
		case *ast.ListItem:
			said = "item"
		case *ast.Paragraph, *ast.TextBlock:
			if n.Parent().Kind() == ast.KindListItem && n.PreviousSibling() == nil {
				said = checkbox.ReplaceAllString(said, "[$1] ")
			}
			said = "paragraph " + trimmed(strings.TrimSuffix(said, "\n"))
		case *ast.Heading:
			said = fmt.Sprint("heading ", n.Level, " ", trimmed(strings.TrimSuffix(said, "\n")))
		case *ast.ThematicBreak:
			said = "rule"
		case *ast.FencedCodeBlock:
			info := ""
			if n.Info != nil {
				info = string(n.Info.Segment.Value(data))
			}
			said = fmt.Sprintf("code %s %q", info, said)
		case *ast.CodeBlock:
			said = fmt.Sprintf("code  %q", said)
		case *ast.HTMLBlock:
			if n.HasClosure() {
				said += string(n.ClosureLine.Value(data))
			}
			said = "html " + strings.Join(strings.Fields(said), " ")
		case *extast.Table:
			said = "table"
			for row := n.FirstChild(); row != nil; row = row.NextSibling() {
				var cells []string
				for c := row.FirstChild(); c != nil; c = c.NextSibling() {
					cells = append(cells, value(c))
				}
				said += fmt.Sprintf("\n%s  %q", indent, cells)
			}
			fmt.Fprintf(&b, "%s? %s\n", indent, said)
			return
		}
		fmt.Fprintf(&b, "%s? %s\n", indent, said)
		if n.Kind() == ast.KindBlockquote || n.Kind() == ast.KindListItem {
			children(n, indent+"  ")
		}
	}
	node(blocks.Parse(text.NewReader(data)), "")
	return b.String()
}

var lineNumber = regexp.MustCompile(`(?m)^( *)\d+ `)

var (
	// What goldmark reads otherwise than CommonMark, or at random: definitions of links, which are no blocks here, lines of dashes and equal
	// signs that may belong to a table, and a number in an item whose marker stands alone.
	oddLine = regexp.MustCompile(`(?m)^[ \t>]*(?:[-+*] |\d+[.)] )*(?:\[[^\]]+\]:|--\s*$|=+\s*$|[-+*][ \t]*\n[ \t>]+\d+[.)])`)
	bar     = regexp.MustCompile(`(?m)^[ \t>]*-\s*$`)
	table   = regexp.MustCompile(`\|:?-|-:?\|`)
)

func odd(src string) bool {
	return oddLine.MatchString(src) || bar.MatchString(src) && table.MatchString(src)
}

func asParsed(t *testing.T, name, src string) bool {
	t.Helper()
	want, got := parsed(src), lineNumber.ReplaceAllString(tree(src), "$1? ")
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s: %q (-goldmark +ours)\n%s", name, src, d)
	}
	return want == got
}

// Blocks are those that goldmark finds, in texts of mixed shapes.
func TestBlocksAreAsParsed(t *testing.T) {
	parts := []string{
		"- a", "- b", "* c", "+ d", "- ", "  - e", "   - ee", "    - f", "  g", "    h", "      hh", "\ti", "\t- j", "- \tk", "1. l",
		"2. m", "  3) n", "10. o",
		"", "", "", "", "> p", ">", "> - q", ">   r", ">\ts", "> > t", "> ```", "> ~~~", "> | a | b |", "> |---|---|", "> [!note] T", "> # u",
		"```", "```go x",
		"~~~", "  ```", "   ~~~", "# v", "## w ##", "### ", "#x", "####### y", "---", "***", "* * *", "- - -", "_ _ _", "| a | b |", "|---|---|",
		"| c | d | e |", "a | b", "--|--", ":-:|-", "| x", "|-", "<div>", "</div>", "<!-- x", "-->", "<!-- y -->", "<b>", "<b>z</b>",
		"<script>", "</script>",
		"<?php", "?>", "<!X>", "text", "more text", "lazy", "- [ ] task", "- [x] done", "- [ ]", "[x] no", "`code", "a\\", "b  ", "- - n",
		"- 1. n", "1. - n",
		"- > n", "> 1. n", "- # n", "- ```", "- | a |\n  |---|", "     five", "- <div>", "       seven", "     - x", "12345. long",
		"        z", "-     five",
	}
	r := rand.New(rand.NewPCG(5, 6))
	n, bad := 20_000, 0
	if testing.Short() {
		n = 4000
	}
	for i := 0; i < n && bad < 10; i++ {
		var b strings.Builder
		for range 1 + r.IntN(8) {
			b.WriteString(parts[r.IntN(len(parts))] + "\n")
		}
		if !odd(b.String()) && !asParsed(t, "mix", b.String()) {
			bad++
		}
	}
}

// And in pages that people wrote.
func TestRealBlocksAreAsParsed(t *testing.T) {
	n := 0
	for _, dir := range []string{"../docs", "../indexer/testdata", "../../shared/fixtures/vaults", "../../shared/example-vault"} {
		_ = filepath.WalkDir(dir, func(p string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || filepath.Ext(p) != ".md" {
				return nil //nolint:nilerr // the sample vaults may not be here
			}
			data, err := os.ReadFile(p)
			if err != nil {
				t.Fatal(err)
			}
			if !odd(string(data)) && asParsed(t, p, string(data)) {
				n++
			}
			return nil
		})
	}
	if n == 0 {
		t.Error("no page was read")
	}
}

// Where goldmark differs from CommonMark, or from what people see in Obsidian, these are the blocks.
func TestBlocksOfTheirOwn(t *testing.T) {
	for src, want := range map[string]string{
		// Dashes that continue a paragraph lazily make no table of it.
		"- a\n--\n": "1 item\n  1 paragraph a/--\n",
		// A line below a table underlines nothing.
		"x\n| a |\n|---|\n---\n":     "1 paragraph x\n2 table\n  [\"a\"]\n4 rule\n",
		"| a | b |\n|---|--|\n===\n": "1 table\n  [\"a\" \"b\"]\n3 paragraph ===\n",
		// Definitions of links are words until they are asked for.
		"[a]: /u\n": "1 paragraph [a]: /u\n",
		// A number may begin an item in one whose marker stands alone.
		"-\n  3) n\n": "1 item\n  2 item\n    2 paragraph n\n",
		// The last line of HTML is one of its lines.
		"<pre>a\nb</pre>\n": "1 html <pre>a b</pre>\n",
	} {
		if d := cmp.Diff(want, tree(src)); d != "" {
			t.Errorf("%q (-want +got)\n%s", src, d)
		}
	}
}

// Lines and bytes are where the text stands, and marks say what each line is.
func TestBlocksStandWhereTheySay(t *testing.T) {
	for _, s := range nasty.Shapes() {
		src := lines(s.Make(1 << 13))
		marks := make([]markdown.Mark, len(src))
		var check func(b *markdown.Block)
		check = func(b *markdown.Block) {
			for _, sp := range b.Text {
				if l := src[sp.Line]; sp.From > len(l) || !strings.HasPrefix(l[sp.From:], sp.Text) || sp.Line < b.First || sp.Line > b.Last {
					t.Fatalf("%s: %+v of lines %d to %d is not in %q", s.Name, sp, b.First, b.Last, l)
				}
			}
			at := b.First
			for _, c := range b.Children {
				if c.Parent != b || c.First < at || c.Last > b.Last {
					t.Fatalf("%s: lines %d to %d in %d to %d", s.Name, c.First, c.Last, b.First, b.Last)
				}
				at = c.First
				check(c)
			}
		}
		next := 0
		for b := range markdown.Blocks(src, marks) {
			for ; next < b.First; next++ {
				if strings.TrimSpace(src[next]) != "" || marks[next] != (markdown.Mark{}) {
					t.Fatalf("%s: line %q is in no block: %+v", s.Name, src[next], marks[next])
				}
			}
			next = b.Last + 1
			check(b)
		}
	}
}
