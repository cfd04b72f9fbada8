package lance

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverie-memory/reverie/indexer"
)

func TestManifest(t *testing.T) {
	dir := t.TempDir()
	if _, there, err := readManifest(dir); there || err != nil {
		t.Fatalf("in an empty folder: %v, %v", there, err)
	}
	want := manifest{
		Format: format, Dim: 384, Epoch: 9, Base: 7, Rows: 1000, Fragments: 3, Delta: 9, Runs: []run{{File: "a.lance", At: 64, Rows: 1000}},
	}
	if err := want.write(dir); err != nil {
		t.Fatal(err)
	}
	got, there, err := readManifest(dir)
	if diff := cmp.Diff(want, got); diff != "" || !there || err != nil {
		t.Fatalf("%v, %v, %s", there, err, diff)
	}
	file := filepath.Join(dir, manifestName)
	good, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for i := range len(good) - 1 { // the last byte is a newline, whose loss changes nothing
		bad := append([]byte(nil), good...)
		bad[i] ^= 1
		if err := os.WriteFile(file, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		if m, _, err := readManifest(dir); err == nil && !cmp.Equal(m, want) || err != nil && !errors.Is(err, indexer.ErrCorrupt) {
			t.Errorf("byte %d flipped: %+v, %v", i, m, err)
		}
	}
}
