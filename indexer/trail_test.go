package indexer_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/vault"
)

// TestForgettingReadsTheFilesThatItIsAbout: what is forgotten or taken back has the files read that may tell it, and no others, after a
// restart as well.
func TestForgettingReadsTheFilesThatItIsAbout(t *testing.T) {
	w := newWorld(t)
	read := map[vault.Path]bool{}
	w.tweak = func(o *indexer.Options) {
		o.Sources = indexer.DefaultSources(w.v.Layout())
		for i := range o.Sources {
			rows := o.Sources[i].Rows
			o.Sources[i].Follow = nil
			o.Sources[i].Rows = func(p vault.Path, data []byte, env indexer.Env) ([]indexer.Row, []vault.Problem) {
				read[p] = true
				return rows(p, data, env)
			}
		}
	}
	forget := func(text, id string) {
		t.Helper()
		if err := w.v.Forget(t.Context(), []vault.Tombstone{{Text: text, ID: id}}); err != nil {
			t.Fatal(err)
		}
	}
	follow := func(what string, want ...vault.Path) {
		t.Helper()
		clear(read)
		w.sync(string(vault.TombstonesPath))
		if got := slices.Sorted(maps.Keys(read)); !slices.Equal(got, want) {
			t.Errorf("%s: read %q, want %q", what, got, want)
		}
		w.equal()
	}
	w.open()
	w.write("memory/archive/2026-06-01.md", "# Daily Log - 2026-06-01\n\n## 10:00 — c1\n- [fact] Noor likes green tea ^f0k2m9x1aa\n")
	w.write("memory/archive/2026-06-02.md", "# Daily Log - 2026-06-02\n\n## 10:00 — c1\n- [fact] Alice lives in Paris ^f0k2m9x1ab\n")
	w.write("3_Personal/Alice.md", "# Alice\n\n- She paints. Alice lives in **Paris** (since 9 Jun 2026). She sings.\n")
	w.write("3_Personal/Bob.md", "# Bob\n\n- Bob plays chess\n")
	w.sync()
	forget("a thing that nobody ever said", "g1")
	follow("the first of all", slices.Sorted(maps.Keys(read))...)
	forget("Alice lives in Paris", "g2")
	follow("a fact", "3_Personal/Alice.md", "memory/archive/2026-06-02.md")
	w.close()
	w.open()
	w.sync()
	forget("Bob plays chess", "g3")
	follow("after a restart", "3_Personal/Bob.md")
	if _, err := w.v.Unforget(t.Context(), "g2", []string{"Alice lives in Paris"}); err != nil {
		t.Fatal(err)
	}
	follow("taken back", "3_Personal/Alice.md", "memory/archive/2026-06-02.md")
	forget("Noor likes green tea. She drinks it at four", "g4")
	follow("of two sentences, of which none was looked up", "3_Personal/Alice.md", "3_Personal/Bob.md",
		"memory/archive/2026-06-01.md", "memory/archive/2026-06-02.md")
}

// TestForgettingWhatAFileGrewBy: the trail of a file that is followed has what was looked up before and since.
func TestForgettingWhatAFileGrewBy(t *testing.T) {
	w := newWorld(t).open()
	w.sync()
	if err := w.v.Forget(t.Context(), []vault.Tombstone{{Text: "a thing that nobody ever said"}}); err != nil {
		t.Fatal(err)
	}
	for _, fact := range []string{"Alice lives in Paris", "Noor likes green tea", "Bob plays chess"} {
		w.facts(day, "c1", fact)
		w.sync()
	}
	for _, fact := range []string{"Alice lives in Paris", "Bob plays chess", "Noor likes green tea"} {
		if err := w.v.Forget(t.Context(), []vault.Tombstone{{Text: fact}}); err != nil {
			t.Fatal(err)
		}
		w.sync(string(vault.TombstonesPath))
		for _, s := range w.texts() {
			if strings.Contains(s, fact) {
				t.Errorf("row %q is still there", s)
			}
		}
		w.equal()
	}
}

// A rereadStore counts how often all rows of a file are asked for, as it is when the file is read from its beginning.
type rereadStore struct {
	indexer.RowStore
	files map[vault.Path]int
}

func (s rereadStore) RowsOf(ctx context.Context, p vault.Path) ([]catalog.RowState, error) {
	s.files[p]++
	return s.RowStore.RowsOf(ctx, p)
}

// TestForgettingReadsAStretchOfADay: of a large day that is followed, a forgetting makes the rows of those lines anew that it concerns, and
// the index is as one that reads all of it. The rows keep their places in their conversations.
func TestForgettingReadsAStretchOfADay(t *testing.T) {
	for _, name := range []string{"memory/archive/" + day + ".md", "memory/drawers/" + day + ".md"} {
		t.Run(strings.Split(name, "/")[1], func(t *testing.T) {
			w := newWorld(t)
			whole := map[vault.Path]int{}
			w.wrap = func(s indexer.RowStore) indexer.RowStore { return rereadStore{s, whole} }
			w.open()
			forget := func(text string) {
				t.Helper()
				if err := w.v.Forget(t.Context(), []vault.Tombstone{{Text: text}}); err != nil {
					t.Fatal(err)
				}
				w.sync(string(vault.TombstonesPath))
			}
			text := func(i int) string { return fmt.Sprintf("Number %d of the letters lies in the attic near the river", i) }
			write := func(from, to int) {
				for i := from; i < to; i++ {
					if chat := fmt.Sprint("c", i%3); strings.Contains(name, "archive") {
						w.facts(day, chat, text(i), text(i)+", in a box")
					} else {
						w.drawer(day, chat, text(i)+". "+strings.Repeat("It rained all day, and nobody came. ", 20)+text(i)+" too.")
					}
				}
				w.sync()
			}
			forget("a thing that nobody ever said")
			write(0, 100)
			write(100, 130)
			before := whole[vault.Path(name)]
			for _, i := range []int{3, 64, 99, 125, 0} {
				forget(text(i))
				w.equal()
				for _, s := range w.texts() {
					if strings.Contains(s, text(i)+". ") || s == text(i) {
						t.Errorf("row %q is still there", s)
					}
				}
			}
			write(130, 160)
			forget(text(159))
			if _, err := w.v.Unforget(t.Context(), "", []string{text(64), text(3)}); err != nil {
				t.Fatal(err)
			}
			w.sync(string(vault.TombstonesPath))
			w.equal()
			write(160, 170)
			forget(text(3))
			w.equal()
			if got := whole[vault.Path(name)] - before; got > 0 {
				t.Errorf("all rows of the day were looked at %d times", got)
			}
			w.settle()
			w.verified()
		})
	}
}
