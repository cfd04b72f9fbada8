package vault

import (
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

// Logged are the ids of the facts in a log or diary, also those that follow from the words of a line that has none.
type Logged struct {
	IDs  []string
	look FileInfo // of the file when it was read
}

// Logged gives the ids in logs and diaries by file. Of known, which an earlier call gave, it takes what is of files that look the same.
func (v *Vault) Logged(ctx context.Context, known map[Path]Logged) (map[Path]Logged, error) {
	files := map[Path]Logged{}
	dirs, err := v.diaries()
	if err != nil {
		return nil, err
	}
	for _, dir := range append(dirs, ArchiveDir) {
		days, err := v.Days(Path(dir))
		if err != nil {
			return nil, err
		}
		for _, day := range days {
			p := Path(dir + "/" + string(day) + ".md")
			l, err := v.logged(ctx, p, known[p])
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return nil, err
			}
			files[p] = l
		}
	}
	return files, nil
}

// logged gives the ids in a file: known, where it looks as it did then.
func (v *Vault) logged(ctx context.Context, p Path, known Logged) (l Logged, err error) {
	if err := ctx.Err(); err != nil {
		return l, err
	}
	if l.look, err = v.Stat(p); err != nil {
		return Logged{}, err
	}
	if l.look == known.look {
		return known, nil
	}
	data, err := v.ReadFile(p)
	for _, f := range ParseLog(p, data).Facts {
		l.IDs = append(l.IDs, f.ID)
	}
	return l, err
}

func (v *Vault) eachFact(ctx context.Context, dir Path, may func(data []byte) bool, fn func(Path, *Fact)) error {
	return v.EachDay(ctx, dir, func(p Path, data []byte) error {
		if may == nil || may(data) {
			for _, f := range ParseLog(p, data).Facts {
				if ctx.Err() != nil { // a day may be large
					break
				}
				fn(p, &f)
			}
		}
		return ctx.Err()
	})
}

// EachDrawer calls fn with all drawers, as [Vault.EachFact] does with facts.
func (v *Vault) EachDrawer(ctx context.Context, may func(data []byte) bool, fn func(Path, *Drawer)) error {
	return v.EachDay(ctx, DrawerDir, func(p Path, data []byte) error {
		if may == nil || may(data) {
			for _, d := range ParseDrawers(p, data).Drawers {
				if ctx.Err() != nil {
					break
				}
				fn(p, &d)
			}
		}
		return ctx.Err()
	})
}
