package mine

import (
	"bytes"
	_ "embed"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
)

// Sizes of ignore files: more is not read, as no person wrote it.
const (
	maxIgnoreFile = 1 << 20
	maxRules      = 10_000
	maxRuleLine   = 4096
)

//go:embed ignore.txt
var ignoredByDefault string

//go:embed secret.txt
var secretByName string

var (
	defaults = sync.OnceValue(func() rules { return parseRules(nil, "", ignoredByDefault) })
	secrets  = sync.OnceValue(func() rules { return parseRules(nil, "", secretByName) })
)

// rules are lines of ignore files in the syntax of .gitignore, of which the last that matches counts.
type rules []rule

// A rule is one line.
type rule struct {
	base    string   // the folder of its file, "" or ending with a slash
	parts   []string // between slashes
	free    bool     // one part that may match in any folder below
	not     bool     // it brings back
	folders bool     // it matches folders only
}

// parseRules adds the rules of an ignore file that lies in the folder base. What is no pattern matches nothing.
func parseRules(r rules, base, text string) rules {
	r = slices.Clip(r)
	most := len(r) + maxRules
	for line := range strings.SplitSeq(strings.TrimPrefix(text, "\ufeff"), "\n") {
		if len(r) == most {
			break
		}
		if add, ok := parseRule(base, strings.TrimSuffix(line, "\r")); ok {
			r = append(r, add)
		}
	}
	return r
}

func parseRule(base, line string) (r rule, ok bool) {
	if len(line) > maxRuleLine || strings.HasPrefix(line, "#") {
		return r, false
	}
	for strings.HasSuffix(line, " ") && !strings.HasSuffix(line, `\ `) {
		line = line[:len(line)-1]
	}
	line, r.not = strings.CutPrefix(line, "!")
	line, r.folders = strings.CutSuffix(line, "/")
	r.free = !strings.Contains(line, "/")
	line = strings.TrimPrefix(line, "/")
	if line == "" {
		return r, false
	}
	r.parts = strings.Split(strings.ReplaceAll(line, "[!", "[^"), "/")
	if base != "" {
		r.base = base + "/"
	}
	for _, p := range r.parts {
		if _, err := path.Match(p, ""); err != nil {
			return r, false
		}
	}
	return r, true
}

// ignored says what the rules say of a file or folder, whose parents they do not ignore.
func (r rules) ignored(name string, folder bool) bool {
	for _, rule := range slices.Backward(r) {
		if rule.matches(name, folder) {
			return !rule.not
		}
	}
	return false
}

func (r *rule) matches(name string, folder bool) bool {
	if r.folders && !folder {
		return false
	}
	rel, ok := strings.CutPrefix(name, r.base)
	if !ok {
		return false
	}
	if r.free {
		return matches(r.parts[0], path.Base(rel))
	}
	return matchParts(r.parts, strings.Split(rel, "/"))
}

func matches(pattern, part string) bool {
	ok, _ := path.Match(pattern, part)
	return ok
}

// matchParts matches the parts of a path; "**" stands for any number of them, at the end for at least one. at[i] says whether the
// patterns so far match the first i parts, so that many stars cost no more than their number times that of the parts.
func matchParts(patterns, parts []string) bool {
	at := make([]bool, len(parts)+1)
	at[0] = true
	for n, p := range patterns {
		next := make([]bool, len(parts)+1)
		last := n == len(patterns)-1
		reached := false
		for i := range next {
			switch {
			case p != "**":
				next[i] = i > 0 && at[i-1] && matches(p, parts[i-1])
			case last:
				next[i] = reached
			default:
				next[i] = reached || at[i]
			}
			reached = reached || at[i]
		}
		at = next
	}
	return at[len(parts)]
}

// with adds the rules of the ignore files in a folder of root. prefix is the way to root from where the names begin that are asked for.
func (r rules) with(root *os.Root, prefix, folder string, files ...string) rules {
	for _, name := range files {
		if text, err := readRegular(root, path.Join(folder, name), maxIgnoreFile); err == nil {
			r = parseRules(r, strings.Trim(prefix+folder, "/"), string(text))
		}
	}
	return r
}

// open opens a file or folder to read it. open does not wait for who writes into a pipe that was put in its place.
func open(root *os.Root, name string) (*os.File, error) {
	return root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
}

// readRegular reads a file as far as limit. Links are followed within root only, and what is no file is not read.
func readRegular(root *os.Root, name string, limit int64) ([]byte, error) {
	info, err := root.Stat(name)
	if err == nil && !info.Mode().IsRegular() { // opening some devices does something
		err = fs.ErrNotExist
	}
	if err != nil {
		return nil, err
	}
	f, err := open(root, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err = f.Stat(); err == nil && !info.Mode().IsRegular() {
		err = fs.ErrNotExist
	}
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.Grow(int(min(info.Size(), limit)) + bytes.MinRead)
	_, err = b.ReadFrom(io.LimitReader(f, limit))
	return b.Bytes(), err
}

// above are the rules of the repository that a folder lies in, and the folder's own place there, "" or ending with a slash.
func above(dir string) (r rules, prefix string) {
	top := dir
	for {
		if _, err := os.Lstat(filepath.Join(top, ".git")); err == nil {
			break
		}
		up := filepath.Dir(top)
		if up == top {
			return nil, ""
		}
		top = up
	}
	rel, err := filepath.Rel(top, dir)
	if err != nil || rel == "." {
		return nil, ""
	}
	root, err := os.OpenRoot(top)
	if err != nil {
		return nil, ""
	}
	defer root.Close()
	for _, part := range strings.Split(filepath.ToSlash(rel), "/") {
		r = r.with(root, "", prefix, gitIgnore)
		prefix += part + "/"
	}
	return r, prefix
}

const gitIgnore = ".gitignore"
