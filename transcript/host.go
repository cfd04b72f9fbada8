package transcript

import (
	"os"
	"path/filepath"
)

// A Host is a program that writes transcripts. To add one, copy codex.go and name it in [Hosts].
type Host interface {
	// Name is the program's, as it stands in settings and on drawers.
	Name() string
	// Folders are where the program keeps its transcripts, for the user whose home is given.
	Folders(home string) []string
	// Keeps tells whether a file below one of the folders is a transcript of a session with a person, by its path from there.
	Keeps(path string) bool
	// Reads tells by the name and the first bytes of a file whether it is a transcript of the program.
	Reads(name string, head []byte) bool

	// entries reads a line. The session is what was learnt from the file's first line.
	entries(line []byte, s *session) ([]entry, error)
}

// session is what the first line of a file says of all others.
type session struct {
	chat, dir string
	program   bool // a program asked, not a person
	agent     bool // another assistant asked
	known     bool // the first line was read
}

// prompter is the role of what was asked in the session.
func (s *session) prompter() string {
	if s.program {
		return tool
	}
	return user
}

// Hosts are the programs that are known.
func Hosts() []Host { return []Host{Claude{}, Codex{}, Gemini{}} }

// Named gives a host by its name, nil where none is called so.
func Named(name string) Host {
	for _, h := range Hosts() {
		if h.Name() == name {
			return h
		}
	}
	return nil
}

// Of gives the host whose transcript a file is, nil where it is none's.
func Of(name string, head []byte) Host {
	for _, h := range Hosts() {
		if h.Reads(name, head) {
			return h
		}
	}
	return nil
}

// folder is a program's own folder: what the environment names, or one in the home.
func folder(env, home, name string) string {
	if dir := os.Getenv(env); dir != "" {
		return dir
	}
	return filepath.Join(home, name)
}
