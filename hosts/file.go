package hosts

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A File is one file of a program that Reverie goes into.
type File struct {
	Path string // absolute

	parts []part
	mode  fs.FileMode // of a file that is not there yet
}

// Edit is what shall become of a file. Where nothing changes, After is Before.
type Edit struct {
	Path   string // as the program knows it
	Real   string // where links lead
	Exists bool   // before
	Mode   fs.FileMode
	Before []byte
	After  []byte

	hint string // what a person can do where it cannot be done
}

// Changes tells that the edit does something.
func (e Edit) Changes() bool { return !bytes.Equal(e.Before, e.After) }

// Error says why a file was left as it is, and what a person can do.
type Error struct {
	Path string
	Err  error
	Hint string
}

func (e *Error) Error() string { return fmt.Sprintf("%s: %v", e.Path, e.Err) }
func (e *Error) Unwrap() error { return e.Err }

// ErrReadOnly says that a file's owner has forbidden to write it.
var ErrReadOnly = errors.New("the file is read-only")

// maxFile is more than any settings file has.
const maxFile = 64 << 20

// read gives an edit that changes nothing yet.
func (f File) read() (Edit, error) {
	e := Edit{Path: f.Path, Mode: f.mode}
	var err error
	if e.Real, err = follow(f.Path); err != nil {
		return e, &Error{f.Path, err, ""}
	}
	fi, err := os.Stat(e.Real)
	if errors.Is(err, fs.ErrNotExist) {
		return e, nil
	}
	if err == nil && !fi.Mode().IsRegular() {
		err = errors.New("this is not a file")
	}
	if err == nil && fi.Size() > maxFile {
		err = fmt.Errorf("it has more than %d MB", maxFile>>20)
	}
	if err == nil {
		e.Exists, e.Mode = true, fi.Mode().Perm()
		e.Before, err = os.ReadFile(e.Real)
	}
	if err != nil {
		return e, &Error{f.Path, err, ""}
	}
	e.After = e.Before
	return e, nil
}

// follow is where the links of a path lead, also where nothing is there yet.
func follow(path string) (string, error) {
	for range 40 {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			return real, nil
		}
		to, err := os.Readlink(path)
		if err != nil {
			dir, err := filepath.EvalSymlinks(filepath.Dir(path))
			if err != nil {
				return path, nil // its folder will be made
			}
			return filepath.Join(dir, filepath.Base(path)), nil
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(path), to)
		}
		path = to
	}
	return "", errors.New("its links lead in a circle")
}

// Add is the edit that makes Reverie's parts complete. A second one right after it changes nothing.
func (f File) Add(l Launch) (Edit, error) {
	return f.edit(func(p part, data []byte) ([]byte, error) { return p.add(data, l) }, l)
}

// Remove is the edit that takes Reverie's parts out.
func (f File) Remove() (Edit, error) {
	return f.edit(func(p part, data []byte) ([]byte, error) { return p.remove(data) }, Launch{})
}

func (f File) edit(change func(part, []byte) ([]byte, error), l Launch) (Edit, error) {
	e, err := f.read()
	if err != nil {
		return e, err
	}
	e.hint = f.byHand(l)
	for _, p := range f.parts {
		after, err := change(p, e.After)
		if err != nil {
			e.After = e.Before
			return e, &Error{f.Path, err, e.hint}
		}
		e.After = after
	}
	if e.Exists && e.Changes() && e.Mode&0o200 == 0 {
		return e, &Error{f.Path, ErrReadOnly, e.hint}
	}
	return e, nil
}

// byHand is what a person would paste into the file.
func (f File) byHand(l Launch) string {
	if l.Binary == "" {
		return "take the entries of Reverie out by hand"
	}
	var data []byte
	for _, p := range f.parts {
		data, _ = p.add(data, l) // into nothing
	}
	return "correct the file and run this again, or paste by hand:\n" + string(data)
}

// State is what of Reverie a file has.
type State struct {
	Path     string   `json:"path"`
	Has      string   `json:"has"`                // such as "server", "4 of 5 hooks", "nothing of Reverie"
	Entries  int      `json:"entries"`            // of Reverie
	Problems []string `json:"problems,omitempty"` // what setup would mend
	Foreign  bool     `json:"foreign,omitempty"`  // a file of somebody else has the name; it stays
	Err      error    `json:"-"`
}

// Look finds what of Reverie is in the file.
func (f File) Look(l Launch) State {
	s := State{Path: f.Path}
	e, err := f.read()
	var found []Entry
	var has []string
	for _, p := range f.parts {
		if err != nil {
			continue
		}
		var own []Entry
		if own, err = p.find(e.Before); err == nil {
			found = append(found, own...)
			has = append(has, summary(p, own)...)
			s.Problems = append(s.Problems, missing(p, own)...)
		}
	}
	if err != nil {
		var told *Error
		if !errors.As(err, &told) {
			err = &Error{f.Path, err, f.byHand(l)}
		}
		s.Err, s.Problems = err, nil
		return s
	}
	if s.Has = strings.Join(has, ", "); s.Has == "" {
		s.Has = "nothing of Reverie"
	}
	for _, entry := range found {
		if entry.Foreign {
			s.Foreign = true
			continue
		}
		s.Entries++
		if text := wrong(entry, l); text != "" && !slices.Contains(s.Problems, text) {
			s.Problems = append(s.Problems, text)
		}
	}
	if after, err := f.Add(l); len(s.Problems) == 0 && (err != nil || after.Changes()) {
		s.Problems = append(s.Problems, "it is not what this version writes")
	}
	return s
}

// summary says what of a part is there, in few words.
func summary(p part, found []Entry) []string {
	names := map[string]bool{}
	for _, e := range found {
		if !e.Foreign {
			names[e.Name] = true
		}
	}
	wants := p.wants()
	switch {
	case len(names) == 0:
		return nil
	case len(wants) == 1:
		return wants
	}
	kind, _, _ := strings.Cut(wants[0], " ")
	return []string{fmt.Sprintf("%d of %d %ss", len(names), len(wants), kind)}
}

// missing compares what is there with what a part wants.
func missing(p part, found []Entry) (problems []string) {
	count := map[string]int{}
	for _, e := range found {
		count[e.Name]++
	}
	for _, name := range p.wants() {
		switch n := count[name]; {
		case n == 0:
			problems = append(problems, name+" is missing")
		case n > 1:
			problems = append(problems, fmt.Sprintf("%s is there %d times", name, n))
		}
		delete(count, name)
	}
	for name := range count {
		problems = append(problems, name+" has no use any more")
	}
	slices.Sort(problems)
	return problems
}

// wrong says what is wrong with the program that an entry runs.
func wrong(e Entry, l Launch) string {
	switch {
	case len(e.Command) == 0 && e.Name == "server":
		return "the server is not a program"
	case len(e.Command) == 0:
		return ""
	case sameProgram(e.Command[0], l.Binary):
	case gone(e.Command[0]):
		return e.Command[0] + " is gone"
	default:
		return fmt.Sprintf("it runs %s, and this program is %s", e.Command[0], l.Binary)
	}
	switch have := settings(e.Command); {
	case slices.Equal(have, l.Flags):
		return ""
	case len(have) == 0:
		return "it uses the default vault"
	default:
		return "it runs with " + strings.Join(have, " ")
	}
}
