package page_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/vault"
)

// TestReadsAsTheIndex compares the statements of the sample vaults with the rows that the index makes of the same lines.
func TestReadsAsTheIndex(t *testing.T) {
	const dir = "../../../shared/fixtures/vaults"
	if _, err := os.Stat(dir); err != nil {
		t.Skip("the sample vaults are not here")
	}
	same, other, none := 0, 0, 0
	_ = filepath.WalkDir(dir, func(p string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.EqualFold(filepath.Ext(p), ".md") {
			return err
		}
		data, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		rows, _ := indexer.PageSource(vault.Layout{}).Rows("2_Wiki/a.md", data, indexer.Env{})
		at := map[int]string{}
		for _, r := range rows {
			at[r.Line] = r.Text
		}
		for _, s := range page.Parse("2_Wiki/a.md", data).Statements() {
			row, ok := at[s.Line]
			row = strings.TrimPrefix(strings.TrimPrefix(row, "[ ] "), "[x] ")
			switch {
			case !ok:
				none++
				t.Logf("%s:%d: no row for %q", p, s.Line, s.Text)
			case row == s.Text || len(s.Text) > 500 && strings.HasPrefix(s.Text, row):
				same++
			default:
				other++
				t.Logf("%s:%d:\n%q\n%q", p, s.Line, s.Text, row)
			}
		}
		return nil
	})
	t.Logf("%d the same, %d other, %d without a row", same, other, none)
	if same < 100*(other+none) || same == 0 {
		t.Error("statements read otherwise than rows")
	}
}
