//go:build unix

package vault

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A pipe with the name of a file is an error, whoever opens it: nobody may wait for somebody to write to it.
func TestPipesAreNotOpened(t *testing.T) {
	dir := t.TempDir()
	v := open(t, dir)
	for _, name := range []Path{"2_Wiki/Pipe.md", "memory/persona.md", DrawerPath("2026-06-09"), StateDir + "/pipe.jsonl"} {
		at := filepath.Join(dir, filepath.FromSlash(string(name)))
		if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o700), os.RemoveAll(at), syscall.Mkfifo(at, 0o600)); err != nil {
			t.Fatal(err)
		}
		_, readErr := v.ReadFile(name)
		_, statErr := v.Stat(name)
		_, openErr := v.disk.openFile(string(name), os.O_RDONLY, 0)
		_, appendErr := v.disk.openFile(string(name), os.O_RDWR|os.O_APPEND, 0)
		for _, err := range []error{readErr, statErr, openErr, appendErr} {
			if !errors.Is(err, ErrNotFile) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	if _, err := v.ReadState("pipe.jsonl", func(int, []byte) error { return nil }); !errors.Is(err, ErrNotFile) {
		t.Errorf("state: %v", err)
	}
	if err := v.Close(); err != nil {
		t.Fatal(err)
	}
	open(t, dir) // which looks at the end of the daily files
}
