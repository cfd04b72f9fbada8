package lint

import (
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/vault"
)

// names are paths as links find them: without regard to case.
type names struct {
	keys   []string
	byPath map[string]int
	byName map[string][]int // the last part of the path
}

func namesOf(keys []string) names {
	n := names{keys, make(map[string]int, len(keys)), make(map[string][]int, len(keys))}
	for i, key := range keys {
		if _, ok := n.byPath[key]; !ok {
			n.byPath[key] = i
		}
		n.byName[path.Base(key)] = append(n.byName[path.Base(key)], i)
	}
	return n
}

// find gives those that a link can mean: the one at that path from the root, or from the page's folder, else all whose path ends like it.
func (n *names) find(from vault.Path, target string) []int {
	if target == "" {
		return nil
	}
	for _, p := range places(from, target) {
		if i, ok := n.byPath[fold(p)]; ok {
			if all := n.byName[fold(target)]; len(all) > 1 {
				return all // which one Obsidian takes is a matter of its settings
			}
			return []int{i}
		}
	}
	clean := strings.TrimPrefix(path.Clean("/"+fold(target)), "/")
	return slices.DeleteFunc(slices.Clone(n.byName[path.Base(clean)]), func(i int) bool {
		return !strings.HasSuffix("/"+n.keys[i], "/"+clean)
	})
}

// places are the paths that a target names: from the root, and from the folder of the page.
func places(from vault.Path, target string) []string {
	beside := path.Join(path.Dir(string(from)), target)
	switch {
	case strings.HasPrefix(target, "/"):
		return []string{strings.TrimPrefix(path.Clean(target), "/")}
	case strings.HasPrefix(target, "./"), strings.HasPrefix(target, "../"):
		return []string{beside}
	}
	return []string{path.Clean(target), beside}
}

// files knows the files of a vault by their names.
type files struct {
	vault  Vault
	paths  []vault.Path // of the Markdown files
	linked []bool       // another file leads there
	pages  names
	assets *names // all other files; nil until one is asked for
}

func (f *files) index() {
	keys := slice.Map(f.paths, func(p vault.Path) string { return pageKey(string(p)) })
	f.linked, f.pages = make([]bool, len(f.paths)), namesOf(keys)
}

func pageKey(target string) string { return strings.TrimSuffix(fold(target), ".md") }

// resolve finds the pages that a link can mean.
func (f *files) resolve(from vault.Path, target string) []int {
	return f.pages.find(from, pageKey(target))
}

// attachment tells whether a target is a file that is not Markdown, or a folder.
func (f *files) attachment(from vault.Path, target string) bool {
	if strings.HasSuffix(target, "/") || path.Ext(target) == "" {
		return strings.HasSuffix(target, "/")
	}
	for _, p := range places(from, target) {
		if at, err := vault.ParsePath(p); err == nil {
			if _, err := f.vault.Stat(at); err == nil {
				return true
			}
		}
	}
	if f.assets == nil {
		all := namesOf(f.list())
		f.assets = &all
	}
	return len(f.assets.find(from, target)) > 0
}

// list gives every other file, but for the hidden ones. What cannot be read cannot be linked to.
func (f *files) list() (keys []string) {
	root := f.vault.Dir()
	if root == "" {
		return nil
	}
	_ = filepath.WalkDir(root, func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
		case name != root && strings.HasPrefix(e.Name(), ".") && e.IsDir():
			return filepath.SkipDir
		case !strings.HasPrefix(e.Name(), ".") && !e.IsDir() && !strings.EqualFold(filepath.Ext(name), ".md"):
			if rel, err := filepath.Rel(root, name); err == nil {
				keys = append(keys, fold(filepath.ToSlash(rel)))
			}
		}
		return nil
	})
	return keys
}
