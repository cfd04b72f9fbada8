package vault

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// A Run is a run of appends of this Vault to one file between which nobody else changed it: as long as the run is the same, the bytes that
// the file has stay as they are. 0 is none.
type Run uint64

// An ownFile is a file as this Vault left it by its last append.
type ownFile struct {
	info   fs.FileInfo
	run    Run
	behind bool // an append is under way, so that there may be bytes behind
}

// stands says whether fi is the file as this Vault left it, but for bytes that are being appended.
func (o ownFile) stands(fi fs.FileInfo) bool {
	return os.SameFile(o.info, fi) &&
		(o.behind && fi.Size() >= o.info.Size() || fi.Size() == o.info.Size() && fi.ModTime().Equal(o.info.ModTime()))
}

func (v *Vault) ownFile(p Path) (o ownFile, ok bool) {
	was, ok := v.own.Load(string(p))
	if ok {
		o = was.(ownFile)
	}
	return o, ok
}

// OwnRun is the run whose last append a file stands as; 0 where somebody else has changed it since, or may have.
func (v *Vault) OwnRun(p Path) Run {
	o, ok := v.ownFile(p)
	if !ok {
		return 0
	}
	now, err := v.disk.stat(string(p))
	o.behind = false
	if err != nil || !o.stands(now) {
		return 0
	}
	return o.run
}

// ReadRun is [Vault.ReadFile] that tells as well to which run the bytes belong; 0 where somebody else may have changed the file since.
func (v *Vault) ReadRun(p Path) (data []byte, run Run, err error) {
	before, _ := v.ownFile(p)
	if data, err = v.ReadFile(p); err != nil || before.run == 0 || !v.goesOn(p, before.run) {
		return data, 0, err
	}
	return data, before.run, nil
}

// ReadOn reads what a run has appended to a file behind its first from bytes, of that at most so many, and tells the size of the file. ok
// is false where somebody else may have changed the file, or it cannot be read, or is too long: the whole file tells.
//
// Somebody who changes bytes within a file between two appends and leaves its size and its time, to the tick of the disk's clock, is not
// noticed. So who reads on reads the whole as well when the file has come to rest.
func (v *Vault) ReadOn(p Path, run Run, from, most int64) (data []byte, size int64, ok bool) {
	own, _ := v.ownFile(p)
	if run == 0 || own.run != run || own.info.Size() < from || own.info.Size() > sizeLimit(p) {
		return nil, 0, false
	}
	f, err := v.disk.openFile(string(p), os.O_RDONLY, 0)
	if err != nil {
		return nil, 0, false
	}
	size = own.info.Size()
	data = make([]byte, min(most, size-from))
	_, err = io.ReadFull(io.NewSectionReader(f, from, int64(len(data))), data)
	fi, serr := f.Stat()
	err = errors.Join(err, serr, f.Close())
	return data, size, err == nil && os.SameFile(fi, own.info) && v.goesOn(p, run)
}

// goesOn says whether nobody else has changed the file since the run began. An append that ends between the two looks is one more reason to
// look again.
func (v *Vault) goesOn(p Path, run Run) bool {
	for range 3 {
		fi, err := v.look(p)
		own, _ := v.ownFile(p)
		if err != nil || own.run != run {
			return false
		}
		if own.stands(fi) {
			return true
		}
	}
	return false
}
