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

// The files that say which daemon serves a vault, and which one keeps its index in a data folder. The lock is on the file; the holder is
// written into it as JSON from the second byte on, because Windows lets nobody read the byte that is locked.
const (
	lockFile     = StateDir + "/" + dataLockFile
	dataLockFile = "daemon.lock"
)

// DaemonFile is the file of a data folder that tells where its daemon listens.
const DaemonFile = "daemon.json"

// Marks are the files below the vault that are marks, locks and keys, and hold no text; DataMarks those of a data folder.
func Marks() []string     { return []string{uncleanFile, lockFile, pseudonymKey, rootFile} }
func DataMarks() []string { return []string{dataLockFile, DaemonFile} }

const lockSize = 512 // of the file, padded with spaces: it is rewritten in place, never shortened

// LockInfo says who holds a vault or a data folder.
type LockInfo struct {
	PID   int    `json:"pid"`
	Addr  string `json:"addr,omitempty"`  // where it listens, "" when it does not
	Vault string `json:"vault,omitempty"` // which vault's data it keeps, of a data folder
	Data  string `json:"data,omitempty"`  // where it keeps its data, of a vault
}

// HolderOf is what the lock of the vault in dir says of who holds it, or held it when it was killed.
func HolderOf(dir string) LockInfo {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return LockInfo{}
	}
	defer root.Close()
	return (&Lock{root: root, file: lockFile}).holder()
}

// HeldError says that another program holds the vault or, where DataDir is set, the data folder.
type HeldError struct {
	LockInfo
	DataDir string
}

func (e *HeldError) Error() string {
	text := "the vault is in use by "
	if e.DataDir != "" {
		text = fmt.Sprintf("the data folder %s is in use by ", e.DataDir)
	}
	if e.PID == 0 {
		return text + "another program"
	}
	text += fmt.Sprintf("process %d", e.PID)
	if e.Vault != "" {
		text += " for the vault " + e.Vault
	}
	if e.Addr != "" {
		text += ", which listens on " + e.Addr
	}
	if e.Data != "" {
		text += " and keeps its data in " + e.Data
	}
	return text
}

// Lock is the hold of one daemon on a vault or a data folder. The hold ends with the process, however that ends.
type Lock struct {
	root  *os.Root
	file  string
	flock *flock.Flock
}

// Acquire takes the hold on the vault in dir without waiting. When another program has it the error is a [*HeldError].
func Acquire(dir string, info LockInfo) (*Lock, error) { return acquire(dir, lockFile, info) }

// AcquireData takes the hold on the data folder dir, which no two vaults share, in the same way.
func AcquireData(dir string, info LockInfo) (*Lock, error) {
	l, err := acquire(dir, dataLockFile, info)
	var held *HeldError
	if errors.As(err, &held) {
		held.DataDir = dir
	}
	return l, err
}

func acquire(dir, file string, info LockInfo) (*Lock, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, failed("locking", Path(file), err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, failed("locking", Path(file), err)
	}
	l := &Lock{root: root, file: file, flock: flock.New(filepath.Join(dir, filepath.FromSlash(file)))}
	if err := l.take(info); err != nil {
		return nil, errors.Join(failed("locking", Path(file), err), root.Close())
	}
	return l, nil
}

func (l *Lock) take(info LockInfo) error {
	f, _, err := create(rootDisk{l.root}, l.file, os.O_RDWR) // refuses a folder that is a link out of the vault
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
		return &HeldError{LockInfo: l.holder()}
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
	f, err := l.root.OpenFile(l.file, os.O_RDWR, 0)
	if err != nil {
		return failed("writing", Path(l.file), err)
	}
	text := bytes.Repeat([]byte{' '}, lockSize)
	copy(text, data)
	_, err = f.WriteAt(text, 1)
	return failed("writing", Path(l.file), errors.Join(err, f.Close()))
}

// holder reads who has the lock; zero when that cannot be told.
func (l *Lock) holder() (info LockInfo) {
	f, err := l.root.Open(l.file)
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

// Release lets go. The file stays: taking it away would let two daemons lock two files of one name.
func (l *Lock) Release() error {
	return failed("unlocking", Path(l.file), errors.Join(l.Update(LockInfo{}), l.flock.Close(), l.root.Close()))
}
