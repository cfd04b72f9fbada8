package lint

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/reverie-memory/reverie/markdown"
	"github.com/reverie-memory/reverie/vault"
)

// A want is a link to a heading or a block of one of the files.
type want struct {
	files []int
	from  vault.Path
	line  int
	text  string
	part  string
	there bool
}

// parts reads every file that a part is wanted of, once, and tells of the parts that it has not.
func (c *checker) parts(ctx context.Context) error {
	type ask struct{ file, want int }
	var asks []ask
	for w := range c.wanted {
		for _, f := range c.wanted[w].files {
			asks = append(asks, ask{f, w})
		}
	}
	slices.SortFunc(asks, func(a, b ask) int { return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.want, b.want)) })
	var has *parts
	for i, a := range asks {
		if err := ctx.Err(); err != nil {
			return err
		}
		if i == 0 || asks[i-1].file != a.file {
			data, ok := c.read(c.files.paths[a.file])
			has = partsOf(data)
			has.all = !ok
		}
		if has.has(c.wanted[a.want].part) {
			c.wanted[a.want].there = true
		}
	}
	for _, w := range c.wanted {
		if !w.there {
			c.add(DeadLink, w.from, w.line, w.text+" leads to no heading or block of "+string(c.files.paths[w.files[0]]), "correct the link")
		}
	}
	c.wanted = c.wanted[:0]
	return nil
}

// parts are the headings and block ids of a file.
type parts struct {
	all              bool // not known: then everything is there
	headings, blocks map[string]bool
}

var blockID = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:^|\s)\^([A-Za-z0-9_-]+)\s*$`) })

func partsOf(data []byte) *parts {
	p := &parts{headings: map[string]bool{}, blocks: map[string]bool{}}
	for b := range blocks(data) {
		if b.Kind == markdown.Fence || b.Kind == markdown.Code {
			continue
		}
		if b.Kind == markdown.Heading {
			p.heading(b.String())
		}
		for _, t := range b.Text {
			if !strings.Contains(t.Text, "^") {
				continue
			}
			if m := blockID().FindStringSubmatch(t.Text); m != nil {
				p.blocks[strings.ToLower(m[1])] = true
			}
		}
	}
	return p
}

func (p *parts) heading(text string) {
	p.headings[plain(text)] = true
	p.headings[plain(vault.Unlinked(text))] = true
	if m := blockID().FindStringIndex(text); m != nil {
		p.headings[plain(text[:m[0]])] = true
	}
}

// plain is a heading as links are compared with it: letters and digits alone. Obsidian drops more or less punctuation from
// version to version.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) || unicode.IsSymbol(r) {
			return r
		}
		return -1
	}, strings.NewReplacer("`", "", "^", "", "~", "", "|", "", "=", "").Replace(fold(s)))
}

// has tells whether a part is there: "^id", "Heading" or "Heading#Heading below".
func (p *parts) has(part string) bool {
	for h := range strings.SplitSeq(part, "#") {
		h = strings.TrimSpace(h)
		id, block := strings.CutPrefix(h, "^")
		there := p.headings[plain(h)]
		if block {
			there = p.blocks[strings.ToLower(strings.TrimSpace(id))]
		}
		if h != "" && !there && !p.all {
			return false
		}
	}
	return true
}
