package vault

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/reverie-memory/reverie/durable"
)

// keepFile stands in a folder of a template that would otherwise be empty; it is not copied.
const keepFile = ".gitkeep"

// Init makes a vault in dir from a template and returns the files that it made. A file that is there already is left as
// it is, so Init can be called on a vault in use or on any folder of notes.
func Init(dir string, tmpl fs.FS) (created []Path, err error) {
	dir, err = filepath.Abs(dir)
	if err != nil {
		return nil, failed("making the vault", "", err)
	}
	if err := durable.MkdirAll(dir, dirPerm); err != nil {
		return nil, failed("making the vault", Path(filepath.ToSlash(dir)), err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, failed("making the vault", Path(filepath.ToSlash(dir)), err)
	}
	created, err = copyTemplate(rootDisk{root}, tmpl)
	return created, errors.Join(err, root.Close())
}

// copyTemplate makes what is missing, and makes the names of new files durable at the end.
func copyTemplate(d disk, tmpl fs.FS) (created []Path, err error) {
	err = fs.WalkDir(tmpl, ".", func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir():
			return failed("making", Path(name), d.mkdirAll(name))
		case e.Name() == keepFile:
			return nil
		}
		data, err := fs.ReadFile(tmpl, name)
		if err != nil {
			return err
		}
		if _, err := d.lstat(name); err == nil {
			return nil
		}
		if err := writeNew(d, name, data, filePerm); err != nil {
			return failed("making", Path(name), err)
		}
		created = append(created, Path(name))
		return nil
	})
	dirs := map[string]bool{}
	for _, p := range created {
		dirs[path.Dir(string(p))] = true
	}
	for _, dir := range slices.Sorted(maps.Keys(dirs)) {
		err = errors.Join(err, failed("making", Path(dir), d.syncDir(dir)))
	}
	return created, err
}
