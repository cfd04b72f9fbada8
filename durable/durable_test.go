package durable

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// steps records what is made durable, and lets one step fail.
func steps(t *testing.T, failing string) *[]string {
	t.Helper()
	var done []string
	step := func(what string) error {
		done = append(done, what)
		if what == failing {
			return errors.New("the disk fails")
		}
		return nil
	}
	syncFile = func(f *os.File) error {
		data, _ := os.ReadFile(f.Name())
		return step("file " + string(data))
	}
	syncDir = func(dir string) error { return step("dir " + filepath.Base(dir)) }
	t.Cleanup(func() { syncFile, syncDir = (*os.File).Sync, syncFolder })
	return &done
}

func TestWriteFileIsDurableBeforeItIsNamed(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "d")
	done := steps(t, "")
	path := filepath.Join(dir, "token")
	if err := MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(path, []byte("one"), 0o600); err != nil {
		t.Fatal(err)
	}
	want := []string{"dir " + filepath.Base(filepath.Dir(dir)), "file one", "dir d"}
	if !slices.Equal(*done, want) {
		t.Errorf("made durable: %q, want %q", *done, want)
	}
	if fi, err := os.Stat(path); err != nil || fi.Mode().Perm()&0o077 != 0 {
		t.Errorf("mode %v: %v", fi.Mode(), err)
	}
}

// A file whose bytes could not be made durable never takes the place of the old one.
func TestWriteFileKeepsTheOldOneOnFailure(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "token")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	steps(t, "file new")
	if err := WriteFile(path, []byte("new"), 0o600); err == nil {
		t.Fatal("no error")
	}
	if data, _ := os.ReadFile(path); string(data) != "old" {
		t.Errorf("the file holds %q", data)
	}
	if left, _ := fs.Glob(os.DirFS(dir), "*"); len(left) != 1 {
		t.Errorf("left behind: %q", left)
	}
}

func TestMkdirAllMakesEachParentDurable(t *testing.T) {
	top := t.TempDir()
	done := steps(t, "")
	deep := filepath.Join(top, "a", "b", "c")
	for range 2 {
		if err := MkdirAll(deep, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if want := []string{"dir " + filepath.Base(top), "dir a", "dir b"}; !slices.Equal(*done, want) {
		t.Errorf("made durable: %q, want %q", *done, want)
	}
	file := filepath.Join(top, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := MkdirAll(filepath.Join(file, "x"), 0o700); err == nil {
		t.Error("a folder below a file")
	}
}
