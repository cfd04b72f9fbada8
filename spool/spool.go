package spool

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// An Event is what a hook reports.
type Event struct {
	Event      string    `json:"event"` // the hook's verb, such as stop
	Host       string    `json:"host"`  // whose hook it is
	At         time.Time `json:"at"`
	Session    string    `json:"session,omitempty"`
	Transcript string    `json:"transcript,omitempty"` // its file
	Dir        string    `json:"dir,omitempty"`        // where the assistant works
}

// Events that no hook reports, but the program itself of a host.
const (
	Setup   = "setup"   // it was set up: its transcripts are captured from then on
	History = "history" // they are to be captured from their beginning
	Undo    = "undo"    // it was set up no longer: nothing is read any more
)

const (
	events = "events.jsonl" // hooks append here
	taken  = "taken.jsonl"  // what the daemon has taken and not done yet
)

const (
	maxLine = 64 << 10
	maxFile = 16 << 20
)

// ErrFull says that nobody has taken events for very long. The transcripts are still there.
var ErrFull = errors.New("the spool is full")

// Append adds an event, for any number of processes at the same time. When it returns, the event is in the file, which a power cut may
// still take; the transcript that the event points to is on disk all the same.
func Append(dir string, e Event) error {
	line, err := json.Marshal(e)
	if err == nil && len(line) > maxLine {
		err = fmt.Errorf("the event has %d bytes", len(line))
	}
	if err != nil {
		return fmt.Errorf("write to the spool: %w", err)
	}
	// An empty line before the event parts it from what a write that was cut off has left.
	line = append(append([]byte("\n"), line...), '\n')
	for range 100 {
		stays, err := write(dir, line)
		if err != nil {
			return fmt.Errorf("write to the spool: %w", err)
		}
		if stays {
			return nil
		}
	}
	return errors.New("write to the spool: it is taken again and again")
}

// write appends a line. Where the daemon took the file at that moment it may have missed the line, and stays is false.
func write(dir string, line []byte) (stays bool, err error) {
	path := filepath.Join(dir, events)
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.MkdirAll(dir, 0o700); err == nil {
			f, err = os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		}
	}
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	mine, err := f.Stat()
	if err != nil {
		return false, err
	}
	if mine.Size() > maxFile {
		return false, ErrFull
	}
	if _, err := f.Write(line); err != nil {
		return false, err
	}
	now, err := os.Stat(path)
	return err == nil && os.SameFile(mine, now), nil
}

// Take gives the events that wait, in the order in which they were written, and keeps them until [Done]: whoever takes again before
// that gets the same ones. One process takes at a time. Lines that are no events are left out.
func Take(dir string) ([]Event, error) {
	path := filepath.Join(dir, taken)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		err = os.Rename(filepath.Join(dir, events), path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		if err != nil {
			return nil, fmt.Errorf("take from the spool: %w", err) // on Windows, while a hook writes
		}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("take from the spool: %w", err)
	}
	defer f.Close()
	var out []Event
	s := bufio.NewScanner(f)
	s.Buffer(nil, 2*maxLine)
	for s.Scan() {
		var e Event
		if line := bytes.TrimSpace(s.Bytes()); len(line) > 0 && json.Unmarshal(line, &e) == nil && e.Event != "" {
			out = append(out, e)
		}
	}
	if err := s.Err(); err != nil && !errors.Is(err, bufio.ErrTooLong) {
		return nil, fmt.Errorf("take from the spool: %w", err)
	}
	return out, nil
}

// Done lets go of the events that were taken.
func Done(dir string) error {
	err := os.Remove(filepath.Join(dir, taken))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("empty the spool: %w", err)
	}
	return nil
}

// Waiting tells whether there are events, taken or not.
func Waiting(dir string) bool {
	for _, name := range []string{taken, events} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			return true
		}
	}
	return false
}
