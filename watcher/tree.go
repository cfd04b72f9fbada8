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
type tree struct {
	root   string
	info   fs.FileInfo // of root, to notice that another folder took its place
	pump   *pump
	ignore func(rel string, dir bool) bool

	dirs   map[string]fs.FileInfo // watched folders as they were then; "." is the root
	names  map[fileID]string      // the name that each watched folder is known by to the system
	failed map[string]error       // folders that could not be watched or read

	displaced bool // watch met another folder at a known name, or a known folder at another name, before that was reported
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

// watch puts watches on the folder rel and all below it, and calls found for each file there. A folder is
// watched first and read then: what is put into it meanwhile shows up in one of the two, or in both.
func (t *tree) watch(rel string, found func(rel string)) {
	info, err := os.Lstat(t.abs(rel))
	if err != nil || !info.IsDir() {
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.failed[rel] = err
		}
		return // gone again: its removal is an event of its own
	}
	t.release(rel, info)
	delete(t.failed, rel)
	if err := t.pump.Add(t.abs(rel)); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return
		}
		t.failed[rel] = err
	} else {
		t.dirs[rel] = info
		if id, ok := identity(info); ok {
			t.names[id] = rel
		}
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

// release takes the watches off that stand in the way of one for the folder info at rel: of another folder that had the name,
// and of this folder under another name. inotify has one watch for a folder, whatever names it was added by, and fsnotify goes on
// reporting under the first one; letting go of that name later would end the watch of both.
func (t *tree) release(rel string, info fs.FileInfo) {
	if old, ok := t.dirs[rel]; ok && !os.SameFile(old, info) {
		t.forget(rel)
		t.displaced = true
	}
	id, ok := identity(info)
	if !ok {
		return
	}
	name, known := t.names[id]
	if !known || name == rel {
		return
	}
	if now, ok := t.dirs[name]; ok && !os.SameFile(now, info) {
		delete(t.names, id) // the name is another folder's by now, whose watch stays
		return
	}
	t.forget(name)
	t.unwatch(name, info)
	t.displaced = true
}

// unwatch ends the watch of the folder info under the name rel. The system may have dropped it already, which is no failure.
func (t *tree) unwatch(rel string, info fs.FileInfo) {
	_ = t.pump.Remove(t.abs(rel))
	if id, ok := identity(info); ok && t.names[id] == rel {
		delete(t.names, id)
	}
}

// refresh goes through the whole tree: it adds what is missing and lets go of what is no longer there.
func (t *tree) refresh() {
	old := t.dirs
	t.dirs, t.failed = make(map[string]fs.FileInfo, len(old)), map[string]error{}
	for rel, info := range old {
		if now, err := os.Lstat(t.abs(rel)); err != nil || !os.SameFile(now, info) {
			t.unwatch(rel, info)
		}
	}
	t.watch(".", nil)
}

// has says whether rel is a folder that we know.
func (t *tree) has(rel string) bool {
	_, watched := t.dirs[rel]
	_, failed := t.failed[rel]
	return watched || failed
}

// forget lets go of a folder and all below it. After a move the system would go on reporting under the old name.
func (t *tree) forget(rel string) {
	prefix := rel + "/"
	for dir, info := range t.dirs {
		if dir == rel || strings.HasPrefix(dir, prefix) {
			t.unwatch(dir, info)
			delete(t.dirs, dir)
		}
	}
	for dir := range t.failed {
		if dir == rel || strings.HasPrefix(dir, prefix) {
			delete(t.failed, dir)
		}
	}
}

// replaced says whether the root's name leads to another folder than the one that is watched.
func (t *tree) replaced(root string) bool {
	info, err := os.Stat(root)
	return err != nil || !os.SameFile(info, t.info)
}
