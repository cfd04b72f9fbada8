package indexer_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"testing"

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
