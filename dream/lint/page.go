package lint

import (
	"fmt"
	"path"
	"regexp"
	"strings"
	"sync"

	"golang.org/x/text/unicode/norm"

	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/vault"
)

// page checks one page by itself, and notes which parts of other files it wants.
func (c *checker) page(i int, p vault.Path) {
	data, ok := c.read(p)
	if !ok {
		return
	}
	doc := page.Parse(p, data)
	head := vault.ParsePage(p, data)
	for _, problem := range head.Problems {
		c.add(Frontmatter, p, problem.Line, problem.Reason, problem.Hint)
	}
	if wiki(c.vault.Layout(), p) {
		c.names(p, head)
	}
	for _, s := range doc.Statements() {
		c.statement(i, p, s)
	}
	for _, q := range doc.Conflicts() {
		c.conflict(p, q)
	}
	var own *parts
	for l := range links(data) {
		switch {
		case l.source.ID != "":
			if k, ok := c.files.pages.byPath[pageKey(string(vault.LogPath(l.source.Day)))]; ok {
				c.files.linked[k] = true
			}
			c.cite(i, l.line, -1, l.source)
		case l.target == "":
			if own == nil {
				own = partsOf(data)
			}
			if !own.has(l.part) {
				c.add(DeadLink, p, l.line, l.text+" leads to no heading or block of this page", "correct the link")
			}
		default:
			c.link(i, p, l)
		}
	}
}

func (c *checker) link(i int, p vault.Path, l link) {
	at := c.files.resolve(p, l.target)
	for _, k := range at {
		if k != i {
			c.files.linked[k] = true
		}
	}
	switch {
	case len(at) > 0 && l.part != "":
		c.wanted = append(c.wanted, want{files: at, from: p, line: l.line, text: strings.Clone(l.text), part: strings.Clone(l.part)})
	case len(at) == 0 && !c.files.attachment(p, l.target):
		c.add(DeadLink, p, l.line, l.text+" leads to no file", "write the page, or correct the link")
	}
}

// titled finds the title in the frontmatter.
var titled = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^["']?title["']?[ \t]*:`) })

// names tells of two pages that one name leads to. The first heading is none: "Context" heads many pages.
func (c *checker) names(p vault.Path, head *vault.Page) {
	own := map[string]bool{}
	title := head.Title
	if !titled().Match(head.Front) {
		title = strings.TrimSuffix(path.Base(string(p)), path.Ext(string(p)))
	}
	for k, name := range append([]string{title}, head.Aliases...) {
		key := fold(strings.TrimSpace(name))
		if key == "" || own[key] {
			continue
		}
		own[key] = true
		first, ok := c.called[key]
		if !ok {
			c.called[key] = p
			continue
		}
		what := "title"
		if k > 0 {
			what = "alias"
		}
		c.add(DuplicateName, p, 0, fmt.Sprintf("the %s %q is a name of %s as well", what, name, first),
			"rename one, or bring the two pages together")
	}
}

func fold(s string) string { return strings.ToLower(norm.NFC.String(s)) }

// statement tells of what was forgotten, and notes its sources: they may have been.
func (c *checker) statement(i int, p vault.Path, s page.Statement) {
	if _, ok := c.stones.Match(s.Text); ok {
		c.add(Forgotten, p, s.Line, "says what was forgotten", hintForgotten)
		return
	}
	if len(s.Sources) == 0 {
		return
	}
	c.said = append(c.said, said{page: i, line: s.Line, sources: len(s.Sources)})
	for _, src := range s.Sources {
		c.cite(i, s.Line, len(c.said)-1, src)
	}
}

func (c *checker) conflict(p vault.Path, q page.Conflict) {
	newest := vault.Day("")
	for _, o := range q.Options {
		for _, s := range o.Sources {
			newest = max(newest, s.Day)
		}
	}
	if newest == "" || c.today == "" {
		return
	}
	if age := int(c.today.Time().Sub(newest.Time()).Hours() / 24); age > conflictDays {
		c.add(OldConflict, p, q.Line, fmt.Sprintf("has waited for %d days: %s", age, q.Question),
			"tick what is right in 0_Inbox/Conflicts.md, or correct the page")
	}
}
