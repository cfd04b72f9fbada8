package hosts

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/reverie-memory/reverie/durable"
)

// Store writes edits and keeps, for each file, its bytes from before the first of them. Store is a folder that is a person's own: what it
// keeps may hold other programs' secrets.
type Store struct {
	Dir string
}

// kept is what the store knows of a file, beside its bytes.
type kept struct {
	Path    string   `json:"path"`
	Existed bool     `json:"existed"`
	Made    []string `json:"made,omitempty"` // folders, from the inside out
	// Sum is that of the bytes that were written last; empty once somebody else has changed the file between two edits, as the
	// kept bytes are not those without Reverie any more.
	Sum string `json:"sum"`
}

// Kept is the file with the bytes from before the first edit.
func (s Store) Kept(real string) string { return filepath.Join(s.place(real), "original") }

func (s Store) place(real string) string {
	sum := sha256.Sum256([]byte(real))
	return filepath.Join(s.Dir, filepath.Base(real)+"-"+hex.EncodeToString(sum[:6]))
}

// file is what is kept of a file of a host.
func (s Store) file(real string) string { return filepath.Join(s.place(real), "kept.json") }

func (s Store) load(real string) (k kept, found bool, err error) {
	data, err := os.ReadFile(s.file(real))
	if errors.Is(err, fs.ErrNotExist) {
		return k, false, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &k)
	}
	if err != nil {
		return k, false, fmt.Errorf("read what is kept of %s: %w", real, err)
	}
	return k, true, nil
}

func (s Store) save(real string, k kept) error {
	data, err := json.MarshalIndent(k, "", "  ")
	if err == nil {
		err = durable.WriteFile(s.file(real), append(data, '\n'), 0o600)
	}
	return err
}

func (s Store) drop(real string) error { return os.RemoveAll(s.place(real)) }

func sum(data []byte) string {
	h := sha256.Sum256(data)
	return hex.EncodeToString(h[:])
}

// ErrChanged says that somebody has written the file since it was read; reading it again mends that.
var ErrChanged = errors.New("the file has changed meanwhile")

// Write does an edit. Write keeps the file's mode, follows links, and leaves the old bytes or the new ones whatever happens.
func (s Store) Write(e Edit) error {
	if !e.Changes() {
		return nil
	}
	err := s.write(e)
	switch {
	case errors.Is(err, ErrChanged):
		return &Error{e.Path, err, "try again"}
	case err != nil:
		return &Error{e.Path, err, e.hint}
	}
	return nil
}

func (s Store) write(e Edit) error {
	if err := unchanged(e); err != nil {
		return err
	}
	k, found, err := s.load(e.Real)
	if err != nil {
		return err
	}
	before := k
	switch {
	case !found:
		k = kept{Path: e.Real, Existed: e.Exists, Made: missingFolders(filepath.Dir(e.Real)), Sum: sum(e.After)}
		if err := durable.MkdirAll(s.place(e.Real), 0o700); err != nil {
			return fmt.Errorf("keep the file as it was: %w", err)
		}
		if e.Exists {
			if err := durable.WriteFile(s.Kept(e.Real), e.Before, 0o600); err != nil {
				return fmt.Errorf("keep the file as it was: %w", err)
			}
		}
	case k.Sum == sum(e.Before):
		k.Sum = sum(e.After)
	default:
		k.Sum = ""
	}
	if err := s.save(e.Real, k); err != nil {
		return fmt.Errorf("keep the file as it was: %w", err)
	}
	if err = replace(e); err == nil {
		return nil
	}
	if found { // nothing has happened
		return errors.Join(err, s.save(e.Real, before))
	}
	return errors.Join(err, s.drop(e.Real))
}

func replace(e Edit) error {
	if err := durable.MkdirAll(filepath.Dir(e.Real), 0o700); err != nil {
		return err
	}
	if err := unchanged(e); err != nil {
		return err
	}
	return durable.WriteFile(e.Real, e.After, e.Mode)
}

func unchanged(e Edit) error {
	data, err := os.ReadFile(e.Real)
	if errors.Is(err, fs.ErrNotExist) && !e.Exists {
		return nil
	}
	if err != nil {
		return err
	}
	if !e.Exists || !bytes.Equal(data, e.Before) {
		return ErrChanged
	}
	return nil
}

func missingFolders(dir string) (missing []string) {
	for dir != filepath.Dir(dir) {
		if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		missing = append(missing, dir)
		dir = filepath.Dir(dir)
	}
	return missing
}

// Undone is what Undo would do, or has done, with a file.
type Undone struct {
	Edit
	// Exact: the file gets its bytes from before the first edit. Otherwise somebody has changed it since, and only what is
	// Reverie's goes.
	Exact  bool
	Delete bool // the file was made by setup

	known bool
	made  []string
}

// Undo finds what takes Reverie out of a file again.
func (s Store) Undo(f File) (u Undone, err error) {
	if u.Edit, err = f.read(); err != nil {
		return u, err
	}
	k, found, err := s.load(u.Real)
	if err != nil {
		return u, &Error{f.Path, err, ""}
	}
	u.known, u.made = found, k.Made
	if found && u.Exists && k.Sum == sum(u.Before) {
		u.Exact, u.Delete = true, !k.Existed
		u.After = nil
		if k.Existed {
			u.After, err = os.ReadFile(s.Kept(u.Real))
		}
		if err == nil && u.Mode&0o200 == 0 {
			err = ErrReadOnly
		}
		if err != nil {
			return u, &Error{f.Path, err, ""}
		}
		return u, nil
	}
	if u.Edit, err = f.Remove(); err != nil {
		return u, err
	}
	if left := bytes.Trim(u.After, "{} \t\r\n"); found && !k.Existed && u.Changes() && len(left) == 0 {
		u.Delete, u.After = true, nil
	}
	return u, nil
}

// Revert does what Undo has found. What is kept of the file goes with it.
func (s Store) Revert(u Undone) error {
	var err error
	switch {
	case u.Delete:
		if err = unchanged(u.Edit); err == nil {
			err = os.Remove(u.Real)
		}
		for _, dir := range u.made {
			if err == nil {
				_ = os.Remove(dir) // unless something else is in it
			}
		}
	case u.Changes():
		err = replace(u.Edit)
	}
	if err == nil && u.known {
		err = s.drop(u.Real)
	}
	if err != nil {
		return &Error{u.Path, err, ""}
	}
	return nil
}
