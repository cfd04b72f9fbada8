package config

import (
	"reflect"
	"strings"

	"github.com/reverie-memory/reverie/internal/nearest"
)

// suggest guesses the key that was meant, "" when nothing is near.
func suggest(key string) string {
	if rest, ok := strings.CutPrefix(key, "workspaces."); ok {
		name, leaf, ok := strings.Cut(rest, ".")
		if !ok {
			return ""
		}
		if guess := nearest.Name(leaf, []string{"vault", "data_dir", "token_file"}); guess != "" {
			return "workspaces." + name + "." + guess
		}
		return ""
	}
	// The right name in the wrong section.
	leaf := key[strings.LastIndexByte(key, '.')+1:]
	var same []string
	keys := sections()
	for _, s := range settings {
		keys = append(keys, s.Key)
		if s.Key[strings.LastIndexByte(s.Key, '.')+1:] == leaf {
			same = append(same, s.Key)
		}
	}
	if len(same) == 1 {
		return same[0]
	}
	return nearest.Name(key, keys)
}

// sections lists the tables of the file.
func sections() []string {
	var names []string
	for f := range reflect.TypeFor[Config]().Fields() {
		if k := f.Type.Kind(); k == reflect.Struct || k == reflect.Map {
			names = append(names, f.Tag.Get("toml"))
		}
	}
	return names
}
