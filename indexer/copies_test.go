package indexer_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/vault"
)

// TestForgettingInADayWithCopies: what stands twice in a day is told apart by what stands before it, also where a forgetting reads a
// stretch of the day alone.
func TestForgettingInADayWithCopies(t *testing.T) {
	for what, id := range map[string]string{"a drawer that was copied": " ^d0k2m9x1aa", "two without ids that say the same": ""} {
		t.Run(what, func(t *testing.T) {
			w := newWorld(t).open()
			forget := func(text string) {
				t.Helper()
				if err := w.v.Forget(t.Context(), []vault.Tombstone{{Text: text}}); err != nil {
					t.Fatal(err)
				}
				w.sync(string(vault.TombstonesPath))
			}
			forget("a thing that nobody ever said")
			twice := "\n## 10:00 — c1" + id + "\n```drawer\nThe harbour tram runs on Sundays.\n```\n"
			file := "# Drawers - " + day + "\n" + twice
			for i := range 120 {
				file += fmt.Sprintf("\n## 10:01 — c1 ^d0k2m9x%03d\n```drawer\nNumber %d lies in the attic. %s\n```\n", i, i,
					strings.Repeat("It rained all day, and nobody came. ", 20))
				if i == 100 {
					file += twice
				}
			}
			w.write("memory/drawers/"+day+".md", file)
			w.sync()
			w.equal()
			forget("Number 99 lies in the attic")
			w.equal()
			for _, i := range []int{0, 101, 119} {
				forget(fmt.Sprintf("Number %d lies in the attic", i))
			}
			w.equal()
			w.settle()
			w.verified()
		})
	}
}
