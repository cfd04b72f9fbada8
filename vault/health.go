package vault

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// InPlace is nil as long as the vault's folder is where it was opened. When another one was put there, or none is, the error is
// [ErrMoved]: what is written then would go where nobody looks for it.
func (v *Vault) InPlace() error {
	return failed("looking at", Path(filepath.ToSlash(v.dir)), inPlace(v.dir, v.root))
}

func inPlace(dir string, root *os.Root) error {
	opened, err := root.Stat(".")
	if err != nil {
		return err
	}
	there, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%w: nothing is at %s", ErrMoved, dir)
	case err != nil:
		return err
	case !os.SameFile(opened, there):
		return fmt.Errorf("%w: another folder is at %s", ErrMoved, dir)
	}
	return nil
}

// placedDisk changes nothing unless the vault's folder is in its place.
type placedDisk struct {
	disk
	inPlace func() error
}

func (d placedDisk) openFile(name string, flag int, perm fs.FileMode) (diskFile, error) {
	if flag&(os.O_WRONLY|os.O_RDWR|os.O_CREATE) != 0 {
		if err := d.inPlace(); err != nil {
			return nil, err
		}
	}
	return d.disk.openFile(name, flag, perm)
}

func (d placedDisk) mkdirAll(name string) error {
	if err := d.inPlace(); err != nil {
		return err
	}
	return d.disk.mkdirAll(name)
}

func (d placedDisk) rename(from, to string) error {
	if err := d.inPlace(); err != nil {
		return err
	}
	return d.disk.rename(from, to)
}

func (d placedDisk) remove(name string) error {
	if err := d.inPlace(); err != nil {
		return err
	}
	return d.disk.remove(name)
}

// health is how the last write to the vault went.
type health struct {
	mu  sync.Mutex
	err error     // the fault that it met, nil for none
	at  time.Time // zero before the first
}

// How long the last write is taken for how the next one will go.
const (
	goodFor = 10 * time.Second
	badFor  = time.Second
)

// wrote is failed for what changes the vault, and remembers how that went.
func (v *Vault) wrote(op string, p Path, err error) error {
	err = failed(op, p, err)
	if err != nil && Fault(err) == nil {
		return err // of this file alone
	}
	v.health.mu.Lock()
	defer v.health.mu.Unlock()
	v.health.err, v.health.at = err, v.now()
	return err
}

// Writable is nil when the vault can be written, or the fault that the last write met. Where nobody has written for some seconds it
// tries.
func (v *Vault) Writable() error {
	h := &v.health
	h.mu.Lock()
	last, age := h.err, v.now().Sub(h.at)
	h.mu.Unlock()
	if age >= 0 && (age < badFor || last == nil && age < goodFor) {
		return last
	}
	err := v.wrote("writing to", Path(filepath.ToSlash(v.dir)), probe(v.disk))
	if Fault(err) == nil {
		return nil
	}
	return err
}

// Probe tells whether the vault in dir can be written, by doing so, and leaves nothing behind. Errors have hints.
func Probe(dir string) error {
	at := Path(filepath.ToSlash(dir))
	root, err := os.OpenRoot(dir)
	if err != nil {
		return failed("opening", at, err)
	}
	return failed("writing to", at, errors.Join(probe(rootDisk{root}), root.Close()))
}

// probe writes, flushes and removes a file of one block: less may fit on a full disk.
func probe(d disk) error {
	name := tempDir + "/" + NewID('w')
	if err := writeNew(d, name, make([]byte, 4096), filePerm); err != nil {
		return err
	}
	return d.remove(name)
}
