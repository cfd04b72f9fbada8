package config

import (
	"reflect"
	"slices"
	"strings"
)

// suggest guesses the key that was meant, "" when nothing is near.
func suggest(key string) string {
	if rest, ok := strings.CutPrefix(key, "workspaces."); ok {
		name, leaf, ok := strings.Cut(rest, ".")
		if !ok {
			return ""
		}
		if guess := nearest(leaf, []string{"vault", "data_dir", "token_file"}); guess != "" {
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
	return nearest(key, keys)
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

// nearest gives the candidate with the fewest edits, at most a third of the word away.
func nearest(word string, candidates []string) string {
	slices.Sort(candidates)
	plain := func(s string) string {
		return strings.NewReplacer("_", "", "-", "", ".", "").Replace(strings.ToLower(s))
	}
	best, bestDist := "", max(1, len(plain(word))/3)+1
	for _, c := range candidates {
		if d := distance(plain(word), plain(c)); d < bestDist {
			best, bestDist = c, d
		}
	}
	return best
}

// distance is the Levenshtein distance in bytes; keys are ASCII.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diag := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diag, row[j+1] = row[j+1], min(row[j+1]+1, row[j]+1, diag+cost)
		}
	}
	return row[len(b)]
}
