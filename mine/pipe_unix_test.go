//go:build unix

package mine

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestAPipeInPlaceOfAFolder: one that was put there between two looks is not waited for. The test hangs where it is.
func TestAPipeInPlaceOfAFolder(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Skip(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if got, err := entries(root, "pipe"); err == nil {
		t.Errorf("it holds %v", got)
	}
	f, err := open(root, "pipe")
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}
