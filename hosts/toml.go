package hosts

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/internal/tomledit"
)

// tomlServer is the MCP server in a TOML file: a table below the one called key.
func tomlServer(key string) part {
	return servers{func(data []byte, change func(serverList) error) ([]byte, error) {
		return editTOML(data, func(f *tomledit.File) error { return change(tomlServers{key, f}) })
	}}
}

func editTOML(data []byte, change func(*tomledit.File) error) ([]byte, error) {
	f, err := tomledit.Parse(data)
	if err == nil {
		err = change(f)
	}
	if errors.Is(err, tomledit.ErrForm) {
		err = errors.New("the entry is written in a way that setup does not edit")
	}
	if err != nil {
		return nil, err
	}
	return f.Bytes(), nil
}

type tomlServers struct {
	key string
	f   *tomledit.File
}

func (t tomlServers) list() (all []server) {
	servers, _ := t.f.Value(t.key).(map[string]any)
	for name, v := range servers {
		s := server{name: name}
		entry, _ := v.(map[string]any)
		if command, ok := entry["command"].(string); ok {
			s.argv = []string{command}
			args, _ := entry["args"].([]any)
			for _, a := range args {
				s.argv = append(s.argv, fmt.Sprint(a))
			}
		}
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b server) int { return strings.Compare(a.name, b.name) })
	return all
}

func (t tomlServers) create(argv []string) error { return t.set(Name, argv) }

func (t tomlServers) set(name string, argv []string) error {
	if err := t.f.Set(argv[0], t.key, name, "command"); err != nil {
		return err
	}
	return t.f.Set(argv[1:], t.key, name, "args")
}

func (t tomlServers) rename(from, to string) error { return t.f.Rename(to, t.key, from) }
func (t tomlServers) cut(name string) error        { return t.f.Cut(t.key, name) }
