package vault

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestReplaceAll: each file is replaced or left for its own reason, and keeps its mode.
func TestReplaceAll(t *testing.T) {
	v := open(t, t.TempDir())
	old := []byte("old\n")
	for _, name := range []Path{"2_Wiki/a.md", "2_Wiki/changed.md", "2_Wiki/sub/b.md"} {
		if err := v.Replace(name, old, Hash{}); err != nil {
			t.Fatal(err)
		}
	}
	at := func(name string) string { return filepath.Join(v.Dir(), filepath.FromSlash(name)) }
	if err := errors.Join(os.Chmod(at("2_Wiki/a.md"), 0o644), os.WriteFile(at("2_Wiki/changed.md"), []byte("theirs\n"), 0o600),
		os.Symlink(at("2_Wiki/a.md"), at("2_Wiki/link.md"))); err != nil {
		t.Fatal(err)
	}
	list := []Replacement{
		{"2_Wiki/a.md", []byte("a\n"), HashOf(old)},
		{"2_Wiki/changed.md", []byte("ours\n"), HashOf(old)},
		{"2_Wiki/sub/b.md", []byte("b\n"), HashOf(old)},
		{"2_Wiki/link.md", []byte("x\n"), AnyHash},
		{"3_Personal/New Folder/c.md", []byte("c\n"), Hash{}},
		{"2_Wiki/sub/b.md", []byte("b again\n"), HashOf([]byte("b\n"))},
		{"../out.md", []byte("x\n"), Hash{}},
	}
	for i := range 30 {
		list = append(list, Replacement{Path(fmt.Sprintf("2_Wiki/many/%d.md", i)), []byte("new\n"), Hash{}})
	}
	want := map[int]error{1: ErrChanged, 3: ErrLink, 6: ErrPath}
	for i, err := range v.ReplaceAll(list) {
		if want[i] == nil && err != nil || !errors.Is(err, want[i]) {
			t.Errorf("%s: %v", list[i].Path, err)
		}
	}
	for name, text := range map[string]string{
		"2_Wiki/a.md": "a\n", "2_Wiki/changed.md": "theirs\n", "2_Wiki/sub/b.md": "b again\n", "3_Personal/New Folder/c.md": "c\n",
		"2_Wiki/many/29.md": "new\n",
	} {
		if got, err := os.ReadFile(at(name)); err != nil || string(got) != text {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if fi, err := os.Stat(at("2_Wiki/a.md")); err != nil || fi.Mode().Perm() != 0o644 {
		t.Errorf("%v, %v", fi.Mode(), err)
	}
	if left, _ := os.ReadDir(at(tempDir)); len(left) > 0 {
		t.Errorf("%d files are left on their way", len(left))
	}
}

// TestReplaceAllFaults stops a replacement at each step: every file is old or new, and the one that is told as new is.
func TestReplaceAllFaults(t *testing.T) {
	for n := 0; ; n++ {
		d := &faultDisk{after: -1}
		v := open(t, t.TempDir(), withDisk(func(inner disk) disk { d.disk = inner; return d }))
		var list []Replacement
		for i := range 10 {
			name := Path(fmt.Sprintf("2_Wiki/%d.md", i))
			if err := v.Replace(name, []byte("old\n"), Hash{}); err != nil {
				t.Fatal(err)
			}
			list = append(list, Replacement{name, []byte("a new text\n"), HashOf([]byte("old\n"))})
		}
		d.arm(n, syscall.EIO, true, true)
		errs := v.ReplaceAll(list)
		d.arm(-1, nil, false, false)
		failures := 0
		for i, err := range errs {
			got, rerr := v.ReadFile(list[i].Path)
			if rerr != nil || string(got) != "old\n" && string(got) != "a new text\n" || err == nil && string(got) == "old\n" {
				t.Fatalf("stopped at step %d: %s is %q, %v, %v", n, list[i].Path, got, rerr, err)
			}
			if err != nil {
				failures++
			}
		}
		if failures == 0 {
			return
		}
	}
}

// What an editor saves while the bytes that shall take its place are on their way to the disk stays.
func TestEditorSavesDuringReplace(t *testing.T) {
	for name, replace := range map[string]func(v *Vault, p Path, want Hash) error{
		"one": func(v *Vault, p Path, want Hash) error { return v.Replace(p, []byte("ours\n"), want) },
		"many": func(v *Vault, p Path, want Hash) error {
			return v.ReplaceAll([]Replacement{{p, []byte("ours\n"), want}})[0]
		},
	} {
		for _, old := range []string{"", "old\n"} {
			t.Run(name+" "+old, func(t *testing.T) {
				d := &faultDisk{after: -1}
				v := open(t, t.TempDir(), withDisk(func(inner disk) disk { d.disk = inner; return d }))
				const p = Path("2_Wiki/a.md")
				var want Hash
				if old != "" {
					write(t, v, p, old)
					want = HashOf([]byte(old))
				}
				d.between = func() { write(t, v, p, "theirs\n") }
				if err := replace(v, p, want); !errors.Is(err, ErrChanged) {
					t.Errorf("%v", err)
				}
				if got, err := v.ReadFile(p); err != nil || string(got) != "theirs\n" {
					t.Errorf("%q, %v", got, err)
				}
				if left, _ := os.ReadDir(filepath.Join(v.Dir(), filepath.FromSlash(tempDir))); len(left) > 0 {
					t.Errorf("%d files are left on their way", len(left))
				}
			})
		}
	}
}
