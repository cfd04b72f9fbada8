package model

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/durable"
)

// An Entry is a model in a folder of models. Why it cannot be used is Problem.
type Entry struct {
	Name    string `json:"name"`
	Info    Info   `json:"info"`
	Licence string `json:"licence,omitempty"` // its file
	Problem string `json:"problem,omitempty"`
}

// List shows the models in a folder of models by name; none where there is no such folder.
func List(models string) ([]Entry, error) {
	dirs, err := os.ReadDir(models)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("list models: %w", err)
	}
	list := []Entry{}
	for _, d := range dirs {
		if !d.IsDir() || strings.HasPrefix(d.Name(), ".") {
			continue
		}
		e := Entry{Name: d.Name(), Licence: licence(filepath.Join(models, d.Name()))}
		if m, err := Open(filepath.Join(models, d.Name())); err != nil {
			e.Problem = err.Error()
		} else {
			e.Info = m.Info()
		}
		list = append(list, e)
	}
	return list, nil
}

// licence is the licence's file in a model's folder, "" for none.
func licence(dir string) string {
	files, _ := os.ReadDir(dir) // the folder was read or will be
	for _, f := range files {
		if name := strings.ToUpper(f.Name()); f.Type().IsRegular() && (strings.HasPrefix(name, "LICEN") || name == "COPYING") {
			return f.Name()
		}
	}
	return ""
}

// ErrExists says that another model has the name.
var ErrExists = errors.New("another model has that name")

// Add checks the model at from, its weights as well, and copies its files into a folder of models, under the name or that of its folder.
// The same model once more changes nothing. A failed Add leaves no model behind.
func Add(models, from, name string) (Entry, error) {
	from, err := filepath.Abs(from)
	if err != nil {
		return Entry{}, err
	}
	e := Entry{Name: cmp.Or(name, filepath.Base(from)), Licence: licence(from)}
	if filepath.Base(e.Name) != e.Name || !filepath.IsLocal(e.Name) || strings.HasPrefix(e.Name, ".") {
		return e, fmt.Errorf("%q is no name for a model: it has to be that of a folder", e.Name)
	}
	m, err := Open(from)
	if err != nil {
		return e, err
	}
	e.Info = m.Info()
	to := filepath.Join(models, e.Name)
	if there, err := Open(to); err == nil && there.Info().Digest == e.Info.Digest {
		return e, nil
	}
	if _, err := os.Lstat(to); err == nil {
		return e, fmt.Errorf("%w: %s", ErrExists, to)
	}
	if err := m.Load(); err != nil {
		return e, fmt.Errorf("model %s: %w", from, err)
	}
	if err := durable.MkdirAll(models, 0o700); err != nil {
		return e, err
	}
	part, err := os.MkdirTemp(models, ".add-")
	if err != nil {
		return e, err
	}
	defer os.RemoveAll(part) // nothing where it was renamed
	if err := copyFiles(from, part, e.Licence, m.folder.files...); err != nil {
		return e, fmt.Errorf("copy the model: %w", err)
	}
	if copied, err := Open(part); err != nil || copied.Info().Digest != e.Info.Digest {
		return e, cmp.Or(err, errors.New("the model changed while it was copied"))
	}
	return e, os.Rename(part, to)
}

// copyFiles copies those files that there are, and the licence.
func copyFiles(from, to, licence string, names ...string) error {
	if licence != "" {
		names = append(slices.Clone(names), licence)
	}
	for _, name := range names {
		name = filepath.FromSlash(name)
		err := copyFile(filepath.Join(from, name), filepath.Join(to, name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

func copyFile(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	if _, err := io.Copy(out, io.LimitReader(in, MaxFile)); err != nil {
		return err
	}
	return out.Sync()
}
