package indexer_test

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/vault"
)

// folder is a tree of the files of a folder outside the vault.
type folder struct {
	at  vault.Path
	dir string
}

func (f folder) name(p vault.Path) string {
	return filepath.Join(f.dir, strings.TrimPrefix(string(p), string(f.at)+"/"))
}

func (f folder) Walk(_ context.Context, fn func(vault.Path, vault.FileInfo) error) ([]vault.Problem, error) {
	return nil, filepath.WalkDir(f.dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(f.dir, name)
		if err != nil {
			return err
		}
		return fn(f.at+"/"+vault.Path(filepath.ToSlash(rel)), vault.FileInfo{Size: info.Size(), ModTime: info.ModTime()})
	})
}

func (f folder) Stat(p vault.Path) (vault.FileInfo, error) {
	if _, err := os.Stat(f.dir); err != nil {
		return vault.FileInfo{}, fmt.Errorf("the folder cannot be reached: %v", err) // which is no word about the file
	}
	info, err := os.Stat(f.name(p))
	if err == nil && info.IsDir() {
		err = fs.ErrNotExist
	}
	if err != nil {
		return vault.FileInfo{}, err
	}
	return vault.FileInfo{Size: info.Size(), ModTime: info.ModTime()}, nil
}

func (f folder) ReadFile(p vault.Path) ([]byte, error) { return os.ReadFile(f.name(p)) }

// lineSource gives a row for each line of the files in a folder.
func lineSource(at vault.Path) indexer.Source {
	return indexer.Source{
		Name: "line", Version: 1,
		Match: func(p vault.Path) bool { return strings.HasPrefix(string(p), string(at)+"/") },
		Rows: func(p vault.Path, data []byte, env indexer.Env) (rows []indexer.Row, _ []vault.Problem) {
			n := 0
			for line := range bytes.Lines(data) {
				n++
				if text := strings.TrimSpace(env.Visible(string(line))); text != "" {
					rows = append(rows, indexer.Row{ID: string(rune('a' + n%26)), Source: "line", File: p, Line: n, Text: text})
				}
			}
			return rows, nil
		},
	}
}

// TestAFolderOutsideTheVault: its files are indexed in place, and when the folder is gone its rows stay and somebody is told.
func TestAFolderOutsideTheVault(t *testing.T) {
	const at = vault.Path(".mined/code")
	w := newWorld(t)
	tree := folder{at, t.TempDir()}
	w.tweak = func(o *indexer.Options) {
		o.Sources = append(indexer.DefaultSources(vault.Layout{}), lineSource(at))
		o.Mounts = []indexer.Mount{{At: at, Tree: tree}}
	}
	put := func(name, text string) {
		t.Helper()
		p := filepath.Join(tree.dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want := func(when string, n int) {
		t.Helper()
		w.equal()
		if got := w.ix.Reader().Len(); got != n {
			t.Errorf("%s: %d rows, want %d", when, got, n)
		}
	}
	w.open()
	w.write("0_Inbox/a.md", "a note\n")
	put("main.go", "package main\nfunc main() {}\n")
	put("sub/read.txt", "read me\n")
	w.sync()
	want("at first", 4)
	put("sub/read.txt", "read me\ntwice\n")
	w.sync(string(at) + "/sub")
	want("after a change", 5)
	if err := os.RemoveAll(filepath.Join(tree.dir, "sub")); err != nil {
		t.Fatal(err)
	}
	w.sync(string(at) + "/sub")
	want("without a folder in it", 3)
	w.settle()
	w.verified()
	if err := os.RemoveAll(tree.dir); err != nil {
		t.Fatal(err)
	}
	for _, paths := range [][]string{{string(at) + "/main.go"}, nil} {
		w.sync(paths...)
		if n := w.ix.Reader().Len(); n != 3 {
			t.Errorf("without the folder, told of %v: %d rows", paths, n)
		}
	}
	told := false
	for _, p := range w.ix.Problems() {
		told = told || p.Path == at
	}
	if !told {
		t.Errorf("nobody is told: %v", w.ix.Problems())
	}
}
