package project

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// What a name was taken from.
const (
	FromRemote = "remote" // the remote that the folder was cloned from
	FromFile   = "file"   // an override file above the work tree, or outside of any
	FromFolder = "folder" // the name of the folder, or of the repository's where no remote is
)

// maxUp bounds the way up from a folder.
const maxUp = 64

// A Scope is the project that a folder asks to be of. Its Name is the wing under which the project's memory is filed.
//
// Any archive may bring a folder and a file with a name of its choice: who files under the Name, or tells of it, first makes sure that the
// Folder has a right to it.
type Scope struct {
	Name     string // such as "github.com/owner/repo"; "" when the folder is of no project
	Isolated bool   // whether an override file wants the project's memory to stay inside, or may have wanted to
	From     string // FromRemote, FromFile or FromFolder; "" without a name
	Folder   string // of the override file, or of the repository, or the folder itself: what the name stands for
	Else     *Scope // with FromFile, the project where that file is not followed
}

// Base is the name without what narrows it: for a remote its host, else the name of which Folder claims to be.
func (s Scope) Base() string {
	base, _, _ := strings.Cut(s.Name, "/")
	return base
}

// Apart is the scope under a name that no other folder has.
func (s Scope) Apart() Scope {
	sum := sha256.Sum256([]byte(s.Folder))
	_, rest, narrowed := strings.Cut(s.Name, "/")
	name := cmp.Or(clean(filepath.Base(s.Folder)), "folder")
	s.Name = fmt.Sprintf("%s~%x", string([]rune(name)[:min(len([]rune(name)), maxName-9)]), sum[:4])
	if narrowed && s.From != FromRemote {
		s.Name = limit(s.Name + "/" + rest)
	}
	s.From, s.Else = FromFolder, nil
	return s
}

// Resolve tells which project the folder belongs to. Resolve reads a few small files, at most 64 folders upward, and starts no program.
//
// The home folder, what is above it, and the root of a volume are no project. With an override file that cannot be used Resolve returns
// the error and the scope as it is without that file, but isolated: a caller that leaves the error aside tells nothing to others.
func Resolve(dir string) (Scope, error) {
	if dir == "" {
		return Scope{}, errors.New("resolve project: no folder given")
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return Scope{}, fmt.Errorf("resolve project: %w", err)
	}
	dirs := upward(real(abs), homes())
	if len(dirs) == 0 {
		return Scope{}, nil
	}
	scope, err := resolve(dirs)
	if err != nil {
		err = fmt.Errorf("resolve project of %s: %w", dir, err)
	}
	return scope, err
}

// resolve goes up from dirs[0]. Override files inside the work tree came with it and only narrow its name; those above name freely.
func resolve(dirs []string) (Scope, error) {
	top := slices.IndexFunc(dirs, hasGit)
	inside, above := dirs, []string(nil)
	scope := Scope{Name: clean(filepath.Base(dirs[0])), From: FromFolder, Folder: dirs[0]}
	var gitErr error
	if top >= 0 {
		inside, above = dirs[:top+1], unowned(dirs[top+1:])
		scope, gitErr = repository(dirs[top])
	}
	person, err := overrides(above)
	own, ownErr := overrides(inside)
	scope.Isolated = own.Isolate
	if top < 0 {
		scope = scope.named(own)
	} else {
		scope = scope.narrowed(own).named(person).narrowed(own)
	}
	scope.Isolated = own.Isolate || person.Isolate
	if scope.Name == "" {
		scope = Scope{}
	}
	return scope, errors.Join(gitErr, err, ownErr)
}

// named is the scope under the name that an override file gives, if any.
func (s Scope) named(o override) Scope {
	if o.Project == "" {
		return s
	}
	out := Scope{Name: o.Project, From: FromFile, Folder: o.dir, Isolated: s.Isolated}
	if s.Name != "" {
		out.Else = &s
	}
	return out
}

// narrowed is the scope of a part of the project.
func (s Scope) narrowed(o override) Scope {
	if o.Project != "" && s.Name != "" && o.Project != path.Base(s.Name) {
		s.Name = limit(s.Name + "/" + o.Project)
	}
	return s
}

// unowned leaves out the folders of a work tree that lies around another one, as that of a submodule: their files came by a clone as well.
func unowned(dirs []string) []string {
	for i := len(dirs) - 1; i >= 0; i-- {
		if hasGit(dirs[i]) {
			return dirs[i+1:]
		}
	}
	return dirs
}

// upward lists dir and the folders above it, nearest first, up to those that are no project.
func upward(dir string, none []fs.FileInfo) []string {
	var dirs []string
	for range maxUp {
		info, err := os.Stat(dir)
		if err == nil && slices.ContainsFunc(none, func(h fs.FileInfo) bool { return os.SameFile(h, info) }) {
			break
		}
		up := filepath.Dir(dir)
		if up == dir {
			break
		}
		dirs = append(dirs, dir)
		dir = up
	}
	return dirs
}

// homes are the home folder and those above it.
func homes() []fs.FileInfo {
	home, err := os.UserHomeDir()
	if err != nil || !filepath.IsAbs(home) {
		return nil
	}
	var infos []fs.FileInfo
	for _, dir := range upward(real(home), nil) {
		if info, err := os.Stat(dir); err == nil {
			infos = append(infos, info)
		}
	}
	return infos
}

// real is the folder without symbolic links, where it exists.
func real(dir string) string {
	if r, err := filepath.EvalSymlinks(dir); err == nil {
		return r
	}
	return filepath.Clean(dir)
}
