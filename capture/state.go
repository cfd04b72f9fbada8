package capture

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"time"

	"github.com/reverie-memory/reverie/durable"
)

// The files, in a folder of the data folder.
const (
	begunFile     = "begun.json"
	positionsFile = "positions.json"
)

// begun says of a host when capturing began. What was said before is not read. Without the file nothing is: hooks make it again, and then
// capturing begins at that moment.
type begun struct {
	Since time.Time `json:"since"`
	Hook  time.Time `json:"hook,omitzero"`  // when a hook last ran, to the hour
	Ended bool      `json:"ended,omitzero"` // it was, and is not any more

	Refused   string    `json:"refused,omitempty"` // the folder of the last file that a hook named and that was not read
	RefusedAt time.Time `json:"refused_at,omitzero"`
}

// position is how far a transcript was read. A position that is lost costs reading again, as a turn that is known is not taken twice.
type position struct {
	Host   string    `json:"host"`
	Next   int64     `json:"next"` // where reading goes on
	Size   int64     `json:"size"` // of the file when it was looked at
	Mod    time.Time `json:"mod"`
	Mark   string    `json:"mark,omitempty"` // of the bytes before Next, by which a file is known again
	Open   bool      `json:"open,omitempty"` // its last turn waits
	Broken int       `json:"broken,omitempty"`
	At     int64     `json:"at,omitempty"`  // of the first broken line
	Why    string    `json:"why,omitempty"` // it could not be captured
}

// state is what capturing remembers between two runs of the daemon.
type state struct {
	dir   string
	begun map[string]begun
	files map[string]position // by path
	dirty bool
	saved time.Time
}

// load reads the state. What is missing or damaged is empty.
func load(dir string) *state {
	s := &state{dir: dir, begun: map[string]begun{}, files: map[string]position{}}
	for name, into := range map[string]any{begunFile: &s.begun, positionsFile: &s.files} {
		if data, err := os.ReadFile(filepath.Join(dir, name)); err == nil {
			_ = json.Unmarshal(data, into)
		}
	}
	return s
}

// begin notes that a host's transcripts are read, from a moment on. begin changes nothing where they are read already.
func (s *state) begin(host string, since time.Time) error {
	old, known := s.begun[host]
	if known && !old.Ended {
		return nil
	}
	return s.note(host, begun{Since: since, Hook: old.Hook})
}

// ancient is before all that was ever said to an assistant.
var ancient = time.Unix(0, 0).UTC()

// all notes that a host's transcripts are read from their beginning.
func (s *state) all(host string) error {
	for path, p := range s.files {
		if p.Host == host {
			delete(s.files, path)
			s.dirty = true
		}
	}
	return s.note(host, begun{Since: ancient, Hook: s.begun[host].Hook})
}

// end notes that a host's transcripts are not read any more.
func (s *state) end(host string) error {
	return s.note(host, begun{Hook: s.begun[host].Hook, Ended: true})
}

// heard notes that a hook ran.
func (s *state) heard(host string, at time.Time) error {
	b := s.begun[host]
	if at = at.UTC().Truncate(time.Hour); !at.After(b.Hook) {
		return nil
	}
	b.Hook = at
	return s.note(host, b)
}

// refuse notes that a file which a hook named is not read.
func (s *state) refuse(host, dir string, at time.Time) error {
	b := s.begun[host]
	if at = at.UTC().Truncate(time.Hour); b.Refused == dir && b.RefusedAt.Equal(at) {
		return nil
	}
	b.Refused, b.RefusedAt = dir, at
	return s.note(host, b)
}

func (s *state) note(host string, b begun) error {
	next := maps.Clone(s.begun)
	next[host] = b
	if err := s.write(begunFile, next); err != nil {
		return err
	}
	s.begun = next
	return nil
}

// put notes how far a file was read.
func (s *state) put(path string, p position) {
	if s.files[path] != p {
		s.files[path] = p
		s.dirty = true
	}
}

// saveEvery bounds how often the positions are written.
const saveEvery = 10 * time.Second

// save writes the positions, if they have changed, and drops those of files that are gone. save writes at once where now is zero.
func (s *state) save(now time.Time) error {
	if !s.dirty || !now.IsZero() && now.Sub(s.saved) < saveEvery {
		return nil
	}
	for path := range s.files {
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			delete(s.files, path)
		}
	}
	if err := s.write(positionsFile, s.files); err != nil {
		return err
	}
	s.dirty, s.saved = false, now
	return nil
}

func (s *state) write(name string, v any) error {
	data, err := json.Marshal(v)
	if err == nil {
		err = durable.MkdirAll(s.dir, 0o700)
	}
	if err == nil {
		err = durable.WriteFile(filepath.Join(s.dir, name), data, 0o600)
	}
	if err != nil {
		return fmt.Errorf("remember what was captured: %w", err)
	}
	return nil
}
