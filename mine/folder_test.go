package mine

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/vault"
)

func put(t testing.TB, dir, name, text string) {
	t.Helper()
	p := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(p), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// folder is a mined folder, or a mined file.
func folder(dir string) *Folder {
	return &Folder{Source: vault.Source{ID: "s1", Path: dir}, limits: limits{max: 1 << 20, ignore: ".reverieignore"}}
}

// walked are the files that are come by, as they are named in the folder. A look at each by itself must say the same.
func walked(t *testing.T, f *Folder) (names []string) {
	t.Helper()
	_, err := f.Walk(t.Context(), func(p vault.Path, info vault.FileInfo) error {
		names = append(names, f.rel(p))
		if got, err := f.Stat(p); err != nil || got != info {
			t.Errorf("%s by itself: %v, %v", p, got, err)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	err = filepath.WalkDir(f.Path, func(name string, e fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(f.Path, name)
		rel = filepath.ToSlash(rel)
		if _, serr := f.Stat(f.At() + "/" + vault.Path(rel)); slices.Contains(names, rel) != (serr == nil) {
			t.Errorf("%s: walked over: %v, by itself: %v", rel, slices.Contains(names, rel), serr)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(names)
	return names
}

func link(t *testing.T, old, name string) {
	t.Helper()
	if err := os.Symlink(old, name); err != nil {
		t.Skip(err)
	}
}

func TestWhatIsReadOfAFolder(t *testing.T) {
	dir, out := t.TempDir(), t.TempDir()
	put(t, out, "secret.txt", "not theirs")
	for _, name := range []string{
		"a.md", "src/main.go", "src/.hidden", ".git/config", ".obsidian/app.json", "node_modules/x/i.js", "logo.PNG", "server.key", ".env",
		".env.example",
		"sub/ID_RSA", "drafts/x.md", "drafts/keep.md", "top.log", "deploy.env",
	} {
		put(t, dir, name, "text")
	}
	put(t, dir, "big.txt", strings.Repeat("x", 1<<20+1))
	put(t, dir, ".gitignore", "drafts/*\n")
	put(t, dir, ".reverieignore", "!drafts/keep.md\n!*.log\nsrc/*.md\n")
	link(t, out, filepath.Join(dir, "out"))
	link(t, filepath.Join(out, "secret.txt"), filepath.Join(dir, "out.txt"))
	link(t, dir, filepath.Join(dir, "loop"))
	link(t, filepath.Join(dir, "a.md"), filepath.Join(dir, "absolute.md"))
	link(t, ".", filepath.Join(dir, "src", "self"))
	link(t, "a.md", filepath.Join(dir, "twin.md"))
	link(t, "nowhere", filepath.Join(dir, "dead.md"))
	f := folder(dir)
	if got, want := walked(t, f), []string{".env.example", "a.md", "drafts/keep.md", "src/main.go", "top.log"}; !slices.Equal(got, want) {
		t.Errorf("read are %q, want %q", got, want)
	}
	told := map[string]string{}
	for _, p := range f.Problems() {
		told[f.rel(p.Path)] = p.Reason
	}
	for name, why := range map[string]string{
		".env": "secrets", "server.key": "secrets", "sub/ID_RSA": "secrets", "deploy.env": "secrets", "big.txt": "max_file_bytes",
		"out": "leaves the folder", "out.txt": "leaves the folder",
	} {
		if !strings.Contains(told[name], why) {
			t.Errorf("of %s is said: %q", name, told[name])
		}
		delete(told, name)
	}
	if len(told) > 0 {
		t.Errorf("said besides: %v", told)
	}
	for _, name := range []string{"out/secret.txt", "out.txt", "../" + filepath.Base(out) + "/secret.txt"} {
		if data, err := f.ReadFile(f.At() + "/" + vault.Path(name)); err == nil {
			t.Errorf("%s was read: %q", name, data)
		}
	}
}

func TestAWingIsNoSecret(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "sk_live_4eC39HqLyjWDarjtT1zdp7dc")
	put(t, dir, "a.md", "text")
	info, err := os.Stat(dir)
	if err != nil {
		t.Fatal(err)
	}
	if wing := wingOf(dir, info); strings.Contains(wing, "4eC39") || wing == "" {
		t.Errorf("wing %q", wing)
	}
}

func TestAFileByItself(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "a.log", "one")
	put(t, dir, "b.md", "two")
	f := folder(filepath.Join(dir, "a.log"))
	var names []string
	if _, err := f.Walk(t.Context(), func(p vault.Path, _ vault.FileInfo) error {
		names = append(names, f.rel(p))
		return nil
	}); err != nil || !slices.Equal(names, []string{"a.log"}) {
		t.Errorf("%q, %v", names, err)
	}
	if _, err := f.ReadFile(f.At() + "/b.md"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("another file: %v", err)
	}
	if got := f.Real(f.At() + "/a.log"); got != filepath.Join(dir, "a.log") {
		t.Errorf("it lies in %s", got)
	}
}

// TestAFolderThatCannotBeReached: nothing that is said then says that a file is gone.
func TestAFolderThatCannotBeReached(t *testing.T) {
	for name, vanish := range map[string]func(string) error{
		"gone":        os.RemoveAll,
		"not mounted": func(dir string) error { return errors.Join(os.RemoveAll(dir), os.Mkdir(dir, 0o700)) },
		"a file now": func(dir string) error {
			return errors.Join(os.RemoveAll(dir), os.WriteFile(dir, []byte("x"), 0o600))
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "notes")
			put(t, dir, "a.md", "one")
			f := folder(dir)
			walked(t, f)
			if err := vanish(dir); err != nil {
				t.Fatal(err)
			}
			if name == "a file now" {
				if _, err := f.Stat(f.At() + "/a.md"); err == nil {
					t.Error("a.md is still there")
				}
				return
			}
			_, err := f.Walk(context.Background(), func(vault.Path, vault.FileInfo) error { return nil })
			_, serr := f.Stat(f.At() + "/a.md")
			_, rerr := f.ReadFile(f.At() + "/a.md")
			for _, err := range []error{err, serr, rerr} {
				if err == nil || errors.Is(err, fs.ErrNotExist) {
					t.Errorf("said as of a file: %v", err)
				}
			}
			if f.Unreachable() == "" {
				t.Error("nobody is told")
			}
			put(t, dir, "b.md", "back")
			if walked(t, f); f.Unreachable() != "" {
				t.Errorf("it is back: %s", f.Unreachable())
			}
		})
	}
}

func TestAFolderInItThatCannotBeRead(t *testing.T) {
	if os.Geteuid() == 0 || runtime.GOOS == "windows" {
		t.Skip("nothing is forbidden here")
	}
	dir := t.TempDir()
	put(t, dir, "a.md", "one")
	put(t, dir, "shut/b.md", "two")
	if err := os.Chmod(filepath.Join(dir, "shut"), 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(filepath.Join(dir, "shut"), 0o700) })
	f, n := folder(dir), 0
	_, err := f.Walk(t.Context(), func(vault.Path, vault.FileInfo) error { n++; return nil })
	var part *indexer.UnreachableError
	if !errors.As(err, &part) || !slices.Equal(part.Places, []vault.Path{f.At() + "/shut"}) || n != 1 {
		t.Errorf("%d files, %v", n, err)
	}
	if _, err := f.Stat(f.At() + "/shut/b.md"); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file in it: %v", err)
	}
}
