package vault

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
)

// IsDaily says whether a path is that of a log, a drawer file or a diary.
func IsDaily(p Path) bool {
	dir := path.Dir(string(p))
	return dir == ArchiveDir || dir == DrawerDir || IsDiary(p)
}

// IsDiary says whether a path is that of a diary.
func IsDiary(p Path) bool { return path.Dir(path.Dir(string(p))) == DiaryDir }

// EachDay reads the daily files of a folder, one after the other, the oldest first.
func (v *Vault) EachDay(ctx context.Context, dir Path, fn func(Path, []byte) error) error {
	days, err := v.Days(dir)
	if err != nil {
		return err
	}
	for _, day := range days {
		if err := ctx.Err(); err != nil {
			return err
		}
		p := dir + Path("/"+day+".md")
		data, err := v.ReadFile(p)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		if err := fn(p, data); err != nil {
			return fmt.Errorf("reading %s: %w", p, err)
		}
	}
	return nil
}

// EachFact calls fn with the facts of all logs. Files that may says no to are left out; nil: none are.
func (v *Vault) EachFact(ctx context.Context, may func(data []byte) bool, fn func(Path, *Fact)) error {
	return v.eachFact(ctx, ArchiveDir, may, fn)
}

// Logged are the ids of the facts in logs and diaries, and whatever else stands behind a caret at the end of a line there. Facts without
// an id are left out.
func (v *Vault) Logged(ctx context.Context) (map[string]bool, error) {
	ids := map[string]bool{}
	dirs, err := v.diaries()
	for _, dir := range append(dirs, ArchiveDir) {
		err = errors.Join(err, v.EachDay(ctx, Path(dir), func(_ Path, data []byte) error {
			for line := range bytes.Lines(data) {
				if at := bytes.LastIndexByte(line, '^'); at >= 0 {
					if id := bytes.TrimSpace(line[at+1:]); len(id) > 0 {
						ids[string(id)] = true
					}
				}
			}
			return nil
		}))
	}
	return ids, err
}

func (v *Vault) eachFact(ctx context.Context, dir Path, may func(data []byte) bool, fn func(Path, *Fact)) error {
	return v.EachDay(ctx, dir, func(p Path, data []byte) error {
		if may == nil || may(data) {
			for _, f := range ParseLog(p, data).Facts {
				fn(p, &f)
			}
		}
		return nil
	})
}

// EachDrawer calls fn with all drawers, as [Vault.EachFact] does with facts.
func (v *Vault) EachDrawer(ctx context.Context, may func(data []byte) bool, fn func(Path, *Drawer)) error {
	return v.EachDay(ctx, DrawerDir, func(p Path, data []byte) error {
		if may == nil || may(data) {
			for _, d := range ParseDrawers(p, data).Drawers {
				fn(p, &d)
			}
		}
		return nil
	})
}
