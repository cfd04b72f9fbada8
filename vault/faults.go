package vault

import (
	"io/fs"
	"os"
	"sync"
)

// WithFaults asks before each step that would change the disk, and fails the step with the answer unless that is nil. WithFaults is for
// tests of what runs over a vault: an answer that stays an error from one step on is what a crash leaves behind. One step is
// asked for at a time.
func WithFaults(ask func(op string, p Path) error) Option {
	var mu sync.Mutex
	one := func(op string, p Path) error {
		mu.Lock()
		defer mu.Unlock()
		return ask(op, p)
	}
	return withDisk(func(d disk) disk { return askedDisk{d, one} })
}

type askedDisk struct {
	disk
	ask func(op string, p Path) error
}

func (d askedDisk) openFile(name string, flag int, perm fs.FileMode) (diskFile, error) {
	if flag&(os.O_WRONLY|os.O_RDWR) == 0 {
		return d.disk.openFile(name, flag, perm)
	}
	if err := d.ask("open", Path(name)); err != nil {
		return nil, err
	}
	f, err := d.disk.openFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	return askedFile{f, Path(name), d.ask}, nil
}

func (d askedDisk) mkdirAll(name string) error {
	if _, err := d.stat(name); err == nil {
		return d.disk.mkdirAll(name)
	}
	if err := d.ask("mkdir", Path(name)); err != nil {
		return err
	}
	return d.disk.mkdirAll(name)
}

func (d askedDisk) rename(from, to string) error {
	if err := d.ask("rename", Path(to)); err != nil {
		return err
	}
	return d.disk.rename(from, to)
}

func (d askedDisk) remove(name string) error {
	if err := d.ask("remove", Path(name)); err != nil {
		return err
	}
	return d.disk.remove(name)
}

func (d askedDisk) syncDir(name string) error {
	if err := d.ask("sync", Path(name)); err != nil {
		return err
	}
	return d.disk.syncDir(name)
}

type askedFile struct {
	diskFile
	path Path
	ask  func(op string, p Path) error
}

// Write writes half of what it may not write: that is how a crash, or a full disk, leaves a file.
func (f askedFile) Write(data []byte) (int, error) {
	if err := f.ask("write", f.path); err != nil {
		n, _ := f.diskFile.Write(data[:len(data)/2])
		return n, err
	}
	return f.diskFile.Write(data)
}

func (f askedFile) Truncate(size int64) error {
	if err := f.ask("truncate", f.path); err != nil {
		return err
	}
	return f.diskFile.Truncate(size)
}

func (f askedFile) Sync() error {
	if err := f.ask("sync", f.path); err != nil {
		return err
	}
	return f.diskFile.Sync()
}
