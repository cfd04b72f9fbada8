package mine

import (
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"

	"github.com/reverie-memory/reverie/vault"
)

// Of a folder that goes file by file, and then altogether, no copy goes. One that goes alone takes its copy with it, and between the files a
// purge gets its turn.
func TestCopiesOfAFolderThatIsTakenAway(t *testing.T) {
	for name, whole := range map[string]bool{"one file": false, "all, and then the folder": true} {
		t.Run(name, func(t *testing.T) {
			root, dir := t.TempDir(), filepath.Join(t.TempDir(), "notes")
			if _, err := vault.Init(root, os.DirFS(t.TempDir())); err != nil {
				t.Fatal(err)
			}
			for _, file := range []string{"a.md", "b.md", "c.md"} {
				put(t, dir, file, "# "+file+"\n\nThe harbour tram runs on Sundays.\n")
			}
			synctest.Test(t, func(t *testing.T) {
				v, err := vault.Open(root)
				if err != nil {
					t.Fatal(err)
				}
				defer v.Close()
				r := New(Options{Vault: v, Dir: root, Data: t.TempDir(), MaxBytes: 1 << 20})
				if err := r.Open(); err != nil {
					t.Fatal(err)
				}
				on := true
				f, err := r.Add(t.Context(), Request{Path: dir, Copy: &on})
				if err != nil {
					t.Fatal(err)
				}
				copies := func() (n int) {
					if err := f.copy.eachCopy(func(string) error { n++; return nil }); err != nil {
						t.Fatal(err)
					}
					return n
				}
				if err := r.Copy(t.Context(), f); err != nil || copies() != 3 {
					t.Fatalf("%d copies: %v", copies(), err)
				}
				if err := os.Remove(filepath.Join(dir, "a.md")); err != nil {
					t.Fatal(err)
				}
				done := make(chan error, 1)
				go func() { done <- r.Copy(t.Context(), f) }()
				synctest.Wait()
				if !r.copying.TryLock() {
					t.Fatal("a purge waits for the whole copy")
				}
				r.copying.Unlock()
				want := 2
				if whole {
					want = 3
					if err := os.RemoveAll(dir); err != nil {
						t.Fatal(err)
					}
				}
				if err := <-done; err != nil || copies() != want {
					t.Errorf("%d copies, want %d: %v", copies(), want, err)
				}
			})
		})
	}
}
