package vault

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// uncleanFile stands, locked, while a program writes to the vault, and stays behind unlocked when that program is killed. Only then
// can a record at the end of a file be half of one that nobody was told about; in any other case whatever stands
// there may be a person's, and is only added to.
const uncleanFile = StateDir + "/unclean"

const uncleanText = "A program is writing to this vault. When none is running, it was killed: the next start looks for half written " +
	"records.\n"

// TornPath keeps what was cut off.
const (
	tornFile = "torn.jsonl"
	TornPath = Path(StateDir + "/" + tornFile)
)

// maxMend bounds the files that Open looks at in each folder: those written last.
const maxMend = 64

// A tornRecord is a line of tornFile.
type tornRecord struct {
	File   Path   `json:"file"`
	Offset int    `json:"offset"`
	ID     string `json:"id,omitempty"` // of the drawer that the bytes began
	At     string `json:"at"`
	Bytes  []byte `json:"bytes"`
}

// setDirty leaves the mark that a crash will find. Where the clock was set back since, the mark is dated anew: what is written from now on
// must not look older than it. The caller holds v.files.
func (v *Vault) setDirty() error {
	now := v.now()
	if v.dirty && !now.Before(v.marked) {
		return nil
	}
	f, made, err := create(v.disk, uncleanFile, os.O_WRONLY)
	if err != nil {
		return err
	}
	if _, err = f.Write([]byte(uncleanText)); err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		if made {
			err = errors.Join(err, v.disk.remove(uncleanFile))
		}
		return err
	}
	if !v.dirty {
		v.lockUnclean()
	}
	v.dirty, v.marked = true, now
	return nil
}

// lockUnclean takes the lock on the mark, and tells whether it got it. Another program that writes to the vault holds it.
func (v *Vault) lockUnclean() bool {
	l := flock.New(filepath.Join(v.dir, filepath.FromSlash(uncleanFile)))
	got, err := l.TryLock()
	if err == nil && got {
		v.unclean = l
		return true
	}
	_ = l.Close()
	return false
}

// clearDirty takes the mark away, when it is ours.
func (v *Vault) clearDirty() error {
	if v.unclean == nil {
		return nil
	}
	err := v.disk.remove(uncleanFile)
	closed := v.unclean.Close()
	if err != nil && runtime.GOOS == "windows" { // it had to be closed first
		err = v.disk.remove(uncleanFile)
	}
	v.unclean, v.dirty = nil, false
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return errors.Join(err, closed)
}

// mend looks at the files that were written last.
func (v *Vault) mend() ([]Problem, error) {
	v.files.Lock()
	defer v.files.Unlock()
	v.sweepTemp()
	var since time.Time
	crashed := false
	if fi, err := v.disk.lstat(uncleanFile); err == nil {
		if !v.lockUnclean() {
			return nil, nil // a program is at work here: what looks torn may be on its way
		}
		crashed, v.dirty, v.marked = true, true, fi.ModTime()
		if !v.marked.After(v.now()) { // else the clock was ahead, and times say nothing
			since = v.marked.Add(-time.Minute)
		}
	}
	var found []Problem
	diaries, err := v.diaries()
	if err != nil {
		return nil, err
	}
	for _, dir := range append([]string{ArchiveDir, DrawerDir}, diaries...) {
		names, err := v.newest(dir)
		if err != nil {
			return found, err
		}
		for _, f := range names {
			torn := crashed && !f.ModTime().Before(since)
			ps, err := v.mendFile(Path(dir+"/"+f.Name()), dir == DrawerDir, torn)
			if err != nil {
				ps = append(ps, Problem{
					Path: Path(dir + "/" + f.Name()), Reason: "cannot be mended: " + err.Error(),
					Hint: "check that the vault can be written",
				})
			}
			found = append(found, ps...)
		}
	}
	return found, nil
}

// sweepTemp takes away what a crash left on its way to its place.
func (v *Vault) sweepTemp() {
	entries, err := v.disk.readDir(tempDir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if fi, err := e.Info(); err == nil && time.Since(fi.ModTime()) > 10*time.Minute {
			_ = v.disk.remove(tempDir + "/" + e.Name())
		}
	}
}

// newest lists the daily files of a folder that were written last, oldest first.
func (v *Vault) newest(dir string) ([]fs.FileInfo, error) {
	entries, err := v.disk.readDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var files []fs.FileInfo
	for _, e := range entries {
		if !e.Type().IsRegular() || dayOfPath(Path(e.Name())) == "" {
			continue
		}
		if fi, err := e.Info(); err == nil {
			files = append(files, fi)
		}
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int {
		return cmp.Or(a.ModTime().Compare(b.ModTime()), strings.Compare(a.Name(), b.Name()))
	})
	return files[max(0, len(files)-maxMend):], nil
}

// mendFile makes sure that what is appended next starts on a line of its own.
func (v *Vault) mendFile(p Path, drawers, crashed bool) ([]Problem, error) {
	if !crashed {
		if whole, err := v.endsWhole(p, drawers); whole || err != nil {
			return nil, err
		}
	}
	data, err := readAll(v.disk, string(p), maxDaily)
	if err != nil || len(data) == 0 {
		return nil, err
	}
	if crashed {
		if cut, id := tornAt(p, data, drawers); cut < len(data) {
			found, err := v.cutTorn(p, data, cut, id)
			if err != nil {
				return nil, err
			}
			more, err := v.mendFile(p, drawers, false)
			return append(found, more...), err
		}
	}
	var add []byte
	reason := "the last line had no end: it got one"
	if data[len(data)-1] != '\n' {
		add = append(add, '\n')
	}
	if drawers {
		if end := closing(ParseDrawers(p, data).fence); end != nil {
			add = append(add, end...)
			reason = "the last drawer was not closed: it was closed"
		}
	}
	if len(add) == 0 {
		return nil, nil
	}
	f, err := v.disk.openFile(string(p), os.O_RDWR|os.O_APPEND, 0)
	if err != nil {
		return nil, err
	}
	if err = errors.Join(writeOrTakeBack(f, add, int64(len(data))), f.Close()); err != nil {
		return nil, err
	}
	return []Problem{{Path: p, Line: lineCount(data), Reason: reason}}, nil
}

// endsWhole looks at the end of the file alone.
func (v *Vault) endsWhole(p Path, drawers bool) (bool, error) {
	f, err := v.disk.openFile(string(p), os.O_RDONLY, 0)
	if err != nil {
		return false, err
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil || fi.Size() == 0 {
		return true, err
	}
	tail := make([]byte, min(fi.Size(), 1024))
	if _, err := f.ReadAt(tail, fi.Size()-int64(len(tail))); err != nil {
		return false, err
	}
	if tail[len(tail)-1] != '\n' {
		return false, nil
	}
	tail = bytes.TrimRight(tail, "\r\n\t ")
	return !drawers || bytes.HasSuffix(tail, []byte("```")) || bytes.HasSuffix(tail, []byte(closedNote)), nil
}

// tornAt is where the bytes start that only a write that never ended can have left; len(data) for none.
func tornAt(p Path, data []byte, drawers bool) (at int, id string) {
	at = len(bytes.TrimRight(data, "\x00")) // a file system that had made room and not yet written
	if !drawers {
		return at, ""
	}
	f := ParseDrawers(p, data)
	if f.torn < 0 || f.torn >= at {
		return at, ""
	}
	line := lineAt(data, f.torn)
	h, _ := parseHead(string(line[:lineEnd(line)]), true)
	return f.torn, h.id
}

// cutTorn keeps the bytes in tornFile, and then takes them off.
func (v *Vault) cutTorn(p Path, data []byte, at int, id string) ([]Problem, error) {
	rec := tornRecord{File: p, Offset: at, ID: id, At: v.now().UTC().Format(time.RFC3339), Bytes: data[at:]}
	lines, err := stateLines([]any{rec})
	if err != nil {
		return nil, err
	}
	if err := v.appendTo(StateDir+"/"+tornFile, []*part{statePart(StateDir+"/"+tornFile, lines)}); err != nil {
		return nil, err
	}
	f, err := v.disk.openFile(string(p), os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	if err = errors.Join(f.Truncate(int64(at)), f.Sync(), f.Close()); err != nil {
		return nil, err
	}
	return []Problem{{
		Path: p, Line: lineCount(data[:at]) + 1,
		Reason: fmt.Sprintf("%d bytes of a record that was being written when the program ended were taken off; nobody had been told that "+
			"it was stored", len(data)-at),
		Hint: "they are kept in .state/" + tornFile,
	}}, nil
}
