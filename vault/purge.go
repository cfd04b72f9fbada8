package vault

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"path"
	"strings"

	"github.com/reverie-memory/reverie/internal/slice"
)

// Purge takes the bytes of the facts and drawers with these ids out of the daily logs, the drawers and the diaries, and out of
// the records that a repair kept, and returns the files that it changed. A section goes with its last fact; every other byte
// stays. Each file is replaced in one step.
func (v *Vault) Purge(ctx context.Context, ids []string) ([]Path, error) {
	drop := slice.Set(ids)
	if len(drop) == 0 {
		return nil, nil
	}
	files, err := v.dailyFiles()
	if err != nil {
		return nil, err
	}
	var changed []Path
	for _, p := range append(files, StateDir+"/"+tornFile) {
		if err := ctx.Err(); err != nil {
			return changed, err
		}
		did, err := v.purgeFile(p, drop)
		if err != nil {
			return changed, v.wrote("purging", p, err)
		}
		if did {
			changed = append(changed, p)
		}
	}
	return changed, nil
}

// dailyFiles lists the logs, the drawer files and the diaries.
func (v *Vault) dailyFiles() ([]Path, error) {
	diaries, err := v.diaries()
	if err != nil {
		return nil, err
	}
	var files []Path
	for _, dir := range append([]string{ArchiveDir, DrawerDir}, diaries...) {
		entries, err := v.disk.readDir(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, failed("listing", Path(dir), err)
		}
		for _, e := range entries {
			if e.Type().IsRegular() && strings.HasSuffix(e.Name(), ".md") {
				files = append(files, Path(dir+"/"+e.Name()))
			}
		}
	}
	return files, nil
}

func (v *Vault) purgeFile(p Path, drop map[string]bool) (bool, error) {
	v.files.Lock()
	defer v.files.Unlock()
	data, err := readAll(v.disk, string(p), maxDaily)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	var rest []byte
	switch path.Dir(string(p)) {
	case StateDir:
		rest = withoutTorn(data, drop)
	case DrawerDir:
		rest = ParseDrawers(p, data).without(drop)
	default:
		rest = ParseLog(p, data).without(drop)
	}
	if rest == nil {
		return false, nil
	}
	return true, v.replace(p, rest, HashOf(data))
}

func withoutTorn(data []byte, drop map[string]bool) []byte {
	var cuts []span
	c := cursor{data: data}
	for c.next() {
		var rec tornRecord
		if json.Unmarshal([]byte(c.text), &rec) == nil && drop[rec.ID] {
			cuts = append(cuts, span{c.start, c.pos})
		}
	}
	return cut(data, cuts)
}
