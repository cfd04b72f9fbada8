package hosts

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// Host is a program that assistants run in.
type Host struct {
	Name  string // as `reverie setup` is told
	Title string

	// programs are its names on the PATH.
	programs []string
	// folders are where it keeps its settings. The program is there where one of them is, or one of its programs. Each that is there is set
	// up; where none is, the first.
	folders func(Env) []string
	// files are those of one folder.
	files func(e Env, folder string) []File
	// project are the files of a project, with paths from its top; none where the program has no settings for projects.
	project []File
	// Next is what a person has to do before it counts.
	Next string
}

// Env is what decides where programs keep their settings.
type Env struct {
	OS     string // as runtime.GOOS
	Home   string
	Getenv func(string) string
	Look   func(program string) (path string, err error) // on the PATH
}

// or is the environment variable, or the path below the home folder.
func (e Env) or(variable string, below ...string) string {
	if dir := e.Getenv(variable); variable != "" && filepath.IsAbs(dir) {
		return dir
	}
	return e.home(below...)
}

func (e Env) home(below ...string) string {
	return filepath.Join(append([]string{e.Home}, below...)...)
}

// config is the folder of settings of programs that follow the system's custom.
func (e Env) config() string {
	switch e.OS {
	case "windows":
		return e.or("APPDATA", "AppData", "Roaming")
	case "darwin":
		return e.home("Library", "Application Support")
	}
	return e.xdg()
}

// xdg is that of programs that have the custom of Linux on every system.
func (e Env) xdg() string { return e.or("XDG_CONFIG_HOME", ".config") }

// Find gives the host of that name.
func Find(name string) (Host, bool) {
	if i := slices.IndexFunc(All, func(h Host) bool { return h.Name == name }); i >= 0 {
		return All[i], true
	}
	return Host{}, false
}

// Found tells whether the program is on this machine.
func (h Host) Found(e Env) bool {
	for _, p := range h.programs {
		if _, err := e.Look(p); err == nil {
			return true
		}
	}
	return slices.ContainsFunc(h.folders(e), isFolder)
}

// Files are those of the person's settings.
func (h Host) Files(e Env) (files []File) {
	folders := h.folders(e)
	there := slices.DeleteFunc(slices.Clone(folders), func(dir string) bool { return !isFolder(dir) })
	if len(there) == 0 {
		there = folders[:1]
	}
	for _, dir := range there {
		files = append(files, withMode(h.files(e, dir), 0o600)...)
	}
	return files
}

// HasProjects tells whether the program has settings for projects.
func (h Host) HasProjects() bool { return len(h.project) > 0 }

// ProjectFiles are those of the project whose top is that folder.
func (h Host) ProjectFiles(top string) []File {
	files := slices.Clone(h.project)
	for i := range files {
		files[i].Path = filepath.Join(top, filepath.FromSlash(files[i].Path))
	}
	return withMode(files, 0o644)
}

func withMode(files []File, mode fs.FileMode) []File {
	for i := range files {
		files[i].mode = mode
	}
	return files
}

func isFolder(path string) bool {
	fi, err := os.Stat(path)
	return err == nil && fi.IsDir()
}

// existing is the first of the paths that is there, else the last.
func existing(paths ...string) string {
	for _, p := range paths {
		if _, err := os.Lstat(p); err == nil {
			return p
		}
	}
	return paths[len(paths)-1]
}

// Standing is how a host stands with Reverie.
type Standing string

// Standings.
const (
	NotFound   Standing = "not found"
	NotSetUp   Standing = "not set up"
	SetUp      Standing = "set up"
	Outdated   Standing = "outdated"
	Unreadable Standing = "unreadable"
)

// Stand tells how a host stands whose files have these states.
func Stand(found bool, states []State) Standing {
	entries, standing := 0, SetUp
	for _, s := range states {
		if s.Err != nil {
			return Unreadable
		}
		entries += s.Entries
		if len(s.Problems) > 0 {
			standing = Outdated
		}
	}
	switch {
	case entries > 0:
		return standing
	case found:
		return NotSetUp
	}
	return NotFound
}
