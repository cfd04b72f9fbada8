//go:build lancedb

package lance

import (
	"os"
	"path/filepath"
	"testing"
)

func TestWhatIsNoLibraryIsRefused(t *testing.T) {
	file := filepath.Join(t.TempDir(), "lib.so")
	must(t, os.WriteFile(file, []byte("not a library"), 0o600))
	for _, path := range []string{file, file + ".gone", t.TempDir()} {
		if err := loadFrom(path); err == nil {
			t.Errorf("%s: no error", path)
		}
	}
}

func TestTheNamedLibraryIsTriedFirst(t *testing.T) {
	t.Setenv("REVERIE_LANCEDB_LIB", "/named")
	if got := candidates()[0]; got != "/named" {
		t.Errorf("first is %s", got)
	}
}
