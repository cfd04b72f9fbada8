package indexer_test

import (
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/internal/nasty"
	"github.com/reverie-memory/reverie/vault"
)

// Rows come from a page of any shape in time that grows with its length, and are named to the person where they are not all.
func TestAnyPageGivesRows(t *testing.T) {
	for _, s := range nasty.Shapes() {
		rows, _ := indexer.PageSource(vault.Layout{}).Rows("a.md", []byte(s.Make(1<<15)), indexer.Env{})
		for _, r := range rows {
			if len(r.Text) > 3200 || len(r.Context) > 6000 {
				t.Errorf("%s: a row of %d bytes with %d of context", s.Name, len(r.Text), len(r.Context))
			}
		}
	}
	for _, c := range []struct {
		name, text string
		line       int // from which the page is not searched
	}{
		{"one paragraph on one line", strings.Repeat("word ", 12<<20), 1},
		{"one paragraph of many lines", strings.Repeat("a line of eighteen\n", 200_000) + "lantern", 0},
		{"one paragraph of very many lines", strings.Repeat("a line of eighteen\n", 3<<20), 220_753},
		{"links that are never closed", strings.Repeat("[a](", 500_000), 0},
		{"very many items", strings.Repeat("- a\n", 1<<20), 10_001},
		{"one long code block", "```\n" + strings.Repeat("x[i] = y\n", 400_000), 0},
	} {
		rows, problems := indexer.PageSource(vault.Layout{}).Rows("a.md", []byte(c.text), indexer.Env{})
		switch {
		case len(rows) == 0 || len(rows) > 10_100:
			t.Errorf("%s: %d rows", c.name, len(rows))
		case c.line == 0 && len(problems) > 0, c.line > 0 && (len(problems) != 1 || problems[0].Line != c.line):
			t.Errorf("%s: %d rows, problems %v, want one at line %d", c.name, len(rows), problems, c.line)
		}
		last := rows[len(rows)-1]
		if c.line == 0 && last.Line < strings.Count(c.text, "\n")-8000 { // a segment's worth
			t.Errorf("%s: the last row is of line %d", c.name, last.Line)
		}
	}
}
