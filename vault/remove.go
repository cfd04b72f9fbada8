package vault

import (
	"errors"
	"fmt"
	"io/fs"
	"path"

	"github.com/reverie-memory/reverie/internal/slice"
)

// Remove takes a file away. want is the hash of what is expected there, or [AnyHash]; else nothing happens and the error is
// [ErrChanged]. A file that is not there is no error.
func (v *Vault) Remove(p Path, want Hash) error {
	if c, err := ParsePath(string(p)); err != nil || c != p {
		return failed("removing", p, fmt.Errorf("path %q: %w", string(p), ErrPath))
	}
	v.files.Lock()
	defer v.files.Unlock()
	return v.wrote("removing", p, v.removeFile(p, want))
}

// removeFile needs v.files.
func (v *Vault) removeFile(p Path, want Hash) error {
	name := string(p)
	fi, err := v.disk.lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case fi.Mode()&fs.ModeSymlink != 0:
		return fmt.Errorf("a link is in its place: %w", ErrLink)
	case !fi.Mode().IsRegular():
		return ErrNotFile
	}
	if want != AnyHash {
		old, err := readAll(v.disk, name, maxDaily)
		if err != nil {
			return err
		}
		if HashOf(old) != want {
			return ErrChanged
		}
	}
	if err := v.disk.remove(name); err != nil {
		return err
	}
	v.known.forget(name)
	return v.disk.syncDir(path.Dir(name))
}

// WriteNew writes a file that nobody else knows of yet, in the place of what an earlier try may have left there. Its bytes are on
// disk when it returns; its name is once another file of that folder was replaced. Pages are not written so: see Replace.
func (v *Vault) WriteNew(p Path, data []byte) error {
	if c, err := ParsePath(string(p)); err != nil || c != p {
		return failed("writing", p, fmt.Errorf("path %q: %w", string(p), ErrPath))
	}
	v.files.Lock()
	err := v.removeFile(p, AnyHash)
	v.files.Unlock()
	if err == nil {
		err = writeNew(v.disk, string(p), data, filePerm) // nobody else has to wait for the disk meanwhile
	}
	return v.wrote("writing", p, err)
}

// ListState names what stands in the folder .state/name, sorted. A folder that is not there is empty.
func (v *Vault) ListState(name string) ([]string, error) {
	p, err := statePath(name)
	if err != nil {
		return nil, err
	}
	entries, err := v.disk.readDir(string(p))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, failed("listing", p, err)
	}
	return slice.Map(entries, func(e fs.DirEntry) string { return e.Name() }), nil
}

// RemoveState takes the folder .state/name away with all that is in it.
func (v *Vault) RemoveState(name string) error {
	p, err := statePath(name)
	if err != nil {
		return err
	}
	v.files.Lock()
	defer v.files.Unlock()
	return v.wrote("removing", p, v.removeTree(string(p)))
}

// removeTree needs v.files.
func (v *Vault) removeTree(name string) error {
	fi, err := v.disk.lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if fi.IsDir() {
		entries, err := v.disk.readDir(name)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if err := v.removeTree(path.Join(name, e.Name())); err != nil {
				return err
			}
		}
	}
	if err := v.disk.remove(name); err != nil {
		return err
	}
	v.known.forget(name)
	return v.disk.syncDir(path.Dir(name))
}
