package indexer

import (
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/vault"
)

// What a page shows is what its rows show: no forgotten line stands in either, and no other is missing.
func TestWhoReadsAPageReadsWhatItsRowsShow(t *testing.T) {
	for _, c := range []struct {
		name, gone, page string
		want             string // of the page
	}{
		{"an item of one word", "Zorbulon", "- Zorbulon\n- Tea\n", "- Tea\n"},
		{"an item with a mark", "Zorbulon!", "- [x] Zorbulon!\n- Tea\n", "- Tea\n"},
		{"a word in a sentence", "Zorbulon", "The Zorbulon is red.\n", "The Zorbulon is red.\n"},
		{"a row", "Zorbulon | x", "| Name | y |\n|---|---|\n| Zorbulon | x |\n| Tea | ok |\n", "| Name | y |\n|---|---|\n| Tea | ok |\n"},
		{"the head of a table", "Zorbulon | x", "| Zorbulon | x |\n|---|---|\n| Tea | ok |\n", "|---|---|\n| Tea | ok |\n"},
		{"a table", "Zorbulon | x\nTea | ok", "| Zorbulon | x |\n|---|---|\n| Tea | ok |\n\nRain.\n", "\nRain.\n"},
		{"a line of code", "Zorbulon", "```yaml\nport: 1\nZorbulon\n```\n", "```yaml\nport: 1\n```\n"},
		{"a block of code", "port: 1\nZorbulon", "Rain.\n\n```yaml\nport: 1\nZorbulon\n```\n", "Rain.\n\n"},
		{"a heading", "Zorbulon", "# Zorbulon\n\nRain.\n", "\nRain.\n"},
		{"a heading over nothing", "Zorbulon", "## Zorbulon\n## Rain\n", "## Rain\n"},
		{"a part of an item", "The code is 4711", "- [ ] Call. The code is **4711**.\n", "- [ ] Call.\n"},
		{"a paragraph of two lines", "Zorbulon lives\nnear", "Zorbulon lives\nnear\n", ""},
		{"a quotation", "Zorbulon", "> Zorbulon\n>\n> Rain\n", ">\n> Rain\n"},
		{"a callout", "Zorbulon lives here", "> [!note] House\n> Zorbulon lives here\n", "> Note: House\n"},
		{"a comment beside it", "Zorbulon", "- Zorbulon %% for\nme %%\n- Tea\n", "%% for\nme %%\n- Tea\n"},
		{"nothing", "Zorbulon", "a\n\n    code\n\n---\n[x]: http://example.com\n", "a\n\n    code\n\n---\n[x]: http://example.com\n"},
	} {
		visible := vault.NewTombstones([]vault.Tombstone{{Text: c.gone}}).Visible
		if got := string(ShownBody([]byte(c.page), visible)); got != c.want {
			t.Errorf("%s: the page shows %q, want %q", c.name, got, c.want)
		}
		rows, _ := pageRows("2_Wiki/P.md", []byte(c.page), Env{Visible: visible}, Row{Source: catalog.Notebook})
		for _, r := range rows {
			if said := r.Text + r.Context; strings.Contains(said, "Zorbulon") != strings.Contains(c.want, "Zorbulon") {
				t.Errorf("%s: a row shows %q", c.name, said)
			}
		}
	}
}

// A line of a block stays forgotten when another line of the block is edited.
func TestALineStaysForgottenInABlockThatChanges(t *testing.T) {
	stones := vault.NewTombstones([]vault.Tombstone{{Text: "key: Zorbulon"}})
	for _, page := range []string{
		"```\nport: 1\nkey: Zorbulon\n```\n", "```\nport: 2\nkey: Zorbulon\n```\n", "| key: Zorbulon | |\n|-|-|\n| a | 3 |\n",
	} {
		rows, _ := pageRows("2_Wiki/P.md", []byte(page), Env{Visible: stones.Visible}, Row{Source: catalog.Notebook})
		if len(rows) != 1 || strings.Contains(rows[0].Text, "Zorbulon") {
			t.Errorf("%q gives %v", page, rows)
		}
	}
}
