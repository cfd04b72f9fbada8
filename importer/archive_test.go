package importer

import (
	"archive/zip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Names in an archive and links in a folder lead nowhere else, and a file of an archive unpacks to no more than messages are worth.
func TestHostileArchives(t *testing.T) {
	inside, _ := readAll(t, packed(t, map[string]string{"../../etc/a.jsonl": oneLine, "c.jsonl": oneLine}))
	for _, m := range inside {
		if m.Content != "hello" {
			t.Errorf("%q is not of the archive", m.Content)
		}
	}
	dir, outside := put(t, map[string]string{"a.jsonl": oneLine}), put(t, map[string]string{"b.jsonl": oneLine})
	if err := os.Symlink(outside, filepath.Join(dir, "link")); err != nil {
		t.Skip(err)
	}
	if err := os.Symlink(filepath.Join(outside, "b.jsonl"), filepath.Join(dir, "b.jsonl")); err != nil {
		t.Skip(err)
	}
	if ms, _ := readAll(t, dir); len(ms) != 1 {
		t.Errorf("%d messages, and one in the folder", len(ms))
	}
}

// TestBomb packs 64 MB into 64 KB.
func TestBomb(t *testing.T) {
	if testing.Short() {
		return
	}
	bomb := strings.Repeat(" ", bombFrom) + oneLine
	ms, problems := readAll(t, packed(t, map[string]string{"a.jsonl": oneLine + bomb, "b.jsonl": oneLine}))
	if len(ms) != 2 || len(problems) == 0 {
		t.Errorf("%d messages, problems %v", len(ms), problems)
	}
}

func TestUnknownForm(t *testing.T) {
	for _, path := range []string{put(t, map[string]string{"a.bin": "?"}), packed(t, map[string]string{"a.txt": "?"})} {
		if e, err := Open(path, All()); !errors.Is(err, ErrForm) {
			t.Errorf("%s: %v", path, err)
			_ = e.Close()
		}
	}
	if _, err := Open(filepath.Join(t.TempDir(), "none"), All()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("nothing there: %v", err)
	}
}

// What cannot be read is named, in a folder, in an archive, and in an archive that lies in a folder, which is opened; the rest arrives.
func TestUnreadPartsAreNamed(t *testing.T) {
	dir := put(t, map[string]string{"a.jsonl": oneLine, "no.zip": "PK"})
	for _, name := range []string{"in.zip", "alone.ZIP"} {
		out, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		z := zip.NewWriter(out)
		for _, h := range []zip.FileHeader{{Name: "locked.jsonl", Flags: 1}, {Name: "b.jsonl"}, {Name: "deep.zip"}} {
			w, err := z.CreateHeader(&h)
			if err == nil {
				_, err = io.WriteString(w, oneLine)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		w, err := z.CreateRaw(&zip.FileHeader{Name: "odd.jsonl", Method: 99})
		if err == nil {
			_, err = io.WriteString(w, oneLine)
		}
		if err := errors.Join(err, z.Close(), out.Close()); err != nil {
			t.Fatal(err)
		}
	}
	named := func(path string) (n int, names []string) {
		ms, problems := readAll(t, path)
		for _, p := range problems {
			names = append(names, p.File)
		}
		slices.Sort(names)
		return len(ms), names
	}
	inside := func(zip string) []string { return []string{zip + "deep.zip", zip + "locked.jsonl", zip + "odd.jsonl"} }
	if n, names := named(filepath.Join(dir, "in.zip")); n != 1 || !slices.Equal(names, inside("")) {
		t.Errorf("%d messages of the archive, problems of %q", n, names)
	}
	want := slices.Concat(inside("alone.ZIP/"), inside("in.zip/"), []string{"no.zip"})
	if n, names := named(dir); n != 3 || !slices.Equal(names, want) {
		t.Errorf("%d messages of the folder, problems of %q, want %q", n, names, want)
	}
}

// A link that a person names is followed.
func TestANamedLink(t *testing.T) {
	link := filepath.Join(t.TempDir(), "link.jsonl")
	if err := os.Symlink(filepath.Join(put(t, map[string]string{"b.jsonl": oneLine}), "b.jsonl"), link); err != nil {
		t.Skip(err)
	}
	if ms, problems := readAll(t, link); len(ms) != 1 || len(problems) > 0 {
		t.Errorf("%d messages, problems %v", len(ms), problems)
	}
}

// An archive has a bound of its own, over all of its files.
func TestArchivesAreBounded(t *testing.T) {
	e, err := Open(packed(t, map[string]string{"a.jsonl": oneLine, "b.jsonl": oneLine, "c.jsonl": oneLine}), All())
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	e.files[0].tree.most = int64(len(oneLine)) + 1
	n, problems := 0, 0
	for _, err := range e.Messages() {
		if n++; err != nil {
			problems++
		}
	}
	if n-problems != 2 || problems == 0 {
		t.Errorf("%d messages and %d problems", n-problems, problems)
	}
}
