package project

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// maxConfig bounds what is read of a repository's settings.
const maxConfig = 1 << 20

func hasGit(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, ".git"))
	return err == nil
}

// repository names the repository whose work tree begins at root: by its remote, else by its folder.
func repository(root string) (Scope, error) {
	byFolder := Scope{Name: clean(filepath.Base(root)), From: FromFolder, Folder: root}
	common := commonDir(root)
	if common == "" {
		return byFolder, nil
	}
	data, err := read(filepath.Join(common, "config"), maxConfig)
	if err != nil && !os.IsNotExist(err) {
		return byFolder, err
	}
	if name := Remote(remoteOf(parseConfig(data))); name != "" {
		return Scope{Name: name, From: FromRemote, Folder: root}, nil
	}
	// Without a remote, the work trees of a repository meet in the name of its main folder, or of the bare repository.
	switch base := filepath.Base(common); {
	case base[0] == '.':
		byFolder.Folder = filepath.Dir(common)
		byFolder.Name = clean(filepath.Base(byFolder.Folder))
	case strings.HasSuffix(base, ".git"):
		byFolder.Folder, byFolder.Name = common, clean(strings.TrimSuffix(base, ".git"))
	}
	return byFolder, nil
}

// commonDir is the folder with the settings of the repository that root is a work tree of, "" where there is none to be believed.
//
// A .git file comes with any archive and may point anywhere, so that the folder it names has to point back.
func commonDir(root string) string {
	dotGit := filepath.Join(root, ".git")
	info, err := os.Lstat(dotGit)
	switch {
	case err != nil:
		return ""
	case info.IsDir():
		return dotGit
	}
	dir, ok := pathIn(dotGit, "gitdir: ")
	if !ok {
		return ""
	}
	if common, ok := pathIn(filepath.Join(dir, "commondir"), ""); ok { // a linked work tree
		back, ok := pathIn(filepath.Join(dir, "gitdir"), "")
		if !ok || !same(back, dotGit) || !same(filepath.Dir(filepath.Dir(dir)), common) {
			return ""
		}
		return real(common)
	}
	data, err := read(filepath.Join(dir, "config"), maxConfig) // a submodule
	if err != nil {
		return ""
	}
	for _, v := range parseConfig(data) {
		if v.section == "core" && v.key == "worktree" && same(absolute(v.value, dir), root) {
			return real(dir)
		}
	}
	return ""
}

// pathIn is the path that the first line of a file holds after the prefix. A relative one counts from the file's folder.
func pathIn(file, prefix string) (string, bool) {
	data, err := read(file, maxFile)
	if err != nil {
		return "", false
	}
	line, _, _ := strings.Cut(string(data), "\n")
	p, ok := strings.CutPrefix(strings.TrimRight(line, "\r"), prefix)
	if !ok || p == "" || strings.ContainsRune(p, 0) {
		return "", false
	}
	return absolute(p, filepath.Dir(file)), true
}

func absolute(p, dir string) string {
	if p = filepath.FromSlash(p); filepath.IsAbs(p) {
		return filepath.Clean(p)
	}
	return filepath.Join(dir, p)
}

func same(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// read gives a regular file of at most limit bytes.
func read(file string, limit int64) ([]byte, error) {
	info, err := os.Lstat(file)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > limit {
		return nil, fmt.Errorf("%s: not a file of at most %d KB", file, limit>>10)
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, limit))
}

// A variable is a line of git's settings.
type variable struct{ section, sub, key, value string }

// remoteOf is the address of origin, else of the first remote by name.
func remoteOf(vars []variable) string {
	remotes := slices.DeleteFunc(slices.Clone(vars), func(v variable) bool { return v.section != "remote" || v.key != "url" || v.value == "" })
	if i := slices.IndexFunc(remotes, func(v variable) bool { return v.sub == "origin" }); i >= 0 {
		return remotes[i].value
	}
	if len(remotes) == 0 {
		return ""
	}
	return slices.MinFunc(remotes, func(a, b variable) int { return strings.Compare(a.sub, b.sub) }).value
}

// parseConfig reads the form of git's settings: [section "sub"], key = value, quotes, escapes, comments and continued lines.
func parseConfig(data []byte) []variable {
	var vars []variable
	var section, sub string
	for len(data) > 0 {
		line := bytes.TrimSpace(cutLine(&data))
		if len(line) == 0 {
			continue
		}
		if line[0] == '[' {
			head, _, _ := strings.Cut(string(line[1:]), "]")
			section, sub, _ = strings.Cut(head, " ")
			section, sub = strings.ToLower(section), strings.Trim(strings.TrimSpace(sub), `"`)
			continue
		}
		key, value, ok := strings.Cut(string(line), "=")
		if ok && section != "" {
			vars = append(vars, variable{section, sub, strings.ToLower(strings.TrimSpace(key)), unquote(strings.TrimSpace(value))})
		}
	}
	return vars
}

// cutLine takes the first line off data, with the lines that a backslash at the end continues it by.
func cutLine(data *[]byte) []byte {
	var whole []byte
	for {
		line, rest, more := bytes.Cut(*data, []byte("\n"))
		*data = rest
		line = bytes.TrimSuffix(line, []byte("\r"))
		head, continued := bytes.CutSuffix(line, []byte(`\`))
		if !continued || bytes.HasSuffix(head, []byte(`\`)) || !more {
			return append(whole, line...)
		}
		whole = append(whole, head...)
	}
}

func unquote(s string) string {
	var b strings.Builder
	quoted := false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			quoted = !quoted
		case (c == '#' || c == ';') && !quoted:
			return strings.TrimSpace(b.String())
		case c == '\\' && i+1 < len(s):
			i++
			b.WriteByte(s[i])
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
