package indexer_test

import (
	"testing"

	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/vault"
)

// Whatever a row takes from the ledgers, the file's key must know of: it names the day of each link that counts as a source.
func TestEverySourceIsCited(t *testing.T) {
	for _, link := range []string{
		"[[2026-06-08#^f1]]", "[[2026-06-08.md#^f1]]", "[[ 2026-06-08 #^f1]]", "[[2026-06-08# ^f1]]", "[[2026-06-08#Head#^f1]]",
		"[[2026-06-08#^f1 |x]]",
		"[[memory/archive/2026-06-08.MD#^f1]]", "[x](memory/archive/2026-06-08.md#^f1)", "[x](memory/archive/2026-06-08.md#%5Ef1)",
		"[x](<2026-06-08#^f1>)",
		"[[2026-06-08.Md#^f1]]", "[x](2026%2D06-08.md#^f1)", "[[2026-06-08\\#^f1]]", "[[2026-06-08#\\^f1]]", "![[2026-06-08#^f1]]",
	} {
		for _, form := range []string{"(" + link + ")", link} {
			data := []byte("- Peanuts " + form + "\n")
			asked := map[vault.Day]bool{}
			env := indexer.Env{Consumed: func(d vault.Day, id string) (vault.Account, bool) { asked[d] = true; return vault.Account{}, false }}
			src := indexer.PageSource(vault.Layout{})
			src.Rows("2_Wiki/Food.md", data, env)
			cited := map[vault.Day]bool{}
			for _, d := range indexer.Uses(src, "2_Wiki/Food.md", data)["ledger"] {
				cited[vault.Day(d)] = true
			}
			for d := range asked {
				if !cited[d] {
					t.Errorf("%s: asks of %s, which is not cited", form, d)
				}
			}
		}
	}
}
