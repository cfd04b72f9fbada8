package config

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/internal/slice"
)

// String is the effective settings as TOML, secrets masked.
func (c Config) String() string {
	var b strings.Builder
	writeSections(&b, func(b *strings.Builder, s setting, leaf string) {
		fmt.Fprintf(b, "%s = %s\n", leaf, s.value(&c))
	})
	writeTable(&b, "recall.flags", c.Recall.Flags)
	for _, name := range slices.Sorted(maps.Keys(c.Recall.Profiles)) {
		writeTable(&b, "recall.profiles."+tomlString(name), c.Recall.Profiles[name])
	}
	writeTable(&b, "palace.places", c.Palace.places())
	for _, name := range c.WorkspaceNames()[1:] {
		w := c.Workspaces[name]
		fmt.Fprintf(&b, "\n[workspaces.%s]\nvault = %s\n", name, tomlString(w.Vault))
		if w.DataDir != "" {
			fmt.Fprintf(&b, "data_dir = %s\n", tomlString(w.DataDir))
		}
		if w.TokenFile != "" {
			fmt.Fprintf(&b, "token_file = %s\n", tomlString(w.TokenFile))
		}
	}
	return b.String()
}

// writeTable writes a table whose keys a person chose; nothing of an empty one.
func writeTable(b *strings.Builder, name string, table map[string]any) {
	if len(table) == 0 {
		return
	}
	fmt.Fprintf(b, "\n[%s]\n", name)
	for _, k := range slices.Sorted(maps.Keys(table)) {
		fmt.Fprintf(b, "%s = %s\n", tomlString(k), tomlValue(table[k]))
	}
}

// Map is the effective settings by section, for JSON; secrets are masked.
func (c Config) Map() map[string]any {
	out := map[string]any{"file": c.File}
	for _, s := range settings {
		into := out
		head, leaf, ok := strings.Cut(s.Key, ".")
		if !ok {
			leaf = s.Key
		} else if into, ok = out[head].(map[string]any); !ok {
			into = map[string]any{}
			out[head] = into
		}
		into[leaf] = s.field(&c)
	}
	ranking := out["recall"].(map[string]any)
	ranking["flags"], ranking["profiles"] = c.Recall.Flags, c.Recall.Profiles
	out["palace"].(map[string]any)["places"] = c.Palace.Places
	workspaces := map[string]any{}
	for _, name := range c.WorkspaceNames() {
		w, _ := c.Workspace(name)
		workspaces[name] = map[string]string{"vault": w.Vault, "data_dir": w.DataDir, "token_file": w.TokenFile}
	}
	out["workspaces"] = workspaces
	return out
}

// WriteDefault writes a settings file in which every setting stands with its meaning, its limits and its
// default, commented out: what is not set follows the program as it improves.
func WriteDefault(w io.Writer) error {
	var b strings.Builder
	b.WriteString("# Settings of Reverie. Take the # away from a line to change it.\n" +
		"# Environment variables (REVERIE_SECTION_KEY) and flags win over this file.\n\n")
	c := portableDefault()
	writeSections(&b, func(b *strings.Builder, s setting, leaf string) {
		fmt.Fprintf(b, "# %s\n", strings.ReplaceAll(s.Doc, "`", ""))
		if a := s.allowed(); a != "" {
			fmt.Fprintf(b, "# Allowed: %s.\n", a)
		}
		fmt.Fprintf(b, "#%s = %s\n", leaf, s.value(&c))
	})
	b.WriteString(workspacesExample)
	_, err := io.WriteString(w, b.String())
	return err
}

const workspacesExample = `
# Flags of recall.profile, for searches that do not set them.
#[recall.flags]

# A profile of your own: a variation of another one, with flags of its own and, where they are listed, with other phases in another order.
#   [recall.profiles.mine]
#   base = "default"
#   phases = ["model_guard", "gather", "similarity", "read", "order", "show", "min_score"]
#   min_score = 0.5

# Where drawers hang for which nobody names a wing and a room, by their words: WING or WING/ROOM.
#   [palace.places]
#   "home/garden" = ["fern", "compost*", "watering can"]

# More vaults in the same daemon, each with its own index and token. Names: 1 to 40 of a-z, 0-9 and -.
# data_dir defaults to the name under the top data_dir, token_file to "token" in there.
#[workspaces.work]
#vault = "~/Work"
#data_dir = ""
#token_file = ""
`

// writeSections calls fn for each setting, with the table headings between them.
func writeSections(b *strings.Builder, fn func(*strings.Builder, setting, string)) {
	section := ""
	for _, s := range settings {
		head, leaf, ok := strings.Cut(s.Key, ".")
		if !ok {
			head, leaf = "", s.Key
		}
		if head != section {
			section = head
			fmt.Fprintf(b, "\n[%s]\n", section)
		}
		fn(b, s, leaf)
	}
}

// portableDefault is Default with paths as a person writes them.
func portableDefault() Config {
	c := Default()
	c.Vault = "~/Reverie"
	c.DataDir = "~/.local/share/reverie"
	return c
}

// tomlString quotes s as a TOML basic string.
func tomlString(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < 0x20 || r == 0x7f:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

func tomlValue(v any) string {
	switch v := v.(type) {
	case string:
		return tomlString(v)
	case []any:
		items := slice.Map(v, tomlValue)
		return "[" + strings.Join(items, ", ") + "]"
	}
	return fmt.Sprint(v)
}
