package lint

import (
	"io/fs"
	"net/url"
	"path"
	"path/filepath"
	"strings"

	"github.com/reverie-memory/reverie/vault"
)

// files knows the Markdown files by name, and resolves links as Obsidian does.
type files struct {
	vault  Vault
	paths  []vault.Path
	linked []bool           // another file leads there
	byPath map[string]int   // folded, without .md
	byName map[string][]int // the last part of that
	assets map[string]bool  // folded paths of all other files; nil until one is asked for
}

func (f *files) add(p vault.Path) { f.paths = append(f.paths, p) }

func (f *files) index() {
	f.linked = make([]bool, len(f.paths))
	f.byPath = make(map[string]int, len(f.paths))
	f.byName = make(map[string][]int, len(f.paths))
	for i, p := range f.paths {
		key := pageKey(string(p))
		if _, ok := f.byPath[key]; !ok {
			f.byPath[key] = i
		}
		f.byName[path.Base(key)] = append(f.byName[path.Base(key)], i)
	}
}

func pageKey(target string) string { return strings.TrimSuffix(fold(target), ".md") }

func (f *files) linkedTo(p string) {
	if i, ok := f.byPath[pageKey(p)]; ok {
		f.linked[i] = true
	}
}

// resolve finds the files that a link can mean: the one at that path from the root, or from the page's folder, else all whose path
// ends like it.
func (f *files) resolve(from vault.Path, target string) []int {
	key := pageKey(target)
	if key == "" {
		return nil
	}
	for _, p := range places(from, key) {
		if i, ok := f.byPath[p]; ok && p != "" {
			if !strings.Contains(key, "/") && len(f.byName[key]) > 1 {
				return f.byName[key] // which one Obsidian takes is a matter of its settings
			}
			return []int{i}
		}
	}
	clean := strings.TrimPrefix(path.Clean("/"+key), "/")
	var found []int
	for _, i := range f.byName[path.Base(clean)] {
		if p := pageKey(string(f.paths[i])); p == clean || strings.HasSuffix(p, "/"+clean) {
			found = append(found, i)
		}
	}
	return found
}

// places are the paths that a target names: from the root, and from the folder of the page.
func places(from vault.Path, target string) []string {
	dir := fold(path.Dir(string(from)))
	beside := path.Join(dir, target)
	if strings.HasPrefix(target, "/") {
		return []string{strings.TrimPrefix(path.Clean(target), "/")}
	}
	if strings.HasPrefix(target, "./") || strings.HasPrefix(target, "../") {
		return []string{beside}
	}
	return []string{path.Clean(target), beside}
}

// attachment tells whether a target is a file that is not Markdown, or a folder.
func (f *files) attachment(from vault.Path, target string) bool {
	if strings.HasSuffix(target, "/") {
		return true
	}
	if path.Ext(target) == "" {
		return false
	}
	for _, p := range places(vault.Path(path.Dir(string(from))+"/x"), target) {
		if at, err := vault.ParsePath(p); err == nil {
			if _, err := f.vault.Stat(at); err == nil {
				return true
			}
		}
	}
	if f.assets == nil {
		f.list()
	}
	key := strings.TrimPrefix(path.Clean("/"+fold(target)), "/")
	for _, p := range places(from, fold(target)) {
		if f.assets[p] {
			return true
		}
	}
	return f.assets["*/"+key]
}

// list notes every other file, by its path and by each end of that.
func (f *files) list() {
	f.assets = map[string]bool{}
	root := f.vault.Dir()
	if root == "" {
		return
	}
	_ = filepath.WalkDir(root, func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil // what cannot be read cannot be linked to
		case name != root && strings.HasPrefix(e.Name(), "."):
			if e.IsDir() {
				return filepath.SkipDir
			}
		case !e.IsDir() && !strings.EqualFold(filepath.Ext(name), ".md"):
			rel, err := filepath.Rel(root, name)
			if err != nil {
				return nil
			}
			key := fold(filepath.ToSlash(rel))
			f.assets[key] = true
			for end := key; ; {
				f.assets["*/"+end] = true
				i := strings.IndexByte(end, '/')
				if i < 0 {
					break
				}
				end = end[i+1:]
			}
		}
		return nil
	})
}

// unescape reads a target of a Markdown link; what is not an escape stays.
func unescape(target string) string {
	if s, err := url.PathUnescape(target); err == nil {
		return s
	}
	return target
}
