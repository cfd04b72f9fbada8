package vault

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
)

// lockFile says which daemon serves the vault. The lock is on the file; the holder is written into it as JSON from the second byte
// on, because Windows lets nobody read the byte that is locked.
const lockFile = StateDir + "/daemon.lock"

const lockSize = 512 // of the file, padded with spaces: it is rewritten in place, never shortened

// LockInfo says who holds a vault.
type LockInfo struct {
	PID  int    `json:"pid"`
	Addr string `json:"addr,omitempty"` // where it listens, "" when it does not
}

// HeldError says that another program holds the vault.
type HeldError struct{ LockInfo }

func (e *HeldError) Error() string {
	switch {
	case e.PID == 0:
		return "the vault is in use by another program"
	case e.Addr == "":
		return fmt.Sprintf("the vault is in use by process %d", e.PID)
	}
	return fmt.Sprintf("the vault is in use by process %d, which listens on %s", e.PID, e.Addr)
}

// Lock is the hold of one daemon on a vault. It ends with the process, however that ends.
type Lock struct {
	root  *os.Root
	flock *flock.Flock
}

// Acquire takes the hold on the vault in dir without waiting. When another program has it the error is a [*HeldError].
func Acquire(dir string, info LockInfo) (*Lock, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, failed("locking the vault", "", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, failed("locking the vault", "", err)
	}
	l := &Lock{root: root, flock: flock.New(filepath.Join(dir, filepath.FromSlash(lockFile)))}
	if err := l.take(info); err != nil {
		return nil, errors.Join(failed("locking", lockFile, err), root.Close())
	}
	return l, nil
}

func (l *Lock) take(info LockInfo) error {
	f, _, err := create(rootDisk{l.root}, lockFile, os.O_RDWR) // refuses a folder that is a link out of the vault
	if err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	got, err := l.flock.TryLock()
	if err != nil {
		return err
	}
	if !got {
		return &HeldError{l.holder()}
	}
	if err := l.Update(info); err != nil {
		return errors.Join(err, l.flock.Close())
	}
	return nil
}

// Update changes what others are told of the holder, once its address is known.
func (l *Lock) Update(info LockInfo) error {
	data, err := json.Marshal(info)
	if err != nil {
		return err
	}
	f, err := l.root.OpenFile(lockFile, os.O_RDWR, 0)
	if err != nil {
		return failed("writing", lockFile, err)
	}
	text := bytes.Repeat([]byte{' '}, lockSize)
	copy(text, data)
	_, err = f.WriteAt(text, 1)
	return failed("writing", lockFile, errors.Join(err, f.Close()))
}

// holder reads who has the lock; zero when that cannot be told.
func (l *Lock) holder() (info LockInfo) {
	f, err := l.root.Open(lockFile)
	if err != nil {
		return info
	}
	defer f.Close()
	data, err := io.ReadAll(io.NewSectionReader(f, 1, lockSize))
	if err != nil || json.Unmarshal(bytes.Trim(data, " \x00\n"), &info) != nil {
		return LockInfo{}
	}
	return info
}

// Release lets go of the vault. The file stays: taking it away would let two daemons lock two files of one name.
func (l *Lock) Release() error {
	return failed("unlocking", lockFile, errors.Join(l.Update(LockInfo{}), l.flock.Close(), l.root.Close()))
}
