//go:build lancedb

package lance

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/reverie-memory/reverie/indexer/vector"
)

// Where vectors went to several files they are found in the order of their names, and what a failed append left is closed.
func TestRunsOfSeveralFiles(t *testing.T) {
	rs := &runs{dir: t.TempDir(), dim: 2}
	rs.all.Store(&[]openRun{})
	defer rs.close()
	var recs []vector.Record
	for i, name := range []string{"a.lance", "b.lance", "c.lance"} {
		v := []float32{float32(i), 1}
		raw := make([]byte, 8)
		vector.PutBytes(raw, v)
		must(t, os.WriteFile(filepath.Join(rs.dir, name), append([]byte("head"), raw...), 0o600))
		recs = append(recs, vector.Record{Key: vector.Key(i + 1), Vector: v})
	}
	var found []run
	for range 20 {
		var err error
		found, err = rs.locate(recs, nil)
		must(t, err)
		if len(found) != 3 || found[0].File != "a.lance" || found[2].File != "c.lance" {
			t.Fatalf("%+v", found)
		}
	}
	must(t, rs.add(0, found[:1]))
	must(t, rs.add(1, found[1:]))
	left := (*rs.all.Load())[2].file
	must(t, rs.add(1, found[1:2]))
	if _, err := left.Stat(); !errors.Is(err, os.ErrClosed) {
		t.Errorf("the file that a failed append left is open: %v", err)
	}
	raw := make([]byte, 8)
	for pos := range 2 {
		if n, err := rs.read(pos, raw); n != 1 || err != nil {
			t.Errorf("row %d: %d, %v", pos, n, err)
		}
	}
}
