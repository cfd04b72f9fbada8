package indexer_test

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/vault"
)

// readStore tells of each file whose rows are read, before it reads them.
type readStore struct {
	indexer.RowStore
	reading func(vault.Path)
}

func (s readStore) RowsOf(ctx context.Context, p vault.Path) ([]catalog.RowState, error) {
	s.reading(p)
	return s.RowStore.RowsOf(ctx, p)
}

// growingFolder is a folder in which a file has grown by a line each time that it was read.
type growingFolder struct {
	folder
	read func()
}

func (f growingFolder) ReadFile(p vault.Path) ([]byte, error) {
	defer f.read()
	return f.folder.ReadFile(p)
}

// TestVerifyBesideWriters: what is written while the index is compared is no difference between it and the files.
func TestVerifyBesideWriters(t *testing.T) {
	t.Run("a file that grows whenever it is read", func(t *testing.T) {
		const at = vault.Path(".mined/code")
		w := newWorld(t)
		tree := growingFolder{folder: folder{at, t.TempDir()}}
		lines := ""
		tree.read = func() {
			lines += fmt.Sprintf("line number %d\n", len(lines))
			if err := os.WriteFile(tree.name(at+"/grows.txt"), []byte(lines), 0o600); err != nil {
				t.Error(err)
			}
		}
		tree.read()
		w.tweak = func(o *indexer.Options) {
			o.Sources = append(indexer.DefaultSources(vault.Layout{}), lineSource(at))
			o.Mounts = []indexer.Mount{{At: at, Tree: tree}}
		}
		w.open()
		w.settle()
		if v := w.verified(); v.Rows < 2 {
			t.Errorf("%+v", v)
		}
	})
	for _, c := range []struct {
		what  string
		write func(*world)
		rows  int
	}{
		{"a log that grows by many parts", func(w *world) { w.grow(200) }, 200},
		{"a large page is rewritten", func(w *world) {
			w.write("2_Wiki/large.md", strings.Repeat(strings.Repeat("word ", 1000)+"\n\n", 110))
		}, 110},
		{"a page goes", func(w *world) { _ = os.Remove(w.path("2_Wiki/large.md")) }, 10},
	} {
		t.Run(c.what, func(t *testing.T) {
			w := newWorld(t)
			var armed atomic.Bool
			w.wrap = func(s indexer.RowStore) indexer.RowStore {
				return readStore{s, func(p vault.Path) {
					if p == "0_Inbox/first.md" && armed.CompareAndSwap(true, false) {
						c.write(w)
					}
				}}
			}
			w.part = 4 << 10
			w.write("0_Inbox/first.md", "the first that is looked at\n")
			w.write("2_Wiki/large.md", "small as yet\n")
			w.grow(10)
			w.open()
			w.settle()
			armed.Store(true)
			if v := w.verified(); v.Rows < c.rows || armed.Load() {
				t.Errorf("%+v", v)
			}
		})
	}
}

// A change of which neither size nor time tell: a look at the files passes it over, and only whoever reads them finds it.
func TestVerifyReadsWhatLooksUnchanged(t *testing.T) {
	const name = "2_Wiki/l.md"
	w := newWorld(t)
	old := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	forge := func(text string) {
		w.write(name, text)
		if err := os.Chtimes(w.path(name), old, old); err != nil {
			t.Fatal(err)
		}
	}
	forge("- the llama is grey\n")
	w.open()
	w.settle()
	w.close()
	forge("- the zebra is grey\n")
	w.open()
	w.settle()
	v, err := w.ix.Verify(t.Context())
	if err != nil || v.Missing != 1 || v.Stale != 1 || len(v.Details) == 0 || !strings.Contains(v.Details[0], "at the same size and time") {
		t.Errorf("%+v, %v", v, err)
	}
	w.verified()
	w.equal()
}

// While the program runs, systems tell of a change that sets the time back.
func TestAChangeThatSetsTheTimeBackIsSeen(t *testing.T) {
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		t.Skip("this system does not tell when a file changed")
	}
	const name = "2_Wiki/l.md"
	w := newWorld(t)
	old := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for i, text := range []string{"- the llama is grey\n", "- the zebra is grey\n", "- the camel is grey\n"} {
		was, _ := w.v.Stat(name)
		for now := was; now.Changed == was.Changed; now, _ = w.v.Stat(name) { // a clock of some milliseconds
			w.write(name, text)
			if err := os.Chtimes(w.path(name), old, old); err != nil {
				t.Fatal(err)
			}
		}
		if i == 0 {
			w.open()
			w.settle()
		} else if i == 1 {
			w.sync(name)
		} else {
			w.sync()
		}
		w.equal()
	}
}
