package vault

import (
	"bytes"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
)

// A knownFile is what is remembered of a file that is appended to, so that it need not be read again. What is known holds for
// as long as the file is the one that info describes.
type knownFile struct {
	kind  fileKind
	info  fs.FileInfo
	run   Run
	ids   map[string]int // line of each id
	lines int
	blank bool // what comes next needs no blank line before it
	eol   bool // ends with a line break, or is empty
	fence int  // length of the fence that is open at the end
}

// knownFiles keeps the files that were appended to most recently. A file's own memory belongs to whoever appends to that file.
type knownFiles struct {
	mu     sync.Mutex
	byName map[string]*knownFile
	recent []string // the most recent last
	runs   Run      // that there were
}

const maxKnown = 64

func (k *knownFiles) forget(name string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.byName, name)
}

// load gives what is known of the open file, reading it when it is not known or has changed.
func (k *knownFiles) load(f diskFile, name string, kind fileKind) (*knownFile, error) {
	fi, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if old := k.find(name); old != nil && old.kind == kind && old.info.Size() == fi.Size() &&
		old.info.ModTime().Equal(fi.ModTime()) && os.SameFile(old.info, fi) {
		return old, nil
	}
	file, err := readKnown(f, fi, name, kind)
	if err != nil {
		return nil, err
	}
	k.keep(name, file)
	return file, nil
}

// find gives what is remembered under the name, nil for nothing, and counts as its use.
func (k *knownFiles) find(name string) *knownFile {
	k.mu.Lock()
	defer k.mu.Unlock()
	if i := slices.Index(k.recent, name); i >= 0 {
		k.recent = slices.Delete(k.recent, i, i+1)
	}
	k.recent = append(k.recent, name)
	return k.byName[name]
}

func (k *knownFiles) keep(name string, file *knownFile) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.byName == nil {
		k.byName = map[string]*knownFile{}
	}
	k.byName[name] = file
	k.runs++
	file.run = k.runs
	for len(k.recent) > maxKnown {
		delete(k.byName, k.recent[0])
		k.recent = k.recent[1:]
	}
}

func readKnown(f diskFile, fi fs.FileInfo, name string, kind fileKind) (*knownFile, error) {
	file := &knownFile{kind: kind, info: fi, ids: map[string]int{}, eol: true, blank: true}
	if kind == stateFile {
		if fi.Size() > 0 {
			var last [1]byte
			if _, err := f.ReadAt(last[:], fi.Size()-1); err != nil {
				return nil, err
			}
			file.eol = last[0] == '\n'
		}
		return file, nil
	}
	data, err := readOpen(f, maxDaily)
	if err != nil {
		return nil, err
	}
	if int64(len(data)) != fi.Size() {
		return nil, errRaced
	}
	file.lines = lineCount(data)
	file.eol = len(data) == 0 || data[len(data)-1] == '\n'
	file.blank = endsBlank(data)
	if kind == logFile {
		for _, fact := range ParseLog(Path(name), data).Facts {
			if !fact.Hand {
				file.ids[fact.ID] = fact.Line
			}
		}
		return file, nil
	}
	parsed := ParseDrawers(Path(name), data)
	file.fence = parsed.fence
	for i, d := range parsed.Drawers {
		if parsed.spans[i].closed { // what was cut off may be sent again
			file.ids[d.ID] = d.Line
		}
	}
	return file, nil
}

// lead is what must come before the next record: the heading of a new file, or whatever ends what stands there, so that the
// record never runs into it.
func (k *knownFile) lead(name string) []byte {
	if k.kind == stateFile {
		if !k.eol {
			return []byte{'\n'}
		}
		return nil
	}
	day := strings.TrimSuffix(path.Base(name), ".md")
	switch {
	case k.info.Size() == 0 && strings.HasPrefix(name, DiaryDir+"/"):
		return []byte("# Diary - " + day + "\n")
	case k.info.Size() == 0 && k.kind == logFile:
		return []byte("# Daily Log - " + day + "\n")
	case k.info.Size() == 0:
		return []byte("# Drawers - " + day + "\n")
	}
	var b []byte
	if !k.eol {
		b = append(b, '\n')
	}
	return append(b, closing(k.fence)...)
}

// closing ends a fence that was found open.
func closing(fence int) []byte {
	if fence == 0 {
		return nil
	}
	return []byte(strings.Repeat("`", fence) + "\n" + closedNote + "\n")
}

// gap adds the blank line between two sections where it is missing.
func (k *knownFile) gap(b []byte) []byte {
	if len(b) == 0 && k.blank || bytes.HasSuffix(b, []byte("\n\n")) {
		return b
	}
	return append(b, '\n')
}

// appended updates what is known after b was written.
func (k *knownFile) appended(b []byte, w *writing, now fs.FileInfo) {
	maps.Copy(k.ids, w.fresh)
	k.info, k.lines = now, w.line(b)-1
	k.blank, k.eol, k.fence = endsBlank(b), true, 0
}
