package mine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/vault"
	"github.com/reverie-memory/reverie/watcher"
)

// Dir is where mined folders stand among the paths of the index, each in a folder named by its id.
const Dir = ".mined"

// A Folder is a mined folder, or a single file, as a tree of the index. Nothing of it is kept open, so that it can be unmounted.
type Folder struct {
	vault.Source
	limits
	bare bool    // no file of it is left out
	copy *Folder // where its text is copied to; nil: nowhere

	unreachable atomic.Pointer[string]          // why the last look at it failed; nil: it did not
	problems    atomic.Pointer[[]vault.Problem] // of the last look
	watcher     atomic.Pointer[watcher.Watcher] // nil: the folder is not watched

	copies sync.Mutex // held while they are made equal to the files, also while nothing is done but waited
}

// limits are what all folders share.
type limits struct {
	max    int64         // bytes of a file; more is left out
	ignore string        // name of the ignore files of ours
	own    []fs.FileInfo // folders that are the program's: never gone into
}

// At is the folder's place in the index.
func (f *Folder) At() vault.Path { return vault.Path(Dir + "/" + f.ID) }

// rel is the name within the folder, "" for the folder itself.
func (f *Folder) rel(p vault.Path) string {
	return strings.Trim(strings.TrimPrefix(string(p), string(f.At())), "/")
}

// Real is where a file of the folder lies.
func (f *Folder) Real(p vault.Path) string {
	rel := f.rel(p)
	if f.single() {
		rel = ""
	}
	return filepath.Join(f.Path, filepath.FromSlash(rel))
}

// single says whether a file was named, and not a folder. A file that is gone counts as a folder that is.
func (f *Folder) single() bool {
	info, err := os.Stat(f.Path)
	return err == nil && info.Mode().IsRegular()
}

// opened is a folder that is being looked at.
type opened struct {
	*Folder
	root   *os.Root
	only   string // the one file
	prefix string // its place in the repository above it
	rules  rules
}

// reach opens the folder, and names the one file where one was named. The error says nothing about a file in it, so that it is none of
// fs.ErrNotExist.
func (f *Folder) reach() (root *os.Root, only string, err error) {
	dir := f.Path
	if f.single() {
		dir, only = filepath.Split(f.Path)
	}
	if root, err = os.OpenRoot(dir); err != nil {
		return nil, "", fmt.Errorf("%s cannot be reached: %v", f.Path, err)
	}
	if d, err := root.Open("."); err == nil && !f.bare { // of copies none may be left
		_, err = d.Readdirnames(1)
		_ = d.Close()
		if errors.Is(err, io.EOF) {
			_ = root.Close()
			return nil, "", fmt.Errorf("%s is empty, as where nothing is mounted", f.Path)
		}
	}
	return root, only, nil
}

func (f *Folder) open() (*opened, error) {
	root, only, err := f.reach()
	if err != nil {
		return nil, err
	}
	o := &opened{Folder: f, root: root, only: only}
	if f.bare {
		return o, nil
	}
	o.rules, o.prefix = above(filepath.Clean(root.Name()))
	o.rules = slices.Concat(defaults(), o.rules).with(root, o.prefix, "", gitIgnore, f.ignore)
	return o, nil
}

// deeper adds the rules of the ignore files in a folder.
func (o *opened) deeper(r rules, dir string) rules {
	if o.bare {
		return nil
	}
	return r.with(o.root, o.prefix, dir, gitIgnore, o.ignore)
}

// Walk implements [indexer.Tree].
func (f *Folder) Walk(ctx context.Context, fn func(vault.Path, vault.FileInfo) error) ([]vault.Problem, error) {
	o, err := f.open()
	if err != nil {
		why := err.Error()
		f.unreachable.Store(&why)
		return nil, err
	}
	defer o.root.Close()
	f.unreachable.Store(nil)
	w := walk{opened: o, fn: fn}
	if err := w.folder(ctx, "", o.rules); err != nil {
		return w.problems, err
	}
	f.problems.Store(&w.problems)
	if len(w.lost) > 0 {
		return w.problems, &indexer.UnreachableError{Places: w.lost, Err: w.why}
	}
	return w.problems, nil
}

type walk struct {
	*opened
	fn       func(vault.Path, vault.FileInfo) error
	problems []vault.Problem
	lost     []vault.Path // folders that cannot be read
	why      error
}

func (w *walk) report(name, reason, hint string) {
	w.problems = append(w.problems, vault.Problem{Path: w.At() + "/" + vault.Path(name), Reason: reason, Hint: hint})
}

// folder walks over a folder that the rules do not ignore; rules has those of the ignore files in it.
func (w *walk) folder(ctx context.Context, dir string, r rules) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	entries, err := entries(w.root, path.Join(".", dir))
	switch {
	case err == nil:
	case errors.Is(err, fs.ErrNotExist) && dir != "":
		return nil // gone meanwhile
	default:
		place := w.At()
		if dir != "" {
			place += "/" + vault.Path(dir)
		}
		w.lost, w.why = append(w.lost, place), errors.Join(w.why, err)
		return nil
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		if w.only != "" && name != w.only {
			continue
		}
		if err := w.entry(ctx, name, e, r); err != nil {
			return err
		}
	}
	return nil
}

// entries are what lies in a folder, by name.
func entries(root *os.Root, dir string) ([]fs.DirEntry, error) {
	f, err := open(root, dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	all, err := f.ReadDir(-1)
	slices.SortFunc(all, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return all, err
}

func (w *walk) entry(ctx context.Context, name string, e fs.DirEntry, r rules) error {
	if e.Type()&fs.ModeSymlink != 0 {
		if _, err := w.root.Stat(name); err != nil && !errors.Is(err, fs.ErrNotExist) && !w.leadsInto(name) && !r.ignored(w.prefix+name, false) {
			w.report(name, "a link that leaves the folder: not followed", "mine the place that it points to")
		}
		return nil
	}
	if !e.IsDir() && !e.Type().IsRegular() {
		return nil
	}
	info, err := e.Info()
	if errors.Is(err, fs.ErrNotExist) {
		return nil // gone meanwhile
	}
	if err != nil {
		w.lost, w.why = append(w.lost, w.At()+"/"+vault.Path(name)), errors.Join(w.why, err)
		return nil
	}
	why := w.leftOut(name, info, r)
	switch {
	case why.silent:
		return nil
	case why.reason != "":
		w.report(name, why.reason, why.hint)
		return nil
	case e.IsDir():
		return w.folder(ctx, name, w.deeper(r, name))
	}
	return w.fn(w.At()+"/"+vault.Path(name), vault.FileInfo{Size: info.Size(), ModTime: info.ModTime()})
}

// leadsInto says whether a link leads to something in the folder by the way from the root, which [os.Root] takes for a way out. What is
// there is read where it lies.
func (w *walk) leadsInto(name string) bool {
	top, err := filepath.EvalSymlinks(w.root.Name())
	if err != nil {
		return false
	}
	to, err := filepath.EvalSymlinks(filepath.Join(top, filepath.FromSlash(name)))
	if err != nil {
		return false
	}
	rel, err := filepath.Rel(top, to)
	return err == nil && filepath.IsLocal(rel)
}

// left says why something is left out; the zero value, that it is not.
type left struct {
	silent       bool // as was asked for
	reason, hint string
}

// leftOut judges a file or folder by its name and size. A file that was named itself is not ignored.
func (o *opened) leftOut(name string, info fs.FileInfo, r rules) left {
	if o.only == "" && r.ignored(o.prefix+name, info.IsDir()) {
		return left{silent: true}
	}
	if info.IsDir() {
		return left{silent: slices.ContainsFunc(o.own, func(own fs.FileInfo) bool { return os.SameFile(own, info) })}
	}
	if p, err := vault.ParsePath(name); err != nil || string(p) != name || !utf8.ValidString(name) {
		return left{reason: "the name holds a character that is not portable: not read", hint: "rename the file"}
	}
	if !o.bare && secrets().ignored(strings.ToLower(name), false) {
		return left{reason: "files of this name hold secrets: not read"}
	}
	if info.Size() > o.max {
		return left{
			reason: fmt.Sprintf("%d bytes are more than mine.max_file_bytes: not read", info.Size()),
			hint:   "raise the setting, or ignore the file",
		}
	}
	return left{}
}

// Stat implements [indexer.Tree]: what Walk does not come by is not there.
func (f *Folder) Stat(p vault.Path) (vault.FileInfo, error) {
	o, err := f.open()
	if err != nil {
		return vault.FileInfo{}, err
	}
	defer o.root.Close()
	info, err := o.stat(f.rel(p))
	if err != nil {
		return vault.FileInfo{}, err
	}
	return vault.FileInfo{Size: info.Size(), ModTime: info.ModTime()}, nil
}

func (o *opened) stat(name string) (fs.FileInfo, error) {
	if name == "" || o.only != "" && name != o.only {
		return nil, fs.ErrNotExist
	}
	r := o.rules
	for i := range len(name) {
		if name[i] != '/' {
			continue
		}
		dir := name[:i]
		info, err := o.root.Lstat(dir)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() || o.leftOut(dir, info, r) != (left{}) {
			return nil, fs.ErrNotExist
		}
		r = o.deeper(r, dir)
	}
	info, err := o.root.Lstat(name)
	if err == nil && (!info.Mode().IsRegular() || o.leftOut(name, info, r) != (left{})) {
		err = fs.ErrNotExist
	}
	return info, err
}

// ReadFile implements [indexer.Tree].
func (f *Folder) ReadFile(p vault.Path) ([]byte, error) {
	root, only, err := f.reach()
	if err != nil {
		return nil, err
	}
	defer root.Close()
	name := f.rel(p)
	if only != "" && name != only {
		return nil, fs.ErrNotExist
	}
	return readRegular(root, name, f.max+1)
}
