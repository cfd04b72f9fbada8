package config

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/adrg/xdg"
	"github.com/pelletier/go-toml/v2"

	"github.com/reverie-memory/reverie/internal/nearest"
)

// EnvConfig names the settings file in the environment.
const EnvConfig = "REVERIE_CONFIG"

// An Error is a setting that cannot be used.
type Error struct {
	File string // "" when the environment is to blame
	Line int    // 0 when unknown
	Err  error
	Hint string
}

func (e *Error) Error() string {
	where := "environment"
	if e.File != "" {
		where = e.File
		if e.Line > 0 {
			where = fmt.Sprintf("%s:%d", e.File, e.Line)
		}
	}
	text := fmt.Sprintf("read settings: %s: %v", where, e.Err)
	if e.Hint != "" {
		text += "; " + e.Hint
	}
	return text
}

func (e *Error) Unwrap() error { return e.Err }

// Load gives the settings of the file at path, overlaid with env ("KEY=value" as os.Environ gives it).
//
// An empty path means REVERIE_CONFIG, and then the default place, where the file may be missing. Load
// checks what it read; a caller that lays flags over the result calls [Config.Validate] again.
func Load(path string, env []string) (Config, error) {
	c := Default()
	vault, dataDir := c.Vault, c.DataDir
	c.Vault, c.DataDir = "", ""
	vars := parseEnv(env)
	path, required := settingsFile(path, vars)

	data, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !required:
	case err != nil:
		return Config{}, &Error{File: path, Err: plainErr(err)}
	default:
		c.File = path
		if err := c.decode(path, data, vars); err != nil {
			return Config{}, err
		}
	}
	if err := c.overlay(vars); err != nil {
		return Config{}, err
	}
	c.VaultSet, c.DataDirSet = c.Vault != "", c.DataDir != ""
	c.Vault, c.DataDir = cmp.Or(c.Vault, vault), cmp.Or(c.DataDir, dataDir)
	if err := c.finish(vars); err != nil {
		return Config{}, err
	}
	return c, nil
}

func settingsFile(path string, vars map[string]string) (file string, required bool) {
	if path == "" {
		path = vars[EnvConfig]
	}
	if path == "" {
		file, _ = Dirs()
		return file, false
	}
	return absolute(path, "", vars), true
}

// decode reads a settings file over the values already there.
func (c *Config) decode(path string, data []byte, vars map[string]string) error {
	before := *c
	dec := toml.NewDecoder(bytes.NewReader(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))))
	dec.DisallowUnknownFields()
	if err := dec.Decode(c); err != nil {
		return decodeError(path, err)
	}
	// A path in the file is relative to the file, so that moving both together works.
	dir := filepath.Dir(path)
	for _, s := range settings {
		if s.Path {
			p := s.field(c).(*string)
			*p = absolute(*p, dir, vars)
		}
	}
	for name, w := range c.Workspaces {
		w.Vault = absolute(w.Vault, dir, vars)
		w.DataDir = absolute(w.DataDir, dir, vars)
		w.TokenFile = absolute(w.TokenFile, dir, vars)
		c.Workspaces[name] = w
	}
	for _, s := range settings {
		if err := s.validate(c); err != nil {
			return &Error{File: path, Line: lineOf(data, s.Key), Err: err}
		}
	}
	if err := c.takeNotebookDir(before); err != nil {
		return &Error{File: path, Line: lineOf(data, "notebook.dir"), Err: err, Hint: "set one of them"}
	}
	return nil
}

// takeNotebookDir makes notebook.dir the vault where the layer just read has set it.
func (c *Config) takeNotebookDir(before Config) error {
	if c.Notebook.Dir == before.Notebook.Dir {
		return nil
	}
	if c.Vault != before.Vault && c.Vault != c.Notebook.Dir {
		return fmt.Errorf("vault (%s) and notebook.dir (%s) name different folders", c.Vault, c.Notebook.Dir)
	}
	c.Vault = c.Notebook.Dir
	return nil
}

// decodeError puts the file, the line, the key and a guess at what was meant into the error.
func decodeError(path string, err error) error {
	var unknown *toml.StrictMissingError
	if errors.As(err, &unknown) {
		errs := make([]error, 0, len(unknown.Errors))
		for i := range unknown.Errors {
			e := &unknown.Errors[i]
			line, _ := e.Position()
			key := strings.Join(e.Key(), ".")
			out := &Error{File: path, Line: line, Err: fmt.Errorf("unknown key %q", key)}
			if guess := suggest(key); guess != "" {
				out.Hint = fmt.Sprintf("did you mean %q?", guess)
			}
			errs = append(errs, out)
		}
		return errors.Join(errs...)
	}
	var bad *toml.DecodeError
	if errors.As(err, &bad) {
		line, _ := bad.Position()
		msg := strings.TrimPrefix(bad.Error(), "toml: ")
		if key := strings.Join(bad.Key(), "."); key != "" {
			if s, ok := find(key); ok {
				return &Error{File: path, Line: line, Err: fmt.Errorf("%s must be %s", key, s.kind())}
			}
			msg = key + ": " + msg
		}
		return &Error{File: path, Line: line, Err: errors.New(msg)}
	}
	return &Error{File: path, Err: err}
}

// Variables that are not settings: the file itself, what clients and builds read.
var otherEnv = []string{EnvConfig, "REVERIE_WORKSPACE"}

const buildEnvPrefix = "REVERIE_LANCEDB_"

// overlay sets what the environment names. An empty variable counts as not set.
func (c *Config) overlay(vars map[string]string) error {
	known := map[string]setting{}
	for _, s := range settings {
		known[s.env()] = s
	}
	for short, key := range shortEnv {
		s, _ := find(key)
		known[short] = s
	}
	names := make([]string, 0, 8)
	for name, value := range vars {
		if strings.HasPrefix(name, "REVERIE_") && value != "" {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int { // longer first: the short name wins, like its flag
		return cmp.Or(len(b)-len(a), strings.Compare(a, b))
	})
	before := *c
	for _, name := range names {
		s, ok := known[name]
		switch {
		case ok:
			if err := s.set(c, vars[name]); err != nil {
				return &Error{Err: fmt.Errorf("%s: %w", name, err)}
			}
			if s.Path {
				p := s.field(c).(*string)
				*p = absolute(*p, "", vars)
			}
		case slices.Contains(otherEnv, name), strings.HasPrefix(name, buildEnvPrefix):
		default:
			c.Warnings = append(c.Warnings, unknownVariable(name, known))
		}
	}
	if err := c.takeNotebookDir(before); err != nil {
		return &Error{Err: err, Hint: "set one of them"}
	}
	return nil
}

func unknownVariable(name string, known map[string]setting) string {
	text := fmt.Sprintf("environment variable %s is not a setting and was ignored", name)
	if guess := nearest.Name(name, slices.Collect(maps.Keys(known))); guess != "" {
		text += fmt.Sprintf("; did you mean %s?", guess)
	}
	return text
}

// finish resolves what one setting says about another and checks the whole.
func (c *Config) finish(vars map[string]string) error {
	for _, s := range settings {
		p, ok := s.field(c).(*Secret)
		if !ok {
			continue
		}
		name, isRef := strings.CutPrefix(string(*p), "env:")
		if !isRef {
			continue
		}
		// Every client reads the settings, but only the daemon's environment has to hold the keys.
		*p = Secret(vars[name])
		if *p == "" {
			c.Warnings = append(c.Warnings, fmt.Sprintf("%s is env:%s, and that environment variable is empty", s.Key, name))
		}
	}
	if err := c.Validate(); err != nil {
		return &Error{File: c.File, Err: err}
	}
	return nil
}

// Set gives one setting a value from text, as a flag does. Call [Config.Validate] after the last.
func (c *Config) Set(key, value string) error {
	s, ok := find(key)
	if !ok {
		return fmt.Errorf("unknown setting %q", key)
	}
	if s.Path {
		value = absolute(value, "", nil)
	}
	return s.set(c, value)
}

func find(key string) (setting, bool) {
	for _, s := range settings {
		if strings.EqualFold(s.Key, key) {
			return s, true
		}
	}
	return setting{}, false
}

func parseEnv(env []string) map[string]string {
	vars := make(map[string]string, len(env))
	for _, kv := range env {
		if k, v, ok := strings.Cut(kv, "="); ok {
			vars[k] = v
		}
	}
	return vars
}

// absolute expands ~ and makes path absolute below base, or the working folder where base is empty.
func absolute(path, base string, vars map[string]string) string {
	if path == "" {
		return ""
	}
	if path == "~" || strings.HasPrefix(path, "~/") || strings.HasPrefix(path, `~\`) {
		home := vars["HOME"]
		home = cmp.Or(home, xdg.Home)
		return filepath.Join(home, path[1:])
	}
	if !filepath.IsAbs(path) && base != "" {
		path = filepath.Join(base, path)
	}
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// plainErr leaves out the path, which the error around it names already.
func plainErr(err error) error {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		return pathErr.Err
	}
	return err
}

// lineOf finds the line that sets a key, 0 when it is not written in the plain form.
func lineOf(data []byte, key string) int {
	section, name := "", key
	if i := strings.LastIndexByte(key, '.'); i >= 0 {
		section, name = key[:i], key[i+1:]
	}
	here := ""
	for i, line := range strings.Split(string(data), "\n") {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			here, _, _ = strings.Cut(strings.TrimPrefix(line, "["), "]")
			here = strings.TrimSpace(here)
			continue
		}
		if k, _, ok := strings.Cut(line, "="); ok {
			k = strings.TrimSpace(k)
			if (here == section && k == name) || (here == "" && k == key) {
				return i + 1
			}
		}
	}
	return 0
}
