package vault

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
)

// A disk is what the vault needs of the file system, confined to its root. Tests put a failing one in its place.
type disk interface {
	openFile(name string, flag int, perm fs.FileMode) (diskFile, error)
	stat(name string) (fs.FileInfo, error)
	lstat(name string) (fs.FileInfo, error)
	mkdirAll(name string) error
	rename(from, to string) error
	remove(name string) error
	syncDir(name string) error
	readDir(name string) ([]fs.DirEntry, error)
}

type diskFile interface {
	io.Reader
	io.ReaderAt
	io.Writer
	Stat() (fs.FileInfo, error)
	Truncate(size int64) error
	Sync() error
	Close() error
}

// What we make is for its owner alone.
const (
	filePerm = 0o600
	dirPerm  = 0o700
)

// rootDisk is the real one. os.Root follows links inside the vault and refuses those that leave it.
type rootDisk struct{ *os.Root }

// openFile opens regular files alone, and never waits, as to open a pipe may. openFile looks at what it opened, and at the name only where
// that fails.
func (d rootDisk) openFile(name string, flag int, perm fs.FileMode) (diskFile, error) {
	f, err := d.OpenFile(name, flag|nonBlocking, perm)
	look := func() (fs.FileInfo, error) { return d.Stat(name) }
	if err == nil {
		look = f.Stat
	}
	if fi, serr := look(); serr == nil && !fi.Mode().IsRegular() {
		if err == nil {
			_ = f.Close()
		}
		return nil, &fs.PathError{Op: "open", Path: name, Err: ErrNotFile}
	}
	if err != nil {
		return nil, err
	}
	return f, nil
}

func (d rootDisk) stat(name string) (fs.FileInfo, error)  { return d.Stat(name) }
func (d rootDisk) lstat(name string) (fs.FileInfo, error) { return d.Lstat(name) }
func (d rootDisk) rename(from, to string) error           { return d.Rename(from, to) }
func (d rootDisk) remove(name string) error               { return d.Remove(name) }
func (d rootDisk) readDir(name string) ([]fs.DirEntry, error) {
	return fs.ReadDir(d.FS(), name)
}

// mkdirAll makes a folder and its parents, each durable in its own parent.
func (d rootDisk) mkdirAll(name string) error {
	if name == "." {
		return nil
	}
	if fi, err := d.Stat(name); err == nil {
		if !fi.IsDir() {
			return &fs.PathError{Op: "mkdir", Path: name, Err: errors.New("a file is in the way of the folder")}
		}
		return nil
	}
	if err := d.mkdirAll(path.Dir(name)); err != nil {
		return err
	}
	if err := d.Mkdir(name, dirPerm); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return d.syncDir(path.Dir(name))
}

// create opens a file of the vault that it makes when it is missing, together with its folder.
func create(d disk, name string, flag int) (f diskFile, made bool, err error) {
	f, err = d.openFile(name, flag, filePerm)
	if !errors.Is(err, fs.ErrNotExist) {
		return f, false, err
	}
	dir := path.Dir(name)
	if err := d.mkdirAll(dir); err != nil {
		return nil, false, err
	}
	if f, err = d.openFile(name, flag|os.O_CREATE, filePerm); err != nil {
		return nil, false, err
	}
	if err := d.syncDir(dir); err != nil {
		return nil, true, errors.Join(err, f.Close())
	}
	return f, true, nil
}

// writeNew writes a whole new file, fsynced, and removes it again when that fails.
func writeNew(d disk, name string, data []byte, perm fs.FileMode) error {
	if err := d.mkdirAll(path.Dir(name)); err != nil {
		return err
	}
	f, err := d.openFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return err
	}
	n, err := f.Write(data)
	if err == nil && n < len(data) {
		err = io.ErrShortWrite
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, d.remove(name))
	}
	return nil
}

// readAll reads a file of at most limit bytes.
func readAll(d disk, name string, limit int64) ([]byte, error) {
	f, err := d.openFile(name, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	data, err := readOpen(f, limit)
	return data, errors.Join(err, f.Close())
}

func readOpen(f diskFile, limit int64) ([]byte, error) {
	fi, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !fi.Mode().IsRegular():
		return nil, ErrNotFile
	case fi.Size() > limit:
		return nil, ErrTooLarge
	}
	data := make([]byte, fi.Size())
	n, err := io.ReadFull(io.NewSectionReader(f, 0, fi.Size()), data)
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		err = nil // it shrank under us; the caller sees what was there
	}
	return data[:n], err
}
