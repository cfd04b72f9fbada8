package lance

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"

	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/indexer/flat/reclog"
)

const (
	manifestName = "manifest.json"
	tablesDir    = "lance" // LanceDB's folder
	format       = 2
)

// A manifest names the files that belong together. Everything else in the folder is left from a
// crash. The file is replaced whole, so at any moment one consistent set is named.
type manifest struct {
	Format    int   `json:"format"`
	Dim       int   `json:"dim"`
	Epoch     int   `json:"epoch"`          // raised by each change; new files are named by it
	Base      int   `json:"base"`           // epoch of the base's table, codes and dead list; 0 for none
	Rows      int   `json:"rows"`           // of the base, dead ones as well
	Fragments int   `json:"fragments"`      // of the base's table
	Delta     int   `json:"delta"`          // epoch of the delta
	Runs      []run `json:"runs,omitempty"` // where the base's vectors are, in the order of its rows
}

// A run is some vectors that lie one behind the other in a file of the base's table.
type run struct {
	File string `json:"file"`
	At   int64  `json:"at"`
	Rows int    `json:"rows"`
}

// sealed is a manifest with its checksum, as it is on disk.
type sealed struct {
	Manifest json.RawMessage `json:"manifest"`
	CRC32    uint32          `json:"crc32"`
}

func readManifest(dir string) (m manifest, there bool, err error) {
	data, err := os.ReadFile(filepath.Join(dir, manifestName))
	if errors.Is(err, os.ErrNotExist) {
		return m, false, nil
	}
	if err != nil {
		return m, false, err
	}
	var s sealed
	if err := json.Unmarshal(data, &s); err != nil {
		return m, true, fmt.Errorf("%w: %s: %w", indexer.ErrCorrupt, manifestName, err)
	}
	if crc32.ChecksumIEEE(s.Manifest) != s.CRC32 {
		return m, true, fmt.Errorf("%w: checksum of %s", indexer.ErrCorrupt, manifestName)
	}
	if err := json.Unmarshal(s.Manifest, &m); err != nil {
		return m, true, fmt.Errorf("%w: %s: %w", indexer.ErrCorrupt, manifestName, err)
	}
	if m.Format != format {
		return m, true, fmt.Errorf("%w: format %d, this program knows %d", indexer.ErrCorrupt, m.Format, format)
	}
	return m, true, nil
}

// write replaces the manifest durably.
func (m manifest) write(dir string) error {
	raw, err := json.Marshal(m)
	if err != nil {
		return err
	}
	data, err := json.Marshal(sealed{Manifest: raw, CRC32: crc32.ChecksumIEEE(raw)})
	if err != nil {
		return err
	}
	tmp := filepath.Join(dir, manifestName+".new")
	if err := os.WriteFile(tmp, append(data, '\n'), 0o600); err != nil {
		return err
	}
	if err := syncFile(tmp); err != nil {
		return err
	}
	if err := os.Rename(tmp, filepath.Join(dir, manifestName)); err != nil {
		return err
	}
	return reclog.SyncDir(dir)
}

func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
