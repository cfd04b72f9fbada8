package vault

import (
	"fmt"
	"io/fs"
	"path"

	"golang.org/x/sync/errgroup"
)

// A Replacement is a file of [Vault.ReplaceAll]: see [Vault.Replace].
type Replacement struct {
	Path Path
	Data []byte
	Want Hash
}

// flushers is how many files are flushed at a time: those that wait together share what the disk does for them.
const flushers = 8

// ReplaceAll is [Vault.Replace] for several files. First the bytes of all of them are flushed, side by side; then each takes its
// place, in their order and in one step of its own; last the folders are made durable. The errors are those of the files, nil for
// each that is in its place for good.
func (v *Vault) ReplaceAll(list []Replacement) []error {
	errs, ready := make([]error, len(list)), make([]staged, len(list))
	var g errgroup.Group
	g.SetLimit(flushers)
	for i := range list {
		g.Go(func() error {
			ready[i], errs[i] = v.stage(&list[i])
			return nil
		})
	}
	_ = g.Wait()
	folders := map[string][]int{}
	for i := range list {
		if errs[i] == nil {
			errs[i] = v.enter(&list[i], ready[i])
		}
		if errs[i] == nil {
			dir := path.Dir(string(list[i].Path))
			folders[dir] = append(folders[dir], i)
		}
	}
	for dir, files := range folders {
		err := v.disk.syncDir(dir)
		for _, i := range files {
			errs[i] = err
		}
	}
	for i := range errs {
		errs[i] = v.wrote("replacing", list[i].Path, errs[i])
	}
	return errs
}

// staged is a file on its way to its place.
type staged struct {
	temp string
	perm fs.FileMode
}

// stage writes the bytes, to the side and with the mode of the file that they are for.
func (v *Vault) stage(r *Replacement) (staged, error) {
	if c, err := ParsePath(string(r.Path)); err != nil || c != r.Path {
		return staged{}, fmt.Errorf("path %q: %w", string(r.Path), ErrPath)
	}
	s := staged{tempDir + "/" + NewID('w'), filePerm}
	if fi, err := v.disk.lstat(string(r.Path)); err == nil {
		s.perm = fi.Mode().Perm()
	}
	return s, writeNew(v.disk, s.temp, r.Data, s.perm)
}

// enter puts a staged file in its place, or takes it away.
func (v *Vault) enter(r *Replacement, s staged) error {
	v.files.Lock()
	defer v.files.Unlock()
	perm, err := v.expect(string(r.Path), r.Want)
	if err != nil || perm != s.perm {
		_ = v.disk.remove(s.temp) // what stays is swept when the vault is opened
		if err == nil {
			err = v.replace(r.Path, r.Data, r.Want)
		}
		return err
	}
	return v.moveIn(s.temp, string(r.Path))
}
