package vault

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
)

// ReadState calls fn with each JSON object of .state/name and its line. A line that is none, such as one that was cut off
// by a crash, is reported and skipped. A missing file has no lines. An error of fn ends the reading.
func (v *Vault) ReadState(name string, fn func(line int, raw []byte) error) ([]Problem, error) {
	p, err := statePath(name)
	if err != nil {
		return nil, err
	}
	v.files.Lock() // so that no append is seen half done
	data, err := readAll(v.disk, string(p), sizeLimit(p))
	v.files.Unlock()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, failed("reading", p, err)
	}
	r := report{path: p}
	c := cursor{data: data}
	for c.next() {
		raw := []byte(strings.TrimSpace(c.text))
		if len(raw) == 0 {
			continue
		}
		if raw[0] != '{' || !json.Valid(raw) {
			r.add(c.n, "not a JSON object: skipped", "")
			continue
		}
		if err := fn(c.n, raw); err != nil {
			return r.problems(), err
		}
	}
	return r.problems(), nil
}

// StateLines calls fn with the whole lines of .state/name that begin at an offset or behind it, each with its own offset, until fn returns
// false. What fn gets is its own. Appends and edits may go on meanwhile: fn sees the file as it was at the call. A missing file has no
// lines.
func (v *Vault) StateLines(name string, from int64, fn func(at int64, line []byte) bool) (err error) {
	p, err := statePath(name)
	if err != nil {
		return err
	}
	f, size, err := v.openState(p)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return failed("reading", p, err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	r := bufio.NewReader(io.NewSectionReader(f, from, max(0, size-from)))
	for at := from; ; {
		line, err := r.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return failed("reading", p, err)
		}
		if !fn(at, line) {
			return nil
		}
		at += int64(len(line))
	}
}

// openState opens a state file for reading and says how long it is. No append is half done then.
func (v *Vault) openState(p Path) (diskFile, int64, error) {
	v.files.Lock()
	defer v.files.Unlock()
	f, err := v.disk.openFile(string(p), os.O_RDONLY, 0)
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, 0, errors.Join(err, f.Close())
	}
	return f, info.Size(), nil
}

// EditState puts what edit makes of each JSON object of .state/name in its place; nil takes it out. Lines that are none stay. EditState
// returns whether the file changed. Appends wait meanwhile.
func (v *Vault) EditState(name string, edit func(raw []byte) []byte) (bool, error) {
	p, err := statePath(name)
	if err != nil {
		return false, err
	}
	v.files.Lock()
	defer v.files.Unlock()
	data, err := readAll(v.disk, string(p), sizeLimit(p))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, failed("reading", p, err)
	}
	var out []byte
	c := cursor{data: data}
	for c.next() {
		raw := []byte(strings.TrimSpace(c.text))
		if len(raw) == 0 || raw[0] != '{' || !json.Valid(raw) {
			out = append(out, data[c.start:c.pos]...)
		} else if now := edit(raw); now != nil {
			out = append(append(out, now...), '\n')
		}
	}
	if string(out) == string(data) {
		return false, nil
	}
	return true, failed("editing", p, v.replace(p, out, HashOf(data)))
}
