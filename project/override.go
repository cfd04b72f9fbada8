package project

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// File is the name of the override file.
const File = ".reverie.toml"

// maxFile bounds what is read of an override file, and of the small files in which git keeps paths.
const maxFile = 64 << 10

// An override is what an override file may say. An override arrives by a clone, so that it can name and narrow, and nothing else.
type override struct {
	Project string `toml:"project"`
	Isolate bool   `toml:"isolate"`
	dir     string // of the file that names the project
}

// overrides reads the override files of dirs, nearest first: the nearest name counts, and isolation wherever it is asked for. A file that
// cannot be used may have asked for isolation.
func overrides(dirs []string) (override, error) {
	var all override
	var errs []error
	for _, dir := range dirs {
		o, err := readOverride(filepath.Join(dir, File))
		if err != nil {
			errs = append(errs, err)
			all.Isolate = true
			continue
		}
		if all.Project == "" {
			all.Project, all.dir = o.Project, dir
		}
		all.Isolate = all.Isolate || o.Isolate
	}
	return all, errors.Join(errs...)
}

// readOverride gives the file's wishes, and none where there is no file.
func readOverride(file string) (override, error) {
	data, err := read(file, maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return override{}, nil
	}
	if err != nil {
		return override{}, err
	}
	var o override
	dec := toml.NewDecoder(bytes.NewReader(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&o); err != nil {
		var unknown *toml.StrictMissingError
		if errors.As(err, &unknown) && len(unknown.Errors) > 0 {
			line, _ := unknown.Errors[0].Position()
			err = fmt.Errorf("line %d: unknown key %q", line, strings.Join(unknown.Errors[0].Key(), "."))
		}
		return override{}, fmt.Errorf("%s: %w; it may hold project = \"name\" and isolate = true", file, err)
	}
	if name := clean(o.Project); name == "" && o.Project != "" {
		return override{}, fmt.Errorf("%s: project %q holds no letter or digit", file, o.Project)
	}
	o.Project = clean(o.Project)
	return o, nil
}
