package watcher

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// A tree keeps one watch on each folder below root. Links to folders are not followed.
//
// The system reports a change by the name that a folder had when it was watched. After a known folder was moved or removed, such
// names may be wrong and watches may have ended. A tree is not mended then: the loop puts a new one in its place.
type tree struct {
	root   string
	pump   *pump
	most   int // watched folders; 0: any number
	ignore func(rel string, dir bool) bool

	dirs   map[string]bool  // watched folders; "." is the root
	failed map[string]error // folders that could not be watched or read
}

// abs gives the file system's name of rel.
func (t *tree) abs(rel string) string { return filepath.Join(t.root, filepath.FromSlash(rel)) }

// rel gives the slash-relative name of an event's path; false when it is not below root.
func (t *tree) rel(name string) (string, bool) {
	if name == t.root {
		return ".", true
	}
	rest, ok := strings.CutPrefix(name, t.root)
	if !ok {
		return "", false
	}
	if !os.IsPathSeparator(t.root[len(t.root)-1]) {
		if rest == "" || !os.IsPathSeparator(rest[0]) {
			return "", false
		}
		rest = rest[1:]
	}
	return filepath.ToSlash(rest), rest != ""
}

// errMost is why a folder is not watched where enough are.
var errMost = errors.New("as many folders are watched as one place may have")

func (t *tree) add(rel string) error {
	if t.most > 0 && len(t.dirs) >= t.most && !t.dirs[rel] {
		return errMost
	}
	return t.pump.Add(t.abs(rel))
}

// watch puts watches on the folder rel and all below it, and calls found for each file there. A folder is
// watched first and read then: what is put into it meanwhile shows up in one of the two, or in both.
func (t *tree) watch(rel string, found func(rel string)) {
	delete(t.failed, rel)
	switch err := t.add(rel); {
	case err == nil:
		t.dirs[rel] = true
	case errors.Is(err, fs.ErrNotExist):
		return // gone again: its removal is an event of its own
	default:
		t.failed[rel] = err
	}
	entries, err := os.ReadDir(t.abs(rel))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.failed[rel] = err
	}
	for _, e := range entries {
		child := path.Join(rel, e.Name())
		switch {
		case t.ignore(child, e.IsDir()):
		case e.IsDir():
			t.watch(child, found)
		case found != nil:
			found(child)
		}
	}
}

// has says whether rel is a folder that we know.
func (t *tree) has(rel string) bool {
	_, failed := t.failed[rel]
	return t.dirs[rel] || failed
}
