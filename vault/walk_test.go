package vault

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLinksOutOfTheVault(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege on Windows")
	}
	outside := t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "secret.md"), []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	v := open(t, t.TempDir())
	write(t, v, "2_Wiki/In.md", "in")
	link := func(to, name string) {
		if err := os.Symlink(to, filepath.Join(v.dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	link(outside, "memory")
	link(filepath.Join(outside, "secret.md"), "Out.md")
	link("2_Wiki/In.md", "Same.md")
	link("nowhere.md", "Broken.md")
	if _, err := v.ReadFile("Out.md"); !errors.Is(err, ErrLink) {
		t.Errorf("read: %v", err)
	}
	if _, err := v.ReadFile("Same.md"); !errors.Is(err, ErrLink) {
		t.Errorf("a link inside: %v", err)
	}
	if err := v.Replace("Out.md", []byte("x"), AnyHash); !errors.Is(err, ErrLink) {
		t.Errorf("replace: %v", err)
	}
	if _, err := v.AppendDrawers(t.Context(), []Drawer{drawerOf("d1", "x")}); !errors.Is(err, ErrLink) {
		t.Errorf("append: %v", err)
	}
	var got []Path
	ps, err := v.Walk(t.Context(), func(p Path, _ FileInfo) error { got = append(got, p); return nil })
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Path{"2_Wiki/In.md"}, got); diff != "" {
		t.Error(diff)
	}
	var reported []Path
	for _, p := range ps {
		reported = append(reported, p.Path)
	}
	if diff := cmp.Diff([]Path{"Broken.md", "Out.md", "memory"}, reported); diff != "" {
		t.Errorf("%s %v", diff, ps)
	}
	if entries, _ := os.ReadDir(outside); len(entries) != 1 {
		t.Errorf("written outside: %v", entries)
	}
}

func TestWalk(t *testing.T) {
	v := open(t, t.TempDir())
	for _, p := range []Path{
		"a.md", "a/b.md", "A.md", ".obsidian/x.md", ".trash/x.md", "2_Wiki/日本 🙂.md", "n.MD", "image.png", "x.sync-conflict-2026.md",
		".state/tmp/x.md", "0_Inbox/.hidden.md", "Straße.md", "STRASSE.md",
	} {
		write(t, v, p, "x")
	}
	var got []Path
	ps, err := v.Walk(t.Context(), func(p Path, fi FileInfo) error {
		if fi.Size != 1 || fi.ModTime.IsZero() {
			t.Errorf("%s: %+v", p, fi)
		}
		got = append(got, p)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []Path{"2_Wiki/日本 🙂.md", "A.md", "STRASSE.md", "Straße.md", "a.md", "a/b.md", "n.MD"}
	if runtime.GOOS == "linux" {
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
		if len(ps) != 3 {
			t.Errorf("problems %v", ps)
		}
	}
	stop := errors.New("stop")
	if _, err := v.Walk(t.Context(), func(Path, FileInfo) error { return stop }); !errors.Is(err, stop) {
		t.Error(err)
	}
}

func TestIsConflictCopy(t *testing.T) {
	for name, want := range map[string]bool{
		"Home.sync-conflict-20260609-143200-ABCDEFG.md": true, // Syncthing
		"Home (Ann's conflicted copy 2026-06-09).md":    true, // Dropbox
		"Home (conflicted copy 2026-06-09 143200).md":   true, // Nextcloud
		"Home (Case Conflict 1).md":                     true, // Dropbox
		"Home_conflict-20260609-143200.md":              true, // ownCloud
		"Home_Laptop_Jun-09-143200-2026_Conflict.md":    true, // Synology Drive
		"Home [conflicted].md":                          true, // pCloud
		"Home.md":                                       false,
		"Conflicts.md":                                  false,
		"Conflict resolution.md":                        false,
		"Team conflict-free meetings.md":                false,
		"How sync conflicts happen.md":                  false,
		"Notes on the conflict of 1812.md":              false,
		"2026-06-09.md":                                 false,
	} {
		if got := IsConflictCopy(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
