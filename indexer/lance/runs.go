//go:build lancedb

package lance

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"

	"github.com/reverie-memory/reverie/indexer/vector"
	"github.com/reverie-memory/reverie/internal/slice"
)

// runs read vectors by their position in a table, out of the files that LanceDB made: a query of LanceDB costs some
// four milliseconds before it has read a vector, and this two microseconds. What is read is told from anything else by
// the checksums of the codes. The owner adds; any number read beside it.
type runs struct {
	dir string // of the table's data
	dim int
	all atomic.Pointer[[]openRun]
}

type openRun struct {
	run
	first int // position of its first row
	file  *os.File
}

func openRuns(dir string, m manifest) (*runs, error) {
	rs := &runs{dir: filepath.Join(dir, m.tableDir(), "data"), dim: m.Dim}
	rs.all.Store(&[]openRun{})
	return rs, rs.add(0, m.Runs)
}

// add opens the files of runs whose first row has this position. The new ones take the place of those that an append which failed left
// there.
func (rs *runs) add(first int, more []run) error {
	all := slices.Clone(*rs.all.Load())
	all, past := all[:rs.index(all, first)], all[rs.index(all, first):]
	for i, r := range past { // nobody reads behind what the manifest counts
		if i == 0 && len(all) > 0 && all[len(all)-1].file == r.file || i > 0 && past[i-1].file == r.file {
			continue
		}
		defer func() { _ = r.file.Close() }()
	}
	defer func() { rs.all.Store(&all) }()
	for _, r := range more {
		next := openRun{run: r, first: first}
		if n := len(all); n > 0 && all[n-1].File == r.File {
			next.file = all[n-1].file
		} else {
			var err error
			if next.file, err = os.Open(filepath.Join(rs.dir, r.File)); err != nil {
				return err
			}
		}
		all, first = append(all, next), first+r.Rows
	}
	return nil
}

// index is the number of runs that end at or before a position.
func (rs *runs) index(all []openRun, pos int) int {
	i, _ := slices.BinarySearchFunc(all, pos, func(r openRun, pos int) int { return r.first + r.Rows - pos - 1 })
	return i
}

// list is all runs, in the order of their rows.
func (rs *runs) list() (list []run) {
	return slice.Map(*rs.all.Load(), func(r openRun) run { return r.run })
}

// read reads the vectors from a position on into raw, and stops early at the end of a run.
func (rs *runs) read(pos int, raw []byte) (n int, err error) {
	all := *rs.all.Load()
	i := rs.index(all, pos)
	if i == len(all) {
		return 0, fmt.Errorf("row %d: %w", pos, io.ErrUnexpectedEOF)
	}
	r := &all[i]
	n = min(len(raw)/(4*rs.dim), r.first+r.Rows-pos)
	_, err = r.file.ReadAt(raw[:n*4*rs.dim], r.At+int64(pos-r.first)*int64(4*rs.dim))
	return n, err
}

// close closes the files; an error of one that was only read says nothing.
func (rs *runs) close() {
	var last *os.File
	for _, r := range *rs.all.Load() {
		if r.file != last {
			_ = r.file.Close()
		}
		last = r.file
	}
}

// files are the names of the table's files.
func (rs *runs) files() (names map[string]bool, err error) {
	list, err := os.ReadDir(rs.dir)
	names = map[string]bool{}
	for _, f := range list {
		names[f.Name()] = true
	}
	if os.IsNotExist(err) {
		err = nil
	}
	return names, err
}

// locate finds where LanceDB put these records, in the files that were not there before. locate knows nothing of their format but that
// vectors lie in them as they are, and looks at each.
func (rs *runs) locate(recs []vector.Record, before map[string]bool) (found []run, err error) {
	now, err := rs.files()
	if err != nil {
		return nil, err
	}
	raw := make([]byte, 4*rs.dim)
	for _, name := range slices.Sorted(maps.Keys(now)) {
		if before[name] || len(recs) == 0 {
			continue
		}
		data, err := os.ReadFile(filepath.Join(rs.dir, name))
		if err != nil {
			return nil, err
		}
		for at := 0; len(recs) > 0; {
			vector.PutBytes(raw, recs[0].Vector)
			if len(found) > 0 && found[len(found)-1].File == name && bytes.HasPrefix(data[at:], raw) {
				found[len(found)-1].Rows++
			} else if skip := bytes.Index(data[at:], raw); skip >= 0 {
				at += skip
				found = append(found, run{File: name, At: int64(at), Rows: 1})
			} else {
				break
			}
			at, recs = at+len(raw), recs[1:]
		}
	}
	if len(recs) > 0 {
		return nil, fmt.Errorf("key %d is not in the files that LanceDB wrote", recs[0].Key)
	}
	return found, nil
}
