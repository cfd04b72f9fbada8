package mine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/reverie-memory/reverie/vault"
)

// Of a folder that goes file by file, and then altogether, no copy goes. One that goes alone takes its copy with it, and between the files
// a purge gets its turn.
func TestCopiesOfAFolderThatIsTakenAway(t *testing.T) {
	for name, whole := range map[string]bool{"one file": false, "all, and then the folder": true} {
		t.Run(name, func(t *testing.T) {
			root, dir := t.TempDir(), filepath.Join(t.TempDir(), "notes")
			if _, err := vault.Init(root, os.DirFS(t.TempDir())); err != nil {
				t.Fatal(err)
			}
			for _, file := range []string{"a.md", "b.md", "c.md", ".git/one", ".git/two"} {
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
					for _, ignored := range []string{".git/one", ".git/two"} { // takes longer than is waited for
						if err := os.Remove(filepath.Join(dir, ignored)); err != nil {
							t.Fatal(err)
						}
						time.Sleep(goneFor + goneFor/4)
						synctest.Wait()
					}
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

// What was forgotten is read once for a folder, and not for each file, which many and much would make slow. What is forgotten meanwhile is
// known for the next file.
func TestACopyReadsOnceWhatWasForgotten(t *testing.T) {
	root, dir := t.TempDir(), filepath.Join(t.TempDir(), "notes")
	if _, err := vault.Init(root, os.DirFS(t.TempDir())); err != nil {
		t.Fatal(err)
	}
	v, err := vault.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	for i := range 30 {
		put(t, dir, fmt.Sprint(i, ".md"), "The harbour tram runs on Sundays.\n")
	}
	r := New(Options{Vault: v, Dir: root, Data: t.TempDir(), MaxBytes: 1 << 20})
	on := true
	if err := r.Open(); err != nil {
		t.Fatal(err)
	}
	f, err := r.Add(t.Context(), Request{Path: dir, Copy: &on})
	if err != nil {
		t.Fatal(err)
	}
	look := func() {
		if err := r.Copy(t.Context(), f); err != nil {
			t.Fatal(err)
		}
	}
	before := testing.AllocsPerRun(1, look)
	var stones []vault.Tombstone
	for i := range 300 {
		stones = append(stones, vault.Tombstone{Text: fmt.Sprintf("Number %d lies in the attic.", i)})
	}
	if err := v.Forget(t.Context(), stones); err != nil {
		t.Fatal(err)
	}
	once := testing.AllocsPerRun(1, func() { _, err = v.Tombstones() })
	if after := testing.AllocsPerRun(1, look); err != nil || after > before+5*once {
		t.Errorf("%v allocations, %v before, %v of them for what was forgotten: %v", after, before, once, err)
	}
	known := r.tombstones()
	for _, text := range []string{"The pear tree is old.", "The well is dry."} {
		if err := v.Forget(t.Context(), []vault.Tombstone{{Text: text}}); err != nil {
			t.Fatal(err)
		}
		if stones, err := known(); err != nil || stones.Cut(text) != "" {
			t.Errorf("%q is not known to be forgotten: %v", text, err)
		}
	}
}

// brief is a context that ends when it was asked so often whether it did.
type brief struct {
	context.Context
	left int
}

func (b *brief) Err() error {
	if b.left--; b.left < 0 {
		return context.Canceled
	}
	return nil
}

// What is ignored may be much more than what is read: a look at how much of it there is ends with the context, and no copy goes for it.
func TestACopyEndsWhileWhatIsIgnoredIsCounted(t *testing.T) {
	root, dir := t.TempDir(), filepath.Join(t.TempDir(), "notes")
	if _, err := vault.Init(root, os.DirFS(t.TempDir())); err != nil {
		t.Fatal(err)
	}
	v, err := vault.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	put(t, dir, "a.md", "The harbour tram runs on Sundays.\n")
	put(t, dir, "b.md", "The ferry does not.\n")
	for i := range 200 {
		put(t, dir, fmt.Sprint(".git/", i), "x")
	}
	r := New(Options{Vault: v, Dir: root, Data: t.TempDir(), MaxBytes: 1 << 20})
	on := true
	if err := r.Open(); err != nil {
		t.Fatal(err)
	}
	f, err := r.Add(t.Context(), Request{Path: dir, Copy: &on})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Copy(t.Context(), f); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "a.md")); err != nil {
		t.Fatal(err)
	}
	if err := r.Copy(&brief{t.Context(), 100}, f); !errors.Is(err, context.Canceled) {
		t.Errorf("the copy went on: %v", err)
	}
	if _, err := os.Stat(f.copy.file("a.md")); err != nil {
		t.Error(err)
	}
}
