package vault

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/durable"
	"github.com/reverie-memory/reverie/internal/slice"
)

// keepFile stands in a folder of a template that would otherwise be empty; it is not copied.
const keepFile = ".gitkeep"

// Init makes a vault in dir from a template and returns the files that it made. A file that is there already is left as
// it is, so Init can be called on a vault in use or on any folder of notes. A vault keeps its layout.
func Init(dir string, tmpl fs.FS) (created []Path, err error) {
	f, err := Look(dir)
	if err != nil {
		return nil, err
	}
	return InitIn(dir, f.Layout, tmpl)
}

// InitIn is Init with the layout, which a folder that is no vault yet keeps from then on. The layout of a vault does not change.
func InitIn(dir string, l Layout, tmpl fs.FS) (created []Path, err error) {
	f, err := Look(dir)
	if err == nil && f.Vault && f.Layout != l {
		err = fmt.Errorf("the pages of this vault are in %q, which is chosen once", f.Layout.At("."))
	}
	if err == nil {
		dir, err = filepath.Abs(dir)
	}
	if err != nil {
		return nil, failed("making the vault", "", err)
	}
	if err := durable.MkdirAll(dir, dirPerm); err != nil {
		return nil, failed("making the vault", Path(filepath.ToSlash(dir)), err)
	}
	if f.Layout != l {
		file := filepath.Join(dir, filepath.FromSlash(rootFile))
		if err := errors.Join(durable.MkdirAll(filepath.Dir(file), dirPerm), durable.WriteFile(file, []byte(l.Root+"\n"), filePerm)); err != nil {
			return nil, failed("making", rootFile, err)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, failed("making the vault", Path(filepath.ToSlash(dir)), err)
	}
	created, err = copyTemplate(rootDisk{root}, l, tmpl)
	return created, errors.Join(err, root.Close())
}

// A Folder is what a folder is to Reverie.
type Folder struct {
	Vault  bool // something of Reverie is there
	Notes  bool // somebody's notes are there; hidden files do not count
	Layout Layout
}

// Look says what the folder is, which need not be there.
func Look(dir string) (Folder, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Folder{}, failed("looking at the folder", "", err)
	}
	var f Folder
	for _, e := range entries {
		switch name := e.Name(); {
		case name == StateDir, name == "memory", name == string(SchemaPath):
			f.Vault = true
		case !strings.HasPrefix(name, "."):
			f.Notes = true
		}
	}
	f.Layout, err = ReadLayout(func(p Path) ([]byte, error) { return os.ReadFile(filepath.Join(dir, filepath.FromSlash(string(p)))) })
	return f, failed("reading where the notebook lies", rootFile, err)
}

// copyTemplate makes what is missing, and makes the names of new files durable at the end.
func copyTemplate(d disk, l Layout, tmpl fs.FS) (created []Path, err error) {
	err = fs.WalkDir(tmpl, ".", func(of string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := of
		if first, _, _ := strings.Cut(of, "/"); first != "memory" {
			name = string(l.At(Path(of)))
		}
		switch {
		case e.IsDir():
			return failed("making", Path(name), d.mkdirAll(name))
		case e.Name() == keepFile:
			return nil
		}
		data, err := fs.ReadFile(tmpl, of)
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
	dirs := slice.SetOf(created, func(p Path) string { return path.Dir(string(p)) })
	for _, dir := range slices.Sorted(maps.Keys(dirs)) {
		err = errors.Join(err, failed("making", Path(dir), d.syncDir(dir)))
	}
	return created, err
}
